#include "proximity/point_distance/nearest_triangle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hierarchy/point_gaps.hpp"
#include "hierarchy/point_walk.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::point_distance {

using proximity::placement_error;
using proximity::world_triangle;

namespace {

// From the point to the triangle: where the way itself is short, and so its direction poorly known, the
// normal of the face or of the edge tells it better; along the one of the face or against it.
Vector3 way_to(const Vector3& point, const Triangle& t, const PointTriangleDistance& nearest) {
  if (nearest.feature.kind == FeatureKind::Face) return (t[1] - t[0]).cross(t[2] - t[0]);
  const Vector3 way = nearest.point - point;
  if (nearest.feature.kind == FeatureKind::Vertex) return way;
  const auto k = static_cast<std::size_t>(nearest.feature.index);
  const Vector3 edge = t[(k + 1) % 3] - t[k];
  return way - way.dot(edge) / edge.squaredNorm() * edge;
}

struct Proven {
  double distance = 0.0;
  Vector3 normal = Vector3::Zero();  // of the triangle, unit, if it was used
};

// No point of the triangle is nearer than its lowest corner along a direction: proven, wherever the direction
// came from. Twelve roundings of the corner's distance.
Proven proven_distance(const Vector3& point, const Triangle& triangle, const PointTriangleDistance& nearest) {
  const Vector3 way = way_to(point, triangle, nearest);
  const double length = way.norm();
  Proven proven;
  if (!(length > 1e-150)) return proven;  // its square may have vanished
  Vector3 direction = way / length;
  if (nearest.feature.kind == FeatureKind::Face) {
    proven.normal = direction;
    if (way.dot(nearest.point - point) < 0.0) direction = -direction;
  }
  double lowest = INFINITY;
  for (const Vector3& corner : triangle) {
    const Vector3 arm = corner - point;
    lowest = std::min(lowest, direction.dot(arm) - 12.0 * unit_roundoff * arm.cwiseAbs().sum());
  }
  proven.distance = std::max(0.0, lowest);
  return proven;
}

// The weights of the nearest point are those of a point of the triangle, whatever their own roundings, and
// each of its coordinates is that one's to six of the corners' (docs/notes/point_distance.md); then the
// difference, its square, which may vanish, and the root.
double upper_distance(double squared, const Triangle& triangle) {
  const double corners = triangle[0].cwiseAbs().maxCoeff() + triangle[1].cwiseAbs().maxCoeff() +
                         triangle[2].cwiseAbs().maxCoeff();
  return std::sqrt(squared) * (1.0 + 8.0 * unit_roundoff) + (12.0 * unit_roundoff * corners + 0x1p-530);
}

}  // namespace

NearestTriangleSearch::NearestTriangleSearch(const PlacedShape& placed, const hierarchy::RayTree* walked)
    : placed_(placed),
      walked_(walked),
      is_walked_at_once_(walked != nullptr),
      is_in_place_(placed.pose.rotation == Matrix3::Identity() && placed.pose.translation == Vector3::Zero()),
      placement_(placement_error(placed, placed)) {
  const double radius = placed.shape.data().radius;
  if (radius > 0.0) scale_ = std::exp2(-std::ilogb(radius));
}

Triangle NearestTriangleSearch::in_world(std::int32_t triangle) const {
  if (!is_in_place_) return world_triangle(placed_, triangle);
  return triangle_of(placed_.shape.data().mesh, static_cast<std::size_t>(triangle));
}

void NearestTriangleSearch::add(std::int32_t triangle) {
  const MeshView& mesh = placed_.shape.data().mesh;
  const Face& f = mesh.faces[static_cast<std::size_t>(triangle)];
  ids_[columns_.count] = triangle;
  columns_.add(mesh.vertices[static_cast<std::size_t>(f[0])], mesh.vertices[static_cast<std::size_t>(f[1])],
               mesh.vertices[static_cast<std::size_t>(f[2])], seen_);
}

void NearestTriangleSearch::look_at_columns() {
  double low[TriangleColumns::width], high[TriangleColumns::width];
  point_triangle_brackets(columns_, low, high);
  for (int i = 0; i < columns_.count; ++i) high_ = std::min(high_, high[i] + error_);
  for (int i = 0; i < columns_.count; ++i) {
    if (low[i] - error_ <= high_) candidates_.push_back({low[i] - error_, ids_[i]});
  }
  columns_.clear();
}

void NearestTriangleSearch::open(const Vector3& point, std::int32_t index) {
  const BoxNode& node = placed_.shape.data().tree.node(static_cast<std::size_t>(index));
  float gaps[box_width];
  hierarchy::point_gaps(point, node, static_cast<float>(error_ * 1.01), gaps);
  const std::size_t begin = stack_.size();
  for (int slot = 0; slot < node.count; ++slot) {
    if (static_cast<double>(gaps[slot]) > high_ - slack_) continue;
    const std::int32_t child = node.child[slot];
    if (child < 0) {
      add(~child);
      continue;
    }
    // The nearest on top.
    std::size_t at = stack_.size();
    stack_.push_back({});
    for (; at > begin && stack_[at - 1].gap < gaps[slot]; --at) stack_[at] = stack_[at - 1];
    stack_[at] = {gaps[slot], child};
  }
  if (columns_.count > 0) look_at_columns();
}

