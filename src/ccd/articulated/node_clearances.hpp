#pragma once
// Nodes of a roadmap: states that many edges of a batch share. How far all pairs are apart there is found out
// once; what is far enough at both ends of an edge need not be looked at on the way.
#include <cstddef>
#include <span>
#include <vector>

#include "base/stop_watch.hpp"
#include "ccd/articulated/prepared_robot.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"

namespace toccata::articulated {

// By pair, as PathSearch::put_clearances numbers them; null where nothing is known.
struct EndClearances {
  const float* start = nullptr;
  const float* end = nullptr;
};

class NodeClearances {
 public:
  // The same values whatever the number of threads. Ends that few edges share are no nodes, and what is
  // beyond a quarter of a gigabyte is left out.
  NodeClearances(const PreparedRobot& robot, std::span<const JointEdge> edges, int threads,
                 const StopWatch* stop);

  EndClearances of(std::size_t edge) const {
    if (ends_.empty()) return {};
    return {at(ends_[2 * edge]), at(ends_[2 * edge + 1])};
  }

 private:
  const float* at(std::int32_t node) const {
    return node < 0 ? nullptr : clearances_.data() + static_cast<std::size_t>(node) * pairs_;
  }

  std::size_t pairs_ = 0;
  std::vector<std::int32_t> ends_;  // nodes of edges, two each; -1: none
  std::vector<float> clearances_;   // by node, then by pair
};

}  // namespace toccata::articulated
