// Trees of other volumes, made from the tree of boxes: every volume holds what is below it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bound/rectangle_fit.hpp"
#include "hierarchy/volume_tree.hpp"
#include "scenes/parts.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/obb.hpp"

namespace toccata {
namespace {

// Beyond the volume, in long double.
long double outside(const Obb& box, const Vector3& x) {
  long double worst = 0.0L;
  for (int k = 0; k < 3; ++k) {
    long double height = 0.0L;
    for (int i = 0; i < 3; ++i)
      height += static_cast<long double>(box.axes(i, k)) *
                (static_cast<long double>(x[i]) - static_cast<long double>(box.center[i]));
    worst = std::max(worst, std::abs(height) - static_cast<long double>(box.half[k]));
  }
  return worst;
}

long double outside(const RectangleSweptSphere& v, const Vector3& x) {
  long double squared = 0.0L;
  for (int k = 0; k < 3; ++k) {
    long double height = 0.0L;
    for (int i = 0; i < 3; ++i)
      height += static_cast<long double>(v.axes(i, k)) *
                (static_cast<long double>(x[i]) - static_cast<long double>(v.center[i]));
    const long double half = k < 2 ? static_cast<long double>(v.half[k]) : 0.0L;
    const long double out = std::max(0.0L, std::abs(height) - half);
    squared += out * out;
  }
  return std::sqrt(squared) - static_cast<long double>(v.radius);
}

template <typename Volume, typename FitAlong>
void check(const TriangleMesh& mesh, FitAlong&& fit_along) {
  const Shape shape(mesh);
  const hierarchy::BinaryTree binary = hierarchy::binary_tree_of(shape.data());
  const hierarchy::VolumeTree<Volume> tree(shape.data(), binary, fit_along);
  ASSERT_EQ(tree.nodes().size(), 2 * mesh.faces.size() - 1);
  std::vector<std::int32_t> order = tree.order();
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], static_cast<std::int32_t>(i));
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const auto& node = tree.nodes()[i];
    EXPECT_LE((binary.axes[i].transpose() * binary.axes[i] - Matrix3::Identity()).cwiseAbs().maxCoeff(),
              1e-15);
    ASSERT_EQ(node.is_leaf(), node.count == 1);
    if (!node.is_leaf()) {
      const auto &left = tree.nodes()[i + 1], &right = tree.nodes()[static_cast<std::size_t>(node.right)];
      ASSERT_EQ(left.first, node.first);
      ASSERT_EQ(right.first, left.first + left.count);
      ASSERT_EQ(right.first + right.count, node.first + node.count);
    }
    for (std::int32_t k = node.first; k < node.first + node.count; ++k) {
      for (const std::int32_t v :
           mesh.faces[static_cast<std::size_t>(tree.order()[static_cast<std::size_t>(k)])])
        ASSERT_LE(outside(node.volume, mesh.vertices[static_cast<std::size_t>(v)]), 0.0L);
    }
  }
}

TriangleMesh degenerate() {
  Random random(17);
  TriangleMesh mesh;
  for (int i = 0; i < 100; ++i) {
    const Vector3 p = i % 4 == 0 ? Vector3(Vector3::Zero()) : random.in_box(1.0), q = random.in_box(1.0);
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    mesh.vertices.push_back(p);
    mesh.vertices.push_back(i % 3 == 0 ? p : q);
    mesh.vertices.push_back(i % 3 == 0 ? p : Vector3(0.5 * (p + q)));
    mesh.faces.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TEST(VolumeTree, holds_all_triangles) {
  TriangleMesh far = scenes::gear(8, 3, 2);
  for (Vector3& v : far.vertices) v += Vector3(1e4, -2e4, 3e4);
  TriangleMesh one;
  one.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  one.faces = {{0, 1, 2}};
  for (const TriangleMesh& mesh : {scenes::blob(12, 16), far, one, degenerate()}) {
    check<Obb>(mesh, fit_obb);
    check<RectangleSweptSphere>(mesh, bound::fit_rectangle);
  }
}

}  // namespace
}  // namespace toccata
