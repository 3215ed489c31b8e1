#include "deformable/base_tree.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>

#include "toccata/impact/linear_impact.hpp"

namespace toccata::bench {
namespace {

constexpr int axes = 9;
constexpr double directions[axes][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1},  {1, 1, 0}, {1, 0, 1},
                                        {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1}};

struct Dop {
  std::array<double, axes> lower, upper;
  Dop() { lower.fill(1e300), upper.fill(-1e300); }
  void add(const Vector3& x) {
    for (std::size_t k = 0; k < axes; ++k) {
      const double p = directions[k][0] * x[0] + directions[k][1] * x[1] + directions[k][2] * x[2];
      const double pad = 1e-12 * (std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]));
      lower[k] = std::min(lower[k], p - pad);
      upper[k] = std::max(upper[k], p + pad);
    }
  }
  void add(const Dop& other) {
    for (std::size_t k = 0; k < axes; ++k) {
      lower[k] = std::min(lower[k], other.lower[k]);
      upper[k] = std::max(upper[k], other.upper[k]);
    }
  }
  bool overlaps(const Dop& other) const {
    for (std::size_t k = 0; k < axes; ++k) {
      if (lower[k] > other.upper[k] || upper[k] < other.lower[k]) return false;
    }
    return true;
  }
};

struct Node {
  Dop dop;
  std::int32_t left = -1, right = -1, face = -1;
};

class BaseTree {
 public:
  BaseTree(const Step& step, const DeformableScene& scene) : step_(step), scene_(scene) {
    order_.resize(scene.faces().size());
    std::iota(order_.begin(), order_.end(), 0);
    if (!order_.empty()) build(0, order_.size());
  }

  void self(std::int32_t n) {
    const Node& node = nodes_[n];
    if (node.face >= 0) return;
    self(node.left);
    self(node.right);
    pair(node.left, node.right);
  }

  std::vector<std::array<std::int32_t, 2>> face_pairs;

 private:
  std::int32_t build(std::size_t begin, std::size_t end) {
    const auto index = static_cast<std::int32_t>(nodes_.size());
    nodes_.emplace_back();
    if (end - begin == 1) {
      Dop dop;
      for (const std::int32_t v : scene_.faces()[order_[begin]]) dop.add(step_.t0[v]), dop.add(step_.t1[v]);
      nodes_[index].dop = dop;
      nodes_[index].face = order_[begin];
      return index;
    }
    const auto center = [&](std::int32_t f, int k) {
      const Face& t = scene_.faces()[f];
      return step_.t0[t[0]][k] + step_.t0[t[1]][k] + step_.t0[t[2]][k];
    };
    Vector3 lower = Vector3::Constant(1e300), upper = -lower;
    for (std::size_t i = begin; i < end; ++i) {
      for (int k = 0; k < 3; ++k) {
        lower[k] = std::min(lower[k], center(order_[i], k));
        upper[k] = std::max(upper[k], center(order_[i], k));
      }
    }
    int axis = 0;
    (upper - lower).maxCoeff(&axis);
    const std::size_t middle = (begin + end) / 2;
    std::nth_element(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                     order_.begin() + static_cast<std::ptrdiff_t>(middle),
                     order_.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](std::int32_t a, std::int32_t b) { return center(a, axis) < center(b, axis); });
    const std::int32_t left = build(begin, middle);
    const std::int32_t right = build(middle, end);
    Node& node = nodes_[index];
    node.left = left;
    node.right = right;
    node.dop.add(nodes_[left].dop);
    node.dop.add(nodes_[right].dop);
    return index;
  }

  void pair(std::int32_t a, std::int32_t b) {
    const Node& x = nodes_[a];
    const Node& y = nodes_[b];
    if (!x.dop.overlaps(y.dop)) return;
    if (x.face >= 0 && y.face >= 0) {
      face_pairs.push_back({x.face, y.face});
    } else if (x.face >= 0 || (y.face < 0 && b < a)) {
      pair(a, y.left);
      pair(a, y.right);
    } else {
      pair(x.left, b);
      pair(x.right, b);
    }
  }

  const Step& step_;
  const DeformableScene& scene_;
  std::vector<std::int32_t> order_;
  std::vector<Node> nodes_;
};

// The fifteen tests of triangle pairs, batched.
class Tester {
 public:
  Tester(const Step& step, BaseResult& result) : step_(step), result_(result) {
    for (auto& c : coordinates_) c.resize(capacity);
  }

