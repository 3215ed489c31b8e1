// The Clusters pipeline: a wide tree over clusters of faces, the relative-motion test at every level, and
// feature pairs found by vector rows. Per step the boxes are refitted and the tree is sorted again, so it
// does not decay.
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "ccd/deformable/clusters/cluster_boxes.hpp"
#include "ccd/deformable/clusters/cluster_kernels.hpp"
#include "ccd/deformable/clusters/cluster_mesh.hpp"
#include "ccd/deformable/clusters/smooth_components.hpp"
#include "ccd/deformable/clusters/smooth_regions.hpp"
#include "ccd/deformable/narrow_phase.hpp"
#include "ccd/deformable/pipeline.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable::clusters {
namespace {

enum Stage : int {
  ClearedFaces,
  ClusterPairsCardinal,
  ClusterPairs,
  FeaturePairsVf,
  FeaturePairsEe,
  AfterAxesVf,
  AfterAxesEe,
  MeetingVf,
  MeetingEe
};
constexpr std::string_view stage_names_table[] = {"cleared_faces",           "cluster_pairs_cardinal",
                                                  "cluster_pairs",           "vertex_face_cardinal_axes",
                                                  "edge_edge_cardinal_axes", "vertex_face_spread_axes",
                                                  "edge_edge_spread_axes",   "vertex_face_coplanarity",
                                                  "edge_edge_coplanarity"};

bool clusters_wanted(const Cluster& a, const Cluster& b, PairScope scope) {
  const bool known_component = a.component >= 0 && b.component >= 0;
  const bool known_object = a.object >= 0 && b.object >= 0;
  switch (scope) {
    case PairScope::All:
      return true;
    case PairScope::WithinComponent:
      return !known_component || a.component == b.component;
    case PairScope::BetweenComponents:
      return !known_component || a.component != b.component;
    case PairScope::WithinObject:
      return !known_object || a.object == b.object;
    case PairScope::BetweenObjects:
      return !known_object || a.object != b.object;
  }
  return true;
}

using Clock = std::chrono::steady_clock;

// Memory for n items, a little more than asked for where it must be taken again: a mesh that tears grows
// slowly. What was in it is lost.
template <typename List>
void make_room(List& list, std::size_t n) {
  if (list.capacity() >= n) return;
  list = {};
  list.reserve(n + n / 32);
}

void make_room(const Topology& topology, const ClusterMesh& mesh, ClusterBoxes& boxes) {
  const std::size_t clusters = mesh.clusters.size();
  make_room(boxes.frames, clusters);
  make_room(boxes.wide, clusters);
  make_room(boxes.cardinal, clusters * box_planes);
  make_room(boxes.spread, clusters * 4 * spread_axis_count);
  make_room(boxes.points, static_cast<std::size_t>(topology.vertex_count) * 8);
  // As large as the last step had it: swept or not.
  if (!boxes.features.empty()) {
    make_room(boxes.features, static_cast<std::size_t>(mesh.feature_shorts[boxes.swept ? 1 : 0]));
  }
}

// The pairs of clusters of two blocks.
struct ClusterPairList {
  IndexPair pairs[node_width * node_width];
  std::size_t count = 0;
};

// What of the tree has a vertex of the part of the step that is asked for; empty where all of it is. A pair
// of features belongs to the part of one of its vertices, so that two clusters without any have no such pair.
struct ShareMarks {
  std::vector<std::uint8_t> clusters;  // by position in levels[0]
  std::vector<std::uint8_t> blocks;

  bool are_all() const { return clusters.empty(); }
};

class ClustersPipeline final : public Pipeline {
 public:
  void reset(const Topology&, int) override {
    mesh_.reset();
    pending_.reset();
    smooth_.forget();
    regions_.forget();
    looked_for_patches_ = false;
    steps_unchanged_ = settled;
  }

  // Clusters of wires and points need positions, so the repair waits for the next step.
  void repair(const Topology&, const TopologyChange& change, int) override {
    smooth_.forget();
    regions_.forget();
    looked_for_patches_ = false;
    steps_unchanged_ = 0;
    if (!mesh_) return;
    pending_ = pending_ ? compose(*pending_, change) : change;
  }

  double update(const Topology& topology, const Step& step, int threads) override {
    double built = 0, prepared = 0;
    // In the first step neither knows of the other.
    const bool first = !mesh_ && !smooth_.is_prepared();
    parallel_blocks(2, 1, first ? threads : 1, [&](std::size_t part, std::size_t) {
      if (part == 0) {
        built = update_clusters(topology, step, threads);
      } else if (!smooth_.is_prepared() && steps_unchanged_ >= settled) {
        const auto start = Clock::now();
        smooth_.prepare(topology);
        prepared = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
      }
    });
    built = first && threads != 1 ? std::max(built, prepared) : built + prepared;
    smooth_.update(topology, step, boxes_, threads);
    // Regions pay from the second step on. Where all components are smooth there is nothing left to clear.
    const bool nothing_left = smooth_.cleared_faces() == static_cast<std::int64_t>(topology.faces.size());
    if (steps_unchanged_ > settled && !nothing_left) {
      if (!regions_.is_prepared()) regions_.prepare(topology, *mesh_);
      regions_.update(topology, *mesh_, step, boxes_, threads);
    } else {
      regions_.skip();
    }
    steps_unchanged_ = std::min(steps_unchanged_ + 1, settled + 1);
    return built;
  }

