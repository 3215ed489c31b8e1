#pragma once
// What a method or a peer does for one pair of meshes, one of them moving.
#include <memory>
#include <string>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::bench {

struct Trial {
  Pose from, to;  // of body a; body b stays at the identity
};

struct Answer {
  bool contact = false;
  double time = 1.0;
  long node_pairs = -1;  // -1: the method does not tell
  long triangle_pairs = -1;
};

class Method {
 public:
  virtual ~Method() = default;
  virtual std::string name() const = 0;
  virtual void prepare(const TriangleMesh& a, const TriangleMesh& b) = 0;
  virtual Answer answer(const Trial& trial) = 0;
};

std::unique_ptr<Method> toccata_advancement();
std::unique_ptr<Method> fcl_thousand_samples();
std::unique_ptr<Method> fcl_continuous_default();

}  // namespace toccata::bench
