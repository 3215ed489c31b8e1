#include "ccd/deformable/connectivity/element_pairs.hpp"

#include <algorithm>
#include <cmath>

namespace toccata::deformable::connectivity {
namespace {

// Pairs of regions between two looks whether more are wanted.
constexpr std::int64_t tests_per_look = 64;

}  // namespace

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
    if (++node_tests_ % tests_per_look == 0 && narrow_.done()) return stack_.clear();
    if (!come_near(bounds_.dops[a], bounds_.dops[b], distance_)) continue;
    const RegionNode &x = forest_.node(a), &y = forest_.node(b);
    if (x.is_leaf() && y.is_leaf()) {
      elements(forest_.element(x.begin), forest_.element(y.begin));
    } else {
      open_larger(
          {a, b}, [&](std::int32_t i) { return forest_.node(i).size(); },
          [&](std::int32_t i) { return forest_.node(i).right; }, stack_);
    }
  }
}

void ElementPairs::elements(std::int32_t t1, std::int32_t t2) {
  const bool sharing = mesh_.share_vertex(t1, t2);
  const bool adjacent = sharing && mesh_.adjacent(t1, t2);
  ++(adjacent ? adjacent_pairs_ : pairs_);
  // What adjacent elements have to test is known from the topology alone: their orphans (test_orphans).
  if (adjacent && orphans_) return;
  if (!adjacent) {
    // The time limit of a first contact falls while the work goes on.
    const double t_end = narrow_.time_limit();
    const Face &x = mesh_.corners(t1), &y = mesh_.corners(t2);
    if (relative_motion_ && (sharing ? stay_apart_but_for_hub(x, y, t_end) : stay_apart(x, y, t_end))) return;
    ++moving_pairs_;
  }
  const Overlap how{sharing, adjacent};
  if (mesh_.is_face(t2)) vertices_with_face(t1, t2, how);
  if (mesh_.is_face(t1)) vertices_with_face(t2, t1, how);
  edges_with_edges(t1, t2, how);
  if (!mesh_.is_face(t1) && !mesh_.is_face(t2) && !sharing) codimensional(t1, t2);
}

// With one common vertex, the hub, one of two features without a common vertex lies on the side opposite the
// hub of its element. With two, as in the pages of a book, neither need do so.
bool ElementPairs::stay_apart_but_for_hub(const Face& x, const Face& y, double t_end) const {
  const auto contains = [](const Face& f, std::int32_t v) { return f[0] == v || f[1] == v || f[2] == v; };
  std::int32_t hub = -1;
  for (const std::int32_t v : x) {
    if (!contains(y, v) || v == hub) continue;
    if (hub >= 0) return false;
    hub = v;
  }
  const auto opposite = [&](const Face& f) {
    Face rest = f;
    for (int k = 0; k < 3; ++k) {
      if (f[k] == hub) rest[k] = f[(k + 1) % 3] == hub ? f[(k + 2) % 3] : f[(k + 1) % 3];
    }
    return rest;
  };
  return stay_apart(opposite(x), y, t_end) && stay_apart(x, opposite(y), t_end);
}

// Along a fixed direction the gaps between vertices are linear in t: positive at both ends of [0, t_end],
// positive in between. With p the magnitude of the coordinates' sums at both ends of the step, a sum is off
// by u p (u = 2^-53), one at t_end by less than 7 u p; the margin is 32 u times the magnitudes.
bool ElementPairs::stay_apart(const Face& x, const Face& y, double t_end) const {
  const MovingVertex* corner[2][3];
  for (int k = 0; k < 3; ++k) {
    corner[0][k] = &step_.vertices[x[k]];
    corner[1][k] = &step_.vertices[y[k]];
  }
  for (int axis = 0; axis < 9; ++axis) {
    const int i = axis < 3 ? axis : (axis - 3) % 3;
    const int j = (i + 1) % 3;
    const double sign = axis < 3 ? 0.0 : axis < 6 ? 1.0 : -1.0;
    double low[2][2], high[2][2];  // [element][end]
    double magnitude = 0.0;
    for (int e = 0; e < 2; ++e) {
      for (int k = 0; k < 3; ++k) {
        const MovingVertex& v = *corner[e][k];
        const double start = v.t0[i] + sign * v.t0[j];
        double end = v.t1[i] + sign * v.t1[j];
        magnitude = std::max({magnitude, std::abs(start), std::abs(end)});
        if (t_end < 1.0) end = start + t_end * (end - start);
        low[e][0] = k == 0 ? start : std::min(low[e][0], start);
        high[e][0] = k == 0 ? start : std::max(high[e][0], start);
        low[e][1] = k == 0 ? end : std::min(low[e][1], end);
        high[e][1] = k == 0 ? end : std::max(high[e][1], end);
      }
    }
    const double margin = 0x1p-47 * magnitude;
    if (low[1][0] - high[0][0] > margin && low[1][1] - high[0][1] > margin) return true;
    if (low[0][0] - high[1][0] > margin && low[0][1] - high[1][1] > margin) return true;
  }
  return apart_along_normal(corner[0], corner, t_end) || apart_along_normal(corner[1], corner, t_end);
}

