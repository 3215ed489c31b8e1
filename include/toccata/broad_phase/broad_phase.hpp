#pragma once
// Many boxes that come, go and move: which pairs overlap now, and which have appeared or gone since the last
// look.
//
//   BroadPhase bodies;
//   const std::int32_t crate = bodies.insert({{0, 0, 0}, {1, 1, 1}});
//   bodies.insert({{-9, -9, -1}, {9, 9, 0}}, {.is_static = true});  // the ground
//   bodies.step();                                                  // bodies.pairs() has the two
//   bodies.update(crate, {{0, 0, 1}, {1, 1, 2}});
//   const PairChanges& changes = bodies.step();  // changes.went has them
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "toccata/broad_phase/overlapping_pairs.hpp"

namespace toccata {

// Two boxes make a pair if each is in a group that the other wants, and not both are static.
struct PairFilter {
  std::uint32_t groups = 1;   // a bit per group that it belongs to
  std::uint32_t wants = ~0U;  // a bit per group that it meets
  bool is_static = false;

  friend bool operator==(const PairFilter&, const PairFilter&) = default;
};

constexpr bool may_meet(const PairFilter& a, const PairFilter& b) {
  return (a.groups & b.wants) != 0 && (b.groups & a.wants) != 0 && !(a.is_static && b.is_static);
}

// Both lists are sorted.
struct PairChanges {
  std::vector<IndexPair> appeared;
  std::vector<IndexPair> went;
};

// Pairs depend only on the boxes, filters and switches of the moment: not on the method, the history or the
// number of threads. Not to be changed from two threads at once.
class BroadPhase {
 public:
  // Sweep keeps three sorted lists of ends by insertion (I-COLLIDE), Tree refits its boxes; Rows looks at
  // what a forecast of the next steps leaves, and starts again when boxes leave it.
  explicit BroadPhase(const OverlappingPairsOptions& options = {});
  ~BroadPhase();
  BroadPhase(BroadPhase&&) noexcept;
  BroadPhase& operator=(BroadPhase&&) noexcept;

  // The id: the smallest that is free. An empty box (see overlapping_pairs) is all right and meets nothing.
  std::int32_t insert(const Aabb& box, const PairFilter& filter = {});
  // Of ids that are not there nothing happens.
  void remove(std::int32_t id);
  void update(std::int32_t id, const Aabb& box);
  void set_filter(std::int32_t id, const PairFilter& filter);
  // A pair that is switched off is never listed, until it is switched on or one of its boxes is removed.
  void switch_off(std::int32_t a, std::int32_t b);
  void switch_on(std::int32_t a, std::int32_t b);

  bool contains(std::int32_t id) const;
  std::size_t size() const;                // boxes that are there
  const Aabb& box(std::int32_t id) const;  // precondition: contains(id)

  // Brings pairs() up to date, and tells what has changed since the last call.
  const PairChanges& step();
  // As of the last step: sorted, first < second.
  std::span<const IndexPair> pairs() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace toccata
