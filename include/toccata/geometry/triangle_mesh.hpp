#pragma once
// A triangle mesh as it is given: points and index triples, no assumption about manifoldness.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

using Face = std::array<std::int32_t, 3>;  // vertex indices, counter-clockwise seen from outside
using Edge = std::array<std::int32_t, 2>;  // vertex indices

struct TriangleMesh {
  std::vector<Vector3> vertices;
  std::vector<Face> faces;
};

// From matrices of either storage order: (n, 3) vertices and (m, 3) faces. The error names the matrix that
// has not three columns; indices are not looked at (see validate).
Expected<TriangleMesh> make_triangle_mesh(const Eigen::Ref<const Eigen::MatrixXd>& vertices,
                                          const Eigen::Ref<const Eigen::MatrixXi>& faces);

// What `validate` saw. Degenerate triangles (two equal corners, or zero area) are counted and kept:
// every query accepts them.
struct MeshSummary {
  std::size_t degenerate_faces = 0;
  Vector3 lower = Vector3::Zero();  // bounding box of all vertices; zero for an empty mesh
  Vector3 upper = Vector3::Zero();
};

// Checks that every index is in range and every coordinate finite. The error names the first offender.
Expected<MeshSummary> validate(const TriangleMesh& mesh);

}  // namespace toccata
