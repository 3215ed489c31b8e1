#include "proximity/medial/ball_cover.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

#include "proximity/medial/ball_exchange.hpp"
#include "proximity/medial/ball_hull_of.hpp"
#include "proximity/medial/ball_polish.hpp"
#include "proximity/medial/hull_sieve.hpp"
#include "proximity/medial/stick_out.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::medial {
namespace {

constexpr int most_probes = 64;

using Samples = std::vector<std::int32_t>;

// Sets of samples, the one with the most that are not yet held first; of equals the first one. Gains only
// fall, so that what was on top and still has its gain is the best.
class LargestFirst {
 public:
  LargestFirst(const std::vector<Samples>& sets, std::vector<char>& is_held,
               const std::vector<char>* is_out = nullptr)
      : sets_(sets), is_held_(is_held) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (is_out == nullptr || (*is_out)[i] == 0) push(static_cast<std::int32_t>(i), sets[i].size());
    }
  }

  // -1: none has any.
  std::int32_t next() {
    while (!queue_.empty()) {
      const Entry top = queue_.top();
      queue_.pop();
      const std::size_t gain = gain_of(top.set);
      if (gain == 0) continue;
      if (gain == top.gain) return top.set;
      push(top.set, gain);
    }
    return -1;
  }

 private:
  struct Entry {
    std::size_t gain;
    std::int32_t set;
    bool operator<(const Entry& other) const {
      return gain < other.gain || (gain == other.gain && set > other.set);
    }
  };

  std::size_t gain_of(std::int32_t set) const {
    std::size_t gain = 0;
    for (const std::int32_t sample : sets_[static_cast<std::size_t>(set)])
      gain += is_held_[static_cast<std::size_t>(sample)] != 0 ? 0U : 1U;
    return gain;
  }
  void push(std::int32_t set, std::size_t gain) {
    if (gain > 0) queue_.push({gain, set});
  }

  const std::vector<Samples>& sets_;
  std::vector<char>& is_held_;
  std::priority_queue<Entry> queue_;
};

class Cover {
 public:
  explicit Cover(const CoverQuestion& question)
      : q_(question),
        probe_(question.solid),
        growth_(question.share * question.error),
        samples_(question.samples.begin(), question.samples.end()) {}

  BallCover run() {
    find_sets();
    for (int round = 0;; ++round) {
      if (is_polished() && round > 0) polish(false);
      if (!hold_all()) return chosen_;
      if (is_polished()) {
        if (round == 0) exchange();
        if (round < q_.thinning_rounds) polish(true);
      }
      keep_needed();
      if (round == q_.most_rounds) break;
      if (!add_samples(q_.open_points(chosen_.mesh, round))) break;
    }
    chosen_.is_complete = true;
    return chosen_;
  }

 private:
  double radius_of(const MedialBall& ball) const { return ball.depth + growth_; }

  // Balls, and what joins them, until all primitives together hold all samples. False: too many.
  bool hold_all() {
    is_held_.assign(samples_.size(), 0);
    held_ = 0;
    for (const Samples& set : primitive_sets_) hold(set);
    LargestFirst balls(sets_, is_held_);
    while (held_ < samples_.size()) {
      const std::int32_t candidate = balls.next();
      if (candidate < 0 || all_.mesh.centers.size() >= q_.most_balls) return false;
      add_ball(candidate);
    }
    return true;
  }

