// Bullet in double precision (Debian's float64 build), without margins: its pair detector with EPA for
// distance and depth, btContinuousConvexCollision and the better of its linear casts in time.
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <Eigen/Geometry>

#include "contestant.hpp"

namespace toccata::bench {
namespace {

btTransform transform_of(const Pose& pose) {
  const Matrix3& r = pose.rotation;
  const Vector3& t = pose.translation;
  return btTransform(
      btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
      btVector3(t.x(), t.y(), t.z()));
}

std::unique_ptr<btConvexShape> shape_of(const Geometry& geometry) {
  if (const auto* box = std::get_if<Box>(&geometry)) {
    auto shape = std::make_unique<btBoxShape>(
        btVector3(0.5 * box->size.x(), 0.5 * box->size.y(), 0.5 * box->size.z()));
    shape->setMargin(0);
    return shape;
  }
  if (const auto* capsule = std::get_if<Capsule>(&geometry))
    return std::make_unique<btCapsuleShapeZ>(capsule->radius, capsule->height);
  auto shape = std::make_unique<btConvexHullShape>();
  for (const Vector3& v : std::get<ConvexHull>(geometry).vertices)
    shape->addPoint(btVector3(v.x(), v.y(), v.z()), false);
  shape->recalcLocalAabb();
  shape->setMargin(0);
  return shape;
}

struct Placed {
  std::size_t a, b;
  btTransform at_a, at_b, end_a;
};

class Bullet : public Contestant {
 public:
  void prepare(const Row& row) override {
    shapes_.clear();
    placed_.clear();
    for (const Geometry& g : row.shapes) shapes_.push_back(shape_of(g));
    for (const PairCase& c : row.cases) {
      Pose end = c.pose_a;
      end.translation += c.velocity;
      if (c.spin.norm() > 0.0)
        end.rotation =
            Eigen::AngleAxisd(c.spin.norm(), c.spin.normalized()).toRotationMatrix() * end.rotation;
      placed_.push_back({c.a, c.b, transform_of(c.pose_a), transform_of(c.pose_b), transform_of(end)});
    }
  }

 protected:
  std::vector<std::unique_ptr<btConvexShape>> shapes_;
  std::vector<Placed> placed_;
};

class PairDetector final : public Bullet {
 public:
  std::string name() const override { return "Bullet"; }
  bool can_answer(const Row& row) const override { return row.question != Question::Cast; }

  void answer(const Row& row, std::vector<double>& answers) override {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      const Placed& p = placed_[i];
      btGjkPairDetector detector(shapes_[p.a].get(), shapes_[p.b].get(), &simplex, &depth);
      btGjkPairDetector::ClosestPointInput input;
      input.m_transformA = p.at_a;
      input.m_transformB = p.at_b;
      btPointCollector found;
      detector.getClosestPoints(input, found, nullptr);
      answers[i] = !found.m_hasResult                                           ? 1e30
                   : row.question == Question::Distance && found.m_distance < 0 ? 0.0
                                                                                : found.m_distance;
    }
  }
};

template <typename Cast>
double cast(const btConvexShape* a, const btConvexShape* b, const Placed& p) {
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btConvexCast::CastResult result;
  bool hit = false;
  if constexpr (std::is_same_v<Cast, btContinuousConvexCollision>) {
    hit = Cast(a, b, &simplex, &depth).calcTimeOfImpact(p.at_a, p.end_a, p.at_b, p.at_b, result);
  } else {
    hit = Cast(a, b, &simplex).calcTimeOfImpact(p.at_a, p.end_a, p.at_b, p.at_b, result);
  }
  return hit && result.m_fraction <= 1 ? result.m_fraction : 2.0;
}

template <typename Cast>
class Casts final : public Bullet {
 public:
  Casts(std::string name, bool turns) : name_(std::move(name)), turns_(turns) {}

  std::string name() const override { return name_; }
  bool can_answer(const Row& row) const override {
    return row.question == Question::Cast && row.is_convex() && (turns_ || row.name == "translate");
  }
  void answer(const Row&, std::vector<double>& answers) override {
    for (std::size_t i = 0; i < placed_.size(); ++i)
      answers[i] = cast<Cast>(shapes_[placed_[i].a].get(), shapes_[placed_[i].b].get(), placed_[i]);
  }

 private:
  std::string name_;
  bool turns_;
};

}  // namespace

std::vector<std::unique_ptr<Contestant>> bullet_contestants() {
  std::vector<std::unique_ptr<Contestant>> result;
  result.push_back(std::make_unique<PairDetector>());
  result.push_back(std::make_unique<Casts<btContinuousConvexCollision>>("Bullet continuous", true));
  result.push_back(std::make_unique<Casts<btSubsimplexConvexCast>>("Bullet subsimplex", false));
  return result;
}

}  // namespace toccata::bench
