#include "ccd/deformable/narrow_phase.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace toccata::deformable {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

LinearImpactOptions make_impact_options(const DeformableOptions& options, NarrowMode mode) {
  LinearImpactOptions result;
  // Touching at the start must be told apart from later contact to be dropped.
  result.boolean_only =
      options.boolean_only && mode == NarrowMode::All && options.at_start == ContactAtStart::Report;
  result.minimum_distance = options.minimum_distance;
  result.relative_distance_tolerance = options.relative_distance_tolerance;
  return result;
}

std::array<std::string_view, 2 * feature_pair_kind_count> narrow_stage_names() {
  return {"vertex_face_tested",   "edge_edge_tested",   "vertex_edge_tested",   "vertex_vertex_tested",
          "vertex_face_contacts", "edge_edge_contacts", "vertex_edge_contacts", "vertex_vertex_contacts"};
}

struct Reference {
  std::uint64_t key;
  const DeformableContact* contact;
};

// (kind, first, second) in 2 + 31 + 31 bits: ids are not negative.
std::uint64_t sort_key(const FeaturePair& pair) {
  return (static_cast<std::uint64_t>(pair.kind) << 62) | (static_cast<std::uint64_t>(pair.first) << 31) |
         static_cast<std::uint64_t>(pair.second);
}

// Digits in which all keys agree are skipped.
void radix_sort(std::vector<Reference>& references) {
  constexpr int bits = 11;
  constexpr std::size_t buckets = std::size_t{1} << bits;
  std::uint64_t all_or = 0;
  std::uint64_t all_and = ~std::uint64_t{0};
  for (const Reference& r : references) {
    all_or |= r.key;
    all_and &= r.key;
  }
  std::vector<Reference> other(references.size());
  for (int shift = 0; shift < 64; shift += bits) {
    const auto digit = [shift](std::uint64_t key) {
      return static_cast<std::size_t>(key >> shift) & (buckets - 1);
    };
    if (digit(all_or ^ all_and) == 0) continue;
    std::array<std::size_t, buckets + 1> start{};
    for (const Reference& r : references) ++start[digit(r.key) + 1];
    for (std::size_t d = 1; d <= buckets; ++d) start[d] += start[d - 1];
    for (const Reference& r : references) other[start[digit(r.key)]++] = r;
    references.swap(other);
  }
}

}  // namespace

std::array<std::int32_t, 4> pair_vertices(const Topology& topology, const FeaturePair& pair) {
  switch (pair.kind) {
    case FeaturePairKind::VertexFace: {
      const Face& f = topology.faces[pair.second];
      return {pair.first, f[0], f[1], f[2]};
    }
    case FeaturePairKind::EdgeEdge: {
      const Edge& a = topology.edges[pair.first];
      const Edge& b = topology.edges[pair.second];
      return {a[0], a[1], b[0], b[1]};
    }
    case FeaturePairKind::VertexEdge: {
      const Edge& e = topology.edges[pair.second];
      return {pair.first, e[0], e[1], e[1]};
    }
    case FeaturePairKind::VertexVertex:
      break;
  }
  return {pair.first, pair.second, pair.second, pair.second};
}

Impact pair_impact(const Topology& topology, const Step& step, const FeaturePair& pair,
                   const LinearImpactOptions& options) {
  LinearMotion4 motion;
  const auto v = pair_vertices(topology, pair);
  for (std::size_t p = 0; p < 4; ++p) {
    const MovingVertex& m = step.vertices[v[p]];
    motion.t0[p] = Vector3(m.t0[0], m.t0[1], m.t0[2]);
    motion.t1[p] = Vector3(m.t1[0], m.t1[1], m.t1[2]);
  }
  switch (pair.kind) {
    case FeaturePairKind::VertexFace:
      return vertex_face_impact(motion, options);
    case FeaturePairKind::EdgeEdge:
      return edge_edge_impact(motion, options);
    case FeaturePairKind::VertexEdge:
      return vertex_edge_impact(motion, options);
    case FeaturePairKind::VertexVertex:
      break;
  }
  return vertex_vertex_impact(motion, options);
}

bool NarrowPhase::touches_before(const Topology& topology, const Step& step, const FeaturePair& pair,
                                 double t_max) {
  LinearImpactOptions options;
  options.boolean_only = true;
  options.t_max = t_max;
  return pair_impact(topology, step, pair, options).status != Status::Separated;
}

void CandidateSink::flush(FeaturePairKind kind) {
  narrow_->test(*this, kind);
}

NarrowPhase::NarrowPhase(const Topology& topology, const Step& step, const PipelineQuery& query,
                         NarrowMode mode, ContactCollector* collector)
    : topology_(topology),
      step_(step),
      query_(query),
      mode_(mode),
      collector_(collector),
      impact_options_(make_impact_options(query.options, mode)),
      time_limit_(query.t_max),
      sinks_([this] { return CandidateSink(*this); }) {
  const DeformableOptions& options = query.options;
  if (options.object_filter) {
    const auto n = static_cast<std::size_t>(topology.object_count);
    object_pair_wanted_.resize(n * n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a; b < n; ++b) {
        object_pair_wanted_[a * n + b] = object_pair_wanted_[b * n + a] =
            options.object_filter(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
      }
    }
  }
  filters_ = options.scope != PairScope::All || options.object_filter || options.pair_filter;
}

