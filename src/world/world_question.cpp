#include "world/world_question.hpp"

#include <algorithm>
#include <atomic>

#include "ccd/rigid/question_failure.hpp"
#include "ccd/rigid/rigid_query.hpp"
#include "toccata/base/parallel.hpp"
#include "world/event_order.hpp"
#include "world/time_to_contact.hpp"

namespace toccata::world {
namespace {

// Pairs are solved in blocks of this many, and looked at between them: the same blocks on any number of
// threads. Where only the first event counts, small ones leave most pairs unsolved.
constexpr std::size_t first_block = 256;
constexpr std::size_t whole_block = 8192;
// A worker takes this many pairs at a time.
constexpr std::size_t pairs_a_turn = 8;

}  // namespace

std::string failure_of(const WorldEventsOptions& options) {
  std::string failure = rigid::failure_of(options.pair);
  if (failure.empty() && !(options.until >= 0.0 && options.until <= 1.0))
    failure = "until is " + std::to_string(options.until) + ", but must be in [0, 1]";
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

double margin_of(const Body& body, const FirstContactOptions& options) {
  const double tolerance =
      options.tolerance ? 0.5 * *options.tolerance : options.relative_tolerance * body.shape.size();
  return (0.5 * options.minimum_distance + tolerance) * (1.0 + 1e-12);
}

double reach_of(const Body& a, const Body& b, const FirstContactOptions& options) {
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

WorldQuestion::WorldQuestion(const BodyById& bodies, const WorldEventsOptions& options, PairMemory* memory)
    : body_(bodies), options_(options), memory_(memory), watch_(options.pair.stop), in_time_(options.pair) {
  in_time_.all_contacts = false;  // an event has one
  result_.complete_until = options.until;
}

WorldEventsResult WorldQuestion::run(const std::vector<IndexPair>& pairs, bool first_only) {
  result_.near_pairs = static_cast<std::int64_t>(pairs.size());
  const std::vector<Candidate> candidates = scheduled(pairs);
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

// By the earliest time at which they can touch; those that cannot in time are left out.
std::vector<WorldQuestion::Candidate> WorldQuestion::scheduled(const std::vector<IndexPair>& pairs) const {
  std::vector<Candidate> candidates(pairs.size());
  parallel_blocks(pairs.size(), 256, options_.pair.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Body &a = body_(pairs[i].first), &b = body_(pairs[i].second);
      candidates[i] = {pairs[i], time_to_contact(a, b, reach_of(a, b, options_.pair)), i};
    }
  });
  std::erase_if(candidates, [&](const Candidate& c) { return c.earliest > options_.until; });
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
    return x.earliest != y.earliest ? x.earliest < y.earliest : x.place < y.place;
  });
  return candidates;
}

void WorldQuestion::solve(std::span<const Candidate> candidates) {
  std::vector<FirstContactResult> answers(candidates.size());
  std::vector<char> known(candidates.size(), 0);
  // Each worker takes the next pairs when it is free, since some take a hundred times longer than others.
  const int workers = candidates.size() > pairs_a_turn ? usable_threads(options_.pair.threads) : 1;
  std::atomic<std::size_t> next = 0;
  parallel_blocks(static_cast<std::size_t>(workers), 1, options_.pair.threads, [&](std::size_t, std::size_t) {
    search::SearchMemory memory;
    for (std::size_t begin = next.fetch_add(pairs_a_turn); begin < candidates.size();
         begin = next.fetch_add(pairs_a_turn)) {
      const std::size_t end = std::min(begin + pairs_a_turn, candidates.size());
      for (std::size_t i = begin; i < end; ++i) {
        bool was_known = false;
        answers[i] = answered(candidates[i], memory, was_known);
        known[i] = was_known ? 1 : 0;
      }
    }
  });
  result_.solved_pairs += static_cast<std::int64_t>(candidates.size());
  result_.known_pairs += std::count(known.begin(), known.end(), 1);
  for (std::size_t i = 0; i < candidates.size() && result_.status != Status::Failed; ++i)
    take(candidates[i].pair, answers[i]);
}

FirstContactResult WorldQuestion::answered(const Candidate& candidate, search::SearchMemory& memory,
                                           bool& was_known) const {
  const Body &a = body_(candidate.pair.first), &b = body_(candidate.pair.second);
  const double reach = reach_of(a, b, options_.pair);
  if (memory_ != nullptr) {
    if (std::optional<FirstContactResult> known = memory_->answer(candidate.place, a, b, reach)) {
      was_known = true;
      return *std::move(known);
    }
  }
  std::string failure = rigid::failure_of_method(in_time_.method, a.shape, b.shape);
  if (!failure.empty()) return rigid::failed(std::move(failure));
  const rigid::RigidQuery query = {
      rigid::pair_of(a, b),
      resolved_tolerance(a.shape, b.shape, in_time_.tolerance, in_time_.relative_tolerance), in_time_,
      watch_.or_null()};
  if (watch_.is_over()) return rigid::unanswered(query);
  FirstContactResult found = rigid::answered(query, memory);
  if (memory_ != nullptr) memory_->learn(candidate.place, a, b, reach, found);
  return found;
}

void WorldQuestion::take(const IndexPair& pair, const FirstContactResult& answer) {
  result_.stats += answer.stats;
  if (answer.status == Status::Failed) {
    result_ = failed(sentence_about(pair, answer.failure));
  } else if (answer.status == Status::OutOfBudget) {
    stop_at(answer.lower);
  } else if (answer.status != Status::Separated && answer.time <= options_.until) {
    result_.events.push_back(event_of(pair, answer));
  }
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
      result_.stats);
  if (first_only) std::erase_if(result_.events, [](const WorldEvent& e) { return e.group > 0; });
  if (result_.status != Status::OutOfBudget && !result_.events.empty()) result_.status = Status::Contact;
  if (first_only && result_.status == Status::Contact) result_.complete_until = result_.events.front().lower;
}

FirstContactResult WorldQuestion::asked_again(const WorldEvent& event, double factor) const {
  const Body &a = body_(event.body_a), &b = body_(event.body_b);
  FirstContactOptions finer = options_.pair;
  finer.stop = watch_.rest();
  finer.tolerance = factor * resolved_tolerance(a.shape, b.shape, options_.pair.tolerance,
                                                options_.pair.relative_tolerance);
  return toccata::first_contact(a, b, finer);
}

}  // namespace toccata::world
