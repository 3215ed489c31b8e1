#include "toccata/ccd/articulated/robot_pairs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/stop_watch.hpp"
#include "ccd/articulated/search_pool.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata {
namespace articulated {
namespace {

// Two bodies of a robot that stands still.
class PairAtValues {
 public:
  PairAtValues(const PreparedRobot& robot, std::size_t pair)
      : search_(robot),
        pair_{robot.self_pairs[pair].b, static_cast<std::int32_t>(pair), true},
        tree_(robot.kinematics.shared()) {
    for (const JointVariable& variable : tree_->variables) {
      const JointLimits limits = variable.limits.value_or(JointLimits{0.0, 0.0});
      values_.push_back(0.5 * limits.lower + 0.5 * limits.upper);
    }
    // A quaternion must not be zero.
    for (const MovingFrame& frame : tree_->frames) {
      if (frame.kind != FrameKind::Ball) continue;
      has_balls_ = true;
      values_[static_cast<std::size_t>(frame.variable) + 3] = 1.0;
    }
  }

  const std::vector<double>& values() const { return values_; }

  PairTable::Look look(std::span<const PairVariable> variables, std::span<const double> at) {
    for (std::size_t i = 0; i < variables.size(); ++i)
      values_[static_cast<std::size_t>(variables[i].variable)] = at[i];
    if (has_balls_) {
      const std::vector<double> points[] = {values_};
      search_.set_path(TreeMotion::build(tree_, JointPath::straight(points).value()).value());
    } else {
      search_.set_edge(values_, values_);
    }
    const PathSearch::Seen both = search_.seen(pair_);
    const Motion& motion = *both.shape[0].motion;
    const PlacedShape own(both.outline[0]->shape, motion.pose(0.0)), other(both.outline[1]->shape);
    // How far the poses may be off.
    const PoseError error = motion.pose_error();
    const double reach = both.outline[0]->center.norm() + both.outline[0]->radius;
    const double slack = 2.0 * (error.translation + error.rotation * reach) +
                         64.0 * unit_roundoff * (reach + own.pose.translation.norm());
    PairTable::Look result;
    const DistanceResult found = distance(own, other);
    result.lower = std::max(0.0, found.lower_distance - slack);
    if (found.distance == 0.0) {
      result.touches = true;
      // Triangles are never deep in each other: of meshes this would be in vain.
      if (!has_triangles(own.shape) && !has_triangles(other.shape))
        result.depth = std::max(0.0, penetration(own, other).lower_depth - slack);
    } else if (search_.inside_at(pair_, 0.0) != Inside::None) {
      // To come out it must pass the surface.
      result.touches = true;
      result.depth = result.lower;
    }
    if (result.touches) result.lower = 0.0;
    return result;
  }

 private:
  static bool has_triangles(const Shape& shape) { return !shape.data().mesh.faces.empty(); }

  PathSearch search_;
  PathPair pair_;
  std::shared_ptr<const KinematicTree> tree_;
  std::vector<double> values_;
  bool has_balls_ = false;
};

LinkPair judged(const PreparedRobot& robot, std::size_t number, const RobotPairsOptions& options,
                const StopWatch* stop) {
  const SelfPair& pair = robot.self_pairs[number];
  LinkPair result;
  result.a = robot.bodies[static_cast<std::size_t>(pair.a)].names.front();
  result.b = robot.bodies[static_cast<std::size_t>(pair.b)].names.front();
  const std::vector<PairVariable> variables = variables_between(robot, pair);
  for (const PairVariable& variable : variables)
    result.variables.push_back(
        robot.kinematics.variables()[static_cast<std::size_t>(variable.variable)].name);
  if (variables.empty()) return result;  // a floating joint between them
  PairAtValues standing(robot, number);
  PairTable table;
  PairTable::Limits limits;
  limits.budget = options.budget;
  limits.share = 0.0;  // above zero is all that is asked
  bool done = false;
  limits.is_over = [&] {
    done = done || (!result.apart.empty() && !result.touching.empty());
    return done || (stop != nullptr && stop->is_over());
  };
  table.build(variables, limits, [&](std::span<const double> at) {
    const PairTable::Look seen = standing.look(variables, at);
    if (seen.touches && result.touching.empty()) result.touching = standing.values();
    if (seen.lower > 0.0 && result.apart.empty()) result.apart = standing.values();
    return seen;
  });
  result.cells = table.cell_count();
  if (!result.apart.empty() && !result.touching.empty()) {
    result.kind = PairKind::Sometimes;
  } else if (table.least() > 0.0) {
    result.kind = PairKind::AlwaysApart;
    result.clearance = table.least();
  } else if (table.touches_everywhere()) {
    result.kind = PairKind::AlwaysTouching;
  }
  return result;
}

}  // namespace
}  // namespace articulated

using namespace articulated;

RobotPairsResult robot_pairs(const ArticulatedBody& robot, const RobotPairsOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  RobotPairsResult result;
  result.failure = failure_of(options.stop);
  if (options.budget < 1)
    result.failure = "budget is " + std::to_string(options.budget) + ", but must be at least 1";
  if (!result.failure.empty()) return result;
  const StopWatch watch(options.stop);
  RobotOptions each;
  each.merge_links = false;
  each.adjacent_allowed = false;
  const Expected<RobotInScene> all = RobotInScene::build(robot, {}, each);
  if (!all) {
    result.failure = all.error().message;
    return result;
  }
  each.adjacent_allowed = true;
  const Expected<RobotInScene> apart = RobotInScene::build(robot, {}, each);
  if (!apart) {
    result.failure = apart.error().message;
    return result;
  }
  const PreparedRobot& prepared = apart->data();
  std::vector<LinkPair> judgements(prepared.self_pairs.size());
  parallel_blocks(judgements.size(), 1, options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) judgements[i] = judged(prepared, i, options, watch.or_null());
  });
  // Bodies are numbered alike in both; those pairs that are in the first only are adjacent.
  std::size_t next = 0;
  for (const SelfPair& pair : all->data().self_pairs) {
    if (next < judgements.size() && prepared.self_pairs[next].a == pair.a &&
        prepared.self_pairs[next].b == pair.b) {
      result.pairs.push_back(std::move(judgements[next++]));
      continue;
    }
    LinkPair adjacent;
    adjacent.a = all->data().bodies[static_cast<std::size_t>(pair.a)].names.front();
    adjacent.b = all->data().bodies[static_cast<std::size_t>(pair.b)].names.front();
    adjacent.kind = PairKind::Adjacent;
    for (const PairVariable& variable : variables_between(all->data(), pair))
      adjacent.variables.push_back(
          all->kinematics().variables()[static_cast<std::size_t>(variable.variable)].name);
    result.pairs.push_back(std::move(adjacent));
  }
  result.microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return result;
}

RobotInScene with_pair_tables(const RobotInScene& robot, const PairTableOptions& options) {
  auto prepared = std::make_shared<PreparedRobot>(robot.data());
  prepared->searches = std::make_shared<SearchPool>();
  prepared->tables.assign(prepared->self_pairs.size(), {});
  parallel_blocks(prepared->tables.size(), 1, options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::vector<PairVariable> variables = variables_between(*prepared, prepared->self_pairs[i]);
      if (variables.empty() || variables.size() > 2) continue;
      PairAtValues standing(*prepared, i);
      PairTable::Limits limits;
      limits.budget = options.budget;
      prepared->tables[i].build(variables, limits,
                                [&](std::span<const double> at) { return standing.look(variables, at); });
    }
  });
  return RobotInScene(std::move(prepared));
}

}  // namespace toccata
