// What single precision proves apart must be apart: pairs that touch, or miss each other by about the
// rounding of a float, anywhere in a scene that is large beside them, against the exact elementary test.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "ccd/deformable/clusters/cluster_kernels.hpp"
#include "ccd/deformable/contact_list.hpp"
#include "toccata/base/random.hpp"
#include "toccata/impact/linear_impact.hpp"

namespace toccata::deformable::clusters {
namespace {

// A vertex and a face, or two edges, that meet at some time, nearly.
LinearMotion4 grazing_pair(Random& random, bool edge_edge) {
  const double size = std::pow(10.0, -random.uniform(0.3, 4.5));
  const double time = random.integer(0, 9) == 0 ? random.integer(0, 1) : random.unit();
  const Vector3 place = random.in_box(1.0 - 3.0 * size);
  std::array<Vector3, 4> at;
  for (Vector3& x : at) x = random.in_box(size);
  // Weights well inside, or on the border but for a little.
  const auto weight = [&] {
    const double border = std::pow(10.0, -random.uniform(4.0, 9.0)) * random.integer(-1, 1);
    return random.integer(0, 2) == 0 ? border : random.unit();
  };
  const double s = weight(), t = weight();
  Vector3 normal;
  if (edge_edge) {
    const Vector3 shift = (at[0] + s * (at[1] - at[0])) - (at[2] + t * (at[3] - at[2]));
    at[2] += shift;
    at[3] += shift;
    normal = (at[1] - at[0]).cross(at[3] - at[2]);
  } else {
    at[0] = at[1] + s * (at[2] - at[1]) + t * (1.0 - s) * (at[3] - at[1]);
    normal = (at[2] - at[1]).cross(at[3] - at[1]);
  }
  const double gap = random.integer(0, 3) == 0 ? 0.0 : std::pow(10.0, -random.uniform(3.0, 9.0));
  at[0] += gap * (random.integer(0, 1) == 0 ? normal.normalized() : random.in_box(1.0));
  // Fast, or hardly at all; all alike, or each for itself; along the plane, so that the cubic is flat.
  const double speed = size * std::pow(10.0, -random.uniform(0.0, 4.0));
  const Vector3 common = random.in_box(size);
  LinearMotion4 motion;
  for (std::size_t p = 0; p < 4; ++p) {
    Vector3 velocity = common + speed * random.in_box(1.0);
    if (random.integer(0, 3) == 0) velocity -= velocity.dot(normal.normalized()) * normal.normalized();
    motion.t0[p] = place + at[p] - time * velocity;
    motion.t1[p] = place + at[p] + (1.0 - time) * velocity;
  }
  return motion;
}

struct Pairs {
  std::vector<LinearMotion4> motions;
  DeformableObject object;
  Step step;
  Topology topology;
  ClusterMesh mesh;
  ClusterBoxes boxes;
  PairBuffer pairs;

  Pairs(Random& random, bool edge_edge, std::size_t count) {
    step.lower.setConstant(-1.0);
    step.upper.setConstant(1.0);
    for (std::size_t i = 0; i < count; ++i) {
      motions.push_back(grazing_pair(random, edge_edge));
      const auto v = static_cast<std::int32_t>(4 * i);
      for (std::size_t p = 0; p < 4; ++p) {
        MovingVertex m;
        for (int k = 0; k < 3; ++k) {
          m.t0[k] = motions[i].t0[p][k];
          m.t1[k] = motions[i].t1[p][k];
          step.lower[k] = std::min({step.lower[k], m.t0[k], m.t1[k]});
          step.upper[k] = std::max({step.upper[k], m.t0[k], m.t1[k]});
        }
        step.vertices.push_back(m);
      }
      object.faces.push_back({v + 1, v + 2, v + 3});
      if (edge_edge) {
        object.wires.push_back({v, v + 1});
      }
    }
    object.vertex_count = static_cast<std::int32_t>(step.vertices.size());
    auto made = make_topology({object});
    EXPECT_TRUE(made.has_value());
    topology = std::move(*made);
    mesh = build_clusters(topology, step, {}, 1);
    refit(topology, mesh, step, {}, 1, boxes);
    for (std::size_t i = 0; i < count; ++i) {
      const auto v = static_cast<std::int32_t>(4 * i);
      pairs.first[i] = edge_edge ? edge(v, v + 1) : v;
      pairs.second[i] = edge_edge ? edge(v + 2, v + 3) : static_cast<std::int32_t>(i);
    }
    pairs.size = count;
  }

