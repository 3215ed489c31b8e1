// A strip of two triangles tears along the edge they share: new connectivity, the same scene.
#include <toccata/ccd/deformable/deformable_scene.hpp>

#include <cstdio>
#include <vector>

namespace {

using namespace toccata;

void tell(const char* what, DeformableScene& scene, const std::vector<Vector3>& t0,
          const std::vector<Vector3>& t1) {
  if (const auto updated = scene.update(t0, t1); !updated) {
    std::printf("%s\n", updated.error().message.c_str());
    return;
  }
  const FirstContactResult first = scene.first_contact();
  std::printf("%s: %zu contacts", what, scene.all_contacts().contacts.size());
  if (first.status == Status::Contact) {
    const Feature &a = first.contact.feature_a, &b = first.contact.feature_b;
    std::printf(", first %s %d and %s %d at t = %.4f", to_string(a.kind).data(), a.index,
                to_string(b.kind).data(), b.index, first.time);
  }
  std::printf("; safe up to %.4f\n", scene.safe_step().fraction);
}

}  // namespace

int main() {
  // Whole: vertices 1 and 2 belong to both triangles.
  const std::vector<Vector3> strip = {{0, 0, 0}, {1, -0.5, 0}, {1, 0.5, 0}, {2, 0, 0}};
  std::vector<Vector3> folded = strip;
  folded[3] = {0.1, 0, 0.1};  // folds over, but neighbours that share an edge are no contact
  auto scene = DeformableScene::build({{4, {{0, 1, 2}, {1, 3, 2}}, {}}});
  tell("whole", *scene, strip, folded);

  // Torn: the second triangle has vertices 4 and 5 of its own, lifts off and falls back through the first.
  if (const auto torn = scene->update_topology({{6, {{0, 1, 2}, {4, 3, 5}}, {}}}); !torn) return 2;
  const std::vector<Vector3> above = {{0, 0, 0},      {1, -0.5, 0},       {1, 0.5, 0},
                                      {0.1, 0, 0.25}, {0.9, -0.25, 0.75}, {0.9, 0.25, 0.75}};
  std::vector<Vector3> below = above;
  for (int i = 3; i < 6; ++i) below[i].z() -= 1;
  tell("torn", *scene, above, below);
}
// Output:
// whole: 0 contacts; safe up to 1.0000
// torn: 3 contacts, first vertex 3 and face 0 at t = 0.2500; safe up to 0.2500
