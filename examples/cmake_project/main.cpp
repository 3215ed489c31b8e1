// Two loose triangles, one falling on the other: all contacts of the step.
#include <toccata/ccd/deformable/deformable_scene.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<toccata::Face> faces = {{0, 1, 2}, {3, 4, 5}};
  const std::vector<toccata::Vector3> start = {{0, 0, 0},     {1, 0, 0},     {0, 1, 0},
                                               {0.2, 0.2, 1}, {0.3, 0.2, 2}, {0.2, 0.3, 2}};
  std::vector<toccata::Vector3> end = start;
  for (std::size_t i = 3; i < 6; ++i) end[i].z() -= 1.5;

  const auto found = toccata::ccd(start, end, faces);
  if (!found) {
    std::fprintf(stderr, "%s\n", found.error().message.c_str());
    return 2;
  }
  for (const toccata::DeformableContact& contact : found->contacts) {
    std::printf("%s %d-%d at t = %.6f\n", to_string(contact.pair.kind).data(), contact.pair.first,
                contact.pair.second, contact.impact.time);
  }
  return 0;
}
// Output:
// vertex_face 3-0 at t = 0.666667
