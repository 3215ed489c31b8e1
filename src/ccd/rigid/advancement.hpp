#pragma once
// First contact by best-first search in time over pairs of boxes.
//
// Every pair of boxes carries a time up to which it is proven apart. The pair with the earliest such time is
// opened: its larger box is replaced by its children, whose times follow from the pose at that moment. Pairs
// of triangles advance the same way, at the end in double precision, until they are within the tolerance.
// What is left in the queue is proven apart up to its own time, so the first triangle pair that arrives is
// the answer.
#include <cstdint>

#include "ccd/rigid/pair_state.hpp"
#include "ccd/rigid/pending_group.hpp"
#include "ccd/time_queue.hpp"
#include "toccata/report/contact.hpp"

namespace toccata {

struct AdvancementMemory {
  TimeQueue<PendingGroup> queue;
};

struct AdvancementQuestion {
  MovingShape a;
  MovingShape b;
  double begin = 0.0;
  double end = 1.0;
  double distance = 0.0;   // contact: closer than this
  double tolerance = 0.0;  // and reported when closer than distance + tolerance
  std::int64_t budget = 0;
};

struct AdvancementAnswer {
  enum class Ending { Free, Contact, OutOfBudget };
  Ending ending = Ending::Free;
  double time = 1.0;  // proven further apart than `distance` before it
  std::int32_t triangle_a = -1;
  std::int32_t triangle_b = -1;
  QueryStats stats;
};

AdvancementAnswer advance_to_contact(const AdvancementQuestion& question, AdvancementMemory& memory);

// What a budget counts: pairs of boxes and of triangles, a pair of triangles once more at every step of it.
inline std::int64_t work_of(const QueryStats& stats) {
  return stats.node_pairs + stats.triangle_pairs + stats.steps;
}

// t + step rounded down: never later than the exact sum.
double later(double t, double step);

}  // namespace toccata
