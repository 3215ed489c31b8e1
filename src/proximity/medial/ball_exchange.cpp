#include "proximity/medial/ball_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace toccata::medial {
namespace {

constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max();

// Lists of numbers, one after the other.
class Lists {
 public:
  template <typename Each>  // each(visit) calls visit(list, number) for all, the same each time
  Lists(std::size_t count, Each&& each) : begin_(count + 1, 0) {
    each([&](std::size_t list, std::int32_t) { ++begin_[list + 1]; });
    for (std::size_t i = 0; i < count; ++i) begin_[i + 1] += begin_[i];
    numbers_.resize(begin_[count]);
    std::vector<std::size_t> at(begin_.begin(), begin_.end() - 1);
    each([&](std::size_t list, std::int32_t number) { numbers_[at[list]++] = number; });
  }

  std::span<const std::int32_t> operator[](std::size_t list) const {
    return {numbers_.data() + begin_[list], begin_[list + 1] - begin_[list]};
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::int32_t> numbers_;
};

class Exchange {
 public:
  Exchange(const ExchangeQuestion& question, std::vector<bool>& is_in)
      : q_(question),
        best_(is_in),
        is_in_(question.balls, false),
        of_ball_(question.balls, [&](auto&& visit) { visit_balls(visit); }),
        of_sample_(question.samples, [&](auto&& visit) { visit_samples(visit); }),
        missing_(question.primitives.size(), 0),
        holders_(question.samples, 0),
        lost_(question.samples, 0),
        weight_(question.samples, 1),
        place_(question.samples, -1),
        loss_(question.balls, infinite),
        is_stale_(question.balls, true),
        changed_(question.balls, 0),
        left_(question.work) {
    for (std::size_t i = 0; i < q_.primitives.size(); ++i) {
      for (const std::int32_t ball : q_.primitives[i]) missing_[i] += ball >= 0 ? 1 : 0;
    }
    for (std::size_t s = 0; s < q_.samples; ++s) open_sample(static_cast<std::int32_t>(s));
    for (std::size_t b = 0; b < q_.balls; ++b) {
      if (is_in[b]) add(static_cast<std::int32_t>(b));
    }
  }

  void run() {
    while (open_.empty()) {
      best_ = is_in_;
      best_balls_ = in_;
      if (in_.size() <= q_.wanted || left_ <= 0) return;
      remove(cheapest(-1));
      while (!open_.empty() && left_ > 0) step();
    }
  }

 private:
  template <typename Visit>
  void visit_balls(Visit&& visit) const {
    for (std::size_t i = 0; i < q_.primitives.size(); ++i) {
      for (const std::int32_t ball : q_.primitives[i]) {
        if (ball >= 0) visit(static_cast<std::size_t>(ball), static_cast<std::int32_t>(i));
      }
    }
  }
  template <typename Visit>
  void visit_samples(Visit&& visit) const {
    for (std::size_t i = 0; i < q_.held.size(); ++i) {
      for (const std::int32_t sample : q_.held[i])
        visit(static_cast<std::size_t>(sample), static_cast<std::int32_t>(i));
    }
  }

  const std::vector<std::int32_t>& held(std::int32_t primitive) const {
    return q_.held[static_cast<std::size_t>(primitive)];
  }

  void open_sample(std::int32_t sample) {
    place_[static_cast<std::size_t>(sample)] = static_cast<std::int32_t>(open_.size());
    open_.push_back(sample);
  }
  void close_sample(std::int32_t sample) {
    const std::int32_t at = place_[static_cast<std::size_t>(sample)];
    open_[static_cast<std::size_t>(at)] = open_.back();
    place_[static_cast<std::size_t>(open_.back())] = at;
    open_.pop_back();
    place_[static_cast<std::size_t>(sample)] = -1;
  }

  // Holders of the sample changed: what balls that hold it would lose is to be looked at again.
  void touch(std::int32_t sample) {
    for (const std::int32_t p : of_sample_[static_cast<std::size_t>(sample)]) {
      if (missing_[static_cast<std::size_t>(p)] != 0) continue;
      for (const std::int32_t ball : q_.primitives[static_cast<std::size_t>(p)]) {
        if (ball >= 0) is_stale_[static_cast<std::size_t>(ball)] = true;
      }
    }
  }

  void add(std::int32_t ball) {
    const auto b = static_cast<std::size_t>(ball);
    is_in_[b] = true;
    in_.push_back(ball);
    is_stale_[b] = true;
    changed_[b] = ++moment_;
    for (const std::int32_t p : of_ball_[b]) {
      if (--missing_[static_cast<std::size_t>(p)] != 0) continue;
      left_ -= static_cast<std::int64_t>(held(p).size());
      for (const std::int32_t sample : held(p)) {
        const std::int32_t now = ++holders_[static_cast<std::size_t>(sample)];
        if (now == 1) close_sample(sample);
        if (now <= 3) touch(sample);
      }
    }
  }

  void remove(std::int32_t ball) {
    const auto b = static_cast<std::size_t>(ball);
    is_in_[b] = false;
    in_.erase(std::find(in_.begin(), in_.end(), ball));
    changed_[b] = ++moment_;
    for (const std::int32_t p : of_ball_[b]) {
      if (missing_[static_cast<std::size_t>(p)]++ != 0) continue;
      left_ -= static_cast<std::int64_t>(held(p).size());
      for (const std::int32_t sample : held(p)) {
        const std::int32_t now = --holders_[static_cast<std::size_t>(sample)];
        if (now == 0) open_sample(sample);
        if (now <= 3) touch(sample);
      }
    }
  }

