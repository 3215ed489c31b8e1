#include "toccata/ccd/deformable/deformable_scene.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>

#include "ccd/deformable/narrow_phase.hpp"
#include "ccd/deformable/pipeline.hpp"
#include "ccd/deformable/scene_answers.hpp"
#include "ccd/deformable/topology.hpp"
#include "geometry/matrix_rows.hpp"
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

PipelineQuery make_query(const DeformableOptions& options, const StopWatch& watch) {
  PipelineQuery query{options};
  query.stop = watch.or_null();
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
  // Why the question cannot be asked; empty if it can.
  std::string failure(const DeformableOptions& options) const;
  DeformableContacts find_all(const DeformableOptions& options, ContactCollector* collector) const;
  FirstContactResult find_first(const DeformableOptions& options, const StopWatch& watch,
                                DeformableStats& stats) const;
  // What is left to say when a question in NarrowMode::First was stopped: how long everything is free, if it
  // was stopped by its budget and not by the clock.
  FirstContactResult undecided(PipelineQuery query, const NarrowPhase& stopped, DeformableStats& stats) const;
};

DeformableScene::DeformableScene(std::unique_ptr<State> state) : state_(std::move(state)) {}
DeformableScene::~DeformableScene() = default;
DeformableScene::DeformableScene(DeformableScene&&) noexcept = default;
DeformableScene& DeformableScene::operator=(DeformableScene&&) noexcept = default;

Expected<DeformableScene> DeformableScene::build(std::vector<DeformableObject> objects,
                                                 const DeformableSceneOptions& options) {
  if (options.threads < 0) return Error{deformable::negative_threads(options.threads)};
  auto topology = deformable::make_topology(objects, options.threads);
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
  parallel_blocks(t0.size(), 8192, scene_options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      MovingVertex& m = step.vertices[v];
      for (int k = 0; k < 3; ++k) {
        m.t0[k] = t0[v][k];
        m.t1[k] = t1[v][k];
      }
    }
  });
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

std::string DeformableScene::State::failure(const DeformableOptions& options) const {
  if (!has_step) return "no step is set: call update first";
  return deformable::unusable_option(options);
}

DeformableContacts DeformableScene::State::find_all(const DeformableOptions& options,
                                                    ContactCollector* collector) const {
  DeformableContacts result;
  result.failure = failure(options);
  if (!result.failure.empty()) {
    result.status = Status::Failed;
    return result;
  }
  const StopWatch watch(options.stop);
  const PipelineQuery query = make_query(options, watch);
  NarrowPhase narrow(topology, step, query, NarrowMode::All, collector);
  run(query, narrow, result.stats);
  result.status = narrow.status();
  const auto start = Clock::now();
  if (!collector) result.contacts = narrow.take_contacts();
  result.stats.test_milliseconds += milliseconds_since(start);
  result.stats.total_milliseconds += milliseconds_since(start);
  add_update(result.stats);
  return result;
}

DeformableContacts DeformableScene::all_contacts(const DeformableOptions& options) const {
  return state_->find_all(options, nullptr);
}

DeformableContacts DeformableScene::all_contacts(ContactCollector& collector,
                                                 const DeformableOptions& options) const {
  return state_->find_all(options, &collector);
}

FirstContactResult DeformableScene::State::find_first(const DeformableOptions& options,
                                                      const StopWatch& watch, DeformableStats& stats) const {
  PipelineQuery query = make_query(options, watch);
  const bool exact = options.minimum_distance == 0.0;
  std::optional<FeaturePair> at_start;
  if (exact) {
    // A sample of the pairs gives a limit that makes the whole traversal cheap.
    query.sample = 128;
    NarrowPhase sampled(topology, step, query, NarrowMode::First);
    run(query, sampled, stats);
    if (sampled.stopped()) return undecided(query, sampled, stats);
    if (!sampled.has_left_out()) {  // a small scene
      return deformable::first_among(topology, step, sampled.take_contacts(), exact);
    }
    query.sample = 1;
    query.t_max = sampled.time_limit();  // its contacts will be found again
    at_start = sampled.least_at_start();
  }
  NarrowPhase narrow(topology, step, query, NarrowMode::First);
  if (at_start) narrow.expect_at_start(*at_start);
  run(query, narrow, stats);
  if (narrow.stopped()) return undecided(query, narrow, stats);
  return deformable::first_among(topology, step, narrow.take_contacts(), exact);
}

FirstContactResult DeformableScene::State::undecided(PipelineQuery query, const NarrowPhase& stopped,
                                                     DeformableStats& stats) const {
  if (!stopped.is_over_budget()) return deformable::undecided_step(0.0);
  query.sample = 1;
  query.t_max = stopped.time_limit();
  NarrowPhase narrow(topology, step, query, NarrowMode::Free);
  if (query.t_max > 0.0) run(query, narrow, stats);
  return deformable::undecided_step(narrow.stopped() ? 0.0 : narrow.time_limit());
}

FirstContactResult DeformableScene::first_contact(const DeformableOptions& options) const {
  return safe_step(options).first;
}

SafeStep DeformableScene::safe_step(const DeformableOptions& options) const {
  if (std::string failure = state_->failure(options); !failure.empty()) {
    return deformable::failed_step(std::move(failure));
  }
  SafeStep result;
  const StopWatch watch(options.stop);
  const auto start = Clock::now();
  result.first = state_->find_first(options, watch, result.stats);
  result.first.minimum_distance = options.minimum_distance;
  for (const std::int64_t tests : result.stats.decided_by) result.first.stats.feature_pairs += tests;
  result.fraction = deformable::free_fraction(result.first);
  result.stats.total_milliseconds = milliseconds_since(start);
  state_->add_update(result.stats);
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
  const StopWatch watch(options.stop);
  DeformableObject object(static_cast<std::int32_t>(positions_t0.size()), {faces.begin(), faces.end()});
  auto scene = DeformableScene::build({std::move(object)}, {.threads = options.threads});
  if (!scene) return scene.error();
  const auto updated = scene->update(positions_t0, positions_t1);
  if (!updated) return updated.error();
  DeformableOptions rest = options;
  rest.stop = watch.rest();
  DeformableContacts found = scene->all_contacts(rest);
  if (found.status == Status::Failed) return Error{std::move(found.failure)};
  return found;
}

Expected<DeformableContacts> ccd(const Eigen::Ref<const Eigen::MatrixXd>& positions_t0,
                                 const Eigen::Ref<const Eigen::MatrixXd>& positions_t1,
                                 const Eigen::Ref<const Eigen::MatrixXi>& faces,
                                 const DeformableOptions& options) {
  const auto t0 = points_of_rows(positions_t0, "positions_t0");
  if (!t0) return t0.error();
  const auto t1 = points_of_rows(positions_t1, "positions_t1");
  if (!t1) return t1.error();
  const auto triangles = faces_of_rows(faces, "faces");
  if (!triangles) return triangles.error();
  return ccd(*t0, *t1, *triangles, options);
}

}  // namespace toccata
