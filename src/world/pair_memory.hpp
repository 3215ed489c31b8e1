#pragma once
// What one step tells about the next, pair by pair. It only ever proves that a pair stays apart, or repeats
// an answer to the same question: no answer depends on it.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ccd/rigid/warm_start/known_clearance.hpp"
#include "toccata/broad_phase/overlapping_pairs.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/report/world_events.hpp"
#include "world/kept_body.hpp"

namespace toccata::world {

// Of the body that has an id: how many had it before, and how often any of them has changed. Two looks that
// find the same numbers see the same body with the same motion.
struct BodyAge {
  std::uint32_t generation = 0;
  std::uint32_t version = 0;

  friend bool operator==(const BodyAge&, const BodyAge&) = default;
};

struct KnownPair {
  IndexPair pair;
  BodyAge age_a;
  BodyAge age_b;
  bool has_answer = false;  // to the question about bodies of these ages
  bool has_direction = false;
  bool has_earliest = false;
  // From a to b, in b's coordinates: two convex pieces were apart along it when last looked at. A guess, so
  // that floats will do.
  std::array<float, 3> direction = {0.0F, 0.0F, 0.0F};
  double earliest = 0.0;  // bodies of these ages cannot be within reach before it
  // Of any other two shapes: how far apart they were, and in which relative pose.
  std::unique_ptr<warm_start::KnownClearance> clearance;
  std::unique_ptr<WorldEvent> event;  // the answer; null: they stay apart
};

class PairMemory {
 public:
  // For the pairs of this step, sorted: forgets all others, and all answers if the question is another one.
  // ages: by id.
  void start(const std::vector<IndexPair>& pairs, std::span<const BodyAge> ages,
             const FirstContactOptions& options);

  // What time_to_contact told about the pair at this place of the list.
  std::optional<double> earliest(std::size_t place) const {
    const KnownPair& known = known_[place];
    return known.has_earliest ? std::optional(known.earliest) : std::nullopt;
  }
  void set_earliest(std::size_t place, double time) {
    known_[place].has_earliest = true;
    known_[place].earliest = time;
  }

  // The answer is known without a look at the bodies.
  bool has_answer(std::size_t place) const { return known_[place].has_answer; }
  // True: an axis or a clearance of the last step proves that they stay apart, which then is the answer.
  bool proves_apart(std::size_t place, const SeenBody& a, const SeenBody& b, double reach);
  // precondition: has_answer(place). Null: they stay apart.
  const WorldEvent* event(std::size_t place) const { return known_[place].event.get(); }
  // After a search. The answer alone: of bodies that deform nothing else is known.
  void learn(std::size_t place, const FirstContactResult& found);
  void learn(std::size_t place, const SeenBody& a, const SeenBody& b, double reach,
             const FirstContactResult& found);

 private:
  void forget_others(const std::vector<IndexPair>& pairs);
  void make_room(const std::vector<IndexPair>& pairs);

  std::vector<KnownPair> known_;  // sorted by pair
  std::optional<FirstContactOptions> options_;
};

}  // namespace toccata::world
