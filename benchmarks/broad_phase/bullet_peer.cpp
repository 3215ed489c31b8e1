#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <vector>

#include "peer.hpp"

namespace toccata::bench {
namespace {

btVector3 bullet(const Vector3& x) {
  return {x.x(), x.y(), x.z()};
}

class Dbvt : public Peer {
 public:
  explicit Dbvt(std::span<const Aabb> boxes) {
    for (const Aabb& box : boxes)
      proxies_.push_back(
          broad_phase_.createProxy(bullet(box.lower), bullet(box.upper), 0, nullptr, 1, -1, nullptr));
    broad_phase_.calculateOverlappingPairs(nullptr);
  }
  ~Dbvt() override {
    for (btBroadphaseProxy* proxy : proxies_) broad_phase_.destroyProxy(proxy, nullptr);
  }

  std::size_t step(std::span<const Aabb> boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i)
      broad_phase_.setAabb(proxies_[i], bullet(boxes[i].lower), bullet(boxes[i].upper), nullptr);
    broad_phase_.calculateOverlappingPairs(nullptr);
    return static_cast<std::size_t>(broad_phase_.getOverlappingPairCache()->getNumOverlappingPairs());
  }

 private:
  btDbvtBroadphase broad_phase_;
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

std::unique_ptr<Peer> bullet_dbvt(std::span<const Aabb> boxes) {
  return std::make_unique<Dbvt>(boxes);
}

}  // namespace toccata::bench
