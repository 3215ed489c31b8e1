// Convex kinds of every sort against each other, at gaps of both signs from
// 1e-15 up and in the places where others fail: each answer is held against
// long-double truth. Counts are printed, for long runs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "effort.hpp"
#include "oracle/any_solid.hpp"
#include "oracle/solid_oracle.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata {
namespace {

using oracle::any_gap;
using oracle::any_rotation;
using oracle::any_solid;
using oracle::LongSolid;
using oracle::LongVector;

struct Placed {
  Geometry a, b;
  Pose pose_a, pose_b;
};

// Moved along the normal of their distance until the gap is the wanted one, up
// to rounding; sometimes left in the places where no direction is given: the
// same place, the middle of each other.
Placed any_pair(Random& random) {
  Placed p{any_solid(random), any_solid(random), {}, {}};
  p.pose_a.rotation = any_rotation(random);
  p.pose_b.rotation = any_rotation(random);
  p.pose_a.translation = random.in_box(1.0);
  if (random.integer(0, 49) == 0) p.pose_a.translation *= 1e6;
  p.pose_b.translation = p.pose_a.translation;
  const int manner = random.integer(0, 29);
  if (manner == 0) return p;
  if (manner == 1) {
    p.b = p.a;
    p.pose_b = p.pose_a;
    return p;
  }
  const LongSolid a(p.a, p.pose_a);
  const double apart = 1.0 + 2.0 * static_cast<double>(a.reach() + LongSolid(p.b, p.pose_b).reach());
  p.pose_b.translation += apart * (manner == 2 ? Vector3::Unit(random.integer(0, 2)) : random.on_sphere());
  const auto gap = oracle::solid_gap(a, LongSolid(p.b, p.pose_b));
  p.pose_b.translation -= ((gap.lower - any_gap(random)) * gap.normal).cast<double>();
  return p;
}

struct Counts {
  long pairs = 0, overlaps = 0, apart = 0, below_rounding = 0;
  long wrong = 0;   // a bracket that does not hold the truth
  long missed = 0;  // an overlap said to be apart, or the other way round
  long no_number = 0;
  long disagree = 0;  // distance, intersects and penetration are not of one mind
};

std::string told(const Placed& p, std::uint64_t seed) {
  return std::string(kind_of(p.a)) + " and " + std::string(kind_of(p.b)) + ", seed " + std::to_string(seed);
}

// One pair; the failures go to the counts and, the first few, to the log.
class PairCheck {
 public:
  PairCheck(const Placed& pair, std::uint64_t seed, Counts& counts)
      : pair_(pair), a_(pair.a, pair.pose_a), b_(pair.b, pair.pose_b), seed_(seed), counts_(counts) {
    // Poses are rounded to one another's coordinates: a few roundings of the
    // lengths.
    const long double lengths = a_.reach() + b_.reach() + a_.translation().norm() + b_.translation().norm();
    lengths_ = lengths;
    slack_ = 256.0L * 0x1p-53L * lengths;
  }

  void run() {
    ++counts_.pairs;
    const auto shape_a = Shape::build(pair_.a), shape_b = Shape::build(pair_.b);
    if (!shape_a || !shape_b) return note(counts_.wrong, "refused");
    const PlacedShape a{*shape_a, pair_.pose_a}, b{*shape_b, pair_.pose_b};
    const oracle::SolidGap truth = oracle::solid_gap(a_, b_);
    const DistanceResult found = distance(a, b);
    const bool meets = intersects(a, b).intersects;
    const PenetrationResult depth = penetration(a, b);
    if (!std::isfinite(found.distance) || !std::isfinite(found.lower_distance) ||
        !std::isfinite(depth.lower_depth) || !std::isfinite(depth.upper_depth))
      return note(counts_.no_number, "no number");
    if (depth.status == Status::Failed) return note(counts_.wrong, depth.failure);
    const bool overlaps = depth.status == Status::OverlapAtStart;
    if (meets != (found.distance == 0.0) || meets != overlaps) note(counts_.disagree, "not of one mind");
    check_distance(truth, found);
    if (overlaps) check_depth(truth, depth);
  }

 private:
  static bool is_curved(const Geometry& g) {
    return std::holds_alternative<Cylinder>(g) || std::holds_alternative<Cone>(g) ||
           std::holds_alternative<Ellipsoid>(g);
  }

  void check_distance(const oracle::SolidGap& truth, const DistanceResult& found) {
    const bool is_apart = truth.lower > slack_, is_in = truth.upper < -slack_ || truth.cores_meet;
    ++(is_apart ? counts_.apart : is_in ? counts_.overlaps : counts_.below_rounding);
    if (is_apart && found.distance == 0.0) note(counts_.missed, "apart, but said to meet");
    const long double lower = std::max(truth.lower, 0.0L), upper = std::max(truth.upper, 0.0L);
    if (found.lower_distance > upper + slack_ || found.distance < lower - slack_)
      note(counts_.wrong,
           "distance " + std::to_string(found.distance) + ", not " + std::to_string(double(lower)));
    if (is_in && found.lower_distance > slack_) note(counts_.missed, "overlap said to be apart");
    if (found.distance - upper > 1e-6L * lengths_)
      note(counts_.wrong, "wide: " + std::to_string(found.distance));
  }

