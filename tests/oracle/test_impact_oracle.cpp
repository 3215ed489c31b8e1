// The exact oracle is itself checked: against public truth, against hand-made cases, and against a proof of
// separation by subdivision that shares nothing with it.
#include <gtest/gtest.h>

#include "oracle/feature_distance.hpp"
#include "oracle/impact_oracle.hpp"
#include "oracle/motions.hpp"
#include "oracle/public_queries.hpp"
#include "oracle/test_data.hpp"

namespace toccata::oracle {
namespace {

// Tries to prove that the features stay apart during [0, t_end] by splitting the box of (time, parameters):
// the difference of the two points is affine in each variable, so its bounds are at the corners, and on
// small integers and a few splits all of it is exact in double.
class SubdivisionProof {
 public:
  SubdivisionProof(FeaturePairKind pair, const LinearMotion4& motion) : pair_(pair), motion_(motion) {}

  bool separated(double t_end, int depth) {
    boxes_ = 200000;
    return separated({0, 0, 0}, {t_end, 1, 1}, depth * 3);
  }

 private:
  using Box = std::array<double, 3>;

  Vector3 difference(double t, double u, double w) const {
    const auto at = [&](std::size_t i) -> Vector3 { return (1 - t) * motion_.t0[i] + t * motion_.t1[i]; };
    if (pair_ == FeaturePairKind::EdgeEdge) return (1 - u) * at(0) + u * at(1) - (1 - w) * at(2) - w * at(3);
    return at(0) - (1 - u - w) * at(1) - u * at(2) - w * at(3);
  }

  bool separated(const Box& low, const Box& high, int splits) {
    if (pair_ == FeaturePairKind::VertexFace && low[1] + low[2] > 1) return true;
    Eigen::Array3d least = Eigen::Array3d::Constant(1e300), most = -least;
    for (int corner = 0; corner < 8; ++corner) {
      const auto pick = [&](std::size_t i) { return (corner >> i & 1) != 0 ? high[i] : low[i]; };
      const Vector3 d = difference(pick(0), pick(1), pick(2));
      least = least.min(d.array());
      most = most.max(d.array());
    }
    if ((least > 0).any() || (most < 0).any()) return true;
    if (splits == 0 || --boxes_ < 0) return false;
    const auto axis = static_cast<std::size_t>(splits % 3);
    const double middle = 0.5 * (low[axis] + high[axis]);
    Box left = high, right = low;
    left[axis] = right[axis] = middle;
    return separated(low, left, splits - 1) && separated(right, high, splits - 1);
  }

