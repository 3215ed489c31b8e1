#include "toccata/ccd/rigid/contact_solver.hpp"

#include <limits>
#include <string>
#include <utility>

#include "ccd/rigid/closest_approach.hpp"
#include "ccd/rigid/question_failure.hpp"
#include "ccd/rigid/rigid_query.hpp"
#include "ccd/rigid/seen_motions.hpp"
#include "ccd/rigid/warm_start/known_clearance.hpp"
#include "hierarchy/shape_parts.hpp"

namespace toccata {

using namespace rigid;

namespace {

// What a search that finds nothing answers.
FirstContactResult separated(const RigidQuery& query) {
  FirstContactResult result;
  result.pose_a = query.motion_a.pose(1.0);
  result.pose_b = query.motion_b.pose(1.0);
  result.minimum_distance = query.options.minimum_distance;
  return result;
}

}  // namespace

struct ContactSolver::Memory {
  warm_start::KnownClearance clearance;
  ApproachMemory approach;
  std::string failure;  // of a body that cannot be solid
};

ContactSolver::ContactSolver(Shape shape_a, Shape shape_b, const FirstContactOptions& options)
    : shape_a_(std::move(shape_a)),
      shape_b_(std::move(shape_b)),
      options_(options),
      memory_(std::make_unique<Memory>()) {
  memory_->failure = failure_of(Body{shape_a_}, Body{shape_b_});
}
ContactSolver::ContactSolver(const Body& a, const Body& b, const FirstContactOptions& options)
    : ContactSolver(a.shape, b.shape, options) {
  solid_a_ = a.solid;
  solid_b_ = b.solid;
  memory_->failure = failure_of(Body{a.shape, {}, a.solid}, Body{b.shape, {}, b.solid});
  if (!(a.solid || b.solid) || !memory_->failure.empty()) return;
  // Now, rather than in the first question.
  parts_of(a.shape.data());
  parts_of(b.shape.data());
}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

FirstContactResult ContactSolver::first_contact(const Motion& motion_a, const Motion& motion_b) {
  std::string failure = failure_of(options_);
  if (failure.empty()) failure = memory_->failure;
  if (failure.empty()) failure = failure_of_method(options_.method, shape_a_, shape_b_);
  if (failure.empty()) failure = failure_of_motions(motion_a, motion_b);
  if (!failure.empty()) return failed(std::move(failure));
  const double tolerance =
      resolved_tolerance(shape_a_, shape_b_, options_.tolerance, options_.relative_tolerance);
  const StopWatch watch(options_.stop);
  const RigidQuery query = {
      {shape_a_, motion_a, solid_a_, shape_b_, motion_b, solid_b_}, tolerance, options_, watch.or_null()};
  const SeenMotions seen({&shape_a_.data(), &motion_a}, {&shape_b_.data(), &motion_b});
  const double reach = options_.minimum_distance + tolerance;
  // Of solids, too: when last looked at, neither was inside the other, and surfaces that stay apart on the
  // way from there leave it so.
  if (memory_->clearance.proves_apart(seen.a, seen.b, reach)) return separated(query);
  FirstContactResult result = answered(query, memory_->approach.search);
  if (result.status == Status::Separated) memory_->clearance.learn(seen.a, seen.b, reach, result.stats);
  return result;
}

ClosestApproachResult ContactSolver::closest_approach(const Motion& motion_a, const Motion& motion_b,
                                                      const ClosestApproachOptions& options) {
  if (!memory_->failure.empty()) {
    ClosestApproachResult result;
    result.status = Status::Failed;
    result.distance = std::numeric_limits<double>::infinity();
    result.failure = memory_->failure;
    return result;
  }
  return closest_approach_of({shape_a_, motion_a, solid_a_, shape_b_, motion_b, solid_b_}, options,
                             memory_->approach);
}

}  // namespace toccata
