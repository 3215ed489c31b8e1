#include "toccata/ccd/deformable/deformable_scene.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <string>

#include "ccd/deformable/narrow_phase.hpp"
#include "ccd/deformable/pipeline.hpp"
#include "ccd/deformable/topology.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata {

using deformable::MovingVertex;
using deformable::NarrowMode;
using deformable::NarrowPhase;
using deformable::Pipeline;
using deformable::PipelineQuery;
using deformable::Step;
using deformable::Topology;
using Clock = std::chrono::steady_clock;

namespace {

// Products of three coordinate differences must not overflow in the elementary tests.
constexpr double largest_coordinate = 1e100;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::unique_ptr<Pipeline> make_pipeline(DeformableMethod method) {
  switch (method) {
    case DeformableMethod::Clusters:
      return deformable::make_clusters_pipeline();
    case DeformableMethod::Connectivity:
      return deformable::make_connectivity_pipeline();
    case DeformableMethod::BruteForce:
      break;
  }
  return deformable::make_brute_force_pipeline();
}

bool is_usable(const Vector3& x) {
  return std::abs(x[0]) <= largest_coordinate && std::abs(x[1]) <= largest_coordinate &&
         std::abs(x[2]) <= largest_coordinate;
}

std::string unusable_message(std::span<const Vector3> t0, std::span<const Vector3> t1) {
  for (std::size_t v = 0; v < t0.size(); ++v) {
    const bool first = !is_usable(t0[v]);
    if (!first && is_usable(t1[v])) continue;
    return "vertex " + std::to_string(v) + (first ? " at t0" : " at t1") +
           " has a coordinate that is not finite or exceeds 1e100";
  }
  return "a coordinate is not finite";
}

// The box of many points in one cheap pass; comparisons skip NaN, so a product with zero keeps it in mind.
struct Range {
  double lower[3] = {INFINITY, INFINITY, INFINITY};
  double upper[3] = {-INFINITY, -INFINITY, -INFINITY};
  double nothing[3] = {0, 0, 0};

  void add(const Vector3& x) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = x[k] < lower[k] ? x[k] : lower[k];
      upper[k] = x[k] > upper[k] ? x[k] : upper[k];
      nothing[k] += 0.0 * x[k];
    }
  }
  bool is_usable() const {
    bool usable = true;
    for (int k = 0; k < 3; ++k) {
      usable = usable && nothing[k] == 0.0 && !(lower[k] < -largest_coordinate) &&
               !(upper[k] > largest_coordinate);
    }
    return usable;
  }
};

PipelineQuery make_query(const DeformableOptions& options) {
  PipelineQuery query{options};
  if (options.minimum_distance > 0) {
    // Two roundings up and one to spare.
    query.distance = options.minimum_distance * (1.0 + options.relative_distance_tolerance) * (1.0 + 0x1p-50);
  }
  return query;
}

}  // namespace

struct DeformableScene::State {
  DeformableSceneOptions scene_options;
  Topology topology;
  Step step;
  bool has_step = false;
  double build_milliseconds = 0, update_milliseconds = 0;
  std::unique_ptr<Pipeline> pipeline;

  void set_positions(std::span<const Vector3> t0, std::span<const Vector3> t1);
  void add_update(DeformableStats& stats) const {
    stats.build_milliseconds = build_milliseconds;
    stats.update_milliseconds = update_milliseconds;
    stats.total_milliseconds += build_milliseconds + update_milliseconds;
  }
  void run(const PipelineQuery& query, NarrowPhase& narrow, DeformableStats& stats) const;
  FirstContact first_among(std::vector<DeformableContact> contacts, const DeformableOptions& options) const;
};

DeformableScene::DeformableScene(std::unique_ptr<State> state) : state_(std::move(state)) {}
DeformableScene::~DeformableScene() = default;
DeformableScene::DeformableScene(DeformableScene&&) noexcept = default;
DeformableScene& DeformableScene::operator=(DeformableScene&&) noexcept = default;

