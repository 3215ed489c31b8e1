#include "ccd/search/convex_steps.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "proximity/piece_bracket.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata::search {
namespace {

constexpr double u = unit_roundoff;
constexpr double infinite = std::numeric_limits<double>::infinity();
// Chords are tried this often: each is shorter, and closer to the tangent, than the last.
constexpr int most_chords = 3;
// A step that reaches this share of its chord is taken as it is.
constexpr double good_share = 0.75;

// Upper bounds of how far a piece reaches: along a direction of any length about its shape's centre.
struct Reach {
  double value;  // rounding of the core's height included
  Vector3 point;
};
Reach reach_of(const Piece& piece, const Vector3& direction, double length) {
  const ConvexSet& set = piece.set();
  const Support s = support(set, direction);
  return {s.value + length * (set.radius + support_error(set)), s.point};
}

// A set within this one, so that balls of radius `margin` around its points are in this one as well; false
// where there is none in sight.
bool shrink(const ConvexSet& set, double margin, ConvexSet& smaller) {
  smaller = set;
  const double less = margin * (1.0 + 8.0 * u);
  if (set.radius > 4.0 * margin) {
    smaller.radius -= less + 8.0 * u * set.radius;
    return true;
  }
  const double least =
      set.core == Core::Cylinder ? std::min(set.half.x(), set.half.z()) : set.half.minCoeff();
  if (!(least > 4.0 * margin)) return false;
  switch (set.core) {
    case Core::Box:
    case Core::Cylinder:
      // A point of the ball is at most its radius farther along each axis, and from the axis of a cylinder.
      smaller.half = (set.half.array() * (1.0 - 8.0 * u) - less).matrix();
      return true;
    case Core::Ellipsoid:
      // It holds a ball of its least radius r, hence (1 - e) of it with the balls of radius e r.
      smaller.half = set.half * (1.0 - less / least - 16.0 * u);
      return true;
    case Core::Cone:
    case Core::Points:
    case Core::Balls:
      break;
  }
  return false;
}

// Outward from the first three corners of a triangle, as well the top of a column, or of the column below
// one; zero of anything else.
Vector3 facing(const Piece& piece) {
  const auto points = piece.set().points;
  const bool is_column = points.size() == 6 && points[3].head<2>() == points[0].head<2>();
  if (piece.triangle() < 0 && !is_column && points.size() != 3) return Vector3::Zero();
  return (points[1] - points[0]).cross(points[2] - points[0]);
}

}  // namespace

ConvexMoment::ConvexMoment(const PairState& state, const ConvexPair& pair, double horizon)
    : state_(state),
      pair_(pair),
      view_(state.view[1]),
      horizon_(horizon),
      a_to_b_(state.view[1].rotation, state.view[1].translation),
      acceleration_(state.acceleration) {
  for (int side = 0; side < 2; ++side) {
    const TurnBound& bound = state.turn[side];
    if (!bound.spins) continue;
    const Piece& piece = side == 0 ? pair.a : pair.b;
    const VelocityField& field = side == 0 ? view_.other : view_.own;
    // The speed due to turning is the spin times the distance from the axis: of the ball about the piece.
    const Vector3 middle = side == 0 ? a_to_b_.apply(piece.middle()) : piece.middle();
    const double speed =
        ((field.at(middle) - field.drift).norm() + bound.spin * piece.reach()) * (1.0 + 1e-12);
    const double acceleration = bound.rate * speed;
    acceleration_ += acceleration;
    if (bound.steady) {
      turn_[side].axis = field.spin / bound.spin;
      turn_[side].acceleration = acceleration;
    }
  }
}

double ConvexMoment::find_distance(const convex::ConvexLimits& limits) {
  nearest_ = piece_bracket(pair_.a, a_to_b_, pair_.b, &pair_.memory, limits);
  return nearest_.upper;
}