NearestTriangle NearestTriangleSearch::nearest_of_candidates(const Vector3& point) {
  NearestTriangle best;
  may_be_nearest_.clear();
  best.nearest.squared_distance = INFINITY;
  best.lower = INFINITY;
  for (const Candidate& c : candidates_) {
    if (c.low > high_) continue;
    may_be_nearest_.push_back(c.triangle);
    const Triangle triangle = in_world(c.triangle);
    const PointTriangleDistance nearest = point_triangle_distance(point, triangle);
    const Proven proven = proven_distance(point, triangle, nearest);
    best.lower = std::min(best.lower, std::max(c.low, proven.distance));
    const bool is_nearer =
        nearest.squared_distance < best.nearest.squared_distance ||
        (nearest.squared_distance == best.nearest.squared_distance && c.triangle < best.triangle);
    if (!is_nearer) continue;
    best.triangle = c.triangle;
    best.nearest = nearest;
    best.upper = upper_distance(nearest.squared_distance, triangle);
    best.normal.setZero();
    if (is_in_place_ && nearest.feature.kind == FeatureKind::Face) best.normal = proven.normal;
  }
  return best;
}

void NearestTriangleSearch::open_all(const Vector3& in_tree) {
  add(last_);
  look_at_columns();
  if (slack_ == 0.0) candidates_.clear();  // it comes again
  stack_.push_back({0.0F, 0});
  while (!stack_.empty()) {
    const Entry entry = stack_.back();
    stack_.pop_back();
    if (static_cast<double>(entry.gap) <= high_ - slack_) open(in_tree, entry.child);
  }
}

// Which triangle is almost the nearest depends on the tree, which must not depend on what was asked before.
bool NearestTriangleSearch::is_walked(const Vector3& in_tree) {
  if (walked_ == nullptr && slack_ == 0.0) walked_ = hierarchy::ray_tree_of(placed_.shape.data());
  return walked_ != nullptr && (is_walked_at_once_ || slack_ == 0.0) &&
         in_tree.cwiseAbs().maxCoeff() * scale_ < hierarchy::largest_walked_distance;
}

// How far the last answer is: a first bound.
void NearestTriangleSearch::begin_at_last() {
  const Triangle triangle = triangle_of(placed_.shape.data().mesh, static_cast<std::size_t>(last_));
  const double squared =
      std::min((triangle[0] - seen_).squaredNorm(),
               std::min((triangle[1] - seen_).squaredNorm(), (triangle[2] - seen_).squaredNorm()));
  high_ = std::min(high_, upper_distance(squared, triangle) + error_);
  if (slack_ > 0.0) candidates_.push_back({0.0, last_});
}

void NearestTriangleSearch::walk(const Vector3& in_tree) {
  begin_at_last();
  const hierarchy::TreePoint point = {{in_tree.x(), in_tree.y(), in_tree.z()}, error_, scale_};
  // Their corners are asked for while the walk goes on.
  struct Kept {
    std::vector<Candidate>& candidates;
    const MeshView& mesh;
  } kept{candidates_, placed_.shape.data().mesh};
  const auto keep = [](void* context, std::int32_t triangle, double low) {
    const Kept& k = *static_cast<Kept*>(context);
    k.candidates.push_back({low, triangle});
    for (const std::int32_t corner : k.mesh.faces[static_cast<std::size_t>(triangle)])
      __builtin_prefetch(&k.mesh.vertices[static_cast<std::size_t>(corner)]);
  };
  high_ = hierarchy::walk_point(*walked_, point, {high_, slack_}, {&kept, keep});
  std::erase_if(candidates_, [&](const Candidate& c) { return c.low > high_; });
  if (candidates_.size() < 2) {
    for (Candidate& c : candidates_) c.low = 0.0;  // the same on all instruction sets
    return;
  }
  // Single precision leaves some that are not as near: the rest in double.
  nearly_.swap(candidates_);
  candidates_.clear();
  for (const Candidate& c : nearly_) {
    add(c.triangle);
    if (columns_.full()) look_at_columns();
  }
  if (columns_.count > 0) look_at_columns();
}

NearestTriangle NearestTriangleSearch::found(const Vector3& point, double limit, double slack) {
  const ShapeData& data = placed_.shape.data();
  candidates_.clear();
  stack_.clear();
  if (data.tree.empty()) return {};
  seen_ = point;
  if (!is_in_place_) seen_ = placed_.pose.rotation.transpose() * (point - placed_.pose.translation);
  error_ = placement_ + 64.0 * unit_roundoff * point.cwiseAbs().sum();
  high_ = limit;
  slack_ = slack;
  const Vector3 in_tree = seen_ - data.center;
  if (is_walked(in_tree)) {
    walk(in_tree);
  } else {
    open_all(in_tree);
  }
  const NearestTriangle best = nearest_of_candidates(point);
  if (best.triangle >= 0) last_ = best.triangle;
  return best;
}

NearestTriangle NearestTriangleSearch::almost(const Vector3& point, double slack) {
  NearestTriangle nearest = found(point, INFINITY, slack);
  nearest.lower = std::max(0.0, std::min(nearest.lower, high_ - slack));
  return nearest;
}

}  // namespace toccata::point_distance