Expected<DeformableScene> DeformableScene::build(std::vector<DeformableObject> objects,
                                                 const DeformableSceneOptions& options) {
  auto topology = deformable::make_topology(objects);
  if (!topology) return topology.error();
  auto state = std::make_unique<State>();
  state->scene_options = options;
  state->topology = std::move(*topology);
  state->pipeline = make_pipeline(options.method);
  state->pipeline->reset(state->topology, options.threads);
  return DeformableScene(std::move(state));
}

void DeformableScene::State::set_positions(std::span<const Vector3> t0, std::span<const Vector3> t1) {
  step.vertices.resize(t0.size());
  for (std::size_t v = 0; v < t0.size(); ++v) {
    MovingVertex& m = step.vertices[v];
    for (int k = 0; k < 3; ++k) {
      m.t0[k] = t0[v][k];
      m.t1[k] = t1[v][k];
    }
  }
}

Expected<UpdateReport> DeformableScene::update(std::span<const Vector3> positions_t0,
                                               std::span<const Vector3> positions_t1) {
  const auto start = Clock::now();
  State& s = *state_;
  const auto expected = static_cast<std::size_t>(s.topology.vertex_count);
  if (positions_t0.size() != expected || positions_t1.size() != expected) {
    return Error{"the scene has " + std::to_string(expected) + " vertices, the step gives " +
                 std::to_string(positions_t0.size()) + " at t0 and " + std::to_string(positions_t1.size()) +
                 " at t1"};
  }
  Range range;
  for (const Vector3& x : positions_t0) range.add(x);
  for (const Vector3& x : positions_t1) range.add(x);
  if (!range.is_usable()) return Error{unusable_message(positions_t0, positions_t1)};
  s.step.lower =
      expected ? Vector3(range.lower[0], range.lower[1], range.lower[2]) : Vector3(Vector3::Zero());
  s.step.upper =
      expected ? Vector3(range.upper[0], range.upper[1], range.upper[2]) : Vector3(Vector3::Zero());
  s.set_positions(positions_t0, positions_t1);
  s.build_milliseconds = s.pipeline->update(s.topology, s.step, s.scene_options.threads);
  s.has_step = true;
  const double all = milliseconds_since(start);
  s.update_milliseconds = all - s.build_milliseconds;
  return UpdateReport{all, s.build_milliseconds};
}

Expected<UpdateReport> DeformableScene::update_topology(std::vector<DeformableObject> objects) {
  const auto start = Clock::now();
  State& s = *state_;
  auto change = deformable::patch_topology(s.topology, objects);
  if (!change) {
    auto after = deformable::repair_topology(s.topology, objects);
    if (!after) return after.error();
    s.topology = std::move(after->topology);
    change = std::move(after->change);
  }
  s.pipeline->repair(s.topology, *change, s.scene_options.threads);
  s.has_step = false;
  const double all = milliseconds_since(start);
  return UpdateReport{all, all};
}

void DeformableScene::State::run(const PipelineQuery& query, NarrowPhase& narrow,
                                 DeformableStats& stats) const {
  const auto start = Clock::now();
  if (has_step) {
    pipeline->find(topology, step, query, narrow);
    narrow.finish();
  }
  narrow.add_stats(*pipeline, 1e-3 * milliseconds_since(start), stats);
}

DeformableContacts DeformableScene::all_contacts(const DeformableOptions& options) const {
  DeformableContacts result;
  const PipelineQuery query = make_query(options);
  NarrowPhase narrow(state_->topology, state_->step, query, NarrowMode::All);
  state_->run(query, narrow, result.stats);
  const auto start = Clock::now();
  result.contacts = narrow.take_contacts();
  result.stats.test_milliseconds += milliseconds_since(start);
  result.stats.total_milliseconds += milliseconds_since(start);
  state_->add_update(result.stats);
  return result;
}

DeformableStats DeformableScene::all_contacts(ContactCollector& collector,
                                              const DeformableOptions& options) const {
  DeformableStats stats;
  const PipelineQuery query = make_query(options);
  NarrowPhase narrow(state_->topology, state_->step, query, NarrowMode::All, &collector);
  state_->run(query, narrow, stats);
  state_->add_update(stats);
  return stats;
}

