#include "ccd/rigid/warm_start/known_clearance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "proximity/pair_at_rest.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata::warm_start {

using namespace search;
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Sums of a few dozen products are right to this share of what enters.
constexpr double slack = 1e-12;
// Motions longer than this share of the smaller body are not steps of a sequence.
constexpr double longest_step = 0.25;
// And shorter than this are taken to be as long.
constexpr double shortest_step = 1e-3;
// More pieces of motion are not looked through.
constexpr int most_pieces = 16;
// A look is worth while if it promises two more steps like the last one, and sees no farther than this many.
constexpr double foresight = 256.0;
// Looks are paid for by a share of the work of searches, and by half of what they have spared.
constexpr double searched_share = 1.0 / 32.0;
constexpr double spared_share = 0.5;
constexpr double least_look = 64.0;
// What must be left of a clearance, as a share of it: with it, a search would never be stuck.
constexpr double least_share = 1e-6;

// How far any point of the body gets from where it is at 0, over [0, 1].
double travel_of(const MovingShape& body) {
  const Motion& motion = *body.motion;
  if (motion.is_fixed()) return 0.0;
  const PoseError error = motion.pose_error();
  const ShapeData& shape = *body.shape;
  const double reach = shape.center.norm() + shape.radius;
  double sum = 0.0, t = 0.0;
  for (int piece = 0; piece < most_pieces; ++piece) {
    const double end = std::min(1.0, motion.next_breakpoint(t));
    const Pose pose = motion.pose(t);
    const Vector3 center = pose.apply(shape.center);
    const double place_error =
        error.translation + error.rotation * reach + 16.0 * unit_roundoff * (pose.translation.norm() + reach);
    sum += displacement(motion.expansion(t, end), {&center, 1}, shape.radius + 2.0 * place_error, end - t);
    if (!(end < 1.0)) return sum * (1.0 + slack);
    t = end;
  }
  return infinite;
}

// Of any point of the ball about the shape's centre, from one view to the other; rounding is left to the
// paddings of both states.
double moved_between(const FrameView& from, const FrameView& to, double radius) {
  return ((to.translation - from.translation).norm() + (to.rotation - from.rotation).norm() * radius) *
         (1.0 + slack);
}

// In pairs of boxes; two triangles cost as much as sixteen.
double cost_of(const QueryStats& stats) {
  return static_cast<double>(stats.node_pairs) + 16.0 * static_cast<double>(stats.piece_pairs);
}

}  // namespace

bool KnownClearance::proves_apart(const MovingShape& a, const MovingShape& b, double distance) {
  if (!known_) return false;
  PairStates states(a, b);
  const PairState start = states.at(0.0, 0.0);
  const double moved = std::min(moved_between(view_[0], start.view[0], b.shape->radius),
                                moved_between(view_[1], start.view[1], a.shape->radius));
  const double left = clearance_ - 8.0 * start.gap_padding - moved;
  const bool worth = left > distance;
  if (worth && left - travel_of(a) - travel_of(b) > distance + least_share * clearance_) {
    credit_ += spared_share * last_search_;
    return true;
  }
  known_ = false;
  return false;
}

void KnownClearance::learn(const MovingShape& a, const MovingShape& b, double distance, QueryStats& stats) {
  last_search_ = cost_of(stats);
  credit_ += searched_share * last_search_;
  if (credit_ < price_) return;
  const double size = std::min(a.shape->radius, b.shape->radius);
  const double travel = std::max(travel_of(a) + travel_of(b), shortest_step * size);
  if (!(travel <= longest_step * size)) return;
  PairStates states(a, b);
  const PairState end = states.at(1.0, 1.0);
  const double padding = 4.0 * end.gap_padding;
  const double farthest = distance + foresight * travel + 8.0 * padding;
  QueryStats look;
  clearance_ = proven_gap(at_rest(end, a, b), farthest, static_cast<std::int64_t>(credit_), look) - padding;
  const double cost = cost_of(look);
  credit_ = std::max(0.0, credit_ - cost);
  stats.node_pairs += look.node_pairs;
  stats.piece_pairs += look.piece_pairs;
  known_ = clearance_ > distance + 2.0 * travel;
  // What did not see far enough is tried with twice the means, later.
  price_ = known_ ? least_look : 2.0 * std::max(least_look, cost);
  if (!known_) return;
  for (int side = 0; side < 2; ++side) view_[side] = end.view[side];
}

}  // namespace toccata::warm_start
