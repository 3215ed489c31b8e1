#include "toccata/field/distance_field.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "hierarchy/shape_data.hpp"
#include "proximity/point_distance/triangle_columns.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/elementary/point_triangle.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata {

using point_distance::TriangleColumns;
using Leaf = DistanceFieldData::Leaf;
using Side = DistanceFieldData::Side;

namespace {

constexpr std::size_t block = 256;

Vector3 unit_or_zero(const Vector3& v) {
  const double length = v.norm();
  return length > 0.0 ? Vector3(v * (1.0 / length)) : Vector3(Vector3::Zero());
}

FieldValue signed_value(double lower, double upper, const Vector3& gradient, std::int32_t triangle,
                        double side) {
  if (side < 0.0) return {-upper, -lower, -gradient, triangle};
  return {lower, upper, gradient, triangle};
}

// What a side makes of a height, without branches: points of a batch have all of them in turn.
struct OfSide {
  double sign, lowest, highest;
};
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr OfSide of_sides[] = {{1.0, -infinite, infinite},  // Crossed
                               {1.0, 0.0, infinite},        // Outside
                               {-1.0, -infinite, 0.0},      // Inside
                               {1.0, 0.0, infinite}};       // Unsigned: its height is not negative

// height: of planes or a curve, to `width`.
FieldValue with_side(Side side, bool is_signed, double height, double width, Vector3 slope,
                     std::int32_t triangle) {
  if (side == Side::Unsigned) {
    if (height < 0.0) slope = -slope;
    height = std::abs(height);
    // Inside of a closed mesh that is thin.
    if (is_signed) side = Side::Crossed;
  }
  const OfSide& s = of_sides[static_cast<std::size_t>(side)];
  const double here = s.sign * height;
  return {std::max(s.lowest, here - width), std::min(s.highest, here + width), s.sign * slope, triangle};
}

Error broken(const std::string& what) {
  return Error{"the distance field is damaged: " + what};
}

}  // namespace

DistanceField::DistanceField(Shape mesh, std::shared_ptr<const DistanceFieldData> data)
    : shape_(std::move(mesh)),
      data_(std::move(data)),
      is_signed_(shape_.is_closed()),
      across_(static_cast<double>(1 << DistanceFieldData::deepest_level) / (2.0 * data_->half_side)) {
  std::vector<float> rough;
  rough.reserve(rough_side * rough_side * rough_side);
  for (int z = 0; z < rough_side; ++z)
    for (int y = 0; y < rough_side; ++y)
      for (int x = 0; x < rough_side; ++x)
        rough.push_back(-float_above(-bounds_at(rough_middle(x, y, z)).lower));
  rough_ = std::make_shared<const std::vector<float>>(std::move(rough));
}

Vector3 DistanceField::rough_middle(int x, int y, int z) const {
  const double side = data_->half_side * (2.0 / rough_side);
  return data_->center + side * Vector3(x + 0.5, y + 0.5, z + 0.5) - Vector3::Constant(data_->half_side);
}

// With c the nearest point of the cube to p, and q any point of the surface, which is inside of it, the angle
// at c is not acute: |p - q|^2 >= |p - c|^2 + |c - q|^2.
double DistanceField::rough_bound(const Vector3& point) const {
  // The surface is farther from the cube's border than this little, by a billionth of its size.
  const double half = data_->half_side, reach = half * (1.0 - 0x1p-40);
  const Vector3 offset = point - data_->center;
  const Vector3 inside = offset.cwiseMax(-reach).cwiseMin(reach);
  const double across = rough_side / (2.0 * half), side = half * (2.0 / rough_side);
  const auto cell = [&](int k) { return static_cast<int>((inside[k] + half) * across); };
  const int x = cell(0), y = cell(1), z = cell(2);
  const Vector3 from_middle = inside - side * Vector3(x + 0.5, y + 0.5, z + 0.5) + Vector3::Constant(half);
  const auto at = static_cast<std::size_t>((z * rough_side + y) * rough_side + x);
  const double lower = static_cast<double>((*rough_)[at]) - from_middle.norm();
  const double away = (offset - inside).squaredNorm();
  // Some roundings of the cube's size and of how far it is.
  const double rounding = 0x1p-48 * (half + data_->center.cwiseAbs().maxCoeff());
  return away > 0.0 ? std::sqrt(away + (lower > 0.0 ? lower * lower : 0.0)) * (1.0 - 0x1p-48) - rounding
                    : lower - rounding;
}

