#include "ccd/rigid/question_failure.hpp"

#include <cmath>

#include "base/stop_watch.hpp"
#include "motion/finite_motion.hpp"

namespace toccata::rigid {
namespace {

bool is_length(double x) {
  return x >= 0.0 && std::isfinite(x);
}

std::string failure_of_body(const Body& body, const char* which) {
  if (!body.motion.shared())
    return std::string("the ") + which + " body has no motion: give it a pose or a motion";
  if (!body.solid) return {};
  const std::optional<std::string> open = body.shape.open_edges();
  if (!open) return {};
  return std::string("the ") + which + " body cannot be solid, since its mesh is not closed: " + *open +
         "; close it, or ask for a surface";
}

}  // namespace

std::string failure_of_motions(const Motion& a, const Motion& b) {
  const bool first = !is_finite(a);
  if (!first && is_finite(b)) return {};
  return std::string("the motion of the ") + (first ? "first" : "second") +
         " body is not finite: a pose, velocity or bound of it is infinite or not a number";
}

std::string failure_of(const Body& a, const Body& b) {
  std::string failure = failure_of_body(a, "first");
  if (failure.empty()) failure = failure_of_body(b, "second");
  if (failure.empty()) failure = failure_of_motions(*a.motion, *b.motion);
  return failure;
}

std::string failure_of_tolerance(const std::optional<double>& tolerance, double relative_tolerance) {
  if (tolerance && !is_length(*tolerance))
    return "tolerance is " + std::to_string(*tolerance) +
           ", but must be a distance of at least 0 (relative_tolerance is the share of the bodies' size)";
  if (!is_length(relative_tolerance))
    return "relative_tolerance is " + std::to_string(relative_tolerance) + ", but must be at least 0";
  return {};
}

std::string failure_of_budget(std::int64_t budget) {
  if (budget >= 0) return {};
  return "budget is " + std::to_string(budget) + ", but must be at least 0 (0 = no limit)";
}

std::string failure_of(const FirstContactOptions& options) {
  std::string failure = failure_of_tolerance(options.tolerance, options.relative_tolerance);
  if (!failure.empty()) return failure;
  if (!is_length(options.minimum_distance))
    return "minimum_distance is " + std::to_string(options.minimum_distance) +
           ", but must be a distance of at least 0";
  failure = failure_of_budget(options.budget);
  return failure.empty() ? toccata::failure_of(options.stop) : failure;
}

}  // namespace toccata::rigid
