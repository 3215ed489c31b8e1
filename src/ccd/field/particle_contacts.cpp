// Particles and segments are followed in time by steps that are proven free: with lower the least distance
// from the surface at t, and s + A delta / 2 a bound of the speed at which any of their points moves through
// the body's frame, nothing touches while s delta + A delta^2 / 2 < lower. (docs/notes/particle_bounds.md)
#include "toccata/ccd/field/particle_contacts.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/stop_watch.hpp"
#include "ccd/field/path_question.hpp"
#include "ccd/field/point_tracer.hpp"
#include "ccd/field/surface_distance.hpp"
#include "hierarchy/shape_data.hpp"
#include "proximity/point_distance/curve_order.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/base/tolerances.hpp"

namespace toccata {

using namespace field;

namespace {

constexpr std::size_t block = 256;
constexpr double infinite = std::numeric_limits<double>::infinity();

// Two points on straight lines.
struct MovingSegment {
  Vector3 start_t0, start_t1, end_t0, end_t1;
};

// Shapes without triangles, and strands.
class Tracer {
 public:
  explicit Tracer(const Question& q) : q_(q), distance_(q.surface) {}

  // precondition: no point of it is inside at the start
  ParticleContact first_contact(const MovingSegment& path) {
    ParticleContact result;
    Moment now = q_.first;
    for (std::int32_t step = 0; step < q_.budget; ++step) {
      ++steps_;
      const Speeds speeds = speeds_at(path, now);
      const double whole =
          speeds.first * (now.end - now.t) + 0.5 * speeds.second * (now.end - now.t) * (now.end - now.t);
      const Gap gap = gap_at(path, now, whole);
      if (gap.upper <= q_.tolerance) {
        result.status = now.t > 0.0 ? Status::Contact : Status::OverlapAtStart;
        result.time = now.t;
        result.parameter = gap.parameter;
        describe(gap.point, now.pose, result);
        return result;
      }
      if (gap.lower > whole) {
        if (now.end >= 1.0) return result;
        now = moment_at(q_.motion, now.end);
        continue;
      }
      const double delta = step_of(speeds.first, speeds.second, gap.lower);
      const double next = std::min(now.t + delta, now.end);
      if (!(next > now.t)) break;  // too fast for the clock
      if (next >= 1.0) return result;
      const Moment* const shared = q_.shared_moment(now.t, next);
      now = shared != nullptr ? *shared : moment_at(q_.motion, next);
    }
    result.status = Status::OutOfBudget;
    result.time = now.t;
    return result;
  }

  // Where a point is at the start, if it is in the body.
  bool starts_inside(const Vector3& point, ParticleContact& result) {
    const Vector3 seen = in_body(point, q_.first.pose);
    if (!distance_.is_inside(seen)) return false;
    result.status = Status::OverlapAtStart;
    result.time = 0.0;
    distance_.describe_inside(seen, result);
    move(q_.first.pose, result);
    return true;
  }

  std::int64_t steps() const { return steps_; }

 private:
  struct Speeds {
    double first = 0.0;
    double second = 0.0;
  };
  struct Gap {
    double lower = 0.0;  // of all points of the segment, less the minimum distance and what rounding does
    double upper = 0.0;  // of the point found
    Vector3 point = Vector3::Zero();
    double parameter = 0.0;
  };

  static Vector3 in_body(const Vector3& point, const Pose& pose) {
    return pose.rotation.transpose() * (point - pose.translation);
  }
  static Vector3 place(const Vector3& t0, const Vector3& t1, double t) { return t0 + t * (t1 - t0); }

