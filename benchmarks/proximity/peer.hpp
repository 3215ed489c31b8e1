#pragma once
// The peers, each for the questions it answers too.
#include <memory>

#include "toccata/base/pose.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::bench {

// b stands at the identity.
class PairPeer {
 public:
  virtual ~PairPeer() = default;
  virtual double distance(const Pose& pose_a) = 0;
  virtual bool intersects(const Pose& pose_a) = 0;
};
std::unique_ptr<PairPeer> fcl_peer(const TriangleMesh& a, const TriangleMesh& b);

class RayPeer {
 public:
  virtual ~RayPeer() = default;
  // Parameter of the first hit; infinite if there is none.
  virtual double cast(const Vector3& origin, const Vector3& direction) = 0;
};
std::unique_ptr<RayPeer> embree_peer(const TriangleMesh& mesh);

// OBBTree's comparison of volumes, as CSV to a file. False if an answer was wrong.
bool write_close_proximity(const char* path);

}  // namespace toccata::bench
