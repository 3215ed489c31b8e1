#include "ccd/rigid/question_failure.hpp"

#include <algorithm>
#include <cmath>
#include <typeinfo>

#include "base/number_text.hpp"
#include "base/stop_watch.hpp"
#include "hierarchy/length_limits.hpp"
#include "hierarchy/shape_data.hpp"
#include "motion/finite_motion.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::rigid {
namespace {

bool is_near(const Motion& motion) {
  // The most usual motion without its last pose: it gets no farther than all its ways together.
  if (typeid(motion) == typeid(RigidMotion)) {
    const auto& rigid = static_cast<const RigidMotion&>(motion);
    const double way = rigid.pose_t0().translation.lpNorm<1>() + rigid.velocity().lpNorm<1>() +
                       2.0 * rigid.reference().lpNorm<1>();
    if (2.0 * way <= largest_length) return true;
  }
  return motion.pose(0.0).translation.norm() <= largest_length &&
         (motion.is_fixed() || motion.pose(1.0).translation.norm() <= largest_length);
}

bool is_length(double x) {
  return x >= 0.0 && std::isfinite(x);
}

std::string failure_of_body(const Body& body, const char* which) {
  if (!body.motion.shared())
    return std::string("the ") + which + " body has no motion: give it a pose or a motion";
  std::string failure = failure_of_lengths(body.shape.data(), std::string("the ") + which + " body");
  if (!failure.empty() || !body.solid) return failure;
  const std::optional<std::string> open = body.shape.open_edges();
  if (!open) return {};
  return std::string("the ") + which + " body cannot be solid, since its mesh is not closed: " + *open +
         "; close it, or ask for a surface";
}

// The most usual body at a glance: none of its numbers is large, hence all are finite. No says nothing.
bool is_plainly_sound(const Body& body) {
  const Motion* motion = body.motion.shared().get();
  if (motion == nullptr || body.solid || typeid(*motion) != typeid(RigidMotion)) return false;
  const ShapeData& shape = body.shape.data();
  const auto& rigid = static_cast<const RigidMotion&>(*motion);
  const Pose& start = rigid.pose_t0();
  const PoseError error = rigid.pose_error();
  const double sum = shape.center.lpNorm<1>() + shape.radius + start.translation.lpNorm<1>() +
                     start.rotation.lpNorm<1>() + rigid.velocity().lpNorm<1>() +
                     rigid.angular_velocity().lpNorm<1>() + rigid.reference().lpNorm<1>() +
                     error.translation + error.rotation;
  return shape.radius >= smallest_size && 4.0 * sum <= largest_length;
}

}  // namespace

std::string failure_of_method(RigidMethod method, const Shape& a, const Shape& b) {
  if (method == RigidMethod::Advancement || (a.is_mesh() && b.is_mesh())) return {};
  const bool first = !a.is_mesh();
  return "the method " + std::string(to_string(method)) + " takes meshes only, but the " +
         (first ? "first" : "second") + " body is a " + std::string(kind_of((first ? a : b).geometry())) +
         "; ask the method advancement";
}

std::string failure_of_motions(const Motion& a, const Motion& b) {
  const auto which = [](bool first) {
    return std::string("the motion of the ") + (first ? "first" : "second") + " body ";
  };
  const bool first = !is_finite(a);
  if (first || !is_finite(b))
    return which(first) + "is not finite: a pose, velocity or bound of it is infinite or not a number";
  const bool first_is_far = !is_near(a);
  if (first_is_far || !is_near(b))
    return which(first_is_far) + "leads farther than " + number_text(largest_length) +
           " from the origin: choose a larger unit of length";
  return {};
}

std::string failure_of(const Body& a, const Body& b) {
  if (is_plainly_sound(a) && is_plainly_sound(b)) return {};
  std::string failure = failure_of_body(a, "first");
  if (failure.empty()) failure = failure_of_body(b, "second");
  if (failure.empty()) failure = failure_of_motions(*a.motion, *b.motion);
  return failure;
}

std::string failure_of_tolerance(const std::optional<double>& tolerance, double relative_tolerance) {
  if (tolerance && !is_length(*tolerance))
    return "tolerance is " + number_text(*tolerance) +
           ", but must be a distance of at least 0 (relative_tolerance is the share of the bodies' size)";
  if (!is_length(relative_tolerance))
    return "relative_tolerance is " + number_text(relative_tolerance) + ", but must be at least 0";
  return {};
}

std::string failure_of_budget(std::int64_t budget) {
  if (budget >= 0) return {};
  return "budget is " + std::to_string(budget) + ", but must be at least 0 (0 = no limit)";
}

std::string failure_of(const FirstContactOptions& options) {
  // The most usual options at a glance.
  if (!options.tolerance && is_length(options.relative_tolerance) && is_length(options.minimum_distance) &&
      options.budget >= 0)
    return toccata::failure_of(options.stop);
  std::string failure = failure_of_tolerance(options.tolerance, options.relative_tolerance);
  if (!failure.empty()) return failure;
  if (!is_length(options.minimum_distance))
    return "minimum_distance is " + number_text(options.minimum_distance) +
           ", but must be a distance of at least 0";
  failure = failure_of_budget(options.budget);
  return failure.empty() ? toccata::failure_of(options.stop) : failure;
}

}  // namespace toccata::rigid
