#include "ccd/deformable/narrow_phase.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "impact/counted_impact.hpp"
#include "impact/free_until.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable {
namespace {

using Clock = std::chrono::steady_clock;

// Single tests, of microseconds and sometimes milliseconds, between two looks whether they are still wanted.
constexpr std::size_t tests_per_look = 16;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Asked whether only, single tests say when all the same: a bracket costs less than asking once more whether
// the features touch at the start. Contacts of the lanes need no such care: there the coplanarity cubic is
// proven not to be zero at the start.
LinearImpactOptions make_impact_options(const DeformableOptions& options) {
  LinearImpactOptions result;
  result.minimum_distance = options.minimum_distance;
  result.relative_distance_tolerance = options.relative_distance_tolerance;
  return result;
}

// A scene whose features meet in the ordinary way needs a fraction of this, one that is flat a few steps for
// each feature. A first contact that is not found still ends with a time that is proven free; a list that is
// cut short is of little use, and may take ten times as long.
std::int64_t budget_of(const Topology& topology, const DeformableOptions& options, NarrowMode mode) {
  if (options.budget > 0) return options.budget;
  const auto features = static_cast<std::int64_t>(topology.edges.size() + topology.faces.size());
  const std::int64_t first_budget = 100000 + 32 * (features + topology.vertex_count);
  return mode == NarrowMode::All ? 10 * first_budget : first_budget;
}

// All that a question "whether" answers with.
Impact without_details(const Impact& impact) {
  Impact bare;
  bare.status = impact.status;
  bare.stage = impact.stage;
  bare.time = bare.lower = impact.status == Status::OutOfBudget ? impact.lower : 0.0;
  bare.upper = impact.status == Status::OverlapAtStart ? 0.0 : 1.0;
  return bare;
}

std::array<std::string_view, 2 * feature_pair_kind_count> narrow_stage_names() {
  return {"vertex_face_tested",   "edge_edge_tested",   "vertex_edge_tested",   "vertex_vertex_tested",
          "vertex_face_contacts", "edge_edge_contacts", "vertex_edge_contacts", "vertex_vertex_contacts"};
}

}  // namespace

bool NarrowPhase::touches_before(const Topology& topology, const Step& step, const FeaturePair& pair,
                                 double t_max) {
  LinearImpactOptions options;
  options.boolean_only = true;
  options.t_max = t_max;
  std::int64_t uncounted = 0;
  const LinearMotion4 motion = motion_of(topology, step, pair);
  return impact::counted_impact(pair.kind, motion, options, uncounted).status != Status::Separated;
}

void CandidateSink::flush(FeaturePairKind kind, CubicKind cubic) {
  narrow_->test(*this, kind, cubic);
}

NarrowPhase::NarrowPhase(const Topology& topology, const Step& step, const PipelineQuery& query,
                         NarrowMode mode, ContactCollector* collector)
    : topology_(topology),
      step_(step),
      query_(query),
      mode_(mode),
      boolean_only_(query.options.boolean_only && mode == NarrowMode::All),
      collector_(collector),
      impact_options_(make_impact_options(query.options)),
      selection_(topology, step, query.options),
      budget_(budget_of(topology, query.options, mode)),
      time_limit_(query.t_max),
      sinks_([this] { return CandidateSink(*this); }) {}

void CandidateSink::add(FeaturePairKind kind, std::int32_t first, std::int32_t second) {
  if (share_vertex(narrow_->topology_, {kind, first, second})) return;
  const bool symmetric = kind == FeaturePairKind::EdgeEdge || kind == FeaturePairKind::VertexVertex;
  if (symmetric && first > second) std::swap(first, second);
  add_disjoint(kind, &first, &second, 1);
}

void CandidateSink::add_disjoint(FeaturePairKind kind, const std::int32_t* first, const std::int32_t* second,
                                 std::size_t count, CubicKind cubic) {
  Block& block = this->block(kind, cubic);
  while (count > 0) {
    const std::size_t n = std::min(count, candidate_block - block.size);
    std::copy_n(first, n, block.first.begin() + static_cast<std::ptrdiff_t>(block.size));
    std::copy_n(second, n, block.second.begin() + static_cast<std::ptrdiff_t>(block.size));
    block.size += n;
    first += n;
    second += n;
    count -= n;
    if (block.size == candidate_block) flush(kind, cubic);
  }
}

void NarrowPhase::keep_wanted(const CandidateSink& sink, FeaturePairKind kind,
                              CandidateSink::Block& block) const {
  std::optional<FeaturePair> largest = known_at_start_;
  if (sink.least_at_start_) largest = sink.least_at_start_->pair;
  if (!largest && selection_.is_everything()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < block.size; ++i) {
    const FeaturePair pair{kind, block.first[i], block.second[i]};
    if ((largest && *largest < pair) || !selection_.wants(pair)) continue;
    block.first[kept] = block.first[i];
    block.second[kept] = block.second[i];
    ++kept;
  }
  block.size = kept;
}

