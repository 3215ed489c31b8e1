#pragma once
// What the peers of bench_field are asked: distances of points from a mesh.
#include <cstddef>
#include <memory>
#include <span>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::bench {

class DistancePeer {
 public:
  virtual ~DistancePeer() = default;
  virtual void distances(std::span<const Vector3> points, std::span<double> found) const = 0;
  virtual std::size_t memory_bytes() const { return 0; }
};

// A level set with this many voxels along the longest side, and a band of that width on both sides.
std::unique_ptr<DistancePeer> openvdb_peer(const TriangleMesh& mesh, int voxels, double band);
// Trees: unsigned distances.
std::unique_ptr<DistancePeer> cgal_peer(const TriangleMesh& mesh);
std::unique_ptr<DistancePeer> embree_peer(const TriangleMesh& mesh);

}  // namespace toccata::bench
