// FCL: its dynamic tree of boxes or every pair of them, and its collision test with contacts for the depth.
#include <fcl/broadphase/broadphase_bruteforce.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>

#include "peer.hpp"

namespace toccata::bench {
namespace {

class FclFrames : public FramePeer {
 public:
  FclFrames(const Polytopes& polytopes, std::unique_ptr<fcl::BroadPhaseCollisionManagerd> manager)
      : manager_(std::move(manager)) {
    for (const Shape& shape : polytopes.kinds()) {
      const auto& hull = std::get<ConvexHull>(shape.geometry());
      auto vertices =
          std::make_shared<std::vector<fcl::Vector3d>>(hull.vertices.begin(), hull.vertices.end());
      auto faces = std::make_shared<std::vector<int>>();
      for (const Face& f : hull.faces) faces->insert(faces->end(), {3, f[0], f[1], f[2]});
      shapes_.push_back(
          std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.faces.size()), faces, false));
      shapes_.back()->computeLocalAABB();
    }
    for (std::size_t i = 0; i < polytopes.size(); ++i) {
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(shapes_[polytopes.kind(i)]));
      place(polytopes, i);
      all_.push_back(objects_.back().get());
    }
    manager_->registerObjects(all_);
    manager_->setup();
  }

  Hits frame(const Polytopes& polytopes) override {
    for (std::size_t i = 0; i < objects_.size(); ++i) place(polytopes, i);
    manager_->update();
    Hits result;
    manager_->collide(&result, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
      auto& hits = *static_cast<Hits*>(data);
      ++hits.near;
      fcl::CollisionRequestd request(1, true);
      fcl::CollisionResultd found;
      if (fcl::collide(a, b, request, found) > 0) {
        ++hits.hits;
        hits.depth += found.getContact(0).penetration_depth;
      }
      return false;
    });
    return result;
  }

 private:
  void place(const Polytopes& polytopes, std::size_t i) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = polytopes.poses()[i].rotation;
    t.translation() = polytopes.poses()[i].translation;
    objects_[i]->setTransform(t);
    objects_[i]->computeAABB();
  }

  std::vector<std::shared_ptr<fcl::CollisionGeometryd>> shapes_;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  std::vector<fcl::CollisionObjectd*> all_;
  std::unique_ptr<fcl::BroadPhaseCollisionManagerd> manager_;
};

}  // namespace

std::unique_ptr<FramePeer> fcl_frames(const Polytopes& polytopes, PeerPairs kind) {
  if (kind == PeerPairs::All)
    return std::make_unique<FclFrames>(polytopes, std::make_unique<fcl::NaiveCollisionManagerd>());
  return std::make_unique<FclFrames>(polytopes, std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>());
}

}  // namespace toccata::bench
