#include "toccata/ccd/rigid/first_contact.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "ccd/rigid/advancement.hpp"
#include "ccd/rigid/closest_approach.hpp"
#include "ccd/rigid/contact_exit.hpp"
#include "ccd/rigid/contact_of.hpp"
#include "ccd/rigid/controlled.hpp"
#include "ccd/rigid/interval.hpp"
#include "ccd/rigid/known_clearance.hpp"
#include "ccd/rigid/obb_tree.hpp"
#include "ccd/rigid/persistence.hpp"
#include "ccd/rigid/rigid_query.hpp"
#include "ccd/rigid/rigid_shape_data.hpp"
#include "ccd/rigid/screw.hpp"
#include "ccd/rigid/seen_motions.hpp"
#include "ccd/rigid/static_pair.hpp"
#include "ccd/rigid/touching_triangles.hpp"
#include "ccd/rigid/triangle_steps.hpp"
#include "motion/finite_motion.hpp"
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

// The first time after t at which the pair that touched is seen to pierce: probes further and further ahead.
double proven_upper(const RigidQuery& query, const MovingShape& a, const MovingShape& b,
                    const AdvancementAnswer& answer) {
  if (query.options.minimum_distance > 0.0) return 1.0;
  PairStates states(a, b);
  const auto corners_a = corners_of(*a.shape, answer.triangle_a);
  const auto corners_b = corners_of(*b.shape, answer.triangle_b);
  double ahead = 2e-8;
  for (int probe = 0; probe < 8; ++probe, ahead *= 6.0) {
    const double t = answer.time + ahead;
    if (t >= 1.0) break;
    const PairState state = states.at(t, t);
    const TrianglePairState pair = triangle_pair_state(state, corners_a, corners_b);
    if (piercing_margin(pair.a, pair.b) > 2.0 * state.gap_padding) return t;
  }
  // A corner that meets an edge pierces only with some of the triangles at it: ask the others, near and far.
  QueryStats unused;
  for (const double probe : {1.2e-7, 2.6e-5}) {
    const double t = answer.time + probe;
    if (t >= 1.0) break;
    const PairState state = states.at(t, t);
    for (const NearestTriangles& near : touching_triangles(state, *a.shape, *b.shape, 0.0, 16, unused)) {
      const TrianglePairState pair = triangle_pair_state(state, corners_of(*a.shape, near.triangle_a),
                                                         corners_of(*b.shape, near.triangle_b));
      if (piercing_margin(pair.a, pair.b) > 2.0 * state.gap_padding) return t;
    }
  }
  return 1.0;
}

// The contact with its two sides exchanged.
Contact exchanged(Contact c) {
  std::swap(c.point_a, c.point_b);
  std::swap(c.triangle_a, c.triangle_b);
  std::swap(c.feature_a, c.feature_b);
  c.normal = -c.normal;
  return c;
}

// Computed in the order that does not depend on names.
Contact named_contact(const RigidQuery& q, const FirstContactResult& at, bool reversed, std::int32_t id_a,
                      std::int32_t id_b) {
  if (!reversed) return contact_of(q.shape_a, at.pose_a, id_a, q.shape_b, at.pose_b, id_b);
  return exchanged(contact_of(q.shape_b, at.pose_b, id_b, q.shape_a, at.pose_a, id_a));
}

void fill_contacts(const RigidQuery& query, bool reversed, FirstContactResult& result) {
  result.contacts = {result.contact};
  if (!query.options.all_contacts) return;
  PairStates states({&query.shape_a.data(), &query.motion_a}, {&query.shape_b.data(), &query.motion_b});
  const auto pairs =
      triangles_within(states.at(result.time, result.time), query.shape_a.data(), query.shape_b.data(),
                       query.options.minimum_distance + query.tolerance, result.stats);
  result.contacts.clear();
  for (const NearestTriangles& pair : pairs) {
    result.contacts.push_back(named_contact(query, result, reversed, pair.triangle_a, pair.triangle_b));
  }
  if (result.contacts.empty()) result.contacts = {result.contact};
}

