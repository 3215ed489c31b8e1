#pragma once
// Many moving bodies: which of them touch, when first, and in what order.
//
//   World world;
//   const std::int32_t moving = world.insert({blade, turn}), still = world.insert({post});
//   const WorldEventsResult found = world.events();  // every first contact of every pair, in proven order
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "toccata/broad_phase/broad_phase.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/elementary/ray_triangle.hpp"
#include "toccata/proximity/placed_shape.hpp"
#include "toccata/report/world_events.hpp"

namespace toccata {

struct WorldEventsOptions {
  // How each pair is asked: tolerance, minimum distance, what touching at the start means, its budget.
  // The threads and what stops it are those of the whole question.
  FirstContactOptions pair = {};
  double until = 1.0;  // later contacts do not matter
  // Most pairs to solve; 0 = no limit.
  std::int64_t budget = 0;
};

// The nearest body to a point or shape.
struct NearestBody {
  std::int32_t body = -1;  // -1: there is none
  double distance = 0.0;
  Contact contact;  // a: what was asked about, b: the body
};

struct WorldRayHit {
  std::int32_t body = -1;  // -1: the ray meets nothing
  double parameter = 0.0;  // of the ray: the point is origin + parameter * direction
  Vector3 point = Vector3::Zero();
  Vector3 normal = Vector3::Zero();
};

class WorldMoment;
struct WorldState;  // private: src/world/world_state.hpp

// Ids are the smallest ones free. Const questions may be asked from many threads at once; changes may not.
// Answers depend only on the bodies, filters and switches of the moment, not on how they came about.
class World {
 public:
  World();
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // Throws std::invalid_argument if the body cannot be asked about: a motion that is not finite, a solid that
  // is not closed.
  std::int32_t insert(Body body, const PairFilter& filter = {});
  // These return false, and nothing happens, if there is no such body.
  bool remove(std::int32_t id);
  bool set_motion(std::int32_t id, OwnedMotion motion);  // throws as insert does
  bool set_filter(std::int32_t id, const PairFilter& filter);
  // A pair that is switched off never touches, until it is switched on or one of its bodies is removed.
  bool switch_off(std::int32_t a, std::int32_t b);
  bool switch_on(std::int32_t a, std::int32_t b);

  bool contains(std::int32_t id) const;
  std::size_t size() const;
  std::vector<std::int32_t> ids() const;         // increasing
  const Body& body(std::int32_t id) const;       // precondition: contains(id)
  const Aabb& swept_box(std::int32_t id) const;  // where it is over [0, 1]; precondition: contains(id)

  // Every first contact of every pair, in order.
  WorldEventsResult events(const WorldEventsOptions& options = {}) const;
  // The first event alone, with those of its group: pairs that cannot come first are not solved.
  WorldEventsResult first_contact(const WorldEventsOptions& options = {}) const;
  // The first contacts of a body that is not in the world with those that are; its id in the events is -1.
  WorldEventsResult cast(const Body& moving, const WorldEventsOptions& options = {}) const;
  // All bodies held still at t in [0, 1].
  WorldMoment at(double t) const;

 private:
  std::unique_ptr<WorldState> state_;
};

// The bodies of a world at one moment: a copy that later changes do not touch. Filters and switches hold for
// pairs of its bodies, not for what it is asked about.
class WorldMoment {
 public:
  // All pairs that touch, sorted; of solids also those of which one is inside the other.
  std::vector<NearBodies> touching(int threads = 1) const;
  // All pairs at most `distance` apart, sorted by ids.
  std::vector<NearBodies> within(double distance, int threads = 1) const;
  // Of equals the one with the smallest id.
  NearestBody nearest(const PlacedShape& shape) const;
  NearestBody nearest(const Vector3& point) const;
  WorldRayHit ray_cast(const Ray& ray) const;

 private:
  friend class World;
  struct Snapshot;
  explicit WorldMoment(std::shared_ptr<const Snapshot> snapshot) : snapshot_(std::move(snapshot)) {}
  std::vector<NearBodies> near_pairs(double distance, int threads) const;
  std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace toccata
