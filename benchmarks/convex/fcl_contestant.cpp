// FCL with libccd or its own GJK: signed distance, and continuous collision by conservative advancement.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/continuous_collision.h>
#include <fcl/narrowphase/distance.h>

#include <Eigen/Geometry>

#include "contestant.hpp"

namespace toccata::bench {
namespace {

fcl::Transform3d transform_of(const Pose& pose) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  t.linear() = pose.rotation;
  t.translation() = pose.translation;
  return t;
}

std::shared_ptr<fcl::CollisionGeometryd> shape_of(const Geometry& geometry) {
  if (const auto* box = std::get_if<Box>(&geometry)) return std::make_shared<fcl::Boxd>(box->size);
  if (const auto* capsule = std::get_if<Capsule>(&geometry))
    return std::make_shared<fcl::Capsuled>(capsule->radius, capsule->height);
  if (const auto* mesh = std::get_if<TriangleMesh>(&geometry)) {
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    std::vector<fcl::Vector3d> points(mesh->vertices.begin(), mesh->vertices.end());
    std::vector<fcl::Triangle> triangles;
    for (const Face& f : mesh->faces) triangles.emplace_back(f[0], f[1], f[2]);
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
  }
  const auto& hull = std::get<ConvexHull>(geometry);
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>(hull.vertices.begin(), hull.vertices.end());
  auto faces = std::make_shared<std::vector<int>>();
  for (const Face& f : hull.faces) faces->insert(faces->end(), {3, f[0], f[1], f[2]});
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.faces.size()), faces, false);
}

class Fcl final : public Contestant {
 public:
  explicit Fcl(fcl::GJKSolverType solver) : solver_(solver) {}

  std::string name() const override { return solver_ == fcl::GST_LIBCCD ? "FCL libccd" : "FCL indep"; }
  bool may_abort() const override { return true; }
  bool can_answer(const Row& row) const override {
    return !row.is_field() && (row.question != Question::Cast || solver_ == fcl::GST_LIBCCD);
  }

  void prepare(const Row& row) override {
    shapes_.clear();
    for (const Geometry& g : row.shapes) {
      shapes_.push_back(shape_of(g));
      shapes_.back()->computeLocalAABB();
    }
    from_.clear(), to_.clear(), other_.clear();
    for (const PairCase& c : row.cases) {
      Pose end = c.pose_a;
      end.translation += c.velocity;
      if (c.spin.norm() > 0.0)
        end.rotation =
            Eigen::AngleAxisd(c.spin.norm(), c.spin.normalized()).toRotationMatrix() * end.rotation;
      from_.push_back(transform_of(c.pose_a));
      to_.push_back(transform_of(end));
      other_.push_back(transform_of(c.pose_b));
    }
  }

  void answer(const Row& row, std::vector<double>& answers) override {
    for (std::size_t i = 0; i < row.cases.size(); ++i) {
      try {
        answers[i] = row.question == Question::Cast ? cast(row.cases[i], i) : gap(row, i);
      } catch (const std::exception&) {
        answers[i] = 1e30;
      }
    }
  }

 private:
  double gap(const Row& row, std::size_t i) const {
    fcl::DistanceRequestd request;
    request.gjk_solver_type = solver_;
    request.enable_signed_distance = row.question == Question::Depth;
    fcl::DistanceResultd result;
    const PairCase& c = row.cases[i];
    const double d =
        fcl::distance(shapes_[c.a].get(), from_[i], shapes_[c.b].get(), other_[i], request, result);
    return row.question == Question::Distance && d < 0.0 ? 0.0 : d;
  }

  double cast(const PairCase& c, std::size_t i) const {
    fcl::ContinuousCollisionRequestd request;
    request.ccd_motion_type = fcl::CCDM_LINEAR;
    request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
    request.gjk_solver_type = solver_;
    // Advancement of a shape against a mesh ends the process, and of a mesh against a shape sees no contact:
    // samples.
    if (shapes_[c.b]->getObjectType() == fcl::OT_BVH) {
      request.ccd_solver_type = fcl::CCDC_NAIVE;
      request.num_max_iterations = 1000;
    }
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide(shapes_[c.a].get(), from_[i], to_[i], shapes_[c.b].get(), other_[i], other_[i],
                           request, result);
    return result.is_collide ? result.time_of_contact : 2.0;
  }

  fcl::GJKSolverType solver_;
  std::vector<std::shared_ptr<fcl::CollisionGeometryd>> shapes_;
  std::vector<fcl::Transform3d> from_, to_, other_;
};

}  // namespace

std::vector<std::unique_ptr<Contestant>> fcl_contestants() {
  std::vector<std::unique_ptr<Contestant>> result;
  result.push_back(std::make_unique<Fcl>(fcl::GST_LIBCCD));
  result.push_back(std::make_unique<Fcl>(fcl::GST_INDEP));
  return result;
}

}  // namespace toccata::bench