  void find(const Topology& topology, const Step& step, const PipelineQuery& query,
            NarrowPhase& narrow) const override;

  std::span<const std::string_view> stage_names() const override { return stage_names_table; }
  std::size_t memory_bytes() const override {
    return (mesh_ ? mesh_->memory_bytes() : 0) + boxes_.memory_bytes() + smooth_.memory_bytes() +
           regions_.memory_bytes();
  }

 private:
  // After a change of the topology that many steps go by before contours are looked for again.
  static constexpr int settled = 4;

  double update_clusters(const Topology& topology, const Step& step, int threads) {
    const auto start = Clock::now();
    const auto since_start = [&] {
      return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    };
    if (mesh_ && pending_) {
      if (!repair_clusters(topology, *pending_, step, *mesh_) || is_fragmented(topology)) mesh_.reset();
      if (mesh_) make_room(topology, *mesh_, boxes_);
      if (mesh_) mesh_->patch_of.clear();
    }
    pending_.reset();
    const FacePatches patches = mesh_ ? new_patches(topology, step, threads) : FacePatches{};
    if (patches.any()) mesh_.reset();
    if (!mesh_) {
      mesh_ = build_clusters(topology, step, patches, threads);
      regions_.forget();
      boxes_ = {};
      make_room(topology, *mesh_, boxes_);
      boxes_.reserve(topology, *mesh_);
      const double built = since_start();
      refit(topology, *mesh_, step, {}, threads, boxes_);
      size_when_built_ = mixed_size();
      return built;
    }
    const double repaired = since_start();
    refit(topology, *mesh_, step, {}, threads, boxes_);
    // Only clusters of several components can fly apart.
    if (mixed_size() > 2.0 * size_when_built_) {
      mesh_ = build_clusters(topology, step, {}, threads);
      regions_.forget();
      looked_for_patches_ = false;
      const double built = since_start();
      refit(topology, *mesh_, step, {}, threads, boxes_);
      size_when_built_ = mixed_size();
      return built;
    }
    return repaired;
  }

  // Smooth patches to build clusters anew for. They are looked for once, in the second step, so that the
  // first one does not pay for them, and again when the surface has bent since.
  FacePatches new_patches(const Topology& topology, const Step& step, int threads) {
    if (regions_.are_worn()) {
      regions_.forget();
      mesh_->patch_of.clear();
      looked_for_patches_ = false;
    }
    const bool all_smooth = smooth_.cleared_faces() == static_cast<std::int64_t>(topology.faces.size());
    if (looked_for_patches_ || steps_unchanged_ <= settled || all_smooth) return {};
    looked_for_patches_ = true;
    return face_patches(topology, step, threads);
  }

  // Less than a third of the slots in use: repairs have left too many small clusters.
  bool is_fragmented(const Topology& topology) const {
    return mesh_->clusters.size() * cluster_capacity >
           3 * (topology.faces.size() + topology.wires.size() + topology.points.size()) + 1024;
  }
  // Summed extents of the clusters that mix components, in units of the scene.
  double mixed_size() const {
    double sum = 0;
    for (std::size_t c = 0; c < mesh_->clusters.size(); ++c) {
      if (mesh_->clusters[c].component >= 0) continue;
      const float* b = boxes_.cardinal.data() + box_planes * c;
      for (int k = 0; k < 3; ++k) sum += static_cast<double>(b[4 * k + 1] - b[4 * k]);
    }
    return sum / boxes_.scaling.scale;
  }
  bool uses_smooth(const PipelineQuery& query) const {
    const DeformableStages& stages = query.options.stages;
    return (smooth_.any() || regions_.any()) && stages.normal_cones && stages.contour_test &&
           query.distance == 0.0;
  }
  std::vector<IndexPair> block_pairs(const KernelContext& context) const;
  ShareMarks marks_of(const KernelContext& context, const StepShare& share) const;
  void open(const KernelContext& context, const PipelineQuery& query, const ShareMarks& marks,
            IndexPair blocks, CandidateSink& sink, ClusterPairList& list) const;
  void collect(const KernelContext& context, const ClusterPairList& list, CandidateSink& sink,
               PairBuffers& buffers) const;

