#include "toccata/ccd/rigid/first_contact.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ccd/rigid/advancement.hpp"
#include "ccd/rigid/contact_of.hpp"
#include "ccd/rigid/rigid_query.hpp"
#include "ccd/rigid/rigid_shape_data.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata {
namespace {

int compared(double x, double y) {
  return x < y ? -1 : (x > y ? 1 : 0);
}

int compared(const Pose& a, const Pose& b) {
  for (int i = 0; i < 3; ++i) {
    if (const int c = compared(a.translation[i], b.translation[i])) return c;
  }
  for (int i = 0; i < 9; ++i) {
    if (const int c = compared(a.rotation(i / 3, i % 3), b.rotation(i / 3, i % 3))) return c;
  }
  return 0;
}

// An order of the two sides that does not depend on how they are named: it makes the answers symmetric.
bool is_reversed(const RigidShape& shape_a, const Motion& motion_a, const RigidShape& shape_b,
                 const Motion& motion_b) {
  const auto count_a = shape_a.mesh().faces.size();
  const auto count_b = shape_b.mesh().faces.size();
  if (count_a != count_b) return count_a < count_b;
  const RigidShapeData& a = shape_a.data();
  const RigidShapeData& b = shape_b.data();
  if (const int c = compared(a.radius, b.radius)) return c < 0;
  for (int i = 0; i < 3; ++i) {
    if (const int c = compared(a.center[i], b.center[i])) return c < 0;
  }
  if (const int c = compared(motion_a.pose(0.0), motion_b.pose(0.0))) return c < 0;
  if (const int c = compared(motion_a.pose(1.0), motion_b.pose(1.0))) return c < 0;
  return compared(motion_a.pose(0.5), motion_b.pose(0.5)) < 0;
}

FirstContactResult solved(const RigidQuery& query, AdvancementMemory& memory) {
  const bool reversed = is_reversed(query.shape_a, query.motion_a, query.shape_b, query.motion_b);
  MovingShape a{&query.shape_a.data(), &query.motion_a};
  MovingShape b{&query.shape_b.data(), &query.motion_b};
  if (reversed) std::swap(a, b);
  AdvancementQuestion question{
      a, b, 0.0, 1.0, query.options.minimum_distance, query.tolerance, query.options.budget};
  AdvancementAnswer answer = advance_to_contact(question, memory);
  if (reversed) std::swap(answer.triangle_a, answer.triangle_b);
  FirstContactResult result;
  result.stats = answer.stats;
  result.time = result.lower = answer.time;
  result.pose_a = query.motion_a.pose(answer.time);
  result.pose_b = query.motion_b.pose(answer.time);
  if (answer.ending == AdvancementAnswer::Ending::OutOfBudget) {
    result.status = Status::OutOfBudget;
  } else if (answer.ending == AdvancementAnswer::Ending::Contact) {
    result.status = answer.time == 0.0 ? Status::OverlapAtStart : Status::Contact;
    result.contact = contact_of(query.shape_a, result.pose_a, answer.triangle_a, query.shape_b, result.pose_b,
                                answer.triangle_b);
    result.distance = result.contact.distance;
    result.contacts = {result.contact};
    if (answer.time == 0.0) result.upper = 0.0;
  }
  return result;
}

}  // namespace

double resolved_tolerance(const RigidShape& shape_a, const RigidShape& shape_b, double tolerance) {
  const double size = std::min(shape_a.size(), shape_b.size());
  return tolerance >= 0.0 ? tolerance : -tolerance * size;
}

FirstContactResult advancement_first_contact(const RigidQuery& query) {
  AdvancementMemory memory;
  return solved(query, memory);
}

FirstContactResult first_contact(const RigidShape& shape_a, const Motion& motion_a, const RigidShape& shape_b,
                                 const Motion& motion_b, const RigidContactOptions& options) {
  const RigidQuery query{
      shape_a, motion_a, shape_b, motion_b, resolved_tolerance(shape_a, shape_b, options.tolerance), options};
  return advancement_first_contact(query);
}

struct RigidContactSolver::Memory {
  AdvancementMemory advancement;
};

RigidContactSolver::RigidContactSolver(RigidShape shape_a, RigidShape shape_b,
                                       const RigidContactOptions& options)
    : shape_a_(std::move(shape_a)),
      shape_b_(std::move(shape_b)),
      options_(options),
      memory_(std::make_unique<Memory>()) {}
RigidContactSolver::~RigidContactSolver() = default;
RigidContactSolver::RigidContactSolver(RigidContactSolver&&) noexcept = default;
RigidContactSolver& RigidContactSolver::operator=(RigidContactSolver&&) noexcept = default;

FirstContactResult RigidContactSolver::first_contact(const Motion& motion_a, const Motion& motion_b) {
  const RigidQuery query{
      shape_a_, motion_a, shape_b_, motion_b, resolved_tolerance(shape_a_, shape_b_, options_.tolerance),
      options_};
  return solved(query, memory_->advancement);
}

std::vector<FirstContactResult> first_contacts(const RigidShape& shape_a, const RigidShape& shape_b,
                                               std::span<const MotionPair> motions,
                                               const RigidContactOptions& options, int threads) {
  std::vector<FirstContactResult> results(motions.size());
  parallel_blocks(motions.size(), 8, threads, [&](std::size_t begin, std::size_t end) {
    RigidContactSolver solver(shape_a, shape_b, options);
    for (std::size_t i = begin; i < end; ++i)
      results[i] = solver.first_contact(*motions[i].motion_a, *motions[i].motion_b);
  });
  return results;
}

}  // namespace toccata