void NarrowPhase::test(CandidateSink& sink, FeaturePairKind kind, CubicKind cubic) {
  const auto start = Clock::now();
  CandidateSink::Block& block = sink.block(kind, cubic);
  keep_wanted(sink, kind, block);
  const std::size_t n = block.size;
  block.size = 0;
  if (n == 0 || done()) return;
  sink.tested_[static_cast<std::size_t>(kind)] += static_cast<std::int64_t>(n);
  const bool solid = kind == FeaturePairKind::VertexFace || kind == FeaturePairKind::EdgeEdge;
  if (solid && impact_options_.minimum_distance == 0.0) {
    test_in_lanes(sink, kind, cubic, n);
  } else if (solid && mode_ != NarrowMode::Free) {
    test_distances(sink, kind, cubic, n);
  } else {
    for (std::size_t i = 0; i < n && (i % tests_per_look != 0 || !done()); ++i) {
      test_singly(sink, {kind, block.first[i], block.second[i]});
    }
  }
  sink.test_seconds_ += seconds_since(start);
}

void NarrowPhase::test_in_lanes(CandidateSink& sink, FeaturePairKind kind, CubicKind cubic,
                                std::size_t count) {
  const CandidateSink::Block& block = sink.block(kind, cubic);
  impact::CandidateVerdicts& verdicts = sink.verdicts_;
  const impact::Candidates candidates{kind == FeaturePairKind::EdgeEdge,
                                      block.first.data(),
                                      block.second.data(),
                                      count,
                                      time_limit(),
                                      axes_tested_,
                                      cubic};
  impact::decide_in_lanes(features_of(topology_, step_), candidates, boolean_only_, verdicts);
  const auto decided = [&](ImpactStage stage, std::size_t n) {
    sink.decided_by_[static_cast<std::size_t>(stage)] += static_cast<std::int64_t>(n);
  };
  decided(ImpactStage::Axis, verdicts.separated_by_axis);
  decided(ImpactStage::Bernstein, verdicts.separated_by_bernstein);
  decided(ImpactStage::Bisection, verdicts.separated_by_roots);
  for (std::size_t k = 0; k < verdicts.contact_count; ++k) {
    if (mode_ == NarrowMode::Free) {
      lower_time_limit(verdicts.lower[k]);
      continue;
    }
    const std::uint32_t i = verdicts.contact[k];
    decided(verdicts.stage[k], 1);
    Hit hit{{kind, block.first[i], block.second[i]}, Status::Contact, verdicts.stage[k], 0.0, 1.0};
    if (!boolean_only_) {
      hit.lower = verdicts.lower[k];
      hit.upper = verdicts.upper[k];
    }
    accept(sink, hit);
  }
  for (std::size_t k = 0; k < verdicts.open_count && (k % tests_per_look != 0 || !done()); ++k) {
    const std::uint32_t i = verdicts.open[k];
    test_singly(sink, {kind, block.first[i], block.second[i]});
  }
}

void NarrowPhase::test_distances(CandidateSink& sink, FeaturePairKind kind, CubicKind cubic,
                                 std::size_t count) {
  const CandidateSink::Block& block = sink.block(kind, cubic);
  if (!sink.distances_) sink.distances_ = std::make_unique<impact::DistanceVerdicts>();
  impact::DistanceVerdicts& verdicts = *sink.distances_;
  impact::Candidates candidates;
  candidates.edge_edge = kind == FeaturePairKind::EdgeEdge;
  candidates.first = block.first.data();
  candidates.second = block.second.data();
  candidates.count = count;
  impact::distances_in_lanes(features_of(topology_, step_), candidates, impact_options_, verdicts);
  sink.decided_by_[static_cast<std::size_t>(ImpactStage::Distance)] +=
      static_cast<std::int64_t>(verdicts.separated + verdicts.contact_count);
  for (std::size_t k = 0; k < verdicts.contact_count; ++k) {
    const std::uint32_t i = verdicts.contact[k];
    Impact impact;
    impact.stage = ImpactStage::Distance;
    impact.status = verdicts.time[k] == 0.0 ? Status::OverlapAtStart : Status::Contact;
    impact.time = impact.lower = impact.upper = verdicts.time[k];
    keep_impact(sink, {kind, block.first[i], block.second[i]}, impact);
  }
  for (std::size_t k = 0; k < verdicts.open_count && (k % tests_per_look != 0 || !done()); ++k) {
    const std::uint32_t i = verdicts.open[k];
    test_singly(sink, {kind, block.first[i], block.second[i]});
  }
}

void NarrowPhase::spend(std::int64_t exact_steps) {
  if (exact_steps == 0) return;
  if (exact_steps_.fetch_add(exact_steps, std::memory_order_relaxed) + exact_steps <= budget_) return;
  stopped_.store(true, std::memory_order_relaxed);
  done_.store(true, std::memory_order_relaxed);
}

