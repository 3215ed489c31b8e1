#include "toccata/world/world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "base/stop_watch.hpp"
#include "ccd/rigid/question_failure.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/broad_phase/motion_box.hpp"
#include "world/event_order.hpp"
#include "world/time_to_contact.hpp"
#include "world/world_state.hpp"

namespace toccata {

using namespace world;

namespace {

// Pairs are solved in blocks of this many, and looked at between them: the same blocks on any number of
// threads.
constexpr std::size_t pairs_a_block = 256;

// Fails for what a pair of this body could not be asked.
void check(const Body& body) {
  const std::string failure = rigid::failure_of(body, body);
  if (!failure.empty()) throw std::invalid_argument("world: " + failure);
}

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

// How much a box has to grow so that two that are within reach of each other overlap: the tolerance of two
// bodies is at most the relative one times the sum of their sizes.
double margin_of(const Body& body, const FirstContactOptions& options) {
  const double tolerance =
      options.tolerance ? 0.5 * *options.tolerance : options.relative_tolerance * body.shape.size();
  return (0.5 * options.minimum_distance + tolerance) * (1.0 + 1e-12);
}

// One pair of bodies to be solved.
struct Candidate {
  IndexPair pair;
  double earliest = 0.0;  // proven apart before it
};

// The question about all pairs: what events, first_contact and cast have in common.
class WorldQuestion {
 public:
  // bodies: by the ids of the candidates.
  WorldQuestion(const std::function<const Body&(std::int32_t)>& bodies, const WorldEventsOptions& options)
      : body_(bodies), options_(options), watch_(options.pair.stop) {
    result_.complete_until = options.until;
  }

  WorldEventsResult run(std::vector<IndexPair> pairs, bool first_only) {
    result_.near_pairs = static_cast<std::int64_t>(pairs.size());
    const std::vector<Candidate> candidates = scheduled(pairs);
    for (std::size_t begin = 0; begin < candidates.size() && result_.status != Status::Failed;) {
      if (first_only && candidates[begin].earliest > end_of_first_group(result_.events)) break;
      std::size_t end = std::min(candidates.size(), begin + pairs_a_block);
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

 private:
  // By the earliest time at which they can touch; those that cannot in time are left out.
  std::vector<Candidate> scheduled(const std::vector<IndexPair>& pairs) const {
    std::vector<Candidate> candidates(pairs.size());
    parallel_blocks(
        pairs.size(), pairs_a_block, options_.pair.threads, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const Body &a = body_(pairs[i].first), &b = body_(pairs[i].second);
            const double reach =
                options_.pair.minimum_distance + resolved_tolerance(a.shape, b.shape, options_.pair.tolerance,
                                                                    options_.pair.relative_tolerance);
            candidates[i] = {pairs[i], time_to_contact(a, b, reach)};
          }
        });
    std::erase_if(candidates, [&](const Candidate& c) { return c.earliest > options_.until; });
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
      return x.earliest != y.earliest ? x.earliest < y.earliest : x.pair < y.pair;
    });
    return candidates;
  }

  void solve(std::span<const Candidate> candidates) {
    std::vector<BodyPair> pairs;
    pairs.reserve(candidates.size());
    for (const Candidate& c : candidates) pairs.push_back({body_(c.pair.first), body_(c.pair.second)});
    FirstContactOptions in_time = options_.pair;
    in_time.stop = watch_.rest();
    const std::vector<FirstContactResult> answers = first_contacts(pairs, in_time);
    result_.solved_pairs += static_cast<std::int64_t>(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) take(candidates[i].pair, answers[i]);
  }

  void take(const IndexPair& pair, const FirstContactResult& answer) {
    result_.stats += answer.stats;
    if (answer.status == Status::Failed) {
      if (result_.status != Status::Failed)
        result_ = failed("bodies " + std::to_string(pair.first) + " and " + std::to_string(pair.second) +
                         ": " + answer.failure);
      return;
    }
    if (answer.status == Status::OutOfBudget) return stop_at(answer.lower);
    if (answer.status == Status::Separated || answer.time > options_.until) return;
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
    result_.events.push_back(event);
  }

  void stop_at(double time) {
    result_.status = Status::OutOfBudget;
    result_.complete_until = std::min(result_.complete_until, time);
  }

  void finish(bool first_only) {
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
    if (first_only && result_.status == Status::Contact)
      result_.complete_until = result_.events.front().lower;
  }

