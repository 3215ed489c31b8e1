#pragma once
// Answers of DeformableScene.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "toccata/report/deformable_contact.hpp"
#include "toccata/report/first_contact_result.hpp"

namespace toccata {

// Pairs (or whatever `name` says) that were left after a stage of the pipeline.
struct StageCount {
  std::string_view name;
  std::int64_t count = 0;
};

// The work of one question. Times are wall-clock for the whole query, except that `cull` and `test` divide
// the time of the interleaved traversal in proportion to the time the threads spent in each.
struct DeformableStats {
  // Of the last update(), which the question stands on: structures built (in the first step, and again after
  // decay), and the rest of it.
  double build_milliseconds = 0;
  double update_milliseconds = 0;
  double cull_milliseconds = 0;
  double test_milliseconds = 0;
  double total_milliseconds = 0;   // build + update + query
  std::vector<StageCount> stages;  // in the order of the pipeline, "vertex_face_..." and "edge_edge_..."
  std::array<std::int64_t, impact_stage_count> decided_by{};  // elementary tests by the stage that decided
};

// Fields that hold, by status:
//   Separated       stats; nothing touches during the step
//   Contact         everything
//   OverlapAtStart  everything; some of the contacts are there at t = 0 already
//   OutOfBudget     everything; some of what is listed is undecided (see DeformableContact), or there may be
//                   more than is listed, since the question was stopped
//   Failed          failure
struct DeformableContacts {
  Status status = Status::Separated;
  std::vector<DeformableContact> contacts;  // every pair once, sorted by (kind, first, second)
  std::string failure;                      // what was wrong with the question, and what to do
  DeformableStats stats;
};

// How far the step may go.
struct SafeStep {
  // [0, fraction] is proven free; 1 = the whole step; 0 where features touch at the start, or on failure.
  double fraction = 1.0;
  FirstContactResult first;  // what it comes from
  DeformableStats stats;
};

// Receives contacts as they are found, in no particular order, one call at a time (calls are serialised).
class ContactCollector {
 public:
  virtual ~ContactCollector() = default;
  virtual void add(const DeformableContact& contact) = 0;
  // The query stops early, keeping what was delivered, once this is true.
  virtual bool done() const { return false; }
};

}  // namespace toccata
