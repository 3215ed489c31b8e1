// The octree of a distance field. A cell knows the triangles of which one is nearest to any of its points;
// its eight parts choose among those.
//
// Of a cell with middle c, corners c_k and half diagonal R, and d_T the distance to triangle T, which is
// convex:
//   T cannot be nearest anywhere in the cell if d_T(c) > min d(c) + 2 R.
//   d_T is nowhere below its tangent plane at c, lin_T. T is never nearer than U, and left out, if
//   d_U(c_k) <= lin_T(c_k) at all corners: between them lin_T is interpolated, and d_U is no more than that.
//   With v_k the distance at the corners, and I interpolated between them, at every point
//     d <= I + min over T of max over k of d_T(c_k) - v_k    (d <= d_T, and d_T is convex)
//     d >= I - max over T, k of v_k - lin_T(c_k)             (some T is nearest, and d_T >= lin_T)
// Cells in which the second pair is as close as the error asked for are interpolated, the others are cut
// until few triangles are left. (docs/notes/field_bounds.md)
#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <vector>

#include "base/stop_watch.hpp"
#include "hierarchy/point_gaps.hpp"
#include "hierarchy/shape_data.hpp"
#include "proximity/point_distance/nearest_triangle.hpp"
#include "proximity/point_distance/triangle_columns.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/elementary/point_triangle.hpp"
#include "toccata/field/distance_field.hpp"
#include "toccata/proximity/containment.hpp"

namespace toccata {

using point_distance::TriangleColumns;

namespace {

using Leaf = DistanceFieldData::Leaf;

constexpr double usual_error = 1e-3;
// Parts of the tree that are built side by side: the cells of this level.
constexpr int level_of_parts = 2;
constexpr int parts = 1 << (3 * level_of_parts);
constexpr int deepest_level = 14;
// So many triangles are as fast as going on.
constexpr std::size_t few = 16;
// More candidates than that are not listed: the parts of the cell ask the mesh's tree again.
constexpr std::size_t most_candidates = 384;
// Triangles that others are compared with.
constexpr std::size_t most_rivals = 6;

struct Cube {
  Vector3 middle = Vector3::Zero();
  double half = 0.0;

  double reach() const { return half * 1.7320508075688774; }
  Vector3 corner(int k) const {
    return middle +
           half * Vector3((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0, (k & 4) != 0 ? 1.0 : -1.0);
  }
  Cube part(int k) const { return {middle + 0.5 * (corner(k) - middle), 0.5 * half}; }
};

struct Candidate {
  std::int32_t triangle = -1;
  double low = 0.0;  // bounds of its distance from the middle
  double high = 0.0;
};

// What a part of the tree is made of, cells and leaves counted from its own first.
struct Part {
  std::vector<std::int32_t> cells;
  std::vector<Leaf> leaves;
  std::vector<std::int32_t> triangles;
};

class PartBuilder {
 public:
  PartBuilder(const PlacedShape& mesh, double error, double size, const StopWatch& watch)
      : mesh_(mesh),
        data_(mesh.shape.data()),
        is_signed_(mesh.shape.is_closed()),
        error_(error),
        // Of a point's own place (see DistanceField::at) and of the distances compared here.
        rounding_(1e-12 * size),
        search_(mesh),
        look_(watch.or_null(), 16) {}

  Part build(const Cube& cube) {
    part_ = {};
    part_.cells.push_back(0);
    cut_or_end(0, cube, level_of_parts, nullptr, 0);
    return std::move(part_);
  }
  bool stopped() const { return look_.was_over(); }

 private:
  using Candidates = std::vector<Candidate>;

