// The steps are those of docs/notes/particle_bounds.md.
#include "ccd/field/point_tracer.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "hierarchy/surface_normals.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::field {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Of a mesh without a field: a list is made nearer than that, of the mesh's size.
constexpr double near_share = 0.02;

Vector3 in_body(const Vector3& point, const Pose& pose) {
  return pose.rotation.transpose() * (point - pose.translation);
}

// From the body's coordinates to the world's.
void move(const Pose& pose, ParticleContact& contact) {
  contact.point = pose.apply(contact.point);
  contact.body_point = pose.apply(contact.body_point);
  contact.normal = pose.rotation * contact.normal;
}

}  // namespace

PointTracer::PointTracer(const Question& question)
    : q_(question), distance_(q_.surface), list_(q_.surface.shape.data(), q_.walked) {
  const bool has_field = q_.surface.field != nullptr;
  if (has_field) rough_ = q_.surface.field->data().half_side / 16.0 + q_.minimum;
  if (has_field && !q_.surface.refine) return;
  // The least time on the knot and the bunny: a longer list serves longer, but is longer.
  near_ = has_field ? q_.surface.field->error() / 3.0 : near_share * q_.surface.shape.size();
  tail_ = has_field ? near_ : 0.25 * near_;
}

bool PointTracer::starts_inside(const Vector3& point, ParticleContact& result) {
  const Vector3 seen = in_body(point, q_.first.pose);
  double squared = 0.0;  // from the box: one coordinate at a time, as they were just written
  for (int k = 0; k < 3; ++k) {
    const double out = seen[k] - std::clamp(seen[k], q_.box.lower[k], q_.box.upper[k]);
    squared += out * out;
  }
  if (q_.surface.field != nullptr && squared > rough_ * rough_) return false;
  if (!distance_.is_inside(seen)) return false;
  result.status = Status::OverlapAtStart;
  result.time = 0.0;
  distance_.describe_inside(seen, result);
  move(q_.first.pose, result);
  return true;
}

ParticleContact PointTracer::first_contact(const Path& path) {
  ParticleContact result;
  list_.clear();
  way_ = path.to - path.from;
  ends_ = path.from.cwiseAbs().sum() + path.to.cwiseAbs().sum();
  const std::uint32_t free = q_.windows(path.from, path.to, q_.minimum);
  const double begin = q_.not_free_from(0.0, free);
  if (begin >= 1.0) return result;
  const Moment* now = begin > 0.0 ? q_.beginning_at(begin) : &q_.first;
  Moment own;
  for (std::int32_t step = 0; step < q_.budget; ++step) {
    ++steps_;
    const State state = state_at(path, *now);
    const Gap gap = gap_at(state);
    if (gap.upper <= q_.tolerance) {
      result.status = now->t > 0.0 ? Status::Contact : Status::OverlapAtStart;
      result.time = now->t;
      describe(state, *now, gap.in_list && now->t > 0.0, result);
      return result;
    }
    const double next = gap.lower > state.whole ? now->end : std::min(now->t + gap.step, now->end);
    if (next >= 1.0) return result;
    if (!(next > now->t)) break;  // too fast for the clock
    const double later = q_.not_free_from(next, free);
    if (later >= 1.0) return result;
    if (later > next) {
      now = q_.beginning_at(later);
      continue;
    }
    const Moment* const shared = next < now->end ? q_.shared_moment(now->t, next) : nullptr;
    if (shared != nullptr) {
      now = shared;
    } else {
      own = moment_at(q_.motion, next);
      now = &own;
    }
  }
  result.status = Status::OutOfBudget;
  result.time = now->t;
  return result;
}

// The velocity through the body's frame turns with the body: by no more than
// delta (|w| + spin_slack) + delta^2 / 2 (spin_acceleration + axial_acceleration) of itself.
PointTracer::State PointTracer::state_at(const Path& path, const Moment& now) const {
  const MotionExpansion& e = now.expansion;
  const Vector3 place = path.from + now.t * way_, arm = place - e.center;
  const Vector3 velocity = way_ - e.velocity - e.angular_velocity.cross(arm);
  const double length = arm.norm(), speed = velocity.norm();
  // A dozen roundings of what the sums are made of.
  const double sums = ends_ + now.lengths + now.spin * (length + ends_ + now.center);
  State s;
  s.seen = in_body(place, now.pose);
  s.velocity = now.pose.rotation.transpose() * velocity;
  s.slack = e.speed_slack + e.spin_slack * length + 1e-14 * speed + 32.0 * unit_roundoff * sums;
  s.first = speed + s.slack;
  s.second = (e.acceleration + now.turning * length) * (1.0 + 1e-14);
  const double rest = now.end - now.t;
  s.bend = s.second + (2.0 * speed * (now.spin + e.spin_slack) + rest * speed * now.turning) * (1.0 + 1e-14);
  // No point is farther from the body's origin.
  const double seen = ends_ + now.translation;
  s.off = q_.pose_error.translation + q_.pose_error.rotation * seen + 80.0 * unit_roundoff * seen;
  s.whole = s.first * rest + 0.5 * s.second * rest * rest;
  return s;
}

