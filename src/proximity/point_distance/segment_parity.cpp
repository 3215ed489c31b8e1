#include "proximity/point_distance/segment_parity.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "hierarchy/box_kernel.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/elementary/ray_triangle.hpp"
#include "toccata/elementary/triangle.hpp"

namespace toccata::point_distance {

SegmentParity::SegmentParity(const PlacedShape& mesh, double margin)
    : mesh_(mesh),
      data_(mesh.shape.data()),
      margin_(margin),
      placement_(proximity::placement_error(mesh, mesh)) {}

std::optional<bool> SegmentParity::operator()(const Vector3& from, const Vector3& to) {
  const Ray ray{from, to - from};
  const double length = ray.direction.norm();
  if (!(length > 4.0 * margin_)) return std::nullopt;
  hierarchy::QueryRay query;
  query.origin = from - data_.center;
  query.direction = ray.direction / length;
  query.limit = length + 2.0 * margin_;
  const auto padding = static_cast<float>((placement_ + 64.0 * unit_roundoff * from.norm()) * 1.01);
  bool is_odd = false;
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const BoxNode& node = data_.tree.node(static_cast<std::size_t>(stack_.back()));
    stack_.pop_back();
    float entries[box_width];
    hierarchy::ray_box_entries(query, node, padding, entries);
    for (int slot = 0; slot < node.count; ++slot) {
      if (entries[slot] == INFINITY) continue;
      const std::int32_t child = node.child[slot];
      if (child >= 0) {
        stack_.push_back(child);
        continue;
      }
      const Triangle triangle = triangle_of(data_.mesh, static_cast<std::size_t>(~child));
      const RayTriangleResult hit = ray_triangle(ray, triangle);
      if (hit.hit == RayHit::Miss) continue;
      // Of the line it is known exactly; whether the segment gets that far is told by its ends' heights above
      // the plane. A parameter would not do: where the line is nearly in the plane it says little.
      const Vector3 e = triangle[1] - triangle[0], f = triangle[2] - triangle[0], n = e.cross(f);
      const double area = n.norm();
      if (!(area > 1e-3 * e.norm() * f.norm())) return std::nullopt;
      const double begin = n.dot(from - triangle[0]) / area, end = n.dot(to - triangle[0]) / area;
      if (!(std::abs(begin) > margin_ && std::abs(end) > margin_)) return std::nullopt;
      if ((begin > 0.0) == (end > 0.0)) continue;
      if (hit.hit != RayHit::Interior) return std::nullopt;
      is_odd = !is_odd;
    }
  }
  return is_odd;
}

}  // namespace toccata::point_distance
