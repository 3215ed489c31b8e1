#include "ccd/deformable/connectivity/region_forest.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::deformable::connectivity {
namespace {

constexpr std::int32_t task_size = 2048;  // elements of a subtree that one task refits

Vector3 vector(const double* from, const double* to) {
  return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
}

std::vector<std::vector<std::int32_t>> members_by_component(const ElementMesh& mesh,
                                                            const Topology& topology) {
  std::vector<std::vector<std::int32_t>> members(topology.component_count);
  for (std::int32_t t = 0; t < mesh.element_count(); ++t) {
    members[topology.vertex_component[mesh.corners(t)[0]]].push_back(t);
  }
  return members;
}

}  // namespace

std::vector<Vector3> positions_t0(const Step& step) {
  std::vector<Vector3> positions;
  positions.reserve(step.vertices.size());
  for (const MovingVertex& v : step.vertices) positions.emplace_back(v.t0[0], v.t0[1], v.t0[2]);
  return positions;
}

void add_control_vectors(const MovingVertex& a, const MovingVertex& b, const MovingVertex& c, bool flipped,
                         double t_end, ControlVectors& control) {
  const Vector3 p0 = vector(a.t0, b.t0), q0 = vector(a.t0, c.t0);
  const Vector3 p1 = vector(a.t1, b.t1), q1 = vector(a.t1, c.t1);
  // Each component of a cross product of rounded differences is off by at most 4.1 u |p||q|, u = 2^-53;
  // the length of the error by 7.2 u |p||q|, and the middle one's by less than 9 u of the mean product. The
  // sums of magnitudes bound the lengths without a root.
  constexpr double unit = 9.0 * unit_roundoff;
  const double np0 = p0.lpNorm<1>(), nq0 = q0.lpNorm<1>(), np1 = p1.lpNorm<1>(), nq1 = q1.lpNorm<1>();
  const double sign = flipped ? -1.0 : 1.0;
  const BoundedVector n0{sign * p0.cross(q0), unit * np0 * nq0};
  // (n0 + n1 - delta) / 2 of the paper, without its cancellation.
  const BoundedVector n1{sign * 0.5 * (p0.cross(q1) + p1.cross(q0)), unit * (np0 * nq1 + np1 * nq0)};
  const BoundedVector n2{sign * p1.cross(q1), unit * np1 * nq1};
  control.push(n0);
  if (t_end == 1.0) {
    control.push(n1);
    control.push(n2);
    return;
  }
  // The same quadratic on [0, t_end] (de Casteljau). The three averages are off by what they average, and by
  // less than 4 roundings of numbers below the sum of the lengths each.
  const double rounding = 16.0 * unit_roundoff * (np0 * nq0 + np0 * nq1 + np1 * nq0 + np1 * nq1);
  const auto between = [&](const BoundedVector& x, const BoundedVector& y) {
    return BoundedVector{x.value + t_end * (y.value - x.value), x.error + y.error + rounding};
  };
  const BoundedVector first = between(n0, n1);
  control.push(first);
  control.push(between(first, between(n1, n2)));
}

void RegionForest::append(const RegionTree& tree) {
  const auto node_offset = static_cast<std::int32_t>(nodes_.size());
  const auto rank_offset = static_cast<std::int32_t>(order_.size());
  const auto contour_offset = static_cast<std::int32_t>(contours_.size());
  roots_.push_back(node_offset);
  wear_.push_back(0);
  for (RegionNode node : tree.nodes) {
    if (node.right >= 0) node.right += node_offset;
    node.begin += rank_offset;
    node.end += rank_offset;
    node.contour_begin += contour_offset;
    node.contour_end += contour_offset;
    nodes_.push_back(node);
  }
  order_.insert(order_.end(), tree.order.begin(), tree.order.end());
  flipped_.insert(flipped_.end(), tree.flipped.begin(), tree.flipped.end());
  contours_.insert(contours_.end(), tree.contours.begin(), tree.contours.end());
}

void RegionForest::build(const ElementMesh& mesh, const Topology& topology, const Step& step, int threads) {
  *this = RegionForest();
  const auto members = members_by_component(mesh, topology);
  const std::vector<Vector3> positions = positions_t0(step);
  std::vector<RegionTree> trees(members.size());
  parallel_blocks(members.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      trees[i] = build_region_tree(positions, mesh.elements(), members[i]);
    }
  });
  for (const RegionTree& tree : trees) append(tree);
  merged_elements_ = mesh.element_count();
  finish(mesh);
}

