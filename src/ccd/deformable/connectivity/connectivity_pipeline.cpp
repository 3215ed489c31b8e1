// The Connectivity pipeline: ICCD (Tang, Curtis, Yoon, Manocha) with every culling step proven in floating
// point. docs/papers/iccd.md tells what is where and what was changed.
#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>

#include "ccd/deformable/connectivity/element_pairs.hpp"
#include "ccd/deformable/connectivity/object_tree.hpp"
#include "ccd/deformable/connectivity/orphan_set.hpp"
#include "ccd/deformable/connectivity/region_culling.hpp"
#include "ccd/deformable/connectivity/region_forest.hpp"
#include "ccd/deformable/pipeline.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable::connectivity {
namespace {

constexpr std::int32_t self_task_size = 1024;  // elements of a subtree that one task walks down
constexpr std::int32_t pair_task_size = 4096;  // elements of both sides that one task traverses
constexpr std::size_t enough_pair_tasks = 4096;

bool asks_within(PairScope scope) {
  return scope != PairScope::BetweenComponents && scope != PairScope::BetweenObjects;
}

class ConnectivityPipeline final : public Pipeline {
 public:
  void reset(const Topology& topology, int threads) override {
    mesh_ = ElementMesh(topology);
    orphans_ = find_orphans(mesh_, topology, threads);
    element_map_.clear();
    vertex_map_.clear();
    forest_ = RegionForest();
    has_forest_ = false;
    changed_ = false;
    pool_.clear();
  }

  void repair(const Topology& after, const TopologyChange& change, int threads) override;

  double update(const Topology& topology, const Step& step, int threads) override {
    const auto start = std::chrono::steady_clock::now();
    if (!has_forest_) {
      forest_.build(mesh_, topology, step, threads);
    } else if (changed_) {
      forest_.repair(mesh_, topology, step, element_map_, vertex_map_, threads);
    }
    has_forest_ = true;
    changed_ = false;
    element_map_ = vertex_map_ = {};
    const std::chrono::duration<double, std::milli> built = std::chrono::steady_clock::now() - start;
    forest_.refit(mesh_, step, threads);
    // The first level of the hierarchy: one bound per component, the root of its region tree.
    std::vector<SweptDop> bounds;
    for (const std::int32_t root : forest_.roots()) bounds.push_back(forest_.bounds().dops[root]);
    objects_.update(bounds, true);
    refitted_objects_.update(bounds, false);
    return built.count();
  }

  void find(const Topology& topology, const Step& step, const PipelineQuery& query,
            NarrowPhase& narrow) const override;

  std::span<const std::string_view> stage_names() const override { return connectivity_stage_names; }

  std::size_t memory_bytes() const override {
    return mesh_.memory_bytes() + orphans_.memory_bytes() + forest_.memory_bytes() + objects_.memory_bytes() +
           refitted_objects_.memory_bytes();
  }

 private:
  std::vector<NodePair> object_pairs(const Topology& topology, const PipelineQuery& query,
                                     CandidateSink& sink) const;
  void walk_regions(const Step& step, const RegionBounds& bounds, bool cull, NarrowPhase& narrow,
                    std::span<std::int32_t> cleared, std::vector<NodePair>& pairs) const;
  void split_large(const RegionBounds& bounds, std::vector<NodePair>& pairs, std::int32_t task_size,
                   double distance, CandidateSink& sink) const;
  void test_orphans(std::span<const std::int32_t> cleared, std::size_t stride, NarrowPhase& narrow) const;

