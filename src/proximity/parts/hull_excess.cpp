// Roundings. The middle of an edge is off by u per coordinate, so that two halves hold their tetrahedron but
// for sqrt(3) u X, X the largest coordinate; after sixty cuts that is 104 u X. Witnesses, points of triangles
// with rounded weights, are off by 8 u X, a norm by 4 u of it: 160 u X is added to what is said in the end.
// Heights over sides of cells are off by 16 u X, far less than the 2^-33 X that triangles may enter by, which
// is counted twice.
#include "proximity/parts/hull_excess.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "toccata/base/rounding.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/elementary/point_triangle.hpp"

namespace toccata::parts {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double roundings = 160.0 * unit_roundoff;
constexpr int most_cuts = 60;
constexpr std::size_t most_near = 3000;     // triangles that are kept in lists
constexpr double entering_share = 0x1p-33;  // of the coordinates: triangles that enter by less do not
constexpr std::size_t most_planes = 1000;
constexpr double most_heights = 3e7;  // triangles times planes

struct Knot {
  Vector3 point;
  std::int32_t triangle;  // the nearest
  double inside;          // radius of a ball about it that is in the solid; 0: none
};

using Triangles = std::shared_ptr<const std::vector<std::int32_t>>;

struct Cell {
  int knots[4];
  int cuts;
  double bound;
  Triangles near;  // those that may enter it; none: not known

  bool operator<(const Cell& other) const { return bound < other.bound; }
};

struct Plane {
  Vector3 normal;
  double offset;
};

std::vector<Plane> planes_of(const ConvexHull& hull) {
  std::vector<Plane> planes;
  std::int32_t last = -1;
  for (std::size_t i = 0; i < hull.faces.size(); ++i) {
    if (hull.planes[i] <= last) continue;
    last = hull.planes[i];
    const auto corner = [&](std::size_t k) {
      return hull.vertices[static_cast<std::size_t>(hull.faces[i][k])];
    };
    const Vector3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    const double length = normal.norm();
    if (!(length > 0.0)) return {};
    planes.push_back({normal / length, (normal / length).dot(corner(0))});
  }
  return planes;
}

class Search {
 public:
  Search(const ConvexHull& hull, const PlacedShape& solid, medial::SolidProbe& probe,
         const ExcessLimits& limits)
      : mesh_(solid.shape.mesh()), probe_(probe), limits_(limits) {
    Vector3 middle = Vector3::Zero();
    double scale = 0.0;
    for (const Vector3& v : hull.vertices) {
      middle += v / static_cast<double>(hull.vertices.size());
      scale = std::max(scale, v.cwiseAbs().maxCoeff());
      add_knot(v);
    }
    rounding_ = roundings * scale + hull.radius;
    entering_ = entering_share * (scale + 2.0 * solid.shape.size());  // of all the mesh
    if (hull.faces.empty()) {
      const int last = static_cast<int>(knots_.size()) - 1;
      add_cell({{0, last, last, last}, 0, 0.0, nullptr});
      return;
    }
    const Triangles near = triangles_near(hull);
    // Whatever the point is, the tetrahedra over all faces hold the hull: a line from it through a point of
    // the hull leaves the hull at a face.
    const int top = add_knot(middle);
    for (const Face& face : hull.faces) add_cell({{face[0], face[1], face[2], top}, 0, 0.0, near});
  }

  Excess run() {
    double done = 0.0;
    while (!cells_.empty()) {
      const double upper = std::max(done, cells_.front().bound);
      if (upper - lower_ <= std::max(limits_.accuracy, limits_.relative * lower_) ||
          upper + rounding_ <= limits_.enough || lower_ > limits_.too_far ||
          static_cast<int>(knots_.size()) >= limits_.most_knots)
        return {lower_, upper + rounding_};
      std::pop_heap(cells_.begin(), cells_.end());
      const Cell cell = cells_.back();
      cells_.pop_back();
      if (!split(cell)) done = std::max(done, cell.bound);
    }
    return {lower_, done + rounding_};
  }

 private:
  int add_knot(const Vector3& point) {
    const medial::Probed at = probe_(point);
    lower_ = std::max(lower_, at.lower);
    knots_.push_back({point, at.triangle, at.is_inside() ? -at.upper : 0.0});
    return static_cast<int>(knots_.size()) - 1;
  }

  const Knot& knot(int i) const { return knots_[static_cast<std::size_t>(i)]; }

