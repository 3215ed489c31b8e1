#include "ccd/rigid/seen_motions.hpp"

#include <algorithm>

#include "toccata/motion/rigid_motion.hpp"

namespace toccata::rigid {

using namespace search;
namespace {

// Spins whose difference is below this share of them.
constexpr double alike_share = 0.01;
// More pieces of motion are not looked through.
constexpr int most_pieces = 64;

bool turn_alike(const Motion& a, const Motion& b) {
  if (a.is_fixed() || b.is_fixed()) return false;
  double t = 0.0;
  for (int piece = 0; piece < most_pieces; ++piece) {
    const double end = std::min({1.0, a.next_breakpoint(t), b.next_breakpoint(t)});
    const MotionExpansion ea = a.expansion(t, end), eb = b.expansion(t, end);
    if (!ea.steady || !eb.steady) return false;
    const double spin = std::min(ea.angular_velocity.norm(), eb.angular_velocity.norm());
    if (!(spin > 0.0) || !((ea.angular_velocity - eb.angular_velocity).norm() <= alike_share * spin))
      return false;
    if (!(end < 1.0)) return true;
    t = end;
  }
  return false;
}

}  // namespace

SeenMotions::SeenMotions(const MovingShape& first, const MovingShape& second) : a(first), b(second) {
  // A half space reaches so far that its turning moves points without bound: seen from it they do not.
  const bool stands_a = a.shape->is_half_space() && !a.motion->is_fixed();
  const bool stands_b = b.shape->is_half_space() && !b.motion->is_fixed();
  if (!stands_a && !stands_b && !turn_alike(*a.motion, *b.motion)) return;
  MovingShape& still = stands_a ? a : b;
  MovingShape& moving = stands_a ? b : a;
  relative_.emplace(*moving.motion, *still.motion);
  moving.motion = &*relative_;
  static const RigidMotion at_rest;
  still.motion = &at_rest;
}

}  // namespace toccata::rigid
