// The program of the README: a turning blade meets a post.
#include <toccata/toccata.hpp>

#include <cstdio>

int main() {
  using namespace toccata;
  const TriangleMesh blade = {{{0, -1, 0}, {9, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};  // or load_mesh("blade.stl")
  const TriangleMesh post = {{{5, 5, -1}, {5, 5, 1}, {6, 6, 0}}, {{0, 1, 2}}};
  const auto turn = RigidMotion::with_velocity({}, {0, 0, 0}, {0, 0, 1.5});  // 1.5 radians about z
  const auto found = first_contact({blade, turn}, {post});
  const Vector3 p = found.contact.point_a;
  std::printf("%s at t = %.6f, at (%g, %g, %g)\n", to_string(found.status).data(), found.time, p[0], p[1],
              p[2]);
}
// Output:
// contact at t = 0.503355, at (5, 5, 0)
