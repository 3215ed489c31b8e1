// The stage that is reported is the one that decided, and the status does not depend on how much is asked.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"
#include "toccata/impact/linear_motion_columns.hpp"

namespace toccata::oracle {
namespace {

// A resting face in the plane z = 0 and a vertex that moves.
LinearMotion4 falling(const Vector3& from, const Vector3& to) {
  LinearMotion4 motion;
  motion.t0 = {from, Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
  motion.t1 = motion.t0;
  motion.t1[0] = to;
  return motion;
}

LinearImpactOptions whether() {
  LinearImpactOptions options;
  options.boolean_only = true;
  return options;
}

struct Case {
  const char* name;
  LinearMotion4 motion;
  Status status;
  ImpactStage stage;
};

std::vector<Case> cases() {
  // The cubic has the factor z(t): a double zero of it, and one that is shared with a weight.
  LinearMotion4 grazing = falling(Vector3(0.25, 0.25, 1), Vector3(0.25, 0.25, -1));
  grazing.t0[0] = Vector3(0.5, -0.5, 1);
  grazing.t1[0] = Vector3(0.5, 0.5, -1);  // meets the edge y = 0 at t = 1/2, exactly
  return {
      {"beside the face", falling(Vector3(2, 2, 1), Vector3(2, 2, -1)), Status::Separated, ImpactStage::Axis},
      {"above a slanted face's plane",
       {{Vector3(0.3, 0.3, 0.5), Vector3(0, 0, 0), Vector3(1, 0, 1), Vector3(0, 1, 0)},
        {Vector3(0.3, 0.3, 0.6), Vector3(0, 0, 0), Vector3(1, 0, 1), Vector3(0, 1, 0)}},
       Status::Separated,
       ImpactStage::Bernstein},
      {"on a corner at the start", falling(Vector3(1, 0, 0), Vector3(1, 0, 1)), Status::OverlapAtStart,
       ImpactStage::Start},
      {"through the face", falling(Vector3(0.25, 0.3, 1), Vector3(0.3, 0.25, -2)), Status::Contact,
       ImpactStage::Bisection},
      {"in the face at the start", falling(Vector3(0.25, 0.25, 0), Vector3(0.25, 0.25, 1)),
       Status::OverlapAtStart, ImpactStage::Integer},
      {"onto an edge", grazing, Status::Contact, ImpactStage::Exact},
  };
}

TEST(Stages, are_those_that_decided) {
  for (const Case& c : cases()) {
    const Impact impact = vertex_face_impact(c.motion);
    EXPECT_EQ(to_string(impact.stage), to_string(c.stage)) << c.name;
    EXPECT_EQ(to_string(impact.status), to_string(c.status)) << c.name;
    EXPECT_EQ(fault_of(impact, FeaturePairKind::VertexFace, c.motion), "") << c.name;
  }
}

// Extended is the arithmetic of two doubles alone; what the integers decide says so.
TEST(Stages, tell_two_doubles_from_integers) {
  Random random(12);
  int extended = 0, integer = 0;
  for (int round = 0; round < 2000; ++round) {
    LinearMotion4 motion = meeting_motion(random, FeaturePairKind::VertexFace);
    // Nearly flat: the signs of the cubic near its root are beyond double precision.
    const double flatness = std::ldexp(1.0, -random.integer(3, 24));
    const Vector3 along = random.in_box(1.0);
    for (auto* end : {&motion.t0, &motion.t1}) {
      for (Vector3& point : *end) point += along * ((1.0 - flatness) * -point.dot(along) / along.dot(along));
    }
    LinearImpactOptions options;
    options.t_max = 1.0;
    extended += vertex_face_impact(motion, options).stage == ImpactStage::Extended;
    // Only the start is asked about: never by more digits of a time.
    options.t_max = 0.0;
    const ImpactStage stage = vertex_face_impact(motion, options).stage;
    EXPECT_NE(stage, ImpactStage::Extended);
    integer += stage == ImpactStage::Integer;
  }
  EXPECT_GT(extended, 100);
  EXPECT_GT(integer, 100);
}

TEST(Stages, a_minimum_distance_is_a_stage_of_its_own) {
  LinearImpactOptions options;
  options.minimum_distance = 0.1;
  for (const Case& c : cases()) {
    EXPECT_EQ(vertex_face_impact(c.motion, options).stage, ImpactStage::Distance) << c.name;
    EXPECT_EQ(vertex_edge_impact(c.motion, options).stage, ImpactStage::Distance) << c.name;
  }
  const Impact near = vertex_face_impact(cases()[4].motion, options);
  EXPECT_EQ(near.status, Status::OverlapAtStart);
}

TEST(Stages, whether_is_answered_with_the_status_of_when) {
  for (const Case& c : cases()) {
    const Impact impact = vertex_face_impact(c.motion, whether());
    EXPECT_EQ(to_string(impact.status), to_string(c.status)) << c.name;
    if (c.status == Status::OverlapAtStart) {
      EXPECT_EQ(impact.time, 0.0) << c.name;
      EXPECT_EQ(impact.upper, 0.0) << c.name;
    }
  }
  LinearImpactOptions near = whether();
  near.minimum_distance = 0.1;
  EXPECT_EQ(vertex_face_impact(cases()[4].motion, near).status, Status::OverlapAtStart);
}

// On random motions of all kinds, one by one and in batches.
TEST(Stages, whether_and_when_agree_on_the_start) {
  Random random(61);
  for (const FeaturePairKind pair : main_pairs) {
    std::vector<LinearMotion4> motions;
    for (int i = 0; i < 4000; ++i) {
      motions.push_back(i % 2 == 0 ? grid_motion(random, random.integer(1, 3))
                                   : meeting_motion(random, pair));
    }
    const LinearMotionColumns columns(motions);
    const auto answer = [&](const LinearImpactOptions& options) {
      return pair == FeaturePairKind::EdgeEdge ? edge_edge_impacts(columns.batch(), options, 1)
                                               : vertex_face_impacts(columns.batch(), options, 1);
    };
    const LinearImpactBatchResult when = answer({}), said = answer(whether());
    ASSERT_EQ(when.indices, said.indices);
    int at_start = 0;
    for (std::size_t i = 0; i < when.impacts.size(); ++i) {
      ASSERT_EQ(when.impacts[i].status, said.impacts[i].status) << i;
      at_start += said.impacts[i].status == Status::OverlapAtStart;
    }
    EXPECT_GT(at_start, 20);
  }
  for (const FeaturePairKind pair : all_pairs) {
    for (int i = 0; i < 2000; ++i) {
      const LinearMotion4 motion = grid_motion(random, 2);
      ASSERT_EQ(library_answer(pair, motion).status, library_answer(pair, motion, whether()).status);
    }
  }
}

// A budget that runs out says how far the motion is free; none is the documented number of steps.
TEST(Stages, the_limit_of_the_distance_search_is_the_documented_one) {
  LinearMotion4 motion;
  motion.t0 = {Vector3(0, 0, 1), Vector3(-1, -0.2, 0), Vector3(1, -0.2, 0), Vector3(0, 0.4, 0)};
  motion.t1 = motion.t0;
  motion.t1[0] = Vector3(0, 0, 0.5);
  LinearImpactOptions options;
  options.relative_distance_tolerance = 0.0;
  options.minimum_distance = 0.5;
  options.budget = 1;
  const Impact first = vertex_face_impact(motion, options);
  EXPECT_EQ(first.status, Status::OutOfBudget);
  EXPECT_EQ(first.stage, ImpactStage::Distance);
  EXPECT_LT(first.lower, 1.0);
  options.budget = 0;
  const Impact unlimited = vertex_face_impact(motion, options);
  options.budget = distance_step_limit;
  EXPECT_TRUE(is_identical(unlimited, vertex_face_impact(motion, options)));
  EXPECT_EQ(fault_of(unlimited, FeaturePairKind::VertexFace, motion, options), "");
}

}  // namespace
}  // namespace toccata::oracle
