#pragma once
// Position-based cloth: particles with distance constraints along edges and, weaker, across them (bending).
#include <cstdint>
#include <functional>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::scenes {

struct ClothOptions {
  double stretch_stiffness = 1.0;  // share of the error taken away by one sweep
  double bend_stiffness = 0.1;
  double damping = 0.01;  // of the velocity, each step
  int sweeps = 8;
  Vector3 gravity = {0.0, 0.0, -9.81};
};

class ClothParticles {
 public:
  ClothParticles() = default;
  // Rest lengths are those of `mesh`.
  explicit ClothParticles(const TriangleMesh& mesh, const ClothOptions& options = {});

  std::vector<Vector3> positions;
  std::vector<Vector3> velocities;
  std::vector<double> inverse_mass;  // 0: moved by the scene only

  // One step of length dt: predicts, satisfies the constraints, calls collide(position, before) on every free
  // particle after each sweep, and takes velocities from the change.
  void step(double dt, const std::function<void(Vector3&, const Vector3&)>& collide);

  // The two halves of a step, for users that handle contact themselves.
  std::vector<Vector3> predict(double dt, const std::function<void(Vector3&, const Vector3&)>& collide) const;
  void accept(const std::vector<Vector3>& next, double dt);

  // Keeps particles that are not neighbours on the cloth at least `radius` apart: layers instead of tangles.
  void keep_apart(double radius);

 private:
  struct Constraint {
    std::int32_t a, b;
    double length;
    double stiffness;
  };
  void sweep(std::vector<Vector3>& x) const;

  ClothOptions options_;
  std::vector<Constraint> constraints_;
  std::vector<Vector3> rest_;
};

// A grid of (columns x rows) squares in the z = 0 plane, centred, `width` along x; two triangles a square.
TriangleMesh cloth_grid(int columns, int rows, double width);
// The surface swept by a profile (radius, height) around z; closed around, open at both ends.
TriangleMesh surface_of_revolution(const std::vector<Vector2>& profile, int around);
TriangleMesh round_ball(double radius, int around, int rings);

}  // namespace toccata::scenes