AdvancementAnswer searched(RigidMethod method, const AdvancementQuestion& question,
                           AdvancementMemory& memory) {
  switch (method) {
    case RigidMethod::Controlled:
      return controlled_to_contact(question);
    case RigidMethod::Interval:
      return interval_to_contact(question);
    case RigidMethod::Screw:
      return screw_to_contact(question);
    case RigidMethod::Advancement:
      break;
  }
  return advance_to_contact(question, memory);
}

FirstContactResult solved(const RigidQuery& query, AdvancementMemory& memory, double begin) {
  const bool reversed = is_reversed(query.shape_a, query.motion_a, query.shape_b, query.motion_b);
  MovingShape a{&query.shape_a.data(), &query.motion_a};
  MovingShape b{&query.shape_b.data(), &query.motion_b};
  if (reversed) std::swap(a, b);
  const SeenMotions seen(a, b);
  AdvancementAnswer answer = searched(
      query.options.method,
      {seen.a, seen.b, begin, 1.0, query.options.minimum_distance, query.tolerance, query.options.budget},
      memory);
  FirstContactResult result;
  result.stats = answer.stats;
  result.time = result.lower = answer.time;
  result.pose_a = query.motion_a.pose(answer.time);
  result.pose_b = query.motion_b.pose(answer.time);
  if (answer.ending == AdvancementAnswer::Ending::OutOfBudget) {
    result.status = Status::OutOfBudget;
  } else if (answer.ending == AdvancementAnswer::Ending::Contact) {
    result.status = answer.time == 0.0 ? Status::OverlapAtStart : Status::Contact;
    result.upper = answer.time == 0.0 ? 0.0 : proven_upper(query, seen.a, seen.b, answer);
    if (reversed) std::swap(answer.triangle_a, answer.triangle_b);
    result.contact = named_contact(query, result, reversed, answer.triangle_a, answer.triangle_b);
    result.distance = result.contact.distance;
    fill_contacts(query, reversed, result);
  }
  return result;
}

// The time resolution with which bodies that touch at the start are seen to come apart.
constexpr double exit_resolution = 1e-6;

// InitialContact::Skip: leaves the first contact behind, then asks again.
FirstContactResult after_initial_contact(const RigidQuery& query, AdvancementMemory& memory,
                                         const FirstContactResult& start) {
  MovingShape a{&query.shape_a.data(), &query.motion_a};
  MovingShape b{&query.shape_b.data(), &query.motion_b};
  if (is_reversed(query.shape_a, query.motion_a, query.shape_b, query.motion_b)) std::swap(a, b);
  FirstContactResult result = start;
  const auto left = [&] {
    const std::int64_t used = work_of(result.stats);
    return query.options.budget > 0 ? std::max<std::int64_t>(1, query.options.budget - used) : 0;
  };
  const double reach = query.options.minimum_distance + query.tolerance;
  const SeenMotions seen(a, b);
  const ContactExit exit = contact_exit(seen.a, seen.b, 0.0, {reach, exit_resolution, left()}, result.stats);
  if (exit.out_of_budget) {
    FirstContactResult ended;
    ended.status = Status::OutOfBudget;
    ended.time = ended.lower = exit.lower;
    ended.pose_a = query.motion_a.pose(exit.lower);
    ended.pose_b = query.motion_b.pose(exit.lower);
    ended.stats = result.stats;
    return ended;
  }
  if (exit.still_touching) return result;
  const QueryStats before = result.stats;
  RigidContactOptions options = query.options;
  options.budget = left();
  result = solved({query.shape_a, query.motion_a, query.shape_b, query.motion_b, query.tolerance, options},
                  memory, exit.upper);
  result.stats.node_pairs += before.node_pairs;
  result.stats.triangle_pairs += before.triangle_pairs;
  result.stats.steps += before.steps;
  return result;
}

