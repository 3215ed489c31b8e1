#pragma once
// Which pairs belong to a part of a step (StepPart). The room that the step starts in is cut into cubes, each
// of which is given to a part by a hash of its place; a vertex belongs to the part of the cube where it
// starts, and a pair to that of one of its vertices: of the vertex against a face, a wire or a point, of the
// first end of the lesser of two edges. So a part has whole regions of the scene, whose pairs a tree finds
// together, and many of them, so that parts are about the same size.
#include <cstdint>
#include <vector>

#include "ccd/deformable/pipeline.hpp"
#include "ccd/deformable/topology.hpp"
#include "toccata/ccd/deformable/deformable_options.hpp"

namespace toccata::deformable {

class StepShare {
 public:
  // precondition: 0 <= part.index < part.count
  StepShare(const Topology& topology, const Step& step, const StepPart& part);

  bool is_whole() const { return has_vertex_.empty(); }
  // precondition: !is_whole()
  bool has_vertex(std::int32_t vertex) const { return has_vertex_[static_cast<std::size_t>(vertex)] != 0; }
  // precondition: first < second of two edges, or of two points
  bool has(const FeaturePair& pair) const {
    if (is_whole()) return true;
    const bool edges = pair.kind == FeaturePairKind::EdgeEdge;
    return has_vertex(edges ? topology_->edges[static_cast<std::size_t>(pair.first)][0] : pair.first);
  }

 private:
  const Topology* topology_;
  std::vector<std::uint8_t> has_vertex_;  // empty: all of them
};

}  // namespace toccata::deformable