  FeaturePairKind pair_;
  const LinearMotion4& motion_;
  int boxes_ = 0;
};

LinearMotion4 motion_of(Points4 t0, Points4 t1) {
  return {t0, t1};
}

TEST(ImpactOracle, agrees_with_the_public_truth) {
  const auto sets = degenerate_queries(test_data("queries/nyu"));
  const auto frames = frame_queries(test_data("frames/cloth-ball"), test_data("frames/cloth-funnel"));
  ASSERT_FALSE(sets.empty() || frames.empty());
  for (const QuerySet& set : sets) {
    for (std::size_t i = 0; i < set.motions.size(); ++i) {
      ASSERT_EQ(features_touch(set.pair, set.motions[i]), set.truth[i] != 0) << set.name << " " << i;
    }
  }
  for (const QuerySet& set : frames) {
    for (std::size_t i = 0; i < set.motions.size(); ++i) {
      if (set.truth[i] != 0 && i % 40 != 0) continue;  // every false report, some of the contacts
      ASSERT_EQ(features_touch(set.pair, set.motions[i]), set.truth[i] != 0) << set.name << " " << i;
    }
  }
}

TEST(ImpactOracle, knows_the_time_of_simple_motions) {
  const Vector3 o(0, 0, 0), x(1, 0, 0), y(0, 1, 0);
  // A vertex falls through a still triangle at t = 1/4.
  const Vector3 above(0.25, 0.25, 1), below(0.25, 0.25, -3);
  const auto fall = first_contact(FeaturePairKind::VertexFace, motion_of({above, o, x, y}, {below, o, x, y}));
  ASSERT_TRUE(fall.exists());
  EXPECT_EQ(fall.compare(0.25), 0);
  EXPECT_GT(fall.compare(std::nextafter(0.25, 0.0)), 0);
  EXPECT_LT(fall.compare(std::nextafter(0.25, 1.0)), 0);
  // The same at t = 1/3, no double.
  const auto third = first_contact(FeaturePairKind::VertexFace,
                                   motion_of({above, o, x, y}, {Vector3(0.25, 0.25, -2), o, x, y}));
  ASSERT_TRUE(third.exists());
  EXPECT_EQ(third.compare(1.0 / 3), 1);  // the nearest double is less than 1/3
  EXPECT_EQ(third.compare(std::nextafter(1.0 / 3, 1.0)), -1);
  const auto [lower, upper] = third.bracket();
  EXPECT_LE(lower, mpq_class(1, 3));
  EXPECT_GE(upper, mpq_class(1, 3));
  EXPECT_LE(mpq_class((upper - lower) * mpq_class(mpz_class(1) << 60)), 1);
  // It does not get there before t_max, but just so when t_max is 1/4.
  EXPECT_TRUE(
      features_touch(FeaturePairKind::VertexFace, motion_of({above, o, x, y}, {below, o, x, y}), 0.25));
  EXPECT_FALSE(features_touch(FeaturePairKind::VertexFace, motion_of({above, o, x, y}, {below, o, x, y}),
                              std::nextafter(0.25, 0.0)));
}

TEST(ImpactOracle, knows_degenerate_contacts) {
  const Vector3 o(0, 0, 0), x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  const auto vf = FeaturePairKind::VertexFace;
  const auto ee = FeaturePairKind::EdgeEdge;
  // A triangle that is a segment, and one that is a point.
  EXPECT_TRUE(features_touch(vf, motion_of({z, -x, x, o}, {-z, -x, x, o})));
  EXPECT_FALSE(features_touch(vf, motion_of({z + 2 * x, -x, x, o}, {-z + 2 * x, -x, x, o})));
  EXPECT_TRUE(features_touch(vf, motion_of({z, o, o, o}, {-z, o, o, o})));
  EXPECT_FALSE(features_touch(vf, motion_of({z + 0.125 * x, o, o, o}, {-z, o, o, o})));
  // In the plane throughout: enters, passes by, starts inside.
  EXPECT_TRUE(features_touch(vf, motion_of({-x, o, x, y}, {y, o, x, y})));
  EXPECT_TRUE(features_touch(vf, motion_of({Vector3(-1, 0.25, 0), o, x, y}, {Vector3(3, 0.25, 0), o, x, y})));
  EXPECT_FALSE(features_touch(vf, motion_of({Vector3(-1, 1.5, 0), o, x, y}, {Vector3(3, 1.5, 0), o, x, y})));
  EXPECT_TRUE(features_touch(vf, motion_of({Vector3(0.25, 0.25, 0), o, x, y}, {z, o, x, y})));
  // Collinear edges that slide along their line, parallel ones that pass at a distance.
  EXPECT_TRUE(features_touch(ee, motion_of({o, x, 3 * x, 4 * x}, {2 * x, 3 * x, 3 * x, 4 * x})));
  EXPECT_FALSE(features_touch(ee, motion_of({o, x, 3 * x, 4 * x}, {x, 2 * x, 3 * x, 4 * x})));
  EXPECT_FALSE(features_touch(ee, motion_of({o, x, y, x + y}, {x, 2 * x, y, x + y})));
  EXPECT_EQ(first_contact(ee, motion_of({o, x, 3 * x, 4 * x}, {4 * x, 5 * x, 3 * x, 4 * x})).compare(0.5), 0);
  // Edges without length.
  EXPECT_TRUE(features_touch(ee, motion_of({z, z, o, o}, {-z, -z, o, o})));
  EXPECT_TRUE(features_touch(ee, motion_of({z, z, -x, x}, {-z, -z, -x, x})));
  EXPECT_FALSE(features_touch(ee, motion_of({z, z, y - x, y + x}, {-z, -z, y - x, y + x})));
  // Touching once without crossing: a double root.
  const Vector3 v0(0.25, 0.25, 1);
  EXPECT_TRUE(features_touch(FeaturePairKind::VertexVertex, motion_of({v0, o, o, o}, {-v0, o, o, o})));
  EXPECT_FALSE(features_touch(FeaturePairKind::VertexVertex, motion_of({v0, o, o, o}, {x, o, o, o})));
  EXPECT_TRUE(features_touch(FeaturePairKind::VertexEdge, motion_of({z, -x, x, o}, {-z, -x, x, o})));
  EXPECT_FALSE(features_touch(FeaturePairKind::VertexEdge, motion_of({z + y, -x, x, o}, {-z, -x, x, o})));
}

TEST(ImpactOracle, separation_is_proven_by_subdivision) {
  Random random(11);
  int contacts = 0, separations = 0, unproven = 0;
  for (int i = 0; i < 3000; ++i) {
    const FeaturePairKind pair = main_pairs[static_cast<std::size_t>(i % 2)];
    const LinearMotion4 motion = grid_motion(random, random.integer(1, 3));
    const FirstTime first = first_contact(pair, motion);
    SubdivisionProof proof(pair, motion);
    if (!first.exists()) {
      ++separations;
      unproven += !proof.separated(1, 7);
      continue;
    }
    ++contacts;
    ASSERT_FALSE(proof.separated(1, 7)) << to_text(pair, motion);
    const double time = first.approximate();
    ASSERT_LE(feature_distance(pair, positions_at(motion, time)), 1e-6) << to_text(pair, motion);
    // Nor is there contact well before the time.
    const double before = std::floor(time * 64 - 0.5) / 64;
    if (before > 0) unproven += !proof.separated(before, 7);
  }
  EXPECT_GT(contacts, 300);
  EXPECT_GT(separations, 1000);
  EXPECT_LT(unproven, 60);
}

TEST(ImpactOracle, finds_contacts_built_on_dyadic_numbers) {
  Random random(12);
  for (int i = 0; i < 4000; ++i) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(i % 4)];
    LinearMotion4 motion = grid_motion(random, 1000);
    // At t = k/16 the weights are multiples of 1/16 too; point 0 starts where it has to, exactly.
    const double t = random.integer(0, 15) / 16.0, s = random.integer(0, 15) / 16.0;
    const double r = random.integer(0, 16) / 16.0;
    const auto at = [&](std::size_t p) -> Vector3 { return (1 - t) * motion.t0[p] + t * motion.t1[p]; };
    Vector3 there = Vector3::Zero();
    if (pair == FeaturePairKind::VertexFace) there = (1 - s) * at(1) + s * ((1 - r) * at(2) + r * at(3));
    if (pair == FeaturePairKind::EdgeEdge) there = (1 - r) * at(2) + r * at(3);
    if (pair == FeaturePairKind::VertexEdge) there = (1 - s) * at(1) + s * at(2);
    if (pair == FeaturePairKind::VertexVertex) there = at(1);
    const Vector3 velocity(random.integer(-99, 99), random.integer(-99, 99), random.integer(-99, 99));
    motion.t0[0] = there - t * velocity;
    motion.t1[0] = there + (1 - t) * velocity;
    if (pair == FeaturePairKind::EdgeEdge) {  // `there` is at s of an edge along `half`
      const Vector3 half(random.integer(-99, 99), random.integer(-99, 99), random.integer(-99, 99));
      motion.t0[1] = motion.t0[0] + (1 - s) * half;
      motion.t1[1] = motion.t1[0] + (1 - s) * half;
      motion.t0[0] -= s * half;
      motion.t1[0] -= s * half;
    }
    const FirstTime first = first_contact(pair, motion);
    ASSERT_TRUE(first.exists()) << to_text(pair, motion);
    ASSERT_LE(first.compare(t), 0) << to_text(pair, motion);
    ASSERT_TRUE(features_touch(pair, motion, t)) << to_text(pair, motion);
  }
}

