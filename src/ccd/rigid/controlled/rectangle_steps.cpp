// Everything in the frame of a frozen at t, relative to its shape's centre. The nearest points of two
// rectangles are approached by projecting to and fro; the slab across their difference proves a distance
// whatever the quality of the points, and where it falls short of the points' distance the exact candidates
// are looked at.
#include "ccd/rigid/controlled/rectangle_steps.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bound/rectangle_distance.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata::controlled {

using namespace search;
namespace {

// Axes of volumes are orthonormal to 1e-13, so heights over a slab and speeds along its normal, sums of at
// most a dozen products, are right to this share of the lengths (speeds) that enter.
constexpr double slack = 1e-12;
// A slab this close to the distance of two points is good enough.
constexpr double good_share = 0.9;
constexpr int most_projections = 6;

}  // namespace

struct RectangleSteps::Pair {
  const RectangleSweptSphere& a;
  const RectangleSweptSphere& b;
  Vector3 center_a, center_b;
  Vector3 side_b[2];  // unit
  double size;
};

RectangleSteps::RectangleSteps(const PairState& state, const Vector3& center_a, const Vector3& center_b,
                               bool steady, double distance)
    : state_(state), center_a_(center_a), center_b_(center_b), steady_(steady), distance_(distance) {}

RectangleStep RectangleSteps::measured(const RectangleSweptSphere& a, const RectangleSweptSphere& b,
                                       double enough) const {
  const FrameView& view = state_.view[0];
  Pair pair = {a,  b,  a.center - center_a_, view.rotation * (b.center - center_b_) + view.translation,
               {}, 0.0};
  pair.side_b[0] = view.rotation * b.axes.col(0);
  pair.side_b[1] = view.rotation * b.axes.col(1);
  const Vector3 offset = pair.center_b - pair.center_a;
  pair.size = offset.cwiseAbs().sum() + a.half.sum() + b.half.sum();
  const double radii = (a.radius + b.radius) * (1.0 + slack);
  Vector3 point_b = offset, difference = offset;  // from a's centre
  double length = 0.0, gap = 0.0;
  const auto slab = [&](const Vector3& n) {
    const double reach =
        a.half.x() * std::abs(n.dot(a.axes.col(0))) + a.half.y() * std::abs(n.dot(a.axes.col(1))) +
        b.half.x() * std::abs(n.dot(pair.side_b[0])) + b.half.y() * std::abs(n.dot(pair.side_b[1]));
    return offset.dot(n) - reach - slack * pair.size;
  };
  bool good = false;
  for (int i = 0; i < most_projections && !good; ++i) {
    const double ax = std::clamp(point_b.dot(a.axes.col(0)), -a.half.x(), a.half.x());
    const double ay = std::clamp(point_b.dot(a.axes.col(1)), -a.half.y(), a.half.y());
    const Vector3 point_a = ax * a.axes.col(0) + ay * a.axes.col(1);
    const Vector3 back = point_a - offset;
    const double bx = std::clamp(back.dot(pair.side_b[0]), -b.half.x(), b.half.x());
    const double by = std::clamp(back.dot(pair.side_b[1]), -b.half.y(), b.half.y());
    point_b = offset + bx * pair.side_b[0] + by * pair.side_b[1];
    difference = point_b - point_a;
    const double squared = difference.squaredNorm();
    // Points of the two volumes that meet: nothing can be proven.
    if (squared <= radii * radii) return {};
    if (i == 0) continue;
    length = std::sqrt(squared);
    gap = slab(difference / length);
    good = gap >= good_share * length;
  }
  // Certainly opened otherwise: no better bound is worth its price.
  if (!good && length - radii >= 0.9 * enough) {
    Matrix3 rotation;
    rotation << a.axes.transpose() * pair.side_b[0], a.axes.transpose() * pair.side_b[1],
        a.axes.transpose() * pair.side_b[0].cross(pair.side_b[1]);
    const Vector3 n =
        a.axes * bound::rectangle_difference({a.half, b.half, rotation, a.axes.transpose() * offset});
    const double exact = n.norm();
    if (!(exact > 1e-13 * pair.size)) return {};
    const double better = slab(n / exact);
    if (better > gap) {
      gap = better;
      difference = n;
      length = exact;
    }
  }
  RectangleStep result;
  const double apart = gap * (1.0 - slack) - radii;
  if (!(apart > 0.0)) return result;
  result.distance = std::max(0.0, apart - state_.gap_padding);
  result.step = step_along(pair, difference / length, apart - state_.gap_padding - distance_);
  return result;
}

// The share of a turn's acceleration along n, |n x spin| / |spin|, where it stays across the axis.
double RectangleSteps::across(const Vector3& lever, const TurnBound& turn) const {
  if (!turn.steady || !turn.spins) return 1.0;
  return std::min(1.0, lever.norm() / turn.spin + state_.angle_padding + slack);
}

double RectangleSteps::step_along(const Pair& pair, const Vector3& n, double gap) const {
  if (!(gap > 0.0)) return 0.0;
  const FrameView& view = state_.view[0];
  double rate = 0.0, speed = 0.0, curvature = state_.acceleration, lemma = 0.0;
  if (!view.own.velocity.isZero(0.0) || state_.turn[0].spins) {
    const Vector3 v = view.own.at(pair.center_a), lever = n.cross(view.own.spin);
    const double spread = pair.a.half.sum() + pair.a.radius, turning = (v - view.own.drift).norm();
    rate += n.dot(v) + pair.a.half.x() * std::abs(lever.dot(pair.a.axes.col(0))) +
            pair.a.half.y() * std::abs(lever.dot(pair.a.axes.col(1))) + pair.a.radius * lever.norm();
    curvature +=
        across(lever, state_.turn[0]) * (state_.turn[0].rate * turning + state_.turn[0].axial * spread);
    lemma += std::abs(n.dot(view.own.drift));
    if (state_.turn[0].spins)
      lemma += lever.norm() * (turning / state_.turn[0].spin * (1.0 + slack) + spread);
    speed += view.own.drift.norm() + turning + state_.turn[0].spin * spread;
  }
  if (!view.other.velocity.isZero(0.0) || state_.turn[1].spins) {
    const Vector3 v = view.other.at(pair.center_b), lever = n.cross(view.other.spin);
    const double spread = pair.b.half.sum() + pair.b.radius, turning = (v - view.other.drift).norm();
    rate += pair.b.half.x() * std::abs(lever.dot(pair.side_b[0])) +
            pair.b.half.y() * std::abs(lever.dot(pair.side_b[1])) + pair.b.radius * lever.norm() - n.dot(v);
    curvature +=
        across(lever, state_.turn[1]) * (state_.turn[1].rate * turning + state_.turn[1].axial * spread);
    lemma += std::abs(n.dot(view.other.drift));
    if (state_.turn[1].spins)
      lemma += lever.norm() * (turning / state_.turn[1].spin * (1.0 + slack) + spread);
    speed += view.other.drift.norm() + turning + state_.turn[1].spin * spread;
  }
  // Normals are unit to rounding; speeds off by `slack` of what enters.
  const double padding = state_.rate_padding + slack * speed;
  double step = conservative_step(gap, rate + padding, curvature * (1.0 + slack));
  if (steady_) {
    const double bound = lemma * (1.0 + slack) + padding;
    step =
        std::max(step, bound > 0.0 ? gap / bound * (1.0 - slack) : std::numeric_limits<double>::infinity());
  }
  return step;
}

}  // namespace toccata::controlled