  // inherited: candidates of the cell that this one is a part of, or null. side: known of all of the cell.
  void cut_or_end(std::size_t cell, const Cube& cube, int level, const Candidates* inherited,
                  std::int8_t side) {
    if (look_.is_over()) {
      part_.cells[cell] = ~0;
      return;
    }
    std::optional<Candidates> found = inherited != nullptr ? chosen(cube, *inherited) : listed(cube, level);
    if (!found) return cut(cell, cube, level, nullptr, side);
    double nearest = INFINITY;
    for (const Candidate& c : *found) nearest = std::min(nearest, c.low);
    const bool is_crossed = nearest <= cube.reach() + rounding_;
    if (!is_crossed && side == 0)
      side = is_signed_ && point_containment(cube.middle, mesh_) == Containment::Inside ? -1 : 1;
    if (found->size() > few) leave_out_dominated(cube, *found);
    Leaf leaf;
    leaf.side = side;
    if (!is_crossed && found->size() > 1 && interpolate(cube, *found, leaf)) return end(cell, leaf);
    if (found->size() > few && level < deepest_level) return cut(cell, cube, level, &*found, side);
    leaf.first = static_cast<std::int32_t>(part_.triangles.size());
    leaf.count = static_cast<std::int32_t>(found->size());
    for (const Candidate& c : *found) part_.triangles.push_back(c.triangle);
    end(cell, leaf);
  }

  void cut(std::size_t cell, const Cube& cube, int level, const Candidates* candidates, std::int8_t side) {
    const std::size_t first = part_.cells.size();
    part_.cells[cell] = static_cast<std::int32_t>(first);
    part_.cells.resize(first + 8);
    for (int k = 0; k < 8; ++k)
      cut_or_end(first + static_cast<std::size_t>(k), cube.part(k), level + 1, candidates, side);
  }

  void end(std::size_t cell, const Leaf& leaf) {
    part_.cells[cell] = ~static_cast<std::int32_t>(part_.leaves.size());
    part_.leaves.push_back(leaf);
  }

  // Bounds of the distances of triangles from a point. `use(i, low, high)`.
  template <typename Ids, typename Use>
  void measure(const Vector3& point, const Ids& ids, std::size_t count, Use&& use) {
    for (std::size_t i = 0; i < count; i += TriangleColumns::width) {
      columns_.clear();
      const std::size_t end = std::min(count, i + TriangleColumns::width);
      for (std::size_t k = i; k < end; ++k) {
        const Face& f = data_.mesh->faces[static_cast<std::size_t>(ids(k))];
        columns_.add(data_.mesh->vertices[static_cast<std::size_t>(f[0])],
                     data_.mesh->vertices[static_cast<std::size_t>(f[1])],
                     data_.mesh->vertices[static_cast<std::size_t>(f[2])], point);
      }
      double low[TriangleColumns::width], high[TriangleColumns::width];
      point_triangle_brackets(columns_, low, high);
      for (std::size_t k = i; k < end; ++k) use(k, low[k - i], high[k - i]);
    }
  }

  // Those that may be nearest somewhere in the cell, nearest to its middle first.
  Candidates chosen(const Cube& cube, const Candidates& among) {
    Candidates found(among.size());
    double nearest = INFINITY;
    measure(
        cube.middle, [&](std::size_t i) { return among[i].triangle; }, among.size(),
        [&](std::size_t i, double low, double high) {
          found[i] = {among[i].triangle, low, high};
          nearest = std::min(nearest, high);
        });
    const double farthest = nearest + 2.0 * cube.reach() + rounding_;
    std::erase_if(found, [&](const Candidate& c) { return c.low > farthest; });
    std::sort(found.begin(), found.end(), [](const Candidate& x, const Candidate& y) {
      return x.high != y.high ? x.high < y.high : x.triangle < y.triangle;
    });
    return found;
  }

  // The same out of the whole mesh; none if they are too many and the cell may be cut.
  std::optional<Candidates> listed(const Cube& cube, int level) {
    const double nearest = search_(cube.middle, INFINITY).upper;
    const double farthest = nearest + 2.0 * cube.reach() + rounding_;
    const std::size_t most = level < deepest_level ? most_candidates : SIZE_MAX;
    Candidates found;
    std::vector<std::int32_t> nodes = {0};
    const Vector3 in_tree = cube.middle - data_.center;
    while (!nodes.empty()) {
      const BoxNode& node = data_.tree.node(static_cast<std::size_t>(nodes.back()));
      nodes.pop_back();
      float gaps[box_width];
      hierarchy::point_gaps(in_tree, node, static_cast<float>(1.01 * rounding_), gaps);
      for (int slot = 0; slot < node.count; ++slot) {
        if (static_cast<double>(gaps[slot]) > farthest) continue;
        if (node.child[slot] >= 0) {
          nodes.push_back(node.child[slot]);
        } else {
          found.push_back({~node.child[slot]});
        }
      }
      if (found.size() > most) return std::nullopt;
    }
    return chosen(cube, found);
  }

