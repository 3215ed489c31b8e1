#include "field/depth_grid/grid_turns.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/parallel.hpp"
#include "toccata/elementary/orientation.hpp"

namespace toccata::depth_grid {
namespace {

int sign(double x) {
  return (x > 0.0) - (x < 0.0);
}

// The side of p, moved by nothing along the first axis and by nothing of that along the second, as seen along
// the line from a to b. Zero only if a and b are one point.
int moved_side(const Vector2& a, const Vector2& b, const Vector2& p) {
  if (const int side = orientation_2d(a, b, p); side != 0) return side;
  if (const int side = -sign(b.y() - a.y()); side != 0) return side;
  return sign(b.x() - a.x());
}

// Rows whose centres lie from low to high, and one more to each side.
std::pair<std::int32_t, std::int32_t> rows_of(double low, double high, double origin, double size,
                                              std::int32_t count) {
  const double first = std::floor((low - origin) / size - 1.5),
               last = std::ceil((high - origin) / size + 0.5);
  return {static_cast<std::int32_t>(std::clamp(first, 0.0, static_cast<double>(count))),
          static_cast<std::int32_t>(std::clamp(last, -1.0, static_cast<double>(count - 1)))};
}

class Rows {
 public:
  Rows(const VoronoiGrid& grid, GridTurns& out) : grid_(grid), out_(out) {}

  // Cells of the row from the first one on whose centre is beyond: precondition: from there on all are.
  template <typename Beyond>
  void pass(std::int32_t j, std::int32_t k, int turn, const Beyond& beyond) {
    std::int32_t low = 0, high = grid_.counts[0];
    while (low < high) {
      const std::int32_t middle = low + (high - low) / 2;
      if (beyond(grid_.center(middle, j, k))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (low >= grid_.counts[0]) return;
    // Where it starts; summed up along the row at the end.
    const std::size_t cell = grid_.index(low, j, k);
    out_.turns[cell] += turn;
    out_.crossings[cell] ^= 1;
  }

 private:
  const VoronoiGrid& grid_;
  GridTurns& out_;
};

void pass_segment(const Vector3& p, const Vector3& q, const VoronoiGrid& grid, Rows& rows) {
  const auto [first, last] = rows_of(std::min(p.y(), q.y()), std::max(p.y(), q.y()), grid.lower.y(),
                                     grid.cell_size.y(), grid.counts[1]);
  for (std::int32_t j = first; j <= last; ++j) {
    const double y = grid.center(0, j).y();
    if ((p.y() <= y) == (q.y() <= y)) continue;
    const bool up = p.y() <= y;
    const Vector2 low = up ? p.head<2>() : q.head<2>(), high = up ? q.head<2>() : p.head<2>();
    rows.pass(j, 0, up ? -1 : 1,
              [&](const Vector3& c) { return orientation_2d(low, high, c.head<2>()) < 0; });
  }
}

void pass_triangle(const Vector3& a, const Vector3& b, const Vector3& c, const VoronoiGrid& grid,
                   std::int32_t slice, Rows& rows) {
  const double z = grid.center(0, 0, slice).z();
  const Vector2 p = a.tail<2>(), q = b.tail<2>(), r = c.tail<2>();
  if (z < std::min({p.y(), q.y(), r.y()}) || z > std::max({p.y(), q.y(), r.y()})) return;
  const auto [first, last] = rows_of(std::min({p.x(), q.x(), r.x()}), std::max({p.x(), q.x(), r.x()}),
                                     grid.lower.y(), grid.cell_size.y(), grid.counts[1]);
  for (std::int32_t j = first; j <= last; ++j) {
    const Vector2 at(grid.center(0, j, slice).y(), z);
    const int side = moved_side(p, q, at);
    if (side == 0 || moved_side(q, r, at) != side || moved_side(r, p, at) != side) continue;
    rows.pass(j, slice, -side,
              [&](const Vector3& center) { return orientation_3d(a, b, c, center) * side > 0; });
  }
}

}  // namespace

GridTurns grid_turns(const VoronoiSites& body, const VoronoiGrid& grid, int threads) {
  GridTurns out;
  out.turns.assign(grid.site.size(), 0);
  out.crossings.assign(grid.site.size(), 0);
  Rows rows(grid, out);
  const auto point = [&](std::int32_t i) -> const Vector3& {
    return body.points[static_cast<std::size_t>(i)];
  };
  const auto nx = static_cast<std::size_t>(grid.counts[0]), ny = static_cast<std::size_t>(grid.counts[1]);
  // Slices on their own: nothing is written twice.
  parallel_blocks(static_cast<std::size_t>(grid.counts[2]), 1, threads,
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t k = begin; k < end; ++k) {
                      const auto slice = static_cast<std::int32_t>(k);
                      for (const Face& f : body.triangles)
                        pass_triangle(point(f[0]), point(f[1]), point(f[2]), grid, slice, rows);
                      if (body.triangles.empty())
                        for (const Edge& e : body.segments)
                          pass_segment(point(e[0]), point(e[1]), grid, rows);
                      for (std::size_t row = k * ny; row < (k + 1) * ny; ++row) {
                        for (std::size_t i = row * nx + 1; i < (row + 1) * nx; ++i) {
                          out.turns[i] += out.turns[i - 1];
                          out.crossings[i] ^= out.crossings[i - 1];
                        }
                      }
                    }
                  });
  return out;
}

}  // namespace toccata::depth_grid
