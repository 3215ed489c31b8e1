#include "toccata/proximity/self_intersection.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "base/stop_watch.hpp"
#include "motion/contour_test.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/bound/k_dop.hpp"
#include "toccata/elementary/triangle_intersection.hpp"

namespace toccata {
namespace {

// Pairs of regions, of a tenth of a microsecond to some, between two looks at the watch.
constexpr int looks_at_watch = 16;

constexpr int direction_count = 26;  // both ways along the 13 slabs of a 26-DOP

Vector3 direction_of(int i) {
  const Vector3 d = k_dop_direction<26>(i / 2);
  return i % 2 ? Vector3(-d) : d;
}

bool holds(const Face& f, std::int32_t v) {
  return f[0] == v || f[1] == v || f[2] == v;
}

// Joins the contours of two regions: their common edges, which they run in opposite directions, vanish.
// Empty if they have none in common or if the union's boundary is not made of simple loops.
class UnionContour {
 public:
  std::span<const std::int32_t> of(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
    edges_.clear();
    loops_.clear();
    collect(a);
    collect(b);
    const std::size_t before = edges_.size();
    cancel_opposite();
    if (edges_.size() == before || edges_.empty()) return {};
    // Two edges from one vertex: the boundary touches itself there, and is no simple loop.
    std::sort(edges_.begin(), edges_.end());
    for (std::size_t i = 0; i + 1 < edges_.size(); ++i) {
      if (edges_[i][0] == edges_[i + 1][0]) return {};
    }
    trace();
    return loops_;
  }

 private:
  void collect(std::span<const std::int32_t> contour) {
    std::size_t first = 0;
    for (std::size_t n = 0; n < contour.size(); ++n) {
      const bool last = contour[n] < 0;
      const std::int32_t next = contour[last ? first : n + 1];
      edges_.push_back({last ? ~contour[n] : contour[n], next < 0 ? ~next : next});
      if (last) first = n + 1;
    }
  }
  // Sorted by unordered ends, an edge and its opposite stand side by side.
  void cancel_opposite() {
    const auto key = [](const ContourEdge& e) {
      return std::array{std::min(e[0], e[1]), std::max(e[0], e[1])};
    };
    std::sort(edges_.begin(), edges_.end(), [&](const ContourEdge& x, const ContourEdge& y) {
      return key(x) != key(y) ? key(x) < key(y) : x < y;
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (kept > 0 && edges_[kept - 1][0] == edges_[i][1] && edges_[kept - 1][1] == edges_[i][0]) {
        --kept;
      } else {
        edges_[kept++] = edges_[i];
      }
    }
    edges_.resize(kept);
  }
  // Each vertex starts one edge, so the next edge of a loop is found by its start. The last vertex of a loop
  // is stored as its complement.
  void trace() {
    used_.assign(edges_.size(), false);
    for (std::size_t start = 0; start < edges_.size(); ++start) {
      std::size_t i = start;
      while (!used_[i]) {
        used_[i] = true;
        loops_.push_back(edges_[i][0]);
        const ContourEdge key = {edges_[i][1], -1};
        i = static_cast<std::size_t>(std::lower_bound(edges_.begin(), edges_.end(), key) - edges_.begin());
        if (i == start) loops_.back() = ~loops_.back();
      }
    }
  }

  std::vector<ContourEdge> edges_;
  std::vector<std::int32_t> loops_;
  std::vector<bool> used_;
};

class Check {
 public:
  Check(const std::vector<Face>& faces, const RegionTree& tree, std::span<const Vector3> positions,
        const SelfIntersectionOptions& options)
      : faces_(faces),
        tree_(tree),
        positions_(positions),
        options_(options),
        stop_(options.stop),
        watch_(stop_.or_null(), looks_at_watch),
        tester_(positions.size()) {
    refit();
  }

  SelfIntersectionResult run() {
    if (!tree_.nodes.empty()) within(0);
    std::sort(result_.pairs.begin(), result_.pairs.end());
    result_.stopped = watch_.was_over();
    result_.intersects = !result_.pairs.empty() || result_.stopped;
    return std::move(result_);
  }