  void add(FeaturePairKind kind, std::int32_t first, std::int32_t second, std::array<std::int32_t, 4> v) {
    const int side = kind == FeaturePairKind::EdgeEdge ? 2 : 1;
    for (int i = 0; i < side; ++i) {
      for (int j = side; j < 4; ++j) {
        if (v[i] == v[j]) return;
      }
    }
    if (kind != kind_) flush();
    kind_ = kind;
    for (std::size_t p = 0; p < 4; ++p) {
      for (std::size_t k = 0; k < 3; ++k) {
        coordinates_[3 * p + k][ids_.size()] = step_.t0[v[p]][static_cast<int>(k)];
        coordinates_[12 + 3 * p + k][ids_.size()] = step_.t1[v[p]][static_cast<int>(k)];
      }
    }
    ids_.push_back({kind, first, second});
    if (ids_.size() == capacity) flush();
  }

  void flush() {
    if (ids_.empty()) return;
    LinearMotionBatch batch;
    batch.size = ids_.size();
    for (std::size_t c = 0; c < 24; ++c) batch.coordinates[c] = coordinates_[c].data();
    const auto answers = kind_ == FeaturePairKind::EdgeEdge ? edge_edge_impacts(batch, {}, 1)
                                                            : vertex_face_impacts(batch, {}, 1);
    result_.elementary_tests += static_cast<std::int64_t>(ids_.size());
    for (const std::uint32_t i : answers.indices) result_.pairs.push_back(ids_[i]);
    ids_.clear();
  }

 private:
  static constexpr std::size_t capacity = 512;
  const Step& step_;
  BaseResult& result_;
  FeaturePairKind kind_ = FeaturePairKind::VertexFace;
  std::array<std::vector<double>, 24> coordinates_;
  std::vector<FeaturePair> ids_;
};

std::int32_t edge_id(const DeformableScene& scene, std::int32_t a, std::int32_t b) {
  const Edge e = {std::min(a, b), std::max(a, b)};
  const auto less = [](const Edge& x, const Edge& y) { return x[1] != y[1] ? x[1] < y[1] : x[0] < y[0]; };
  const auto edges = scene.edges();
  return static_cast<std::int32_t>(std::lower_bound(edges.begin(), edges.end(), e, less) - edges.begin());
}

}  // namespace

BaseResult run_base(const Step& step, const DeformableScene& scene) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point t) {
    return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
  };
  BaseResult result;
  auto start = Clock::now();
  BaseTree tree(step, scene);
  std::vector<std::array<std::int32_t, 3>> sides(scene.faces().size());
  for (std::size_t f = 0; f < sides.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k)
      sides[f][k] = edge_id(scene, scene.faces()[f][k], scene.faces()[f][(k + 1) % 3]);
  }
  result.build_milliseconds = since(start);
  start = Clock::now();
  if (!scene.faces().empty()) tree.self(0);
  result.cull_milliseconds = since(start);
  result.triangle_pairs = static_cast<std::int64_t>(tree.face_pairs.size());
  start = Clock::now();
  Tester vertex_face(step, result), edge_edge(step, result);
  for (const auto& [f, g] : tree.face_pairs) {
    const Face& a = scene.faces()[f];
    const Face& b = scene.faces()[g];
    for (const std::int32_t v : a) vertex_face.add(FeaturePairKind::VertexFace, v, g, {v, b[0], b[1], b[2]});
    for (const std::int32_t v : b) vertex_face.add(FeaturePairKind::VertexFace, v, f, {v, a[0], a[1], a[2]});
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const std::int32_t first = std::min(sides[f][i], sides[g][j]);
        const std::int32_t second = std::max(sides[f][i], sides[g][j]);
        const Edge& x = scene.edges()[first];
        const Edge& y = scene.edges()[second];
        edge_edge.add(FeaturePairKind::EdgeEdge, first, second, {x[0], x[1], y[0], y[1]});
      }
    }
  }
  vertex_face.flush();
  edge_edge.flush();
  std::sort(result.pairs.begin(), result.pairs.end());
  result.pairs.erase(std::unique(result.pairs.begin(), result.pairs.end()), result.pairs.end());
  result.test_milliseconds = since(start);
  return result;
}

}  // namespace toccata::bench