namespace {

// What is wrong with a leaf; empty if nothing is.
std::string fault_of(const Leaf& leaf, const DistanceFieldData& data, std::size_t faces, bool is_signed) {
  if (leaf.first < 0 || leaf.planes > DistanceFieldData::is_curve) return "is not possible";
  const bool has_side = leaf.side == Side::Crossed || leaf.side == Side::Inside;
  if (has_side && !is_signed) return "has a side, but the mesh is not closed";
  const auto first = static_cast<std::size_t>(leaf.first);
  if (leaf.planes == DistanceFieldData::is_curve)
    return first < data.curves.size() ? std::string() : std::string("has a curve that is not there");
  if (leaf.planes > 0) {
    if (first + leaf.planes > data.planes.size()) return "has planes that are not there";
    return {};
  }
  if (first >= data.triangles.size()) return "has triangles that are not there";
  const std::int32_t count = data.triangles[first];
  if (count < 1 || static_cast<std::size_t>(count) >= data.triangles.size() - first)
    return "has triangles that are not there";
  for (std::size_t k = first + 1; k <= first + static_cast<std::size_t>(count); ++k) {
    const std::int32_t t = data.triangles[k];
    if (t < 0 || static_cast<std::size_t>(t) >= faces) return "has a triangle that is not one of the mesh";
  }
  return {};
}

std::string fault_of(const DistanceFieldData::Plane& plane, std::size_t faces) {
  const bool has_numbers = std::isfinite(plane.value) && std::isfinite(plane.slope[0]) &&
                           std::isfinite(plane.slope[1]) && std::isfinite(plane.slope[2]) &&
                           std::isfinite(plane.width) && plane.width >= 0.0F;
  if (!has_numbers) return "has numbers that cannot be";
  if (plane.triangle < 0 || static_cast<std::size_t>(plane.triangle) >= faces)
    return "has a triangle that is not one of the mesh";
  return {};
}

}  // namespace

Expected<DistanceField> DistanceField::from_data(Shape mesh, DistanceFieldData data) {
  if (!mesh.is_mesh()) return Error{"a distance field is of a mesh"};
  if (!data.center.allFinite() || !(data.half_side > 0.0) || !std::isfinite(data.half_side) ||
      !(data.error > 0.0) || !std::isfinite(data.error) || !(data.band >= 0.0))
    return broken("its cube, error or band is not a positive number");
  const std::size_t cell_count = data.cells.size(), faces = mesh.mesh().faces.size();
  if (cell_count < DistanceFieldData::grid_cells) return broken("it has no cells");
  for (std::size_t i = 0; i < cell_count; ++i) {
    const std::int32_t cell = data.cells[i];
    const std::string where = "cell " + std::to_string(i) + " ";
    // Children come after their parent, so that no descent can go round.
    if (cell >= 0) {
      if (static_cast<std::size_t>(cell) <= i || static_cast<std::size_t>(cell) + 8 > cell_count)
        return broken(where + "leads nowhere");
      continue;
    }
    const std::string fault = fault_of(Leaf::of(~cell), data, faces, mesh.is_closed());
    if (!fault.empty()) return broken(where + fault);
  }
  for (std::size_t i = 0; i < data.planes.size(); ++i) {
    const std::string fault = fault_of(data.planes[i], faces);
    if (!fault.empty()) return broken("plane " + std::to_string(i) + " " + fault);
  }
  for (std::size_t i = 0; i < data.curves.size(); ++i) {
    std::string fault = fault_of(data.curves[i].plane, faces);
    for (const float b : data.curves[i].bend) {
      if (!std::isfinite(b)) fault = "has numbers that cannot be";
    }
    if (!fault.empty()) return broken("curve " + std::to_string(i) + " " + fault);
  }
  return DistanceField(std::move(mesh), std::make_shared<const DistanceFieldData>(std::move(data)));
}

