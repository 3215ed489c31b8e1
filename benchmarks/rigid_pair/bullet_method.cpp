// Bullet's nearest question: the convex hull of the moving mesh, simplified to 42 points as its manual
// advises, swept against the standing mesh (btCollisionWorld::convexSweepTest). It has none for two meshes,
// and its sweep leaves the rotation out. (The whole hull takes minutes a query.)
#include <BulletCollision/CollisionShapes/btShapeHull.h>
#include <btBulletCollisionCommon.h>

#include <Eigen/Geometry>

#include "method.hpp"

namespace toccata::bench {
namespace {

btTransform transform_of(const Pose& pose) {
  const Eigen::Quaterniond q(pose.rotation);
  const auto f = [](double x) { return static_cast<btScalar>(x); };
  return btTransform(btQuaternion(f(q.x()), f(q.y()), f(q.z()), f(q.w())),
                     btVector3(f(pose.translation.x()), f(pose.translation.y()), f(pose.translation.z())));
}

class ConvexSweep final : public Method {
 public:
  std::string name() const override { return "bullet convex sweep"; }

  void prepare(const TriangleMesh& a, const TriangleMesh& b) override {
    btConvexHullShape points;
    for (const Vector3& v : a.vertices)
      points.addPoint(btVector3(btScalar(v.x()), btScalar(v.y()), btScalar(v.z())), false);
    points.recalcLocalAabb();
    btShapeHull simplified(&points);
    simplified.buildHull(0);
    hull_ = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < simplified.numVertices(); ++i)
      hull_->addPoint(simplified.getVertexPointer()[i], false);
    hull_->recalcLocalAabb();
    hull_->setMargin(0);
    triangles_ = std::make_unique<btTriangleMesh>();
    const auto point = [&](int i) {
      const Vector3& v = b.vertices[static_cast<std::size_t>(i)];
      return btVector3(btScalar(v.x()), btScalar(v.y()), btScalar(v.z()));
    };
    for (const Face& f : b.faces) triangles_->addTriangle(point(f[0]), point(f[1]), point(f[2]));
    mesh_ = std::make_unique<btBvhTriangleMeshShape>(triangles_.get(), true);
    mesh_->setMargin(0);
    body_ = std::make_unique<btCollisionObject>();
    body_->setCollisionShape(mesh_.get());
    world_ = std::make_unique<World>();
    world_->world.addCollisionObject(body_.get());
  }

  Answer answer(const Trial& trial) override {
    const btTransform from = transform_of(trial.from), to = transform_of(trial.to);
    btCollisionWorld::ClosestConvexResultCallback nearest(from.getOrigin(), to.getOrigin());
    world_->world.convexSweepTest(hull_.get(), from, to, nearest);
    return {nearest.hasHit(), nearest.hasHit() ? static_cast<double>(nearest.m_closestHitFraction) : 1.0};
  }

 private:
  struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btCollisionWorld world{&dispatcher, &broad_phase, &configuration};
  };
  // Destroyed in the opposite order: the world before what it points to.
  std::unique_ptr<btConvexHullShape> hull_;
  std::unique_ptr<btTriangleMesh> triangles_;
  std::unique_ptr<btBvhTriangleMeshShape> mesh_;
  std::unique_ptr<btCollisionObject> body_;
  std::unique_ptr<World> world_;
};

}  // namespace

std::unique_ptr<Method> bullet_convex_sweep() {
  return std::make_unique<ConvexSweep>();
}

}  // namespace toccata::bench
