// FCL 0.7: continuous collision of meshes, as it does it by default; with --advancement before the files, by
// conservative advancement along the same motion.
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

fcl::Vector3d vector_of(const Json& v) {
  return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()};
}

// FCL moves from pose to pose by the shorter turn; motions of more than half a turn are asked in pieces of a
// third.
fcl::Transform3d pose_at(const Json& motion, double t) {
  fcl::Matrix3d rotation;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k)
      rotation(i, k) = motion["rotation"][static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
  }
  const fcl::Vector3d spin = t * vector_of(motion["spin"]);
  const double angle = spin.norm();
  if (angle > 0.0) rotation = Eigen::AngleAxisd(angle, spin / angle).toRotationMatrix() * rotation;
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  pose.linear() = rotation;
  pose.translation() = vector_of(motion["position"]) + t * vector_of(motion["velocity"]);
  return pose;
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
    const double turn =
        std::max(vector_of(given["motion_a"]["spin"]).norm(), vector_of(given["motion_b"]["spin"]).norm());
    const int pieces = std::max(1, static_cast<int>(std::ceil(turn / 2.0)));
    return [=] {
      fcl::ContinuousCollisionRequestd request;
      request.num_max_iterations = 100;
      if (advances) {
        request.ccd_motion_type = fcl::CCDM_LINEAR;
        request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
      }
      for (int i = 0; i < pieces; ++i) {
        const double from = static_cast<double>(i) / pieces, to = static_cast<double>(i + 1) / pieces;
        fcl::ContinuousCollisionResultd result;
        fcl::continuousCollide(a.get(), pose_at(given["motion_a"], from), pose_at(given["motion_a"], to),
                               b.get(), pose_at(given["motion_b"], from), pose_at(given["motion_b"], to),
                               request, result);
        if (result.is_collide) return Answer{true, from + result.time_of_contact * (to - from)};
      }
      return Answer{};
    };
  });
}
