#include "proximity/convex/hull_features.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <utility>

#include "toccata/bound/convex_hull_of.hpp"

namespace toccata::convex {
namespace {

using HalfEdge = std::pair<std::int32_t, std::int32_t>;

// The half edges around the polygon of each plane: those whose opposite is not in it.
class Outlines {
 public:
  explicit Outlines(const ConvexHull& hull) : hull_(hull) {
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      for (int k = 0; k < 3; ++k) plane_[half_edge(f, k)] = hull.planes[f];
      count_ = std::max(count_, hull.planes[f] + 1);
    }
    next_.resize(static_cast<std::size_t>(count_));
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      for (int k = 0; k < 3; ++k) {
        const HalfEdge side = half_edge(f, k);
        if (across(side) != hull.planes[f])
          next_[static_cast<std::size_t>(hull.planes[f])][side.first] = side.second;
      }
    }
  }

  std::int32_t count() const { return count_; }
  // The plane on the other side; -1 if there is none.
  std::int32_t across(const HalfEdge& side) const {
    const auto found = plane_.find({side.second, side.first});
    return found == plane_.end() ? -1 : found->second;
  }
  // Corners of a plane's polygon in turn.
  std::vector<std::int32_t> corners(std::int32_t plane) const {
    const auto& next = next_[static_cast<std::size_t>(plane)];
    std::vector<std::int32_t> loop;
    if (next.empty()) return loop;
    const std::int32_t first = next.begin()->first;
    std::int32_t at = first;
    do {
      loop.push_back(at);
      const auto step = next.find(at);
      if (step == next.end()) return {};
      at = step->second;
    } while (at != first && loop.size() <= next.size());
    return loop;
  }

 private:
  HalfEdge half_edge(std::size_t face, int k) const {
    const Face& f = hull_.faces[face];
    return {f[static_cast<std::size_t>(k)], f[static_cast<std::size_t>((k + 1) % 3)]};
  }

  const ConvexHull& hull_;
  std::int32_t count_ = 0;
  std::map<HalfEdge, std::int32_t> plane_;
  std::vector<std::map<std::int32_t, std::int32_t>> next_;
};

// The normal of a polygon by the sum over its corners (Newell), which no short side spoils.
Vector3 normal_of(std::span<const Vector3> points, const std::vector<std::int32_t>& corners) {
  Vector3 sum = Vector3::Zero();
  const Vector3& origin = points[static_cast<std::size_t>(corners[0])];
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    sum += (points[static_cast<std::size_t>(corners[i])] - origin)
               .cross(points[static_cast<std::size_t>(corners[i + 1])] - origin);
  }
  return sum.stableNormalized();
}

}  // namespace

HullFeatures::HullFeatures(std::span<const Vector3> all, const ConvexHull& hull,
                           std::span<const std::int32_t> names)
    : points(all.begin(), all.end()) {
  std::map<HalfEdge, std::int32_t> edge_of;
  const auto number = [&](std::int32_t vertex) { return names[static_cast<std::size_t>(vertex)]; };
  const auto at = [&](std::int32_t v) -> const Vector3& { return points[static_cast<std::size_t>(v)]; };
  some_vertex = number(0);
  for (std::size_t v = 0; v < hull.vertices.size(); ++v) {
    for (std::int32_t i = hull.first_neighbour[v]; i < hull.first_neighbour[v + 1]; ++i) {
      const std::int32_t to = hull.neighbours[static_cast<std::size_t>(i)];
      if (to < static_cast<std::int32_t>(v)) continue;
      Edge edge;
      edge.tail = number(static_cast<std::int32_t>(v));
      edge.head = number(to);
      edge.length = (at(edge.head) - at(edge.tail)).stableNorm();
      edge.way = (at(edge.head) - at(edge.tail)).stableNormalized();
      edge_of[{static_cast<std::int32_t>(v), to}] = static_cast<std::int32_t>(edges.size());
      edges.push_back(edge);
    }
  }
  const Outlines outlines(hull);
  for (std::int32_t plane = 0; plane < outlines.count(); ++plane) {
    const std::vector<std::int32_t> loop = outlines.corners(plane);
    if (loop.size() < 3) continue;
    std::vector<std::int32_t> corners;
    for (const std::int32_t v : loop) corners.push_back(number(v));
    Face face;
    face.normal = normal_of(points, corners);
    face.offset = face.normal.dot(at(corners[0]));
    face.first_side = static_cast<std::int32_t>(sides.size());
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::int32_t from = loop[i], to = loop[(i + 1) % loop.size()];
      const auto found = edge_of.find({std::min(from, to), std::max(from, to)});
      if (found == edge_of.end()) continue;
      Edge& edge = edges[static_cast<std::size_t>(found->second)];
      Side side;
      side.edge = found->second;
      side.corner = number(from);
      side.inward = face.normal.cross(at(number(to)) - at(number(from))).stableNormalized();
      side.offset = side.inward.dot(at(number(from)));
      const int which = edge.face[0] < 0 ? 0 : 1;
      edge.face[which] = static_cast<std::int32_t>(faces.size());
      edge.inward[which] = side.inward;
      sides.push_back(side);
    }
    face.side_count = static_cast<std::int32_t>(sides.size()) - face.first_side;
    faces.push_back(face);
  }
  first_ray.assign(points.size() + 1, 0);
  for (const Edge& edge : edges) {
    ++first_ray[static_cast<std::size_t>(edge.tail) + 1];
    ++first_ray[static_cast<std::size_t>(edge.head) + 1];
  }
  for (std::size_t v = 0; v < points.size(); ++v) first_ray[v + 1] += first_ray[v];
  rays.resize(2 * edges.size());
  std::vector<std::int32_t> filled(first_ray.begin(), first_ray.end() - 1);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const Edge& edge = edges[e];
    const auto name = static_cast<std::int32_t>(e);
    rays[static_cast<std::size_t>(filled[static_cast<std::size_t>(edge.tail)]++)] = {edge.way, name,
                                                                                     edge.head};
    rays[static_cast<std::size_t>(filled[static_cast<std::size_t>(edge.head)]++)] = {-edge.way, name,
                                                                                     edge.tail};
  }
}

HullFeatures hull_features_of(const ConvexSet& set) {
  if (!is_polytope(set)) return {};
  std::vector<Vector3> corners;
  for (std::int32_t v = 0; v < corner_count(set); ++v) corners.push_back(corner_of(set, v));
  const Expected<ConvexHull> hull = convex_hull_of(corners);
  return hull ? HullFeatures(corners, hull.value(), hull.value().sources) : HullFeatures();
}

}  // namespace toccata::convex