  // False: there are none.
  bool add_samples(const std::vector<Vector3>& points) {
    if (points.empty()) return false;
    const auto first = static_cast<std::int32_t>(samples_.size());
    samples_.insert(samples_.end(), points.begin(), points.end());
    added_.push_back({PointTree(points), first});
    const PointTree& tree = added_.back().tree;
    parallel_blocks(q_.candidates.size(), 256, q_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const MedialBall& ball = q_.candidates[i];
        tree.within(ball.center, radius_of(ball) - q_.margin,
                    [&](std::int32_t sample) { sets_[i].push_back(first + sample); });
      }
    });
    // The points themselves, where no other ball comes as far.
    for (const Vector3& point : points) {
      more_.push_back({point, 0.0});
      Samples& set = sets_.emplace_back();
      const auto hold_within = [&](const PointTree& some, std::int32_t from) {
        some.within(point, growth_ - q_.margin, [&](std::int32_t sample) { set.push_back(from + sample); });
      };
      hold_within(q_.tree, 0);
      for (const Added& some : added_) hold_within(some.tree, some.first);
    }
    parallel_blocks(primitives_.size(), 64, q_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        tree.within(HullSieve(ball_hull_of(all_.mesh, primitives_[i]), q_.margin),
                    [&](std::int32_t sample) { primitive_sets_[i].push_back(first + sample); });
      }
    });
    return true;
  }

  const MedialBall& candidate_at(std::int32_t i) const {
    const auto k = static_cast<std::size_t>(i);
    return k < q_.candidates.size() ? q_.candidates[k] : more_[k - q_.candidates.size()];
  }

  // The samples that each candidate holds.
  void find_sets() {
    sets_.resize(q_.candidates.size());
    parallel_blocks(q_.candidates.size(), 128, q_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const MedialBall& ball = q_.candidates[i];
        q_.tree.within(ball.center, radius_of(ball) - q_.margin,
                       [&](std::int32_t sample) { sets_[i].push_back(sample); });
      }
    });
  }

  void hold(const Samples& samples) {
    for (const std::int32_t sample : samples) {
      const auto i = static_cast<std::size_t>(sample);
      if (is_held_[i] == 0) ++held_;
      is_held_[i] = 1;
    }
  }

  void add_ball(std::int32_t candidate) {
    const MedialBall& ball = candidate_at(candidate);
    taken_.push_back(candidate);
    const auto number = static_cast<std::int32_t>(all_.mesh.centers.size());
    const double radius = radius_of(ball);
    all_.mesh.centers.push_back(ball.center);
    all_.mesh.radii.push_back(radius);
    all_.depths.push_back(ball.depth);
    add_primitive({number, -1, -1}, sets_[static_cast<std::size_t>(candidate)]);
    if (q_.spheres_only) return;
    at_ball_.push_back(probe_(ball.center));
    join(number);
  }

  void add_primitive(const MedialPrimitive& primitive, Samples samples) {
    hold(samples);
    primitives_.push_back(primitive);
    primitive_sets_.push_back(std::move(samples));
  }

  // Of cones and slabs, each on its own: those that fit, and the samples that they hold.
  std::vector<MedialPrimitive> add_fitting(const std::vector<MedialPrimitive>& asked) {
    std::vector<Samples> samples(asked.size());
    std::vector<HullProbes> probes(asked.size());
    std::vector<char> does_fit(asked.size(), 0);
    parallel_blocks(asked.size(), 4, q_.threads, [&](std::size_t begin, std::size_t end) {
      SolidProbe probe(q_.solid);
      for (std::size_t i = begin; i < end; ++i) {
        const BallHull hull = ball_hull_of(all_.mesh, asked[i]);
        for (std::size_t k = 0; k < 3; ++k) {
          if (asked[i][k] >= 0) probes[i].at_ball[k] = at_ball_[static_cast<std::size_t>(asked[i][k])];
        }
        if (asked[i][2] >= 0) {
          for (std::size_t k = 0; k < 3; ++k)
            probes[i].between[k] = cones_.at(side_of(asked[i][k], asked[i][(k + 1) % 3]));
        }
        does_fit[i] = fits(hull, probe, probes[i]) ? 1 : 0;
        if (does_fit[i] != 0) samples[i] = samples_in(hull);
      }
    });
    std::vector<MedialPrimitive> fitting;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (does_fit[i] == 0) continue;
      add_primitive(asked[i], std::move(samples[i]));
      fitting.push_back(asked[i]);
      if (asked[i][2] < 0) cones_.emplace(side_of(asked[i][0], asked[i][1]), probes[i].between[0]);
    }
    return fitting;
  }

  Samples samples_in(const BallHull& hull) const {
    const HullSieve sieve(hull, q_.margin);
    Samples samples;
    q_.tree.within(sieve, [&](std::int32_t sample) { samples.push_back(sample); });
    for (const Added& some : added_)
      some.tree.within(sieve, [&](std::int32_t sample) { samples.push_back(some.first + sample); });
    return samples;
  }

  using TwoBalls = std::pair<std::int32_t, std::int32_t>;
  static TwoBalls side_of(std::int32_t a, std::int32_t b) { return std::minmax(a, b); }

  bool fits(const BallHull& hull, SolidProbe& probe, HullProbes& known) const {
    StickOutLimits limits;
    limits.enough = limits.too_far = q_.error;
    limits.most_probes = most_probes;
    return stick_out(hull, probe, limits, known).upper <= q_.error;
  }

  // The chosen balls whose surfaces are nearest.
  std::vector<std::int32_t> neighbours_of(std::int32_t ball) const {
    const MedialMesh& mesh = all_.mesh;
    const auto b = static_cast<std::size_t>(ball);
    std::vector<std::pair<double, std::int32_t>> near;
    for (std::size_t i = 0; i < b; ++i) {
      const double between = (mesh.centers[i] - mesh.centers[b]).norm();
      const double gap = between - mesh.radii[i] - mesh.radii[b];
      if (gap > mesh.radii[i] + mesh.radii[b]) continue;
      // One that holds the other says nothing new.
      if (between <= std::abs(mesh.radii[i] - mesh.radii[b])) continue;
      near.push_back({gap, static_cast<std::int32_t>(i)});
    }
    std::sort(near.begin(), near.end());
    if (near.size() > q_.neighbours) near.resize(q_.neighbours);
    std::vector<std::int32_t> balls;
    for (const auto& [gap, i] : near) balls.push_back(i);
    return balls;
  }

  void join(std::int32_t ball) {
    std::vector<MedialPrimitive> asked;
    for (const std::int32_t other : neighbours_of(ball)) asked.push_back({other, ball, -1});
    std::vector<std::int32_t> joined;
    for (const MedialPrimitive& cone : add_fitting(asked)) joined.push_back(cone[0]);
    std::sort(joined.begin(), joined.end());
    asked.clear();
    for (std::size_t i = 0; i < joined.size(); ++i) {
      for (std::size_t k = i + 1; k < joined.size(); ++k) {
        if (cones_.contains(side_of(joined[i], joined[k]))) asked.push_back({joined[i], joined[k], ball});
      }
    }
    add_fitting(asked);
  }

  // Balls without which the primitives of the others still hold all samples are taken out, the last first.
  void drop_balls(std::vector<char>& is_out) const {
    const std::vector<Samples>& sets = primitive_sets_;
    std::vector<std::vector<std::int32_t>> of_ball(all_.mesh.centers.size());
    std::vector<std::int32_t> holders(samples_.size(), 0), lost(samples_.size(), 0);
    for (std::size_t i = 0; i < primitives_.size(); ++i) {
      if (is_out[i] != 0) continue;
      for (const std::int32_t ball : primitives_[i]) {
        if (ball >= 0) of_ball[static_cast<std::size_t>(ball)].push_back(static_cast<std::int32_t>(i));
      }
      for (const std::int32_t sample : sets[i]) ++holders[static_cast<std::size_t>(sample)];
    }
    for (std::size_t ball = of_ball.size(); ball-- > 0;) {
      bool is_needed = false;
      const auto add = [&](std::int32_t by) {
        for (const std::int32_t i : of_ball[ball]) {
          if (is_out[static_cast<std::size_t>(i)] != 0) continue;
          for (const std::int32_t sample : sets[static_cast<std::size_t>(i)])
            lost[static_cast<std::size_t>(sample)] += by;
        }
      };
      add(1);
      for (const std::int32_t i : of_ball[ball]) {
        if (is_out[static_cast<std::size_t>(i)] != 0) continue;
        for (const std::int32_t sample : sets[static_cast<std::size_t>(i)]) {
          const auto k = static_cast<std::size_t>(sample);
          is_needed = is_needed || lost[k] == holders[k];
        }
      }
      add(-1);
      if (is_needed) continue;
      for (const std::int32_t i : of_ball[ball]) {
        if (is_out[static_cast<std::size_t>(i)] != 0) continue;
        for (const std::int32_t sample : sets[static_cast<std::size_t>(i)])
          --holders[static_cast<std::size_t>(sample)];
        is_out[static_cast<std::size_t>(i)] = 1;
      }
    }
  }

  // Any candidate may take the place of a ball.
  void exchange() {
    std::vector<MedialPrimitive> alone(sets_.size());
    for (std::size_t i = 0; i < sets_.size(); ++i) alone[i] = {static_cast<std::int32_t>(i), -1, -1};
    std::vector<bool> is_in(sets_.size(), false);
    for (const std::int32_t candidate : taken_) is_in[static_cast<std::size_t>(candidate)] = true;
    exchange_balls({.balls = sets_.size(),
                    .samples = samples_.size(),
                    .primitives = alone,
                    .held = sets_,
                    .wanted = q_.wanted,
                    .work = q_.exchange_work},
                   is_in);
    restart();
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      if (is_in[i]) add_ball(static_cast<std::int32_t>(i));
    }
  }

  bool is_polished() const { return q_.spheres_only && q_.thinning_rounds > 0; }

  // Balls are moved to hold what is open; or, where nothing is, so that some of them can go.
  void polish(bool thin) {
    const BallPolish polish({q_.solid, samples_, growth_, q_.margin, q_.threads});
    std::vector<MedialBall> balls;
    for (const std::int32_t candidate : taken_) balls.push_back(candidate_at(candidate));
    if (thin) {
      polish.take_out(balls, q_.wanted, q_.thinning_work);
    } else {
      polish.close_gaps(balls);
    }
    restart();
    const PointTree tree(samples_);
    for (const MedialBall& ball : balls) {
      more_.push_back(ball);
      Samples& set = sets_.emplace_back();
      tree.within(ball.center, radius_of(ball) - q_.margin,
                  [&](std::int32_t sample) { set.push_back(sample); });
      add_ball(static_cast<std::int32_t>(sets_.size()) - 1);
    }
  }

  void restart() {
    all_ = {};
    taken_.clear();
    primitives_.clear();
    primitive_sets_.clear();
    is_held_.assign(samples_.size(), 0);
    held_ = 0;
  }

  // A cover of the samples by few of the primitives, again the best first.
  void keep_needed() {
    const std::vector<Samples>& sets = primitive_sets_;
    std::vector<char> is_out(sets.size(), 0);
    if (q_.few_balls && !q_.spheres_only) {
      keep_balls(is_out);
      drop_balls(is_out);
    }
    is_held_.assign(samples_.size(), 0);
    LargestFirst best(sets, is_held_, &is_out);
    std::vector<std::int32_t> kept;
    for (std::int32_t i = best.next(); i >= 0; i = best.next()) {
      hold(sets[static_cast<std::size_t>(i)]);
      kept.push_back(i);
    }
    drop_unneeded(kept);
    choose(kept);
    if (q_.spheres_only) {
      std::vector<std::int32_t> taken;
      for (const std::int32_t i : kept) taken.push_back(taken_[static_cast<std::size_t>(i)]);
      taken_ = std::move(taken);
    }
  }

  // Balls for the samples: again and again the primitive that holds most for each ball that it brings.
  // Gains only fall, so that the last known one bounds the next; prices fall with each ball, and then the
  // primitive is looked at anew. Primitives of other balls are out.
  void keep_balls(std::vector<char>& is_out) {
    const std::vector<Samples>& sets = primitive_sets_;
    constexpr double of_known_balls = 0.05;  // the price of a primitive that brings none
    std::vector<bool> is_kept(all_.mesh.centers.size(), false);
    std::vector<std::vector<std::size_t>> of_ball(all_.mesh.centers.size());
    std::vector<double> gain(sets.size());
    const auto new_balls = [&](std::size_t i) {
      int count = 0;
      for (const std::int32_t ball : primitives_[i])
        count += ball >= 0 && !is_kept[static_cast<std::size_t>(ball)];
      return count;
    };
    std::priority_queue<std::pair<double, std::int64_t>> queue;  // scores, and of equals the first
    const auto score_of = [&](std::size_t i) { return gain[i] / (of_known_balls + new_balls(i)); };
    const auto push = [&](std::size_t i) {
      if (gain[i] > 0.0) queue.push({score_of(i), -static_cast<std::int64_t>(i)});
    };
    for (std::size_t i = 0; i < sets.size(); ++i) {
      gain[i] = static_cast<double>(sets[i].size());
      push(i);
      for (const std::int32_t ball : primitives_[i]) {
        if (ball >= 0) of_ball[static_cast<std::size_t>(ball)].push_back(i);
      }
    }
    is_held_.assign(samples_.size(), 0);
    while (!queue.empty()) {
      const auto [score, negative] = queue.top();
      queue.pop();
      const auto i = static_cast<std::size_t>(-negative);
      if (score != score_of(i)) continue;  // there is a later entry
      double now = 0.0;
      for (const std::int32_t sample : sets[i])
        now += is_held_[static_cast<std::size_t>(sample)] != 0 ? 0.0 : 1.0;
      if (now != gain[i]) {
        gain[i] = now;
        push(i);
        continue;
      }
      hold(sets[i]);
      gain[i] = 0.0;
      for (const std::int32_t ball : primitives_[i]) {
        if (ball < 0 || is_kept[static_cast<std::size_t>(ball)]) continue;
        is_kept[static_cast<std::size_t>(ball)] = true;
        for (const std::size_t other : of_ball[static_cast<std::size_t>(ball)]) push(other);
      }
    }
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (new_balls(i) > 0) is_out[i] = 1;
    }
  }

  void choose(const std::vector<std::int32_t>& kept) {
    std::vector<std::int32_t> number(all_.mesh.centers.size(), -1);
    chosen_ = {};
    for (const std::int32_t i : kept) {
      MedialPrimitive primitive = primitives_[static_cast<std::size_t>(i)];
      int count = 0;
      for (std::int32_t& ball : primitive) {
        if (ball < 0) continue;
        ++count;
        std::int32_t& as = number[static_cast<std::size_t>(ball)];
        if (as < 0) {
          as = static_cast<std::int32_t>(chosen_.mesh.centers.size());
          chosen_.mesh.centers.push_back(all_.mesh.centers[static_cast<std::size_t>(ball)]);
          chosen_.mesh.radii.push_back(all_.mesh.radii[static_cast<std::size_t>(ball)]);
          chosen_.depths.push_back(all_.depths[static_cast<std::size_t>(ball)]);
        }
        ball = as;
      }
      if (count == 3) chosen_.mesh.slabs.push_back(primitive);
      if (count == 2) chosen_.mesh.cones.push_back({primitive[0], primitive[1]});
    }
  }

  // Those whose samples others hold, the last chosen first.
  void drop_unneeded(std::vector<std::int32_t>& kept) const {
    std::vector<std::int32_t> holders(samples_.size(), 0);
    for (const std::int32_t i : kept) {
      for (const std::int32_t sample : primitive_sets_[static_cast<std::size_t>(i)])
        ++holders[static_cast<std::size_t>(sample)];
    }
    for (std::size_t k = kept.size(); k-- > 0;) {
      const Samples& samples = primitive_sets_[static_cast<std::size_t>(kept[k])];
      const bool is_needed = std::any_of(samples.begin(), samples.end(), [&](std::int32_t sample) {
        return holders[static_cast<std::size_t>(sample)] == 1;
      });
      if (is_needed) continue;
      for (const std::int32_t sample : samples) --holders[static_cast<std::size_t>(sample)];
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }

  const CoverQuestion& q_;
  SolidProbe probe_;
  double growth_;
  std::vector<char> is_held_;
  std::size_t held_ = 0;             // how many
  std::vector<Samples> sets_;        // of candidates
  std::vector<std::int32_t> taken_;  // the candidate of each ball
  std::vector<MedialPrimitive> primitives_;
  std::vector<Samples> primitive_sets_;
  std::map<TwoBalls, std::optional<Probed>> cones_;  // that fit, and what is half way, if it was asked
  std::vector<Probed> at_ball_;
  std::vector<Vector3> samples_;
  struct Added {
    PointTree tree;
    std::int32_t first;  // of its samples
  };
  std::vector<Added> added_;      // samples of later rounds
  std::vector<MedialBall> more_;  // candidates
  BallCover all_;                 // every ball so far, and
  BallCover chosen_;              // those that are needed
};

}  // namespace

BallCover ball_cover(const CoverQuestion& question) {
  return Cover(question).run();
}

}  // namespace toccata::medial