  ElementMesh mesh_;
  OrphanSet orphans_;
  RegionForest forest_;
  ObjectTree objects_;
  ObjectTree refitted_objects_;  // never restructured: what `restructuring = false` uses
  // Of changes that wait for their first positions: what became of the forest's elements and vertices.
  std::vector<std::int32_t> element_map_, vertex_map_;
  bool has_forest_ = false, changed_ = false;
  mutable ContourTesterPool pool_;
};

void append_map(std::vector<std::int32_t>& map, std::vector<std::int32_t> next, bool first) {
  if (first) {
    map = std::move(next);
    return;
  }
  for (std::int32_t& i : map) i = i < 0 ? -1 : next[i];
}

void ConnectivityPipeline::repair(const Topology& after, const TopologyChange& change, int threads) {
  const ElementMesh old = std::move(mesh_);
  mesh_ = ElementMesh(after);
  orphans_ = repair_orphans(orphans_, old, mesh_, after, change, threads);
  pool_.clear();
  if (!has_forest_) return;
  append_map(element_map_, map_elements(old, mesh_, change), !changed_);
  append_map(vertex_map_, change.vertex_map, !changed_);
  changed_ = true;
}

std::vector<NodePair> ConnectivityPipeline::object_pairs(const Topology& topology, const PipelineQuery& query,
                                                         CandidateSink& sink) const {
  std::vector<NodePair> pairs;
  const PairScope scope = query.options.scope;
  if (scope == PairScope::WithinComponent) return pairs;
  const auto object_of = [&](std::int32_t component) {
    const std::int32_t element = forest_.element(forest_.node(forest_.roots()[component]).begin);
    return topology.vertex_object[mesh_.corners(element)[0]];
  };
  const ObjectTree& tree = query.options.stages.restructuring ? objects_ : refitted_objects_;
  const std::int64_t tests = tree.overlapping_pairs(query.distance, [&](std::int32_t a, std::int32_t b) {
    const bool same =
        scope != PairScope::All && scope != PairScope::BetweenComponents && object_of(a) == object_of(b);
    if (scope == PairScope::WithinObject && !same) return;
    if (scope == PairScope::BetweenObjects && same) return;
    pairs.push_back({forest_.roots()[a], forest_.roots()[b]});
  });
  sink.count(ObjectTests, tests);
  sink.count(ObjectPairs, static_cast<std::int64_t>(pairs.size()));
  return pairs;
}

void count_regions(const RegionCulling& culling, CandidateSink& sink) {
  sink.count(ConeTests, culling.counts().cone_tests);
  sink.count(ConesPassed, culling.counts().cones_passed);
  sink.count(ContourTests, culling.contour_counts().tests);
  sink.count(ContoursPassed, culling.contour_counts().passed);
  sink.count(ContourFailuresInherited, culling.counts().inherited_failures);
  sink.count(ProjectedVertices, culling.contour_counts().projected);
  sink.count(ReusedProjections, culling.contour_counts().reused);
  sink.count(PlanarEdgeTests, culling.contour_counts().planar_tests);
  sink.count(ClearedRegions, culling.counts().cleared_regions);
  sink.count(ClearedElements, culling.counts().cleared_elements);
}

void ConnectivityPipeline::walk_regions(const Step& step, const RegionBounds& bounds, bool cull,
                                        NarrowPhase& narrow, std::span<std::int32_t> cleared,
                                        std::vector<NodePair>& pairs) const {
  // The tops of the trees first, on one thread: what they clear whole is no work for the others.
  std::vector<RegionTask> tasks;
  {
    RegionCulling culling(forest_, bounds, mesh_, step, cull, pool_, cleared);
    for (const std::int32_t root : forest_.roots()) {
      RegionTask task;
      task.node = root;
      culling.run(task, self_task_size, tasks, pairs);
    }
    count_regions(culling, narrow.sink());
  }
  std::mutex mutex;
  parallel_blocks(tasks.size(), 16, narrow.threads(), [&](std::size_t begin, std::size_t end) {
    RegionCulling culling(forest_, bounds, mesh_, step, cull, pool_, cleared);
    std::vector<RegionTask> none;
    std::vector<NodePair> found;
    for (std::size_t i = begin; i < end; ++i) culling.run(tasks[i], 0, none, found);
    count_regions(culling, narrow.sink());
    const std::lock_guard lock(mutex);
    pairs.insert(pairs.end(), found.begin(), found.end());
  });
}

// Pairs of large regions are opened until the rest can be spread over the threads.
void ConnectivityPipeline::split_large(const RegionBounds& bounds, std::vector<NodePair>& pairs,
                                       std::int32_t task_size, double distance, CandidateSink& sink) const {
  const auto is_large = [&](const NodePair& p) {
    return forest_.node(p.a).size() + forest_.node(p.b).size() > task_size;
  };
  const auto first_large = std::partition(pairs.begin(), pairs.end(), [&](auto& p) { return !is_large(p); });
  std::vector<NodePair> small(pairs.begin(), first_large);
  pairs.erase(pairs.begin(), first_large);
  const std::size_t enough = small.size() + enough_pair_tasks;
  std::int64_t tests = 0;
  while (!pairs.empty()) {
    const NodePair pair = pairs.back();
    pairs.pop_back();
    if (!is_large(pair) || small.size() > enough) {
      small.push_back(pair);
      continue;
    }
    ++tests;
    if (!come_near(bounds.dops[pair.a], bounds.dops[pair.b], distance)) continue;
    open_larger(
        pair, [&](std::int32_t i) { return forest_.node(i).size(); },
        [&](std::int32_t i) { return forest_.node(i).right; }, pairs);
  }
  sink.count(NodeTests, tests);
  pairs = std::move(small);
}

void ConnectivityPipeline::test_orphans(std::span<const std::int32_t> cleared, std::size_t stride,
                                        NarrowPhase& narrow) const {
  const auto region = [&](std::int32_t element) { return cleared[forest_.rank(element)]; };
  // Inside one cleared region: some elements of both features were cleared together.
  const auto skip_vertex_face = [&](std::int32_t vertex, std::int32_t face) {
    const std::int32_t node = region(face);
    if (node < 0) return false;
    for (const std::int32_t t : mesh_.around_vertex(vertex)) {
      if (region(t) == node) return true;
    }
    return false;
  };
  const auto skip_edge_edge = [&](std::int32_t e1, std::int32_t e2) {
    for (const std::int32_t a : mesh_.around_edge(e1)) {
      if (region(a) < 0) continue;
      for (const std::int32_t b : mesh_.around_edge(e2)) {
        if (region(a) == region(b)) return true;
      }
    }
    return false;
  };
  const std::size_t count = (orphans_.vertex_face.size() + orphans_.edge_edge.size()) / stride;
  parallel_blocks(count, 2048, narrow.threads(), [&](std::size_t begin, std::size_t end) {
    if (narrow.done()) return;
    CandidateSink& sink = narrow.sink();
    std::int64_t skipped = 0;
    for (std::size_t n = begin; n < end; ++n) {
      const std::size_t i = n * stride;
      if (i < orphans_.vertex_face.size()) {
        const auto [vertex, face] = orphans_.vertex_face[i];
        if (skip_vertex_face(vertex, face)) {
          ++skipped;
        } else {
          sink.vertex_face(vertex, face);
        }
      } else {
        const auto [e1, e2] = orphans_.edge_edge[i - orphans_.vertex_face.size()];
        if (skip_edge_edge(e1, e2)) {
          ++skipped;
        } else {
          sink.edge_edge(e1, e2);
        }
      }
    }
    const auto tested = static_cast<std::int64_t>(end - begin) - skipped;
    sink.count(Orphans, static_cast<std::int64_t>(end - begin));
    sink.count(OrphansTested, tested);
    sink.count(ElementaryTests, tested);
  });
}

struct Discard final : ContactCollector {
  void add(const DeformableContact&) override {}
};

void ConnectivityPipeline::find(const Topology& topology, const Step& step, const PipelineQuery& query,
                                NarrowPhase& narrow) const {
  const DeformableStages& stages = query.options.stages;
  const bool within_components = asks_within(query.options.scope);
  const auto stride = static_cast<std::size_t>(std::max(query.sample, 1));
  if (stride > 1) narrow.leaves_out();
  // The proof is about touching; features of a flat region may well come within a distance. A sample is not
  // worth the contours.
  const bool cull = stages.normal_cones && stages.contour_test && query.distance == 0.0 && stride == 1;
  RegionBounds early;  // on the first part of the step
  if (query.t_max < 1.0) early = forest_.fit(mesh_, step, query.t_max, narrow.threads());
  const RegionBounds& bounds = query.t_max < 1.0 ? early : forest_.bounds();
  std::vector<std::int32_t> cleared(mesh_.element_count(), -1);
  std::vector<NodePair> pairs = object_pairs(topology, query, narrow.sink());
  if (within_components) walk_regions(step, bounds, cull, narrow, cleared, pairs);
  // A sample is drawn from pairs of much the same size.
  split_large(bounds, pairs, stride == 1 ? pair_task_size : pair_task_size / 8, query.distance,
              narrow.sink());

  // Tests that a culling stage would have spared are done in earnest, and their answers dropped.
  Discard discard;
  NarrowPhase spare(topology, step, query, NarrowMode::All, &discard);
  const std::size_t count = (pairs.size() + stride - 1) / stride;
  parallel_blocks(count, 64, narrow.threads(), [&](std::size_t begin, std::size_t end) {
    ElementPairs traversal(forest_, bounds, mesh_, topology, step, query, narrow, narrow.sink(),
                           spare.sink());
    for (std::size_t i = begin; i < end && !narrow.done(); ++i) traversal.run(pairs[i * stride]);
  });
  if (!stages.representative_triangles || !stages.orphan_sets) spare.finish();
  if (within_components && stages.orphan_sets) test_orphans(cleared, stride, narrow);
}

}  // namespace
}  // namespace toccata::deformable::connectivity

namespace toccata::deformable {

std::unique_ptr<Pipeline> make_connectivity_pipeline() {
  return std::make_unique<connectivity::ConnectivityPipeline>();
}

}  // namespace toccata::deformable
