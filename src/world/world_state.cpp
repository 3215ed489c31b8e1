#include "world/world_state.hpp"

#include <limits>
#include <stdexcept>

#include "ccd/rigid/question_failure.hpp"
#include "world/deforming_contact.hpp"

namespace toccata {

void check_body(const Body& body) {
  static const Body still{Box{}};  // that a pair can be asked with
  const std::string failure = rigid::failure_of(body, still);
  if (!failure.empty()) throw std::invalid_argument("world: " + failure);
}

void check_body(const DeformingBody& body) {
  const std::string failure = world::failure_of(body);
  if (!failure.empty()) throw std::invalid_argument("world: " + failure);
}

std::vector<std::int32_t> WorldState::ids() const {
  std::vector<std::int32_t> ids;
  ids.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i]) ids.push_back(static_cast<std::int32_t>(i));
  }
  return ids;
}

std::int32_t WorldState::insert(Body body, const PairFilter& filter) {
  if (free_ids.empty()) {
    free_ids.insert(static_cast<std::int32_t>(bodies.size()));
    bodies.emplace_back();
    boxes.emplace_back();
    filters.emplace_back();
    ages.emplace_back();
  }
  const std::int32_t id = *free_ids.begin();
  free_ids.erase(free_ids.begin());
  filters[static_cast<std::size_t>(id)] = filter;
  replace(id, std::move(body));
  return id;
}

void WorldState::replace(std::int32_t id, Body body) {
  const auto at = static_cast<std::size_t>(id);
  boxes[at] = motion_box(body.shape, *body.motion);
  bodies[at] = std::move(body);
  ++ages[at].version;
}

void WorldState::replace(std::int32_t id, DeformingBody body) {
  const auto at = static_cast<std::size_t>(id);
  boxes[at] = world::deforming_box(body);
  bodies[at] = Body{Shape(body.mesh)};
  deforming[id] = std::make_shared<const DeformingBody>(std::move(body));
  ++ages[at].version;
}

bool WorldState::remove(std::int32_t id) {
  if (!contains(id)) return false;
  const auto at = static_cast<std::size_t>(id);
  const Vector3 far = Vector3::Constant(std::numeric_limits<double>::infinity());
  bodies[at].reset();
  deforming.erase(id);
  boxes[at] = {far, -far};
  filters[at] = {};
  ++ages[at].generation;
  ++ages[at].version;
  free_ids.insert(id);
  if (switched_off.empty()) return true;
  std::erase_if(switched_off, [&](const IndexPair& pair) { return pair.first == id || pair.second == id; });
  return true;
}

}  // namespace toccata
