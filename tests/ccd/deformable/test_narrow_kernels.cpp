// What the SIMD lanes of the narrow phase decide, judged one by one by the exact oracle.
#include "impact/narrow_kernels.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <Eigen/Geometry>

#include "ccd/deformable/contact_list.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::deformable {
namespace {

// Each motion has four vertices, one face and two edges of its own.
struct ManyMotions {
  std::vector<LinearMotion4> motions;
  Topology topology;
  Step step;
  std::vector<std::int32_t> first, second;

  ManyMotions(std::vector<LinearMotion4> all, bool edge_edge) : motions(std::move(all)) {
    for (std::size_t i = 0; i < motions.size(); ++i) {
      const auto v = static_cast<std::int32_t>(4 * i);
      topology.faces.push_back({v + 1, v + 2, v + 3});
      topology.edges.push_back({v, v + 1});
      topology.edges.push_back({v + 2, v + 3});
      for (std::size_t p = 0; p < 4; ++p) {
        MovingVertex m;
        for (int k = 0; k < 3; ++k) {
          m.t0[k] = motions[i].t0[p][k];
          m.t1[k] = motions[i].t1[p][k];
        }
        step.vertices.push_back(m);
      }
      first.push_back(edge_edge ? static_cast<std::int32_t>(2 * i) : v);
      second.push_back(static_cast<std::int32_t>(edge_edge ? 2 * i + 1 : i));
    }
    topology.vertex_count = static_cast<std::int32_t>(step.vertices.size());
  }

