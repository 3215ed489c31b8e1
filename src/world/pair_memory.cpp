#include "world/pair_memory.hpp"

#include <algorithm>

#include "ccd/rigid/solid_overlap.hpp"
#include "ccd/search/convex_steps.hpp"
#include "world/world_question.hpp"

namespace toccata::world {
namespace {

using search::ConvexMoment;
using search::ConvexPair;
using search::MovingShape;
using search::PairState;
using search::PairStates;

// Steps in time along one direction: further ones cost more than a search.
constexpr int most_steps = 4;

bool are_single_pieces(const SeenBody& a, const SeenBody& b) {
  const ShapeData &x = a.shape.data(), &y = b.shape.data();
  return x.piece_count() == 1 && y.piece_count() == 1 && !x.has_only_triangles() && !y.has_only_triangles() &&
         !x.is_half_space() && !y.is_half_space();
}

MovingShape moving(const SeenBody& body) {
  return {&body.shape.data(), body.motion};
}

// More than `distance` apart over all of [0, 1], by steps along one direction of b's?
bool stays_apart_along(const Vector3& direction, const SeenBody& a, const SeenBody& b, double distance) {
  const MovingShape x = moving(a), y = moving(b);
  ConvexPair pair(x, 0, y, 0);
  pair.memory.direction = direction;
  PairStates states(x, y);
  PairState state;
  double t = 0.0;
  for (int step = 0; step < most_steps; ++step) {
    const double end = std::min({1.0, x.motion->next_breakpoint(t), y.motion->next_breakpoint(t)});
    states.set_from_b(t, end, state);
    const double until = search::later(t, ConvexMoment(state, pair, end - t).remembered_step(distance));
    if (until > end) {
      if (end >= 1.0) return true;
      t = end;
    } else if (until > t) {
      t = until;
    } else {
      return false;
    }
  }
  return false;
}

Vector3 last_direction(const SeenBody& a, const SeenBody& b) {
  const MovingShape x = moving(a), y = moving(b);
  const ConvexPair pair(x, 0, y, 0);
  PairStates states(x, y);
  PairState state;
  states.set_from_b(1.0, 1.0, state);
  ConvexMoment(state, pair, 0.0).find_distance();
  return pair.memory.direction;
}

bool is_same_question(const FirstContactOptions& x, const FirstContactOptions& y) {
  return x.tolerance == y.tolerance && x.relative_tolerance == y.relative_tolerance &&
         x.minimum_distance == y.minimum_distance && x.budget == y.budget && x.method == y.method &&
         x.at_start == y.at_start;
}

}  // namespace

void PairMemory::start(const std::vector<IndexPair>& pairs, std::span<const BodyAge> ages,
                       const FirstContactOptions& options) {
  const bool same = options_ && is_same_question(*options_, options);
  options_ = options;
  forget_others(pairs);
  make_room(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    KnownPair& known = known_[i];
    const BodyAge &a = ages[static_cast<std::size_t>(pairs[i].first)],
                  &b = ages[static_cast<std::size_t>(pairs[i].second)];
    if (!same || known.age_a != a || known.age_b != b) known.has_answer = known.has_earliest = false;
    // A direction is only a guess, but a clearance is about the shapes.
    if (known.age_a.generation != a.generation || known.age_b.generation != b.generation)
      known.clearance.reset();
    known.age_a = a;
    known.age_b = b;
  }
}

// Both lists are sorted. What comes before the first change stays where it is.
void PairMemory::forget_others(const std::vector<IndexPair>& pairs) {
  std::size_t kept = 0, at = 0;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    while (at < pairs.size() && pairs[at] < known_[i].pair) ++at;
    if (at == pairs.size()) break;
    if (pairs[at] != known_[i].pair) continue;
    if (kept != i) known_[kept] = std::move(known_[i]);
    ++kept;
  }
  known_.resize(kept);
}

// From the back: each moves once, and nothing is copied to another list.
void PairMemory::make_room(const std::vector<IndexPair>& pairs) {
  std::size_t left = known_.size();
  known_.reserve(pairs.size());
  known_.resize(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0 && left <= i;) {
    if (left > 0 && known_[left - 1].pair == pairs[i]) {
      known_[i] = std::move(known_[--left]);
    } else {
      known_[i] = KnownPair();
      known_[i].pair = pairs[i];
    }
  }
}

bool PairMemory::proves_apart(std::size_t place, const SeenBody& a, const SeenBody& b, double reach) {
  KnownPair& known = known_[place];
  if (options_->budget > 0) return false;  // a search with a budget might end before it knows as much
  if (are_single_pieces(a, b)) {           // an id may have gone to a body of another kind
    if (!known.has_direction) return false;
    const Vector3 direction(known.direction[0], known.direction[1], known.direction[2]);
    if (!stays_apart_along(direction, a, b, reach)) return false;
  } else if (!known.clearance || !known.clearance->proves_apart(moving(a), moving(b), reach) ||
             rigid::inside_at(pair_of(a, b), 0.0) != Inside::None) {
    return false;
  }
  known.has_answer = true;
  known.event.reset();
  return true;
}

void PairMemory::learn(std::size_t place, const FirstContactResult& found) {
  KnownPair& known = known_[place];
  known.has_answer = known.has_direction = false;
  known.event.reset();
  if (found.status == Status::OutOfBudget || found.status == Status::Failed) return;
  known.has_answer = true;
  if (found.status != Status::Separated)
    known.event = std::make_unique<WorldEvent>(event_of(known.pair, found));
}

void PairMemory::learn(std::size_t place, const SeenBody& a, const SeenBody& b, double reach,
                       const FirstContactResult& found) {
  learn(place, found);
  if (found.status != Status::Separated) return;
  KnownPair& known = known_[place];
  if (are_single_pieces(a, b)) {
    const Vector3 direction = last_direction(a, b);
    for (std::size_t k = 0; k < 3; ++k)
      known.direction[k] = static_cast<float>(direction[static_cast<Eigen::Index>(k)]);
    known.has_direction = direction.squaredNorm() > 0.0;
  } else if (!a.shape.data().is_half_space() && !b.shape.data().is_half_space()) {
    if (!known.clearance) known.clearance = std::make_unique<warm_start::KnownClearance>();
    QueryStats stats = found.stats;
    known.clearance->learn(moving(a), moving(b), reach, stats);
  }
}

}  // namespace toccata::world