void RegionForest::finish(const ElementMesh& mesh) {
  // Elements lie in the order of the leaves; back from an element to its place.
  ranks_.resize(mesh.element_count());
  for (std::size_t rank = 0; rank < order_.size(); ++rank) {
    ranks_[order_[rank]] = static_cast<std::int32_t>(rank);
  }
  task_roots_.clear();
  top_nodes_.clear();
  for (auto* list : {&order_, &contours_}) list->shrink_to_fit();
  nodes_.shrink_to_fit();
  flipped_.shrink_to_fit();
  // Refitting runs in parallel over subtrees of task_size; the few nodes above them follow on one thread.
  for (const std::int32_t root : roots_) {
    std::vector<std::int32_t> stack = {root};
    while (!stack.empty()) {
      const std::int32_t i = stack.back();
      stack.pop_back();
      if (nodes_[i].size() <= task_size) {
        task_roots_.push_back(i);
      } else {
        top_nodes_.push_back(i);
        stack.push_back(nodes_[i].right);
        stack.push_back(i + 1);
      }
    }
  }
}

NormalCone RegionForest::group_cone(std::int32_t i, const ElementMesh& mesh, const Step& step,
                                    double t_end) const {
  ControlVectors control;
  for (std::int32_t rank = nodes_[i].begin; rank < nodes_[i].end; ++rank) {
    const std::int32_t element = order_[rank];
    if (!mesh.is_face(element)) return {};
    const Face& c = mesh.corners(element);
    add_control_vectors(step.vertices[c[0]], step.vertices[c[1]], step.vertices[c[2]], flipped_[rank] != 0,
                        t_end, control);
  }
  return cone_of(control.vectors());
}

void RegionForest::fit_node(std::int32_t i, const ElementMesh& mesh, const Step& step,
                            std::span<const SweptDop> vertex_dops, RegionBounds& bounds) const {
  const RegionNode& node = nodes_[i];
  if (node.is_leaf()) {
    const Face& c = mesh.corners(order_[node.begin]);
    enclose(bounds.dops[i], vertex_dops[c[0]], vertex_dops[c[1]], vertex_dops[c[2]]);
    return;
  }
  const std::int32_t left = i + 1, right = node.right;
  enclose(bounds.dops[i], bounds.dops[left], bounds.dops[right]);
  if (node.size() <= cone_group_size) return;
  // Groups get their cones here, where the first node above them is reached.
  for (const std::int32_t child : {left, right}) {
    if (nodes_[child].size() <= cone_group_size)
      bounds.cones[child] = group_cone(child, mesh, step, bounds.t_end);
  }
  bounds.cones[i] = merge(bounds.cones[left], bounds.cones[right]);
}

void RegionForest::refit(const ElementMesh& mesh, const Step& step, int threads) {
  fit(mesh, step, threads, bounds_);
}

RegionBounds RegionForest::fit(const ElementMesh& mesh, const Step& step, double t_end, int threads) const {
  RegionBounds bounds;
  bounds.t_end = t_end;
  fit(mesh, step, threads, bounds);
  return bounds;
}

void RegionForest::fit(const ElementMesh& mesh, const Step& step, int threads, RegionBounds& bounds) const {
  bounds.dops.resize(nodes_.size());
  bounds.cones.resize(nodes_.size());
  const Vector3 centre = 0.5 * step.lower + 0.5 * step.upper;
  std::vector<SweptDop> vertex_dops(step.vertices.size());
  parallel_blocks(vertex_dops.size(), 4096, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) vertex_dops[v] = dop_of(step.vertices[v], centre, bounds.t_end);
  });
  const auto fit_subtrees = [&](std::size_t begin, std::size_t end) {
    for (std::size_t task = begin; task < end; ++task) {
      const std::int32_t root = task_roots_[task];
      // A tree of n leaves has 2n - 1 nodes, children after their parent: backwards is bottom-up.
      for (std::int32_t i = root + 2 * nodes_[root].size() - 2; i >= root; --i) {
        fit_node(i, mesh, step, vertex_dops, bounds);
      }
    }
  };
  parallel_blocks(task_roots_.size(), 4, threads, fit_subtrees);
  for (std::size_t n = top_nodes_.size(); n-- > 0;) fit_node(top_nodes_[n], mesh, step, vertex_dops, bounds);
  for (const std::int32_t root : roots_) {
    if (nodes_[root].size() <= cone_group_size)
      bounds.cones[root] = group_cone(root, mesh, step, bounds.t_end);
  }
}

std::size_t RegionForest::memory_bytes() const {
  return nodes_.capacity() * sizeof(RegionNode) + bounds_.dops.capacity() * sizeof(SweptDop) +
         bounds_.cones.capacity() * sizeof(NormalCone) + flipped_.capacity() +
         (order_.capacity() + ranks_.capacity() + contours_.capacity() + roots_.capacity() +
          task_roots_.capacity() + top_nodes_.capacity() + wear_.capacity()) *
             sizeof(std::int32_t);
}

}  // namespace toccata::deformable::connectivity
