#include "proximity/convex/hull_levels.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "proximity/convex/feature_walk.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/bound/convex_hull_of.hpp"

namespace toccata::convex {
namespace {

constexpr std::size_t coarsest_vertices = 16;
constexpr std::int32_t most_neighbours = 8;

std::int32_t neighbour_count(const ConvexHull& hull, std::int32_t v) {
  return hull.first_neighbour[v + 1] - hull.first_neighbour[v];
}

// For each vertex: what leaving it out costs. Only an order, nothing is proven by it.
std::vector<double> costs_of(const ConvexHull& hull, Decimation decimation) {
  const auto count = static_cast<std::int32_t>(hull.vertices.size());
  std::vector<double> cost(hull.vertices.size(), 0.0);
  if (decimation == Decimation::DobkinKirkpatrick) {
    for (std::int32_t v = 0; v < count; ++v) {
      cost[v] = neighbour_count(hull, v) <= most_neighbours ? neighbour_count(hull, v)
                                                            : std::numeric_limits<double>::infinity();
    }
    return cost;
  }
  // The quadric of a vertex: sum over its faces of (n . x - n . v)^2, as a matrix about the vertex.
  std::vector<Matrix3> quadric(hull.vertices.size(), Matrix3::Zero());
  for (const Face& face : hull.faces) {
    const Vector3& p = hull.vertices[face[0]];
    const Vector3 normal = (hull.vertices[face[1]] - p).cross(hull.vertices[face[2]] - p);
    const double squared = normal.squaredNorm();
    if (!(squared > 0.0)) continue;
    for (const int v : face) quadric[v] += normal * normal.transpose() / squared;
  }
  for (std::int32_t v = 0; v < count; ++v) {
    cost[v] = std::numeric_limits<double>::infinity();
    for (std::int32_t i = hull.first_neighbour[v]; i < hull.first_neighbour[v + 1]; ++i) {
      const Vector3 way = hull.vertices[hull.neighbours[i]] - hull.vertices[v];
      cost[v] = std::min(cost[v], way.dot(quadric[v] * way));
    }
  }
  return cost;
}

// The vertices that stay, in rising order.
std::vector<std::int32_t> kept_vertices(const ConvexHull& hull, Decimation decimation) {
  const std::vector<double> cost = costs_of(hull, decimation);
  std::vector<std::int32_t> order(hull.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t i, std::int32_t j) { return cost[i] < cost[j]; });
  std::vector<bool> goes(hull.vertices.size(), false), stays(hull.vertices.size(), false);
  std::size_t left_out = 0;
  for (const std::int32_t v : order) {
    if (2 * left_out >= hull.vertices.size() || !std::isfinite(cost[v])) break;
    if (stays[v]) continue;
    goes[v] = true;
    ++left_out;
    for (std::int32_t i = hull.first_neighbour[v]; i < hull.first_neighbour[v + 1]; ++i)
      stays[hull.neighbours[i]] = true;
  }
  std::vector<std::int32_t> kept;
  for (std::size_t v = 0; v < goes.size(); ++v) {
    if (!goes[v]) kept.push_back(static_cast<std::int32_t>(v));
  }
  return kept;
}

std::unique_ptr<HullLevel> level_of(const ConvexHull& hull, double radius) {
  auto level = std::make_unique<HullLevel>();
  level->points = hull.vertices;
  level->in_finer = hull.sources;
  level->index = HullIndex(hull.vertices, hull.neighbours, hull.first_neighbour);
  std::vector<std::int32_t> names(hull.vertices.size());
  std::iota(names.begin(), names.end(), 0);
  level->features = HullFeatures(hull.vertices, hull, names);
  level->set = set_of_points(level->points, radius, &level->index);
  return level;
}

// How far the farthest of the finest vertices is from the level.
double deviation_of(const HullLevel& level, const std::vector<Vector3>& finest) {
  ConvexSet core = level.set;
  core.radius = 0.0;
  const Vector3 origin = Vector3::Zero();
  const ConvexSet point = set_of_points({&origin, 1});
  double deviation = 0.0;
  for (const Vector3& p : finest)
    deviation = std::max(deviation, convex_distance(point, {Matrix3::Identity(), p}, core).upper);
  return deviation;
}

// Numbers of a level as those of the next finer one.
void refine(const HullLevel& level, std::array<std::int32_t, 4>& vertices, std::int32_t count) {
  for (std::int32_t i = 0; i < count; ++i) vertices[i] = level.in_finer[vertices[i]];
}

bool is_enough(double lower, double upper, const ConvexLimits& limits) {
  return lower > limits.enough || upper <= limits.within ||
         upper - lower <= std::max(limits.absolute_error, limits.relative_error * upper);
}

}  // namespace