bool NarrowPhase::share_vertex(FeaturePairKind kind, std::int32_t first, std::int32_t second) const {
  const auto v = pair_vertices(topology_, {kind, first, second});
  if (kind == FeaturePairKind::EdgeEdge) {
    return v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3];
  }
  return v[0] == v[1] || v[0] == v[2] || v[0] == v[3];
}

void CandidateSink::add(FeaturePairKind kind, std::int32_t first, std::int32_t second) {
  if (narrow_->share_vertex(kind, first, second)) return;
  const bool symmetric = kind == FeaturePairKind::EdgeEdge || kind == FeaturePairKind::VertexVertex;
  if (symmetric && first > second) std::swap(first, second);
  add_disjoint(kind, &first, &second, 1);
}

void CandidateSink::add_disjoint(FeaturePairKind kind, const std::int32_t* first, const std::int32_t* second,
                                 std::size_t count) {
  Block& block = blocks_[static_cast<std::size_t>(kind)];
  while (count > 0) {
    const std::size_t n = std::min(count, candidate_block - block.size);
    std::copy_n(first, n, block.first.begin() + static_cast<std::ptrdiff_t>(block.size));
    std::copy_n(second, n, block.second.begin() + static_cast<std::ptrdiff_t>(block.size));
    block.size += n;
    first += n;
    second += n;
    count -= n;
    if (block.size == candidate_block) flush(kind);
  }
}

bool NarrowPhase::is_wanted(FeaturePairKind kind, std::int32_t first, std::int32_t second) const {
  const FeaturePair pair{kind, first, second};
  const auto v = pair_vertices(topology_, pair);
  const std::int32_t a = v[0];
  const std::int32_t b = v[2];
  const bool same_component = topology_.vertex_component[a] == topology_.vertex_component[b];
  const std::int32_t object_a = topology_.vertex_object[a];
  const std::int32_t object_b = topology_.vertex_object[b];
  switch (query_.options.scope) {
    case PairScope::All:
      break;
    case PairScope::WithinComponent:
      if (!same_component) return false;
      break;
    case PairScope::BetweenComponents:
      if (same_component) return false;
      break;
    case PairScope::WithinObject:
      if (object_a != object_b) return false;
      break;
    case PairScope::BetweenObjects:
      if (object_a == object_b) return false;
      break;
  }
  if (!object_pair_wanted_.empty() &&
      !object_pair_wanted_[static_cast<std::size_t>(object_a) * topology_.object_count + object_b]) {
    return false;
  }
  return !query_.options.pair_filter || query_.options.pair_filter(pair);
}

void NarrowPhase::keep_wanted(FeaturePairKind kind, CandidateSink::Block& block) const {
  if (!filters_) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < block.size; ++i) {
    if (!is_wanted(kind, block.first[i], block.second[i])) continue;
    block.first[kept] = block.first[i];
    block.second[kept] = block.second[i];
    ++kept;
  }
  block.size = kept;
}

// Structure of arrays: one row of the buffer for each of the 24 coordinates.
void NarrowPhase::gather(CandidateSink& sink, FeaturePairKind kind, std::size_t count,
                         LinearMotionBatch& batch) const {
  sink.coordinates_.resize(24 * candidate_block);
  double* const to = sink.coordinates_.data();
  batch.size = count;
  for (std::size_t c = 0; c < 24; ++c) batch.coordinates[c] = to + c * candidate_block;
  const CandidateSink::Block& block = sink.blocks_[static_cast<std::size_t>(kind)];
  const MovingVertex* const vertices = step_.vertices.data();
  const auto put = [&](std::size_t i, std::size_t point, std::int32_t vertex) {
    const MovingVertex& m = vertices[vertex];
    double* const p = to + 3 * point * candidate_block + i;
    p[0] = m.t0[0];
    p[candidate_block] = m.t0[1];
    p[2 * candidate_block] = m.t0[2];
    p[12 * candidate_block] = m.t1[0];
    p[13 * candidate_block] = m.t1[1];
    p[14 * candidate_block] = m.t1[2];
  };
  if (kind == FeaturePairKind::VertexFace) {
    for (std::size_t i = 0; i < count; ++i) {
      const Face f = topology_.faces[block.second[i]];
      put(i, 0, block.first[i]);
      for (std::size_t p = 0; p < 3; ++p) put(i, p + 1, f[p]);
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const Edge a = topology_.edges[block.first[i]];
      const Edge b = topology_.edges[block.second[i]];
      put(i, 0, a[0]);
      put(i, 1, a[1]);
      put(i, 2, b[0]);
      put(i, 3, b[1]);
    }
  }
}

