#pragma once
// What of a solid is in a box: the pieces of its surface, cut at the sides of the box.
//
// Every point of the solid that is in the box is in the hull of the pieces' corners and of those corners of
// the box that are in the solid, up to `rounding()`: docs/notes/convex_parts.md.
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/geometry/convex_hull.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::parts {

struct CellPart {
  Aabb cell;
  std::vector<Vector3> points;
  std::vector<Face> pieces;  // triangles, of the points
  int cuts = 0;              // how often it was cut
  double scale = 0.0;        // the largest coordinate of the mesh
};

struct Cut {
  int axis = 0;
  double at = 0.0;
};

CellPart whole(const TriangleMesh& mesh);

// Both sides overlap by more than roundings: what is at the plane is in both.
// precondition: the plane is inside the cell
struct CutParts {
  CellPart below, above;
};
CutParts cut(const CellPart& part, const Cut& at);

// How far a corner of a piece may be from its true place.
double rounding(const CellPart& part);

// The pieces' corners, and the corners of the cell in the solid.
std::vector<Vector3> corners_of(const CellPart& part, const PlacedShape& solid);

}  // namespace toccata::parts
