#include "hierarchy/box_tree_builder.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "base/large_pages.hpp"
#include "hierarchy/box_fit_kernels.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::hierarchy {
namespace {

// Parts of more triangles are cut into boxes rather than triangles, while there is room in a node.
constexpr std::size_t large_part = box_width;
// Up to so many items are cut along the axes of the whole node.
constexpr std::size_t turns_little = 32;
// Nodes of more triangles are cut between cells.
constexpr std::size_t by_cells = 1024;
// Parts of this many or more triangles are built side by side.
constexpr std::size_t worth_a_task = 2048;

SplitPlane middle_of_longest_side(std::span<const SplitItem> items) {
  Eigen::Array4f lower = items[0].place, upper = lower;
  for (const SplitItem& item : items) {
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

// Keeps the order on both sides: neighbours stay neighbours. Returns how many are before the plane; half of
// them where one side would be empty.
std::size_t put_before(const SplitPlane& plane, std::span<SplitItem> items, std::span<SplitItem> spare) {
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
  return kept == 0 || moved == 0 ? items.size() / 2 : kept;
}

}  // namespace

BoxTreeBuilder::BoxTreeBuilder(const TriangleMesh& mesh, const Vector3& center)
    : surface_(mesh, center),
      // The subtraction of the centre rounds once per coordinate; the inverse of a basis that is orthonormal
      // to float, its product and that with the box's centre two dozen times more.
      padding_(64.0 * unit_roundoff * (surface_.reach() + center.cwiseAbs().maxCoeff())) {
  cells_.of_cells = true;
  cells_.moments = surface_.cell_moments().data();
  cells_.items = surface_.take_cell_items();
  cells_.spare.resize(cells_.items.size());
}

std::vector<BoxNode> BoxTreeBuilder::build() {
  Work work;
  if (surface_.size() == 0) return {};
  work.nodes.reserve(surface_.size() / 4 + 2);
  prefer_large_pages(work.nodes.data(), work.nodes.capacity() * sizeof(BoxNode));
  work.vertices.reserve(surface_.points().size() * 2);
  Parts parts;
  Part& whole = parts.part[0];
  whole.end = static_cast<std::uint32_t>(cells_.items.size());
  measure(cells_, whole);
  parts.moments[0] = sum_of(cells_, whole);
  work.nodes.emplace_back();
  Children children;
  Child& child = children[0];
  if (whole.triangles == 1) {
    child.link = ~0;
  } else {
    child.link = 1;
    work.nodes.emplace_back();
    child.bounds = fill(work, 1, whole, parts.moments[0]);
    child.list_end = work.vertices.size();
  }
  finish_node(work, 0, parts, children);
  // A little room is cheaper than a copy of all.
  if (work.nodes.capacity() > work.nodes.size() + work.nodes.size() / 6) work.nodes.shrink_to_fit();
  return std::move(work.nodes);
}

void BoxTreeBuilder::measure(const Sorting& sorting, Part& part) const {
  Eigen::Array4f lower = sorting.items[part.begin].place, upper = lower;
  part.triangles = sorting.of_cells ? 0 : part.end - part.begin;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const SplitItem& item = sorting.items[i];
    lower = lower.min(item.place);
    upper = upper.max(item.place);
    if (sorting.of_cells) part.triangles += surface_.cell_size(item.number());
  }
  part.extent = (upper - lower).head<3>().maxCoeff();
}

SplitMoments BoxTreeBuilder::sum_of(const Sorting& sorting, const Part& part) {
  SplitMoments sum;
  for (std::size_t i = part.begin; i < part.end; ++i) sum.add(sorting.moments[sorting.items[i].number()]);
  return sum;
}

// The part to take apart next: the widest of those of more than `large_part` triangles; else the smallest
// that dissolves into triangles in the room left, which saves a node; else the widest. As many as there are
// if there is none. Cells are only cut between.
std::size_t BoxTreeBuilder::next_of(const Sorting& sorting, const Parts& parts) {
  const std::size_t room = box_width - parts.count;
  if (room == 0) return parts.count;
  const auto rank = [&](const Part& part) {
    if (part.items() == 1) return 3;
    if (part.triangles > large_part) return 0;
    if (sorting.of_cells) return 3;
    return part.triangles <= room + 1 ? 1 : 2;
  };
  const auto is_sooner = [&](const Part& x, const Part& y) {
    if (rank(x) != rank(y)) return rank(x) < rank(y);
    return rank(x) == 1 ? x.triangles < y.triangles : x.extent > y.extent;
  };
  const auto next = std::min_element(parts.part.begin(), parts.part.begin() + parts.count, is_sooner);
  return rank(*next) == 3 ? parts.count : static_cast<std::size_t>(next - parts.part.begin());
}

void BoxTreeBuilder::dissolve(const Sorting& sorting, std::size_t which, Parts& parts) const {
  const Part whole = parts.part[which];
  const std::size_t more = whole.items() - 1;
  const auto after = parts.part.begin() + static_cast<std::ptrdiff_t>(which) + 1;
  std::copy_backward(after, parts.part.begin() + static_cast<std::ptrdiff_t>(parts.count),
                     parts.part.begin() + static_cast<std::ptrdiff_t>(parts.count + more));
  for (std::size_t i = 0; i <= more; ++i) {
    Part& part = parts.part[which + i];
    part = {};
    part.begin = whole.begin + static_cast<std::uint32_t>(i);
    part.end = part.begin + 1;
    measure(sorting, part);
  }
  parts.count += more;
}

void BoxTreeBuilder::cut(Sorting& sorting, const SplitPlane& plane, std::size_t which, Parts& parts) const {
  const Part whole = parts.part[which];
  const auto middle = static_cast<std::uint32_t>(
      whole.begin + put_before(plane, {sorting.items.data() + whole.begin, whole.items()},
                               {sorting.spare.data() + whole.begin, whole.items()}));
  const auto after = parts.part.begin() + static_cast<std::ptrdiff_t>(which) + 1;
  std::copy_backward(after, parts.part.begin() + static_cast<std::ptrdiff_t>(parts.count),
                     parts.part.begin() + static_cast<std::ptrdiff_t>(parts.count + 1));
  parts.part[which].end = parts.part[which + 1].begin = middle;
  parts.part[which + 1].end = whole.end;
  measure(sorting, parts.part[which]);
  measure(sorting, parts.part[which + 1]);
  ++parts.count;
}

// One part, with its moments, becomes up to eight.
void BoxTreeBuilder::split(Sorting& sorting, const SplitMoments& moments, SplitChoice& choice,
                           Parts& parts) const {
  const Part whole = parts.part[0];
  Matrix3 axes = Matrix3::Identity();
  if (whole.triangles > large_part) axes = principal_axes(moments);
  for (std::size_t next = next_of(sorting, parts); next < parts.count; next = next_of(sorting, parts)) {
    const Part& part = parts.part[next];
    const std::span<const SplitItem> items(sorting.items.data() + part.begin, part.items());
    if (part.triangles > large_part) {
      choice.look_at(items, sorting.moments);
      const bool by_own = items.size() > turns_little && items.size() < whole.items();
      cut(sorting, choice.best_plane(by_own ? principal_axes(choice.sum()) : axes), next, parts);
    } else if (part.triangles <= box_width - parts.count + 1) {
      dissolve(sorting, next, parts);
    } else {
      cut(sorting, middle_of_longest_side(items), next, parts);
    }
  }
  for (std::size_t i = 0; i < parts.count; ++i) {
    if (parts.part[i].triangles > 1) parts.moments[i] = sum_of(sorting, parts.part[i]);
  }
}

BoxTreeBuilder::Children BoxTreeBuilder::links_of(const Sorting& sorting, const Parts& parts,
                                                  Work& work) const {
  Children children;
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    const Part& part = parts.part[slot];
    if (part.triangles > 1) {
      children[slot].link = static_cast<std::int32_t>(work.nodes.size());  // siblings lie side by side
      work.nodes.emplace_back();
      continue;
    }
    const std::size_t number = sorting.items[part.begin].number();
    children[slot].link = ~static_cast<std::int32_t>(sorting.of_cells ? surface_.cell_begin(number) : number);
  }
  return children;
}

