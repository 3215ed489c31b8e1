#include "hierarchy/piece_tree.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "hierarchy/fitted_box.hpp"

#include "toccata/base/rounding.hpp"
#include "toccata/bound/principal_axes.hpp"

namespace toccata {

using namespace hierarchy;

namespace {

// Along the rows of the matrix, any length: how far the set reaches to either side, rounded outwards.
Bounds bounds_along(const ConvexSet& set, const Matrix3& rows) {
  const double error = support_error(set);
  Bounds bounds;
  for (int i = 0; i < 3; ++i) {
    const Vector3 row = rows.row(i);
    const double length = row.norm() * (1.0 + 8.0 * unit_roundoff);
    const double up = support(set, row).value, down = support(set, -row).value;
    const double more = (set.radius + error) * length;
    // The sum rounds once more, which the error, of sixteen units of the reach, leaves room for: doubled.
    bounds.upper[i] = up + more + error * length;
    bounds.lower[i] = -(down + more + error * length);
  }
  return bounds;
}

// A part as the tree above it sees it.
struct Item {
  const ConvexSet* set = nullptr;
  FittedBox box;            // of a tree, about the shape's centre
  Bounds bounds;            // axis-aligned
  std::int32_t child = -1;  // a node of the new tree, or ~piece
};

class Builder {
 public:
  Builder(std::span<const TreePart> parts, double reach) : padding_(64.0 * unit_roundoff * reach) {
    nodes_.emplace_back();
    for (const TreePart& part : parts) {
      if (part.set != nullptr) {
        items_.push_back({part.set, {}, bounds_along(*part.set, Matrix3::Identity()), ~part.first_piece});
      } else if (!part.tree.nodes.empty()) {
        add_tree(part);
      }
    }
  }

  BoxTree build() {
    if (items_.empty()) return {};
    std::vector<std::size_t> all(items_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    fill(0, {all});
    BoxTree tree;
    tree.nodes = std::move(nodes_);
    return tree;
  }

 private:
  using Group = std::vector<std::size_t>;  // of items

  // All nodes but the root, which holds one box only; that one goes into a node above.
  void add_tree(const TreePart& part) {
    const auto shift = static_cast<std::int32_t>(nodes_.size()) - 1;
    const auto moved = [&](std::int32_t child) {
      return child >= 0 ? child + shift : ~(~child + part.first_piece);
    };
    const BoxNode& root = part.tree.nodes[0];
    for (std::size_t i = 1; i < part.tree.nodes.size(); ++i) {
      nodes_.push_back(part.tree.nodes[i]);
      for (std::int32_t& child : nodes_.back().child) child = moved(child);
    }
    Item item;
    item.child = moved(root.child[0]);
    for (int i = 0; i < 3; ++i) {
      item.box.center[i] = static_cast<double>(root.origin[i]) + static_cast<double>(root.center[i][0]);
      item.box.half[i] = static_cast<double>(root.half[i][0]);
      for (int k = 0; k < 3; ++k) item.box.axes(k, i) = static_cast<double>(root.axis[i][k][0]);
    }
    const Vector3 reach = item.box.axes.cwiseAbs() * item.box.half;
    item.bounds.lower = item.box.center - reach - Vector3::Constant(padding_);
    item.bounds.upper = item.box.center + reach + Vector3::Constant(padding_);
    items_.push_back(item);
  }

  Bounds bounds_of(const Group& group) const {
    Bounds bounds;
    for (const std::size_t i : group) {
      bounds.take(items_[i].bounds.lower);
      bounds.take(items_[i].bounds.upper);
    }
    return bounds;
  }

  // The longest side of the box of the middles, and its axis.
  struct Spread {
    double length = 0.0;
    int axis = 0;
  };
  Spread spread_of(const Group& group) const {
    Bounds middles;
    for (const std::size_t i : group) middles.take(middle_of(i));
    Eigen::Index axis = 0;
    const double length = (middles.upper - middles.lower).maxCoeff(&axis);
    return {length, static_cast<int>(axis)};
  }
  Vector3 middle_of(std::size_t item) const {
    return 0.5 * items_[item].bounds.lower + 0.5 * items_[item].bounds.upper;
  }

  // Up to eight groups: the widest is cut at its median as long as there is room.
  std::vector<Group> groups_of(const Group& whole) const {
    std::vector<Group> groups = {whole};
    while (groups.size() < box_width) {
      std::size_t widest = groups.size();
      double length = -1.0;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const double spread = groups[g].size() > 1 ? spread_of(groups[g]).length : -1.0;
        if (spread > length) {
          length = spread;
          widest = g;
        }
      }
      if (widest == groups.size()) break;
      Group& first = groups[widest];
      const int axis = spread_of(first).axis;
      std::stable_sort(first.begin(), first.end(),
                       [&](std::size_t x, std::size_t y) { return middle_of(x)[axis] < middle_of(y)[axis]; });
      const auto half = first.begin() + static_cast<std::ptrdiff_t>(first.size() / 2);
      Group second(half, first.end());
      first.erase(half, first.end());
      groups.push_back(std::move(second));
    }
    return groups;
  }

