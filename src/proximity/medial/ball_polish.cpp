// The ball about c of depth d(c) holds the sample x, grown by g, if f(x, c) = |x - c| - d(c) <= g. Each
// sample belongs to the ball whose f is least. A ball whose own samples reach beyond the target goes where
// the largest f of them is least: a gap is where the samples of several balls meet, and all of them go
// towards it, so that slack elsewhere is used. f is the largest of |x - c| - |p - c| over the points p of the
// surface: near-largest pairs give slopes, and the shortest vector of their hull is the way down.
#include "proximity/medial/ball_polish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "proximity/medial/solid_probe.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::medial {
namespace {

constexpr std::size_t block = 8;
constexpr int most_moves = 12;
constexpr int most_halvings = 3;
constexpr int most_turns = 24;  // for the shortest vector
// Of the growth: samples farther than this from all balls belong to none.
constexpr double reach = 0.5;
// Of the growth: pairs this near to the largest give slopes, at first and at last.
constexpr double widest_look = 0.1, closest_look = 0.01;

constexpr int most_rounds = 40;
// Given up if what is missing has not fallen to this share of it within so many rounds.
constexpr double worth_it = 0.5;
constexpr int patience = 3;
// Of the target: a ball that is moved goes on until its samples are within this.
constexpr double aim = 0.97;
// Balls that may be moved for one that is taken out.
constexpr std::size_t most_near = 25;
// In samples looked at: what it takes to ask for the depth at a point.
constexpr std::int64_t work_of_depth = 300;

struct Slopes {
  std::vector<Vector3> of_samples, of_surface;  // units, from them to the centre
};

// The shortest a - b, a and b means of the slopes, about (Gilbert's algorithm).
Vector3 shortest(const Slopes& slopes) {
  const std::vector<Vector3>&as = slopes.of_samples, &bs = slopes.of_surface;
  Vector3 z = as[0] - bs[0];
  for (int turn = 0; turn < most_turns; ++turn) {
    const auto less = [&](const Vector3& x, const Vector3& y) { return z.dot(x) < z.dot(y); };
    const Vector3 w =
        *std::min_element(as.begin(), as.end(), less) - *std::max_element(bs.begin(), bs.end(), less);
    const Vector3 back = z - w;
    const double gain = z.dot(back);
    if (gain <= 1e-3 * z.squaredNorm()) break;
    z -= std::min(1.0, gain / back.squaredNorm()) * back;
  }
  return z;
}

// One ball and its samples.
class Moving {
 public:
  Moving(SolidProbe& probe, std::span<const Vector3> samples, double growth)
      : probe_(probe), samples_(samples), growth_(growth) {}

  MedialBall moved(const Vector3& start, double target) {
    near_.clear();
    Vector3 center = start;
    double depth = depth_at(center), most = most_of(center, depth);
    double look = widest_look * growth_, step = 0.25 * growth_;
    for (int move = 0; move < most_moves && most > target; ++move) {
      Slopes slopes;
      for (const Vector3& x : samples_) {
        const double length = (x - center).norm();
        if (length - depth > most - look && length > 0.0) slopes.of_samples.push_back((center - x) / length);
      }
      const double sign = depth < 0.0 ? -1.0 : 1.0;
      for (const Vector3& p : near_) {
        const double length = (p - center).norm();
        if (length < std::abs(depth) + look && length > 0.0)
          slopes.of_surface.push_back(sign * (center - p) / length);
      }
      if (slopes.of_samples.empty()) break;
      if (slopes.of_surface.empty()) slopes.of_surface.push_back(Vector3::Zero());
      const Vector3 down = shortest(slopes);
      const double steep = down.norm();
      bool has_moved = false;
      for (int halving = 0; halving <= most_halvings && steep > 1e-3; ++halving) {
        const Vector3 next = center - (step / steep) * down;
        const double next_depth = depth_at(next), next_most = most_of(next, next_depth);
        if (next_most < most - 0.1 * step * steep) {
          center = next;
          depth = next_depth;
          most = next_most;
          has_moved = true;
          break;
        }
        step *= 0.5;
      }
      if (has_moved) {
        step *= 1.5;
        continue;
      }
      if (look <= closest_look * growth_) break;
      look *= 0.4;
      step = std::max(step, 0.5 * look);
    }
    return {center, depth};
  }

  std::int64_t work() const { return work_; }

 private:
  // Proven.
  double depth_at(const Vector3& center) {
    work_ += work_of_depth;
    const Probed at = probe_(center);
    near_.push_back(at.nearest);
    return -at.upper;
  }

  double most_of(const Vector3& center, double depth) {
    double squared = 0.0;
    work_ += static_cast<std::int64_t>(samples_.size());
    for (const Vector3& x : samples_) squared = std::max(squared, (x - center).squaredNorm());
    return std::sqrt(squared) - depth;
  }

  SolidProbe& probe_;
  std::span<const Vector3> samples_;
  double growth_;
  std::int64_t work_ = 0;
  std::vector<Vector3> near_;  // of the surface, nearest to where the ball was looked at
};

}  // namespace

// What of a cover may change.
struct BallPolish::Local {
  std::vector<std::int32_t> balls;
  std::vector<char> is_open;  // of the samples: those that no other ball holds; empty: all
};

BallPolish::BallPolish(const PolishQuestion& question) : q_(question), tree_(question.samples) {}

bool BallPolish::close_gaps(std::vector<MedialBall>& balls) const {
  Local all;
  for (std::size_t i = 0; i < balls.size(); ++i) all.balls.push_back(static_cast<std::int32_t>(i));
  std::int64_t work = 0;
  return closed(balls, all, work);
}