// Features that touch at the start are not asked about by AtStart::Skip; that takes exact arithmetic.
void NarrowPhase::prove_free(const FeaturePair& pair) {
  const double wanted = time_limit();
  if (!(wanted > 0.0)) return;
  const LinearMotion4 motion = motion_of(topology_, step_, pair);
  const double free = impact::free_until(pair.kind, motion, wanted);
  if (free == wanted) return;
  if (free == 0.0 && query_.options.at_start == AtStart::Skip) {
    LinearImpactOptions start;
    start.t_max = 0.0;
    std::int64_t steps = 0;
    const Impact impact = impact::counted_impact(pair.kind, motion, start, steps);
    spend(steps);
    if (impact.status == Status::OverlapAtStart) return;
  }
  lower_time_limit(free);
}

void NarrowPhase::test_singly(CandidateSink& sink, const FeaturePair& pair) {
  if (mode_ == NarrowMode::Free) return prove_free(pair);
  std::int64_t steps = 0;
  const Impact impact =
      impact::counted_impact(pair.kind, motion_of(topology_, step_, pair), impact_options_, steps);
  spend(steps);
  ++sink.decided_by_[static_cast<std::size_t>(impact.stage)];
  if (impact.status != Status::Separated) keep_impact(sink, pair, impact);
}

// An answer that is not that the pair stays apart.
void NarrowPhase::keep_impact(CandidateSink& sink, const FeaturePair& pair, Impact impact) {
  if (boolean_only_) impact = without_details(impact);
  if (impact.status == Status::OverlapAtStart && query_.options.at_start == AtStart::Skip) return;
  sink.any_at_start_ = sink.any_at_start_ || impact.status == Status::OverlapAtStart;
  sink.any_undecided_ = sink.any_undecided_ || impact.status == Status::OutOfBudget;
  accept(sink, {pair, impact.status, impact.stage, impact.lower, impact.upper});
}

// First mode must give the same answer in any order of the candidates: brackets are those of the whole step,
// and a pair is dropped only when its bracket starts after the upper end of some other pair's.
void NarrowPhase::accept(CandidateSink& sink, const Hit& hit) {
  ++sink.found_[static_cast<std::size_t>(hit.pair.kind)];
  if (mode_ == NarrowMode::First && settle_first(sink, to_contact(topology_, step_, hit, false))) return;
  if (collector_) {
    deliver(to_contact(topology_, step_, hit, !boolean_only_));
  } else {
    sink.hits_.add(hit);
  }
}

bool NarrowPhase::settle_first(CandidateSink& sink, const DeformableContact& contact) {
  if (contact.impact.lower > time_limit()) return true;
  lower_time_limit(contact.impact.upper);
  if (sink.least_at_start_ && sink.least_at_start_->pair < contact.pair) return true;
  if (contact.impact.upper > 0.0) return false;
  sink.least_at_start_ = contact;
  return true;
}

void NarrowPhase::deliver(const DeformableContact& contact) {
  const std::lock_guard lock(collector_mutex_);
  if (collector_->done()) {
    done_.store(true, std::memory_order_relaxed);
  } else {
    collector_->add(contact);
  }
}

void NarrowPhase::lower_time_limit(double time) {
  double limit = time_limit_.load(std::memory_order_relaxed);
  while (time < limit && !time_limit_.compare_exchange_weak(limit, time, std::memory_order_relaxed)) {
  }
}

void NarrowPhase::finish() {
  std::vector<CandidateSink*> sinks;
  for (CandidateSink& sink : sinks_) sinks.push_back(&sink);
  parallel_blocks(sinks.size(), 1, threads(), [&](std::size_t i, std::size_t) {
    for (int kind = 0; kind < feature_pair_kind_count; ++kind) {
      for (int cubic = 0; cubic < cubic_kind_count; ++cubic) {
        test(*sinks[i], static_cast<FeaturePairKind>(kind), static_cast<CubicKind>(cubic));
      }
    }
  });
}

Status NarrowPhase::status() const {
  if (stopped()) return Status::OutOfBudget;
  bool any = false, at_start = false, undecided = false;
  for (const CandidateSink& sink : sinks_) {
    for (const std::int64_t found : sink.found_) any = any || found > 0;
    at_start = at_start || sink.any_at_start_;
    undecided = undecided || sink.any_undecided_;
  }
  if (at_start) return Status::OverlapAtStart;
  if (undecided) return Status::OutOfBudget;
  return any ? Status::Contact : Status::Separated;
}

std::optional<FeaturePair> NarrowPhase::least_at_start() const {
  std::optional<FeaturePair> least;
  for (const CandidateSink& sink : sinks_) {
    if (sink.least_at_start_ && (!least || sink.least_at_start_->pair < *least))
      least = sink.least_at_start_->pair;
  }
  return least;
}

std::vector<DeformableContact> NarrowPhase::take_contacts() {
  std::vector<const HitList*> lists;
  for (CandidateSink& sink : sinks_) {
    if (sink.least_at_start_) {
      const auto& [pair, impact] = *sink.least_at_start_;
      sink.hits_.add({pair, impact.status, impact.stage, impact.lower, impact.upper});
    }
    lists.push_back(&sink.hits_);
  }
  // In First mode the caller describes the one contact that it hands out.
  const bool described = !boolean_only_ && mode_ == NarrowMode::All;
  return to_contacts(topology_, step_, lists, described, threads());
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
