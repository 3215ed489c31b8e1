// Loads a mesh and asks when a falling vertex meets a triangle: 0 if the answers are right.
#include <cstdio>
#include <toccata/impact/linear_impact.hpp>
#include <toccata/io/mesh_io.hpp>

int main() {
  const toccata::Expected<toccata::TriangleMesh> mesh =
      toccata::parse_mesh("v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n", toccata::MeshFormat::Obj);
  if (!mesh) return 1;
  toccata::LinearMotion4 motion;
  motion.t0 = {toccata::Vector3(1, 1, 1), mesh->vertices[0], mesh->vertices[1], mesh->vertices[2]};
  motion.t1 = motion.t0;
  motion.t1[0].z() = -3;
  const toccata::Impact impact = toccata::vertex_face_impact(motion);
  std::printf("contact at t in [%.17g, %.17g]\n", impact.lower, impact.upper);
  return impact.status == toccata::Status::Contact && impact.lower <= 0.25 && impact.upper >= 0.25 ? 0 : 1;
}
