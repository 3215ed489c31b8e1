#include "proximity/medial/stick_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "toccata/base/rounding.hpp"

namespace toccata::medial {
namespace {

// A ball of the hull that was probed.
struct Knot {
  Vector3 center;
  double radius;
  double lower, upper;  // of how far it sticks out
};

// The balls between two or three knots.
struct Cell {
  int knots[3];
  int count;
  double bound;

  bool operator<(const Cell& other) const { return bound < other.bound; }
};

class Search {
 public:
  Search(const BallHull& hull, SolidProbe& probe, const StickOutLimits& limits, HullProbes& known)
      : probe_(probe), limits_(limits), known_(known) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(hull.count); ++i)
      add_knot(hull.center[i], hull.radius[i], &known.at_ball[i]);
    count_ = hull.count;
  }

  StickOut run() {
    double done = -std::numeric_limits<double>::infinity();
    if (count_ == 1) return {lower_, knots_[0].upper};
    add_cell({{0, 1, 2}, count_, 0.0});
    while (!cells_.empty()) {
      const double upper = std::max(done, cells_.front().bound);
      if (upper - lower_ <= limits_.accuracy || upper <= limits_.enough || lower_ > limits_.too_far ||
          static_cast<int>(knots_.size()) >= limits_.most_probes)
        return {lower_, upper};
      std::pop_heap(cells_.begin(), cells_.end());
      const Cell cell = cells_.back();
      cells_.pop_back();
      if (!split(cell)) done = std::max(done, cell.bound);
    }
    return {lower_, done};
  }

 private:
  int add_knot(const Vector3& center, double radius, std::optional<Probed>* known) {
    const Probed at = known != nullptr && *known ? **known : probe_(center);
    if (known != nullptr) *known = at;
    // The sums round once; the centre of a split once per coordinate.
    const double error = 8.0 * unit_roundoff * (center.norm() + radius + std::abs(at.upper));
    knots_.push_back({center, radius, radius + at.lower - error, radius + at.upper + error});
    lower_ = std::max(lower_, knots_.back().lower);
    return static_cast<int>(knots_.size()) - 1;
  }

  // Of two of the first three knots: the side between them.
  static std::size_t side_of(int a, int b) {
    return std::abs(a - b) == 2 ? 2 : static_cast<std::size_t>(std::min(a, b));
  }

  const Knot& knot(const Cell& cell, int i) const { return knots_[static_cast<std::size_t>(cell.knots[i])]; }

  // All corners stick out by at most `most`; what is between them by `more` more: the solid grown by E = most
  // + more holds balls of radius D_k >= r_k + more, and
  //   sum b_k (D_k^2 - r_k^2) >= more (2 least + more) = V >= sum_{i<k} b_i b_k (|p_i - p_k|^2 - (r_i -
  //   r_k)^2).
  void add_cell(Cell cell) {
    double most = -std::numeric_limits<double>::infinity(), least = -most, widest = 0.0;
    for (int i = 0; i < cell.count; ++i) {
      const Knot& k = knot(cell, i);
      most = std::max(most, k.upper);
      least = std::min(least, k.radius);
      for (int j = 0; j < i; ++j) {
        const double between = k.radius - knot(cell, j).radius;
        widest = std::max(widest, (k.center - knot(cell, j).center).squaredNorm() - between * between);
      }
    }
    const double spread = widest * (1.0 + 32.0 * unit_roundoff) / (cell.count == 3 ? 3.0 : 4.0);
    const double root = std::sqrt(least * least + spread);
    const double more = spread > 0.0 ? spread / (least + root) : 0.0;
    cell.bound = most + more * (1.0 + 16.0 * unit_roundoff);
    cells_.push_back(cell);
    std::push_heap(cells_.begin(), cells_.end());
  }

  // At the middle of its longest side. False: too short to be split.
  bool split(const Cell& cell) {
    int from = 0, to = 1;
    double longest = -1.0;
    for (int i = 0; i < cell.count; ++i) {
      for (int j = 0; j < i; ++j) {
        const double length = (knot(cell, i).center - knot(cell, j).center).squaredNorm();
        if (length > longest) {
          longest = length;
          from = j;
          to = i;
        }
      }
    }
    const Knot p = knot(cell, from), q = knot(cell, to);
    const Vector3 middle = 0.5 * (p.center + q.center);
    if (middle == p.center || middle == q.center) return false;
    const int a = cell.knots[from], b = cell.knots[to];
    const int added = add_knot(middle, 0.5 * (p.radius + q.radius),
                               std::max(a, b) < count_ ? &known_.between[side_of(a, b)] : nullptr);
    for (const int replaced : {from, to}) {
      Cell half = cell;
      half.knots[replaced] = added;
      add_cell(half);
    }
    return true;
  }

  SolidProbe& probe_;
  const StickOutLimits& limits_;
  HullProbes& known_;
  int count_ = 1;
  double lower_ = -std::numeric_limits<double>::infinity();
  std::vector<Knot> knots_;
  std::vector<Cell> cells_;
};

}  // namespace

StickOut stick_out(const BallHull& hull, SolidProbe& probe, const StickOutLimits& limits) {
  HullProbes known;
  return stick_out(hull, probe, limits, known);
}

StickOut stick_out(const BallHull& hull, SolidProbe& probe, const StickOutLimits& limits, HullProbes& known) {
  return Search(hull, probe, limits, known).run();
}

}  // namespace toccata::medial