  void check_depth(const oracle::SolidGap& truth, const PenetrationResult& depth) {
    if (depth.lower_depth > depth.upper_depth) note(counts_.wrong, "depths the wrong way round");
    if (depth.upper_depth > 0.0) {
      const LongVector normal = depth.contact.normal.cast<long double>();
      if (std::abs(normal.norm() - 1.0L) > 1e-12L) return note(counts_.wrong, "no normal");
      if (-oracle::gap_along(a_, b_, normal) > depth.upper_depth + slack_)
        note(counts_.wrong, "normal does not part");
    }
    // Of cores that do not meet the depth is what the radii overlap; of
    // polytopes all axes are tried.
    if (truth.lower + a_.radius() + b_.radius() > slack_) {
      if (depth.lower_depth > -truth.lower + slack_ || depth.upper_depth < -truth.upper - slack_)
        note(counts_.wrong, "depth of rounded shapes");
      return;
    }
    if (!truth.cores_meet || seed_ % 8 != 0) return;  // slow
    if (const auto least = oracle::solid_depth(a_, b_); least && std::isfinite(*least)) {
      if (depth.lower_depth > *least + slack_) note(counts_.wrong, "depth said to be more than it is");
    }
    Random random(seed_);
    for (int i = 0; i < 16; ++i) {
      const LongVector n = random.on_sphere().cast<long double>().normalized();
      if (depth.lower_depth > -oracle::gap_along(a_, b_, n) + slack_)
        note(counts_.wrong, "a direction needs less");
    }
  }

  void note(long& count, const std::string& what) {
    ++count;
    if (counts_.wrong + counts_.missed + counts_.no_number + counts_.disagree <= 20)
      ADD_FAILURE() << told(pair_, seed_) << ": " << what;
  }

  const Placed& pair_;
  LongSolid a_, b_;
  std::uint64_t seed_;
  Counts& counts_;
  long double slack_ = 0.0L, lengths_ = 0.0L;
};

TEST(SolidPairs, every_kind_at_every_gap) {
  Counts counts;
  const int pairs = with_effort(3000);
  const std::uint64_t first = seed_or(0x5011d);
  for (int i = 0; i < pairs; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    Random random(first + seed);
    const Placed pair = any_pair(random);
    PairCheck(pair, seed, counts).run();
    if ((i + 1) % 100000 == 0 || i + 1 == pairs) {
      std::printf(
          "%ld pairs: %ld apart, %ld overlapping, %ld below rounding; "
          "%ld wrong, %ld missed, %ld without a "
          "number, "
          "%ld not of one mind\n",
          counts.pairs, counts.apart, counts.overlaps, counts.below_rounding, counts.wrong, counts.missed,
          counts.no_number, counts.disagree);
      std::fflush(stdout);
    }
  }
  EXPECT_EQ(counts.wrong + counts.missed + counts.no_number + counts.disagree, 0);
}

// How far a point is from being in a shape: not positive inside, up to what long double rounds.
long double beyond(const Vector3& point, const Geometry& geometry, const Pose& pose) {
  if (const auto* half = std::get_if<HalfSpace>(&geometry)) {
    const Vector3 in_body = pose.rotation.transpose() * (point - pose.translation);
    return static_cast<long double>(half->normal.normalized().dot(in_body) - half->offset);
  }
  return oracle::solid_gap(LongSolid(Ball{0.0}, {Matrix3::Identity(), point}), LongSolid(geometry, pose))
      .lower;
}

TEST(SolidPairs, meet_at_a_point_of_both) {
  // Small bodies deep inside of large ones and bars through each other, where the middle of the deepest
  // points is in one of them or in none.
  std::vector<Placed> pairs;
  for (int i = 0; i < with_effort(3000); ++i) {
    Random random(0x3ee7 + static_cast<std::uint64_t>(i));
    Placed p{any_solid(random), any_solid(random), {}, {}};
    if (i % 20 == 0) p.b = HalfSpace{random.on_sphere(), random.uniform(-0.5, 0.5)};
    if (i % 40 == 0) p.a = HalfSpace{random.on_sphere(), random.uniform(-0.5, 0.5)};
    if (i % 40 == 10) std::swap(p.a, p.b);
    p.pose_a = {any_rotation(random), random.in_box(1.0)};
    const Vector3 shift = std::pow(10.0, random.uniform(-3.0, 0.0)) * random.in_box(1.0);
    p.pose_b = {any_rotation(random), p.pose_a.translation + shift};
    pairs.push_back(p);
  }
  std::vector<PlacedPair> placed;
  for (const Placed& p : pairs) placed.push_back({{Shape(p.a), p.pose_a}, {Shape(p.b), p.pose_b}});
  const std::vector<DistanceResult> batch = distances(placed);
  int meeting = 0, wrong = 0;
  long double worst = 0.0L;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (batch[i].distance != 0.0) continue;
    ++meeting;
    const Vector3 point = batch[i].contact.point_a;
    EXPECT_EQ(point, batch[i].contact.point_b);
    EXPECT_EQ(point, distance(placed[i].a, placed[i].b).contact.point_a);
    const double lengths = point.norm() + (placed[i].a.shape.size() + placed[i].b.shape.size());
    const long double off =
        std::max(beyond(point, pairs[i].a, pairs[i].pose_a), beyond(point, pairs[i].b, pairs[i].pose_b)) /
        static_cast<long double>(std::isfinite(lengths) ? lengths : 1.0 + point.norm());
    worst = std::max(worst, off);
    if (off <= 1e-13L) continue;
    if (++wrong <= 10)
      ADD_FAILURE() << told(pairs[i], i) << ": " << static_cast<double>(off) << " of their size beyond";
  }
  std::printf("%d meet, worst %g\n", meeting, static_cast<double>(worst));
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(meeting, 100);
}

}  // namespace
}  // namespace toccata
