#include "hierarchy/volume_tree.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace toccata::hierarchy {
namespace {

// Only steers how children are paired.
struct Extent {
  Eigen::Array3f lower = Eigen::Array3f::Constant(std::numeric_limits<float>::infinity());
  Eigen::Array3f upper = Eigen::Array3f::Constant(-std::numeric_limits<float>::infinity());
  std::int32_t triangles = 0;

  void add(const Extent& other) {
    lower = lower.min(other.lower);
    upper = upper.max(other.upper);
    triangles += other.triangles;
  }
  float half_area() const {
    const Eigen::Array3f side = upper - lower;
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
  }
  float cost() const { return half_area() * static_cast<float>(triangles); }
};

// Two directions made orthonormal, and a third.
Matrix3 orthonormal(const Vector3& first, const Vector3& second) {
  Matrix3 axes;
  axes.col(0) = first.normalized();
  Vector3 v = second.normalized();
  // Twice is enough: the second pass removes what the rounding of the first left.
  for (int pass = 0; pass < 2; ++pass) v = (v - v.dot(axes.col(0)) * axes.col(0)).normalized();
  axes.col(1) = v;
  axes.col(2) = axes.col(0).cross(v).normalized();
  return axes.allFinite() ? axes : Matrix3(Matrix3::Identity());
}

struct SlotBox {
  SlotBox(const BoxNode& node, std::int32_t slot) {
    for (int i = 0; i < 3; ++i) {
      center[i] = static_cast<double>(node.center[i][slot]);
      half[i] = static_cast<double>(node.half[i][slot]);
      for (int k = 0; k < 3; ++k) axes(k, i) = static_cast<double>(node.axis[i][k][slot]);
    }
  }
  Vector3 center, half;
  Matrix3 axes;
};

Matrix3 axes_of(const SlotBox& box) {
  std::array<int, 3> by_length = {0, 1, 2};
  std::sort(by_length.begin(), by_length.end(), [&](int i, int j) { return box.half[i] > box.half[j]; });
  return orthonormal(box.axes.col(by_length[0]), box.axes.col(by_length[1]));
}

// Of some neighbours: of boxes filled evenly, each as heavy as its surface.
Matrix3 axes_of(const BoxNode& node, std::int32_t begin, std::int32_t end) {
  double weight = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (std::int32_t slot = begin; slot < end; ++slot) {
    const SlotBox box(node, slot);
    const double area = box.half[0] * box.half[1] + box.half[1] * box.half[2] + box.half[2] * box.half[0];
    const Matrix3 reach = box.axes * box.half.asDiagonal();
    weight += area;
    first += area * box.center;
    second += area * (box.center * box.center.transpose() + (1.0 / 3.0) * reach * reach.transpose());
  }
  if (!(weight > 0.0)) return axes_of(SlotBox(node, begin));
  first /= weight;
  Eigen::SelfAdjointEigenSolver<Matrix3> solver;
  solver.computeDirect(second / weight - first * first.transpose());
  return orthonormal(solver.eigenvectors().col(2), solver.eigenvectors().col(1));
}

class Builder {
 public:
  explicit Builder(const ShapeData& mesh) : mesh_(mesh), extents_(mesh.tree.nodes.size()) {}

  BinaryTree run() {
    if (mesh_.tree.nodes.empty()) return {};
    measure(0);
    const auto count = static_cast<std::size_t>(extents_[0].triangles);
    tree_.topology.nodes.reserve(2 * count - 1);
    tree_.topology.order.reserve(count);
    tree_.axes.reserve(2 * count - 1);
    put(0, 0, 1);
    return std::move(tree_);
  }

 private:
  Extent extent_of(std::int32_t child) const {
    if (child >= 0) return extents_[static_cast<std::size_t>(child)];
    Extent extent;
    extent.triangles = 1;
    for (const Vector3& corner : corners_of(mesh_, ~child)) {
      extent.lower = extent.lower.min(corner.array().cast<float>());
      extent.upper = extent.upper.max(corner.array().cast<float>());
    }
    return extent;
  }