ConvexMoment::Heights ConvexMoment::heights(const Vector3& n, double s) const {
  const Vector3 along_a = s == 0.0 ? n : Vector3(n + s * n.cross(view_.other.spin));
  const Vector3 along_b = s == 0.0 ? n : Vector3(n + s * n.cross(view_.own.spin));
  const double length_a = along_a.norm() * (1.0 + 8.0 * u), length_b = along_b.norm() * (1.0 + 8.0 * u);
  const Reach a = reach_of(pair_.a, a_to_b_.rotation.transpose() * along_a, length_a);
  const Reach b = reach_of(pair_.b, -along_b, length_b);
  const Vector3 velocity = view_.own.velocity - view_.other.velocity;
  const double gap = s * n.dot(velocity) - n.dot(a_to_b_.translation) - a.value - b.value;
  // Directions carry eight roundings, their turn into a's frame eight more, and sums of products a few.
  const double lengths = length_a * (pair_.a.middle().norm() + pair_.a.reach()) +
                         length_b * (pair_.b.middle().norm() + pair_.b.reach()) + a_to_b_.translation.norm() +
                         s * (view_.own.velocity.norm() + view_.other.velocity.norm());
  Heights h;
  h.gap = gap - 32.0 * u * lengths;
  h.speed = 0.0;
  if (s == 0.0) {
    h.speed = n.dot(view_.other.at(a_to_b_.apply(a.point)) - view_.own.at(b.point));
  }
  return h;
}

// Of any two points along the unit direction n.
double ConvexMoment::acceleration_along(const Vector3& n) const {
  double acceleration = acceleration_;
  for (const Turn& turn : turn_) {
    if (turn.acceleration == 0.0) continue;
    // A sine, with 16 roundings of its own.
    const double across = turn.axis.cross(n).norm() + state_.angle_padding + 16.0 * u;
    if (across < 1.0) acceleration -= turn.acceleration * (1.0 - across);
  }
  return (std::max(0.0, acceleration) + 8.0 * u * acceleration_) * (1.0 + 8.0 * u);
}

// The longest step that chords prove: `closed(s)` bounds from above how much of the gap is closed to first
// order until s, and is convex; `speed` is what the nearest points lose of it per time now, beyond which no
// chord can get.
template <typename Closed>
double ConvexMoment::chord_step(double gap, double speed, double acceleration, Closed&& closed) const {
  const double padding = state_.rate_padding + 16.0 * u * std::abs(speed);
  double chord = std::min(horizon_, conservative_step(gap, speed + padding, acceleration));
  double best = 0.0;
  for (int i = 0; i < most_chords && chord > best; ++i) {
    const double rate = closed(chord) / chord;
    const double step = conservative_step(gap, rate + 8.0 * u * std::abs(rate) + padding, acceleration);
    best = std::max(best, std::min(step, chord));
    if (best >= good_share * chord) break;
    chord = std::sqrt(best * chord);
  }
  return best >= horizon_ ? infinite : best;
}

// Above a half space, which stands still. Its normal is the only direction.
double ConvexMoment::step_above_plane(const Vector3& n, double gap) const {
  const bool set_is_a = pair_.b.plane() != nullptr;
  const Piece& piece = set_is_a ? pair_.a : pair_.b;
  if (piece.plane() != nullptr) {
    // Two half spaces: they are apart only as long as neither turns.
    if (state_.turn[0].spins || state_.turn[1].spins) return 0.0;
    const double rate = n.dot(view_.other.velocity - view_.own.velocity);
    return conservative_step(gap, rate + state_.rate_padding + 8.0 * u * std::abs(rate), acceleration_);
  }
  const VelocityField& field = set_is_a ? view_.other : view_.own;
  const Vector3 toward = set_is_a ? n : Vector3(-n);  // the plane
  const auto in_body = [&](const Vector3& d) {
    return set_is_a ? Vector3(a_to_b_.rotation.transpose() * d) : d;
  };
  const auto height = [&](double s) {
    const Vector3 along = toward + s * toward.cross(field.spin);
    const double length = along.norm() * (1.0 + 8.0 * u);
    const double reach = reach_of(piece, in_body(along), length).value + s * toward.dot(field.velocity);
    return reach + 32.0 * u * (length * (piece.middle().norm() + piece.reach()) + s * field.velocity.norm());
  };
  const Vector3 lowest = support(piece.set(), in_body(toward)).point;
  const double speed = toward.dot(field.at(set_is_a ? a_to_b_.apply(lowest) : lowest));
  // Both heights are upper bounds: what the first is too high by, the second may not make up for.
  const double before =
      height(0.0) - 2.0 * support_error(piece.set()) - 64.0 * u * (piece.middle().norm() + piece.reach());
  return chord_step(gap, speed, acceleration_along(n), [&](double s) { return height(s) - before; });
}

