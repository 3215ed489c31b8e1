// Minimum distances in lanes: the verdict and the time of the single call, bit by bit.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "effort.hpp"
#include "impact/distance_kernels.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

// One candidate per motion, each with vertices of its own.
struct CandidateList {
  std::vector<impact::MovingVertex> vertices;
  std::vector<std::array<std::int32_t, 2>> edges;
  std::vector<std::array<std::int32_t, 3>> faces;
  std::vector<std::int32_t> first, second;

  void add(bool edge_edge, const LinearMotion4& motion) {
    const auto v = static_cast<std::int32_t>(vertices.size());
    for (std::size_t i = 0; i < 4; ++i) {
      impact::MovingVertex& vertex = vertices.emplace_back();
      for (int k = 0; k < 3; ++k) {
        vertex.t0[k] = motion.t0[i][k];
        vertex.t1[k] = motion.t1[i][k];
      }
    }
    if (edge_edge) {
      first.push_back(static_cast<std::int32_t>(edges.size()));
      edges.push_back({v, v + 1});
      second.push_back(static_cast<std::int32_t>(edges.size()));
      edges.push_back({v + 2, v + 3});
    } else {
      first.push_back(v);
      second.push_back(static_cast<std::int32_t>(faces.size()));
      faces.push_back({v + 1, v + 2, v + 3});
    }
  }
};

void expect_same(bool edge_edge, const std::vector<LinearMotion4>& motions,
                 const LinearImpactOptions& options, int& contacts, int& open) {
  const FeaturePairKind pair = edge_edge ? FeaturePairKind::EdgeEdge : FeaturePairKind::VertexFace;
  CandidateList list;
  for (const LinearMotion4& motion : motions) list.add(edge_edge, motion);
  impact::Candidates candidates;
  candidates.edge_edge = edge_edge;
  candidates.first = list.first.data();
  candidates.second = list.second.data();
  candidates.count = motions.size();
  const auto verdicts = std::make_unique<impact::DistanceVerdicts>();
  impact::distances_in_lanes({list.vertices.data(), list.edges.data(), list.faces.data()}, candidates,
                             options, *verdicts);
  std::vector<int> said(motions.size(), 0);
  for (std::size_t k = 0; k < verdicts->contact_count; ++k) {
    const std::uint32_t i = verdicts->contact[k];
    ++said[i];
    const Impact single = library_answer(pair, motions[i], options);
    ASSERT_EQ(single.status, verdicts->time[k] == 0.0 ? Status::OverlapAtStart : Status::Contact) << i;
    ASSERT_EQ(single.time, verdicts->time[k]) << i;
  }
  for (std::size_t k = 0; k < verdicts->open_count; ++k) ++said[verdicts->open[k]];
  std::size_t separated = 0;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    ASSERT_LE(said[i], 1);
    if (said[i] != 0) continue;
    ++separated;
    ASSERT_EQ(library_answer(pair, motions[i], options).status, Status::Separated) << i;
  }
  ASSERT_EQ(separated, verdicts->separated);
  contacts += static_cast<int>(verdicts->contact_count);
  open += static_cast<int>(verdicts->open_count);
}

TEST(DistanceKernels, give_the_bits_of_the_single_call) {
  Random random(47);
  int contacts = 0, open = 0, all = 0;
  for (int round = with_effort(60); round > 0; --round) {
    const bool edge_edge = round % 2 == 0;
    std::vector<LinearMotion4> motions;
    for (int i = random.integer(1, 70); i > 0; --i) {
      motions.push_back(
          mixed_motion(random, edge_edge ? FeaturePairKind::EdgeEdge : FeaturePairKind::VertexFace));
    }
    LinearImpactOptions options;
    options.minimum_distance = std::ldexp(random.uniform(0.5, 1), random.integer(-20, 0));
    if (random.integer(0, 2) == 0)
      options.relative_distance_tolerance = std::ldexp(1.0, -random.integer(3, 30));
    if (random.integer(0, 3) == 0) options.t_max = random.unit();
    all += static_cast<int>(motions.size());
    expect_same(edge_edge, motions, options, contacts, open);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(contacts, all / 20);
  EXPECT_LT(open, all / 4);
}

// Beyond the usual sizes the lanes leave the question to the single call.
TEST(DistanceKernels, extreme_scales) {
  Random random(48);
  int contacts = 0, open = 0;
  for (const int power : {-900, -220, -150, 150, 220, 900}) {
    std::vector<LinearMotion4> motions;
    for (int i = 0; i < 9; ++i) {
      motions.push_back(box_motion(random));
      for_each_coordinate(motions.back(), [&](double& x) { x = std::ldexp(x, power); });
    }
    motions.emplace_back();  // all at one place
    for (auto* points : {&motions.back().t0, &motions.back().t1}) points->fill(Vector3::Zero());
    LinearImpactOptions options;
    options.minimum_distance = std::ldexp(0.25, power);
    expect_same(power % 4 == 0, motions, options, contacts, open);
  }
  EXPECT_GT(contacts, 0);
  EXPECT_GT(open, 0);
}

}  // namespace
}  // namespace toccata::oracle