FirstContactResult answered(const RigidQuery& query, AdvancementMemory& memory) {
  if (!is_finite(query.motion_a) || !is_finite(query.motion_b)) {
    FirstContactResult nothing_proven;
    nothing_proven.status = Status::OutOfBudget;
    nothing_proven.time = nothing_proven.lower = 0.0;
    return nothing_proven;
  }
  const FirstContactResult result = solved(query, memory, 0.0);
  if (result.status != Status::OverlapAtStart || query.options.initial_contact == InitialContact::Report)
    return result;
  return after_initial_contact(query, memory, result);
}

// What a search that finds nothing answers.
FirstContactResult separated(const RigidQuery& query) {
  FirstContactResult result;
  result.pose_a = query.motion_a.pose(1.0);
  result.pose_b = query.motion_b.pose(1.0);
  return result;
}

RigidQuery query_of(const RigidShape& shape_a, const Motion& motion_a, const RigidShape& shape_b,
                    const Motion& motion_b, const RigidContactOptions& options) {
  return {shape_a, motion_a, shape_b, motion_b, resolved_tolerance(shape_a, shape_b, options.tolerance),
          options};
}

}  // namespace

double resolved_tolerance(const RigidShape& shape_a, const RigidShape& shape_b, double tolerance) {
  const double smaller = std::min(shape_a.size(), shape_b.size());
  const double larger = std::max(shape_a.size(), shape_b.size());
  const double size = std::max(smaller, 1e-3 * larger);
  return tolerance >= 0.0 ? tolerance : -tolerance * size;
}

void prepare(const RigidShape& shape, RigidMethod method) {
  switch (method) {
    case RigidMethod::Advancement:
      return;
    case RigidMethod::Controlled:
      return prepare_controlled(shape.data());
    case RigidMethod::Interval:
    case RigidMethod::Screw:
      obb_tree_of({&shape.data(), nullptr});
      return;
  }
}

FirstContactResult advancement_first_contact(const RigidQuery& query) {
  AdvancementMemory memory;
  return solved(query, memory, 0.0);
}

FirstContactResult first_contact(const RigidShape& shape_a, const Motion& motion_a, const RigidShape& shape_b,
                                 const Motion& motion_b, const RigidContactOptions& options) {
  AdvancementMemory memory;
  return answered(query_of(shape_a, motion_a, shape_b, motion_b, options), memory);
}

struct RigidContactSolver::Memory {
  KnownClearance clearance;
  ApproachMemory approach;
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
  const RigidQuery query = query_of(shape_a_, motion_a, shape_b_, motion_b, options_);
  const SeenMotions seen({&shape_a_.data(), &motion_a}, {&shape_b_.data(), &motion_b});
  const double reach = options_.minimum_distance + query.tolerance;
  if (memory_->clearance.proves_apart(seen.a, seen.b, reach)) return separated(query);
  FirstContactResult result = answered(query, memory_->approach.search);
  if (result.status == Status::Separated) memory_->clearance.learn(seen.a, seen.b, reach, result.stats);
  return result;
}

ClosestApproachResult RigidContactSolver::closest_approach(const Motion& motion_a, const Motion& motion_b,
                                                           const ClosestApproachOptions& options) {
  return toccata::closest_approach(shape_a_, motion_a, shape_b_, motion_b, options, memory_->approach);
}

std::vector<FirstContactResult> first_contacts(const RigidShape& shape_a, const RigidShape& shape_b,
                                               std::span<const MotionPair> motions,
                                               const RigidContactOptions& options, int threads) {
  std::vector<FirstContactResult> results(motions.size());
  // Each worker takes the next motion when it is free, since some take a hundred times longer than others.
  const int workers = threads > 0 ? threads : tbb::this_task_arena::max_concurrency();
  std::atomic<std::size_t> next = 0;
  parallel_blocks(static_cast<std::size_t>(workers), 1, threads, [&](std::size_t, std::size_t) {
    AdvancementMemory memory;
    for (std::size_t i = next++; i < motions.size(); i = next++) {
      const MotionPair& pair = motions[i];
      results[i] = answered(query_of(shape_a, *pair.motion_a, shape_b, *pair.motion_b, options), memory);
    }
  });
  return results;
}

}  // namespace toccata
