#pragma once
// What a World holds.
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "toccata/broad_phase/motion_box.hpp"
#include "toccata/world/world.hpp"
#include "world/pair_memory.hpp"

namespace toccata {

// Fails for what a pair of this body could not be asked.
void check_body(const Body& body);
void check_body(const DeformingBody& body);

// What steps keep.
struct WorldSession {
  BroadPhase boxes;                  // grown by what the last question counts as near
  std::vector<world::BodyAge> seen;  // of the bodies with these boxes
  FirstContactOptions options;       // of the last question
  world::PairMemory memory;
};

struct WorldState {
  std::vector<std::optional<Body>> bodies;  // by id
  std::vector<Aabb> boxes;                  // over [0, 1]; of a free id: empty
  std::vector<PairFilter> filters;
  std::vector<world::BodyAge> ages;
  std::map<std::int32_t, std::shared_ptr<const DeformingBody>> deforming;
  std::set<std::int32_t> free_ids;
  std::set<IndexPair> switched_off;
  std::unique_ptr<WorldSession> session;  // once a step was asked for

  bool contains(std::int32_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < bodies.size() && bodies[static_cast<std::size_t>(id)];
  }
  std::vector<std::int32_t> ids() const;
  const DeformingBody* deforming_of(std::int32_t id) const {
    if (deforming.empty()) return nullptr;
    const auto found = deforming.find(id);
    return found == deforming.end() ? nullptr : found->second.get();
  }
  bool is_wanted(const IndexPair& pair) const {
    return may_meet(filters[static_cast<std::size_t>(pair.first)],
                    filters[static_cast<std::size_t>(pair.second)]) &&
           (switched_off.empty() || !switched_off.contains(pair));
  }

  std::int32_t insert(Body body, const PairFilter& filter);
  void replace(std::int32_t id, Body body);
  void replace(std::int32_t id, DeformingBody body);
  bool remove(std::int32_t id);
};

}  // namespace toccata
