#pragma once
// Which pairs of features a question asks for: its part of the step, the scope and the user's filters.
#include <cstdint>
#include <vector>

#include "ccd/deformable/step_share.hpp"
#include "ccd/deformable/topology.hpp"
#include "toccata/ccd/deformable/deformable_options.hpp"

namespace toccata::deformable {

// Points of a pair in the order of LinearMotion4; the count is 4, 4, 3, 2 by kind.
std::array<std::int32_t, 4> pair_vertices(const Topology& topology, const FeaturePair& pair);

bool share_vertex(const Topology& topology, const FeaturePair& pair);

class PairSelection {
 public:
  PairSelection(const Topology& topology, const Step& step, const DeformableOptions& options);

  bool is_everything() const { return everything_; }
  bool wants(const FeaturePair& pair) const;
  const StepShare& share() const { return share_; }

 private:
  const Topology& topology_;
  const DeformableOptions& options_;
  StepShare share_;
  std::vector<std::uint8_t> object_pair_wanted_;  // object_count^2, empty without an object filter
  bool everything_ = true;
};

}  // namespace toccata::deformable