  // The weight of the samples that only this ball's primitives hold.
  std::int64_t loss_of(std::int32_t ball) {
    const auto b = static_cast<std::size_t>(ball);
    if (!is_stale_[b]) return loss_[b];
    std::int64_t loss = 0;
    for (const int by : {1, -1}) {
      for (const std::int32_t p : of_ball_[b]) {
        if (missing_[static_cast<std::size_t>(p)] != 0) continue;
        left_ -= static_cast<std::int64_t>(held(p).size());
        for (const std::int32_t sample : held(p)) {
          const auto s = static_cast<std::size_t>(sample);
          lost_[s] += by;
          if (by > 0 && lost_[s] == holders_[s]) loss += weight_[s];
        }
      }
    }
    loss_[b] = loss;
    is_stale_[b] = false;
    return loss;
  }

  // Of equals the one that was changed longest ago.
  std::int32_t cheapest(std::int32_t but) {
    std::int32_t best = -1;
    for (const std::int32_t ball : in_) {
      if (ball == but) continue;
      const std::int64_t loss = loss_of(ball);
      if (best < 0 || loss < loss_[static_cast<std::size_t>(best)] ||
          (loss == loss_[static_cast<std::size_t>(best)] &&
           changed_[static_cast<std::size_t>(ball)] < changed_[static_cast<std::size_t>(best)]))
        best = ball;
    }
    return best;
  }

  // The weight of open samples that the primitives hold which this ball alone is missing of.
  std::int64_t gain_of(std::int32_t ball) {
    std::int64_t gain = 0;
    seen_.clear();
    for (const std::int32_t p : of_ball_[static_cast<std::size_t>(ball)]) {
      if (missing_[static_cast<std::size_t>(p)] != 1) continue;
      left_ -= static_cast<std::int64_t>(held(p).size());
      for (const std::int32_t sample : held(p)) {
        const auto s = static_cast<std::size_t>(sample);
        if (holders_[s] != 0 || lost_[s] != 0) continue;
        lost_[s] = 1;
        seen_.push_back(sample);
        gain += weight_[s];
      }
    }
    for (const std::int32_t sample : seen_) lost_[static_cast<std::size_t>(sample)] = 0;
    return gain;
  }

  // The ball that holds most of what is open, among those that hold this sample.
  std::int32_t best_for(std::int32_t sample) {
    std::int32_t best = -1;
    std::int64_t best_gain = -1;
    ++asked_;
    if (asked_at_.empty()) asked_at_.assign(q_.balls, 0);
    for (const std::int32_t p : of_sample_[static_cast<std::size_t>(sample)]) {
      if (missing_[static_cast<std::size_t>(p)] != 1) continue;
      for (const std::int32_t ball : q_.primitives[static_cast<std::size_t>(p)]) {
        if (ball < 0 || is_in_[static_cast<std::size_t>(ball)]) continue;
        if (ball == removed_ || asked_at_[static_cast<std::size_t>(ball)] == asked_) continue;
        asked_at_[static_cast<std::size_t>(ball)] = asked_;
        const std::int64_t gain = gain_of(ball);
        if (gain > best_gain || (gain == best_gain && changed_[static_cast<std::size_t>(ball)] <
                                                          changed_[static_cast<std::size_t>(best)])) {
          best = ball;
          best_gain = gain;
        }
      }
    }
    return best;
  }

  void step() {
    turn_ = turn_ * 6364136223846793005u + 1442695040888963407u;
    const std::int32_t sample = open_[(turn_ >> 33U) % open_.size()];
    std::int32_t added = best_for(sample);
    if (added < 0) added = removed_;
    if (added < 0) {
      left_ = 0;
      return;
    }
    add(added);
    if (!open_.empty()) {
      for (const std::int32_t s : open_) ++weight_[static_cast<std::size_t>(s)];
      left_ -= static_cast<std::int64_t>(open_.size());
      if (in_.size() >= best_balls_.size()) remove(removed_ = cheapest(added));
    }
  }

 public:
  const std::vector<bool>& best() const { return best_; }

 private:
  const ExchangeQuestion& q_;
  std::vector<bool> best_;
  std::vector<std::int32_t> best_balls_;
  std::vector<bool> is_in_;
  std::vector<std::int32_t> in_;
  Lists of_ball_, of_sample_;          // primitives
  std::vector<std::int32_t> missing_;  // balls of each primitive that are not in
  std::vector<std::int32_t> holders_, lost_;
  std::vector<std::int64_t> weight_;
  std::vector<std::int32_t> open_, place_;  // samples that none holds, and where they are in the list
  std::vector<std::int64_t> loss_;
  std::vector<bool> is_stale_;
  std::vector<std::int64_t> changed_;
  std::vector<std::int32_t> seen_;
  std::vector<std::int64_t> asked_at_;
  std::int64_t asked_ = 0, moment_ = 0, left_;
  std::int32_t removed_ = -1;
  std::uint64_t turn_ = 1;
};

}  // namespace

void exchange_balls(const ExchangeQuestion& question, std::vector<bool>& is_in) {
  Exchange exchange(question, is_in);
  exchange.run();
  is_in = exchange.best();
}

}  // namespace toccata::medial