  void measure(std::size_t index) {
    const BoxNode& node = mesh_.tree.nodes[index];
    for (std::int32_t slot = 0; slot < node.count; ++slot) {
      if (node.child[slot] >= 0) measure(static_cast<std::size_t>(node.child[slot]));
      extents_[index].add(extent_of(node.child[slot]));
    }
  }

  // The subtree over some children of a node.
  void put(std::size_t index, std::int32_t begin, std::int32_t end) {
    const BoxNode& node = mesh_.tree.nodes[index];
    if (end - begin == 1 && node.child[begin] >= 0) {
      const auto child = static_cast<std::size_t>(node.child[begin]);
      put_inner(child, 0, mesh_.tree.nodes[child].count, axes_of(SlotBox(node, begin)));
    } else if (end - begin == 1) {
      add_node(1, 0.0F, axes_of(SlotBox(node, begin)));
      tree_.topology.order.push_back(~node.child[begin]);
    } else {
      put_inner(index, begin, end, axes_of(node, begin, end));
    }
  }

  void put_inner(std::size_t index, std::int32_t begin, std::int32_t end, const Matrix3& axes) {
    if (end - begin == 1) return put(index, begin, end);  // a node of one child
    const BoxNode& node = mesh_.tree.nodes[index];
    std::array<Extent, box_width> children, ending;
    for (std::int32_t slot = begin; slot < end; ++slot)
      children[static_cast<std::size_t>(slot)] = extent_of(node.child[slot]);
    Extent sum;
    for (std::int32_t slot = end; slot-- > begin;) {
      sum.add(children[static_cast<std::size_t>(slot)]);
      ending[static_cast<std::size_t>(slot)] = sum;
    }
    const std::size_t place = add_node(sum.triangles, sum.half_area(), axes);
    // Neighbours stand next to each other.
    Extent starting;
    std::int32_t middle = begin + 1;
    float least = std::numeric_limits<float>::infinity();
    for (std::int32_t slot = begin + 1; slot < end; ++slot) {
      starting.add(children[static_cast<std::size_t>(slot - 1)]);
      const float cost = starting.cost() + ending[static_cast<std::size_t>(slot)].cost();
      if (!(cost < least)) continue;
      least = cost;
      middle = slot;
    }
    put(index, begin, middle);
    tree_.topology.nodes[place].right = static_cast<std::int32_t>(tree_.topology.nodes.size());
    put(index, middle, end);
  }

  std::size_t add_node(std::int32_t triangles, float half_area, const Matrix3& axes) {
    const auto first = static_cast<std::int32_t>(tree_.topology.order.size());
    tree_.topology.nodes.push_back({first, triangles, -1, half_area});
    tree_.axes.push_back(axes);
    return tree_.topology.nodes.size() - 1;
  }

  const ShapeData& mesh_;
  std::vector<Extent> extents_;  // of each node
  BinaryTree tree_;
};

// What a thread has seen last, of whatever mesh: numbers of visits are given once.
struct Seen {
  std::vector<std::uint64_t> visit;  // by vertex
  std::uint64_t visits = 0;
  std::vector<Vector3> points;
};

}  // namespace

BinaryTree binary_tree_of(const ShapeData& mesh) {
  return Builder(mesh).run();
}

std::span<const Vector3> points_of(const MeshView& mesh, std::span<const std::int32_t> triangles) {
  thread_local Seen seen;
  if (seen.visit.size() < mesh.vertices.size()) seen.visit.resize(mesh.vertices.size(), 0);
  ++seen.visits;
  seen.points.clear();
  for (const std::int32_t triangle : triangles) {
    for (const std::int32_t vertex : mesh.faces[static_cast<std::size_t>(triangle)]) {
      std::uint64_t& last = seen.visit[static_cast<std::size_t>(vertex)];
      if (last == seen.visits) continue;
      last = seen.visits;
      seen.points.push_back(mesh.vertices[static_cast<std::size_t>(vertex)]);
    }
  }
  return seen.points;
}

}  // namespace toccata::hierarchy