HullLevels::HullLevels(const ConvexHull& hull, Decimation decimation) {
  ConvexHull finer = hull;
  levels_.push_back(level_of(finer, hull.radius));
  while (finer.vertices.size() > coarsest_vertices && !finer.faces.empty()) {
    const std::vector<std::int32_t> kept = kept_vertices(finer, decimation);
    std::vector<Vector3> points;
    for (const std::int32_t v : kept) points.push_back(finer.vertices[v]);
    if (kept.size() < 4 || 10 * kept.size() > 9 * finer.vertices.size()) return;
    const Expected<ConvexHull> coarser = convex_hull_of(points, hull.radius);
    if (!coarser || coarser.value().faces.empty()) return;
    finer = coarser.value();
    auto level = level_of(finer, hull.radius);
    for (std::int32_t& source : level->in_finer) source = kept[source];
    level->deviation = deviation_of(*level, hull.vertices);
    levels_.push_back(std::move(level));
  }
}

ConvexDistance distance_by_levels(const HullLevels& a, const Pose& a_to_b, const HullLevels& b,
                                  ConvexMemory* memory, const ConvexLimits& limits) {
  // A memory is of the finest features: the walk from there is shorter than the way down.
  std::size_t of_a = memory != nullptr && memory->features.count > 0 ? 0 : a.size() - 1;
  std::size_t of_b = memory != nullptr && memory->features.count > 0 ? 0 : b.size() - 1;
  ConvexMemory own;
  if (memory != nullptr) own = *memory;
  std::int32_t iterations = 0;
  for (;;) {
    const HullLevel &level_a = a[of_a], &level_b = b[of_b];
    const double deviation = level_a.deviation + level_b.deviation;
    ConvexLimits rough = limits;
    if (deviation > 0.0) {
      rough.absolute_error = std::max(0.25 * deviation, limits.absolute_error);
      rough.enough += deviation;
    }
    ConvexDistance result =
        distance_by_walk(level_a.set, level_a.features, a_to_b, level_b.set, level_b.features, &own, rough);
    result.iterations = iterations += result.iterations;
    const double slack = 4.0 * unit_roundoff * (deviation + result.upper);
    if (deviation > 0.0) result.lower = std::max(result.lower - deviation - slack, 0.0);
    result.lower_core = deviation > 0.0 ? result.lower_core - deviation - slack : result.lower_core;
    const bool is_last = of_a == 0 && of_b == 0;
    const bool is_done = is_last || result.meets || is_enough(result.lower, result.upper, limits);
    // The side that is off by more goes on; features follow.
    do {
      const bool is_a = of_a > 0 && (of_b == 0 || a[of_a].deviation >= b[of_b].deviation);
      if (is_a) refine(a[of_a--], own.features.vertex_a, own.features.count);
      if (!is_a && of_b > 0) refine(b[of_b--], own.features.vertex_b, own.features.count);
    } while (is_done && (of_a > 0 || of_b > 0));
    if (!is_done) continue;
    result.features = own.features;
    if (memory != nullptr) *memory = own;
    return result;
  }
}

}  // namespace toccata::convex
