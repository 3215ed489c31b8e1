#pragma once
// The question that every search in time is asked, and its answer.
#include <cstdint>

#include "base/stop_watch.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/motion/motion.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata::search {

// One of the two bodies as a search sees it.
struct MovingShape {
  const ShapeData* shape = nullptr;
  const Motion* motion = nullptr;
  bool on_skin = false;  // a height field of which the other meets nothing else first; see field_skin.hpp

  const BoxTree& tree() const { return on_skin ? shape->skin : shape->tree; }
};

struct SearchQuestion {
  MovingShape a;
  MovingShape b;
  double start = 0.0;
  double end = 1.0;
  double distance = 0.0;   // contact: closer than this
  double tolerance = 0.0;  // and reported when closer than distance + tolerance
  std::int64_t budget = 0;
  const StopWatch* stop = nullptr;  // null: nothing stops it
};

struct SearchAnswer {
  enum class Ending { Free, Contact, OutOfBudget };
  Ending ending = Ending::Free;
  double time = 1.0;  // proven further apart than `distance` before it
  std::int32_t piece_a = -1;
  std::int32_t piece_b = -1;
  QueryStats stats;
};

// What a budget counts: pairs of boxes and of pieces, a pair of pieces once more at every step of it.
inline std::int64_t work_of(const QueryStats& stats) {
  return stats.node_pairs + stats.piece_pairs + stats.steps;
}

// Asked between parts of the work that take longer than a look at the watch.
inline bool is_out_of_budget(const SearchQuestion& question, const QueryStats& used) {
  return (question.budget > 0 && work_of(used) > question.budget) ||
         (question.stop != nullptr && question.stop->is_over());
}

// What is left of a budget after that work: at least 1; 0 if there is no limit.
inline std::int64_t budget_left(std::int64_t budget, const QueryStats& used) {
  if (budget <= 0) return 0;
  return work_of(used) < budget ? budget - work_of(used) : 1;
}

// t + step rounded down: never later than the exact sum.
double later(double t, double step);

}  // namespace toccata::search
