#pragma once
// I-COLLIDE's experiment: polytopes that fly and turn in a room with walls and pass through each other
// (Cohen, Lin, Manocha, Ponamgi 1995), 20 to 2000 of them, 36 faces, 10 degrees and 10 % of the radius a
// frame, one hundredth of the room filled.
#include <cstdint>
#include <vector>

#include "toccata/bound/aabb.hpp"
#include "toccata/hierarchy/shape.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::bench {

struct PolytopeScene {
  std::size_t count = 1000;
  int points = 20;        // on the unit sphere: 2 points - 4 faces
  double density = 0.01;  // share of the room
  double turn = 10.0;     // degrees a frame
  double travel = 0.1;    // radii a frame
  std::uint64_t seed = 31;
};

class Polytopes {
 public:
  explicit Polytopes(const PolytopeScene& scene);

  void step();
  std::size_t size() const { return kind_.size(); }
  const Shape& shape(std::size_t i) const { return kinds_[kind_[i]]; }
  std::size_t kind(std::size_t i) const { return kind_[i]; }
  const std::vector<Shape>& kinds() const { return kinds_; }
  const std::vector<Pose>& poses() const { return poses_; }
  // What it does from here to the next frame.
  RigidMotion motion(std::size_t i) const {
    return RigidMotion::with_velocity(poses_[i], velocity_[i], spin_[i]);
  }

 private:
  std::vector<Shape> kinds_;
  std::vector<std::size_t> kind_;
  std::vector<Pose> poses_;
  std::vector<Vector3> velocity_, spin_;
  double side_ = 0.0;
};

// Of closed convex kinds: the sum of the tetrahedra from the origin to the faces.
double volume_of(const Shape& shape);

}  // namespace toccata::bench