Bounds BoxTreeBuilder::fill(Work& work, std::size_t index, const Part& part, const SplitMoments& moments) {
  if (part.triangles > by_cells && part.items() > 1) return fill_from_cells(work, index, part, moments);
  Desk& desk = desks_.local();
  take_triangles(part, desk);
  Part all;
  all.end = static_cast<std::uint32_t>(desk.triangles.items.size());
  measure(desk.triangles, all);
  return fill_from_triangles(work, index, all, sum_of(desk.triangles, all), desk);
}

// The triangles of the cells of a part, with moments about a point among them.
void BoxTreeBuilder::take_triangles(const Part& part, Desk& desk) const {
  desk.triangles.items.clear();
  desk.number.clear();
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const std::size_t cell = cells_.items[i].number();
    const std::uint32_t end = surface_.cell_begin(cell) + surface_.cell_size(cell);
    for (std::uint32_t k = surface_.cell_begin(cell); k < end; ++k) desk.number.push_back(k);
  }
  const std::size_t count = desk.number.size();
  desk.triangles.items.resize(count);
  desk.triangles.spare.resize(std::max(desk.triangles.spare.size(), count));
  desk.moments.resize(std::max(desk.moments.size(), count));
  desk.triangles.moments = desk.moments.data();
  const Eigen::Array4f origin = surface_.middle(desk.number[count / 2]);
  for (std::size_t i = 0; i < count; ++i) {
    SplitItem& item = desk.triangles.items[i];
    item.place = surface_.middle(desk.number[i]) - origin;
    item.set_number(i);
    desk.moments[i] = moments_about(surface_.moments(desk.number[i]), origin[0], origin[1], origin[2]);
  }
}

