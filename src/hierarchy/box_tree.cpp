#include "hierarchy/box_tree.hpp"

#include <tbb/enumerable_thread_specific.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/morton.hpp"
#include "hierarchy/fitted_box.hpp"
#include "hierarchy/height_tree.hpp"
#include "hierarchy/split_choice.hpp"
#include "hierarchy/surface_moments.hpp"

#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata {

using namespace hierarchy;

namespace {

class Builder {
 public:
  Builder(const TriangleMesh& mesh, const Vector3& center) : mesh_(mesh) {
    vertices_.resize(mesh.vertices.size());
    in_blocks(vertices_.size(), [&](std::size_t i) { vertices_[i] = mesh.vertices[i] - center; });
    double reach = 0.0;
    for (const Face& f : mesh.faces) {
      for (int k = 0; k < 3; ++k) reach = std::max(reach, corner(f, k).cwiseAbs().maxCoeff());
    }
    // The subtraction of the centre rounds once per coordinate; the inverse of a basis that is orthonormal to
    // float, its product and that with the box's centre two dozen times more.
    padding_ = 64.0 * unit_roundoff * (reach + center.cwiseAbs().maxCoeff());
    prepare_items(reach);
  }

  BoxTree build() {
    BoxTree tree;
    if (items_.empty()) return tree;
    tree.nodes.reserve(items_.size() / 4 + 1);
    tree.nodes.emplace_back();
    fill(tree.nodes, 0, {{{0, items_.size(), 0.0F}}, Matrix3::Identity()});
    tree.nodes.shrink_to_fit();
    return tree;
  }

 private:
  // Parts of more triangles are split, into boxes rather than triangles, while there is room in a node.
  static constexpr std::size_t large = box_width;
  // Parts of this many or fewer triangles are cut along the axes of the whole node.
  static constexpr std::size_t turns_little = 32;
  // Parts of this many or more triangles are built side by side.
  static constexpr std::size_t worth_a_task = 2048;

  struct Range {
    std::size_t begin;
    std::size_t end;
    float extent;  // the longest side of the middles' box

    std::size_t count() const { return end - begin; }
  };
  struct Parts {
    std::vector<Range> ranges;
    Matrix3 axes;  // principal, of all of them together
  };
  // What a node knows of the triangles below it.
  struct Summary {
    Matrix3 axes;
    Bounds bounds;
  };
  // What one thread works with. Nothing in it outlives a call that uses it, so a thread that waits for others
  // may take another part meanwhile.
  struct Desk {
    explicit Desk(const SplitSurfaces& surfaces) : choice(surfaces) {}

    SplitChoice choice;
    std::vector<std::uint32_t> seen;  // by vertex: the last visit
    std::uint32_t visit = 0;
  };
  // A part built apart from the others: its own node first, children by their place in this list.
  struct Apart {
    std::vector<BoxNode> nodes;
    Summary summary;
  };

