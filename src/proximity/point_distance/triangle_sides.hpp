#pragma once
// Which side of each triangle of a closed mesh is inside: found once, so that the side of a point follows
// from the triangles it is nearest to.
//
// A triangle is bare if no other meets it but in the corner or the edge that they share. Just off a bare
// triangle all points of one side are in the mesh or all are not, and where two bare ones share an edge,
// along which they run in opposite directions, the sides that their normals point to are the same.
//
// The rule: let C hold every triangle that may be nearest to a point. If the point is off all of their
// planes, and on the outer side of all of them, it is outside; on the inner side of all, inside. For the way
// to the nearest point q meets nothing before q, and the triangles that hold q are in C. On a small sphere
// about q they are arcs; the shortest way on it from where the point is seen to the nearest of the arcs ends
// on a triangle whose outer side it never left, being shorter than half of a great circle. So it comes from
// outside. (Where it ends in an edge, the same once more, in the plane across that edge.)
#include <cstdint>
#include <vector>

#include "hierarchy/ray_tree.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::point_distance {

enum class InnerSide : std::int8_t {
  Unknown,
  Normal,
  Back
};  // the one that the normal points to, or the other

struct TriangleSides {
  std::vector<InnerSide> inner;
};

// precondition: the mesh is closed, and where its numbers say; the tree is its own
TriangleSides find_triangle_sides(const PlacedShape& mesh, const hierarchy::RayTree& tree);

// Null as long as fewer points were counted than there are triangles: finding them takes a point's time for
// each.
const TriangleSides* triangle_sides_of(const PlacedShape& mesh, const hierarchy::RayTree& tree);
// Points that were asked for their side without them.
void count_asked_sides(const hierarchy::RayTree& tree, std::int64_t points);

// The exact sign of a point's height above the triangle's plane, along its normal; 0: too near to tell.
int side_of_plane(const Vector3& point, const Vector3& a, const Vector3& b, const Vector3& c);

}  // namespace toccata::point_distance
