#pragma once
// What a World holds.
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "broad_phase/pair_keeper.hpp"
#include "toccata/broad_phase/motion_box.hpp"
#include "toccata/world/world.hpp"
#include "world/kept_body.hpp"
#include "world/pair_memory.hpp"

namespace toccata {

// Fails for what a pair of this body could not be asked.
void check_body(const Body& body);
void check_body(const DeformingBody& body);

namespace world {

// How much a box has to grow so that two that are within reach of each other overlap: the tolerance of two
// bodies is at most the relative one times the sum of their sizes.
double margin_of(const Shape& shape, const FirstContactOptions& options);
// True for the margins that the boxes of a world have already.
bool has_usual_margins(const FirstContactOptions& options);

}  // namespace world

// What steps keep.
struct WorldSession {
  broad_phase::PairKeeper pairs;
  std::optional<FirstContactOptions> options;  // of the last question
  std::vector<Aabb>
      grown;  // by id, where that question counts more as near than is usual; else there is none
  world::PairMemory memory;
};

struct WorldState {
  // By id.
  std::vector<world::KeptBody> bodies;
  std::vector<Aabb> boxes;          // over [0, 1], with the usual margins; of a free id: empty
  std::vector<PairFilter> filters;  // up to the last one that is not the usual
  std::vector<world::BodyAge> ages;
  std::map<std::int32_t, std::shared_ptr<const DeformingBody>> deforming;
  std::set<std::int32_t> free_ids;
  std::set<IndexPair> switched_off;
  std::unique_ptr<WorldSession> session;  // once a step was asked for

  bool contains(std::int32_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < bodies.size() &&
           bodies[static_cast<std::size_t>(id)].is_there();
  }
  std::vector<std::int32_t> ids() const;
  // Two bodies that are within reach of each other have boxes that overlap.
  Aabb reach_box(std::int32_t id, const FirstContactOptions& options) const {
    const auto at = static_cast<std::size_t>(id);
    if (world::has_usual_margins(options) || !bodies[at].is_there()) return boxes[at];
    return grown(boxes[at], world::margin_of(bodies[at].shape(), options));
  }
  const DeformingBody* deforming_of(std::int32_t id) const {
    if (deforming.empty()) return nullptr;
    const auto found = deforming.find(id);
    return found == deforming.end() ? nullptr : found->second.get();
  }
  PairFilter filter_of(std::int32_t id) const { return broad_phase::filter_of(filters, id); }
  void set_filter(std::int32_t id, const PairFilter& filter);
  bool is_wanted(const IndexPair& pair) const {
    return (filters.empty() || may_meet(filter_of(pair.first), filter_of(pair.second))) &&
           (switched_off.empty() || !switched_off.contains(pair));
  }

  // The room for more bodies goes to what steps keep.
  void start_session();

  // Whom the body may meet has changed.
  void mark(std::int32_t id) {
    if (session) session->pairs.mark(id);
  }

  // Ids are the smallest free ones.
  std::int32_t insert(Body body, const PairFilter& filter);
  std::int32_t insert(DeformingBody body, const PairFilter& filter);
  void replace(std::int32_t id, Body body);
  void replace(std::int32_t id, DeformingBody body);
  bool remove(std::int32_t id);

 private:
  std::int32_t take_id(const PairFilter& filter);
  void set_box(std::int32_t id, const Aabb& box);
  void put(std::int32_t id, world::KeptBody body, const Aabb& box);
};

}  // namespace toccata
