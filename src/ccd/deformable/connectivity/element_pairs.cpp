#include "ccd/deformable/connectivity/element_pairs.hpp"

#include <algorithm>
#include <cmath>

namespace toccata::deformable {

ElementPairs::~ElementPairs() {
  sink_.count(NodeTests, node_tests_);
  sink_.count(ElementPairCount, pairs_);
  sink_.count(AdjacentElementPairs, adjacent_pairs_);
  sink_.count(RelativeMotionPairs, moving_pairs_);
  sink_.count(FeaturePairs, feature_pairs_);
  sink_.count(ElementaryTests, tests_);
}

void ElementPairs::run(const NodePair& pair) {
  stack_.push_back(pair);
  while (!stack_.empty()) {
    const auto [a, b] = stack_.back();
    stack_.pop_back();
    ++node_tests_;
    const bool near = distance_ > 0.0 ? within(forest_.dop(a), forest_.dop(b), distance_)
                                      : overlap(forest_.dop(a), forest_.dop(b));
    if (!near) continue;
    const RegionNode &x = forest_.node(a), &y = forest_.node(b);
    if (x.is_leaf() && y.is_leaf()) {
      elements(forest_.element(x.begin), forest_.element(y.begin));
    } else if (x.size() >= y.size()) {
      stack_.push_back({a + 1, b});
      stack_.push_back({x.right, b});
    } else {
      stack_.push_back({a, b + 1});
      stack_.push_back({a, y.right});
    }
  }
}

void ElementPairs::elements(std::int32_t t1, std::int32_t t2) {
  const bool adjacent = mesh_.adjacent(t1, t2);
  ++(adjacent ? adjacent_pairs_ : pairs_);
  if (adjacent && orphans_) return;
  if (!adjacent) {
    if (relative_motion_ && stay_apart(t1, t2)) return;
    ++moving_pairs_;
  }
  if (mesh_.is_face(t2)) vertices_with_face(t1, t2, adjacent);
  if (mesh_.is_face(t1)) vertices_with_face(t2, t1, adjacent);
  edges_with_edges(t1, t2, adjacent);
  if (!mesh_.is_face(t1) && !mesh_.is_face(t2) && !adjacent) codimensional(t1, t2);
}

// Along a fixed direction the gaps between vertices are linear in t: positive at both ends, positive always.
// Each sum of two coordinates is off by one rounding, covered by the margin.
bool ElementPairs::stay_apart(std::int32_t t1, std::int32_t t2) const {
  std::array<std::array<const double*, 3>, 2> corner[2];  // [element][end][corner]
  const std::int32_t elements[2] = {t1, t2};
  for (int e = 0; e < 2; ++e) {
    for (int k = 0; k < 3; ++k) {
      const MovingVertex& v = step_.vertices[mesh_.corners(elements[e])[k]];
      corner[e][0][k] = v.t0;
      corner[e][1][k] = v.t1;
    }
  }
  for (int axis = 0; axis < 9; ++axis) {
    const int i = axis < 3 ? axis : (axis - 3) % 3;
    const int j = (i + 1) % 3;
    const double sign = axis < 3 ? 0.0 : axis < 6 ? 1.0 : -1.0;
    bool below = true, above = true;
    for (int end = 0; end < 2 && (below || above); ++end) {
      double low[2], high[2];
      for (int e = 0; e < 2; ++e) {
        const auto& c = corner[e][end];
        const double p = c[0][i] + sign * c[0][j], q = c[1][i] + sign * c[1][j], r = c[2][i] + sign * c[2][j];
        low[e] = std::min({p, q, r});
        high[e] = std::max({p, q, r});
      }
      const auto clearly_less = [](double x, double y) {
        return y - x > 0x1p-50 * (std::abs(x) + std::abs(y));
      };
      below = below && clearly_less(high[0], low[1]);
      above = above && clearly_less(high[1], low[0]);
    }
    if (below || above) return true;
  }
  return false;
}

void ElementPairs::vertices_with_face(std::int32_t t1, std::int32_t t2, bool adjacent) {
  const Face &c = mesh_.corners(t1), &f = mesh_.corners(t2);
  for (int k = 0; k < 3; ++k) {
    const std::int32_t v = c[k];
    if ((k > 0 && v == c[0]) || (k > 1 && v == c[1])) continue;
    if (adjacent && (v == f[0] || v == f[1] || v == f[2])) continue;
    ++feature_pairs_;
    if (mesh_.represents_vertex_face(t1, v, t2)) {
      ++tests_;
      sink_.vertex_face(v, t2);
    } else if (!representatives_ || adjacent) {
      ++tests_;
      spare_.vertex_face(v, t2);
    }
  }
}

void ElementPairs::edges_with_edges(std::int32_t t1, std::int32_t t2, bool adjacent) {
  const auto edges1 = mesh_.edges(topology_, t1), edges2 = mesh_.edges(topology_, t2);
  for (int i = 0; i < 3; ++i) {
    const std::int32_t a = edges1[i];
    if (a < 0 || (i > 0 && a == edges1[0]) || (i > 1 && a == edges1[1])) continue;
    for (int j = 0; j < 3; ++j) {
      const std::int32_t b = edges2[j];
      if (b < 0 || (j > 0 && b == edges2[0]) || (j > 1 && b == edges2[1])) continue;
      if (adjacent) {
        const Edge &p = topology_.edges[a], &q = topology_.edges[b];
        if (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1]) continue;
      }
      ++feature_pairs_;
      const std::int32_t low = a < b ? a : b, high = a < b ? b : a;
      if (mesh_.represents_edge_edge(t1, a, t2, b)) {
        ++tests_;
        sink_.edge_edge(low, high);
      } else if (!representatives_ || adjacent) {
        ++tests_;
        spare_.edge_edge(low, high);
      }
    }
  }
}

// Free points with wires and with each other: each pair of elements stands for itself.
void ElementPairs::codimensional(std::int32_t t1, std::int32_t t2) {
  if (mesh_.is_point(t2)) std::swap(t1, t2);
  if (!mesh_.is_point(t1)) return;
  ++tests_;
  ++feature_pairs_;
  const std::int32_t v = mesh_.corners(t1)[0];
  if (mesh_.is_point(t2)) {
    const std::int32_t w = mesh_.corners(t2)[0];
    sink_.vertex_vertex(std::min(v, w), std::max(v, w));
  } else {
    sink_.vertex_edge(v, mesh_.wire_edge(t2));
  }
}

}  // namespace toccata::deformable