  template <typename Body>
  static void in_blocks(std::size_t count, const Body& body) {
    parallel_blocks(count, 8192, 0, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) body(i);
    });
  }

  const Vector3& corner(const Face& face, int k) const {
    return vertices_[static_cast<std::size_t>(face[static_cast<std::size_t>(k)])];
  }
  const Face& face_of(const SplitItem& item) const {
    return mesh_.faces[static_cast<std::size_t>(item.triangle())];
  }

  void prepare_items(double reach) {
    const double unit = reach > 0.0 && std::isfinite(1.0 / reach) ? 1.0 / reach : 1.0;
    items_.resize(mesh_.faces.size());
    surfaces_.resize(mesh_.faces.size());
    in_blocks(mesh_.faces.size(), [&](std::size_t i) {
      const Face& f = mesh_.faces[i];
      const Vector3 a = corner(f, 0) * unit, b = corner(f, 1) * unit, c = corner(f, 2) * unit;
      const Vector3 centroid = (a + b + c) / 3.0;
      const SurfaceMoments m = moments_of(a - centroid, b - centroid, c - centroid, 1e-12);
      const auto second = [&](std::size_t k) { return static_cast<float>(m.second[k]); };
      surfaces_.put(i, {{static_cast<float>(m.area), static_cast<float>(centroid.x()),
                         static_cast<float>(centroid.y()), static_cast<float>(centroid.z())},
                        {second(0), second(1), second(2), second(3)},
                        {second(4), second(5), 1.0F, 0.0F}});
      const Vector3 middle = 0.5 * (a.cwiseMin(b).cwiseMin(c) + a.cwiseMax(b).cwiseMax(c));
      items_[i].place.head<3>() = middle.cast<float>().array();
      items_[i].place[3] = std::bit_cast<float>(static_cast<std::int32_t>(i));
    });
    spare_.resize(items_.size());
    sort_along_curve();
  }

  // In Morton order, whatever the mesh's own: items that follow each other are near each other.
  void sort_along_curve() {
    constexpr std::uint32_t digits = 1024;
    std::vector<std::uint32_t> codes(items_.size()), spare_codes(items_.size());
    in_blocks(items_.size(), [&](std::size_t i) {
      const Eigen::Array4f cell = ((items_[i].place + 1.0F) * 512.0F).max(0.0F).min(1023.0F);
      codes[i] = morton_code(static_cast<std::uint32_t>(cell[0]), static_cast<std::uint32_t>(cell[1]),
                             static_cast<std::uint32_t>(cell[2]));
    });
    for (std::uint32_t shift = 0; shift < 30; shift += 10) {
      std::array<std::uint32_t, digits> places = {};
      for (const std::uint32_t code : codes) ++places[(code >> shift) % digits];
      std::exclusive_scan(places.begin(), places.end(), places.begin(), 0U);
      for (std::size_t i = 0; i < items_.size(); ++i) {
        const std::uint32_t to = places[(codes[i] >> shift) % digits]++;
        spare_[to] = items_[i];
        spare_codes[to] = codes[i];
      }
      items_.swap(spare_);
      codes.swap(spare_codes);
    }
  }

  std::span<SplitItem> items_of(const Range& range) { return {items_.data() + range.begin, range.count()}; }

  Range measured(std::size_t begin, std::size_t end) const {
    Eigen::Array4f lower = items_[begin].place, upper = lower;
    for (std::size_t i = begin + 1; i < end; ++i) {
      lower = lower.min(items_[i].place);
      upper = upper.max(items_[i].place);
    }
    return {begin, end, (upper - lower).head<3>().maxCoeff()};
  }

  // Keeps the order on both sides: neighbours stay neighbours. By halves where one side would be empty.
  std::size_t split(const Range& range, const SplitPlane& plane) {
    const std::span<SplitItem> items = items_of(range);
    const std::span<SplitItem> spare(spare_.data() + range.begin, range.count());
    std::size_t kept = 0, moved = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const SplitItem item = items[i];
      const bool is_before = plane.is_before(item);
      items[kept] = item;
      spare[moved] = item;
      kept += is_before ? 1 : 0;
      moved += is_before ? 0 : 1;
    }
    std::copy_n(spare.begin(), moved, items.begin() + static_cast<std::ptrdiff_t>(kept));
    return range.begin + (kept == 0 || moved == 0 ? range.count() / 2 : kept);
  }

  // The part to take apart next: the widest of those of more than `large` triangles; else the smallest that
  // dissolves into triangles in the room left, which saves a node; else the widest. End if there is none.
  static std::vector<Range>::iterator next_of(std::vector<Range>& parts) {
    const std::size_t room = box_width - parts.size();
    const auto rank = [&](const Range& part) {
      if (part.count() == 1) return 3;
      return part.count() > large ? 0 : (part.count() <= room + 1 ? 1 : 2);
    };
    const auto is_sooner = [&](const Range& x, const Range& y) {
      if (rank(x) != rank(y)) return rank(x) < rank(y);
      return rank(x) == 1 ? x.count() < y.count() : x.extent > y.extent;
    };
    const auto next = std::min_element(parts.begin(), parts.end(), is_sooner);
    return room == 0 || next->count() == 1 ? parts.end() : next;
  }

  // axes: of the whole range, which the choice looks at before its first split.
  SplitPlane plane_for(const Range& range, const Range& whole, const Matrix3& axes, SplitChoice& choice) {
    if (range.count() <= large) return middle_of_longest_side(range);
    if (range.count() == whole.count()) return choice.best_plane(axes);
    choice.look_at(items_of(range));
    return choice.best_plane(range.count() <= turns_little ? axes : choice.principal_axes());
  }

  SplitPlane middle_of_longest_side(const Range& range) {
    Eigen::Array4f lower = items_[range.begin].place, upper = lower;
    for (const SplitItem& item : items_of(range)) {
      lower = lower.min(item.place);
      upper = upper.max(item.place);
    }
    SplitPlane plane;
    Eigen::Index axis = 0;
    (upper - lower).head<3>().maxCoeff(&axis);
    plane.normal[axis] = 1.0F;
    plane.offset = 0.5F * (lower[axis] + upper[axis]);
    return plane;
  }

  // Up to eight parts.
  Parts parts_of(const Range& whole) {
    SplitChoice& choice = desks_.local().choice;
    choice.look_at(items_of(whole));
    Parts parts{{whole}, choice.principal_axes()};
    parts.ranges.reserve(box_width);
    for (auto next = next_of(parts.ranges); next != parts.ranges.end(); next = next_of(parts.ranges)) {
      const Range range = *next;
      if (range.count() <= std::min(large, box_width - parts.ranges.size() + 1)) {
        next = parts.ranges.erase(next);
        for (std::size_t i = range.begin; i < range.end; ++i) {
          next = parts.ranges.insert(next, {i, i + 1, 0.0F}) + 1;
        }
        continue;
      }
      const std::size_t middle = split(range, plane_for(range, whole, parts.axes, choice));
      *next = measured(range.begin, middle);
      parts.ranges.insert(next + 1, measured(middle, range.end));
    }
    return parts;
  }

  // The parts of many triangles, side by side. The others stay empty.
  std::array<Apart, box_width> build_apart(const std::vector<Range>& parts) {
    std::array<Apart, box_width> apart;
    std::vector<std::size_t> slots;
    for (std::size_t slot = 0; slot < parts.size(); ++slot) {
      if (parts[slot].count() >= worth_a_task) slots.push_back(slot);
    }
    parallel_blocks(slots.size(), 1, 0, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Range& part = parts[slots[i]];
        Apart& built = apart[slots[i]];
        built.nodes.reserve(part.count() / 4 + 1);
        built.nodes.emplace_back();
        built.summary = fill(built.nodes, 0, parts_of(part));
      }
    });
    return apart;
  }

  // Its first node goes to `index`, those below to the end: where they would be had they been built there.
  static void append(const Apart& apart, std::size_t index, std::vector<BoxNode>& nodes) {
    const auto moved = static_cast<std::int32_t>(nodes.size()) - 1;
    const auto put = [&](const BoxNode& node, BoxNode& to) {
      to = node;
      for (int slot = 0; slot < to.count; ++slot) to.child[slot] += to.child[slot] >= 0 ? moved : 0;
    };
    put(apart.nodes[0], nodes[index]);
    for (std::size_t i = 1; i < apart.nodes.size(); ++i) put(apart.nodes[i], nodes.emplace_back());
  }

  // Fills one node and everything below it. The same nodes in the same order on any number of threads.
  Summary fill(std::vector<BoxNode>& nodes, std::size_t index, const Parts& whole) {
    const std::vector<Range>& parts = whole.ranges;
    std::array<std::int32_t, box_width> child;
    child.fill(-1);
    for (std::size_t slot = 0; slot < parts.size(); ++slot) {
      if (parts[slot].count() == 1) {
        child[slot] = ~items_[parts[slot].begin].triangle();
      } else {
        child[slot] = static_cast<std::int32_t>(nodes.size());  // siblings lie side by side
        nodes.emplace_back();
      }
    }
    const std::array<Apart, box_width> apart = build_apart(parts);
    std::array<Summary, box_width> summaries;
    Summary sum;
    sum.axes = whole.axes;
    for (std::size_t slot = 0; slot < parts.size(); ++slot) {
      const Range& part = parts[slot];
      if (!apart[slot].nodes.empty()) {
        append(apart[slot], static_cast<std::size_t>(child[slot]), nodes);
        summaries[slot] = apart[slot].summary;
      } else if (child[slot] >= 0) {
        summaries[slot] = fill(nodes, static_cast<std::size_t>(child[slot]), parts_of(part));
      } else {
        const Face& f = mesh_.faces[static_cast<std::size_t>(~child[slot])];
        for (int k = 0; k < 3; ++k) summaries[slot].bounds.take(corner(f, k));
      }
      sum.bounds.take(summaries[slot].bounds.lower);
      sum.bounds.take(summaries[slot].bounds.upper);
    }
    const Vector3 origin = (0.5 * (sum.bounds.lower + sum.bounds.upper)).cast<float>().cast<double>();
    BoxNode& node = nodes[index];
    node = BoxNode{};
    for (int k = 0; k < 3; ++k) node.origin[k] = static_cast<float>(origin[k]);
    node.count = static_cast<std::int32_t>(parts.size());
    std::copy(child.begin(), child.end(), node.child);
    std::array<double, box_width> reach = {};
    const std::size_t together = parts.back().end - parts.front().begin;
    parallel_blocks(parts.size(), together >= worth_a_task ? 1 : box_width, 0,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t slot = begin; slot < end; ++slot) {
                        const FittedBox box = child[slot] >= 0
                                                  ? fit(parts[slot], summaries[slot], origin)
                                                  : fit_triangle(parts[slot], summaries[slot].bounds, origin);
                        reach[slot] = put_box(box, slot, node);
                      }
                    });
    node.reach = round_up(*std::max_element(reach.begin(), reach.end()) * (1.0 + 1e-6));
    return sum;
  }

  FittedBox fit(const Range& range, const Summary& summary, const Vector3& origin) {
    const FittedBox oriented = fit_in(summary.axes, range, origin);
    const Vector3 half = 0.5 * (summary.bounds.upper - summary.bounds.lower);
    return oriented.measure <= measure_of(half) ? oriented : aligned_box(summary.bounds, origin);
  }

  // A flat box: the longest edge, the direction across it in the plane, the normal.
  FittedBox fit_triangle(const Range& range, const Bounds& bounds, const Vector3& origin) {
    const Face& f = face_of(items_[range.begin]);
    Vector3 longest = corner(f, 1) - corner(f, 0);
    Vector3 other = corner(f, 2) - corner(f, 1);
    const Vector3 third = corner(f, 0) - corner(f, 2);
    if (other.squaredNorm() > longest.squaredNorm()) std::swap(longest, other);
    if (third.squaredNorm() > longest.squaredNorm()) longest = third;
    const double length = longest.norm();
    if (!(length > 0.0) || !std::isfinite(1.0 / length)) return aligned_box(bounds, origin);
    Matrix3 axes;
    axes.col(0) = longest / length;
    Vector3 normal = axes.col(0).cross(other);
    if (!(normal.norm() > 1e-6 * length)) normal = axes.col(0).unitOrthogonal();
    axes.col(2) = normal.normalized();
    axes.col(1) = axes.col(2).cross(axes.col(0));
    return fit_in(axes, range, origin);
  }

  FittedBox aligned_box(const Bounds& bounds, const Vector3& origin) const {
    return finished(Matrix3::Identity(), Matrix3::Identity(), {bounds.lower - origin, bounds.upper - origin});
  }

  // Coordinates are taken by the inverse of the rounded basis, so that flat parts get flat boxes.
  FittedBox fit_in(const Matrix3& axes, const Range& range, const Vector3& origin) {
    const Matrix3 rounded = axes.cast<float>().cast<double>();
    const Matrix3 inverse = rounded.inverse();
    Bounds bounds;
    Desk& desk = desks_.local();
    desk.seen.resize(vertices_.size(), 0);
    const std::uint32_t visit = ++desk.visit;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      for (const std::int32_t vertex : face_of(items_[i])) {
        // Triangles share vertices: each is taken once.
        std::uint32_t& seen = desk.seen[static_cast<std::size_t>(vertex)];
        if (seen == visit) continue;
        seen = visit;
        bounds.take(inverse * (vertices_[static_cast<std::size_t>(vertex)] - origin));
      }
    }
    return finished(rounded, inverse, bounds);
  }

  FittedBox finished(const Matrix3& axes, const Matrix3& inverse, const Bounds& bounds) const {
    return fitted_box(axes, inverse, bounds, padding_);
  }

  const TriangleMesh& mesh_;
  std::vector<Vector3> vertices_;
  std::vector<SplitItem> items_;
  std::vector<SplitItem> spare_;
  SplitSurfaces surfaces_;
  tbb::enumerable_thread_specific<Desk> desks_{[this] { return Desk(surfaces_); }};
  double padding_ = 0.0;
};

}  // namespace