  // Of the segment's ends, which are the fastest: the bounds are convex along it.
  Speeds speeds_at(const MovingSegment& path, const Moment& now) const {
    const MotionExpansion& e = now.expansion;
    Speeds speeds;
    const auto add = [&](const Vector3& t0, const Vector3& t1) {
      const Vector3 arm = place(t0, t1, now.t) - e.center;
      const double length = arm.norm();
      const double first = (t1 - t0 - e.velocity - e.angular_velocity.cross(arm)).norm() + e.speed_slack +
                           e.spin_slack * length;
      const double second = e.acceleration + (e.spin_acceleration + e.axial_acceleration) * length;
      // A dozen roundings of what the sums are made of.
      const double sums = t0.norm() + t1.norm() + e.center.norm() + e.velocity.norm() +
                          e.angular_velocity.norm() * (length + t0.norm() + t1.norm() + e.center.norm());
      speeds.first = std::max(speeds.first, first * (1.0 + 1e-14) + 32.0 * unit_roundoff * sums);
      speeds.second = std::max(speeds.second, second * (1.0 + 1e-14));
    };
    add(path.start_t0, path.start_t1);
    if (path.end_t0 != path.start_t0 || path.end_t1 != path.start_t1) add(path.end_t0, path.end_t1);
    return speeds;
  }

  double rounding_at(const Vector3& world, const Vector3& seen, const Pose& pose) const {
    return q_.pose_error.translation + q_.pose_error.rotation * seen.norm() +
           32.0 * unit_roundoff * (world.norm() + pose.translation.norm() + seen.norm());
  }

  // far: a gap beyond that is as good as any.
  Gap gap_at(const MovingSegment& path, const Moment& now, double far) {
    const Vector3 start = place(path.start_t0, path.start_t1, now.t),
                  end = place(path.end_t0, path.end_t1, now.t);
    const Vector3 a = in_body(start, now.pose), b = in_body(end, now.pose);
    const double off = std::max(rounding_at(start, a, now.pose), rounding_at(end, b, now.pose));
    const double length = (b - a).norm() * (1.0 + 1e-14);
    Gap gap;
    gap.lower = gap.upper = infinite;
    pieces_.assign(1, {0.0, 1.0});
    while (!pieces_.empty()) {
      const Piece piece = pieces_.back();
      pieces_.pop_back();
      const double middle = 0.5 * (piece.begin + piece.end), half = 0.5 * (piece.end - piece.begin) * length;
      const Vector3 point = a + middle * (b - a);
      const SurfaceDistance::Bounds d =
          distance_(point, near_ + q_.minimum + half, 1.01 * far + q_.minimum + half + off + q_.tolerance);
      const double upper = d.upper - q_.minimum + off, lower = d.lower - half - q_.minimum - off;
      if (upper < gap.upper) {
        gap.upper = upper;
        gap.point = point;
        gap.parameter = middle;
        if (upper <= q_.tolerance) return gap;
      }
      // Good enough if it rules out all of the time, or is a fair share of the gap that is known.
      if (lower > far || lower >= 0.25 * gap.upper || half == 0.0) {
        gap.lower = std::min(gap.lower, lower);
        continue;
      }
      pieces_.push_back({middle, piece.end});
      pieces_.push_back({piece.begin, middle});
    }
    return gap;
  }

  void describe(const Vector3& seen, const Pose& pose, ParticleContact& result) {
    distance_.describe(seen, result);
    move(pose, result);
  }
  static void move(const Pose& pose, ParticleContact& result) {
    result.point = pose.apply(result.point);
    result.body_point = pose.apply(result.body_point);
    result.normal = pose.rotation * result.normal;
  }

  struct Piece {
    double begin, end;
  };

  const Question& q_;
  SurfaceDistance distance_;
  double near_ = q_.surface.field != nullptr ? 4.0 * q_.surface.field->error() : 0.0;
  std::vector<Piece> pieces_;
  std::int64_t steps_ = 0;
};

std::string fault_of(std::span<const Vector3> points_t0, std::span<const Vector3> points_t1) {
  if (points_t0.size() != points_t1.size())
    return std::to_string(points_t0.size()) + " points at t = 0, but " + std::to_string(points_t1.size()) +
           " at t = 1";
  for (const auto& [points, when] : {std::pair(points_t0, "t = 0"), std::pair(points_t1, "t = 1")}) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!(points[i].cwiseAbs().maxCoeff() <= 1e30))
        return "point " + std::to_string(i) + " at " + when +
               " is not finite, or farther than 1e30 from the origin";
    }
  }
  return {};
}