double ConvexMoment::step_along(const Vector3& direction, double distance) const {
  const double length = direction.norm();
  if (!(length > 1e-140)) return 0.0;
  const Vector3 n = direction / length;
  if (pair_.a.plane() != nullptr || pair_.b.plane() != nullptr) {
    const double gap = nearest_.lower - state_.gap_padding - distance;
    return gap > 0.0 ? step_above_plane(n, gap * (1.0 - 8.0 * u)) : 0.0;
  }
  const Heights now = heights(n, 0.0);
  const double gap = (now.gap - state_.gap_padding - distance) * (1.0 - 8.0 * u);
  if (!(gap > 0.0)) return 0.0;
  return chord_step(gap, now.speed, acceleration_along(n),
                    [&](double s) { return now.gap - heights(n, s).gap; });
}

double ConvexMoment::remembered_step(double distance) const {
  if (pair_.a.plane() != nullptr || pair_.b.plane() != nullptr) return 0.0;
  if (!pair_.memory.direction.isZero(0.0)) return step_along(pair_.memory.direction, distance);
  // Nothing is remembered yet: as other pieces of the same bodies, else across the face of a triangle, from a
  // to b.
  if (!pair_.hint.isZero(0.0)) {
    const double step = step_along(pair_.hint, distance);
    if (step > 0.0) return step;
  }
  Vector3 across = a_to_b_.rotation * facing(pair_.a);
  if (across.isZero(0.0)) across = facing(pair_.b);
  const Vector3 between = pair_.b.middle() - a_to_b_.apply(pair_.a.middle());
  return step_along(across.dot(between) < 0.0 ? Vector3(-across) : across, distance);
}

double ConvexMoment::careful_step(double distance, double enough) const {
  double step = step_along(nearest_.direction, distance);
  if (step >= enough || pair_.a.plane() != nullptr || pair_.b.plane() != nullptr) return step;
  // What turns in place comes no nearer along its axis, which pays over a whole turn.
  const bool turns_far = (state_.turn[0].spin + state_.turn[1].spin) * horizon_ > 6.0;
  const Vector3 difference = nearest_.point_b - nearest_.point_a;
  for (const Turn& turn : turn_) {
    if (turn.acceleration == 0.0 || !turns_far) continue;
    const bool ahead = turn.axis.dot(difference) >= 0.0;
    step = std::max(step, step_along(ahead ? turn.axis : Vector3(-turn.axis), distance));
  }
  return step;
}

bool ConvexMoment::is_deeper_than(double margin) const {
  if (pair_.a.plane() == nullptr && pair_.b.plane() == nullptr) {
    ConvexSet smaller;
    if (shrink(pair_.a.set(), margin, smaller))
      return convex::convex_distance(smaller, a_to_b_, pair_.b.set()).meets;
    if (shrink(pair_.b.set(), margin, smaller))
      return convex::convex_distance(smaller, a_to_b_.inverse(), pair_.a.set()).meets;
  }
  return piece_depth(pair_.a, a_to_b_, pair_.b).lower_depth > margin;
}

}  // namespace toccata::search
