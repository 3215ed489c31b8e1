#include "ccd/deformable/connectivity/region_culling.hpp"

#include <utility>

namespace toccata::deformable::connectivity {

// The element of the region that a contour edge belongs to.
std::int32_t RegionCulling::rank_beside(const ContourEdge& edge, const RegionNode& node) const {
  for (const std::int32_t element : mesh_.around_vertex(edge[0])) {
    const Face& c = mesh_.corners(element);
    if (c[0] != edge[1] && c[1] != edge[1] && c[2] != edge[1]) continue;
    const std::int32_t rank = forest_.rank(element);
    if (rank >= node.begin && rank < node.end) return rank;
  }
  return -1;
}

void RegionCulling::prepare(const RegionTask& task) {
  if (task.direction == begun_direction_ && task.origin == begun_origin_) return;
  begun_direction_ = task.direction;
  begun_origin_ = task.origin;
  tester_->begin(task.direction, task.origin, bounds_.t_end);
}

bool RegionCulling::clear(RegionTask& task) {
  const RegionNode& node = forest_.node(task.node);
  if (!node.has_contour()) return false;
  const auto contour = forest_.contour(node);
  if (!task.has_direction) {
    ++counts_.cone_tests;
    const NormalCone& cone = bounds_.cones[task.node];
    if (!cone.is_valid()) return false;
    ++counts_.cones_passed;
    // The cone of a region holds those of all regions inside it: they inherit the direction, and with it the
    // projected vertices.
    task.has_direction = true;
    task.direction = cone.axis.cast<double>();
    const double* x = step_.vertices[contour[0] < 0 ? ~contour[0] : contour[0]].t0;
    task.origin = Vector3(x[0], x[1], x[2]);
  }
  // The two elements whose contour edges met in the region around this one are both in here: they meet again.
  const auto inside = [&](std::int32_t rank) { return rank >= node.begin && rank < node.end; };
  if (inside(task.failed_ranks[0]) && inside(task.failed_ranks[1])) {
    ++counts_.inherited_failures;
    return false;
  }
  prepare(task);
  const bool simple = tester_->test(
      contour, [&](std::int32_t v) { return std::pair(step_.vertices[v].t0, step_.vertices[v].t1); });
  if (simple) return true;
  if (tester_->has_failed_pair()) {
    task.failed_ranks[0] = rank_beside(tester_->failed_pair()[0], node);
    task.failed_ranks[1] = rank_beside(tester_->failed_pair()[1], node);
  }
  return false;
}

void RegionCulling::run(const RegionTask& first, std::int32_t stop, std::vector<RegionTask>& rest,
                        std::vector<NodePair>& pairs) {
  if (tester_) tester_->counts = {};
  std::vector<RegionTask> stack = {first};
  while (!stack.empty()) {
    RegionTask task = stack.back();
    stack.pop_back();
    const RegionNode& node = forest_.node(task.node);
    if (node.is_leaf()) continue;
    if (node.size() <= stop) {
      rest.push_back(task);
      continue;
    }
    if (enabled_ && clear(task)) {
      ++counts_.cleared_regions;
      counts_.cleared_elements += node.size();
      for (std::int32_t rank = node.begin; rank < node.end; ++rank) cleared_[rank] = task.node;
      continue;
    }
    // Not cleared: contacts within either half are for the tasks below, those between the halves for a pair.
    const std::int32_t left = task.node + 1, right = node.right;
    pairs.push_back({left, right});
    task.node = right;
    stack.push_back(task);
    task.node = left;
    stack.push_back(task);
  }
  if (tester_) {
    contour_counts_.tests += tester_->counts.tests;
    contour_counts_.passed += tester_->counts.passed;
    contour_counts_.projected += tester_->counts.projected;
    contour_counts_.reused += tester_->counts.reused;
    contour_counts_.planar_tests += tester_->counts.planar_tests;
  }
}

}  // namespace toccata::deformable::connectivity