 private:
  const RegionNode& node(std::int32_t i) const { return tree_.nodes[i]; }
  bool done() { return (options_.first_only && !result_.pairs.empty()) || watch_.is_over(); }
  Triangle triangle(std::int32_t face) const {
    const Face& f = faces_[face];
    return {positions_[f[0]], positions_[f[1]], positions_[f[2]]};
  }

  // The directions that agree with the triangle's normal for sure: n . d off by at most 16 u |p||q|.
  std::uint32_t agreeing_directions(std::int32_t face, bool flipped) const {
    const Face& f = faces_[face];
    const Vector3 p = positions_[f[1]] - positions_[f[0]], q = positions_[f[2]] - positions_[f[0]];
    const Vector3 n = p.cross(q);
    const double limit = 32.0 * unit_roundoff * p.norm() * q.norm() + 1e-290;
    std::uint32_t mask = 0;
    for (int i = 0; i < direction_count / 2; ++i) {
      const double agreement = n.dot(k_dop_direction<26>(i));
      if (!std::isfinite(agreement)) continue;
      if (agreement > limit) mask |= 1u << (2 * i + (flipped ? 1 : 0));
      if (agreement < -limit) mask |= 1u << (2 * i + (flipped ? 0 : 1));
    }
    return mask;
  }

  // Children stand behind their parents, so one pass from the back sees them first. A region agrees with the
  // directions that all of its triangles agree with.
  void refit() {
    bounds_.resize(tree_.nodes.size());
    masks_.assign(tree_.nodes.size(), 0);
    for (auto i = static_cast<std::int32_t>(tree_.nodes.size()); i-- > 0;) {
      if (node(i).is_leaf()) {
        const std::int32_t face = tree_.order[node(i).begin];
        const std::array<Vector3, 3> corners = {positions_[faces_[face][0]], positions_[faces_[face][1]],
                                                positions_[faces_[face][2]]};
        bounds_[i] = fit<KDop18>(corners);
        if (options_.curvature_test) masks_[i] = agreeing_directions(face, tree_.flipped[node(i).begin] != 0);
      } else {
        bounds_[i] = merge(bounds_[i + 1], bounds_[node(i).right]);
        masks_[i] = masks_[i + 1] & masks_[node(i).right];
      }
    }
  }

  // Twice the region's area vector, by its contour: the best of the agreeing directions is near it.
  int best_direction(std::uint32_t mask, std::span<const std::int32_t> contour) const {
    Vector3 area = Vector3::Zero();
    std::size_t first = 0;
    const Vector3& origin = positions_[contour[0] < 0 ? ~contour[0] : contour[0]];
    for (std::size_t n = 0; n < contour.size(); ++n) {
      const bool last = contour[n] < 0;
      const std::int32_t from = last ? ~contour[n] : contour[n];
      const std::int32_t next = contour[last ? first : n + 1];
      if (last) first = n + 1;
      area += (positions_[from] - origin).cross(positions_[next < 0 ? ~next : next] - origin);
    }
    int best = -1;
    double best_agreement = 0.0;
    for (int i = 0; i < direction_count; ++i) {
      if (!(mask >> i & 1u)) continue;
      const Vector3 d = direction_of(i);
      const double agreement = d.dot(area) / d.norm();
      if (best < 0 || agreement > best_agreement) {
        best = i;
        best_agreement = agreement;
      }
    }
    return best;
  }

  // Volino's two conditions: one direction agrees with all normals, and the contour, seen along it, does not
  // cross itself. At one moment both ends of every track are the same point.
  bool is_flat(std::uint32_t mask, std::span<const std::int32_t> contour) {
    if (mask == 0 || contour.empty()) return false;
    const int direction = best_direction(mask, contour);
    tester_.begin(direction_of(direction), positions_[contour[0] < 0 ? ~contour[0] : contour[0]]);
    if (!tester_.test(
            contour, [&](std::int32_t v) { return std::pair(positions_[v].data(), positions_[v].data()); })) {
      return false;
    }
    ++result_.cleared_regions;
    return true;
  }