Bounds BoxTreeBuilder::fill_from_triangles(Work& work, std::size_t index, const Part& part,
                                           const SplitMoments& moments, Desk& desk) {
  Parts parts;
  parts.part[0] = part;
  split(desk.triangles, moments, desk.choice, parts);
  Children children = links_of(desk.triangles, parts, work);
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    Child& child = children[slot];
    if (child.link < 0) {
      child.link = ~static_cast<std::int32_t>(desk.number[static_cast<std::size_t>(~child.link)]);
      continue;
    }
    child.list_begin = work.vertices.size();
    child.bounds = fill_from_triangles(work, static_cast<std::size_t>(child.link), parts.part[slot],
                                       parts.moments[slot], desk);
    child.list_end = work.vertices.size();
  }
  return finish_node(work, index, parts, children);
}

// The parts of many triangles, side by side. The others stay empty.
std::array<BoxTreeBuilder::Apart, box_width> BoxTreeBuilder::build_apart(const Parts& parts) {
  std::array<Apart, box_width> apart;
  std::array<std::size_t, box_width> slots;
  std::size_t count = 0;
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    if (parts.part[slot].triangles >= worth_a_task) slots[count++] = slot;
  }
  if (count < 2 || usable_threads(0) == 1) return apart;
  parallel_blocks(count, 1, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Part& part = parts.part[slots[i]];
      Apart& built = apart[slots[i]];
      built.work.nodes.reserve(part.triangles / 4 + 1);
      prefer_large_pages(built.work.nodes.data(), built.work.nodes.capacity() * sizeof(BoxNode));
      built.work.vertices.reserve(2 * part.triangles);
      built.work.nodes.emplace_back();
      built.bounds = fill(built.work, 0, part, parts.moments[slots[i]]);
    }
  });
  return apart;
}

namespace {

// The first node goes to `index`, those below to the end: where they would be had they been built there.
void append_nodes(const std::vector<BoxNode>& apart, std::size_t index, std::vector<BoxNode>& nodes) {
  const auto moved = static_cast<std::int32_t>(nodes.size()) - 1;
  const auto put = [&](const BoxNode& node, BoxNode& to) {
    to = node;
    for (int slot = 0; slot < to.count; ++slot) to.child[slot] += to.child[slot] >= 0 ? moved : 0;
  };
  put(apart[0], nodes[index]);
  for (std::size_t i = 1; i < apart.size(); ++i) put(apart[i], nodes.emplace_back());
}

}  // namespace

Bounds BoxTreeBuilder::fill_from_cells(Work& work, std::size_t index, const Part& part,
                                       const SplitMoments& moments) {
  Parts parts;
  parts.part[0] = part;
  split(cells_, moments, desks_.local().choice, parts);
  Children children = links_of(cells_, parts, work);
  std::array<Apart, box_width> apart = build_apart(parts);
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    Child& child = children[slot];
    if (child.link < 0) continue;
    child.list_begin = work.vertices.size();
    Work& own = apart[slot].work;
    if (own.nodes.empty()) {
      child.bounds = fill(work, static_cast<std::size_t>(child.link), parts.part[slot], parts.moments[slot]);
    } else {
      append_nodes(own.nodes, static_cast<std::size_t>(child.link), work.nodes);
      work.vertices.insert(work.vertices.end(), own.vertices.begin(), own.vertices.end());
      child.bounds = apart[slot].bounds;
      own = {};
    }
    child.list_end = work.vertices.size();
  }
  return finish_node(work, index, parts, children);
}

