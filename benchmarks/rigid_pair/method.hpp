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
  double distance = 0.0;  // at that time, where the method tells it
  long node_pairs = -1;   // -1: the method does not tell
  long piece_pairs = -1;
};

class Method {
 public:
  virtual ~Method() = default;
  virtual std::string name() const = 0;
  // Builds what queries need, all of it.
  virtual void prepare(const TriangleMesh& a, const TriangleMesh& b) = 0;
  virtual Answer answer(const Trial& trial) = 0;
  // Of both meshes and their hierarchies; 0: the method does not tell.
  virtual std::size_t bytes() const { return 0; }
  // Seconds of all trials as a batch on so many threads; 0: the method has no batches.
  virtual double batch_seconds(const std::vector<Trial>&, int) { return 0.0; }
};

std::vector<std::unique_ptr<Method>> toccata_methods();  // the default one first
std::vector<std::unique_ptr<Method>> fcl_methods();
std::unique_ptr<Method> bullet_convex_sweep();

}  // namespace toccata::bench