  // The tangent plane at the middle of the distance to a triangle, at the corners: no point of the cell is
  // nearer to the triangle than it says. Where the distance is zero so is the plane.
  void tangent(const Cube& cube, const Candidate& c, double (&at)[8]) const {
    const Triangle t = triangle_of(*data_.mesh, static_cast<std::size_t>(c.triangle));
    const Vector3 way = cube.middle - point_triangle_distance(cube.middle, t).point;
    const double length = way.norm();
    const bool is_known = length > 1e3 * rounding_;
    const Vector3 slope = is_known ? Vector3(way / length) : Vector3(Vector3::Zero());
    // The foot is right to rounding_, so that the slope is a subgradient up to that over the distance; the
    // height of the plane of this slope that lies below the triangle's distance is found from the triangle.
    double height = is_known ? INFINITY : 0.0;
    if (is_known) {
      for (const Vector3& corner : t) height = std::min(height, slope.dot(cube.middle - corner));
    }
    for (int k = 0; k < 8; ++k) at[k] = height + slope.dot(cube.corner(k) - cube.middle) - rounding_;
  }

  void leave_out_dominated(const Cube& cube, Candidates& found) {
    const std::size_t rivals = std::min(most_rivals, found.size());
    double at_corner[most_rivals][8];
    for (int k = 0; k < 8; ++k) {
      measure(
          cube.corner(k), [&](std::size_t i) { return found[i].triangle; }, rivals,
          [&](std::size_t i, double, double high) { at_corner[i][k] = high; });
    }
    std::size_t kept = rivals;
    for (std::size_t i = rivals; i < found.size(); ++i) {
      double plane[8];
      tangent(cube, found[i], plane);
      bool is_dominated = false;
      for (std::size_t r = 0; r < rivals && !is_dominated; ++r) {
        is_dominated = true;
        for (int k = 0; k < 8 && is_dominated; ++k) is_dominated = at_corner[r][k] <= plane[k];
      }
      if (!is_dominated) found[kept++] = found[i];
    }
    found.resize(kept);
  }

  // Whether interpolation between the corners is as good as asked.
  bool interpolate(const Cube& cube, const Candidates& found, Leaf& leaf) {
    double corners[8];
    std::fill(corners, corners + 8, INFINITY);
    std::vector<double>& distances = distances_;
    distances.resize(8 * found.size());
    for (int k = 0; k < 8; ++k) {
      measure(
          cube.corner(k), [&](std::size_t i) { return found[i].triangle; }, found.size(),
          [&](std::size_t i, double, double high) {
            distances[8 * i + static_cast<std::size_t>(k)] = high;
            corners[k] = std::min(corners[k], high);
          });
      leaf.corners[k] = static_cast<float>(corners[k]);
    }
    double above = INFINITY, below = -INFINITY;
    std::size_t best = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      double over = -INFINITY, plane[8];
      for (int k = 0; k < 8; ++k)
        over = std::max(
            over, distances[8 * i + static_cast<std::size_t>(k)] - static_cast<double>(leaf.corners[k]));
      if (over < above) {
        above = over;
        best = i;
      }
      tangent(cube, found[i], plane);
      for (int k = 0; k < 8; ++k) below = std::max(below, static_cast<double>(leaf.corners[k]) - plane[k]);
      if (below + std::max(0.0, above) > 2.0 * error_ && i > 8) return false;
    }
    above = std::max(0.0, above) + rounding_;
    below = std::max(0.0, below) + rounding_;
    if (!(above + below <= 2.0 * error_)) return false;
    leaf.above = std::nextafter(static_cast<float>(above), INFINITY);
    leaf.below = std::nextafter(static_cast<float>(below), INFINITY);
    leaf.is_interpolated = true;
    leaf.first = static_cast<std::int32_t>(part_.triangles.size());
    leaf.count = 1;
    part_.triangles.push_back(found[best].triangle);
    return true;
  }