  // The farthest corner from the set, if it is less than `least`.
  template <typename Distance>
  static double farthest(const Cell& cell, double least, const Distance& distance) {
    double most = 0.0;
    for (const int k : cell.knots) {
      most = std::max(most, distance(k));
      if (most >= least) return least;
    }
    return most;
  }

  void add_cell(Cell cell) {
    double bound = infinite;
    for (int i = 0; i < 4; ++i) {
      const Knot& at = knot(cell.knots[i]);
      if (at.inside > 0.0) {
        bound = farthest(cell, bound, [&](int k) { return (knot(k).point - at.point).norm() - at.inside; });
      }
    }
    for (int i = 0; i < 4 && bound > 0.0; ++i) {
      const std::int32_t triangle = knot(cell.knots[i]).triangle;
      bool is_known = false;
      for (int j = 0; j < i; ++j) is_known = is_known || knot(cell.knots[j]).triangle == triangle;
      if (is_known) continue;
      const Triangle corners = triangle_of(mesh_, static_cast<std::size_t>(triangle));
      bound = farthest(cell, bound, [&](int k) {
        return std::sqrt(point_triangle_distance(knot(k).point, corners).squared_distance);
      });
    }
    if (bound > 0.0 && cell.near) bound = std::min(bound, rim(cell));
    cell.bound = bound;
    cells_.push_back(std::move(cell));
    std::push_heap(cells_.begin(), cells_.end());
  }

  Triangles triangles_near(const ConvexHull& hull) const {
    Vector3 lower = hull.vertices[0], upper = lower;
    for (const Vector3& v : hull.vertices) {
      lower = lower.cwiseMin(v);
      upper = upper.cwiseMax(v);
    }
    std::vector<Plane> planes = planes_of(hull);
    if (planes.size() > most_planes) planes.clear();
    auto near = std::make_shared<std::vector<std::int32_t>>();
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      const Triangle t = triangle_of(mesh_, f);
      if ((t[0].cwiseMin(t[1]).cwiseMin(t[2]).array() > upper.array()).any() ||
          (t[0].cwiseMax(t[1]).cwiseMax(t[2]).array() < lower.array()).any())
        continue;
      // At a side of the hull it does not enter any cell: a ball about a cell's middle that is in the cell is
      // in the hull, so that the hull's sides count as the cell's own.
      if (std::any_of(planes.begin(), planes.end(), [&](const Plane& plane) {
            return std::min({plane.normal.dot(t[0]), plane.normal.dot(t[1]), plane.normal.dot(t[2])}) >=
                   plane.offset - entering_;
          }))
        continue;
      if (near->size() == most_near) return nullptr;
      near->push_back(static_cast<std::int32_t>(f));
    }
    return near;
  }

  // Where no triangle enters the cell, its sides moved in by a little, and its middle is inside, all of it is
  // but a rim: a point x of it, drawn towards the middle c by the share h / r, is in the part without
  // triangles, r the distance of c from the nearest side. Infinite if that is not so. Leaves in the cell's
  // list the triangles that do enter.
  double rim(Cell& cell) {
    const Vector3 corners[4] = {knot(cell.knots[0]).point, knot(cell.knots[1]).point,
                                knot(cell.knots[2]).point, knot(cell.knots[3]).point};
    const Vector3 middle = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
    Vector3 normals[4];
    double offsets[4], nearest = infinite, farthest = 0.0;
    for (int k = 0; k < 4; ++k) {
      const Vector3 &a = corners[(k + 1) % 4], &b = corners[(k + 2) % 4], &c = corners[(k + 3) % 4];
      Vector3 normal = (b - a).cross(c - a);
      const double length = normal.norm();
      if (!(length > 0.0)) return infinite;
      normal /= length;
      if (normal.dot(corners[k] - a) > 0.0) normal = -normal;
      normals[k] = normal;
      offsets[k] = std::max({normal.dot(a), normal.dot(b), normal.dot(c)});
      nearest = std::min(nearest, offsets[k] - normal.dot(middle));
      farthest = std::max(farthest, (corners[k] - middle).norm());
    }
    if (!(nearest > 4.0 * entering_)) return infinite;
    auto entering = std::make_shared<std::vector<std::int32_t>>();
    for (const std::int32_t triangle : *cell.near) {
      const Triangle t = triangle_of(mesh_, static_cast<std::size_t>(triangle));
      bool is_beyond = false;
      for (int k = 0; k < 4 && !is_beyond; ++k)
        is_beyond = std::min({normals[k].dot(t[0]), normals[k].dot(t[1]), normals[k].dot(t[2])}) >=
                    offsets[k] - entering_;
      if (!is_beyond) entering->push_back(triangle);
    }
    const bool is_clear = entering->empty();
    cell.near = std::move(entering);
    if (!is_clear || !probe_(middle).is_inside()) return infinite;
    return 2.0 * entering_ / nearest * farthest;
  }

