#pragma once
// The question about all pairs of bodies: what events, first_contact, cast and step have in common.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/stop_watch.hpp"
#include "ccd/rigid/solid_overlap.hpp"
#include "ccd/search/contact_search.hpp"
#include "toccata/world/world.hpp"
#include "world/asked_bodies.hpp"

namespace toccata::world {

std::string failure_of(const WorldEventsOptions& options);
WorldEventsResult failed(std::string failure);
std::string sentence_about(const IndexPair& pair, const std::string& failure);

// What comes closer than this may be reported.
double reach_of(const SeenBody& a, const SeenBody& b, const FirstContactOptions& options);

inline rigid::RigidPair pair_of(const SeenBody& a, const SeenBody& b) {
  return {a.shape, *a.motion, a.solid, b.shape, *b.motion, b.solid};
}

// An answer about a pair as the event that it is.
WorldEvent event_of(const IndexPair& pair, const FirstContactResult& answer);

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
    double earliest = -1.0;  // proven apart before it; -1: not asked yet
    std::size_t place = 0;   // in the list of pairs
  };
  // A worker takes this many pairs at a time.
  static constexpr std::size_t pairs_a_turn = 8;
  // What a worker finds in one turn.
  struct Turn {
    std::vector<WorldEvent> events;
    std::array<const WorldEvent*, pairs_a_turn> known_events;  // those that the memory has
    std::size_t known_event_count = 0;
    QueryStats stats;
    std::int64_t solved_pairs = 0;
    std::int64_t known_pairs = 0;
    double complete_until = 2.0;
    std::string failure;
  };

  std::vector<Candidate> scheduled(const std::vector<IndexPair>& pairs) const;
  double earliest(std::size_t place, const IndexPair& pair, const SeenBody& a, const SeenBody& b) const;
  void solve(std::span<const Candidate> candidates);
  void solve(std::span<const Candidate> candidates, search::SearchMemory& memory, Turn& turn) const;
  void solve(const Candidate& candidate, search::SearchMemory& memory, Turn& turn) const;
  FirstContactResult answered(const Candidate& candidate, const SeenBody& a, const SeenBody& b,
                              search::SearchMemory& memory) const;
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