  void within(std::int32_t i) {
    if (node(i).is_leaf() || done()) return;
    if (is_flat(masks_[i], tree_.contour(node(i)))) return;
    within(i + 1);
    within(node(i).right);
    between(i + 1, node(i).right);
  }

  void between(std::int32_t a, std::int32_t b) {
    if (done()) return;
    ++result_.bound_tests;
    if (!overlap(bounds_[a], bounds_[b])) return;
    // Neighbouring regions nearly always overlap in volume: look at their union as one region.
    if (const std::uint32_t mask = masks_[a] & masks_[b]; mask != 0) {
      const auto contour_a = tree_.contour(node(a)), contour_b = tree_.contour(node(b));
      if (!contour_a.empty() && !contour_b.empty() && is_flat(mask, union_.of(contour_a, contour_b))) return;
    }
    if (node(a).is_leaf() && node(b).is_leaf()) {
      test_faces(tree_.order[node(a).begin], tree_.order[node(b).begin]);
    } else if (node(a).size() >= node(b).size()) {
      between(a + 1, b);
      between(node(a).right, b);
    } else {
      between(a, b + 1);
      between(a, node(b).right);
    }
  }

  void test_faces(std::int32_t x, std::int32_t y) {
    ++result_.triangle_tests;
    const Face& f = faces_[y];
    // Neighbours always meet in what they share; the question is whether they meet elsewhere.
    const bool adjacent = holds(f, faces_[x][0]) || holds(f, faces_[x][1]) || holds(f, faces_[x][2]);
    const bool meet =
        adjacent ? neighbours_meet(x, y) : triangle_triangle_intersect(triangle(x), triangle(y));
    if (meet) result_.pairs.push_back({std::min(x, y), std::max(x, y)});
  }

  // Beyond what they share: features without a common vertex.
  bool neighbours_meet(std::int32_t x, std::int32_t y) const {
    const Face &f = faces_[x], &g = faces_[y];
    return side_meets(f, y) || side_meets(g, x) || sides_meet(f, g);
  }
  bool side_meets(const Face& f, std::int32_t other) const {
    const Face& g = faces_[other];
    for (int k = 0; k < 3; ++k) {
      const std::int32_t a = f[k], b = f[(k + 1) % 3];
      if (holds(g, a)) continue;
      // Where the side's other end is shared, the corner alone.
      const Segment segment = {positions_[a], positions_[holds(g, b) ? a : b]};
      if (segment_triangle_intersect(segment, triangle(other))) return true;
    }
    return false;
  }
  bool sides_meet(const Face& f, const Face& g) const {
    for (int i = 0; i < 3; ++i) {
      const std::int32_t a = f[i], b = f[(i + 1) % 3];
      for (int j = 0; j < 3; ++j) {
        const std::int32_t c = g[j], d = g[(j + 1) % 3];
        if (a == b || c == d || a == c || a == d || b == c || b == d) continue;
        if (segment_segment_intersect({positions_[a], positions_[b]}, {positions_[c], positions_[d]}))
          return true;
      }
    }
    return false;
  }

  const std::vector<Face>& faces_;
  const RegionTree& tree_;
  std::span<const Vector3> positions_;
  const SelfIntersectionOptions& options_;
  StopWatch stop_;
  SparseLook watch_;
  ContourTester tester_;
  UnionContour union_;
  std::vector<KDop18> bounds_;
  std::vector<std::uint32_t> masks_;
  SelfIntersectionResult result_;
};

}  // namespace

SelfIntersectionChecker::SelfIntersectionChecker(const TriangleMesh& mesh) : faces_(mesh.faces) {
  std::vector<std::int32_t> all(faces_.size());
  std::iota(all.begin(), all.end(), 0);
  tree_ = build_region_tree(mesh.vertices, faces_, all, {.smallest_contour = 1});
}

SelfIntersectionResult SelfIntersectionChecker::check(std::span<const Vector3> positions,
                                                      const SelfIntersectionOptions& options) const {
  return Check(faces_, tree_, positions, options).run();
}

SelfIntersectionResult self_intersects(const TriangleMesh& mesh, const SelfIntersectionOptions& options) {
  return SelfIntersectionChecker(mesh).check(mesh.vertices, options);
}

}  // namespace toccata
