#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "peer.hpp"

namespace toccata::bench {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<Model> model_of(const TriangleMesh& mesh) {
  auto model = std::make_shared<Model>();
  std::vector<fcl::Vector3d> points(mesh.vertices.begin(), mesh.vertices.end());
  std::vector<fcl::Triangle> triangles;
  for (const Face& f : mesh.faces) triangles.emplace_back(f[0], f[1], f[2]);
  model->beginModel();
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

class Fcl final : public PairPeer {
 public:
  Fcl(const TriangleMesh& a, const TriangleMesh& b) : a_(model_of(a)), b_(model_of(b)) {}

  double distance(const Pose& pose) override {
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    return fcl::distance(a_.get(), transform_of(pose), b_.get(), fcl::Transform3d::Identity(), request,
                         result);
  }
  bool intersects(const Pose& pose) override {
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    fcl::collide(a_.get(), transform_of(pose), b_.get(), fcl::Transform3d::Identity(), request, result);
    return result.isCollision();
  }

 private:
  static fcl::Transform3d transform_of(const Pose& pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = pose.rotation;
    t.translation() = pose.translation;
    return t;
  }
  std::shared_ptr<Model> a_, b_;
};

}  // namespace

std::unique_ptr<PairPeer> fcl_peer(const TriangleMesh& a, const TriangleMesh& b) {
  return std::make_unique<Fcl>(a, b);
}

}  // namespace toccata::bench
