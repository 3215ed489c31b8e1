// First contacts one after the other, each answered before the next is looked for.
//
// A queue holds, by time, pairs that are proven apart up to a time (the bound of their balls), and first
// contacts that a search has found. What comes first is looked at: a bound is replaced by what the search
// says, a contact is an event. A body that is given another motion makes all that was known of its pairs
// void, which is seen by its version; its neighbours are asked again from there on.
//
// Bodies that are kept apart are stopped before they touch. A search for a distance of half the tolerance,
// and a quarter of it for its own, leaves a gap that the search that follows starts from; it looks for half
// the gap if that is less. What leaves its contact needs no exception that way, and a corner that comes down
// while another one leaves is not taken for the same contact.
#include <algorithm>
#include <cmath>
#include <queue>
#include <stdexcept>

#include "broad_phase/pair_tree.hpp"
#include "ccd/rigid/question_failure.hpp"
#include "ccd/rigid/rigid_query.hpp"
#include "toccata/proximity/distance.hpp"
#include "world/deforming_contact.hpp"
#include "world/time_to_contact.hpp"
#include "world/world_question.hpp"
#include "world/world_state.hpp"

namespace toccata {

using namespace world;

namespace {

constexpr double kept_share = 0.5;  // of the tolerance, that bodies are kept apart
// Of the tolerance: bodies that are kept apart and come nearer than this do not come apart any more. Each
// contact after the other leaves at least half the gap before, so that seventeen get here.
constexpr double least_share = 1e-5;
// How far a body may be from where it was, when it is given another motion: a share of the lengths involved.
constexpr double still_there = 1e-9;

bool is_everywhere(const Aabb& box) {
  return !box.lower.allFinite() || !box.upper.allFinite();
}

struct Entry {
  double time;
  bool is_contact;
  IndexPair pair;
  std::uint32_t version_a;
  std::uint32_t version_b;
  double from;         // since when both have their motions
  std::size_t answer;  // of a contact

  // Of the same time, bounds come first: all contacts at that time are known before one is answered.
  bool operator>(const Entry& other) const {
    return std::tie(time, is_contact, pair) > std::tie(other.time, other.is_contact, other.pair);
  }
};

}  // namespace

// GCC takes a source that is compiled together with others for a header, whose types others could not name.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

class WorldPlay {
 public:
  WorldPlay(World& world, const Respond& respond, const WorldEventsOptions& options)
      : world_(world),
        state_(*world.state_),
        bodies_{state_},
        respond_(respond),
        options_(options),
        watch_(options.pair.stop),
        boxes_(state_.boxes) {
    result_.complete_until = options.until;
  }

  WorldEventsResult run() {
    start();
    while (!queue_.empty() && result_.status != Status::Failed && result_.status != Status::OutOfBudget) {
      const Entry next = queue_.top();
      queue_.pop();
      if (version(next.pair.first) != next.version_a || version(next.pair.second) != next.version_b) continue;
      if (watch_.is_over()) {
        stop_at(next.time);
      } else if (next.is_contact) {
        take(next);
      } else if (options_.budget > 0 && result_.solved_pairs >= options_.budget) {
        stop_at(next.time);
      } else {
        solve(next);
      }
    }
    if (result_.status == Status::Separated && !result_.events.empty()) result_.status = Status::Contact;
    return std::move(result_);
  }

 private:
  SeenBody body(std::int32_t id) const { return state_.bodies[static_cast<std::size_t>(id)].seen(); }
  const Shape& shape(std::int32_t id) const { return state_.bodies[static_cast<std::size_t>(id)].shape(); }
  std::uint32_t version(std::int32_t id) const { return state_.ages[static_cast<std::size_t>(id)].version; }

  void start() {
    std::vector<std::int32_t> in_tree;
    for (const std::int32_t id : state_.ids()) {
      Aabb& box = boxes_[static_cast<std::size_t>(id)];
      box = state_.reach_box(id, options_.pair);
      // What is everywhere would only spoil the tree.
      (is_everywhere(box) ? everywhere_ : in_tree).push_back(id);
    }
    if (!in_tree.empty()) tree_.build(boxes_, in_tree);
    has_tree_ = !in_tree.empty();
    for (const IndexPair& pair : overlapping_pairs(boxes_, {PairMethod::Rows, options_.pair.threads})) {
      if (!state_.is_wanted(pair)) continue;
      ++result_.near_pairs;
      ask(pair, 0.0);
    }
  }

  void ask(const IndexPair& pair, double from) {
    if (!passing_.empty() && passing_.contains(pair)) return;
    double earliest = from;
    if (!bodies_.any_deforms(pair)) {
      const SeenBody a = body(pair.first), b = body(pair.second);
      earliest = time_to_contact(a, b, reach_of(a, b, options_.pair), from);
    }
    if (earliest > options_.until) return;
    queue_.push({earliest, false, pair, version(pair.first), version(pair.second), from, 0});
  }

