#pragma once
// The shared end of every pipeline: candidates are collected in blocks, selected (shared vertices, scope,
// user filters), decided in SIMD lanes where that is proven, and by the exact elementary tests where not.
#include <tbb/enumerable_thread_specific.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "ccd/deformable/contact_list.hpp"
#include "ccd/deformable/pair_selection.hpp"
#include "ccd/deformable/pipeline.hpp"
#include "impact/distance_kernels.hpp"
#include "impact/narrow_kernels.hpp"
#include "toccata/ccd/deformable/deformable_result.hpp"
#include "toccata/impact/linear_impact.hpp"

namespace toccata::deformable {

using impact::candidate_block;
using impact::cubic_kind_count;
using impact::CubicKind;

inline constexpr int max_pipeline_stages = 32;

// What becomes of a candidate that collides.
enum class NarrowMode : std::uint8_t {
  All,    // kept, or delivered to the collector
  First,  // kept only if its contact may be the first one of the scene
  Free,   // not kept: how long is everything proven to be free, without exact arithmetic?
};

// One per thread; not thread-safe. Emitting is buffered, so a candidate may be tested any time later.
class CandidateSink {
 public:
  explicit CandidateSink(NarrowPhase& narrow) : narrow_(&narrow) {}

  void vertex_face(std::int32_t vertex, std::int32_t face) { add(FeaturePairKind::VertexFace, vertex, face); }
  void edge_edge(std::int32_t a, std::int32_t b) { add(FeaturePairKind::EdgeEdge, a, b); }
  void vertex_edge(std::int32_t point, std::int32_t wire) { add(FeaturePairKind::VertexEdge, point, wire); }
  void vertex_vertex(std::int32_t a, std::int32_t b) { add(FeaturePairKind::VertexVertex, a, b); }

  // Many candidates that are known to share no vertex, symmetric kinds with first < second.
  void add_disjoint(FeaturePairKind kind, const std::int32_t* first, const std::int32_t* second,
                    std::size_t count, CubicKind cubic = CubicKind::Unknown);

  // Adds to the pipeline's own counter `stage` (an index into its stage_names()).
  void count(int stage, std::int64_t amount) { counts_[static_cast<std::size_t>(stage)] += amount; }

 private:
  friend class NarrowPhase;
  struct Block {
    std::array<std::int32_t, candidate_block> first;
    std::array<std::int32_t, candidate_block> second;
    std::size_t size = 0;
  };

  void add(FeaturePairKind kind, std::int32_t first, std::int32_t second);
  void flush(FeaturePairKind kind, CubicKind cubic);

  NarrowPhase* narrow_;
  Block& block(FeaturePairKind kind, CubicKind cubic) {
    return blocks_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(cubic)];
  }
  std::array<std::array<Block, cubic_kind_count>, feature_pair_kind_count> blocks_;
  std::array<std::int64_t, max_pipeline_stages> counts_{};
  std::array<std::int64_t, feature_pair_kind_count> tested_{};
  std::array<std::int64_t, feature_pair_kind_count> found_{};
  std::array<std::int64_t, impact_stage_count> decided_by_{};
  bool any_at_start_ = false, any_undecided_ = false;
  double test_seconds_ = 0;
  impact::CandidateVerdicts verdicts_;
  std::unique_ptr<impact::DistanceVerdicts> distances_;  // with a minimum distance
  HitList hits_;
  // First mode: of the pairs that touch at the very start the smallest one. No larger pair can be the answer,
  // so none is tested or kept: where everything touches, there is one contact to remember and not millions.
  std::optional<DeformableContact> least_at_start_;
};

class NarrowPhase {
 public:
  NarrowPhase(const Topology& topology, const Step& step, const PipelineQuery& query, NarrowMode mode,
              ContactCollector* collector = nullptr);

  CandidateSink& sink() { return sinks_.local(); }
  int threads() const { return query_.options.threads; }
  // Pairs of no part of this share are dropped here; a pipeline need not emit them.
  const StepShare& share() const { return selection_.share(); }
  // The pipeline has tried the cardinal axes on all its candidates: the lanes need not.
  void axes_are_tested() { axes_tested_ = true; }
  // The collector has enough, or the time is over: pipelines may stop emitting. Asked between parts of the
  // work that take microseconds.
  bool done() {
    if (query_.stop != nullptr && query_.stop->is_over()) {
      stopped_.store(true, std::memory_order_relaxed);
      done_.store(true, std::memory_order_relaxed);
    }
    return done_.load(std::memory_order_relaxed);
  }
  // Not everything was looked at: the time is over, or the budget of exact arithmetic.
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  bool is_over_budget() const { return exact_steps_.load(std::memory_order_relaxed) > budget_; }
  // A pipeline that was asked for a sample has left pairs out.
  void leaves_out() { left_out_ = true; }
  bool has_left_out() const { return left_out_; }
  // First mode: no contact later than this matters any more. Falls as contacts are found. Free mode: nothing
  // that was looked at touches before this.
  double time_limit() const { return time_limit_.load(std::memory_order_relaxed); }

  // First mode, before the pipeline runs: this pair is known to touch at the very start.
  void expect_at_start(const FeaturePair& pair) { known_at_start_ = pair; }
  // After finish: the smallest pair that was found to touch at the very start.
  std::optional<FeaturePair> least_at_start() const;

  // After the pipeline: tests what is still buffered and hands out everything.
  void finish();
  // After finish: how the question ended, all pairs together.
  Status status() const;
  std::vector<DeformableContact> take_contacts();  // sorted by pair
  // Does the pair touch in [0, t_max]?
  static bool touches_before(const Topology& topology, const Step& step, const FeaturePair& pair,
                             double t_max);
  void add_stats(const Pipeline& pipeline, double seconds, DeformableStats& stats);

 private:
  friend class CandidateSink;
  void test(CandidateSink& sink, FeaturePairKind kind, CubicKind cubic);
  void keep_wanted(const CandidateSink& sink, FeaturePairKind kind, CandidateSink::Block& block) const;
  void test_in_lanes(CandidateSink& sink, FeaturePairKind kind, CubicKind cubic, std::size_t count);
  void test_distances(CandidateSink& sink, FeaturePairKind kind, CubicKind cubic, std::size_t count);
  void test_singly(CandidateSink& sink, const FeaturePair& pair);
  void keep_impact(CandidateSink& sink, const FeaturePair& pair, Impact impact);
  void prove_free(const FeaturePair& pair);
  void spend(std::int64_t exact_steps);
  void accept(CandidateSink& sink, const Hit& hit);
  // First mode: true if it is not to be kept, or is kept as the smallest of those at the start.
  bool settle_first(CandidateSink& sink, const DeformableContact& contact);
  void deliver(const DeformableContact& contact);
  void lower_time_limit(double time);

  const Topology& topology_;
  const Step& step_;
  const PipelineQuery& query_;
  NarrowMode mode_;
  bool boolean_only_;  // contacts without times and places
  ContactCollector* collector_;
  LinearImpactOptions impact_options_;
  PairSelection selection_;
  bool axes_tested_ = false;
  bool left_out_ = false;
  std::int64_t budget_;
  std::atomic<std::int64_t> exact_steps_{0};
  std::mutex collector_mutex_;
  std::atomic<bool> done_{false};
  std::atomic<bool> stopped_{false};
  std::atomic<double> time_limit_{1.0};
  std::optional<FeaturePair> known_at_start_;
  tbb::enumerable_thread_specific<CandidateSink> sinks_;
};

}  // namespace toccata::deformable
