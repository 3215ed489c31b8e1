#include "world/world_question.hpp"

#include <algorithm>
#include <atomic>

#include "base/number_text.hpp"
#include "ccd/rigid/question_failure.hpp"
#include "ccd/rigid/rigid_query.hpp"
#include "toccata/base/parallel.hpp"
#include "world/deforming_contact.hpp"
#include "world/event_order.hpp"
#include "world/time_to_contact.hpp"

namespace toccata::world {
namespace {

// Pairs are solved in blocks of this many, and looked at between them: the same blocks on any number of
// threads. Where only the first event counts, small ones leave most pairs unsolved.
constexpr std::size_t first_block = 256;
constexpr std::size_t whole_block = 8192;

}  // namespace

std::string failure_of(const WorldEventsOptions& options) {
  std::string failure = rigid::failure_of(options.pair);
  if (failure.empty() && !(options.until >= 0.0 && options.until <= 1.0))
    failure = "until is " + number_text(options.until) + ", but must be in [0, 1]";
  if (failure.empty() && options.budget < 0)
    failure = "budget is " + std::to_string(options.budget) + ", but must not be negative (0 means no limit)";
  return failure;
}

WorldEventsResult failed(std::string failure) {
  WorldEventsResult result;
  result.status = Status::Failed;
  result.complete_until = 0.0;
  result.failure = std::move(failure);
  return result;
}

std::string sentence_about(const IndexPair& pair, const std::string& failure) {
  return "bodies " + std::to_string(pair.first) + " and " + std::to_string(pair.second) + ": " + failure;
}

double reach_of(const SeenBody& a, const SeenBody& b, const FirstContactOptions& options) {
  return options.minimum_distance +
         resolved_tolerance(a.shape, b.shape, options.tolerance, options.relative_tolerance);
}

WorldEvent event_of(const IndexPair& pair, const FirstContactResult& answer) {
  WorldEvent event;
  event.body_a = pair.first;
  event.body_b = pair.second;
  event.status = answer.status;
  event.inside = answer.inside;
  event.time = answer.time;
  event.lower = answer.lower;
  event.upper = answer.upper;
  event.contact = answer.contact;
  event.pose_a = answer.pose_a;
  event.pose_b = answer.pose_b;
  return event;
}

WorldQuestion::WorldQuestion(const AskedBodies& bodies, const WorldEventsOptions& options, PairMemory* memory)
    : bodies_(bodies), options_(options), memory_(memory), watch_(options.pair.stop), in_time_(options.pair) {
  in_time_.all_contacts = false;  // an event has one
  result_.complete_until = options.until;
}

WorldEventsResult WorldQuestion::run(const std::vector<IndexPair>& pairs, bool first_only) {
  result_.near_pairs = static_cast<std::int64_t>(pairs.size());
  const bool may_end_early = first_only || options_.budget > 0 || watch_.or_null() != nullptr;
  std::vector<Candidate> candidates;
  if (may_end_early) {
    candidates = scheduled(pairs);
  } else {
    candidates.resize(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) candidates[i] = {pairs[i], -1.0, i};
  }
  const std::size_t block = first_only ? first_block : whole_block;
  for (std::size_t begin = 0; begin < candidates.size() && result_.status != Status::Failed;) {
    if (first_only && candidates[begin].earliest > end_of_first_group(result_.events)) break;
    std::size_t end = std::min(candidates.size(), begin + block);
    if (options_.budget > 0)
      end = std::min(end, begin + static_cast<std::size_t>(options_.budget - result_.solved_pairs));
    if (end == begin || watch_.is_over()) {
      stop_at(candidates[begin].earliest);
      break;
    }
    solve({candidates.data() + begin, candidates.data() + end});
    begin = end;
  }
  if (result_.status == Status::Failed) return std::move(result_);
  finish(first_only);
  return std::move(result_);
}

double WorldQuestion::earliest(std::size_t place, const IndexPair& pair, const SeenBody& a,
                               const SeenBody& b) const {
  if (memory_ != nullptr) {
    if (const std::optional<double> known = memory_->earliest(place)) return *known;
  }
  const double time = bodies_.any_deforms(pair) ? 0.0 : time_to_contact(a, b, reach_of(a, b, options_.pair));
  if (memory_ != nullptr) memory_->set_earliest(place, time);
  return time;
}

// By the earliest time at which they can touch; those that cannot in time are left out.
std::vector<WorldQuestion::Candidate> WorldQuestion::scheduled(const std::vector<IndexPair>& pairs) const {
  std::vector<Candidate> candidates(pairs.size());
  parallel_blocks(pairs.size(), 256, options_.pair.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const SeenBody a = bodies_[pairs[i].first], b = bodies_[pairs[i].second];
      candidates[i] = {pairs[i], earliest(i, pairs[i], a, b), i};
    }
  });
  std::erase_if(candidates, [&](const Candidate& c) { return c.earliest > options_.until; });
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
    return x.earliest != y.earliest ? x.earliest < y.earliest : x.place < y.place;
  });
  return candidates;
}

