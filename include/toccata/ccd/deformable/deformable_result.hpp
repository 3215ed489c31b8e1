#pragma once
// Answers of DeformableScene.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "toccata/report/deformable_contact.hpp"

namespace toccata {

// Pairs (or whatever `name` says) that were left after a stage of the pipeline.
struct StageCount {
  std::string_view name;
  std::int64_t count = 0;
};

// The work of one question. Times are wall-clock for the whole query, except that `cull` and `test` divide
// the time of the interleaved traversal in proportion to the time the threads spent in each.
struct DeformableStats {
  // Of the last update(), which the question stands on: structures built anew (the first step, decay), and
  // the rest of it.
  double build_milliseconds = 0;
  double update_milliseconds = 0;
  double cull_milliseconds = 0;
  double test_milliseconds = 0;
  double total_milliseconds = 0;   // build + update + query
  std::vector<StageCount> stages;  // in the order of the pipeline, "vertex_face_..." and "edge_edge_..."
  std::array<std::int64_t, impact_stage_count> decided_by{};  // elementary tests by the stage that decided
};

struct DeformableContacts {
  std::vector<DeformableContact> contacts;  // every pair once, sorted by (kind, first, second)
  DeformableStats stats;
};

// Fields that hold, by status:
//   Separated       stats; time = lower = upper = 1
//   Contact         everything; contact is the earliest one (ties by pair)
//   OverlapAtStart  everything, with time = lower = upper = 0
struct FirstContact {
  Status status = Status::Separated;
  double time = 1.0;   // = lower: never later than the true first contact of any pair
  double lower = 1.0;  // the true first contact of the scene is in [lower, upper]
  double upper = 1.0;
  DeformableContact contact;
  DeformableStats stats;
};

struct SafeStep {
  double fraction = 1.0;  // [0, fraction] is proven free; 1 = the whole step; 0 when touching at the start
  FirstContact first;
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
