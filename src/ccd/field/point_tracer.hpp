#pragma once
// Particles against a mesh, or a field of it: far away steps by the least distance, near it steps by the
// planes of the triangles around.
#include "ccd/field/near_triangles.hpp"
#include "ccd/field/path_question.hpp"

namespace toccata::field {

// One thread. precondition: the surface's shape is a mesh
class PointTracer {
 public:
  explicit PointTracer(const Question& question);

  // Where a point is at the start, if it is in the body.
  bool starts_inside(const Vector3& point, ParticleContact& result);

  // Of a particle, given as a segment whose ends are one.
  struct Path {
    Vector3 from, to, same_from, same_to;
  };
  // precondition: it is not inside at the start
  ParticleContact first_contact(const Path& path);

  std::int64_t steps() const { return steps_; }

 private:
  // The particle at a moment, in the body's coordinates.
  struct State {
    Vector3 seen = Vector3::Zero();
    Vector3 velocity = Vector3::Zero();  // through the body's frame
    double slack = 0.0;                  // of it
    double first = 0.0, second = 0.0;    // nothing gets farther than first delta + second delta^2 / 2
    double bend = 0.0;                   // off a straight line, as in NearMotion
    double off = 0.0;                    // what rounding may do to `seen`
    double whole = 0.0;                  // how far it can get in the rest of the time
  };
  // What is free around it.
  struct Gap {
    double lower = 0.0;  // less the minimum distance and what rounding does
    double upper = 0.0;
    double step = 0.0;
    bool in_list = false;  // the nearest triangle is
  };

  State state_at(const Path& path, const Moment& now) const;
  Gap gap_at(const State& state);
  Gap rough_gap(const State& state, double taken) const;
  Gap near_gap(const State& state);
  bool is_listed(const State& state) const;
  void describe(const State& state, const Moment& now, bool in_list, ParticleContact& result);

  const Question& q_;
  SurfaceDistance distance_;
  NearTriangles list_;
  double near_ = 0.0;   // closer than that a list is worth while
  double tail_ = 0.0;   // how much farther than the nearest triangle a list reaches
  double rough_ = 0.0;  // farther than that a coarse grid is good enough
  Vector3 way_ = Vector3::Zero();
  double ends_ = 0.0;  // no less than how far the path's ends are from the origin, together
  std::int64_t steps_ = 0;
};

}  // namespace toccata::field