std::string fault_of(const ParticleOptions& options) {
  if (options.tolerance && !(*options.tolerance >= 0.0 && std::isfinite(*options.tolerance)))
    return "tolerance must be at least 0";
  if (!(options.minimum_distance >= 0.0 && std::isfinite(options.minimum_distance)))
    return "minimum_distance must be at least 0";
  if (options.budget < 1) return "budget must be at least 1";
  return failure_of(options.stop);
}

bool has_triangles(const Shape& shape) {
  return shape.is_mesh() && !shape.mesh().faces.empty();
}

Question question_of(Surface surface, const Motion& motion, std::span<const Vector3> points_t0,
                     std::span<const Vector3> points_t1, const ParticleOptions& options) {
  const double size = std::isfinite(surface.shape.size()) ? surface.shape.size() : 1.0;
  double lengths = surface.shape.data().center.norm() + size + motion.pose(0.0).translation.norm() +
                   motion.pose(1.0).translation.norm();
  double farthest = 0.0;
  for (const Vector3& p : points_t0) farthest = std::max(farthest, p.squaredNorm());
  for (const Vector3& p : points_t1) farthest = std::max(farthest, p.squaredNorm());
  lengths += std::sqrt(farthest);
  surface.is_full = options.solid && surface.shape.is_closed();
  surface.refine = options.refine;
  Question q{surface,
             motion,
             motion.pose_error(),
             options.tolerance.value_or(tolerances::relative_contact * size),
             options.minimum_distance,
             options.budget,
             moment_at(motion, 0.0),
             {},
             {},
             {}};
  if (has_triangles(surface.shape)) {
    q.box = fit<Aabb>(surface.shape.mesh().vertices);
    // A few such calls pay for it. By the question alone: answers must not depend on what was asked before.
    if (points_t0.size() * 8 >= surface.shape.mesh().faces.size())
      q.walked = hierarchy::ray_tree_at_once(surface.shape.data());
  }
  q.share_moments(points_t0.size());
  q.tolerance = std::max(q.tolerance, 1e-9 * lengths);
  if (surface.field != nullptr && !options.refine)
    q.tolerance = std::max(q.tolerance, 3.0 * surface.field->error());
  return q;
}

// answer(tracer, i) for each of `count`, in the order given; fetch(i) some answers sooner, if there is an
// order.
template <typename Tracer, typename Answer, typename Fetch>
ParticleContacts answer_all(std::size_t count, std::span<const std::uint32_t> order, const Question& q,
                            const ParticleOptions& options, Answer&& answer, Fetch&& fetch) {
  constexpr std::size_t ahead = 4;
  ParticleContacts result;
  result.paths.resize(count);
  const StopWatch watch(options.stop);
  std::atomic<std::int64_t> steps = 0, contacts = 0;
  parallel_blocks(count, block, options.threads, [&](std::size_t begin, std::size_t end) {
    Tracer tracer(q);
    std::int64_t found = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t i = order.empty() ? k : order[k];
      if (watch.or_null() != nullptr && watch.is_over()) {
        result.paths[i].status = Status::OutOfBudget;
        result.paths[i].time = 0.0;
        continue;
      }
      if (!order.empty() && k + ahead < end) fetch(order[k + ahead]);
      result.paths[i] = answer(tracer, i);
      found += result.paths[i].status == Status::Contact || result.paths[i].status == Status::OverlapAtStart;
    }
    steps += tracer.steps();
    contacts += found;
  });
  result.steps = steps;
  result.contacts = contacts;
  return result;
}