std::size_t DistanceField::leaf_count() const {
  return static_cast<std::size_t>(
      std::count_if(data_->cells.begin(), data_->cells.end(), [](std::int32_t cell) { return cell < 0; }));
}

std::size_t DistanceField::memory_bytes() const {
  return data_->cells.size() * sizeof(std::int32_t) +
         data_->planes.size() * sizeof(DistanceFieldData::Plane) +
         data_->curves.size() * sizeof(DistanceFieldData::Curve) +
         data_->triangles.size() * sizeof(std::int32_t) + rough_->size() * sizeof(float);
}

// A leaf, and where in its cell a point is.
struct DistanceField::Place {
  Leaf leaf;
  Vector3 in_cell = Vector3::Zero();  // relative to its middle
  double half = 0.0;                  // of a side of the cell; 0: the point is not in the cube
};

// Height of the lowest plane. place: relative to the middle of the cell.
double DistanceField::lowest_plane(const Leaf& leaf, const Vector3& place,
                                   const DistanceFieldData::Plane*& best) const {
  const DistanceFieldData::Plane* const planes = data_->planes.data() + leaf.first;
  double height = INFINITY;
  best = planes;
  for (int i = 0; i < leaf.planes; ++i) {
    const DistanceFieldData::Plane& p = planes[i];
    const double here = static_cast<double>(p.value) + static_cast<double>(p.slope[0]) * place.x() +
                        static_cast<double>(p.slope[1]) * place.y() +
                        static_cast<double>(p.slope[2]) * place.z();
    if (here < height) {
      height = here;
      best = &p;
    }
  }
  return height;
}

FieldValue DistanceField::from_planes(const Leaf& leaf, const Vector3& place, const Vector3& point) const {
  const DistanceFieldData::Plane* best = nullptr;
  const double height = lowest_plane(leaf, place, best);
  const auto width = static_cast<double>(data_->planes[static_cast<std::size_t>(leaf.first)].width);
  Vector3 slope(static_cast<double>(best->slope[0]), static_cast<double>(best->slope[1]),
                static_cast<double>(best->slope[2]));
  const double squared = slope.squaredNorm();
  if (squared > 0.0) {
    slope *= 1.0 / std::sqrt(squared);
  } else {  // known only as a number: the way from the triangle will do
    slope =
        unit_or_zero(point - point_triangle_distance(
                                 point, triangle_of(shape_.mesh(), static_cast<std::size_t>(best->triangle)))
                                 .point);
    if (leaf.side == Side::Crossed && height < 0.0) slope = -slope;
  }
  return with_side(leaf.side, is_signed_, height, width, slope, best->triangle);
}

namespace {

// The slope, and the height above the middle of the cell.
struct OnCurve {
  Vector3 slope;
  double height;
};

OnCurve on_curve(const DistanceFieldData::Plane& plane, const float* bend, const Vector3& place) {
  const auto at = [](float x) { return static_cast<double>(x); };
  const double x = place.x(), y = place.y(), z = place.z();
  const Vector3 bent(at(bend[0]) * x + at(bend[3]) * y + at(bend[4]) * z,
                     at(bend[3]) * x + at(bend[1]) * y + at(bend[5]) * z,
                     at(bend[4]) * x + at(bend[5]) * y + at(bend[2]) * z);
  const Vector3 flat(at(plane.slope[0]), at(plane.slope[1]), at(plane.slope[2]));
  return {flat + bent, at(plane.value) + (flat + 0.5 * bent).dot(place)};
}

constexpr float not_bent[6] = {};

}  // namespace