  void fill(std::size_t index, const std::vector<Group>& groups) {
    Bounds all;
    for (const Group& group : groups) {
      const Bounds bounds = bounds_of(group);
      all.take(bounds.lower);
      all.take(bounds.upper);
    }
    const Vector3 origin = (0.5 * all.lower + 0.5 * all.upper).cast<float>().cast<double>();
    BoxNode node = {};
    for (int k = 0; k < 3; ++k) node.origin[k] = static_cast<float>(origin[k]);
    node.count = static_cast<std::int32_t>(groups.size());
    std::fill(std::begin(node.child), std::end(node.child), -1);
    double reach = 0.0;
    for (std::size_t slot = 0; slot < groups.size(); ++slot) {
      const bool is_single = groups[slot].size() == 1;
      if (is_single) {
        node.child[slot] = items_[groups[slot][0]].child;
      } else {
        node.child[slot] = static_cast<std::int32_t>(nodes_.size());
        nodes_.emplace_back();
        fill(nodes_.size() - 1, groups_of(groups[slot]));
      }
      const FittedBox box =
          is_single ? box_of(items_[groups[slot][0]], origin) : aligned(bounds_of(groups[slot]), origin);
      reach = std::max(reach, put_box(box, slot, node));
    }
    node.reach = round_up(reach * (1.0 + 1e-6));
    nodes_[index] = node;
  }

  FittedBox aligned(const Bounds& bounds, const Vector3& origin) const {
    return fitted_box(Matrix3::Identity(), Matrix3::Identity(),
                      {bounds.lower - origin, bounds.upper - origin}, padding_);
  }

  FittedBox box_of(const Item& item, const Vector3& origin) const {
    if (item.set == nullptr) {
      // The same box about another origin: its centre rounds to float once more.
      FittedBox box = item.box;
      const Vector3 exact = item.box.center - origin;
      box.center = exact.cast<float>().cast<double>();
      const double moved = (box.center - exact).norm() * (1.0 + 1e-5) + padding_;
      for (int i = 0; i < 3; ++i) box.half[i] = static_cast<double>(round_up(box.half[i] + moved));
      box.measure = measure_of(box.half);
      return box;
    }
    const FittedBox straight = aligned(item.bounds, origin);
    const ConvexSet& set = *item.set;
    const bool has_points = set.core == Core::Points || set.core == Core::Balls;
    if (!has_points && !set.is_placed) return straight;
    Matrix3 axes = has_points ? principal_axes(set.points) : Matrix3(Matrix3::Identity());
    if (set.is_placed) axes = set.place.rotation * axes;
    const Matrix3 rounded = axes.cast<float>().cast<double>();
    const Matrix3 inverse = rounded.inverse();
    Bounds bounds = bounds_along(set, inverse);
    const Vector3 shift = inverse * origin;
    bounds.lower -= shift;
    bounds.upper -= shift;
    const FittedBox turned = fitted_box(rounded, inverse, bounds, padding_);
    return turned.measure < straight.measure ? turned : straight;
  }

  std::vector<BoxNode> nodes_;
  std::vector<Item> items_;
  double padding_;
};

}  // namespace

BoxTree build_piece_tree(std::span<const TreePart> parts, double reach) {
  return Builder(parts, reach).build();
}

AxisBounds axis_bounds(const ConvexSet& set) {
  const Bounds bounds = bounds_along(set, Matrix3::Identity());
  return {bounds.lower, bounds.upper};
}

}  // namespace toccata
