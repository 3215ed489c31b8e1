#pragma once
// Contacts while a question runs: pair, bracket and status only. They are sorted in this short form, and only
// what is handed out gets its weights, point and normal, in SIMD lanes.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ccd/deformable/pair_selection.hpp"
#include "ccd/deformable/pipeline.hpp"
#include "toccata/impact/linear_impact.hpp"
#include "toccata/report/deformable_contact.hpp"

namespace toccata::deformable {

// A contact without its description, which follows from the pair and the time. Half a cache line: sorting
// writes hits anywhere.
struct alignas(32) Hit {
  FeaturePair pair;
  Status status : 8;
  ImpactStage stage : 8;
  double lower, upper;

  Hit() = default;
  Hit(const FeaturePair& of, Status ends_as, ImpactStage decided_by, double from, double to)
      : pair(of), status(ends_as), stage(decided_by), lower(from), upper(to) {}
};
static_assert(sizeof(Hit) == 32);

// In chunks, so that growing copies nothing.
class HitList {
 public:
  void add(const Hit& hit) {
    if (chunks_.empty() || chunks_.back().size() == chunk) {
      chunks_.emplace_back();
      chunks_.back().reserve(chunk);
    }
    chunks_.back().push_back(hit);
  }
  std::span<const std::vector<Hit>> chunks() const { return chunks_; }
  std::size_t size() const {
    return chunks_.empty() ? 0 : (chunks_.size() - 1) * chunk + chunks_.back().size();
  }

 private:
  static constexpr std::size_t chunk = 4096;
  std::vector<std::vector<Hit>> chunks_;
};

LinearMotion4 motion_of(const Topology& topology, const Step& step, const FeaturePair& pair);

// With described = false weights, point and normal stay zero.
DeformableContact to_contact(const Topology& topology, const Step& step, const Hit& hit, bool described);

// The same for many, sorted by pair. threads as everywhere.
std::vector<DeformableContact> to_contacts(const Topology& topology, const Step& step,
                                           std::span<const HitList* const> lists, bool described,
                                           int threads);

}  // namespace toccata::deformable
