#include "hierarchy/ray_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "base/large_pages.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::hierarchy {
namespace {

// The tree takes as long to make as this share of a ray a triangle spares.
constexpr std::size_t triangles_per_ray = 32;
// Squares of lengths, and of what they are rounded by, are floats.
constexpr double least_radius = 0x1p-40, largest_radius = 0x1p40;

struct FloatBox {
  std::array<float, 3> lower, upper;

  FloatBox() {
    lower.fill(std::numeric_limits<float>::infinity());
    upper.fill(-std::numeric_limits<float>::infinity());
  }
  void add(const Vector3& point) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = point[static_cast<Eigen::Index>(k)];
      lower[k] = std::min(lower[k], float_below(x));
      upper[k] = std::max(upper[k], float_above(x));
    }
  }
  void add(const FloatBox& other) {
    for (std::size_t k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], other.lower[k]);
      upper[k] = std::max(upper[k], other.upper[k]);
    }
  }
};

class Builder {
 public:
  explicit Builder(const ShapeData& mesh) : mesh_(mesh), sizes_(mesh.tree.nodes.size(), 0) { count(0); }

  RayTree run() {
    // Leaves of triangles that are cut apart in a box hold five or more.
    tree_.nodes.reserve(static_cast<std::size_t>(sizes_[0]) / 16 + 1);
    tree_.leaves.reserve(static_cast<std::size_t>(sizes_[0]) / 4 + 1);
    prefer_large_pages(tree_.nodes.data(), tree_.nodes.capacity() * sizeof(RayNode));
    prefer_large_pages(tree_.leaves.data(), tree_.leaves.capacity() * sizeof(RayLeaf));
    const BoxNode& whole = mesh_.tree.nodes[0];
    if (sizes_[0] <= box_width) {
      std::array<std::int32_t, box_width> triangles;
      FloatBox unused;
      tree_.root = put_leaf(std::span(triangles.data(), list(0, triangles.data())), unused);
    } else {
      FloatBox unused;
      tree_.root = put_node(static_cast<std::size_t>(whole.child[0]), 1, unused);
    }
    return std::move(tree_);
  }

 private:
  void count(std::size_t index) {
    const BoxNode& node = mesh_.tree.nodes[index];
    for (std::int32_t slot = 0; slot < node.count; ++slot) {
      if (node.child[slot] >= 0) count(static_cast<std::size_t>(node.child[slot]));
      sizes_[index] += size_of(node.child[slot]);
    }
  }

  std::int32_t size_of(std::int32_t child) const {
    return child < 0 ? 1 : sizes_[static_cast<std::size_t>(child)];
  }

  // The triangles below a node, of which there are at most eight.
  std::size_t list(std::size_t index, std::int32_t* to) const {
    const BoxNode& node = mesh_.tree.nodes[index];
    std::size_t count = 0;
    for (std::int32_t slot = 0; slot < node.count; ++slot) {
      const std::int32_t child = node.child[slot];
      if (child < 0) {
        to[count++] = ~child;
      } else {
        count += list(static_cast<std::size_t>(child), to + count);
      }
    }
    return count;
  }

  std::int32_t put_node(std::size_t index, int depth, FloatBox& box) {
    tree_.depth = std::max(tree_.depth, depth);
    const auto place = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    const BoxNode& from = mesh_.tree.nodes[index];
    std::array<std::int32_t, box_width> triangles;
    std::array<std::int32_t, box_width> child;
    std::array<FloatBox, box_width> boxes;
    std::size_t single = 0, count = 0;
    for (std::int32_t slot = 0; slot < from.count; ++slot) {
      const std::int32_t link = from.child[slot];
      if (link < 0) {
        triangles[single++] = ~link;
      } else if (size_of(link) <= box_width) {
        std::array<std::int32_t, box_width> few;
        const std::size_t size = list(static_cast<std::size_t>(link), few.data());
        child[count] = put_leaf({few.data(), size}, boxes[count]);
        ++count;
      } else {
        child[count] = put_node(static_cast<std::size_t>(link), depth + 1, boxes[count]);
        ++count;
      }
    }
    if (single > 0) {
      child[count] = put_leaf({triangles.data(), single}, boxes[count]);
      ++count;
    }
    RayNode& node = tree_.nodes[static_cast<std::size_t>(place)];
    for (std::size_t slot = 0; slot < box_width; ++slot) {
      const FloatBox filled = slot < count ? boxes[slot] : FloatBox();
      node.child[slot] = slot < count ? child[slot] : 0;
      for (std::size_t k = 0; k < 3; ++k) {
        node.bound[k][slot] = filled.lower[k];
        node.bound[3 + k][slot] = filled.upper[k];
      }
      box.add(filled);
    }
    return place;
  }

  std::int32_t put_leaf(std::span<const std::int32_t> triangles, FloatBox& box) {
    std::array<std::array<Vector3, 3>, box_width> corners;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      corners[i] = corners_of(mesh_, triangles[i]);
      for (const Vector3& corner : corners[i]) box.add(corner);
    }
    const auto place = static_cast<std::int32_t>(tree_.leaves.size());
    RayLeaf& leaf = tree_.leaves.emplace_back();
    leaf.count = static_cast<std::int32_t>(triangles.size());
    Vector3 origin;
    for (std::size_t k = 0; k < 3; ++k) {
      leaf.origin[k] = 0.5F * box.lower[k] + 0.5F * box.upper[k];
      origin[static_cast<Eigen::Index>(k)] = static_cast<double>(leaf.origin[k]);
    }
    double reach = 0.0;
    for (std::size_t slot = 0; slot < box_width; ++slot) {
      const std::size_t from = slot < triangles.size() ? slot : 0;
      leaf.triangle[slot] = triangles[from];
      for (std::size_t i = 0; i < 3; ++i) {
        const Vector3 corner = corners[from][i] - origin;
        reach = std::max(reach, corner.norm());
        for (std::size_t k = 0; k < 3; ++k)
          leaf.corner[i][k][slot] = static_cast<float>(corner[static_cast<Eigen::Index>(k)]);
      }
    }
    leaf.reach = rounded_up(reach);
    return ~place;
  }

  const ShapeData& mesh_;
  std::vector<std::int32_t> sizes_;  // of each node of the tree of boxes: its triangles
  RayTree tree_;
};

}  // namespace

RayTree build_ray_tree(const ShapeData& mesh) {
  return Builder(mesh).run();
}

const RayTree* ray_tree_of(const ShapeData& mesh) {
  const std::size_t enough = mesh.mesh.faces.size() / triangles_per_ray;
  if (static_cast<std::size_t>(mesh.ray_casts.load(std::memory_order_relaxed)) < enough) {
    mesh.ray_casts.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  return ray_tree_at_once(mesh);
}

const RayTree* ray_tree_at_once(const ShapeData& mesh) {
  if (!(mesh.radius >= least_radius && mesh.radius <= largest_radius)) return nullptr;
  return &mesh.rays.get<RayTree>([&] { return build_ray_tree(mesh); });
}

}  // namespace toccata::hierarchy