bool PointTracer::is_listed(const State& state) const {
  if (list_.radius() == 0.0) return false;
  const double moved = (state.seen - list_.middle()).norm() + state.off;
  return list_.radius() - moved > q_.minimum + state.off + 0.25 * tail_;
}

PointTracer::Gap PointTracer::gap_at(const State& state) {
  if (is_listed(state)) {
    const Gap gap = near_gap(state);
    if (gap.step > 0.0 || gap.upper <= q_.tolerance) return gap;
  }
  list_.clear();
  const double taken = q_.minimum + state.off, far = 1.01 * state.whole + taken + q_.tolerance;
  if (const Gap rough = rough_gap(state, taken); rough.step > 0.0) return rough;
  SurfaceDistance::Bounds d = distance_(state.seen, -1.0, far);
  if (d.lower - q_.minimum < near_ && d.lower - taken <= state.whole) {
    // Of the triangle that the field names the distance is known better than that of the cell.
    double reach = d.upper;
    if (d.triangle >= 0) reach = std::min(reach, list_.distance_of(d.triangle, state.seen));
    if (list_.collect(state.seen, reach + tail_) || list_.collect(state.seen, reach + 0.1 * tail_)) {
      const Gap gap = near_gap(state);
      if (gap.step > 0.0 || gap.upper <= q_.tolerance) return gap;
    }
    list_.clear();
    if (q_.surface.field != nullptr) d = distance_(state.seen, infinite, far);
  }
  Gap gap;
  gap.lower = d.lower - taken;
  gap.upper = d.upper - q_.minimum + state.off;
  gap.step = step_of(state.first, state.second, gap.lower);
  return gap;
}

// Far away a coarse grid will do, and the box around the mesh: what is beyond one of its planes.
PointTracer::Gap PointTracer::rough_gap(const State& state, double taken) const {
  Gap gap;
  gap.upper = infinite;
  if (q_.surface.field == nullptr) return gap;
  const double lower = q_.surface.field->rough_bound(state.seen);
  if (lower < rough_) return gap;
  gap.lower = lower - taken;
  gap.step = step_of(state.first, state.second, gap.lower);
  const Vector3 out = state.seen - state.seen.cwiseMax(q_.box.lower).cwiseMin(q_.box.upper);
  const double away = out.norm();
  if (!(away > rough_)) return gap;
  const double closing = state.slack - state.velocity.dot(out) / away;
  gap.step = std::max(gap.step, directed_step(closing, state.bend, away * (1.0 - 1e-12) - taken));
  return gap;
}

PointTracer::Gap PointTracer::near_gap(const State& state) {
  NearMotion motion;
  motion.offset = state.seen - list_.middle();
  motion.velocity = state.velocity;
  motion.slack = state.slack;
  motion.bend = state.bend;
  motion.taken = q_.minimum + state.off;
  const NearLook look = list_.look(motion);
  // All others are beyond the list's ball.
  const double beyond = list_.radius() - (motion.offset.norm() * (1.0 + 1e-14) + state.off) - motion.taken;
  Gap gap;
  gap.lower = std::min(look.lower - motion.taken, beyond);
  gap.upper = look.upper - q_.minimum + state.off;
  gap.step = std::min(look.step, step_of(state.first, state.second, beyond));
  gap.in_list = look.upper <= beyond;
  return gap;
}

void PointTracer::describe(const State& state, const Moment& now, bool in_list, ParticleContact& result) {
  if (in_list) {
    // It comes from outside.
    const NearTriangles::Nearest found = list_.nearest(state.seen);
    result.point = state.seen;
    result.distance = std::sqrt(found.nearest.squared_distance);
    result.body_point = found.nearest.point;
    result.feature = found.nearest.feature;
    result.feature.part = found.triangle;
    result.normal = normal_at(q_.surface.shape.data(), result.feature);
    if (result.normal.dot(state.seen - result.body_point) < 0.0) result.normal = -result.normal;
  } else {
    distance_.describe(state.seen, result);
  }
  move(now.pose, result);
}

}  // namespace toccata::field