  std::optional<ClusterMesh> mesh_;
  std::optional<TopologyChange> pending_;
  ClusterBoxes boxes_;
  double size_when_built_ = 0;
  SmoothComponents smooth_;
  SmoothRegions regions_;
  bool looked_for_patches_ = false;
  int steps_unchanged_ = settled;
};

// Pairs of blocks of clusters, by descending the tree level by level.
std::vector<IndexPair> ClustersPipeline::block_pairs(const KernelContext& context) const {
  const auto& levels = context.boxes->levels;
  std::vector<IndexPair> pairs;
  if (!context.stages.tree) {
    const std::int32_t blocks = levels[0].block_count();
    for (std::int32_t a = 0; a < blocks; ++a) {
      for (std::int32_t b = a; b < blocks; ++b) pairs.push_back({a, b});
    }
    return pairs;
  }
  pairs.push_back({0, 0});
  for (std::size_t depth = levels.size() - 1; depth > 0; --depth) {
    std::vector<IndexPair> next;
    IndexPair children[node_width * node_width];
    for (const IndexPair& p : pairs) {
      const std::size_t n = expand_blocks(context, levels[depth], p.first, p.second, children);
      next.insert(next.end(), children, children + n);
    }
    pairs = std::move(next);
  }
  return pairs;
}

ShareMarks ClustersPipeline::marks_of(const KernelContext& context, const StepShare& share) const {
  ShareMarks marks;
  if (share.is_whole()) return marks;
  const auto& order = context.boxes->order;
  marks.clusters.assign(order.size(), 0);
  marks.blocks.assign((order.size() + node_width - 1) / node_width, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Cluster& cluster = mesh_->clusters[order[i]];
    const std::int32_t* const vertices = mesh_->vertices.data() + cluster.vertex_begin;
    marks.clusters[i] = std::any_of(vertices, vertices + cluster.vertex_count,
                                    [&](std::int32_t vertex) { return share.has_vertex(vertex); });
    marks.blocks[i / node_width] |= marks.clusters[i];
  }
  return marks;
}

// Keeps the pairs of which one has a mark.
std::size_t keep_marked(const std::vector<std::uint8_t>& marks, IndexPair* pairs, std::size_t count) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (marks[pairs[i].first] || marks[pairs[i].second]) pairs[kept++] = pairs[i];
  }
  return kept;
}

void put_in_order(std::int32_t* first, std::int32_t* second, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t a = first[i], b = second[i];
    first[i] = std::min(a, b);
    second[i] = std::max(a, b);
  }
}

// Hands the candidates on, but for those that single precision proves apart.
void emit(const KernelContext& context, PairBuffers& buffers, CandidateSink& sink) {
  // What F does on a shortened step says nothing of the whole one, which brackets are about.
  const bool whole_step = context.boxes->scaling.t_end == 1.0;
  for (int k = 0; k < feature_pair_kind_count; ++k) {
    PairBuffer& pairs = buffers.kinds[k];
    if (k < 2) {
      sink.count(FeaturePairsVf + k, pairs.before_spread_axes);
      sink.count(AfterAxesVf + k, static_cast<std::int64_t>(pairs.size));
    }
    const auto kind = static_cast<FeaturePairKind>(k);
    const bool symmetric = kind == FeaturePairKind::EdgeEdge || kind == FeaturePairKind::VertexVertex;
    if (k < 2 && context.stages.coplanarity) {
      drop_apart(context, kind, pairs, buffers.meeting);
      for (int c = 0; c < cubic_kind_count; ++c) {
        MeetingPairs& meeting = buffers.meeting[c];
        if (symmetric) put_in_order(meeting.first, meeting.second, meeting.count);
        sink.count(MeetingVf + k, static_cast<std::int64_t>(meeting.count));
        sink.add_disjoint(kind, meeting.first, meeting.second, meeting.count,
                          whole_step ? static_cast<CubicKind>(c) : CubicKind::Unknown);
      }
    } else {
      if (k < 2) sink.count(MeetingVf + k, static_cast<std::int64_t>(pairs.size));
      if (symmetric) put_in_order(pairs.first, pairs.second, pairs.size);
      sink.add_disjoint(kind, pairs.first, pairs.second, pairs.size);
    }
    pairs.size = 0;
    pairs.before_spread_axes = 0;
  }
}