  // At the middle of its longest side. False: too short to be split.
  bool split(const Cell& cell) {
    int from = 0, to = 1;
    double longest = -1.0;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < i; ++j) {
        const double length = (knot(cell.knots[i]).point - knot(cell.knots[j]).point).squaredNorm();
        if (length > longest) {
          longest = length;
          from = j;
          to = i;
        }
      }
    }
    const Vector3 p = knot(cell.knots[from]).point, q = knot(cell.knots[to]).point;
    const Vector3 middle = 0.5 * (p + q);
    if (cell.cuts == most_cuts || middle == p || middle == q) return false;
    const int added = add_knot(middle);
    for (const int replaced : {from, to}) {
      Cell half = cell;
      half.knots[replaced] = added;
      ++half.cuts;
      add_cell(half);
    }
    return true;
  }

  const TriangleMesh& mesh_;
  medial::SolidProbe& probe_;
  const ExcessLimits& limits_;
  double rounding_ = 0.0;
  double entering_ = 0.0;
  double lower_ = 0.0;
  std::vector<Knot> knots_;
  std::vector<Cell> cells_;
};

}  // namespace

Excess hull_excess(const ConvexHull& hull, const PlacedShape& solid, medial::SolidProbe& probe,
                   const ExcessLimits& limits) {
  return Search(hull, solid, probe, limits).run();
}

// With planes moved in by h, the surface does not enter what they bound, K, if every triangle is beyond one
// of them. Then K is in the solid, if its middle c is. A point x of the hull, drawn towards c by the share
// (h + e) / r, is in K: e is what the hull's own corners are beyond the planes as computed, r the distance of
// c from the nearest plane.
double rim_of(const ConvexHull& hull, const PlacedShape& solid, medial::SolidProbe& probe) {
  const std::vector<Plane> planes = planes_of(hull);
  if (planes.empty()) return infinite;
  const TriangleMesh& mesh = solid.shape.mesh();
  if (static_cast<double>(mesh.faces.size() * planes.size()) > most_heights) return infinite;
  Vector3 middle = Vector3::Zero();
  Aabb box = {hull.vertices[0], hull.vertices[0]};
  for (const Vector3& v : hull.vertices) {
    middle += v / static_cast<double>(hull.vertices.size());
    box.lower = box.lower.cwiseMin(v);
    box.upper = box.upper.cwiseMax(v);
  }
  double scale = std::max(box.lower.cwiseAbs().maxCoeff(), box.upper.cwiseAbs().maxCoeff());
  double beyond = 0.0, nearest = infinite, farthest = 0.0;
  for (const Plane& plane : planes) {
    for (const Vector3& v : hull.vertices) beyond = std::max(beyond, plane.normal.dot(v) - plane.offset);
    nearest = std::min(nearest, plane.offset - plane.normal.dot(middle));
  }
  for (const Vector3& v : hull.vertices) farthest = std::max(farthest, (v - middle).norm());
  double height = 0.0;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const Triangle corners = triangle_of(mesh, f);
    const Vector3 lower = corners[0].cwiseMin(corners[1]).cwiseMin(corners[2]),
                  upper = corners[0].cwiseMax(corners[1]).cwiseMax(corners[2]);
    if ((lower.array() > box.upper.array()).any() || (upper.array() < box.lower.array()).any()) continue;
    scale = std::max({scale, lower.cwiseAbs().maxCoeff(), upper.cwiseAbs().maxCoeff()});
    double need = infinite;
    for (const Plane& plane : planes) {
      double enters = -infinite;
      for (const Vector3& corner : corners)
        enters = std::max(enters, plane.offset - plane.normal.dot(corner));
      need = std::min(need, enters);
      if (need <= height) break;
    }
    height = std::max(height, need);
    if (!(height < 0.5 * nearest)) return infinite;
  }
  // A height over a plane is off by 8 u X.
  const double slack = 16.0 * unit_roundoff * scale;
  nearest -= slack;
  if (!(nearest > 2.0 * (height + beyond + 2.0 * slack)) || !probe(middle).is_inside()) return infinite;
  return (height + beyond + 2.0 * slack) / nearest * farthest * (1.0 + 1e-12) + roundings * scale +
         hull.radius;
}

}  // namespace toccata::parts
