#pragma once
// Many moving bodies: which of them touch, when first, and in what order.
//
//   World world;
//   const std::int32_t moving = world.insert({blade, turn}), still = world.insert({post});
//   const WorldEventsResult found = world.events();  // every first contact of every pair, in proven order
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "toccata/broad_phase/broad_phase.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/elementary/ray_triangle.hpp"
#include "toccata/proximity/placed_shape.hpp"
#include "toccata/report/world_events.hpp"
#include "toccata/world/deforming_body.hpp"

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

// A body for good: ids are given away again, handles are not.
struct BodyHandle {
  std::int32_t id = -1;
  std::uint32_t generation = 0;  // how many bodies had the id before

  friend bool operator==(const BodyHandle&, const BodyHandle&) = default;
};

class WorldMoment;
class WorldResponse;
struct WorldState;  // private: src/world/world_state.hpp

// What happens at an event. True: the two bodies are kept apart, and asked about again from here on, whether
// their motions were changed or not. False: they may pass through each other, and are not asked about again.
using Respond = std::function<bool(const WorldEvent&, WorldResponse&)>;

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
  // A mesh whose corners move one by one, as an object of its own among the others: it meets them, not itself
  // (see DeformableScene). Throws std::invalid_argument for what has no triangles, or corners that are not
  // finite or missing.
  std::int32_t insert_deforming(DeformingBody body, const PairFilter& filter = {});
  // These return false, and nothing happens, if there is no such body.
  bool remove(std::int32_t id);
  bool set_motion(std::int32_t id, OwnedMotion motion);  // throws as insert does; false also for what deforms
  // The next step of a mesh that deforms: all its corners at t = 0 and t = 1. Throws as insert_deforming
  // does.
  bool set_step(std::int32_t id, std::vector<Vector3> positions_t0, std::vector<Vector3> positions_t1);
  bool set_filter(std::int32_t id, const PairFilter& filter);
  // A pair that is switched off never touches, until it is switched on or one of its bodies is removed.
  bool switch_off(std::int32_t a, std::int32_t b);
  bool switch_on(std::int32_t a, std::int32_t b);

  bool contains(std::int32_t id) const;
  bool contains(const BodyHandle& handle) const;  // that very body, not a later one with its id
  BodyHandle handle(std::int32_t id) const;       // precondition: contains(id)
  std::size_t size() const;
  std::vector<std::int32_t> ids() const;  // increasing
  // precondition: contains(id). Of what deforms: its mesh at t = 0, at rest.
  Body body(std::int32_t id) const;
  const DeformingBody* deforming(std::int32_t id) const;  // null for what does not, or is not there
  // It stays in this box over [0, 1], with room for the usual tolerance. precondition: contains(id)
  const Aabb& swept_box(std::int32_t id) const;

  // Every first contact of every pair, in order.
  WorldEventsResult events(const WorldEventsOptions& options = {}) const;
  // The first event alone, with those of its group: pairs that cannot come first are not solved.
  WorldEventsResult first_contact(const WorldEventsOptions& options = {}) const;
  // The first contacts of a body that is not in the world with those that are; its id in the events is -1.
  WorldEventsResult cast(const Body& moving, const WorldEventsOptions& options = {}) const;
  // All bodies held still at t in [0, 1].
  WorldMoment at(double t) const;

  // events() once more, with what the last step told and for the next one: which boxes overlapped, which
  // pairs stayed apart and along which axis, and the answers about bodies that have not changed since. The
  // same in every field but stats and known_pairs.
  WorldEventsResult step(const WorldEventsOptions& options = {});
  // First contacts one after the other, each answered before the next is looked for: what bounces goes on
  // with its new motion, and so does the list. Bodies that are kept apart never touch: they are answered
  // between half and three quarters of the tolerance apart, nearer only where they were nearer before.
  // Afterwards bodies have the motions that they were given. On one thread; `upper` stays 1; events of one
  // group have one time. Bodies in each other at the start are listed and pass through each other, whatever
  // the response. Failed, besides: two bodies that are kept apart get nearer and nearer without end.
  WorldEventsResult play(const Respond& respond, const WorldEventsOptions& options = {});

 private:
  friend class WorldPlay;  // private: src/world/world_play.cpp
  std::unique_ptr<WorldState> state_;
};

// What a response may do.
class WorldResponse {
 public:
  double time() const { return time_; }
  const World& world() const { return world_; }
  // From this event on; at this time the body must be where it is (RigidMotion::through). Throws
  // std::invalid_argument if it is not, if there is no such body, or as World::insert does.
  void set_motion(std::int32_t id, OwnedMotion motion);
  // The same of a mesh that deforms: how each of its corners goes on from where it is, per unit of time.
  void set_velocities(std::int32_t id, std::vector<Vector3> velocities);
  // No further events: the list ends OutOfBudget, complete until now.
  void stop() { is_stopped_ = true; }

 private:
  friend class WorldPlay;
  WorldResponse(const World& world, double time) : world_(world), time_(time) {}
  struct Change {
    std::int32_t id;
    OwnedMotion motion = {};
    std::optional<DeformingBody> deforming = {};  // instead of the motion
  };
  const World& world_;
  double time_;
  bool is_stopped_ = false;
  std::vector<Change> changes_;
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
