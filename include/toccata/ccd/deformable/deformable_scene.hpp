#pragma once
// Deforming meshes: every contact of a step, or the first one, self-collision and changing topology included.
//
// A step is given by all positions at t = 0 and at t = 1; every vertex moves linearly in between. A contact
// is a vertex and a face, or two edges, that share no vertex and whose closed sets meet at some t in [0, 1]:
// exact on the doubles as given (see linear_impact.hpp), none missed, none invented, each reported once.
// Meshes may be open, non-manifold, degenerate; wires (edges of no face) and free points take part too.
//
//   auto scene = DeformableScene::build({mesh});
//   scene->update(positions_t0, positions_t1);
//   DeformableContacts found = scene->all_contacts();
//
// Coordinates must be finite and below 1e100 in magnitude: build and update check it. Questions are const and
// may run on several threads at once; build, update and update_topology are not.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/base/vector.hpp"
#include "toccata/ccd/deformable/deformable_options.hpp"
#include "toccata/ccd/deformable/deformable_result.hpp"
#include "toccata/geometry/deformable_object.hpp"

namespace toccata {

struct UpdateReport {
  double milliseconds = 0;
  double build_milliseconds = 0;  // of these: structures built as in the first step
};

class DeformableScene {
 public:
  // The error names the object, face or edge with an index out of range. A TriangleMesh is an object.
  static Expected<DeformableScene> build(std::vector<DeformableObject> objects,
                                         const DeformableSceneOptions& options = {});
  ~DeformableScene();
  DeformableScene(DeformableScene&&) noexcept;
  DeformableScene& operator=(DeformableScene&&) noexcept;

  // Sets the step: positions of all vertices, objects one after the other, at t = 0 and t = 1. Refits, or
  // rebuilds what has decayed. The error names the first vertex that is not finite, or the wrong count; the
  // scene then keeps its last step.
  Expected<UpdateReport> update(std::span<const Vector3> positions_t0, std::span<const Vector3> positions_t1);

  // New connectivity: vertices and faces added, removed or split. A vertex is the same as before if it has
  // the same index within the same object, a face if its object had one with the same vertices in the same
  // order: where nothing changed, the structures are kept, and only the neighbourhood of changes is repaired.
  // All answers then equal those of a new scene. The step is cleared: call update next.
  Expected<UpdateReport> update_topology(std::vector<DeformableObject> objects);

  // Without a step (none set yet, or the topology just changed), and with options that mean nothing (a
  // negative distance, NaN), these say Failed and why.
  DeformableContacts all_contacts(const DeformableOptions& options = {}) const;
  // The same with the contacts handed to the collector, and none of them in the answer.
  DeformableContacts all_contacts(ContactCollector& collector, const DeformableOptions& options = {}) const;
  // The earliest contact, ties by pair. Its features count over the scene, their parts are the objects; it
  // carries the `weights`. Points a and b are one unless a minimum distance was asked for.
  FirstContactResult first_contact(const DeformableOptions& options = {}) const;
  // The same, the fraction of the step that is free because of it, and the work it took.
  SafeStep safe_step(const DeformableOptions& options = {}) const;

  std::int32_t vertex_count() const;
  std::span<const Face> faces() const;
  // Unique edges (i < j) of faces and wires, sorted by (j, i): the edge ids of all answers.
  std::span<const Edge> edges() const;
  std::int32_t object_count() const;
  std::int32_t object_of_vertex(std::int32_t vertex) const;
  std::int32_t component_count() const;
  std::int32_t component_of_vertex(std::int32_t vertex) const;
  std::int32_t object_of_face(std::int32_t face) const { return object_of_vertex(faces()[face][0]); }
  std::int32_t object_of_edge(std::int32_t edge) const { return object_of_vertex(edges()[edge][0]); }
  std::size_t memory_bytes() const;  // everything the scene holds between questions

 private:
  struct State;
  explicit DeformableScene(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// All contacts of one step of one mesh, from plain arrays: positions_t0/_t1 and faces.
// For more than one step build a DeformableScene, which keeps its preparation.
Expected<DeformableContacts> ccd(std::span<const Vector3> positions_t0, std::span<const Vector3> positions_t1,
                                 std::span<const Face> faces, const DeformableOptions& options = {});
// The same from matrices of either storage order: (n, 3) positions and (m, 3) faces.
Expected<DeformableContacts> ccd(const Eigen::Ref<const Eigen::MatrixXd>& positions_t0,
                                 const Eigen::Ref<const Eigen::MatrixXd>& positions_t1,
                                 const Eigen::Ref<const Eigen::MatrixXi>& faces,
                                 const DeformableOptions& options = {});

}  // namespace toccata
