#include "toccata/proximity/containment.hpp"

#include <vector>

#include "hierarchy/height_tree.hpp"
#include "hierarchy/piece.hpp"
#include "proximity/convex_inside.hpp"
#include "proximity/piece_bracket.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/triangle_intersection.hpp"
#include "toccata/geometry/display_mesh.hpp"
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

namespace {

// By parity of the crossings with each mesh of the shape: parts of a compound may overlap.
Containment point_in_meshes(const Vector3& point, const PlacedShape& outer) {
  const Shape& shape = outer.shape;
  if (shape.data().mesh.faces.empty()) return Containment::Outside;
  Random random(1);
  while (true) {  // almost no direction grazes: ends with probability one, in practice at once
    const std::vector<RayCrossing> crossings = ray_crossings(outer, {point, random.on_sphere()});
    bool grazes = false;
    std::vector<std::int32_t> odd_parts;  // crossed an odd number of times so far
    for (const RayCrossing& c : crossings) {
      const Triangle point_triangle = {point, point, point};
      const std::int32_t triangle = Piece(shape.data(), c.triangle).triangle();
      if (triangle_triangle_intersect(point_triangle, world_triangle(outer, triangle)))
        return Containment::Crossing;
      grazes = grazes || c.crossing.hit != RayHit::Interior;
      const std::int32_t part = shape.part_of(c.triangle).part;
      if (std::erase(odd_parts, part) == 0) odd_parts.push_back(part);
    }
    if (!grazes) return odd_parts.empty() ? Containment::Outside : Containment::Inside;
  }
}

// The point in the pieces that are full: Crossing on a surface.
Containment point_in_pieces(const Vector3& point, const PlacedShape& outer) {
  const ShapeData& data = outer.shape.data();
  const Vector3 seen = outer.pose.rotation.transpose() * (point - outer.pose.apply(data.center));
  if (data.is_half_space()) {
    const double height = data.tree.plane->height(seen);
    return height < 0.0 ? Containment::Inside : (height > 0.0 ? Containment::Outside : Containment::Crossing);
  }
  if (data.tree.heights != nullptr) {
    const Vector3 in_body = outer.pose.rotation.transpose() * (point - outer.pose.translation);
    return data.tree.heights->holder_of(in_body) ? Containment::Inside : Containment::Outside;
  }
  const Vector3 zero = Vector3::Zero();
  const ConvexSet single = set_of_points({&zero, 1});
  Containment found = Containment::Outside;
  for (const ConvexPiece& piece : data.sets) {
    if ((seen - piece.middle).norm() > piece.reach * (1.0 + 1e-9)) continue;
    const convex::ConvexDepth depth = convex::convex_depth(single, {Matrix3::Identity(), seen}, piece.set);
    if (depth.lower_depth > 0.0) return Containment::Inside;
    if (!(depth.distance.lower > 0.0)) found = Containment::Crossing;
  }
  return found;
}

// What one piece of the inner shape does.
Containment piece_containment(const PlacedShape& inner, std::int32_t number, const PlacedShape& outer) {
  const ShapeData &data = inner.shape.data(), &around = outer.shape.data();
  const Piece piece(data, number);
  const Pose to_outer = between_trees(inner, outer);
  std::vector<std::int32_t> touching;
  for (std::int32_t i = 0; i < around.piece_count(); ++i) {
    if (around.is_hole(i)) continue;
    const Piece other(around, i);
    if (other.triangle() >= 0 || piece_bracket(piece, to_outer, other).lower > 0.0) continue;
    if (is_inside(piece, to_outer, other)) return Containment::Inside;
    touching.push_back(i);
  }
  if (!touching.empty())
    return is_covered(piece, to_outer, around, touching) ? Containment::Inside : Containment::Crossing;
  const Vector3 place = piece.plane() != nullptr ? Vector3(piece.plane()->offset * piece.plane()->normal)
                                                 : support(piece.set(), Vector3::UnitX()).point;
  return point_in_meshes(inner.pose.apply(data.center + place), outer);
}

bool meets_meshes(const PlacedShape& inner, const PlacedShape& outer) {
  const ShapeData& around = outer.shape.data();
  if (around.mesh.faces.empty()) return false;
  if (around.has_only_triangles()) return intersects(inner, outer).intersects;
  IntersectsOptions options;
  options.all_pairs = true;
  for (const TrianglePair& pair : intersects(inner, outer, options).pairs) {
    if (Piece(around, pair.b).triangle() >= 0) return true;
  }
  return false;
}

}  // namespace

Containment point_containment(const Vector3& point, const PlacedShape& outer) {
  if (!outer.shape.is_closed()) return Containment::Undefined;
  const Containment in_meshes = point_in_meshes(point, outer);
  if (in_meshes == Containment::Inside || outer.shape.is_mesh()) return in_meshes;
  const Containment in_pieces = point_in_pieces(point, outer);
  return in_pieces == Containment::Outside ? in_meshes : in_pieces;
}

Containment containment(const PlacedShape& inner, const PlacedShape& outer) {
  // A height field is what its surface, walls and floor enclose.
  if (outer.shape.data().tree.heights != nullptr) {
    const Shape& boundary =
        outer.shape.data().boundary.get<Shape>([&] { return Shape(display_mesh(outer.shape.geometry())); });
    return containment(inner, {boundary, outer.pose});
  }
  if (inner.shape.piece_count() == 0 || !outer.shape.is_closed()) return Containment::Undefined;
  bool inside = false, outside = false;
  if (inner.shape.is_mesh() && outer.shape.is_mesh()) {
    if (intersects(inner, outer).intersects) return Containment::Crossing;
    for (const std::int32_t v : one_vertex_per_part(inner.shape.mesh())) {
      const Containment c = point_containment(inner.pose.apply(inner.shape.mesh().vertices[v]), outer);
      inside = inside || c == Containment::Inside;
      outside = outside || c == Containment::Outside;
    }
  } else {
    if (meets_meshes(inner, outer)) return Containment::Crossing;
    for (std::int32_t i = 0; i < inner.shape.piece_count(); ++i) {
      if (inner.shape.data().is_hole(i)) continue;
      const Containment c = piece_containment(inner, i, outer);
      if (c == Containment::Crossing) return c;
      inside = inside || c == Containment::Inside;
      outside = outside || c == Containment::Outside;
    }
  }
  if (inside && outside) return Containment::Mixed;
  return inside ? Containment::Inside : Containment::Outside;
}

}  // namespace toccata
