#pragma once
// A triangle mesh prepared once for the queries on moving rigid bodies: the mesh and a hierarchy over it.
#include <cstddef>
#include <memory>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct RigidShapeData;  // private: src/ccd/rigid/rigid_shape_data.hpp

// Cheap to copy: copies share the prepared data, which never changes; safe to use from many threads.
class RigidShape {
 public:
  // The mesh must be valid (see validate()); degenerate and duplicate triangles are all right. A mesh without
  // triangles is all right too and touches nothing.
  explicit RigidShape(TriangleMesh mesh);

  const TriangleMesh& mesh() const;
  // Radius of a ball around the centre of the bounding box that holds the mesh: "the size of the body".
  double size() const;
  // Bytes of the mesh and of the hierarchy the default method uses.
  std::size_t memory() const;

  const RigidShapeData& data() const { return *data_; }

 private:
  std::shared_ptr<const RigidShapeData> data_;
};

}  // namespace toccata
