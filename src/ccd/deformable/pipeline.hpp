#pragma once
// What a pipeline of DeformableScene is: it finds candidate pairs of features; the shared narrow phase tests
// them. A pipeline is free to emit pairs that do not collide, must emit every pair that may, and must emit
// no pair twice. Pairs that share a vertex or that the scope or the filters exclude may be emitted: the sink
// drops them.
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/stop_watch.hpp"
#include "ccd/deformable/topology.hpp"
#include "impact/moving_features.hpp"
#include "toccata/ccd/deformable/deformable_options.hpp"

namespace toccata::deformable {

class NarrowPhase;

using impact::MovingVertex;

// The step: all vertices, and the box that holds them at both ends (zero for an empty scene).
struct Step {
  std::vector<MovingVertex> vertices;
  Vector3 lower = Vector3::Zero();
  Vector3 upper = Vector3::Zero();
};

// As the kernels of impact read them.
inline impact::MovingFeatures features_of(const Topology& topology, const Step& step) {
  return {step.vertices.data(), topology.edges.data(), topology.faces.data()};
}

struct PipelineQuery {
  const DeformableOptions& options;
  // A pair may be dropped only if its features stay farther apart than this during [0, t_max]; 0: if they
  // never touch. Already includes relative_distance_tolerance, so that all pipelines give the same answer.
  double distance = 0.0;
  // Only contacts in [0, t_max] matter (first_contact); pipelines may ignore it.
  double t_max = 1.0;
  // first_contact asks for a cheap sample first: a pipeline may emit any subset of pairs, about one in
  // `sample` (1 = all of them). It may ignore this too.
  int sample = 1;
  const StopWatch* stop = nullptr;  // null: nothing stops it
};

class Pipeline {
 public:
  virtual ~Pipeline() = default;

  // New topology: forget everything. Positions are not known yet.
  virtual void reset(const Topology& topology, int threads) = 0;
  // Topology changed; the default forgets everything.
  virtual void repair(const Topology& after, const TopologyChange& /*change*/, int threads) {
    reset(after, threads);
  }
  // New step. Called before find. Returns the milliseconds spent on building structures.
  virtual double update(const Topology& topology, const Step& step, int threads) = 0;
  // Emits candidates into sinks of `narrow` (narrow.sink() is the calling thread's). Const and re-entrant.
  virtual void find(const Topology& topology, const Step& step, const PipelineQuery& query,
                    NarrowPhase& narrow) const = 0;
  // Names of the counters that find() adds to with CandidateSink::count, in order.
  virtual std::span<const std::string_view> stage_names() const = 0;
  virtual std::size_t memory_bytes() const = 0;
};

std::unique_ptr<Pipeline> make_brute_force_pipeline();
std::unique_ptr<Pipeline> make_clusters_pipeline();
std::unique_ptr<Pipeline> make_connectivity_pipeline();

}  // namespace toccata::deformable
