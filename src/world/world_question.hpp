#pragma once
// The question about all pairs of bodies: what events, first_contact, cast and step have in common.
#include <cstdint>
#include <string>
#include <vector>

#include "base/stop_watch.hpp"
#include "ccd/search/contact_search.hpp"
#include "toccata/world/world.hpp"
#include "world/world_state.hpp"

namespace toccata::world {

std::string failure_of(const WorldEventsOptions& options);
WorldEventsResult failed(std::string failure);
std::string sentence_about(const IndexPair& pair, const std::string& failure);

// How much a box has to grow so that two that are within reach of each other overlap: the tolerance of two
// bodies is at most the relative one times the sum of their sizes.
double margin_of(const Body& body, const FirstContactOptions& options);

// What comes closer than this may be reported.
double reach_of(const Body& a, const Body& b, const FirstContactOptions& options);

// An answer about a pair as the event that it is.
WorldEvent event_of(const IndexPair& pair, const FirstContactResult& answer);

// The bodies that are asked about, by id: those of a world, and the one that is cast into it, -1.
struct AskedBodies {
  const WorldState& state;
  const Body* cast = nullptr;

  const Body& operator[](std::int32_t id) const {
    return id < 0 ? *cast : *state.bodies[static_cast<std::size_t>(id)];
  }
  const DeformingBody* deforming(std::int32_t id) const { return state.deforming_of(id); }
  bool any_deforms(const IndexPair& pair) const {
    return deforming(pair.first) != nullptr || deforming(pair.second) != nullptr;
  }
};

class WorldQuestion {
 public:
  // memory: of the pairs, in their order, or none.
  WorldQuestion(const AskedBodies& bodies, const WorldEventsOptions& options, PairMemory* memory = nullptr);

  // pairs: sorted, those whose boxes overlap.
  WorldEventsResult run(const std::vector<IndexPair>& pairs, bool first_only);

 private:
  // One pair of bodies to be solved.
  struct Candidate {
    IndexPair pair;
    double earliest = 0.0;  // proven apart before it
    std::size_t place = 0;  // in the list of pairs
  };
  // What a worker finds in one turn.
  struct Turn {
    std::vector<WorldEvent> events;
    QueryStats stats;
    std::int64_t known_pairs = 0;
    double complete_until = 2.0;
    std::string failure;
  };

  std::vector<Candidate> scheduled(const std::vector<IndexPair>& pairs, bool in_order) const;
  void solve(std::span<const Candidate> candidates);
  void solve(std::span<const Candidate> candidates, search::SearchMemory& memory, Turn& turn) const;
  FirstContactResult answered(const Candidate& candidate, search::SearchMemory& memory) const;
  // precondition: one of them deforms.
  FirstContactResult answered_deforming(const IndexPair& pair, double tolerance) const;
  void take(Turn& turn);
  void stop_at(double time);
  void finish(bool first_only);
  FirstContactResult asked_again(const WorldEvent& event, double factor) const;

  AskedBodies bodies_;
  const WorldEventsOptions& options_;
  PairMemory* memory_;
  StopWatch watch_;  // of the whole question
  FirstContactOptions in_time_;
  WorldEventsResult result_;
};

}  // namespace toccata::world
