#pragma once
// How far two bodies of a robot are apart at least, for every value of the variables between them: a tree of
// cells, each with a proven distance.
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "motion/tree_motion.hpp"
#include "toccata/base/interval.hpp"

namespace toccata {
struct PreparedRobot;
}

namespace toccata::articulated {

struct SelfPair;

// One of the variables between the two.
struct PairVariable {
  std::int32_t variable = -1;  // of the robot
  std::int32_t frame = -1;     // one that it moves: value of the frame = multiplier * variable + offset
  double multiplier = 1.0;
  double offset = 0.0;
  Interval limits;         // within which the table holds
  bool is_circle = false;  // a whole turn: values beyond are wrapped
  double speed = 0.0;      // no point of one moves faster than this as the other sees it, by this variable
};

// Empty where a variable has no table: a joint that turns by a quaternion.
std::vector<PairVariable> variables_between(const PreparedRobot& robot, const SelfPair& pair);

class PairTable {
 public:
  struct Look {
    double lower = 0.0;    // distance at the middle of a cell, proven
    bool touches = false;  // there
    double depth = 0.0;    // and how deep, proven
  };
  struct Limits {
    std::int64_t budget = 4096;
    double share = 0.5;  // a cell is fine enough if this share of the distance at its middle is left
    // Called now and then; true ends the work.
    std::function<bool()> is_over = {};
  };
  // `look` at values of the variables. A cell that is proven to touch all over is not divided further.
  template <typename LookAt>
  void build(std::span<const PairVariable> variables, const Limits& limits, LookAt&& look);

  bool empty() const { return cells_.empty(); }
  std::int64_t cell_count() const { return static_cast<std::int64_t>(cells_.size()); }
  double least() const { return cells_.empty() ? 0.0 : cells_[0].lower; }
  bool touches_everywhere() const { return !cells_.empty() && cells_[0].touches; }
  std::span<const PairVariable> variables() const { return variables_; }

  // The distance over these values of the variables, at least; 0 where nothing is known.
  double lower_over(std::span<const Interval> values) const;

 private:
  struct Cell {
    double lower = 0.0;    // the least of those below
    bool touches = false;  // all of it, proven
    std::int32_t axis = -1;
    std::int32_t child = -1;  // the first of two, side by side; -1: none
    double split = 0.0;
  };
  double lower_in(std::size_t cell, std::span<const Interval> values) const;

  std::vector<PairVariable> variables_;
  std::vector<Cell> cells_;
};

// ---------------------------------------------------------------- building

template <typename LookAt>
void PairTable::build(std::span<const PairVariable> variables, const Limits& limits, LookAt&& look) {
  variables_.assign(variables.begin(), variables.end());
  cells_.clear();
  std::vector<std::vector<Interval>> boxes;  // of cells
  std::vector<double> center(variables_.size());
  // The proven distance within a cell, and whether it is to be divided.
  const auto judge = [&](std::size_t cell) {
    double reach = 0.0;  // how far a point gets from the middle of the cell, at most
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const Interval& side = boxes[cell][i];
      center[i] = side.middle();
      reach += std::max(center[i] - side.lower, side.upper - center[i]) * variables_[i].speed;
    }
    reach = reach * (1.0 + 1e-12);
    const Look seen = look(center);
    cells_[cell].lower = std::max(0.0, seen.lower - reach);
    cells_[cell].touches = seen.touches && seen.depth > reach;
    const double left = cells_[cell].lower;
    return !cells_[cell].touches && (!(left > 0.0) || left < limits.share * seen.lower);
  };
  cells_.emplace_back();
  boxes.emplace_back();
  for (const PairVariable& variable : variables_) boxes.back().push_back(variable.limits);
  std::vector<std::size_t> open;
  if (judge(0)) open.push_back(0);
  // In the order in which they came: coarse cells first.
  for (std::size_t next = 0; next < open.size(); ++next) {
    if (cell_count() + 2 > limits.budget || (limits.is_over && limits.is_over())) break;
    const std::size_t parent = open[next];
    std::size_t axis = 0;
    double widest = -1.0;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const double width = (boxes[parent][i].upper - boxes[parent][i].lower) * variables_[i].speed;
      if (width > widest) {
        widest = width;
        axis = i;
      }
    }
    const double split = boxes[parent][axis].middle();
    if (!(widest > 0.0 && split > boxes[parent][axis].lower && split < boxes[parent][axis].upper)) continue;
    cells_[parent].axis = static_cast<std::int32_t>(axis);
    cells_[parent].split = split;
    cells_[parent].child = static_cast<std::int32_t>(cells_.size());
    for (int side = 0; side < 2; ++side) {
      std::vector<Interval> box = boxes[parent];
      box[axis] = side == 0 ? Interval(box[axis].lower, split) : Interval(split, box[axis].upper);
      cells_.emplace_back();
      boxes.push_back(std::move(box));
      if (judge(cells_.size() - 1)) open.push_back(cells_.size() - 1);
    }
  }
  for (std::size_t i = cells_.size(); i-- > 0;) {
    if (cells_[i].child < 0) continue;
    const Cell &a = cells_[static_cast<std::size_t>(cells_[i].child)],
               &b = cells_[static_cast<std::size_t>(cells_[i].child) + 1];
    cells_[i].lower = std::max(cells_[i].lower, std::min(a.lower, b.lower));
    cells_[i].touches = a.touches && b.touches;
  }
}

}  // namespace toccata::articulated
