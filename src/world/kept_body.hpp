#pragma once
// A body as a world keeps it: the usual motion is a few numbers beside the shape, with no block of its own on
// the heap, and is made when the body is asked about.
#include <optional>
#include <variant>

#include "toccata/ccd/body.hpp"

namespace toccata::world {

// A body while it is asked about. Its motion may be its own, so that it is neither copied nor moved.
class SeenBody {
 public:
  SeenBody(const Shape& its_shape, const Motion& its_motion, bool is_solid)
      : shape(its_shape), motion(&its_motion), solid(is_solid) {}
  SeenBody(const Shape& its_shape, RigidMotion&& made, bool is_solid)
      : shape(its_shape), motion(nullptr), solid(is_solid), own_(std::move(made)) {
    motion = &*own_;
  }
  SeenBody(const SeenBody&) = delete;
  SeenBody& operator=(const SeenBody&) = delete;

  const Shape& shape;
  const Motion* motion;
  bool solid;

 private:
  std::optional<RigidMotion> own_;
};

// A RigidMotion about the body's origin, by what it was made of.
struct SteadyStart {
  Pose pose;
  Vector3 velocity = Vector3::Zero();
  Vector3 angular_velocity = Vector3::Zero();

  RigidMotion motion() const { return RigidMotion::with_velocity(pose, velocity, angular_velocity); }
};

class KeptBody {
 public:
  KeptBody();  // none: the id is free
  explicit KeptBody(Body body);

  bool is_there() const { return is_there_; }
  const Shape& shape() const { return shape_; }
  bool is_solid() const { return is_solid_; }
  SeenBody seen() const;  // must not outlive this
  Body body() const;

 private:
  static std::optional<SteadyStart> steady_of(const Motion& motion);

  Shape shape_;
  // What follows fits into its last bytes.
  [[no_unique_address]] std::variant<SteadyStart, OwnedMotion> motion_;
  bool is_solid_ = false;
  bool is_there_ = false;
};

static_assert(sizeof(KeptBody) <= 176);

}  // namespace toccata::world
