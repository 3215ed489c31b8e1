#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision_object.h>

#include <vector>

#include "peer.hpp"

namespace toccata::bench {
namespace {

// An object whose box is set by hand.
class Boxed : public fcl::CollisionObjectd {
 public:
  Boxed() : fcl::CollisionObjectd(std::make_shared<fcl::Sphered>(1.0)) {}
  void set(const Aabb& box) { aabb = fcl::AABBd(box.lower, box.upper); }
};

class Tree : public Peer {
 public:
  explicit Tree(std::span<const Aabb> boxes) : objects_(boxes.size()) {
    std::vector<fcl::CollisionObjectd*> all;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      objects_[i].set(boxes[i]);
      all.push_back(&objects_[i]);
    }
    manager_.registerObjects(all);
    manager_.setup();
  }

  std::size_t step(std::span<const Aabb> boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i) objects_[i].set(boxes[i]);
    manager_.update();
    std::size_t count = 0;
    manager_.collide(&count, [](fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* found) {
      ++*static_cast<std::size_t*>(found);
      return false;
    });
    return count;
  }

 private:
  std::vector<Boxed> objects_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
};

}  // namespace

std::unique_ptr<Peer> fcl_tree(std::span<const Aabb> boxes) {
  return std::make_unique<Tree>(boxes);
}

}  // namespace toccata::bench