// Finds the pairs of clusters of two blocks, and asks the memory for what the first of them need.
void ClustersPipeline::open(const KernelContext& context, const PipelineQuery& query, const ShareMarks& marks,
                            IndexPair blocks, CandidateSink& sink, ClusterPairList& list) const {
  IndexPair* const pairs = list.pairs;
  std::size_t count = expand_blocks(context, context.boxes->levels[0], blocks.first, blocks.second, pairs);
  if (!marks.are_all()) count = keep_marked(marks.clusters, pairs, count);
  if (query.options.scope != PairScope::All || uses_smooth(query)) {
    std::size_t wanted = 0;
    const auto& order = context.boxes->order;
    const bool components = uses_smooth(query) && smooth_.any();
    const bool regions = uses_smooth(query) && regions_.any();
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t c = order[pairs[i].first], d = order[pairs[i].second];
      const Cluster& a = mesh_->clusters[c];
      const Cluster& b = mesh_->clusters[d];
      if (regions && regions_.are_cleared(c, d)) continue;
      if (components && a.component == b.component && smooth_.is_cleared(a.component)) continue;
      if (clusters_wanted(a, b, query.options.scope)) pairs[wanted++] = pairs[i];
    }
    count = wanted;
  }
  sink.count(ClusterPairsCardinal, static_cast<std::int64_t>(count));
  if (context.stages.spread_axes) count = keep_by_spread_axes(context, pairs, count);
  sink.count(ClusterPairs, static_cast<std::int64_t>(count));
  list.count = count;
  std::int32_t clusters[most_fitted];
  for (std::size_t i = 0; i < count; ++i) {
    clusters[2 * i] = context.boxes->order[pairs[i].first];
    clusters[2 * i + 1] = context.boxes->order[pairs[i].second];
  }
  fit_once(*mesh_, {clusters, 2 * count}, *context.boxes);
  prefetch_first_pairs(context, pairs, count);
}

void ClustersPipeline::collect(const KernelContext& context, const ClusterPairList& list, CandidateSink& sink,
                               PairBuffers& buffers) const {
  for (std::size_t done = 0; done < list.count;) {
    done += collect_feature_pairs(context, list.pairs + done, list.count - done, buffers);
    if (buffers.is_nearly_full()) emit(context, buffers, sink);
  }
}

void ClustersPipeline::find(const Topology& topology, const Step& step, const PipelineQuery& query,
                            NarrowPhase& narrow) const {
  if (mesh_->clusters.empty()) return;
  if (uses_smooth(query)) {
    narrow.sink().count(ClearedFaces, smooth_.cleared_faces() +
                                          (regions_.any() ? regions_.cleared_faces(*mesh_, smooth_) : 0));
    if (topology.component_count == 1 && smooth_.any()) return;
  }
  narrow.axes_are_tested();
  // The boxes of the update serve, unless the step is shortened or the grid has no room for the distance.
  KernelContext context{&topology, &*mesh_, &boxes_, {}, {}, query.options.stages};
  const FitRequest request{query.t_max, query.distance, !query.options.stages.relative_motion};
  ClusterBoxes other;
  if (!boxes_.serve(request)) {
    refit(topology, *mesh_, step, request, narrow.threads(), other);
    context.boxes = &other;
  }
  context.at_distance = query.distance > 0.0;
  context.thresholds = make_thresholds(context.boxes->scaling, query.distance);
  context.grid_thresholds = make_grid_thresholds(context.boxes->grid, context.thresholds);
  std::vector<IndexPair> pairs = block_pairs(context);
  const ShareMarks marks = marks_of(context, narrow.share());
  if (!marks.are_all()) pairs.resize(keep_marked(marks.blocks, pairs.data(), pairs.size()));
  const auto stride = static_cast<std::size_t>(std::max(query.sample, 1));
  const std::size_t tasks = (pairs.size() + stride - 1) / stride;
  if (tasks < pairs.size()) narrow.leaves_out();
  tbb::enumerable_thread_specific<std::unique_ptr<PairBuffers>> all_buffers;
  // Small enough for the threads to share them evenly, large enough to fetch ahead.
  const std::size_t block = narrow.threads() == 1 ? 16 : std::clamp<std::size_t>(tasks / 128, 1, 16);
  parallel_blocks(tasks, block, narrow.threads(), [&](std::size_t begin, std::size_t end) {
    if (narrow.done()) return;
    auto& buffers = all_buffers.local();
    if (!buffers) buffers = std::make_unique_for_overwrite<PairBuffers>();
    CandidateSink& sink = narrow.sink();
    ClusterPairList lists[2];
    open(context, query, marks, pairs[begin * stride], sink, lists[0]);
    for (std::size_t i = begin; i < end && !narrow.done(); ++i) {
      ClusterPairList &now = lists[(i - begin) % 2], &next = lists[(i - begin + 1) % 2];
      if (i + 1 < end) open(context, query, marks, pairs[(i + 1) * stride], sink, next);
      collect(context, now, sink, *buffers);
    }
    emit(context, *buffers, sink);
  });
}

}  // namespace
}  // namespace toccata::deformable::clusters

namespace toccata::deformable {

std::unique_ptr<Pipeline> make_clusters_pipeline() {
  return std::make_unique<clusters::ClustersPipeline>();
}

}  // namespace toccata::deformable
