#pragma once
// A triangle mesh prepared once for the questions of this stage: the mesh and an eight-wide tree of boxes.
#include <cstddef>
#include <memory>

#include "toccata/base/pose.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct PreparedMeshData;  // private: src/proximity/prepared_mesh_data.hpp

// Cheap to copy: copies share the prepared data, which never changes; safe to use from many threads.
class PreparedMesh {
 public:
  // The mesh must be valid (see validate()); degenerate and duplicate triangles and no triangles are all
  // right.
  explicit PreparedMesh(TriangleMesh mesh);

  const TriangleMesh& mesh() const;
  // Every edge is shared by exactly two triangles that run along it in opposite directions.
  bool is_closed() const;
  // Bytes of the mesh and its tree.
  std::size_t memory() const;

  const PreparedMeshData& data() const { return *data_; }

 private:
  std::shared_ptr<const PreparedMeshData> data_;
};

// A mesh where it stands. All questions are answered for the world coordinates rotation * x + translation
// rounded to double (at most four roundings a coordinate); the rotation must be orthonormal to 1e-14.
struct PlacedMesh {
  const PreparedMesh& mesh;
  Pose pose = {};
};

}  // namespace toccata
