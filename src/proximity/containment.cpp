#include "toccata/proximity/containment.hpp"

#include <vector>

#include "proximity/world_triangle.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/triangle_intersection.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/ray_cast.hpp"

#include "toccata/geometry/adjacency.hpp"  // after FeatureKind, whose Edge it would seem to shadow

namespace toccata {

using namespace proximity;

namespace {

// One corner of each part of the mesh.
std::vector<std::int32_t> one_vertex_per_part(const TriangleMesh& mesh) {
  const MeshComponents parts = connected_components(mesh);
  std::vector<std::int32_t> result(static_cast<std::size_t>(parts.count), -1);
  for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
    std::int32_t& vertex = result[parts.of_face[i]];
    if (vertex < 0) vertex = mesh.faces[i][0];
  }
  std::erase(result, -1);  // vertices without faces
  return result;
}

}  // namespace

Containment point_containment(const Vector3& point, const PlacedShape& outer) {
  if (!outer.shape.is_closed()) return Containment::Undefined;
  Random random(1);
  while (true) {  // almost no direction grazes: ends with probability one, in practice at once
    const std::vector<RayCrossing> crossings = ray_crossings(outer, {point, random.on_sphere()});
    bool grazes = false;
    for (const RayCrossing& c : crossings) {
      const Triangle point_triangle = {point, point, point};
      if (triangle_triangle_intersect(point_triangle, world_triangle(outer, c.triangle)))
        return Containment::Crossing;
      grazes = grazes || c.crossing.hit != RayHit::Interior;
    }
    if (!grazes) return crossings.size() % 2 == 1 ? Containment::Inside : Containment::Outside;
  }
}

Containment containment(const PlacedShape& inner, const PlacedShape& outer) {
  if (inner.shape.mesh().faces.empty() || !outer.shape.is_closed()) return Containment::Undefined;
  if (intersects(inner, outer).intersects) return Containment::Crossing;
  bool inside = false, outside = false;
  for (const std::int32_t v : one_vertex_per_part(inner.shape.mesh())) {
    const Containment c = point_containment(inner.pose.apply(inner.shape.mesh().vertices[v]), outer);
    inside = inside || c == Containment::Inside;
    outside = outside || c == Containment::Outside;
  }
  if (inside && outside) return Containment::Mixed;
  return inside ? Containment::Inside : Containment::Outside;
}

}  // namespace toccata