FieldBounds DistanceField::from_list(const Leaf& leaf, const Vector3& point) const {
  const TriangleMesh& mesh = shape_.mesh();
  const std::int32_t* const list = data_->triangles.data() + leaf.first;
  const std::int32_t size = list[0];
  FieldBounds bounds{INFINITY, INFINITY, -1};
  TriangleColumns columns;
  for (std::int32_t i = 0; i < size; i += TriangleColumns::width) {
    const std::int32_t* const ids = list + 1 + i;
    const std::int32_t count = std::min(size - i, TriangleColumns::width);
    columns.clear();
    for (std::int32_t k = 0; k < count; ++k) {
      const Face& f = mesh.faces[static_cast<std::size_t>(ids[k])];
      columns.add(mesh.vertices[static_cast<std::size_t>(f[0])],
                  mesh.vertices[static_cast<std::size_t>(f[1])],
                  mesh.vertices[static_cast<std::size_t>(f[2])], point);
    }
    double low[TriangleColumns::width], high[TriangleColumns::width];
    point_triangle_brackets(columns, low, high);
    for (std::int32_t k = 0; k < count; ++k) {
      bounds.lower = std::min(bounds.lower, low[k]);
      if (high[k] < bounds.upper) {
        bounds.upper = high[k];
        bounds.triangle = ids[k];
      }
    }
  }
  return bounds;
}

FieldValue DistanceField::from_triangles(const Leaf& leaf, const Vector3& point) const {
  const FieldBounds bounds = from_list(leaf, point);
  const double lower = bounds.lower, upper = bounds.upper;
  const std::int32_t nearest = bounds.triangle;
  const Triangle triangle = triangle_of(shape_.mesh(), static_cast<std::size_t>(nearest));
  const Vector3 away = unit_or_zero(point - point_triangle_distance(point, triangle).point);
  if (leaf.side == Side::Inside) return signed_value(lower, upper, away, nearest, -1.0);
  if (leaf.side != Side::Crossed) return {lower, upper, away, nearest};
  switch (point_containment(point, shape_)) {
    case Containment::Inside:
      return signed_value(lower, upper, away, nearest, -1.0);
    case Containment::Outside:
      return {lower, upper, away, nearest};
    default:  // on the surface
      return {-upper, upper, Vector3::Zero(), nearest};
  }
}

DistanceField::Place DistanceField::place_of(const Vector3& point) const {
  const DistanceFieldData& d = *data_;
  // Counted in cells of the deepest level. The rounding of this moves a point by some u of the cube, which
  // the build's cells overlap by.
  constexpr int deepest = DistanceFieldData::deepest_level;
  constexpr auto cells_across = static_cast<double>(1 << deepest);
  const Vector3 offset = point - d.center;
  const Vector3 place = across_ * offset + Vector3::Constant(0.5 * cells_across);
  Place result;
  if (!(place.minCoeff() >= 0.0 && place.maxCoeff() < cells_across)) return result;
  const auto x = static_cast<std::uint32_t>(place.x()), y = static_cast<std::uint32_t>(place.y()),
             z = static_cast<std::uint32_t>(place.z());
  constexpr int grid = DistanceFieldData::grid_levels;
  int shift = deepest - grid;
  std::int32_t cell = d.cells[x >> shift | (y >> shift) << grid | (z >> shift) << (2 * grid)];
  while (cell >= 0) {
    --shift;
    const std::uint32_t octant = (x >> shift & 1U) | (y >> shift & 1U) << 1U | (z >> shift & 1U) << 2U;
    cell = d.cells[static_cast<std::size_t>(cell) + octant];
  }
  result.leaf = Leaf::of(~cell);
  const double side = d.half_side * (2.0 / cells_across);
  const auto size = static_cast<double>(1U << shift);
  const auto middle = [&](std::uint32_t i) {
    return (static_cast<double>(i >> shift) + 0.5) * size - 0.5 * cells_across;
  };
  result.in_cell = offset - side * Vector3(middle(x), middle(y), middle(z));
  result.half = 0.5 * side * size;
  return result;
}

