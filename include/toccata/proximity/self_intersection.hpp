#pragma once
// Does a mesh intersect itself, at one moment? Exact: a pair of faces is reported exactly when, in real
// arithmetic on the doubles as given, an edge and a face, a vertex and a face, or two edges of theirs that
// share no vertex have a point in common. Faces without a common vertex: when the closed triangles meet.
//
// Curvature (Volino, SIGGRAPH 2004 course): a region of the surface whose normals all agree with one
// direction, and whose contour projects along it without crossing itself, cannot intersect itself, nor can
// two neighbouring regions that together are such a region. Both conditions are proven in floating point
// (docs/notes/connectivity_culling.md); 26 directions are tried.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/hierarchy/region_tree.hpp"

namespace toccata {

struct SelfIntersectionOptions {
  bool curvature_test = true;  // off: bounding volumes only; the answer is the same
  bool first_only = false;     // stop at the first pair found
  Stop stop = {};
};

struct SelfIntersectionResult {
  bool intersects = false;
  std::vector<std::array<std::int32_t, 2>> pairs;  // faces, smaller index first; sorted, each once
  // Before the answer: `pairs` are those found by then, and `intersects` is true, to be on the safe side.
  bool stopped = false;
  std::int64_t cleared_regions = 0;  // by the curvature test, alone or in pairs
  std::int64_t bound_tests = 0;
  std::int64_t triangle_tests = 0;
};

SelfIntersectionResult self_intersects(const TriangleMesh& mesh, const SelfIntersectionOptions& options = {});

// Keeps the tree of a mesh for many questions about its deformations.
class SelfIntersectionChecker {
 public:
  // precondition: `mesh` is valid (validate)
  explicit SelfIntersectionChecker(const TriangleMesh& mesh);
  // precondition: as many positions as the mesh has vertices, all finite
  SelfIntersectionResult check(std::span<const Vector3> positions,
                               const SelfIntersectionOptions& options = {}) const;

 private:
  std::vector<Face> faces_;
  RegionTree tree_;
};

}  // namespace toccata