  void solve(const Entry& next) {
    const SeenBody a = body(next.pair.first), b = body(next.pair.second);
    ++result_.solved_pairs;
    std::string failure = rigid::failure_of_method(options_.pair.method, a.shape, b.shape);
    if (!failure.empty()) return fail(next.pair, failure);
    const double tolerance =
        resolved_tolerance(a.shape, b.shape, options_.pair.tolerance, options_.pair.relative_tolerance);
    double kept = kept_share * tolerance;
    if (next.time == next.from) {  // they may be near already
      const double gap = gap_at_start(next, a, b, tolerance);
      if (!(gap > least_share * tolerance)) return;
      kept = std::min(kept, 0.5 * gap);
    }
    FirstContactOptions pair_options = options_.pair;
    pair_options.minimum_distance += kept;
    pair_options.at_start = AtStart::Report;
    pair_options.all_contacts = false;
    const FirstContactResult found =
        bodies_.any_deforms(next.pair)
            ? deforming_contact(bodies_, next.pair, {next.time, 0.5 * kept, pair_options, watch_.or_null()})
            : rigid::answered_from(next.time, {pair_of(a, b), 0.5 * kept, pair_options, watch_.or_null()},
                                   memory_);
    result_.stats += found.stats;
    if (found.status == Status::OutOfBudget) return stop_at(found.lower);
    if (found.status == Status::Separated || found.time > options_.until) return;
    WorldEvent event = event_of(next.pair, found);
    event.upper = 1.0;  // they never touch
    push_contact(next, event);
  }

  // Where two bodies are nearer than that cannot be kept apart: 0, and an event if this is the start.
  double gap_at_start(const Entry& next, const SeenBody& a, const SeenBody& b, double tolerance) {
    const PlacedShape placed_a = placed_at(next.pair.first, a, next.time),
                      placed_b = placed_at(next.pair.second, b, next.time);
    const double reach = options_.pair.minimum_distance + tolerance;
    const DistanceResult apart = distance(placed_a, placed_b, {.limit = 2.0 * reach});
    result_.stats += apart.stats;
    const double gap = apart.distance - options_.pair.minimum_distance;
    const Inside inside = next.time == 0.0 ? rigid::inside_at(pair_of(a, b), 0.0) : Inside::None;
    if (gap > least_share * tolerance && inside == Inside::None) return gap;
    if (next.time > 0.0) {
      fail(next.pair, "they do not come apart at t = " + std::to_string(next.time) +
                          ", though the response keeps them apart: it must change a motion so that they do");
      return 0.0;
    }
    WorldEvent event;
    event.body_a = next.pair.first;
    event.body_b = next.pair.second;
    event.status = Status::OverlapAtStart;
    event.inside = inside;
    event.time = event.lower = event.upper = 0.0;
    event.contact = std::isfinite(apart.distance) ? apart.contact : distance(placed_a, placed_b).contact;
    event.pose_a = placed_a.pose;
    event.pose_b = placed_b.pose;
    push_contact(next, event);
    return 0.0;
  }

  PlacedShape placed_at(std::int32_t id, const SeenBody& seen, double t) const {
    const DeformingBody* deforms = bodies_.deforming(id);
    if (deforms != nullptr) return Shape(mesh_at(*deforms, t));
    return {seen.shape, seen.motion->pose(t)};
  }

  void push_contact(const Entry& asked, const WorldEvent& event) {
    Entry contact = asked;
    contact.is_contact = true;
    contact.time = event.time;
    if (free_answers_.empty()) {
      contact.answer = answers_.size();
      answers_.push_back(event);
    } else {
      contact.answer = free_answers_.back();
      free_answers_.pop_back();
      answers_[contact.answer] = event;
    }
    queue_.push(contact);
  }

  void take(const Entry& next) {
    WorldEvent event = answers_[next.answer];
    free_answers_.push_back(next.answer);
    event.group = 0;
    if (!result_.events.empty()) {
      const WorldEvent& last = result_.events.back();
      event.group = last.group + (event.time > last.time ? 1 : 0);
    }
    result_.events.push_back(event);
    WorldResponse response(world_, event.time);
    const bool kept_apart = respond_(event, response) && event.status != Status::OverlapAtStart;
    if (!kept_apart) passing_.insert(next.pair);
    bool asks_again = kept_apart;
    std::vector<std::int32_t> changed;
    for (WorldResponse::Change& change : response.changes_) {
      give_motion(change, event.time);
      changed.push_back(change.id);
      if (change.id == next.pair.first || change.id == next.pair.second) asks_again = false;  // below
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const std::int32_t id : changed) ask_neighbours(id, changed, event.time);
    if (asks_again) ask(next.pair, event.time);
    if (response.is_stopped_) stop_at(event.time);
  }

  void give_motion(WorldResponse::Change& change, double time) {
    const std::int32_t id = change.id;
    Aabb& box = boxes_[static_cast<std::size_t>(id)];
    const bool was_everywhere = is_everywhere(box);
    if (change.deforming) {
      state_.replace(id, *std::move(change.deforming));
      box = grown(deforming_box(*bodies_.deforming(id), time), margin_of(shape(id), options_.pair));
    } else {
      Body changed = {shape(id), std::move(change.motion),
                      state_.bodies[static_cast<std::size_t>(id)].is_solid()};
      box = grown(motion_box(changed.shape, *changed.motion, time, 1.0),
                  margin_of(changed.shape, options_.pair));
      state_.replace(id, std::move(changed));
    }
    if (was_everywhere || is_everywhere(box)) return start_tree_again();
    tree_.refit(id, box);
    if (++refits_ > 4 * boxes_.size()) start_tree_again();
  }

