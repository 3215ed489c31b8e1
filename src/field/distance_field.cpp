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

namespace {

constexpr std::size_t block = 256;

Vector3 unit_or_zero(const Vector3& v) {
  const double length = v.norm();
  return length > 0.0 ? Vector3(v / length) : Vector3(Vector3::Zero());
}

FieldValue signed_value(double lower, double upper, const Vector3& gradient, std::int32_t triangle,
                        double side) {
  if (side < 0.0) return {-upper, -lower, -gradient, triangle};
  return {lower, upper, gradient, triangle};
}

Error broken(const std::string& what) {
  return Error{"the distance field is damaged: " + what};
}

}  // namespace

DistanceField::DistanceField(Shape mesh, std::shared_ptr<const DistanceFieldData> data)
    : shape_(std::move(mesh)), data_(std::move(data)), is_signed_(shape_.is_closed()) {}

Expected<DistanceField> DistanceField::from_data(Shape mesh, DistanceFieldData data) {
  if (!mesh.is_mesh()) return Error{"a distance field is of a mesh"};
  if (!data.center.allFinite() || !(data.half_side > 0.0) || !std::isfinite(data.half_side) ||
      !(data.error > 0.0) || !std::isfinite(data.error))
    return broken("its cube or its error is not a positive number");
  const auto cell_count = static_cast<std::int64_t>(data.cells.size());
  if (cell_count == 0) return broken("it has no cells");
  for (std::int64_t i = 0; i < cell_count; ++i) {
    const std::int64_t child = data.cells[static_cast<std::size_t>(i)];
    // Children come after their parent, so that no descent can go round.
    if (child >= 0 ? child <= i || child + 8 > cell_count
                   : ~child >= static_cast<std::int64_t>(data.leaves.size()))
      return broken("cell " + std::to_string(i) + " leads nowhere");
  }
  for (std::size_t i = 0; i < data.leaves.size(); ++i) {
    const DistanceFieldData::Leaf& leaf = data.leaves[i];
    const bool has_triangles =
        leaf.first >= 0 && leaf.count > 0 &&
        static_cast<std::size_t>(leaf.first) + static_cast<std::size_t>(leaf.count) <= data.triangles.size();
    bool has_numbers = std::isfinite(leaf.below) && std::isfinite(leaf.above);
    for (const float v : leaf.corners) has_numbers = has_numbers && std::isfinite(v);
    if (!has_triangles || !has_numbers || leaf.side < -1 || leaf.side > 1 ||
        (leaf.is_interpolated && leaf.side == 0))
      return broken("leaf " + std::to_string(i) + " is not possible");
  }
  for (const std::int32_t t : data.triangles) {
    if (t < 0 || static_cast<std::size_t>(t) >= mesh.mesh().faces.size())
      return broken("triangle " + std::to_string(t) + " is not one of the mesh");
  }
  return DistanceField(std::move(mesh), std::make_shared<const DistanceFieldData>(std::move(data)));
}

std::size_t DistanceField::memory_bytes() const {
  return data_->cells.size() * sizeof(std::int32_t) + data_->leaves.size() * sizeof(DistanceFieldData::Leaf) +
         data_->triangles.size() * sizeof(std::int32_t);
}