void WorldQuestion::solve(std::span<const Candidate> candidates) {
  // Each worker takes the next pairs when it is free, since some take a hundred times longer than others.
  std::vector<Turn> turns((candidates.size() + pairs_a_turn - 1) / pairs_a_turn);
  const int workers = turns.size() > 1 ? usable_threads(options_.pair.threads) : 1;
  std::atomic<std::size_t> next = 0;
  parallel_blocks(static_cast<std::size_t>(workers), 1, options_.pair.threads, [&](std::size_t, std::size_t) {
    search::SearchMemory memory;
    for (std::size_t turn = next.fetch_add(1); turn < turns.size(); turn = next.fetch_add(1))
      solve(candidates.subspan(turn * pairs_a_turn), memory, turns[turn]);
  });
  std::size_t found = result_.events.size();
  for (const Turn& turn : turns) found += turn.events.size() + turn.known_event_count;
  result_.events.reserve(found);  // they are large: none is moved twice
  for (Turn& turn : turns) {
    if (result_.status == Status::Failed) return;
    take(turn);
  }
}

// The first few of the candidates.
void WorldQuestion::solve(std::span<const Candidate> candidates, search::SearchMemory& memory,
                          Turn& turn) const {
  for (std::size_t i = 0; i < std::min(pairs_a_turn, candidates.size()) && turn.failure.empty(); ++i)
    solve(candidates[i], memory, turn);
}

void WorldQuestion::solve(const Candidate& candidate, search::SearchMemory& memory, Turn& turn) const {
  if (memory_ != nullptr) {  // without a look at the bodies
    const std::optional<double> known = memory_->earliest(candidate.place);
    if (known && *known > options_.until) return;
    if (memory_->has_answer(candidate.place)) {
      ++turn.solved_pairs;
      ++turn.known_pairs;
      const WorldEvent* event = memory_->event(candidate.place);
      if (event != nullptr && event->time <= options_.until)
        turn.known_events[turn.known_event_count++] = event;
      return;
    }
  }
  const SeenBody a = bodies_[candidate.pair.first], b = bodies_[candidate.pair.second];
  if (candidate.earliest < 0.0 && earliest(candidate.place, candidate.pair, a, b) > options_.until) return;
  ++turn.solved_pairs;
  if (memory_ != nullptr && !bodies_.any_deforms(candidate.pair) &&
      memory_->proves_apart(candidate.place, a, b, reach_of(a, b, options_.pair))) {
    ++turn.known_pairs;
    return;
  }
  const FirstContactResult answer = answered(candidate, a, b, memory);
  turn.stats += answer.stats;
  if (answer.status == Status::Failed) {
    turn.failure = sentence_about(candidate.pair, answer.failure);
  } else if (answer.status == Status::OutOfBudget) {
    turn.complete_until = std::min(turn.complete_until, answer.lower);
  } else if (answer.status != Status::Separated && answer.time <= options_.until) {
    turn.events.push_back(event_of(candidate.pair, answer));
  }
}