  impact::CandidateVerdicts verdicts(bool edge_edge, bool boolean_only, bool axes_tested = false,
                                     double limit = 1.0) const {
    impact::CandidateVerdicts result;
    impact::decide_in_lanes(features_of(topology, step),
                            {edge_edge, first.data(), second.data(), first.size(), limit, axes_tested},
                            boolean_only, result);
    return result;
  }
};

// Features that cross slowly: the cubic is nearly flat at a root.
LinearMotion4 slow_crossing(Random& random, FeaturePairKind pair) {
  LinearMotion4 motion;
  const Vector3 e = random.in_box(1.0), f = random.in_box(1.0), origin = random.in_box(1.0);
  const auto at = [&](double s, double t) { return Vector3(origin + s * e + t * f); };
  if (pair == FeaturePairKind::EdgeEdge) {
    motion.t0 = {at(-1, 0), at(1, 0), at(0, -random.unit()), at(0, 1)};
  } else {
    motion.t0 = {at(0.3, 0.3), at(0, 0), at(1, 0), at(0, 1)};
  }
  motion.t1 = motion.t0;
  const Vector3 way = e.cross(f).normalized() * std::pow(10.0, -random.uniform(1.0, 6.0));
  const int moving = pair == FeaturePairKind::EdgeEdge ? 2 : 1;
  for (int p = 0; p < moving; ++p) {
    motion.t0[p] -= random.unit() * way;
    motion.t1[p] += random.unit() * way + 1e-3 * way.norm() * random.in_box(1.0);
  }
  // Some turn over meanwhile, so that the cubic returns: it is flat where they cross, or where they turn.
  if (random.integer(0, 1) == 0) {
    for (int p = moving; p < 4; ++p) motion.t1[p] += 0.5 * random.in_box(1.0);
  }
  return motion;
}

std::vector<LinearMotion4> family(int number, FeaturePairKind pair, Random& random, std::size_t count) {
  std::vector<LinearMotion4> motions;
  while (motions.size() < count) {
    switch (number) {
      case 0:
        motions.push_back(oracle::box_motion(random));
        break;
      case 1:
        motions.push_back(oracle::meeting_motion(random, pair));
        break;
      case 2:
        motions.push_back(oracle::grid_motion(random, 3));
        break;
      case 3:
        motions.push_back(oracle::near_degenerate_motion(random, pair));
        break;
      case 4:
        motions.push_back(oracle::scaled_motion(random, pair));
        break;
      default:
        motions.push_back(slow_crossing(random, pair));
    }
  }
  return motions;
}

// An answer for every motion: what the lanes say, or none where they leave it to the single call.
std::vector<std::optional<Impact>> answers(const ManyMotions& all,
                                           const impact::CandidateVerdicts& verdicts) {
  std::vector<std::optional<Impact>> result(all.motions.size(), Impact{});  // separated
  for (std::size_t i = 0; i < verdicts.open_count; ++i) result[verdicts.open[i]].reset();
  for (std::size_t i = 0; i < verdicts.contact_count; ++i) {
    Impact& impact = *result[verdicts.contact[i]];
    impact.status = Status::Contact;
    impact.time = impact.lower = verdicts.lower[i];
    impact.upper = verdicts.upper[i];
    impact.stage = verdicts.stage[i];
  }
  return result;
}

TEST(NarrowKernels, decide_only_what_the_exact_oracle_confirms) {
  std::size_t decided = 0, contacts = 0, extended = 0, open_in_general = 0;
  for (int round = 0; round < 18; ++round) {
    const int number = round % 6;
    for (const FeaturePairKind pair : oracle::main_pairs) {
      Random random(static_cast<std::uint64_t>(round));
      const bool edge_edge = pair == FeaturePairKind::EdgeEdge;
      const ManyMotions all(family(number, pair, random, 501), edge_edge);  // not a multiple of the lanes
      const impact::CandidateVerdicts verdicts = all.verdicts(edge_edge, false, round % 2 == 0);
      const auto found = answers(all, verdicts);
      if (number == 0) open_in_general += verdicts.open_count;
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i]) continue;
        ASSERT_EQ(oracle::fault_of(*found[i], pair, all.motions[i]), "") << "family " << number;
        ++decided;
        if (found[i]->status == Status::Separated) continue;
        ++contacts;
        extended += found[i]->stage == ImpactStage::Extended;
        const Hit hit{{pair, all.first[i], all.second[i]},
                      Status::Contact,
                      ImpactStage::Bisection,
                      found[i]->lower,
                      found[i]->upper};
        const DeformableContact contact = to_contact(all.topology, all.step, hit, true);
        ASSERT_EQ(oracle::place_fault_of(contact.impact, pair, all.motions[i]), "") << "family " << number;
      }
      // Up to a limit: nothing that touches before it is lost, and what is found has the same bracket.
      const auto limited = answers(all, all.verdicts(edge_edge, false, false, 0.3));
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (!limited[i]) continue;
        if (limited[i]->status == Status::Contact) {
          ASSERT_TRUE(found[i] && oracle::is_identical(*limited[i], *found[i]));
        } else {
          ASSERT_FALSE(oracle::features_touch(pair, all.motions[i], 0.3));
        }
      }
      // Only asked whether: the same decisions, and perhaps more.
      impact::CandidateVerdicts whether = all.verdicts(edge_edge, true);
      const auto said = answers(all, whether);
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (!said[i]) {
          ASSERT_FALSE(found[i].has_value());
          continue;
        }
        ASSERT_EQ(said[i]->status == Status::Contact, oracle::features_touch(pair, all.motions[i]));
      }
    }
  }
  EXPECT_GT(decided, 7000u);
  EXPECT_GT(contacts, 1000u);
  EXPECT_GT(extended, 300u);
  EXPECT_LT(open_in_general, 300u);  // of three thousand in general position
}

TEST(NarrowKernels, say_the_same_on_every_instruction_set_and_in_any_order) {
  for (const FeaturePairKind pair : oracle::main_pairs) {
    Random random(9);
    const bool edge_edge = pair == FeaturePairKind::EdgeEdge;
    std::vector<LinearMotion4> motions = family(1, pair, random, 301);
    for (const LinearMotion4& m : family(5, pair, random, 200)) motions.push_back(m);
    const ManyMotions all(std::move(motions), edge_edge);
    std::vector<LinearMotion4> turned(all.motions.rbegin(), all.motions.rend());
    const ManyMotions backwards(std::move(turned), edge_edge);
    const auto plain = answers(all, all.verdicts(edge_edge, false));
    for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
      hwy::SetSupportedTargetsForTest(targets & -targets);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      const auto other = answers(backwards, backwards.verdicts(edge_edge, false));
      hwy::SetSupportedTargetsForTest(0);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      for (std::size_t i = 0; i < plain.size(); ++i) {
        const auto& mirror = other[plain.size() - 1 - i];
        ASSERT_EQ(plain[i].has_value(), mirror.has_value());
        ASSERT_TRUE(!plain[i] || oracle::is_identical(*plain[i], *mirror));
      }
    }
  }
}

}  // namespace
}  // namespace toccata::deformable