// The same along the normal of a face at t = 0, taken as it is computed; layers of cloth are kept apart by
// nothing else. With s the sum of the magnitudes of the products at either end, a projection is off by less
// than 6 u s, one at t_end by less than 12 u s; the margin is 64 u times s.
bool ElementPairs::apart_along_normal(const MovingVertex* const of[3], const MovingVertex* const corner[2][3],
                                      double t_end) {
  const double *a = of[0]->t0, *b = of[1]->t0, *c = of[2]->t0;
  const double p[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, q[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  double magnitude = 0.0;
  const auto along = [&](const double* x) {
    const double d[3] = {n[0] * (x[0] - a[0]), n[1] * (x[1] - a[1]), n[2] * (x[2] - a[2])};
    magnitude = std::max(magnitude, std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]));
    return d[0] + d[1] + d[2];
  };
  double low[2][2], high[2][2];  // [element][end]
  for (int e = 0; e < 2; ++e) {
    for (int k = 0; k < 3; ++k) {
      const double start = along(corner[e][k]->t0);
      double end = along(corner[e][k]->t1);
      if (t_end < 1.0) end = start + t_end * (end - start);
      low[e][0] = k == 0 ? start : std::min(low[e][0], start);
      high[e][0] = k == 0 ? start : std::max(high[e][0], start);
      low[e][1] = k == 0 ? end : std::min(low[e][1], end);
      high[e][1] = k == 0 ? end : std::max(high[e][1], end);
    }
  }
  // Products that underflow prove nothing.
  const double margin = 0x1p-46 * magnitude + 1e-290;
  return (low[1][0] - high[0][0] > margin && low[1][1] - high[0][1] > margin) ||
         (low[0][0] - high[1][0] > margin && low[0][1] - high[1][1] > margin);
}

void ElementPairs::vertices_with_face(std::int32_t t1, std::int32_t t2, Overlap how) {
  const Face &c = mesh_.corners(t1), &f = mesh_.corners(t2);
  for (int k = 0; k < 3; ++k) {
    const std::int32_t v = c[k];
    // Wires and points repeat corners; each vertex once.
    if ((k > 0 && v == c[0]) || (k > 1 && v == c[1])) continue;
    if (how.sharing && (v == f[0] || v == f[1] || v == f[2])) continue;
    ++feature_pairs_;
    // Many pairs of elements hold this pair of features; one of them stands for all.
    if (mesh_.represents_vertex_face(t1, v, t2)) {
      ++tests_;
      sink_.vertex_face(v, t2);
    } else if (!representatives_ || how.adjacent) {
      ++tests_;
      spare_.vertex_face(v, t2);
    }
  }
}

void ElementPairs::edges_with_edges(std::int32_t t1, std::int32_t t2, Overlap how) {
  const auto edges1 = mesh_.edges(topology_, t1), edges2 = mesh_.edges(topology_, t2);
  for (int i = 0; i < 3; ++i) {
    const std::int32_t a = edges1[i];
    if (a < 0 || (i > 0 && a == edges1[0]) || (i > 1 && a == edges1[1])) continue;
    for (int j = 0; j < 3; ++j) {
      const std::int32_t b = edges2[j];
      if (b < 0 || (j > 0 && b == edges2[0]) || (j > 1 && b == edges2[1])) continue;
      if (how.sharing) {
        const Edge &p = topology_.edges[a], &q = topology_.edges[b];
        if (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1]) continue;
      }
      ++feature_pairs_;
      const std::int32_t low = a < b ? a : b, high = a < b ? b : a;
      if (mesh_.represents_edge_edge(t1, a, t2, b)) {
        ++tests_;
        sink_.edge_edge(low, high);
      } else if (!representatives_ || how.adjacent) {
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

}  // namespace toccata::deformable::connectivity
