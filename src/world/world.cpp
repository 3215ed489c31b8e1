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
  return state_->insert(std::move(body), filter);
}

bool World::remove(std::int32_t id) {
  return state_->remove(id);
}

bool World::set_motion(std::int32_t id, OwnedMotion motion) {
  if (!contains(id) || deforming(id) != nullptr) return false;
  const KeptBody& kept = state_->bodies[static_cast<std::size_t>(id)];
  Body changed = {kept.shape(), std::move(motion), kept.is_solid()};
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
  state_->set_filter(id, filter);
  state_->mark(id);
  return true;
}

bool World::switch_off(std::int32_t a, std::int32_t b) {
  if (a == b || !contains(a) || !contains(b)) return false;
  state_->switched_off.insert({std::min(a, b), std::max(a, b)});
  state_->mark(a);
  return true;
}

bool World::switch_on(std::int32_t a, std::int32_t b) {
  if (state_->switched_off.erase({std::min(a, b), std::max(a, b)}) == 0) return false;
  state_->mark(a);
  return true;
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

Body World::body(std::int32_t id) const {
  return state_->bodies[static_cast<std::size_t>(id)].body();
}

const DeformingBody* World::deforming(std::int32_t id) const {
  return state_->deforming_of(id);
}

const Aabb& World::swept_box(std::int32_t id) const {
  return state_->boxes[static_cast<std::size_t>(id)];
}

namespace {

// The boxes of a question: those of the world, if it counts as near what is usual.
std::span<const Aabb> reach_boxes(const WorldState& state, const FirstContactOptions& options,
                                  std::vector<Aabb>& grown) {
  if (has_usual_margins(options)) return state.boxes;
  grown.resize(state.boxes.size());
  parallel_blocks(grown.size(), 4096, options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at)
      grown[at] = state.reach_box(static_cast<std::int32_t>(at), options);
  });
  return grown;
}

WorldEventsResult asked(const WorldState& state, const WorldEventsOptions& options, bool first_only) {
  std::string failure = failure_of(options);
  if (!failure.empty()) return failed(std::move(failure));
  std::vector<Aabb> grown;
  std::vector<IndexPair> pairs =
      overlapping_pairs(reach_boxes(state, options.pair, grown), {PairMethod::Rows, options.pair.threads});
  std::erase_if(pairs, [&](const IndexPair& pair) { return !state.is_wanted(pair); });
  return WorldQuestion({state}, options).run(pairs, first_only);
}

// The boxes of this step. Those of another question count as changed, all of them.
std::span<const Aabb> step_boxes(const WorldState& state, WorldSession& session,
                                 const FirstContactOptions& options) {
  const bool is_usual = has_usual_margins(options);
  const bool same =
      session.options && (is_usual ? has_usual_margins(*session.options)
                                   : session.options->tolerance == options.tolerance &&
                                         session.options->relative_tolerance == options.relative_tolerance &&
                                         session.options->minimum_distance == options.minimum_distance);
  session.options = options;
  session.pairs.resize(state.bodies.size());
  if (!same) session.pairs.mark_all();
  if (is_usual) {
    session.grown = {};
    return state.boxes;
  }
  session.grown.resize(state.boxes.size());
  for (const std::int32_t id : session.pairs.changed())
    session.grown[static_cast<std::size_t>(id)] = state.reach_box(id, options);
  return session.grown;
}

}  // namespace

WorldEventsResult World::step(const WorldEventsOptions& options) {
  std::string failure = failure_of(options);
  if (!failure.empty()) return failed(std::move(failure));
  if (!state_->session) state_->start_session();
  WorldSession& session = *state_->session;
  const std::span<const Aabb> boxes = step_boxes(*state_, session, options.pair);
  session.pairs.step({boxes, state_->filters, state_->switched_off});
  const std::vector<IndexPair> pairs(session.pairs.pairs().begin(), session.pairs.pairs().end());
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
  const Aabb own = grown(motion_box(moving.shape, *moving.motion), margin_of(moving.shape, options.pair));
  std::vector<IndexPair> pairs;
  for (const std::int32_t id : ids()) {
    if (overlap(own, state_->reach_box(id, options.pair))) pairs.push_back({-1, id});
  }
  return WorldQuestion({*state_, &moving}, options).run(pairs, false);
}

}  // namespace toccata
