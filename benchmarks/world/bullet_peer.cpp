// Bullet in double precision: its tree of boxes, its pair detector with EPA on hulls without margins.
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include "peer.hpp"

namespace toccata::bench {
namespace {

class BulletFrames : public FramePeer {
 public:
  explicit BulletFrames(const Polytopes& polytopes) {
    for (const Shape& shape : polytopes.kinds()) {
      auto hull = std::make_unique<btConvexHullShape>();
      for (const Vector3& v : std::get<ConvexHull>(shape.geometry()).vertices)
        hull->addPoint(btVector3(v.x(), v.y(), v.z()), false);
      hull->recalcLocalAabb();
      hull->setMargin(0);
      shapes_.push_back(std::move(hull));
    }
    transforms_.resize(polytopes.size());
    for (std::size_t i = 0; i < polytopes.size(); ++i) {
      btVector3 low, high;
      place(polytopes, i, low, high);
      proxies_.push_back(broad_phase_.createProxy(low, high, 0, reinterpret_cast<void*>(i), 1, -1, nullptr));
    }
    broad_phase_.calculateOverlappingPairs(nullptr);
  }
  ~BulletFrames() override {
    for (btBroadphaseProxy* proxy : proxies_) broad_phase_.destroyProxy(proxy, nullptr);
  }

  Hits frame(const Polytopes& polytopes) override {
    for (std::size_t i = 0; i < proxies_.size(); ++i) {
      btVector3 low, high;
      place(polytopes, i, low, high);
      broad_phase_.setAabb(proxies_[i], low, high, nullptr);
    }
    broad_phase_.calculateOverlappingPairs(nullptr);
    const btBroadphasePairArray& pairs = broad_phase_.getOverlappingPairCache()->getOverlappingPairArray();
    Hits result;
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver solver;
    for (int p = 0; p < pairs.size(); ++p) {
      const auto a = reinterpret_cast<std::size_t>(pairs[p].m_pProxy0->m_clientObject);
      const auto b = reinterpret_cast<std::size_t>(pairs[p].m_pProxy1->m_clientObject);
      if (!TestAabbAgainstAabb2(pairs[p].m_pProxy0->m_aabbMin, pairs[p].m_pProxy0->m_aabbMax,
                                pairs[p].m_pProxy1->m_aabbMin, pairs[p].m_pProxy1->m_aabbMax))
        continue;  // fat boxes only
      ++result.near;
      btGjkPairDetector detector(shapes_[polytopes.kind(a)].get(), shapes_[polytopes.kind(b)].get(), &simplex,
                                 &solver);
      btGjkPairDetector::ClosestPointInput input;
      input.m_transformA = transforms_[a];
      input.m_transformB = transforms_[b];
      input.m_maximumDistanceSquared = 1e-12;  // who is apart may stop early
      btPointCollector found;
      detector.getClosestPoints(input, found, nullptr);
      if (!found.m_hasResult || found.m_distance > 0) continue;
      ++result.hits;
      result.depth -= found.m_distance;
    }
    return result;
  }

 private:
  void place(const Polytopes& polytopes, std::size_t i, btVector3& low, btVector3& high) {
    const Matrix3& r = polytopes.poses()[i].rotation;
    const Vector3& t = polytopes.poses()[i].translation;
    transforms_[i] = btTransform(
        btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
        btVector3(t.x(), t.y(), t.z()));
    shapes_[polytopes.kind(i)]->getAabb(transforms_[i], low, high);
  }

  std::vector<std::unique_ptr<btConvexHullShape>> shapes_;
  std::vector<btTransform> transforms_;
  btDbvtBroadphase broad_phase_;
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

std::unique_ptr<FramePeer> bullet_frames(const Polytopes& polytopes) {
  return std::make_unique<BulletFrames>(polytopes);
}

}  // namespace toccata::bench
