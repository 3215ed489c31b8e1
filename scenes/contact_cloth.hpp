#pragma once
// A small position-based cloth whose contacts, with itself and with a turning ball, are found by the library
// and by nothing else: an example of a simulator's use of DeformableScene.
//
// A frame predicts positions without looking at contacts, asks all_contacts (with a thickness) and pushes the
// features apart, a few times over, and then takes as much of the step as safe_step proves free. The rounded
// positions that it takes are themselves proven free, so the cloth never intersects anything.
#include <cstdint>

#include "scenes/cloth_particles.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata::scenes {

struct ContactClothOptions {
  int cells = 20;           // along each side of the cloth
  double spin = 2.0;        // of the ball, radians per second
  double thickness = 0.25;  // kept between features, in edge lengths
  int passes = 5;           // responses a frame
  DeformableMethod method = DeformableMethod::Clusters;
  int threads = 1;
};

struct ContactClothFrame {
  std::int64_t contacts = 0;  // that were answered
  int passes = 0;             // responses used
  double fraction = 1.0;      // of the step that was taken
};

class ContactCloth {
 public:
  explicit ContactCloth(const ContactClothOptions& options = {});

  ContactClothFrame advance();

  // Cloth first, then the ball.
  const std::vector<Vector3>& positions() const { return positions_; }
  TriangleMesh mesh() const { return {positions_, faces_}; }
  std::int32_t cloth_vertices() const { return cloth_vertices_; }

 private:
  bool respond(std::vector<Vector3>& next, ContactClothFrame& frame);
  double take_safely(std::vector<Vector3>& next);
  double mobility(std::int32_t vertex) const { return vertex < cloth_vertices_ ? 1.0 : 0.0; }

  ContactClothOptions options_;
  ClothParticles cloth_;
  TriangleMesh ball_;
  std::vector<Vector3> positions_;
  std::vector<Face> faces_;
  DeformableScene scene_;
  std::int32_t cloth_vertices_ = 0;
  double thickness_ = 0.0;
  double angle_ = 0.0;
};

}  // namespace toccata::scenes
