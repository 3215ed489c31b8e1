// FCL 0.7: continuous collision of meshes, as it does it by default; with --advancement before the files, by
// conservative advancement along the same motion. FCL moves from pose to pose by the shorter turn: longer
// ones are asked in pieces.
#include <fcl/fcl.h>

#include <memory>

#include "protocol.hpp"

using namespace truth;
using Model = fcl::BVHModel<fcl::OBBRSSd>;

namespace {

std::shared_ptr<Model> model_of(const Mesh& mesh) {
  auto model = std::make_shared<Model>();
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
  for (const auto& f : mesh.faces)
    triangles.emplace_back(static_cast<std::size_t>(f[0]), static_cast<std::size_t>(f[1]),
                           static_cast<std::size_t>(f[2]));
  model->beginModel();
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

fcl::Transform3d transform_of(const RigidPose& pose) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    const auto row = static_cast<std::size_t>(i);
    transform.translation()[i] = pose.translation[row];
    for (int k = 0; k < 3; ++k) transform.linear()(i, k) = pose.rotation[row][static_cast<std::size_t>(k)];
  }
  return transform;
}

}  // namespace

int main(int argc, char** argv) {
  const bool advances = argc > 1 && std::string(argv[1]) == "--advancement";
  if (advances) {
    --argc;
    ++argv;
  }
  std::map<std::string, std::shared_ptr<Model>> meshes;
  const auto mesh = [&](const std::string& name) {
    auto& found = meshes[name];
    if (!found) found = model_of(read_off(name));
    return found;
  };
  return run(argc, argv, {"first_contact"}, [&](const Json& given) -> std::function<Answer()> {
    const auto a = mesh(given["a"]), b = mesh(given["b"]);
    const int pieces = pieces_of_turn(given["motion_a"], given["motion_b"]);
    return [=] {
      fcl::ContinuousCollisionRequestd request;
      request.num_max_iterations = 100;
      if (advances) {
        request.ccd_motion_type = fcl::CCDM_LINEAR;
        request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
      }
      for (int i = 0; i < pieces; ++i) {
        const double from = static_cast<double>(i) / pieces, to = static_cast<double>(i + 1) / pieces;
        const auto at = [&](const char* motion, double t) { return transform_of(pose_at(given[motion], t)); };
        fcl::ContinuousCollisionResultd result;
        fcl::continuousCollide(a.get(), at("motion_a", from), at("motion_a", to), b.get(),
                               at("motion_b", from), at("motion_b", to), request, result);
        if (result.is_collide) return Answer{true, from + result.time_of_contact * (to - from)};
      }
      return Answer{};
    };
  });
}
