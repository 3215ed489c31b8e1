#include "proximity/point_distance/segment_parity.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "hierarchy/box_kernel.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/elementary/ray_triangle.hpp"
#include "toccata/elementary/triangle.hpp"

namespace toccata::point_distance {

SegmentParity::SegmentParity(const PlacedShape& mesh, double margin, const hierarchy::RayTree* walked)
    : data_(mesh.shape.data()),
      walked_(walked),
      margin_(margin),
      placement_(proximity::placement_error(mesh, mesh)) {}

// Exact of one triangle: whether the line meets it, by signs, and whether the segment gets that far, by its
// ends' heights above the plane. A parameter would not do: where the line is nearly in the plane it says
// little.
SegmentParity::Met SegmentParity::met(const Segment& segment, std::int32_t number) const {
  const Triangle triangle = triangle_of(data_.mesh, static_cast<std::size_t>(number));
  const RayTriangleResult hit = ray_triangle(segment.ray, triangle);
  if (hit.hit == RayHit::Miss) return Met::No;
  const Vector3 e = triangle[1] - triangle[0], f = triangle[2] - triangle[0], n = e.cross(f);
  const double area = n.norm();
  if (!(area > 1e-3 * e.norm() * f.norm())) return Met::Unknown;
  const double begin = n.dot(segment.ray.origin - triangle[0]) / area,
               end = n.dot(segment.to - triangle[0]) / area;
  if (!(std::abs(begin) > margin_ && std::abs(end) > margin_)) return Met::Unknown;
  if ((begin > 0.0) == (end > 0.0)) return Met::No;
  return hit.hit == RayHit::Interior ? Met::Yes : Met::Unknown;
}

std::optional<bool> SegmentParity::operator()(const Vector3& from, const Vector3& to) {
  const Segment segment{{from, to - from}, to};
  const double length = segment.ray.direction.norm();
  if (!(length > 4.0 * margin_)) return std::nullopt;
  if (walked_ == nullptr) walked_ = hierarchy::ray_tree_of(data_);
  return walked_ != nullptr ? walk(segment, length) : open_all(segment, length);
}

std::optional<bool> SegmentParity::walk(const Segment& segment, double length) const {
  hierarchy::TreeRay ray;
  for (int k = 0; k < 3; ++k) {
    ray.origin[k] = segment.ray.origin[k] - data_.center[k];
    ray.direction[k] = segment.ray.direction[k] / length;
  }
  ray.limit = length + 2.0 * margin_;
  ray.padding = 2.0 * placement_ + 128.0 * unit_roundoff * segment.ray.origin.cwiseAbs().sum();
  struct Count {
    const SegmentParity& parity;
    const Segment& segment;
    double limit;
    bool is_odd = false, is_known = true;
  } count{*this, segment, ray.limit};
  const auto visit = [](void* context, std::int32_t triangle) {
    auto& c = *static_cast<Count*>(context);
    const Met met = c.parity.met(c.segment, triangle);
    c.is_known = c.is_known && met != Met::Unknown;
    if (met == Met::Yes) c.is_odd = !c.is_odd;
    return c.is_known ? c.limit : -1.0;  // nothing more to know
  };
  hierarchy::walk_ray(*walked_, ray, {&count, visit});
  if (!count.is_known) return std::nullopt;
  return count.is_odd;
}

std::optional<bool> SegmentParity::open_all(const Segment& segment, double length) {
  hierarchy::QueryRay query;
  query.origin = segment.ray.origin - data_.center;
  query.direction = segment.ray.direction / length;
  query.limit = length + 2.0 * margin_;
  const auto padding =
      static_cast<float>((placement_ + 64.0 * unit_roundoff * segment.ray.origin.norm()) * 1.01);
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
      const Met met_it = met(segment, ~child);
      if (met_it == Met::Unknown) return std::nullopt;
      if (met_it == Met::Yes) is_odd = !is_odd;
    }
  }
  return is_odd;
}

}  // namespace toccata::point_distance