  std::int32_t edge(std::int32_t a, std::int32_t b) const {
    const auto found = std::find(topology.edges.begin(), topology.edges.end(), Edge{a, b});
    EXPECT_NE(found, topology.edges.end());
    return static_cast<std::int32_t>(found - topology.edges.begin());
  }
};

TEST(CoplanarityKernel, drops_only_pairs_that_are_apart) {
  std::size_t touching = 0, dropped = 0, dropped_close = 0, classified = 0;
  for (int round = 0; round < 200; ++round) {
    const bool edge_edge = round % 2 == 1;
    Random random(static_cast<std::uint64_t>(4000 + round));
    const auto scene = std::make_unique<Pairs>(random, edge_edge, 500);
    const KernelContext context{&scene->topology, &scene->mesh, &scene->boxes, {}, {}, {}};
    const auto left = std::make_unique<std::array<MeetingPairs, cubic_kind_count>>();
    const auto kind = edge_edge ? FeaturePairKind::EdgeEdge : FeaturePairKind::VertexFace;
    drop_apart(context, kind, scene->pairs, left->data());
    std::vector<std::uint8_t> kept(scene->motions.size(), 0);
    for (const MeetingPairs& list : *left) {
      for (std::size_t i = 0; i < list.count; ++i) {
        const std::int32_t id = edge_edge ? scene->topology.edges[list.first[i]][0] : list.first[i];
        ++kept[static_cast<std::size_t>(id / 4)];
      }
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      ASSERT_LE(kept[i], 1);
      const LinearMotion4& motion = scene->motions[i];
      const Impact impact = edge_edge ? edge_edge_impact(motion) : vertex_face_impact(motion);
      if (impact.status != Status::Separated) {
        ++touching;
        ASSERT_EQ(kept[i], 1) << "round " << round << ", pair " << i;
      } else {
        dropped += kept[i] == 0;
        LinearImpactOptions near;
        near.minimum_distance = 1e-5;
        const Impact close = edge_edge ? edge_edge_impact(motion, near) : vertex_face_impact(motion, near);
        dropped_close += kept[i] == 0 && close.status != Status::Separated;
      }
    }
    classified += (*left)[1].count + (*left)[2].count;
  }
  EXPECT_GT(touching, 5000u);
  EXPECT_GT(classified, 5000u);
  // The bounds are no larger than they need to be by much: most that miss by more than some roundings go.
  EXPECT_GT(dropped, 5000u);
  EXPECT_GT(dropped_close, 100u);
  RecordProperty("touching", static_cast<int>(touching));
  RecordProperty("dropped", static_cast<int>(dropped));
  RecordProperty("dropped_close", static_cast<int>(dropped_close));
  std::printf("touching %zu, dropped %zu, of these within 1e-5 %zu, classified %zu\n", touching, dropped,
              dropped_close, classified);
}

// The same with a minimum distance about as large as the pairs' own.
TEST(CoplanarityKernel, drops_only_pairs_that_are_farther_apart_than_a_distance) {
  std::size_t near = 0, dropped = 0;
  for (int round = 0; round < 100; ++round) {
    const bool edge_edge = round % 2 == 1;
    Random random(static_cast<std::uint64_t>(6000 + round));
    const auto scene = std::make_unique<Pairs>(random, edge_edge, 500);
    const double distance = std::pow(10.0, -random.uniform(3.0, 8.0));
    KernelContext context{&scene->topology, &scene->mesh, &scene->boxes, {}, {}, {}, true};
    context.thresholds = make_thresholds(scene->boxes.scaling, distance);
    const auto left = std::make_unique<std::array<MeetingPairs, cubic_kind_count>>();
    const auto kind = edge_edge ? FeaturePairKind::EdgeEdge : FeaturePairKind::VertexFace;
    drop_apart(context, kind, scene->pairs, left->data());
    ASSERT_EQ((*left)[1].count + (*left)[2].count, 0u);
    std::vector<std::uint8_t> kept(scene->motions.size(), 0);
    for (std::size_t i = 0; i < (*left)[0].count; ++i) {
      const std::int32_t first = (*left)[0].first[i];
      ++kept[static_cast<std::size_t>((edge_edge ? scene->topology.edges[first][0] : first) / 4)];
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      ASSERT_LE(kept[i], 1);
      dropped += kept[i] == 0;
      LinearImpactOptions options;
      options.minimum_distance = distance;
      const LinearMotion4& motion = scene->motions[i];
      const Impact impact =
          edge_edge ? edge_edge_impact(motion, options) : vertex_face_impact(motion, options);
      if (impact.status == Status::Separated) continue;
      ++near;
      ASSERT_EQ(kept[i], 1) << "round " << round << ", pair " << i;
    }
  }
  EXPECT_GT(near, 5000u);
  EXPECT_GT(dropped, 2000u);
}

}  // namespace
}  // namespace toccata::deformable::clusters
