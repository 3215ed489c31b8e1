// C2A (Tang, Kim, Manocha 2009): first contacts of meshes by controlled advancement, threshold 1e-3 as in its
// demonstration. Written to its public headers C2A.h and LinearMath.h (with PQP 1.3), which Debian does not
// have: not run by this project. C2A turns from pose to pose by the shorter way: long turns are asked in
// pieces.
#include <memory>

#include "protocol.hpp"

#include <C2A/C2A.h>
#include <C2A/LinearMath.h>

using namespace truth;

namespace {

std::shared_ptr<C2A_Model> model_of(const Mesh& mesh) {
  auto model = std::make_shared<C2A_Model>();
  model->BeginModel(static_cast<int>(mesh.faces.size()));
  int number = 0;
  for (const auto& f : mesh.faces) {
    const auto corner = [&](int k) {
      return mesh.vertices[static_cast<std::size_t>(f[static_cast<std::size_t>(k)])].data();
    };
    model->AddTri(corner(0), corner(1), corner(2), number++, f[0], f[1], f[2]);
  }
  model->EndModel();
  return model;
}

Transform transform_of(const RigidPose& pose) {
  const auto& r = pose.rotation;
  const auto& t = pose.translation;
  return {r[0][0], r[0][1], r[0][2], t[0], r[1][0], r[1][1], r[1][2], t[1], r[2][0], r[2][1], r[2][2], t[2]};
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::shared_ptr<C2A_Model>> meshes;
  const auto mesh = [&](const std::string& name) {
    auto& found = meshes[name];
    if (!found) found = model_of(read_off(name));
    return found;
  };
  return run(argc, argv, {"first_contact"}, [&](const Json& given) -> std::function<Answer()> {
    const auto a = mesh(given["a"]), b = mesh(given["b"]);
    const int pieces = pieces_of_turn(given["motion_a"], given["motion_b"]);
    return [=] {
      for (int i = 0; i < pieces; ++i) {
        const double from = static_cast<double>(i) / pieces, to = static_cast<double>(i + 1) / pieces;
        Transform a0 = transform_of(pose_at(given["motion_a"], from)),
                  a1 = transform_of(pose_at(given["motion_a"], to));
        Transform b0 = transform_of(pose_at(given["motion_b"], from)),
                  b1 = transform_of(pose_at(given["motion_b"], to));
        Transform met_a, met_b;
        PQP_REAL time = 0;
        int iterations = 0, contacts = 0;
        C2A_TimeOfContactResult result;
        result.last_triA = a->last_tri;
        result.last_triB = b->last_tri;
        C2A_Solve(&a0, &a1, a.get(), &b0, &b1, b.get(), met_a, met_b, time, iterations, contacts, 1e-3,
                  result);
        // What it returns says "found" always; whether there is a contact is told by the time.
        if (result.toc < 1.0) return Answer{true, from + result.toc * (to - from)};
      }
      return Answer{};
    };
  });
}