  void start_tree_again() {
    std::vector<std::int32_t> in_tree;
    everywhere_.clear();
    for (const std::int32_t id : state_.ids())
      (is_everywhere(boxes_[static_cast<std::size_t>(id)]) ? everywhere_ : in_tree).push_back(id);
    if (!in_tree.empty()) tree_.build(boxes_, in_tree);
    has_tree_ = !in_tree.empty();
    refits_ = 0;
  }

  void ask_neighbours(std::int32_t id, const std::vector<std::int32_t>& changed, double time) {
    const Aabb& own = boxes_[static_cast<std::size_t>(id)];
    near_ = everywhere_;
    if (has_tree_) tree_.overlapping(own, near_);
    std::sort(near_.begin(), near_.end());
    for (const std::int32_t other : near_) {
      if (other == id || (other < id && std::binary_search(changed.begin(), changed.end(), other))) continue;
      const IndexPair pair = {std::min(id, other), std::max(id, other)};
      if (!state_.is_wanted(pair) || !overlap(own, boxes_[static_cast<std::size_t>(other)])) continue;
      ++result_.near_pairs;
      ask(pair, time);
    }
  }

  void stop_at(double time) {
    result_.status = Status::OutOfBudget;
    result_.complete_until = std::min(result_.complete_until, time);
  }

  void fail(const IndexPair& pair, const std::string& failure) {
    result_ = failed(sentence_about(pair, failure));
  }

  World& world_;
  WorldState& state_;
  AskedBodies bodies_;
  const Respond& respond_;
  const WorldEventsOptions& options_;
  StopWatch watch_;
  std::vector<Aabb> boxes_;  // by id: from when a body has its motion, to the end; grown
  broad_phase::PairTree tree_;
  bool has_tree_ = false;
  std::size_t refits_ = 0;
  std::vector<std::int32_t> everywhere_;  // without a box in the tree
  std::vector<std::int32_t> near_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::vector<WorldEvent> answers_;
  std::vector<std::size_t> free_answers_;
  std::set<IndexPair> passing_;
  search::SearchMemory memory_;
  WorldEventsResult result_;
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

void WorldResponse::set_motion(std::int32_t id, OwnedMotion motion) {
  if (!world_.contains(id))
    throw std::invalid_argument("world: there is no body " + std::to_string(id) + " to be given a motion");
  if (world_.deforming(id) != nullptr)
    throw std::invalid_argument("world: body " + std::to_string(id) +
                                " deforms: it is given velocities of its corners (set_velocities)");
  Body changed = world_.body(id);
  const Pose before = changed.motion->pose(time_);
  changed.motion = std::move(motion);
  check_body(changed);
  const Pose after = changed.motion->pose(time_);
  const ShapeData& shape = changed.shape.data();
  const double radius = shape.is_half_space() ? 0.0 : shape.radius;
  const double moved = (after.apply(shape.center) - before.apply(shape.center)).norm() +
                       (after.rotation - before.rotation).norm() * radius;
  if (!(moved <= still_there * (before.translation.norm() + shape.center.norm() + radius)))
    throw std::invalid_argument("world: body " + std::to_string(id) + " jumps by " + std::to_string(moved) +
                                " at t = " + std::to_string(time_) +
                                ": its new motion must pass through where it is (RigidMotion::through)");
  changes_.push_back({id, changed.motion});
}

void WorldResponse::set_velocities(std::int32_t id, std::vector<Vector3> velocities) {
  const DeformingBody* before = world_.deforming(id);
  if (before == nullptr)
    throw std::invalid_argument("world: body " + std::to_string(id) +
                                " is none that deforms: it is given a motion (set_motion)");
  if (velocities.size() != before->mesh.vertices.size())
    throw std::invalid_argument("world: body " + std::to_string(id) + " has " +
                                std::to_string(before->mesh.vertices.size()) + " corners, not " +
                                std::to_string(velocities.size()));
  DeformingBody changed = {mesh_at(*before, time_), std::move(velocities)};
  for (std::size_t i = 0; i < changed.positions_t1.size(); ++i) {
    Vector3 &place = changed.mesh.vertices[i], velocity = changed.positions_t1[i];
    changed.positions_t1[i] = place + (1.0 - time_) * velocity;
    place -= time_ * velocity;
  }
  check_body(changed);
  changes_.push_back({id, {}, std::move(changed)});
}

WorldEventsResult World::play(const Respond& respond, const WorldEventsOptions& options) {
  std::string failure = failure_of(options);
  if (failure.empty() && !respond) failure = "there is no response";
  if (!failure.empty()) return failed(std::move(failure));
  return WorldPlay(*this, respond, options).run();
}

}  // namespace toccata