FieldValue DistanceField::at(const Vector3& point) const {
  const Place place = place_of(point);
  if (place.half == 0.0) {
    const SignedDistance exact = signed_distance(point, shape_);
    FieldValue value{exact.lower, exact.upper, unit_or_zero(point - exact.point), exact.feature.part};
    if (exact.side == Containment::Inside) value.gradient = -value.gradient;
    return value;
  }
  const Leaf& leaf = place.leaf;
  if (leaf.planes == 0) return from_triangles(leaf, point);
  // One plane is a curve that is not bent: which of them the next point meets nobody can foretell.
  const bool is_curve = leaf.planes == DistanceFieldData::is_curve;
  const auto first = static_cast<std::size_t>(leaf.first);
  const DistanceFieldData::Curve* const curve = data_->curves.data() + (is_curve ? first : 0);
  const DistanceFieldData::Plane& plane = is_curve ? curve->plane : data_->planes[first];
  const OnCurve here = on_curve(plane, is_curve ? curve->bend : not_bent, place.in_cell);
  const double squared = here.slope.squaredNorm();
  const bool has_slope = squared > 0.0;
  if (!is_curve && (leaf.planes > 1 || !has_slope)) return from_planes(leaf, place.in_cell, point);
  return with_side(leaf.side, is_signed_, here.height, static_cast<double>(plane.width),
                   has_slope ? Vector3(here.slope * (1.0 / std::sqrt(squared))) : Vector3(Vector3::Zero()),
                   plane.triangle);
}

FieldBounds DistanceField::bounds_at(const Vector3& point) const {
  const Place place = place_of(point);
  const Leaf& leaf = place.leaf;
  if (place.half == 0.0) {
    const SignedDistance exact = signed_distance(point, shape_, {.with_sign = false});
    return {exact.lower, exact.upper, exact.feature.part};
  }
  if (leaf.planes == 0) return from_list(leaf, point);
  double height = 0.0, width = 0.0;
  const DistanceFieldData::Plane* best = nullptr;
  if (leaf.planes == DistanceFieldData::is_curve) {
    const DistanceFieldData::Curve& c = data_->curves[static_cast<std::size_t>(leaf.first)];
    best = &c.plane;
    height = on_curve(c.plane, c.bend, place.in_cell).height;
    width = static_cast<double>(c.plane.width);
  } else {
    height = lowest_plane(leaf, place.in_cell, best);
    width = static_cast<double>(data_->planes[static_cast<std::size_t>(leaf.first)].width);
    const bool is_number = best->slope[0] == 0.0F && best->slope[1] == 0.0F && best->slope[2] == 0.0F;
    // A number holds to the way from the middle, of which its width has the longest. That is of a cell a
    // billionth larger, which is more than the rounding here.
    if (is_number) width = std::max(0.0, width - place.half * 1.7320508075688774) + place.in_cell.norm();
  }
  if (leaf.side == Side::Crossed || leaf.side == Side::Unsigned) height = std::abs(height);
  return {std::max(0.0, height - width), height + width, best->triangle};
}

Containment DistanceField::side_at(const Vector3& point) const {
  if (!is_signed_) return Containment::Undefined;
  const FieldValue value = at(point);
  if (value.lower > 0.0) return Containment::Outside;
  if (value.upper < 0.0) return Containment::Inside;
  return point_containment(point, shape_);
}

void DistanceField::at(std::span<const Vector3> points, std::span<FieldValue> values, int threads) const {
  parallel_blocks(points.size(), block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) values[i] = at(points[i]);
  });
}

}  // namespace toccata