// place: in the cell, each coordinate in [0, 1]. The interpolation takes fewer than 32 roundings of the
// largest corner; the leaf's bounds were found for real arithmetic on the corners as stored.
FieldValue DistanceField::interpolated(const DistanceFieldData::Leaf& leaf, const Vector3& place,
                                       double side) const {
  const auto corner = [&](int k) { return static_cast<double>(leaf.corners[k]); };
  const double x = place.x(), y = place.y(), z = place.z();
  double along_x[4], slope_x[4], largest = 0.0;
  for (int k = 0; k < 4; ++k) {
    slope_x[k] = corner(2 * k + 1) - corner(2 * k);
    along_x[k] = corner(2 * k) + x * slope_x[k];
    largest = std::max({largest, std::abs(corner(2 * k)), std::abs(corner(2 * k + 1))});
  }
  const double low = along_x[0] + y * (along_x[1] - along_x[0]),
               high = along_x[2] + y * (along_x[3] - along_x[2]);
  const double value = low + z * (high - low);
  const double slope_low = slope_x[0] + y * (slope_x[1] - slope_x[0]),
               slope_high = slope_x[2] + y * (slope_x[3] - slope_x[2]);
  const double slope_y0 = along_x[1] - along_x[0], slope_y1 = along_x[3] - along_x[2];
  const Vector3 gradient(slope_low + z * (slope_high - slope_low), slope_y0 + z * (slope_y1 - slope_y0),
                         high - low);
  const double error = 32.0 * unit_roundoff * largest;
  return signed_value(std::max(0.0, value - static_cast<double>(leaf.below) - error),
                      value + static_cast<double>(leaf.above) + error, unit_or_zero(gradient),
                      data_->triangles[static_cast<std::size_t>(leaf.first)], side);
}

FieldValue DistanceField::from_triangles(const DistanceFieldData::Leaf& leaf, const Vector3& point) const {
  const TriangleMesh& mesh = shape_.mesh();
  double lower = INFINITY, upper = INFINITY;
  std::int32_t nearest = -1;
  TriangleColumns columns;
  for (std::int32_t i = 0; i < leaf.count; i += TriangleColumns::width) {
    const std::int32_t* const ids = data_->triangles.data() + leaf.first + i;
    const std::int32_t count = std::min(leaf.count - i, TriangleColumns::width);
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
      lower = std::min(lower, low[k]);
      if (high[k] < upper) {
        upper = high[k];
        nearest = ids[k];
      }
    }
  }
  const Triangle triangle = triangle_of(mesh, static_cast<std::size_t>(nearest));
  const Vector3 away = unit_or_zero(point - point_triangle_distance(point, triangle).point);
  if (!is_signed_) return {lower, upper, away, nearest};
  if (leaf.side != 0) return signed_value(lower, upper, away, nearest, leaf.side);
  switch (point_containment(point, shape_)) {
    case Containment::Inside:
      return signed_value(lower, upper, away, nearest, -1.0);
    case Containment::Outside:
      return signed_value(lower, upper, away, nearest, 1.0);
    default:  // on the surface
      return {-upper, upper, Vector3::Zero(), nearest};
  }
}

FieldValue DistanceField::at(const Vector3& point) const {
  const DistanceFieldData& d = *data_;
  // In the cube [0, 1)^3; the rounding of this moves a point by 4 u of the cube, which the build's cells
  // overlap by.
  Vector3 place = ((point - d.center) / d.half_side + Vector3::Ones()) * 0.5;
  if (!(place.minCoeff() >= 0.0 && place.maxCoeff() < 1.0)) {
    const SignedDistance exact = signed_distance(point, shape_);
    FieldValue value{exact.lower, exact.upper, unit_or_zero(point - exact.point), exact.feature.part};
    if (exact.side == Containment::Inside) value.gradient = -value.gradient;
    return value;
  }
  std::int32_t cell = d.cells[0];
  while (cell >= 0) {
    place *= 2.0;
    std::int32_t octant = 0;
    for (int i = 0; i < 3; ++i) {
      if (place[i] < 1.0) continue;
      place[i] -= 1.0;
      octant |= 1 << i;
    }
    cell = d.cells[static_cast<std::size_t>(cell + octant)];
  }
  const DistanceFieldData::Leaf& leaf = d.leaves[static_cast<std::size_t>(~cell)];
  return leaf.is_interpolated ? interpolated(leaf, place, leaf.side) : from_triangles(leaf, point);
}

void DistanceField::at(std::span<const Vector3> points, std::span<FieldValue> values, int threads) const {
  parallel_blocks(points.size(), block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) values[i] = at(points[i]);
  });
}

}  // namespace toccata