FirstContactResult WorldQuestion::answered(const Candidate& candidate, const SeenBody& a, const SeenBody& b,
                                           search::SearchMemory& memory) const {
  const double tolerance =
      resolved_tolerance(a.shape, b.shape, in_time_.tolerance, in_time_.relative_tolerance);
  if (bodies_.any_deforms(candidate.pair)) {
    FirstContactResult found = answered_deforming(candidate.pair, tolerance);
    if (memory_ != nullptr) memory_->learn(candidate.place, found);
    return found;
  }
  std::string failure = rigid::failure_of_method(in_time_.method, a.shape, b.shape);
  if (!failure.empty()) return rigid::failed(std::move(failure));
  const rigid::RigidQuery query = {pair_of(a, b), tolerance, in_time_, watch_.or_null()};
  if (watch_.is_over()) return rigid::unanswered(query);
  FirstContactResult found = rigid::answered(query, memory);
  if (memory_ != nullptr) memory_->learn(candidate.place, a, b, reach_of(a, b, options_.pair), found);
  return found;
}

FirstContactResult WorldQuestion::answered_deforming(const IndexPair& pair, double tolerance) const {
  return deforming_contact(bodies_, pair, {0.0, tolerance, in_time_, watch_.or_null()});
}

void WorldQuestion::take(Turn& turn) {
  result_.stats += turn.stats;
  result_.solved_pairs += turn.solved_pairs;
  result_.known_pairs += turn.known_pairs;
  if (!turn.failure.empty()) {
    result_ = failed(std::move(turn.failure));
    return;
  }
  if (turn.complete_until <= 1.0) stop_at(turn.complete_until);
  result_.events.insert(result_.events.end(), turn.events.begin(), turn.events.end());
  for (std::size_t i = 0; i < turn.known_event_count; ++i) result_.events.push_back(*turn.known_events[i]);
}

void WorldQuestion::stop_at(double time) {
  result_.status = Status::OutOfBudget;
  result_.complete_until = std::min(result_.complete_until, time);
}

void WorldQuestion::finish(bool first_only) {
  // An event that is not surely before the end of what is complete might not be the next one.
  if (result_.status == Status::OutOfBudget)
    std::erase_if(result_.events, [&](const WorldEvent& e) { return !(e.lower < result_.complete_until); });
  if (first_only) {
    const double end = end_of_first_group(result_.events);
    std::erase_if(result_.events, [&](const WorldEvent& e) { return e.lower > end; });
  }
  order_events(
      result_.events, [&](const WorldEvent& e, double factor) { return asked_again(e, factor); },
      options_.pair.threads, result_.stats);
  if (first_only) std::erase_if(result_.events, [](const WorldEvent& e) { return e.group > 0; });
  if (result_.status != Status::OutOfBudget && !result_.events.empty()) result_.status = Status::Contact;
  if (first_only && result_.status == Status::Contact) result_.complete_until = result_.events.front().lower;
}

FirstContactResult WorldQuestion::asked_again(const WorldEvent& event, double factor) const {
  const SeenBody a = bodies_[event.body_a], b = bodies_[event.body_b];
  FirstContactOptions finer = options_.pair;
  finer.stop = watch_.rest();
  finer.tolerance = factor * resolved_tolerance(a.shape, b.shape, options_.pair.tolerance,
                                                options_.pair.relative_tolerance);
  const IndexPair pair = {event.body_a, event.body_b};
  if (bodies_.any_deforms(pair)) return answered_deforming(pair, *finer.tolerance);
  return toccata::first_contact({a.shape, OwnedMotion::borrowed(*a.motion), a.solid},
                                {b.shape, OwnedMotion::borrowed(*b.motion), b.solid}, finer);
}

}  // namespace toccata::world