  const PlacedShape& mesh_;
  const ShapeData& data_;
  bool is_signed_;
  double error_;
  double rounding_;
  point_distance::NearestTriangleSearch search_;
  SparseLook look_;
  TriangleColumns columns_;
  std::vector<double> distances_;
  Part part_;
};

// Cells of the levels above the parts, then the parts one after the other.
void join(const std::vector<Part>& built, DistanceFieldData& field) {
  for (int level = 0; level < level_of_parts; ++level) {
    const std::int32_t begin = static_cast<std::int32_t>(field.cells.size());
    const std::int32_t count = 1 << (3 * level);
    for (std::int32_t i = 0; i < count; ++i) field.cells.push_back(begin + count + 8 * i);
  }
  // Roots of the parts stand together, as children do; the rest of each follows.
  const std::size_t roots = field.cells.size();
  field.cells.resize(roots + built.size());
  for (std::size_t i = 0; i < built.size(); ++i) {
    const Part& part = built[i];
    const auto cells = static_cast<std::int32_t>(field.cells.size()) - 1;  // its root is not among them
    const auto leaves = static_cast<std::int32_t>(field.leaves.size());
    const auto triangles = static_cast<std::int32_t>(field.triangles.size());
    const auto moved = [&](std::int32_t cell) { return cell >= 0 ? cell + cells : ~(~cell + leaves); };
    field.cells[roots + i] = moved(part.cells[0]);
    for (std::size_t k = 1; k < part.cells.size(); ++k) field.cells.push_back(moved(part.cells[k]));
    for (Leaf leaf : part.leaves) {
      leaf.first += triangles;
      field.leaves.push_back(leaf);
    }
    field.triangles.insert(field.triangles.end(), part.triangles.begin(), part.triangles.end());
  }
}

}  // namespace

Expected<DistanceField> build_distance_field(const Shape& mesh, const DistanceFieldOptions& options) {
  if (!mesh.is_mesh()) return Error{"a distance field is built of a mesh; give the shape's display_mesh()"};
  if (mesh.mesh().faces.empty()) return Error{"a mesh without triangles has no distances"};
  if (!(options.error >= 0.0) || !std::isfinite(options.error)) return Error{"error must be at least 0"};
  if (!(options.margin >= 0.0) || !std::isfinite(options.margin)) return Error{"margin must be at least 0"};
  const ShapeData& data = mesh.data();
  if (!(data.radius > 0.0)) return Error{"a mesh that is a point has no size to choose cells by"};
  DistanceFieldData field;
  field.center = data.center;
  Vector3 low = mesh.mesh().vertices[static_cast<std::size_t>(mesh.mesh().faces[0][0])], high = low;
  for (const Face& f : mesh.mesh().faces) {
    for (const std::int32_t v : f) {
      low = low.cwiseMin(mesh.mesh().vertices[static_cast<std::size_t>(v)]);
      high = high.cwiseMax(mesh.mesh().vertices[static_cast<std::size_t>(v)]);
    }
  }
  field.half_side = 0.5 * (high - low).maxCoeff() * (1.0 + 1e-9) + (options.margin + 1e-9) * data.radius;
  field.error = options.error > 0.0 ? options.error : usual_error * data.radius;
  const double size = field.half_side + data.radius + data.center.norm();
  if (field.error < 1e-9 * size)
    return Error{"error is below a billionth of the lengths: ask signed_distance"};

  const StopWatch watch(options.stop);
  const PlacedShape placed(mesh);
  std::vector<Part> built(parts);
  std::atomic<bool> stopped = false;
  parallel_blocks(static_cast<std::size_t>(parts), 1, options.threads, [&](std::size_t begin, std::size_t) {
    Cube cube{field.center, field.half_side};
    for (int level = level_of_parts - 1; level >= 0; --level)
      cube = cube.part(static_cast<int>(begin >> (3 * static_cast<std::size_t>(level)) & 7U));
    PartBuilder builder(placed, field.error, size, watch);
    built[begin] = builder.build(cube);
    if (builder.stopped()) stopped = true;
  });
  if (stopped) return Error{"stopped before the distance field was built"};
  join(built, field);
  return DistanceField::from_data(mesh, std::move(field));
}

}  // namespace toccata