ParticleContacts particles(const PointPaths& paths, const Surface& surface, const Motion& motion,
                           const ParticleOptions& options) {
  ParticleContacts result;
  result.failure = fault_of(paths.points_t0, paths.points_t1);
  if (result.failure.empty()) result.failure = fault_of(options);
  if (!result.failure.empty()) return result;
  const Question q = question_of(surface, motion, paths.points_t0, paths.points_t1, options);
  const std::vector<std::uint32_t> order = point_distance::order_along_curve(paths.points_t0);
  const auto answer = [&](auto& tracer, std::size_t i) {
    ParticleContact contact;
    const Vector3 &from = paths.points_t0[i], &to = paths.points_t1[i];
    if (tracer.starts_inside(from, contact)) return contact;
    return tracer.first_contact({from, to, from, to});
  };
  const auto fetch = [&](std::size_t i) {
    __builtin_prefetch(&paths.points_t0[i]);
    __builtin_prefetch(&paths.points_t1[i]);
  };
  return has_triangles(surface.shape)
             ? answer_all<PointTracer>(paths.points_t0.size(), order, q, options, answer, fetch)
             : answer_all<Tracer>(paths.points_t0.size(), order, q, options, answer, fetch);
}

ParticleContacts strands(const StrandPaths& paths, const Surface& surface, const Motion& motion,
                         const ParticleOptions& options) {
  ParticleContacts result;
  const PolylineSet& set = paths.strands_t0;
  result.failure = set.is_valid() ? fault_of(set.points, paths.points_t1)
                                  : "the strands' first points do not run from 0 to the number of points";
  if (result.failure.empty()) result.failure = fault_of(options);
  if (!result.failure.empty()) return result;
  const Question q = question_of(surface, motion, set.points, paths.points_t1, options);
  const auto answer = [&](Tracer& tracer, std::size_t i) {
    const auto begin = static_cast<std::size_t>(set.first[i]),
               end = static_cast<std::size_t>(set.first[i + 1]);
    ParticleContact first;
    // The deepest of the points that start inside.
    for (std::size_t k = begin; k < end; ++k) {
      ParticleContact contact;
      if (!tracer.starts_inside(set.points[k], contact)) continue;
      const bool is_last = k + 1 == end && k > begin;
      contact.segment = static_cast<std::int32_t>(k - begin) - (is_last ? 1 : 0);
      contact.parameter = is_last ? 1.0 : 0.0;
      if (first.status == Status::Separated || contact.distance < first.distance) first = contact;
    }
    if (first.status != Status::Separated) return first;
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t next = std::min(k + 1, end - 1);
      if (next == k && k > begin) break;
      ParticleContact contact =
          tracer.first_contact({set.points[k], paths.points_t1[k], set.points[next], paths.points_t1[next]});
      contact.segment = static_cast<std::int32_t>(k - begin);
      if (contact.status == Status::Separated) continue;
      if (first.status == Status::Separated || contact.time < first.time) first = contact;
    }
    return first;
  };
  return answer_all<Tracer>(set.size(), {}, q, options, answer, [](std::size_t) {});
}

}  // namespace

ParticleContacts first_contacts(const PointPaths& paths, const Body& body, const ParticleOptions& options) {
  return particles(paths, {body.shape}, *body.motion, options);
}
ParticleContacts first_contacts(const PointPaths& paths, const FieldBody& body,
                                const ParticleOptions& options) {
  return particles(paths, {body.field.shape(), &body.field}, *body.motion, options);
}
ParticleContacts first_contacts(const StrandPaths& paths, const Body& body, const ParticleOptions& options) {
  return strands(paths, {body.shape}, *body.motion, options);
}
ParticleContacts first_contacts(const StrandPaths& paths, const FieldBody& body,
                                const ParticleOptions& options) {
  return strands(paths, {body.field.shape(), &body.field}, *body.motion, options);
}

}  // namespace toccata
