// Bullet in double precision, hulls without margins: its collision world as its users call it, or its pair
// detector with EPA alone, on the pairs of its tree of boxes or on every pair whose boxes overlap.
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>

#include "peer.hpp"

namespace toccata::bench {
namespace {

std::vector<std::unique_ptr<btConvexHullShape>> hulls_of(const Polytopes& polytopes) {
  std::vector<std::unique_ptr<btConvexHullShape>> hulls;
  for (const Shape& shape : polytopes.kinds()) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vector3& v : std::get<ConvexHull>(shape.geometry()).vertices)
      hull->addPoint(btVector3(v.x(), v.y(), v.z()), false);
    hull->recalcLocalAabb();
    hull->setMargin(0);
    hulls.push_back(std::move(hull));
  }
  return hulls;
}

btTransform transform_of(const Pose& pose) {
  const Matrix3& r = pose.rotation;
  const Vector3& t = pose.translation;
  return btTransform(
      btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
      btVector3(t.x(), t.y(), t.z()));
}

// Its users call this: contacts are kept, and all within the breaking threshold of a pair are found.
class WorldFrames : public FramePeer {
 public:
  explicit WorldFrames(const Polytopes& polytopes) : shapes_(hulls_of(polytopes)) {
    for (std::size_t i = 0; i < polytopes.size(); ++i) {
      objects_.push_back(std::make_unique<btCollisionObject>());
      objects_[i]->setCollisionShape(shapes_[polytopes.kind(i)].get());
      objects_[i]->setWorldTransform(transform_of(polytopes.poses()[i]));
      world_.addCollisionObject(objects_[i].get());
    }
    world_.performDiscreteCollisionDetection();
  }
  ~WorldFrames() override {
    for (const auto& object : objects_) world_.removeCollisionObject(object.get());
  }

  Hits frame(const Polytopes& polytopes) override {
    for (std::size_t i = 0; i < objects_.size(); ++i)
      objects_[i]->setWorldTransform(transform_of(polytopes.poses()[i]));
    world_.performDiscreteCollisionDetection();
    Hits result;
    result.near = static_cast<std::size_t>(world_.getPairCache()->getNumOverlappingPairs());
    for (int m = 0; m < dispatcher_.getNumManifolds(); ++m) {
      const btPersistentManifold& contacts = *dispatcher_.getManifoldByIndexInternal(m);
      btScalar least = 1;
      for (int k = 0; k < contacts.getNumContacts(); ++k)
        least = std::min(least, contacts.getContactPoint(k).getDistance());
      if (least > 0) continue;
      ++result.hits;
      result.depth -= least;
    }
    return result;
  }

 private:
  std::vector<std::unique_ptr<btConvexHullShape>> shapes_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btCollisionWorld world_{&dispatcher_, &broad_phase_, &configuration_};
  std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

class DetectorFrames : public FramePeer {
 public:
  DetectorFrames(const Polytopes& polytopes, bool has_tree)
      : shapes_(hulls_of(polytopes)),
        transforms_(polytopes.size()),
        boxes_(polytopes.size()),
        has_tree_(has_tree) {
    for (std::size_t i = 0; i < polytopes.size(); ++i) {
      place(polytopes, i);
      if (has_tree_)
        proxies_.push_back(broad_phase_.createProxy(boxes_[i].low, boxes_[i].high, 0,
                                                    reinterpret_cast<void*>(i), 1, -1, nullptr));
    }
    broad_phase_.calculateOverlappingPairs(nullptr);
  }
  ~DetectorFrames() override {
    for (btBroadphaseProxy* proxy : proxies_) broad_phase_.destroyProxy(proxy, nullptr);
  }

  Hits frame(const Polytopes& polytopes) override {
    Hits result;
    for (std::size_t i = 0; i < boxes_.size(); ++i) place(polytopes, i);
    if (!has_tree_) {
      for (std::size_t i = 0; i < boxes_.size(); ++i) {
        for (std::size_t k = i + 1; k < boxes_.size(); ++k) look_at(polytopes, i, k, result);
      }
      return result;
    }
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      broad_phase_.setAabb(proxies_[i], boxes_[i].low, boxes_[i].high, nullptr);
    broad_phase_.calculateOverlappingPairs(nullptr);
    const btBroadphasePairArray& pairs = broad_phase_.getOverlappingPairCache()->getOverlappingPairArray();
    for (int p = 0; p < pairs.size(); ++p)
      look_at(polytopes, reinterpret_cast<std::size_t>(pairs[p].m_pProxy0->m_clientObject),
              reinterpret_cast<std::size_t>(pairs[p].m_pProxy1->m_clientObject), result);
    return result;
  }

 private:
  struct Box {
    btVector3 low, high;
  };

  void place(const Polytopes& polytopes, std::size_t i) {
    transforms_[i] = transform_of(polytopes.poses()[i]);
    shapes_[polytopes.kind(i)]->getAabb(transforms_[i], boxes_[i].low, boxes_[i].high);
  }

  void look_at(const Polytopes& polytopes, std::size_t a, std::size_t b, Hits& result) {
    for (int k = 0; k < 3; ++k) {  // most part along the first axis
      if (boxes_[a].low[k] > boxes_[b].high[k] || boxes_[b].low[k] > boxes_[a].high[k]) return;
    }
    ++result.near;
    btGjkPairDetector detector(shapes_[polytopes.kind(a)].get(), shapes_[polytopes.kind(b)].get(), &simplex_,
                               &solver_);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = transforms_[a];
    input.m_transformB = transforms_[b];
    input.m_maximumDistanceSquared = 1e-12;  // who is apart may stop early
    btPointCollector found;
    detector.getClosestPoints(input, found, nullptr);
    if (!found.m_hasResult || found.m_distance > 0) return;
    ++result.hits;
    result.depth -= found.m_distance;
  }

  std::vector<std::unique_ptr<btConvexHullShape>> shapes_;
  std::vector<btTransform> transforms_;
  std::vector<Box> boxes_;
  bool has_tree_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver solver_;
  btDbvtBroadphase broad_phase_;
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

std::unique_ptr<FramePeer> bullet_frames(const Polytopes& polytopes, PeerPairs kind) {
  if (kind == PeerPairs::World) return std::make_unique<WorldFrames>(polytopes);
  return std::make_unique<DetectorFrames>(polytopes, kind == PeerPairs::Tree);
}

}  // namespace toccata::bench