  FirstContactResult asked_again(const WorldEvent& event, double factor) const {
    const Body &a = body_(event.body_a), &b = body_(event.body_b);
    FirstContactOptions finer = options_.pair;
    finer.stop = watch_.rest();
    finer.tolerance = factor * resolved_tolerance(a.shape, b.shape, options_.pair.tolerance,
                                                  options_.pair.relative_tolerance);
    return toccata::first_contact(a, b, finer);
  }

  const std::function<const Body&(std::int32_t)>& body_;
  const WorldEventsOptions& options_;
  StopWatch watch_;  // of the whole question
  WorldEventsResult result_;
};

}  // namespace

World::World() : state_(std::make_unique<WorldState>()) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

std::int32_t World::insert(Body body, const PairFilter& filter) {
  check(body);
  return state_->insert(std::move(body), filter);
}

bool World::remove(std::int32_t id) {
  return state_->remove(id);
}

bool World::set_motion(std::int32_t id, OwnedMotion motion) {
  if (!contains(id)) return false;
  Body changed = body(id);
  changed.motion = std::move(motion);
  check(changed);
  state_->replace(id, std::move(changed));
  return true;
}

bool World::set_filter(std::int32_t id, const PairFilter& filter) {
  if (!contains(id)) return false;
  state_->filters[static_cast<std::size_t>(id)] = filter;
  return true;
}

bool World::switch_off(std::int32_t a, std::int32_t b) {
  if (a == b || !contains(a) || !contains(b)) return false;
  state_->switched_off.insert({std::min(a, b), std::max(a, b)});
  return true;
}

bool World::switch_on(std::int32_t a, std::int32_t b) {
  return state_->switched_off.erase({std::min(a, b), std::max(a, b)}) > 0;
}

bool World::contains(std::int32_t id) const {
  return state_->contains(id);
}

std::size_t World::size() const {
  return state_->bodies.size() - state_->free_ids.size();
}

std::vector<std::int32_t> World::ids() const {
  return state_->ids();
}

const Body& World::body(std::int32_t id) const {
  return *state_->bodies[static_cast<std::size_t>(id)];
}

const Aabb& World::swept_box(std::int32_t id) const {
  return state_->boxes[static_cast<std::size_t>(id)];
}

namespace {

WorldEventsResult asked(const WorldState& state, const WorldEventsOptions& options, bool first_only) {
  std::string failure = failure_of(options);
  if (!failure.empty()) return failed(std::move(failure));
  std::vector<Aabb> boxes = state.boxes;
  for (const std::int32_t id : state.ids()) {
    const auto at = static_cast<std::size_t>(id);
    boxes[at] = grown(boxes[at], margin_of(*state.bodies[at], options.pair));
  }
  std::vector<IndexPair> pairs = overlapping_pairs(boxes, {PairMethod::Rows, options.pair.threads});
  std::erase_if(pairs, [&](const IndexPair& pair) { return !state.is_wanted(pair); });
  const std::function<const Body&(std::int32_t)> bodies = [&](std::int32_t id) -> const Body& {
    return *state.bodies[static_cast<std::size_t>(id)];
  };
  return WorldQuestion(bodies, options).run(std::move(pairs), first_only);
}

}  // namespace

WorldEventsResult World::events(const WorldEventsOptions& options) const {
  return asked(*state_, options, false);
}

WorldEventsResult World::first_contact(const WorldEventsOptions& options) const {
  return asked(*state_, options, true);
}

WorldEventsResult World::cast(const Body& moving, const WorldEventsOptions& options) const {
  std::string failure = failure_of(options);
  if (failure.empty()) failure = rigid::failure_of(moving, moving);
  if (!failure.empty()) return failed(std::move(failure));
  const Aabb own = grown(motion_box(moving.shape, *moving.motion), margin_of(moving, options.pair));
  std::vector<IndexPair> pairs;
  for (const std::int32_t id : ids()) {
    if (overlap(own, grown(swept_box(id), margin_of(body(id), options.pair)))) pairs.push_back({-1, id});
  }
  const std::function<const Body&(std::int32_t)> bodies = [&](std::int32_t id) -> const Body& {
    return id < 0 ? moving : body(id);
  };
  return WorldQuestion(bodies, options).run(std::move(pairs), false);
}

}  // namespace toccata