void NarrowPhase::test(CandidateSink& sink, FeaturePairKind kind) {
  const auto start = Clock::now();
  CandidateSink::Block& block = sink.blocks_[static_cast<std::size_t>(kind)];
  keep_wanted(kind, block);
  const std::size_t n = block.size;
  block.size = 0;
  if (n == 0 || done()) return;
  sink.tested_[static_cast<std::size_t>(kind)] += static_cast<std::int64_t>(n);

  const LinearImpactOptions& options = impact_options_;
  if (kind == FeaturePairKind::VertexFace || kind == FeaturePairKind::EdgeEdge) {
    LinearMotionBatch batch;
    gather(sink, kind, n, batch);
    const LinearImpactBatchResult result = kind == FeaturePairKind::VertexFace
                                               ? vertex_face_impacts(batch, options, 1)
                                               : edge_edge_impacts(batch, options, 1);
    for (const ImpactStage stage : result.stages) ++sink.decided_by_[static_cast<std::size_t>(stage)];
    for (std::size_t k = 0; k < result.indices.size(); ++k) {
      const std::size_t i = result.indices[k];
      accept(sink, {kind, block.first[i], block.second[i]}, result.impacts[k]);
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      const FeaturePair pair{kind, block.first[i], block.second[i]};
      const Impact impact = pair_impact(topology_, step_, pair, options);
      ++sink.decided_by_[static_cast<std::size_t>(impact.stage)];
      accept(sink, pair, impact);
    }
  }
  sink.test_seconds_ += seconds_since(start);
}

// First mode must give the same answer in any order of the candidates: brackets are those of the whole step,
// and a pair is dropped only when its bracket begins after the upper end of some other pair's.
void NarrowPhase::accept(CandidateSink& sink, const FeaturePair& pair, const Impact& impact) {
  if (impact.status == Status::Separated) return;
  if (impact.status == Status::OverlapAtStart && query_.options.at_start == ContactAtStart::Ignore) return;
  ++sink.found_[static_cast<std::size_t>(pair.kind)];
  if (mode_ == NarrowMode::First) {
    if (impact.lower > time_limit()) return;
    lower_time_limit(impact.upper);
    keep(sink, {pair, impact});
    return;
  }
  if (!collector_) {
    keep(sink, {pair, impact});
    return;
  }
  const std::lock_guard lock(collector_mutex_);
  if (collector_->done()) {
    done_.store(true, std::memory_order_relaxed);
  } else {
    collector_->add({pair, impact});
  }
}

void NarrowPhase::keep(CandidateSink& sink, const DeformableContact& contact) {
  constexpr std::size_t chunk = 4096;
  if (sink.contacts_.empty() || sink.contacts_.back().size() == chunk) {
    sink.contacts_.emplace_back();
    sink.contacts_.back().reserve(chunk);
  }
  sink.contacts_.back().push_back(contact);
}

void NarrowPhase::lower_time_limit(double time) {
  double limit = time_limit_.load(std::memory_order_relaxed);
  while (time < limit && !time_limit_.compare_exchange_weak(limit, time, std::memory_order_relaxed)) {
  }
}

void NarrowPhase::finish() {
  for (CandidateSink& sink : sinks_) {
    for (int kind = 0; kind < feature_pair_kind_count; ++kind) test(sink, static_cast<FeaturePairKind>(kind));
  }
}

// A contact is large: keys and references are sorted, then each contact moves once.
std::vector<DeformableContact> NarrowPhase::take_contacts() {
  std::vector<Reference> references;
  for (const CandidateSink& sink : sinks_) {
    for (const auto& chunk : sink.contacts_) {
      for (const DeformableContact& c : chunk) references.push_back({sort_key(c.pair), &c});
    }
  }
  radix_sort(references);
  std::vector<DeformableContact> all;
  all.reserve(references.size());
  for (const Reference& r : references) all.push_back(*r.contact);
  return all;
}

void NarrowPhase::add_stats(const Pipeline& pipeline, double seconds, DeformableStats& stats) {
  const auto pipeline_names = pipeline.stage_names();
  const auto narrow_names = narrow_stage_names();
  if (stats.stages.empty()) {
    for (const std::string_view name : pipeline_names) stats.stages.push_back({name, 0});
    for (const std::string_view name : narrow_names) stats.stages.push_back({name, 0});
  }
  double test_seconds = 0;
  for (const CandidateSink& sink : sinks_) {
    for (std::size_t i = 0; i < pipeline_names.size(); ++i) stats.stages[i].count += sink.counts_[i];
    for (std::size_t k = 0; k < feature_pair_kind_count; ++k) {
      stats.stages[pipeline_names.size() + k].count += sink.tested_[k];
      stats.stages[pipeline_names.size() + feature_pair_kind_count + k].count += sink.found_[k];
    }
    for (std::size_t i = 0; i < impact_stage_count; ++i) stats.decided_by[i] += sink.decided_by_[i];
    test_seconds += sink.test_seconds_;
  }
  // Threads work on both in turn; the wall-clock time is divided in the proportion of their own clocks.
  const double share = std::min(
      1.0, test_seconds / std::max(1.0, static_cast<double>(sinks_.size())) / std::max(seconds, 1e-12));
  stats.test_milliseconds += 1e3 * seconds * share;
  stats.cull_milliseconds += 1e3 * seconds * (1.0 - share);
  stats.total_milliseconds += 1e3 * seconds;
}

}  // namespace toccata::deformable
