#include "ccd/articulated/pair_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ccd/articulated/prepared_robot.hpp"

namespace toccata::articulated {
namespace {

// Slightly more than a whole turn, so that no value is between the ends.
constexpr double half_turn = std::numbers::pi * (1.0 + 1e-12);

}  // namespace

// A joint moves points of the body looked at by its rate times how far they are from its axis, at most: the
// way from joint to joint to the body's farthest point.
std::vector<PairVariable> variables_between(const PreparedRobot& robot, const SelfPair& pair) {
  const KinematicTree& tree = robot.kinematics.data();
  const FrameChain& chain = pair.chain;
  const Outline& outline = robot.bodies[static_cast<std::size_t>(pair.b)].outline;
  const auto limits_of = [&](std::int32_t variable) -> Interval {
    const JointVariable& v = tree.variables[static_cast<std::size_t>(variable)];
    if (v.limits)
      return {std::min(v.limits->lower, v.limits->upper), std::max(v.limits->lower, v.limits->upper)};
    return {-half_turn, half_turn};
  };
  const auto slide = [&](std::int32_t frame) {
    if (frame < 0) return 0.0;
    const MovingFrame& f = tree.frames[static_cast<std::size_t>(frame)];
    return std::abs(f.multiplier) * limits_of(f.variable).magnitude() + std::abs(f.offset);
  };
  std::vector<PairVariable> result;
  double reach = (outline.center - chain.end).norm() + outline.radius + slide(chain.end_slide);
  for (std::size_t i = chain.steps.size(); i-- > 0;) {
    const FrameChain::Step& step = chain.steps[i];
    const MovingFrame& frame = tree.frames[static_cast<std::size_t>(step.frame)];
    if (frame.kind == FrameKind::Ball) return {};
    const JointVariable& variable = tree.variables[static_cast<std::size_t>(frame.variable)];
    // A planar or floating joint's slides have no limits.
    if (!variable.limits && frame.kind == FrameKind::Slide) return {};
    const double speed = std::abs(frame.multiplier) * (step.slides ? 1.0 : reach) * (1.0 + 1e-12);
    reach += step.way + slide(step.slide_a) + slide(step.slide_b);
    auto known = std::find_if(result.begin(), result.end(),
                              [&](const PairVariable& v) { return v.variable == frame.variable; });
    if (known == result.end()) {
      result.push_back({frame.variable, step.frame, frame.multiplier, frame.offset, limits_of(frame.variable),
                        !variable.limits, 0.0});
      known = result.end() - 1;
    }
    known->speed += speed;
    if (std::abs(frame.multiplier) > std::abs(known->multiplier)) {
      known->frame = step.frame;
      known->multiplier = frame.multiplier;
      known->offset = frame.offset;
    }
  }
  return result;
}

double PairTable::lower_in(std::size_t cell, std::span<const Interval> values) const {
  const Cell& c = cells_[cell];
  if (c.child < 0) return c.lower;
  const Interval& range = values[static_cast<std::size_t>(c.axis)];
  const auto child = static_cast<std::size_t>(c.child);
  double lower = std::numeric_limits<double>::infinity();
  if (range.lower <= c.split) lower = lower_in(child, values);
  if (range.upper >= c.split) lower = std::min(lower, lower_in(child + 1, values));
  return std::max(lower, c.lower);
}

double PairTable::lower_over(std::span<const Interval> values) const {
  if (cells_.empty() || values.size() != variables_.size() || values.size() > 2) return 0.0;
  // Circles are unrolled: values beyond a half turn are those on the other side.
  std::array<Interval, 2> wrapped{};
  std::array<std::array<Interval, 2>, 2> parts{};
  std::array<int, 2> count = {1, 1};
  for (std::size_t i = 0; i < values.size(); ++i) {
    Interval range = values[i];
    if (!std::isfinite(range.lower) || !std::isfinite(range.upper)) return 0.0;
    if (variables_[i].is_circle) {
      const double turn = 2.0 * std::numbers::pi;
      if (range.upper - range.lower >= turn) {
        range = variables_[i].limits;
      } else {
        const double shift = turn * std::round(range.middle() / turn),
                     slack = 1e-12 * (1.0 + std::abs(shift));
        range = {range.lower - shift - slack, range.upper - shift + slack};
      }
      const Interval& all = variables_[i].limits;
      if (range.lower < all.lower) {
        parts[i][static_cast<std::size_t>(count[i]++)] = {range.lower + turn - 1e-11, all.upper};
        range.lower = all.lower;
      }
      if (range.upper > all.upper && count[i] == 1) {
        parts[i][static_cast<std::size_t>(count[i]++)] = {all.lower, range.upper - turn + 1e-11};
        range.upper = all.upper;
      }
      range = {std::max(range.lower, all.lower),
               std::max(std::max(range.lower, all.lower), std::min(range.upper, all.upper))};
    } else if (!variables_[i].limits.contains(range)) {
      return 0.0;
    }
    parts[i][0] = range;
  }
  double lower = std::numeric_limits<double>::infinity();
  for (int a = 0; a < count[0]; ++a) {
    for (int b = 0; b < (values.size() > 1 ? count[1] : 1); ++b) {
      wrapped[0] = parts[0][static_cast<std::size_t>(a)];
      wrapped[1] = parts[1][static_cast<std::size_t>(b)];
      lower = std::min(lower, lower_in(0, std::span<const Interval>(wrapped.data(), values.size())));
    }
  }
  return lower;
}

}  // namespace toccata::articulated
