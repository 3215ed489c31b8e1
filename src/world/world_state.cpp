#include "world/world_state.hpp"

#include <limits>
#include <stdexcept>

#include "ccd/rigid/question_failure.hpp"
#include "world/deforming_contact.hpp"

namespace toccata {

using namespace world;

namespace world {

double margin_of(const Shape& shape, const FirstContactOptions& options) {
  const double tolerance =
      options.tolerance ? 0.5 * *options.tolerance : options.relative_tolerance * shape.size();
  return (0.5 * options.minimum_distance + tolerance) * (1.0 + 1e-12);
}

bool has_usual_margins(const FirstContactOptions& options) {
  static const FirstContactOptions usual;
  return !options.tolerance && options.relative_tolerance == usual.relative_tolerance &&
         options.minimum_distance == usual.minimum_distance;
}

}  // namespace world

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
    if (bodies[i].is_there()) ids.push_back(static_cast<std::int32_t>(i));
  }
  return ids;
}

namespace {

// Room for one more, and for an eighth of what is there: doubling would leave half of it empty.
template <typename T>
void make_room(std::vector<T>& column) {
  if (column.size() == column.capacity()) column.reserve(column.size() + column.size() / 8 + 16);
  column.emplace_back();
}

}  // namespace

std::int32_t WorldState::take_id(const PairFilter& filter) {
  auto id = static_cast<std::int32_t>(bodies.size());
  if (free_ids.empty()) {
    make_room(bodies);
    make_room(boxes);
    make_room(ages);
  } else {
    id = *free_ids.begin();
    free_ids.erase(free_ids.begin());
  }
  set_filter(id, filter);
  return id;
}

void WorldState::set_filter(std::int32_t id, const PairFilter& filter) {
  const auto at = static_cast<std::size_t>(id);
  if (at >= filters.size()) {
    if (filter == PairFilter()) return;
    filters.resize(at + 1);
  }
  filters[at] = filter;
}

void WorldState::start_session() {
  session = std::make_unique<WorldSession>();
  bodies.shrink_to_fit();
  boxes.shrink_to_fit();
  ages.shrink_to_fit();
}

void WorldState::set_box(std::int32_t id, const Aabb& box) {
  Aabb& own = boxes[static_cast<std::size_t>(id)];
  if (session) {
    session->pairs.resize(bodies.size());
    session->pairs.moved(id, own, box);
  }
  own = box;
}

void WorldState::put(std::int32_t id, KeptBody body, const Aabb& box) {
  const auto at = static_cast<std::size_t>(id);
  set_box(id, grown(box, margin_of(body.shape(), {})));
  bodies[at] = std::move(body);
  ++ages[at].version;
}

// A motion of the user's own may throw when it is asked for its box: nothing has changed then.
std::int32_t WorldState::insert(Body body, const PairFilter& filter) {
  const Aabb box = motion_box(body.shape, *body.motion);
  KeptBody kept(std::move(body));
  const std::int32_t id = take_id(filter);
  put(id, std::move(kept), box);
  return id;
}

std::int32_t WorldState::insert(DeformingBody body, const PairFilter& filter) {
  const std::int32_t id = take_id(filter);
  replace(id, std::move(body));
  return id;
}

void WorldState::replace(std::int32_t id, Body body) {
  const Aabb box = motion_box(body.shape, *body.motion);
  put(id, KeptBody(std::move(body)), box);
}

void WorldState::replace(std::int32_t id, DeformingBody body) {
  put(id, KeptBody({Shape(body.mesh)}), deforming_box(body));
  deforming[id] = std::make_shared<const DeformingBody>(std::move(body));
}

bool WorldState::remove(std::int32_t id) {
  if (!contains(id)) return false;
  const auto at = static_cast<std::size_t>(id);
  const Vector3 far = Vector3::Constant(std::numeric_limits<double>::infinity());
  bodies[at] = KeptBody();
  deforming.erase(id);
  set_box(id, {far, -far});
  set_filter(id, {});
  ++ages[at].generation;
  ++ages[at].version;
  free_ids.insert(id);
  if (switched_off.empty()) return true;
  std::erase_if(switched_off, [&](const IndexPair& pair) { return pair.first == id || pair.second == id; });
  return true;
}

}  // namespace toccata
