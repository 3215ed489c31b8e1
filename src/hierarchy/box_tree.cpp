#include "hierarchy/box_tree.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace toccata::hierarchy {
namespace {

// Sums of area, first and second moments: the covariance of the surface, not of the vertices.
struct Moments {
  double area = 0.0;
  Vector3 first = Vector3::Zero();
  std::array<double, 6> second = {0, 0, 0, 0, 0, 0};  // xx xy xz yy yz zz

  void add(const Moments& other) {
    area += other.area;
    first += other.first;
    for (std::size_t i = 0; i < 6; ++i) second[i] += other.second[i];
  }
};

struct Item {
  std::int32_t triangle;
  std::array<float, 3> middle;
};

Moments moments_of(const Vector3& a, const Vector3& b, const Vector3& c, double floor_area) {
  Moments m;
  // Degenerate triangles still count a little, so that the covariance of a set of them exists.
  m.area = (b - a).cross(c - a).norm() + floor_area;
  const Vector3 s = a + b + c;
  m.first = m.area / 3.0 * s;
  int k = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      m.second[static_cast<std::size_t>(k++)] =
          m.area / 12.0 * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
  }
  return m;
}

Matrix3 principal_axes(const Moments& m) {
  Matrix3 covariance;
  const Vector3 mean = m.first / m.area;
  int k = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      covariance(i, j) = covariance(j, i) =
          m.second[static_cast<std::size_t>(k++)] / m.area - mean[i] * mean[j];
    }
  }
  Eigen::SelfAdjointEigenSolver<Matrix3> solver;
  solver.computeDirect(covariance);
  Matrix3 axes = solver.eigenvectors();
  if (!axes.allFinite() || std::abs(std::abs(axes.determinant()) - 1.0) > 1e-3) return Matrix3::Identity();
  // The direct solver leaves them orthogonal to 1e-3 at worst; box tests rely on much better.
  axes.col(2).normalize();
  axes.col(1) = (axes.col(1) - axes.col(1).dot(axes.col(2)) * axes.col(2)).normalized();
  axes.col(0) = axes.col(1).cross(axes.col(2)).normalized();
  return axes;
}