bool BallPolish::closed(std::vector<MedialBall>& balls, const Local& local, std::int64_t& work) const {
  const double target = q_.growth - q_.margin;
  std::vector<double> least(q_.samples.size());
  std::vector<std::int32_t> owner(q_.samples.size());
  std::vector<double> missing;  // of each round
  for (int round = 0;; ++round) {
    std::fill(least.begin(), least.end(), std::numeric_limits<double>::infinity());
    std::fill(owner.begin(), owner.end(), -1);
    for (std::size_t k = 0; k < local.balls.size(); ++k) {
      const MedialBall& ball = balls[static_cast<std::size_t>(local.balls[k])];
      tree_.within(ball.center, ball.depth + (1.0 + reach) * q_.growth, [&](std::int32_t sample) {
        const auto s = static_cast<std::size_t>(sample);
        ++work;
        const double f = (q_.samples[s] - ball.center).norm() - ball.depth;
        if (!(f < least[s])) return;
        least[s] = f;
        owner[s] = static_cast<std::int32_t>(k);
      });
    }
    std::vector<std::vector<Vector3>> of_ball(local.balls.size());
    std::vector<char> is_asked(local.balls.size(), 0);
    missing.push_back(0.0);
    bool are_near = true;
    for (std::size_t s = 0; s < q_.samples.size(); ++s) {
      if (!local.is_open.empty() && local.is_open[s] == 0) continue;
      if (owner[s] < 0) {
        are_near = false;
        continue;
      }
      const auto k = static_cast<std::size_t>(owner[s]);
      of_ball[k].push_back(q_.samples[s]);
      if (!(least[s] > target)) continue;
      is_asked[k] = 1;
      missing.back() += least[s] - target;
    }
    std::vector<std::size_t> asked;
    for (std::size_t k = 0; k < is_asked.size(); ++k) {
      if (is_asked[k] != 0) asked.push_back(k);
    }
    if (asked.empty()) return are_near;
    const auto last = static_cast<std::size_t>(round);
    if (round == most_rounds) return false;
    if (round >= patience && missing[last] > worth_it * missing[last - patience]) return false;
    std::vector<std::int64_t> taken(asked.size());
    parallel_blocks(asked.size(), block, q_.threads, [&](std::size_t begin, std::size_t end) {
      SolidProbe probe(q_.solid);
      for (std::size_t i = begin; i < end; ++i) {
        MedialBall& ball = balls[static_cast<std::size_t>(local.balls[asked[i]])];
        Moving moving(probe, of_ball[asked[i]], q_.growth);
        ball = moving.moved(ball.center, aim * target);
        taken[i] = moving.work();
      }
    });
    for (const std::int64_t looks : taken) work += looks;
  }
}

// The balls next to one, without it, and what only they can hold.
BallPolish::Local BallPolish::around(const std::vector<MedialBall>& balls, std::size_t ball) const {
  std::vector<std::pair<double, std::int32_t>> near;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    if (i == ball) continue;
    const double gap = (balls[i].center - balls[ball].center).norm() - balls[i].depth;
    near.push_back({gap, static_cast<std::int32_t>(i)});
  }
  std::sort(near.begin(), near.end());
  Local local;
  for (std::size_t k = 0; k < near.size() && k < most_near; ++k) local.balls.push_back(near[k].second);
  std::sort(local.balls.begin(), local.balls.end());
  local.is_open.assign(q_.samples.size(), 1);
  for (std::size_t k = most_near; k < near.size(); ++k) {
    const MedialBall& other = balls[static_cast<std::size_t>(near[k].second)];
    tree_.within(other.center, other.depth + q_.growth - q_.margin,
                 [&](std::int32_t sample) { local.is_open[static_cast<std::size_t>(sample)] = 0; });
  }
  return local;
}

void BallPolish::take_out(std::vector<MedialBall>& balls, std::size_t wanted, std::int64_t work) const {
  std::vector<std::int64_t> loss;  // samples that only this ball holds
  std::vector<char> is_tried;
  std::int64_t done = 0;
  while (balls.size() > std::max<std::size_t>(wanted, 1) && done < work) {
    if (loss.empty()) {
      std::vector<std::int32_t> holder(q_.samples.size(), -1);
      constexpr std::int32_t several = -2;
      for (std::size_t i = 0; i < balls.size(); ++i) {
        tree_.within(balls[i].center, balls[i].depth + q_.growth - q_.margin, [&](std::int32_t sample) {
          std::int32_t& by = holder[static_cast<std::size_t>(sample)];
          by = by == -1 ? static_cast<std::int32_t>(i) : several;
          ++done;
        });
      }
      loss.assign(balls.size(), 0);
      for (const std::int32_t by : holder) {
        if (by >= 0) ++loss[static_cast<std::size_t>(by)];
      }
      is_tried.assign(balls.size(), 0);
    }
    std::size_t least = balls.size();
    for (std::size_t i = 0; i < balls.size(); ++i) {
      if (is_tried[i] == 0 && (least == balls.size() || loss[i] < loss[least])) least = i;
    }
    if (least == balls.size()) return;
    std::vector<MedialBall> fewer = balls;
    if (closed(fewer, around(balls, least), done)) {
      balls = std::move(fewer);
      balls.erase(balls.begin() + static_cast<std::ptrdiff_t>(least));
      loss.clear();
    } else {
      is_tried[least] = 1;
    }
  }
}

}  // namespace toccata::medial