// Triangles share vertices: each stays once, from `begin` on.
void BoxTreeBuilder::keep_once(std::vector<std::int32_t>& list, std::size_t begin) {
  Desk& desk = desks_.local();
  if (desk.seen.empty()) desk.seen.resize(surface_.points().size(), 0);
  const std::uint32_t visit = ++desk.visit;
  std::size_t kept = begin;
  for (std::size_t i = begin; i < list.size(); ++i) {
    const std::int32_t vertex = list[i];
    std::uint32_t& seen = desk.seen[static_cast<std::size_t>(vertex)];
    list[kept] = vertex;
    kept += seen == visit ? 0 : 1;
    seen = visit;
  }
  list.resize(kept);
}

// Boxes of the children, and the vertices below them in one list.
Bounds BoxTreeBuilder::finish_node(Work& work, std::size_t index, const Parts& parts, Children& children) {
  Bounds bounds;
  const std::size_t inner_end = work.vertices.size();
  std::size_t list_begin = inner_end;
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    const Child& child = children[slot];
    if (child.link >= 0) {
      list_begin = std::min(list_begin, child.list_begin);
      bounds.take(child.bounds.lower);
      bounds.take(child.bounds.upper);
    } else {
      const auto& corner = surface_.triangle(static_cast<std::size_t>(~child.link)).corner;
      work.vertices.insert(work.vertices.end(), corner.begin(), corner.end());
    }
  }
  keep_once(work.vertices, inner_end);
  for (std::size_t i = inner_end; i < work.vertices.size(); ++i)
    bounds.take(surface_.points()[static_cast<std::size_t>(work.vertices[i])].vector());
  BoxNode& node = work.nodes[index];  // all zero
  node.count = static_cast<std::int32_t>(parts.count);
  std::fill(std::begin(node.child), std::end(node.child), -1);
  const Vector3 origin = (0.5 * (bounds.lower + bounds.upper)).cast<float>().cast<double>();
  for (int k = 0; k < 3; ++k) node.origin[k] = static_cast<float>(origin[k]);
  fit_children(work, parts, children, node);
  if (list_begin < inner_end) keep_once(work.vertices, list_begin);
  return bounds;
}

void BoxTreeBuilder::fit_children(const Work& work, const Parts& parts, const Children& children,
                                  BoxNode& node) const {
  const Vector3 origin(node.origin[0], node.origin[1], node.origin[2]);
  TriangleSlots triangles;
  std::array<double, box_width> reach = {};
  std::size_t below = 0;
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    const Child& child = children[slot];
    below += parts.part[slot].triangles;
    if (child.link >= 0) {
      node.child[slot] = child.link;
      continue;
    }
    const TreeSurface::Triangle& triangle = surface_.triangle(static_cast<std::size_t>(~child.link));
    node.child[slot] = ~triangle.number;
    triangles.slot[triangles.count] = slot;
    triangles.corners[triangles.count++] = triangle.corner.data();
  }
  const auto fit = [&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot) {
      if (children[slot].link < 0) continue;
      reach[slot] = put_box(fit_child(work, parts.moments[slot], children[slot], origin), slot, node);
    }
  };
  // Not while triangles are on this thread's desk: a thread that waits may take another part.
  static_assert(worth_a_task > by_cells);
  if (below >= worth_a_task) {
    parallel_blocks(parts.count, 1, 0, fit);
  } else {
    fit(0, parts.count);
  }
  double most = *std::max_element(reach.begin(), reach.end());
  if (triangles.count > 0)
    most = std::max(most, put_triangles(triangles, surface_.points().data(), origin, padding_, node));
  node.reach = round_up(most * (1.0 + 1e-6));
}

// Coordinates are taken by the inverse of the rounded basis, so that flat parts get flat boxes.
FittedBox BoxTreeBuilder::fit_child(const Work& work, const SplitMoments& moments, const Child& child,
                                    const Vector3& origin) const {
  const Matrix3 axes = principal_axes(moments).cast<float>().cast<double>();
  const Matrix3 inverse = axes.inverse();
  const std::span<const std::int32_t> list(work.vertices.data() + child.list_begin,
                                           child.list_end - child.list_begin);
  const FittedBox turned =
      fitted_box(axes, inverse, bounds_along(inverse, origin, surface_.points().data(), list), padding_);
  const Bounds& bounds = child.bounds;
  if (turned.measure <= measure_of(0.5 * (bounds.upper - bounds.lower))) return turned;
  return fitted_box(Matrix3::Identity(), Matrix3::Identity(), {bounds.lower - origin, bounds.upper - origin},
                    padding_);
}

}  // namespace toccata::hierarchy
