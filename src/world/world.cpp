#include "toccata/world/world.hpp"

#include <algorithm>

#include "ccd/rigid/question_failure.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/broad_phase/motion_box.hpp"
#include "world/world_question.hpp"
#include "world/world_state.hpp"

namespace toccata {

using namespace world;

World::World() : state_(std::make_unique<WorldState>()) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

std::int32_t World::insert(Body body, const PairFilter& filter) {
  check_body(body);
  return state_->insert(std::move(body), filter);
}

std::int32_t World::insert_deforming(DeformingBody body, const PairFilter& filter) {
  check_body(body);
  const std::int32_t id = state_->insert(Body{Shape(body.mesh)}, filter);
  state_->replace(id, std::move(body));
  return id;
}

bool World::remove(std::int32_t id) {
  return state_->remove(id);
}

bool World::set_motion(std::int32_t id, OwnedMotion motion) {
  if (!contains(id) || deforming(id) != nullptr) return false;
  Body changed = body(id);
  changed.motion = std::move(motion);
  check_body(changed);
  state_->replace(id, std::move(changed));
  return true;
}

bool World::set_step(std::int32_t id, std::vector<Vector3> positions_t0, std::vector<Vector3> positions_t1) {
  const DeformingBody* before = deforming(id);
  if (before == nullptr) return false;
  DeformingBody next = {{std::move(positions_t0), before->mesh.faces}, std::move(positions_t1)};
  check_body(next);
  state_->replace(id, std::move(next));
  return true;
}

bool World::set_filter(std::int32_t id, const PairFilter& filter) {
  if (!contains(id)) return false;
  state_->filters[static_cast<std::size_t>(id)] = filter;
  ++state_->ages[static_cast<std::size_t>(id)].version;
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

bool World::contains(const BodyHandle& handle) const {
  return contains(handle.id) && this->handle(handle.id) == handle;
}

BodyHandle World::handle(std::int32_t id) const {
  return {id, state_->ages[static_cast<std::size_t>(id)].generation};
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

const DeformingBody* World::deforming(std::int32_t id) const {
  return state_->deforming_of(id);
}

const Aabb& World::swept_box(std::int32_t id) const {
  return state_->boxes[static_cast<std::size_t>(id)];
}

namespace {

Aabb reach_box(const WorldState& state, std::int32_t id, const FirstContactOptions& options) {
  const auto at = static_cast<std::size_t>(id);
  return grown(state.boxes[at], margin_of(*state.bodies[at], options));
}

WorldEventsResult asked(const WorldState& state, const WorldEventsOptions& options, bool first_only) {
  std::string failure = failure_of(options);
  if (!failure.empty()) return failed(std::move(failure));
  std::vector<Aabb> boxes(state.bodies.size());
  parallel_blocks(boxes.size(), 4096, options.pair.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at)
      boxes[at] =
          state.bodies[at] ? reach_box(state, static_cast<std::int32_t>(at), options.pair) : state.boxes[at];
  });
  std::vector<IndexPair> pairs = overlapping_pairs(boxes, {PairMethod::Rows, options.pair.threads});
  std::erase_if(pairs, [&](const IndexPair& pair) { return !state.is_wanted(pair); });
  return WorldQuestion({state}, options).run(pairs, first_only);
}

// Tells the broad phase of what has changed since the last step.
void bring_up_to_date(const WorldState& state, WorldSession& session, const FirstContactOptions& options) {
  const bool same_margins = session.options.tolerance == options.tolerance &&
                            session.options.relative_tolerance == options.relative_tolerance &&
                            session.options.minimum_distance == options.minimum_distance;
  const Aabb nothing = {Vector3::Ones(), -Vector3::Ones()};
  while (session.seen.size() < state.bodies.size()) {
    session.boxes.insert(nothing);
    session.seen.emplace_back();
  }
  for (std::size_t at = 0; at < state.bodies.size(); ++at) {
    if (same_margins && session.seen[at] == state.ages[at]) continue;
    const auto id = static_cast<std::int32_t>(at);
    session.boxes.update(id, state.bodies[at] ? reach_box(state, id, options) : nothing);
    session.boxes.set_filter(id, state.filters[at]);
    session.seen[at] = state.ages[at];
  }
  session.options = options;
}

}  // namespace

WorldEventsResult World::step(const WorldEventsOptions& options) {
  std::string failure = failure_of(options);
  if (!failure.empty()) return failed(std::move(failure));
  if (!state_->session) state_->session = std::make_unique<WorldSession>();
  WorldSession& session = *state_->session;
  bring_up_to_date(*state_, session, options.pair);
  session.boxes.step();
  std::vector<IndexPair> pairs(session.boxes.pairs().begin(), session.boxes.pairs().end());
  if (!state_->switched_off.empty())
    std::erase_if(pairs, [&](const IndexPair& pair) { return state_->switched_off.contains(pair); });
  session.memory.start(pairs, state_->ages, options.pair);
  return WorldQuestion({*state_}, options, &session.memory).run(pairs, false);
}

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
  return WorldQuestion({*state_, &moving}, options).run(pairs, false);
}

}  // namespace toccata
