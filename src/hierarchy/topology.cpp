#include "toccata/hierarchy/topology.hpp"

#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "toccata/base/parallel.hpp"

namespace toccata {
namespace {

constexpr int bin_count = 16;
constexpr std::int32_t parallel_grain = 4096;  // smaller subtrees are built by one task

// Bounds only steer the split, so single precision does.
struct FaceBox {
  std::array<float, 3> lower = {INFINITY, INFINITY, INFINITY};
  std::array<float, 3> upper = {-INFINITY, -INFINITY, -INFINITY};

  void add(const FaceBox& other) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], other.lower[k]);
      upper[k] = std::max(upper[k], other.upper[k]);
    }
  }
  void add_point(const std::array<float, 3>& p) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], p[k]);
      upper[k] = std::max(upper[k], p[k]);
    }
  }
  float half_area() const {
    const float x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
    return x < 0.0f ? 0.0f : x * y + y * z + z * x;
  }
};

struct Item {
  FaceBox box;
  std::array<float, 3> center;
  std::int32_t triangle;
};

struct Bin {
  FaceBox box;
  std::int32_t count = 0;
};

struct Split {
  int axis = -1;
  int bin = 0;  // items in bins <= bin go left
  float cost = std::numeric_limits<float>::infinity();
};

class Builder {
 public:
  Builder(const TriangleMesh& mesh, const HierarchyOptions& options) : options_(options) {
    fill_items(mesh);
    topology_.nodes.resize(items_.empty() ? 0 : 2 * items_.size() - 1);
  }

  Topology run() {
    if (!items_.empty()) {
      if (options_.threads > 1) {
        tbb::task_arena arena(usable_threads(options_.threads));
        arena.execute([&] { build(0, 0, count()); });
      } else {
        build(0, 0, count());
      }
      compact();
    }
    topology_.order.resize(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) topology_.order[i] = items_[i].triangle;
    return std::move(topology_);
  }

 private:
  std::int32_t count() const { return static_cast<std::int32_t>(items_.size()); }

  // Relative to the middle and size of the mesh, so that no scale overflows single precision.
  void fill_items(const TriangleMesh& mesh) {
    Vector3 lower = Vector3::Constant(INFINITY), upper = -lower;
    for (const Face& f : mesh.faces) {
      for (const std::int32_t v : f) {
        lower = lower.cwiseMin(mesh.vertices[v]);
        upper = upper.cwiseMax(mesh.vertices[v]);
      }
    }
    const Vector3 middle = 0.5 * lower + 0.5 * upper;
    const double extent = mesh.faces.empty() ? 1.0 : (0.5 * upper - 0.5 * lower).maxCoeff();
    const double scale = extent > 0.0 ? 1.0 / extent : 1.0;
    items_.resize(mesh.faces.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      Item& item = items_[i];
      item.triangle = static_cast<std::int32_t>(i);
      for (const std::int32_t v : mesh.faces[i]) {
        const Vector3 p = scale * (mesh.vertices[v] - middle);
        item.box.add_point({static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
      }
      for (int k = 0; k < 3; ++k) item.center[k] = 0.5f * (item.box.lower[k] + item.box.upper[k]);
    }
  }

  // Writes the subtree over items [begin, end) to nodes [node, node + 2 (end - begin) - 1).
  void build(std::int32_t node, std::int32_t begin, std::int32_t end) {
    FaceBox box, centers;
    for (std::int32_t i = begin; i < end; ++i) {
      box.add(items_[i].box);
      centers.add_point(items_[i].center);
    }
    topology_.nodes[node] = {begin, end - begin, -1, box.half_area()};
    if (end - begin <= std::max(1, options_.leaf_size)) return;
    const std::int32_t middle = partition(begin, end, centers);
    const std::int32_t left = node + 1, right = node + 2 * (middle - begin);
    topology_.nodes[node].right = right;
    if (end - begin > parallel_grain && options_.threads != 1) {
      tbb::parallel_invoke([=, this] { build(left, begin, middle); },
                           [=, this] { build(right, middle, end); });
    } else {
      build(left, begin, middle);
      build(right, middle, end);
    }
  }

  static int bin_of(float center, float lower, float scale) {
    return std::clamp(static_cast<int>((center - lower) * scale), 0, bin_count - 1);
  }

  static void consider(const std::array<Bin, bin_count>& bins, int axis, Split& best) {
    std::array<float, bin_count> right_cost{};
    Bin right;
    for (int i = bin_count - 1; i > 0; --i) {
      right.box.add(bins[i].box);
      right.count += bins[i].count;
      right_cost[i] = right.box.half_area() * static_cast<float>(right.count);
    }
    const std::int32_t total = right.count + bins[0].count;
    Bin left;
    for (int i = 0; i + 1 < bin_count; ++i) {
      left.box.add(bins[i].box);
      left.count += bins[i].count;
      const float cost = left.box.half_area() * static_cast<float>(left.count) + right_cost[i + 1];
      if (left.count > 0 && left.count < total && cost < best.cost) best = {axis, i, cost};
    }
  }

  std::int32_t partition(std::int32_t begin, std::int32_t end, const FaceBox& centers) {
    std::array<std::array<Bin, bin_count>, 3> bins;
    std::array<float, 3> scale;
    for (int k = 0; k < 3; ++k) {
      const float width = centers.upper[k] - centers.lower[k];
      scale[k] = width > 0.0f ? static_cast<float>(bin_count) / width : 0.0f;
      if (!std::isfinite(scale[k])) scale[k] = 0.0f;
    }
    for (std::int32_t i = begin; i < end; ++i) {
      for (int k = 0; k < 3; ++k) {
        Bin& bin = bins[k][bin_of(items_[i].center[k], centers.lower[k], scale[k])];
        bin.box.add(items_[i].box);
        ++bin.count;
      }
    }
    Split split;
    for (int k = 0; k < 3; ++k) {
      if (scale[k] > 0.0f) consider(bins[k], k, split);
    }
    if (split.axis < 0) return halve(begin, end);
    const int axis = split.axis;
    const auto middle = std::partition(items_.begin() + begin, items_.begin() + end, [&](const Item& item) {
      return bin_of(item.center[axis], centers.lower[axis], scale[axis]) <= split.bin;
    });
    const auto result = static_cast<std::int32_t>(middle - items_.begin());
    return result == begin || result == end ? halve(begin, end) : result;
  }

  std::int32_t halve(std::int32_t begin, std::int32_t end) {
    const std::int32_t middle = begin + (end - begin) / 2;
    std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
                     [](const Item& a, const Item& b) { return a.triangle < b.triangle; });
    return middle;
  }

  // Leaves with several triangles left gaps.
  void compact() {
    std::vector<std::int32_t> place(topology_.nodes.size(), -1);
    std::vector<std::int32_t> stack = {0};
    std::vector<Topology::Node> kept;
    while (!stack.empty()) {
      const std::int32_t old = stack.back();
      stack.pop_back();
      place[old] = static_cast<std::int32_t>(kept.size());
      kept.push_back(topology_.nodes[old]);
      if (topology_.nodes[old].right < 0) continue;
      stack.push_back(topology_.nodes[old].right);
      stack.push_back(old + 1);
    }
    for (Topology::Node& node : kept) {
      if (node.right >= 0) node.right = place[node.right];
    }
    topology_.nodes = std::move(kept);
  }

  HierarchyOptions options_;
  std::vector<Item> items_;
  Topology topology_;
};

}  // namespace

Topology build_topology(const TriangleMesh& mesh, const HierarchyOptions& options) {
  return Builder(mesh, options).run();
}

}  // namespace toccata
