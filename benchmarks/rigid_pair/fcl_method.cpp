// FCL as its users call it: `continuousCollide` with its defaults and by conservative advancement along the
// same motion, and a thousand discrete tests along the path.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/continuous_collision.h>

#include "method.hpp"
#include "toccata/motion/rigid_motion.hpp"

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

fcl::Transform3d transform_of(const Pose& pose) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  t.linear() = pose.rotation;
  t.translation() = pose.translation;
  return t;
}

std::size_t bytes_of(const Model& model) {
  return static_cast<std::size_t>(model.getNumBVs()) *
             (sizeof(fcl::BVNode<fcl::OBBRSSd>) + sizeof(unsigned)) +
         static_cast<std::size_t>(model.num_vertices) * sizeof(fcl::Vector3d) +
         static_cast<std::size_t>(model.num_tris) * sizeof(fcl::Triangle);
}

class Fcl : public Method {
 public:
  void prepare(const TriangleMesh& a, const TriangleMesh& b) override {
    a_ = model_of(a);
    b_ = model_of(b);
  }
  std::size_t bytes() const override { return bytes_of(*a_) + bytes_of(*b_); }

 protected:
  std::shared_ptr<Model> a_, b_;
};

class ThousandSamples final : public Fcl {
 public:
  std::string name() const override { return "fcl 1000 samples"; }
  Answer answer(const Trial& trial) override {
    const RigidMotion motion(trial.from, trial.to);
    const fcl::Transform3d fixed = fcl::Transform3d::Identity();
    for (int i = 0; i <= 1000; ++i) {
      fcl::CollisionRequestd request;
      fcl::CollisionResultd result;
      fcl::collide(a_.get(), transform_of(motion.pose(i / 1000.0)), b_.get(), fixed, request, result);
      if (result.isCollision()) return {true, i / 1000.0};
    }
    return {};
  }
};

class Continuous final : public Fcl {
 public:
  explicit Continuous(bool advancement) : advancement_(advancement) {}
  std::string name() const override {
    return advancement_ ? "fcl conservative advancement" : "fcl continuousCollide";
  }
  Answer answer(const Trial& trial) override {
    fcl::ContinuousCollisionRequestd request;
    if (advancement_) {
      request.ccd_motion_type = fcl::CCDM_LINEAR;
      request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
    }
    fcl::ContinuousCollisionResultd result;
    const fcl::Transform3d fixed = fcl::Transform3d::Identity();
    fcl::continuousCollide(a_.get(), transform_of(trial.from), transform_of(trial.to), b_.get(), fixed, fixed,
                           request, result);
    return {result.is_collide, result.is_collide ? result.time_of_contact : 1.0};
  }

 private:
  bool advancement_;
};

}  // namespace

std::vector<std::unique_ptr<Method>> fcl_methods() {
  std::vector<std::unique_ptr<Method>> methods;
  methods.push_back(std::make_unique<ThousandSamples>());
  methods.push_back(std::make_unique<Continuous>(false));
  methods.push_back(std::make_unique<Continuous>(true));
  return methods;
}

}  // namespace toccata::bench