namespace {

// The nodes of height fields that this thread has asked for last: sets of a few places each, of which the one
// not used for the longest time is given away.
class NodeCache {
 public:
  const BoxNode& find(const HeightTree& tree, std::uint64_t serial, std::uint32_t index) {
    if (places_.empty()) places_.resize(sets * ways);
    Place* const set = places_.data() + ways * (index % sets);
    Place* oldest = set;
    for (Place* place = set; place < set + ways; ++place) {
      if (place->serial == serial && place->index == index) {
        place->used = ++time_;
        return place->node;
      }
      if (place->used < oldest->used) oldest = place;
    }
    oldest->serial = serial;
    oldest->used = ++time_;
    oldest->index = index;
    tree.make_node(index, oldest->node);
    return oldest->node;
  }

 private:
  static constexpr std::uint32_t sets = 64, ways = 4;
  struct Place {
    std::uint64_t serial = 0;
    std::uint64_t used = 0;
    std::uint32_t index = 0;
    BoxNode node = {};
  };
  std::vector<Place> places_;
  std::uint64_t time_ = 0;
};

}  // namespace

const BoxNode& BoxTree::height_node(std::uint32_t index) const {
  thread_local NodeCache cache;
  return cache.find(*heights, serial, index);
}

std::size_t BoxTree::memory_bytes() const {
  return nodes.capacity() * sizeof(BoxNode) + (heights != nullptr ? heights->memory_bytes() : 0);
}

BoxTree build_box_tree(const TriangleMesh& mesh, const Vector3& center) {
  return Builder(mesh, center).build();
}

}  // namespace toccata