float round_up(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

struct FittedBox {
  Matrix3 axes;    // columns, exactly representable in float
  Vector3 center;  // relative to the node's origin, exactly representable in float
  Vector3 half;
  double measure = std::numeric_limits<double>::infinity();  // half the surface area, over four
};

class Builder {
 public:
  Builder(const TriangleMesh& mesh, const Vector3& center) : mesh_(mesh) {
    vertices_.reserve(mesh.vertices.size());
    double reach = 0.0;
    for (const Vector3& v : mesh.vertices) {
      vertices_.push_back(v - center);
    }
    items_.reserve(mesh.faces.size());
    for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
      const Face& f = mesh.faces[i];
      Vector3 lower = corner(f, 0).cwiseMin(corner(f, 1)).cwiseMin(corner(f, 2));
      Vector3 upper = corner(f, 0).cwiseMax(corner(f, 1)).cwiseMax(corner(f, 2));
      reach = std::max({reach, lower.cwiseAbs().maxCoeff(), upper.cwiseAbs().maxCoeff()});
      const Vector3 middle = 0.5 * (lower + upper);
      items_.push_back(
          {static_cast<std::int32_t>(i),
           {static_cast<float>(middle.x()), static_cast<float>(middle.y()), static_cast<float>(middle.z())}});
    }
    // The subtraction of the centre rounds once a coordinate, the fit a dozen times more.
    padding_ = 32.0 * 0x1p-53 * (reach + center.cwiseAbs().maxCoeff());
    floor_area_ = std::max(1e-12 * reach * reach, std::numeric_limits<double>::min());
  }

  BoxTree build() {
    BoxTree tree;
    if (items_.empty()) return tree;
    tree.nodes.reserve(items_.size() / 5 + 1);
    tree.nodes.emplace_back();
    fill(tree, 0, 0, items_.size(), true);
    tree.nodes.shrink_to_fit();
    return tree;
  }

 private:
  struct Range {
    std::size_t begin;
    std::size_t end;
    double extent;  // the longest side of the middles' box; < 0: cannot be split
    int axis;
    float cut;
  };

  const Vector3& corner(const Face& face, int k) const {
    return vertices_[static_cast<std::size_t>(face[static_cast<std::size_t>(k)])];
  }

  Range measured(std::size_t begin, std::size_t end) const {
    std::array<float, 3> lower = items_[begin].middle;
    std::array<float, 3> upper = lower;
    for (std::size_t i = begin + 1; i < end; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        lower[k] = std::min(lower[k], items_[i].middle[k]);
        upper[k] = std::max(upper[k], items_[i].middle[k]);
      }
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (upper[k] - lower[k] > upper[axis] - lower[axis]) axis = k;
    }
    Range range{begin, end, static_cast<double>(upper[axis] - lower[axis]), static_cast<int>(axis),
                0.5F * (lower[axis] + upper[axis])};
    if (end - begin < 2) range.extent = -1.0;
    return range;
  }

  // At the middle of the longest side, or by halves where that leaves one side empty.
  std::size_t split(const Range& range) {
    const auto axis = static_cast<std::size_t>(range.axis);
    const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const auto end = items_.begin() + static_cast<std::ptrdiff_t>(range.end);
    auto middle = std::partition(begin, end, [&](const Item& item) { return item.middle[axis] < range.cut; });
    if (middle == begin || middle == end) middle = begin + (end - begin) / 2;
    return static_cast<std::size_t>(middle - items_.begin());
  }

  // Splits the widest part until there are eight: few nodes, all nearly full.
  std::vector<Range> parts_of(std::size_t begin, std::size_t end) {
    std::vector<Range> parts = {measured(begin, end)};
    while (parts.size() < box_width) {
      std::size_t widest = 0;
      for (std::size_t i = 1; i < parts.size(); ++i) {
        if (parts[i].extent > parts[widest].extent) widest = i;
      }
      if (parts[widest].extent < 0.0) break;
      const Range whole = parts[widest];
      const std::size_t middle = split(whole);
      parts[widest] = measured(whole.begin, middle);
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(widest) + 1, measured(middle, whole.end));
    }
    return parts;
  }

  void fill(BoxTree& tree, std::size_t index, std::size_t begin, std::size_t end, bool whole = false) {
    const std::vector<Range> parts = whole ? std::vector<Range>{measured(begin, end)} : parts_of(begin, end);
    Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity());
    Vector3 upper = -lower;
    for (std::size_t i = begin; i < end; ++i) {
      for (int k = 0; k < 3; ++k) {
        const Vector3& p = corner(mesh_.faces[static_cast<std::size_t>(items_[i].triangle)], k);
        lower = lower.cwiseMin(p);
        upper = upper.cwiseMax(p);
      }
    }
    const Vector3 origin = (0.5 * (lower + upper)).cast<float>().cast<double>();
    BoxNode node{};
    for (int k = 0; k < 3; ++k) node.origin[k] = static_cast<float>(origin[k]);
    node.count = static_cast<std::int32_t>(parts.size());
    double reach = 0.0;
    for (std::size_t slot = 0; slot < box_width; ++slot) {
      const bool used = slot < parts.size();
      // Unused lanes repeat the first child, so that they compute ordinary numbers.
      const FittedBox box =
          used ? fit(parts[slot], origin) : FittedBox{Matrix3::Identity(), Vector3::Zero(), Vector3::Zero()};
      for (int i = 0; i < 3; ++i) {
        node.center[i][slot] = static_cast<float>(box.center[i]);
        node.half[i][slot] = static_cast<float>(box.half[i]);
        for (int k = 0; k < 3; ++k) node.axis[i][k][slot] = static_cast<float>(box.axes(k, i));
      }
      reach = std::max(reach, box.center.norm() + box.half.sum());
      node.child[slot] = -1;
    }
    node.reach = round_up(reach * (1.0 + 1e-6));
    for (std::size_t slot = 0; slot < parts.size(); ++slot) {
      if (parts[slot].end - parts[slot].begin == 1) {
        node.child[slot] = ~items_[parts[slot].begin].triangle;
      } else {
        node.child[slot] = static_cast<std::int32_t>(tree.nodes.size());
        tree.nodes.emplace_back();
        // A placeholder so that siblings lie side by side.
      }
    }
    tree.nodes[index] = node;
    for (std::size_t slot = 0; slot < parts.size(); ++slot) {
      if (node.child[slot] >= 0)
        fill(tree, static_cast<std::size_t>(node.child[slot]), parts[slot].begin, parts[slot].end);
    }
  }

  FittedBox fit(const Range& range, const Vector3& origin) const {
    if (range.end - range.begin == 1) return fit_triangle(items_[range.begin].triangle, origin);
    Moments sum;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Face& f = mesh_.faces[static_cast<std::size_t>(items_[i].triangle)];
      sum.add(moments_of(corner(f, 0) - origin, corner(f, 1) - origin, corner(f, 2) - origin, floor_area_));
    }
    const FittedBox oriented = fit_in(principal_axes(sum), range, origin);
    const FittedBox aligned = fit_in(Matrix3::Identity(), range, origin);
    return oriented.measure < aligned.measure ? oriented : aligned;
  }

  // A flat box: the longest edge, the direction across it in the plane, the normal.
  FittedBox fit_triangle(std::int32_t triangle, const Vector3& origin) const {
    const Face& f = mesh_.faces[static_cast<std::size_t>(triangle)];
    std::array<Vector3, 3> edges = {corner(f, 1) - corner(f, 0), corner(f, 2) - corner(f, 1),
                                    corner(f, 0) - corner(f, 2)};
    std::sort(edges.begin(), edges.end(),
              [](const Vector3& a, const Vector3& b) { return a.squaredNorm() > b.squaredNorm(); });
    Matrix3 axes = Matrix3::Identity();
    const double length = edges[0].norm();
    if (length > 0.0 && std::isfinite(1.0 / length)) {
      axes.col(0) = edges[0] / length;
      Vector3 normal = axes.col(0).cross(edges[1]);
      if (normal.norm() < 1e-6 * length) normal = axes.col(0).unitOrthogonal();
      axes.col(2) = normal.normalized();
      axes.col(1) = axes.col(2).cross(axes.col(0)).normalized();
    }
    const std::size_t at = static_cast<std::size_t>(triangle);
    return fit_points(axes, origin, [&](auto&& take) {
      for (int k = 0; k < 3; ++k) take(corner(mesh_.faces[at], k));
    });
  }

  FittedBox fit_in(const Matrix3& axes, const Range& range, const Vector3& origin) const {
    return fit_points(axes, origin, [&](auto&& take) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const Face& f = mesh_.faces[static_cast<std::size_t>(items_[i].triangle)];
        for (int k = 0; k < 3; ++k) take(corner(f, k));
      }
    });
  }

  template <typename ForEach>
  FittedBox fit_points(const Matrix3& axes, const Vector3& origin, ForEach&& for_each) const {
    FittedBox box;
    box.axes = axes.cast<float>().cast<double>();
    const Matrix3 inverse = box.axes.inverse();
    Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity());
    Vector3 upper = -lower;
    for_each([&](const Vector3& p) {
      const Vector3 x = inverse * (p - origin);
      lower = lower.cwiseMin(x);
      upper = upper.cwiseMax(x);
    });
    box.center = (box.axes * (0.5 * (lower + upper))).cast<float>().cast<double>();
    const Vector3 middle = inverse * box.center;
    for (int i = 0; i < 3; ++i) {
      box.half[i] = round_up(std::max(upper[i] - middle[i], middle[i] - lower[i]) + padding_);
    }
    box.measure = box.half[0] * box.half[1] + box.half[1] * box.half[2] + box.half[2] * box.half[0];
    return box;
  }

  const TriangleMesh& mesh_;
  std::vector<Vector3> vertices_;
  std::vector<Item> items_;
  double padding_ = 0.0;
  double floor_area_ = 0.0;
};

}  // namespace

BoxTree build_box_tree(const TriangleMesh& mesh, const Vector3& center, int /*threads*/) {
  return Builder(mesh, center).build();
}

}  // namespace toccata::hierarchy