// The earliest of the contacts that were kept. Which pairs were kept depends on the order of the work, but
// every pair that touches within [0, U], U the smallest upper end of all brackets, is among them: the answer
// is taken from exactly those.
FirstContact DeformableScene::State::first_among(std::vector<DeformableContact> contacts,
                                                 const DeformableOptions& options) const {
  FirstContact result;
  if (contacts.empty()) return result;
  double upper = 1.0;
  for (const DeformableContact& c : contacts) upper = std::min(upper, c.impact.upper);
  const DeformableContact* first = nullptr;
  for (const DeformableContact& c : contacts) {
    if (c.impact.lower > upper) continue;
    if (c.impact.upper > upper && options.minimum_distance == 0.0 &&
        !NarrowPhase::touches_before(topology, step, c.pair, upper)) {
      continue;
    }
    if (!first || c.impact.lower < first->impact.lower) first = &c;  // sorted: ties go to the smaller pair
  }
  result.status = first->impact.status;
  result.time = result.lower = first->impact.lower;
  result.upper = upper;
  result.contact = *first;
  if (options.minimum_distance == 0.0) {
    const Impact& impact = first->impact;
    const deformable::Hit hit{first->pair, impact.status, impact.stage, impact.lower, impact.upper};
    result.contact = deformable::to_contact(topology, step, hit, true);
  }
  return result;
}

FirstContact DeformableScene::first_contact(const DeformableOptions& options) const {
  DeformableStats stats;
  PipelineQuery query = make_query(options);
  const auto start = Clock::now();
  std::vector<DeformableContact> contacts;
  if (options.minimum_distance == 0.0) {
    // A sample of the pairs gives a limit that makes the whole traversal cheap.
    query.sample = 128;
    NarrowPhase sampled(state_->topology, state_->step, query, NarrowMode::First);
    state_->run(query, sampled, stats);
    query.sample = 1;
    query.t_max = sampled.time_limit();  // its contacts will be found again
  }
  NarrowPhase narrow(state_->topology, state_->step, query, NarrowMode::First);
  state_->run(query, narrow, stats);
  FirstContact result = state_->first_among(narrow.take_contacts(), options);
  result.stats = std::move(stats);
  result.stats.total_milliseconds = milliseconds_since(start);
  state_->add_update(result.stats);
  return result;
}

SafeStep DeformableScene::safe_step(const DeformableOptions& options) const {
  SafeStep result;
  result.first = first_contact(options);
  if (result.first.status == Status::Separated) return result;
  // Strictly before the first contact, since the features touch at the contact's own time.
  result.fraction = result.first.time > 0 ? std::nextafter(result.first.time, 0.0) : 0.0;
  return result;
}

std::int32_t DeformableScene::vertex_count() const {
  return state_->topology.vertex_count;
}
std::span<const Face> DeformableScene::faces() const {
  return state_->topology.faces;
}
std::span<const Edge> DeformableScene::edges() const {
  return state_->topology.edges;
}
std::int32_t DeformableScene::object_count() const {
  return state_->topology.object_count;
}
std::int32_t DeformableScene::object_of_vertex(std::int32_t vertex) const {
  return state_->topology.vertex_object[vertex];
}
std::int32_t DeformableScene::component_count() const {
  return state_->topology.component_count;
}
std::int32_t DeformableScene::component_of_vertex(std::int32_t vertex) const {
  return state_->topology.vertex_component[vertex];
}
std::size_t DeformableScene::memory_bytes() const {
  return sizeof(State) + state_->topology.memory_bytes() +
         state_->step.vertices.capacity() * sizeof(MovingVertex) + state_->pipeline->memory_bytes();
}

Expected<DeformableContacts> ccd(std::span<const Vector3> positions_t0, std::span<const Vector3> positions_t1,
                                 std::span<const Face> faces, const DeformableOptions& options) {
  DeformableObject object;
  object.vertex_count = static_cast<std::int32_t>(positions_t0.size());
  object.faces.assign(faces.begin(), faces.end());
  auto scene = DeformableScene::build({std::move(object)}, {.threads = options.threads});
  if (!scene) return scene.error();
  const auto updated = scene->update(positions_t0, positions_t1);
  if (!updated) return updated.error();
  return scene->all_contacts(options);
}

}  // namespace toccata
