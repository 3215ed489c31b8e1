// What is known of the ends of an edge whose ends are nodes of a roadmap: how far all pairs are apart there,
// and for how long that keeps them apart.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ccd/articulated/path_parts.hpp"
#include "ccd/search/convex_search.hpp"
#include "proximity/piece_bracket.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata::articulated {

using namespace search;

namespace {

constexpr double u = unit_roundoff;

// What is known of an end of an edge serves this long.
constexpr double half_edge = 0.5;

}  // namespace

// Of the bodies in these balls at least, less than zero where they overlap.
double PathSearch::ball_gap(const PathPair& pair, const BallState& ball, const BallState& other) const {
  if (pair.self) return (ball.center - other.center).norm() * (1.0 - 16.0 * u) - ball.room - other.room;
  const SceneBody& obstacle = robot_.obstacles[at(pair.other)];
  const double rounding =
      64.0 * u * (obstacle.middle.norm() + obstacle.outline.box_half.norm() + ball.center.norm());
  return lower_gap(obstacle, ball.center) * (1.0 - 16.0 * u) - ball.room - rounding;
}

void PathSearch::put_clearances(std::span<float> to) {
  // Farther than this hulls tell little more than balls.
  constexpr double near_share_of_radius = 0.5;
  std::vector<BallState> balls;
  for (std::size_t i = 0; i < robot_.bodies.size(); ++i)
    balls.push_back(ball_of(static_cast<std::int32_t>(i), 0.0, 0.0));
  const auto clearance_of = [&](const PathPair& pair, const BallState& other) {
    double gap = ball_gap(pair, balls[at(pair.body)], other);
    if (gap < near_share_of_radius * robot_.bodies[at(pair.body)].outline.radius) {
      const Seen both = seen(pair);
      const ShapeData &a = *both.hull[0].shape, &b = *both.hull[1].shape;
      if (is_convex_pair(a, b) && !a.is_half_space() && !b.is_half_space()) {
        PairStates states(both.hull[0], both.hull[1]);
        PairState state;
        states.set_from_b(0.0, 0.0, state);
        convex::ConvexLimits limits;
        limits.relative_error = rough_share;
        limits.within = 0.0;
        const convex::ConvexDistance nearest =
            proximity::piece_bracket(Piece(a, 0), Pose(state.view[1].rotation, state.view[1].translation),
                                     Piece(b, 0), nullptr, limits);
        gap = std::max(gap, nearest.lower - state.gap_padding);
      }
    }
    const auto rounded = static_cast<float>(std::max(0.0, gap));
    return static_cast<double>(rounded) > gap
               ? std::nextafter(rounded, -std::numeric_limits<float>::infinity())
               : rounded;
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < robot_.bodies.size(); ++i) {
    for (std::size_t k = 0; k < robot_.obstacles.size(); ++k, ++next) {
      const PathPair pair{static_cast<std::int32_t>(i), static_cast<std::int32_t>(k), false};
      to[next] = robot_.bodies[i].may_meet[k] != 0 ? clearance_of(pair, {}) : 0.0F;
    }
  }
  for (std::size_t i = 0; i < robot_.self_pairs.size(); ++i, ++next) {
    const SelfPair& pair = robot_.self_pairs[i];
    to[next] = clearance_of({pair.b, static_cast<std::int32_t>(i), true}, balls[at(pair.a)]);
  }
}

PathSearch::Leaving PathSearch::leaving(std::int32_t body, double t) {
  const Outline& outline = robot_.bodies[at(body)].outline;
  const ChainMotion& motion = body_motion(body);
  if (motion.is_fixed()) return {};
  const MotionExpansion e = motion.expansion(t, t + half_edge);
  const PoseError error = motion.pose_error();
  const Vector3 lever = motion.pose(t).apply(outline.center) - e.center;
  const double spin = e.angular_velocity.norm() + e.spin_slack;
  const double reach = outline.center.norm() + outline.radius;
  const double misplaced = error.translation + error.rotation * reach;
  const double arm = lever.norm() + outline.radius + misplaced;
  Leaving result;
  result.speed = (e.velocity + e.angular_velocity.cross(lever)).norm() + e.speed_slack +
                 spin * (outline.radius + misplaced) + 64.0 * u * (e.velocity.norm() + spin * arm);
  result.acceleration = e.acceleration + (e.spin_acceleration + e.axial_acceleration) * arm;
  result.slack = 2.0 * misplaced;
  return result;
}

// After its start for as long as its distance there lasts, before its end as well.
bool PathSearch::trim_by_ends(double distance, Candidate& candidate) const {
  const PathPair& pair = candidate.pair;
  const std::size_t self = robot_.bodies.size() * robot_.obstacles.size();
  const std::size_t number =
      pair.self ? self + at(pair.other) : at(pair.body) * robot_.obstacles.size() + at(pair.other);
  double steps[2];
  for (std::size_t side = 0; side < 2; ++side) {
    Leaving moved = leaving_[side][at(pair.body)];
    if (pair.self) {
      const Leaving& other = leaving_[side][at(robot_.self_pairs[at(pair.other)].a)];
      moved.speed += other.speed;
      moved.acceleration += other.acceleration;
      moved.slack += other.slack;
    }
    const double gap = static_cast<double>(ends_[side][number]) - (distance + moved.slack) * (1.0 + 8.0 * u);
    constexpr double above = 1.0 + 1e-12;
    steps[side] =
        gap > 0.0
            ? std::min(half_edge, conservative_step(gap, moved.speed * above, moved.acceleration * above))
            : 0.0;
  }
  if (steps[0] >= half_edge && steps[1] >= half_edge) return false;
  candidate.from = steps[0];
  candidate.until = std::min(1.0, std::nextafter(1.0 - steps[1], 2.0));
  return true;
}

}  // namespace toccata::articulated
