#include "toccata/proximity/ray_cast.hpp"
#include "toccata/base/rounding.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "hierarchy/box_kernel.hpp"
#include "proximity/world_triangle.hpp"

namespace toccata {

using namespace proximity;

namespace {

using namespace hierarchy;

struct Entry {
  float parameter;
  std::int32_t child;
};

// Visits every triangle whose box the ray may enter before `limit`, near boxes first. visit(triangle) returns
// the new limit.
template <typename Visit>
void traverse(const PlacedShape& placed, const Ray& ray, double limit, QueryStats& stats, Visit&& visit) {
  const ShapeData& data = placed.shape.data();
  if (data.tree.nodes.empty()) return;
  const Matrix3 back = placed.pose.rotation.transpose();
  QueryRay query;
  query.origin = back * (ray.origin - placed.pose.apply(data.center));
  // Unit length, so that the box tests stay in range; parameters are scaled back.
  const double length = ray.direction.norm();
  query.direction = back * (ray.direction / length);
  const float padding =
      static_cast<float>((placement_error(placed, placed) + 64.0 * unit_roundoff * ray.origin.norm()) * 1.01);
  std::vector<Entry> stack = {{0.0f, 0}};
  while (!stack.empty()) {
    const Entry entry = stack.back();
    stack.pop_back();
    if (static_cast<double>(entry.parameter) > limit * length) continue;
    if (entry.child < 0) {
      ++stats.piece_pairs;
      limit = std::min(limit, visit(~entry.child));
      continue;
    }
    const BoxNode& node = data.tree.nodes[entry.child];
    query.limit = limit * length;
    float parameter[box_width];
    ray_box_entries(query, node, padding, parameter);
    stats.node_pairs += node.count;
    const auto begin = static_cast<std::ptrdiff_t>(stack.size());
    for (int slot = 0; slot < node.count; ++slot) {
      if (parameter[slot] < INFINITY) stack.push_back({parameter[slot], node.child[slot]});
    }
    std::sort(stack.begin() + begin, stack.end(),
              [](const Entry& x, const Entry& y) { return x.parameter > y.parameter; });
  }
}

bool is_usable(const Ray& ray) {
  const double length = ray.direction.norm();
  return length > 0.0 && std::isfinite(length) && ray.origin.allFinite();
}

}  // namespace

RayCastResult ray_cast(const PlacedShape& shape, const Ray& ray, const RayCastOptions& options) {
  RayCastResult result;
  if (!is_usable(ray)) return result;
  double limit = options.limit;
  traverse(shape, ray, limit, result.stats, [&](std::int32_t triangle) {
    const RayTriangleResult r = ray_triangle(ray, world_triangle(shape, triangle));
    if (r.hit == RayHit::Miss || r.parameter > limit) return limit;
    if (!result.hit || r.parameter < result.parameter ||
        (r.parameter == result.parameter && triangle < result.triangle)) {
      result.hit = true;
      result.parameter = limit = r.parameter;
      result.triangle = triangle;
    }
    return limit;
  });
  if (!result.hit) return result;
  result.point = ray.origin + result.parameter * ray.direction;
  const Triangle t = world_triangle(shape, result.triangle);
  const Vector3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  if (normal.norm() > 0.0) result.normal = normal.normalized();
  return result;
}

std::vector<RayCrossing> ray_crossings(const PlacedShape& shape, const Ray& ray) {
  std::vector<RayCrossing> crossings;
  if (!is_usable(ray)) return crossings;
  QueryStats stats;
  traverse(shape, ray, INFINITY, stats, [&](std::int32_t triangle) {
    const RayTriangleResult r = ray_triangle(ray, world_triangle(shape, triangle));
    if (r.hit != RayHit::Miss) crossings.push_back({triangle, r});
    return static_cast<double>(INFINITY);
  });
  std::sort(crossings.begin(), crossings.end(), [](const RayCrossing& x, const RayCrossing& y) {
    if (x.crossing.parameter != y.crossing.parameter) return x.crossing.parameter < y.crossing.parameter;
    return x.triangle < y.triangle;
  });
  return crossings;
}

}  // namespace toccata
