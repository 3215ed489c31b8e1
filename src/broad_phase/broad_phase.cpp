#include "toccata/broad_phase/broad_phase.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "broad_phase/pair_keeper.hpp"

namespace toccata {

namespace {

Aabb nothing() {
  const Vector3 far = Vector3::Constant(std::numeric_limits<double>::infinity());
  return {far, -far};
}

IndexPair ordered(std::int32_t a, std::int32_t b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

struct BroadPhase::State {
  std::vector<Aabb> boxes;  // by id; free ids are empty
  std::vector<PairFilter> filters;
  std::vector<bool> is_used;
  std::set<std::int32_t> free_ids;
  std::set<IndexPair> switched_off;
  broad_phase::PairKeeper keeper;

  bool contains(std::int32_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < is_used.size() && is_used[static_cast<std::size_t>(id)];
  }
};

BroadPhase::BroadPhase(const OverlappingPairsOptions& options) : state_(std::make_unique<State>()) {
  state_->keeper = broad_phase::PairKeeper(options);
}
BroadPhase::~BroadPhase() = default;
BroadPhase::BroadPhase(BroadPhase&&) noexcept = default;
BroadPhase& BroadPhase::operator=(BroadPhase&&) noexcept = default;

std::int32_t BroadPhase::insert(const Aabb& box, const PairFilter& filter) {
  State& s = *state_;
  if (s.free_ids.empty()) {
    s.free_ids.insert(static_cast<std::int32_t>(s.boxes.size()));
    s.boxes.push_back(nothing());
    s.filters.emplace_back();
    s.is_used.push_back(false);
    s.keeper.resize(s.boxes.size());
  }
  const std::int32_t id = *s.free_ids.begin();
  s.free_ids.erase(s.free_ids.begin());
  const auto at = static_cast<std::size_t>(id);
  s.boxes[at] = box;
  s.filters[at] = filter;
  s.is_used[at] = true;
  s.keeper.moved(id, box, box);
  return id;
}

void BroadPhase::remove(std::int32_t id) {
  State& s = *state_;
  if (!s.contains(id)) return;
  s.boxes[static_cast<std::size_t>(id)] = nothing();
  s.is_used[static_cast<std::size_t>(id)] = false;
  s.free_ids.insert(id);
  if (!s.switched_off.empty())
    std::erase_if(s.switched_off,
                  [&](const IndexPair& pair) { return pair.first == id || pair.second == id; });
  s.keeper.mark(id);
}

void BroadPhase::update(std::int32_t id, const Aabb& box) {
  if (!state_->contains(id)) return;
  Aabb& own = state_->boxes[static_cast<std::size_t>(id)];
  state_->keeper.moved(id, own, box);
  own = box;
}

void BroadPhase::set_filter(std::int32_t id, const PairFilter& filter) {
  if (!state_->contains(id)) return;
  state_->filters[static_cast<std::size_t>(id)] = filter;
  state_->keeper.mark(id);
}

void BroadPhase::switch_off(std::int32_t a, std::int32_t b) {
  if (a == b || !state_->contains(a) || !state_->contains(b)) return;
  state_->switched_off.insert(ordered(a, b));
  state_->keeper.mark(a);
}

void BroadPhase::switch_on(std::int32_t a, std::int32_t b) {
  if (state_->switched_off.erase(ordered(a, b)) > 0) state_->keeper.mark(a);
}

bool BroadPhase::contains(std::int32_t id) const {
  return state_->contains(id);
}

std::size_t BroadPhase::size() const {
  return state_->boxes.size() - state_->free_ids.size();
}

const Aabb& BroadPhase::box(std::int32_t id) const {
  return state_->boxes[static_cast<std::size_t>(id)];
}

const PairChanges& BroadPhase::step() {
  return state_->keeper.step({state_->boxes, state_->filters, state_->switched_off});
}

std::span<const IndexPair> BroadPhase::pairs() const {
  return state_->keeper.pairs();
}

}  // namespace toccata