TEST(ImpactOracle, both_arithmetics_agree) {
  Random random(13);
  for (int i = 0; i < 8000; ++i) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(i % 4)];
    const LinearMotion4 motion = grid_motion(random, random.integer(1, 5));
    const FirstTime fast = first_contact(pair, motion);
    const FirstTime slow = first_contact(pair, motion, 1.0, Arithmetic::Gmp);
    ASSERT_EQ(fast.exists(), slow.exists()) << to_text(pair, motion);
    ASSERT_EQ(fast.exists(), features_touch(pair, motion)) << to_text(pair, motion);
    if (fast.exists()) {
      ASSERT_EQ(fast.bracket(), slow.bracket()) << to_text(pair, motion);
    }
  }
}

TEST(ImpactOracle, a_distance_is_reached_when_it_is) {
  Random random(14);
  int reached = 0;
  for (int i = 0; i < 1200; ++i) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(i % 4)];
    const LinearMotion4 motion = i % 3 == 0 ? grid_motion(random, 2) : box_motion(random);
    const double distance = random.uniform(0.01, 0.5);
    const FirstTime first = first_within(pair, motion, mpq_class(distance));
    const auto distance_at = [&](double t) { return feature_distance(pair, positions_at(motion, t)); };
    const double time = first.exists() ? first.approximate() : 1.0;
    for (int k = 0; k <= 64; ++k) {
      const double t = time * k / 64.0;
      if (t >= time - 1e-9) break;
      ASSERT_GT(distance_at(t), distance * (1 - 1e-9)) << to_text(pair, motion);
    }
    if (!first.exists()) continue;
    ++reached;
    ASSERT_LE(distance_at(time), distance * (1 + 1e-9)) << to_text(pair, motion);
    const FirstTime wider = first_within(pair, motion, 1.25 * mpq_class(distance));
    ASSERT_TRUE(wider.exists());
    ASSERT_LE(wider.bracket().first, first.bracket().second);
    const FirstTime contact = first_contact(pair, motion);
    if (contact.exists()) {
      ASSERT_LE(first.bracket().first, contact.bracket().second);
    }
  }
  EXPECT_GT(reached, 300);
}

}  // namespace
}  // namespace toccata::oracle
