#pragma once
// Soft bodies that break along given seams: particles held in shape by shape matching (Mueller et al. 2005),
// one cluster a body; breaking a piece off doubles the vertices of its seam.
#include <cstdint>
#include <vector>

#include "toccata/base/random.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::scenes {

class BreakableBody {
 public:
  // Adds a connected mesh that may break into about `pieces` pieces (cells around random faces).
  void add(const TriangleMesh& mesh, int pieces, const Vector3& velocity, Random& random);

  std::vector<Vector3> positions, velocities;
  std::vector<Face> faces;
  std::vector<std::int32_t> face_piece;

  int piece_count() const { return static_cast<int>(piece_body_.size()); }
  bool is_loose(int piece) const { return loose_[piece]; }
  Vector3 piece_centre(int piece) const;
  // Makes the piece a body of its own; its seam is drawn in by a hair, so that the two sides do not touch.
  void break_off(int piece);

  void fall(double dt, const Vector3& gravity);
  // Pulls every body towards its rest shape, turned and moved to fit.
  void match_shapes(double stiffness);
  // Vertices of different bodies closer than `radius` are pushed apart.
  void keep_apart(double radius);
  void take_velocities(const std::vector<Vector3>& before, double dt, double damping);

 private:
  std::vector<Vector3> rest_;
  std::vector<std::int32_t> vertex_body_;
  std::vector<std::int32_t> piece_body_;
  std::vector<bool> loose_;
  std::int32_t body_count_ = 0;
};

}  // namespace toccata::scenes
