#include "hierarchy/box_tree_builder.hpp"

#include <tbb/task_group.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>

#include "base/large_pages.hpp"
#include "hierarchy/box_turns.hpp"
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

// Of more items than this, some are looked at.
constexpr std::size_t most_samples = 65536;

// A plane across the longest side of the places' box.
SplitPlane middle_of_longest_side(std::span<const SplitItem> items) {
  std::size_t axis = 0;
  float longest = -1.0F, middle = 0.0F;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [low, high] =
        std::minmax_element(items.begin(), items.end(),
                            [k](const SplitItem& x, const SplitItem& y) { return x.place[k] < y.place[k]; });
    if (!(high->place[k] - low->place[k] > longest)) continue;
    longest = high->place[k] - low->place[k];
    middle = 0.5F * (low->place[k] + high->place[k]);
    axis = k;
  }
  SplitPlane plane;
  plane.normal[axis] = 1.0F;
  plane.limit = middle;
  return plane;
}

}  // namespace

BoxTreeBuilder::BoxTreeBuilder(const TriangleMesh& mesh, const Vector3& center)
    : surface_(mesh, center),
      // The subtraction of the centre rounds once per coordinate; the inverse of a basis that is orthonormal
      // to float, its product and that with the box's centre two dozen times more.
      padding_(64.0 * unit_roundoff * (surface_.reach() + center.cwiseAbs().maxCoeff())) {
  cells_.of_cells = true;
  cells_.rows = surface_.cell_rows().data();
  cells_.items.resize(surface_.cell_count());
  cells_.spare.resize(cells_.items.size());
  for (std::size_t i = 0; i < cells_.items.size(); ++i) cells_.items[i] = cells_.rows[i].item;
}

BoxNodes BoxTreeBuilder::build() {
  Work work;
  if (surface_.size() == 0) return {};
  work.nodes.reserve(surface_.size() / 4 + 2);
  prefer_large_pages(work.nodes.data(), work.nodes.capacity() * sizeof(BoxNode));
  work.vertices.reserve(surface_.points().size() * 2);
  Parts parts;
  Part& whole = parts.part[0];
  whole.end = static_cast<std::uint32_t>(cells_.items.size());
  whole.triangles = static_cast<std::uint32_t>(surface_.size());
  whole.moments = sum_of(cells_.samples_of(whole));
  find_axes_of(parts);
  work.nodes.emplace_back();
  Children children;
  Child& child = children[0];
  if (whole.triangles == 1) {
    child.link = ~0;
  } else {
    child.link = 1;
    work.nodes.emplace_back();
    child.bounds = fill(work, 1, whole, parts.axes.of(0));
    child.list_end = work.vertices.size();
  }
  finish_node(work, 0, parts, children);
  // A little room is cheaper than a copy of all.
  if (work.nodes.capacity() > work.nodes.size() + work.nodes.size() / 6) work.nodes.shrink_to_fit();
  const auto kept = std::make_shared<const NodeList>(std::move(work.nodes));
  return {std::span<const BoxNode>(*kept), kept};
}

// Those that follow each other are near each other: every so many do.
SplitSamples BoxTreeBuilder::Sorting::samples_of(const Part& part) const {
  return {{items.data() + part.begin, part.items()}, rows, 1 + (part.items() - 1) / most_samples};
}

// The part to take apart next: the widest of those of more than `large_part` triangles; else the smallest
// that dissolves into triangles in the room left, which saves a node; else the widest. As many as there are
// if there is none. Cells are only cut between.
std::size_t BoxTreeBuilder::next_of(const Sorting& sorting, const Parts& parts) {
  const std::size_t room = box_width - parts.count;
  if (room == 0) return parts.count;
  std::size_t next = parts.count, best_rank = 3;
  for (std::size_t i = 0; i < parts.count; ++i) {
    const Part& part = parts.part[i];
    if (part.items() == 1) continue;
    const bool is_large = part.triangles > large_part;
    if (sorting.of_cells && !is_large) continue;
    const std::size_t rank = is_large ? 0 : (part.triangles <= room + 1 ? 1 : 2);
    if (rank > best_rank) continue;
    const Part* const best = rank < best_rank ? nullptr : &parts.part[next];
    if (best == nullptr || (rank == 1 ? part.triangles < best->triangles : part.extent > best->extent)) {
      next = i;
      best_rank = rank;
    }
  }
  return next;
}

void BoxTreeBuilder::dissolve(std::size_t which, Parts& parts) {
  const Part whole = parts.part[which];
  const std::size_t more = whole.items() - 1;
  const auto after = parts.part.begin() + static_cast<std::ptrdiff_t>(which) + 1;
  std::copy_backward(after, parts.part.begin() + static_cast<std::ptrdiff_t>(parts.count),
                     parts.part.begin() + static_cast<std::ptrdiff_t>(parts.count + more));
  for (std::size_t i = 0; i <= more; ++i) {
    const auto begin = whole.begin + static_cast<std::uint32_t>(i);
    parts.part[which + i] = {begin, begin + 1, 1, 0.0F};
  }
  parts.count += more;
}

void BoxTreeBuilder::cut(Sorting& sorting, const SplitCut& cut, std::size_t which, Parts& parts) const {
  const Part whole = parts.part[which];
  const SplitSides sides = put_before(cut.plane, {sorting.items.data() + whole.begin, whole.items()},
                                      sorting.spare.data() + whole.begin);
  const auto middle = whole.begin + static_cast<std::uint32_t>(sides.before);
  const auto after = parts.part.begin() + static_cast<std::ptrdiff_t>(which) + 1;
  std::copy_backward(after, parts.part.begin() + static_cast<std::ptrdiff_t>(parts.count),
                     parts.part.begin() + static_cast<std::ptrdiff_t>(parts.count + 1));
  std::uint32_t triangles = middle - whole.begin;
  if (sorting.of_cells) {
    triangles = 0;
    for (std::size_t i = whole.begin; i < middle; ++i)
      triangles += surface_.cell_size(sorting.items[i].number);
  }
  parts.part[which] = {whole.begin, middle, triangles, sides.extent_before, cut.before};
  parts.part[which + 1] = {middle, whole.end, whole.triangles - triangles, sides.extent_behind, cut.behind};
  if (!cut.is_found) {
    for (std::size_t i : {which, which + 1})
      parts.part[i].moments = sum_of(sorting.samples_of(parts.part[i]));
  }
  ++parts.count;
}

SplitCut BoxTreeBuilder::cut_of(const Sorting& sorting, const Part& part, const Part& whole,
                                const SplitAxes& axes) {
  const SplitSamples samples = sorting.samples_of(part);
  if (part.triangles <= large_part) {
    SplitCut cut;
    cut.plane = middle_of_longest_side(samples.items);
    return cut;
  }
  if (part.items() <= turns_little || part.items() == whole.items()) return best_cut(samples, axes);
  BoxAxes own;
  find_axes({&part.moments, 1}, own);
  return best_cut(samples, own.of(0));
}

void BoxTreeBuilder::find_axes_of(Parts& parts) {
  std::array<SplitMoments, box_width> moments;
  bool has_any = false;
  for (std::size_t i = 0; i < parts.count; ++i) {
    moments[i] = parts.part[i].moments;
    has_any |= parts.part[i].triangles > 1;
  }
  if (has_any) find_axes({moments.data(), parts.count}, parts.axes);
}

// One part, with its axes, becomes up to eight.
void BoxTreeBuilder::split(Sorting& sorting, const SplitAxes& axes, Parts& parts) const {
  const Part whole = parts.part[0];
  for (std::size_t next = next_of(sorting, parts); next < parts.count; next = next_of(sorting, parts)) {
    const Part& part = parts.part[next];
    if (part.triangles <= large_part && part.triangles <= box_width - parts.count + 1) {
      dissolve(next, parts);
    } else {
      cut(sorting, cut_of(sorting, part, whole, axes), next, parts);
    }
  }
  find_axes_of(parts);
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
    const std::size_t number = sorting.items[part.begin].number;
    children[slot].link = ~static_cast<std::int32_t>(sorting.of_cells ? surface_.cell_begin(number) : number);
  }
  return children;
}

Bounds BoxTreeBuilder::fill(Work& work, std::size_t index, const Part& part, const SplitAxes& axes) {
  if (part.triangles > by_cells && part.items() > 1) return fill_from_cells(work, index, part, axes);
  Desk& desk = desks_.local();
  take_triangles(part, desk);
  Part all;
  all.end = all.triangles = static_cast<std::uint32_t>(desk.numbers.size());
  return fill_from_triangles(work, index, all, axes, desk);
}

void BoxTreeBuilder::take_triangles(const Part& part, Desk& desk) const {
  desk.numbers.clear();
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const std::size_t cell = cells_.items[i].number;
    const std::uint32_t end = surface_.cell_begin(cell) + surface_.cell_size(cell);
    for (std::uint32_t k = surface_.cell_begin(cell); k < end; ++k) desk.numbers.push_back(k);
  }
  const std::size_t count = desk.numbers.size();
  if (desk.rows.size() < count) {
    desk.rows.resize(count);
    desk.triangles.items.resize(count);
    desk.triangles.spare.resize(count);
    desk.triangles.rows = desk.rows.data();
  }
  surface_.make_rows(desk.numbers, desk.rows.data());
  for (std::size_t i = 0; i < count; ++i) {
    desk.triangles.items[i] = desk.rows[i].item;
    desk.triangles.items[i].number = static_cast<std::uint32_t>(i);
  }
}

Bounds BoxTreeBuilder::fill_from_triangles(Work& work, std::size_t index, const Part& part,
                                           const SplitAxes& axes, Desk& desk) {
  if (part.triangles <= box_width) return fill_with_triangles(work, index, part, desk);
  Parts parts;
  parts.part[0] = part;
  split(desk.triangles, axes, parts);
  Children children = links_of(desk.triangles, parts, work);
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    Child& child = children[slot];
    if (child.link < 0) {
      child.link = ~static_cast<std::int32_t>(desk.numbers[static_cast<std::size_t>(~child.link)]);
      continue;
    }
    child.list_begin = work.vertices.size();
    child.bounds = fill_from_triangles(work, static_cast<std::size_t>(child.link), parts.part[slot],
                                       parts.axes.of(slot), desk);
    child.list_end = work.vertices.size();
  }
  return finish_node(work, index, parts, children);
}

// A node of nothing but triangles.
Bounds BoxTreeBuilder::fill_with_triangles(Work& work, std::size_t index, const Part& part, Desk& desk) {
  const std::size_t list_begin = work.vertices.size();
  BoxNode& node = work.nodes[index];
  std::array<const std::int32_t*, box_width> corners = {};
  for (std::size_t slot = 0; slot < part.items(); ++slot) {
    const std::size_t number = desk.numbers[desk.triangles.items[part.begin + slot].number];
    const TreeSurface::Triangle& triangle = surface_.triangle(number);
    work.vertices.insert(work.vertices.end(), triangle.corner.begin(), triangle.corner.end());
    corners[slot] = triangle.corner.data();
    node.child[slot] = ~triangle.number;
  }
  keep_once(work.vertices, list_begin, desk);
  const TreePoint* const points = surface_.points().data();
  const Bounds bounds = bounds_of(points, std::span(work.vertices).subspan(list_begin));
  start_node(bounds, part.items(), node);
  node.reach = round_up(put_triangles(corners, part.items(), points, padding_, node) * (1.0 + 1e-6));
  return bounds;
}

BoxTreeBuilder::Apart BoxTreeBuilder::built_apart(const Part& part, const SplitAxes& axes) {
  Apart built;
  built.work.nodes.reserve(part.triangles / 4 + 1);
  prefer_large_pages(built.work.nodes.data(), built.work.nodes.capacity() * sizeof(BoxNode));
  built.work.vertices.reserve(2 * part.triangles);
  built.work.nodes.emplace_back();
  built.bounds = fill(built.work, 0, part, axes);
  return built;
}

// The parts of many triangles, side by side: the calling thread builds them in place, from the first one on,
// while others build the last ones apart, until they meet.
class BoxTreeBuilder::SideBySide {
 public:
  SideBySide(BoxTreeBuilder& builder, const Parts& parts) : builder_(builder), parts_(parts) {
    for (std::size_t slot = 0; slot < parts.count; ++slot) {
      if (parts.part[slot].triangles >= worth_a_task) slots_[end_++] = slot;
    }
    if (end_ < 2 || usable_threads(0) == 1) {
      end_ = 0;
      return;
    }
    others_.emplace();
    for (std::size_t i = 1; i < end_; ++i) others_->run([this] { build_last(); });
  }

  // Null where the caller is to build this part; else what was built. To be asked of all parts in their
  // order.
  Apart* built(std::size_t slot) {
    {
      const std::lock_guard guard(turn_);
      if (begin_ < end_ && slots_[begin_] == slot) ++begin_;
      if (!is_apart_[slot]) return nullptr;
    }
    others_->wait();
    return &apart_[slot];
  }

  void wait() {
    if (others_) others_->wait();
  }

 private:
  void build_last() {
    std::size_t slot = 0;
    {
      const std::lock_guard guard(turn_);
      if (begin_ == end_) return;
      slot = slots_[--end_];
      is_apart_[slot] = true;
    }
    apart_[slot] = builder_.built_apart(parts_.part[slot], parts_.axes.of(slot));
  }

  BoxTreeBuilder& builder_;
  const Parts& parts_;
  std::array<std::size_t, box_width> slots_;  // of large parts
  std::size_t begin_ = 0, end_ = 0;           // those not yet taken
  std::array<bool, box_width> is_apart_ = {};
  std::array<Apart, box_width> apart_;
  std::mutex turn_;
  std::optional<tbb::task_group> others_;
};

// The first node goes to `index`, those below to `first` and on: where they would be had they been built
// there.
void BoxTreeBuilder::append_nodes(const NodeList& apart, std::size_t index, std::size_t first,
                                  NodeList& nodes) {
  const auto moved = static_cast<std::int32_t>(first) - 1;
  for (std::size_t i = 0; i < apart.size(); ++i) {
    BoxNode& to = nodes[i == 0 ? index : first + i - 1];
    to = apart[i];
    for (int slot = 0; slot < to.count; ++slot) to.child[slot] += to.child[slot] >= 0 ? moved : 0;
  }
}

Bounds BoxTreeBuilder::fill_from_cells(Work& work, std::size_t index, const Part& part,
                                       const SplitAxes& axes) {
  Parts parts;
  parts.part[0] = part;
  split(cells_, axes, parts);
  Children children = links_of(cells_, parts, work);
  SideBySide others(*this, parts);
  std::array<Apart*, box_width> apart = {};
  std::array<std::size_t, box_width> first;
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    Child& child = children[slot];
    if (child.link < 0) continue;
    child.list_begin = work.vertices.size();
    first[slot] = work.nodes.size();
    apart[slot] = others.built(slot);
    if (apart[slot] == nullptr) {
      child.bounds = fill(work, static_cast<std::size_t>(child.link), parts.part[slot], parts.axes.of(slot));
    } else {
      const Work& own = apart[slot]->work;
      work.nodes.resize(work.nodes.size() + own.nodes.size() - 1);
      work.vertices.insert(work.vertices.end(), own.vertices.begin(), own.vertices.end());
      child.bounds = apart[slot]->bounds;
    }
    child.list_end = work.vertices.size();
  }
  others.wait();
  parallel_blocks(parts.count, 1, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot) {
      if (apart[slot] == nullptr) continue;
      append_nodes(apart[slot]->work.nodes, static_cast<std::size_t>(children[slot].link), first[slot],
                   work.nodes);
      apart[slot]->work = {};
    }
  });
  return finish_node(work, index, parts, children);
}

// Triangles share vertices: each stays once, from `begin` on.
void BoxTreeBuilder::keep_once(std::vector<std::int32_t>& list, std::size_t begin, Desk& desk) const {
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

// Everything but its boxes. Returns its origin.
Vector3 BoxTreeBuilder::start_node(const Bounds& bounds, std::size_t count, BoxNode& node) {
  const Vector3 middle = 0.5 * (bounds.lower + bounds.upper);
  // What lies behind the last member goes into files, too.
  constexpr std::size_t tail = offsetof(BoxNode, count);
  std::memset(reinterpret_cast<unsigned char*>(&node) + tail, 0, sizeof(BoxNode) - tail);
  for (int k = 0; k < 3; ++k) node.origin[k] = static_cast<float>(middle[k]);
  node.count = static_cast<std::int32_t>(count);
  std::fill(std::begin(node.child) + node.count, std::end(node.child), -1);
  return {node.origin[0], node.origin[1], node.origin[2]};
}

// Boxes of the children, and the vertices below them in one list.
Bounds BoxTreeBuilder::finish_node(Work& work, std::size_t index, const Parts& parts,
                                   const Children& children) {
  Desk& desk = desks_.local();
  const std::size_t inner_end = work.vertices.size();
  std::size_t list_begin = inner_end;
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    const Child& child = children[slot];
    if (child.link >= 0) {
      list_begin = std::min(list_begin, child.list_begin);
    } else {
      const auto& corner = surface_.triangle(static_cast<std::size_t>(~child.link)).corner;
      work.vertices.insert(work.vertices.end(), corner.begin(), corner.end());
    }
  }
  Bounds bounds;
  if (inner_end < work.vertices.size()) {
    keep_once(work.vertices, inner_end, desk);
    bounds = bounds_of(surface_.points().data(), std::span(work.vertices).subspan(inner_end));
  }
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    if (children[slot].link < 0) continue;
    bounds.take(children[slot].bounds.lower);
    bounds.take(children[slot].bounds.upper);
  }
  fit_children(work, parts, children, bounds, work.nodes[index]);
  if (list_begin < inner_end) keep_once(work.vertices, list_begin, desk);
  return bounds;
}

void BoxTreeBuilder::fit_children(const Work& work, const Parts& parts, const Children& children,
                                  const Bounds& all, BoxNode& node) const {
  const Vector3 origin = start_node(all, parts.count, node);
  const TreePoint* const points = surface_.points().data();
  BoxBounds bounds;
  std::size_t below = 0;
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    const Child& child = children[slot];
    below += parts.part[slot].triangles;
    if (child.link >= 0) {
      node.child[slot] = child.link;
      bounds.put_straight(slot, child.bounds);
      continue;
    }
    const TreeSurface::Triangle& triangle = surface_.triangle(static_cast<std::size_t>(~child.link));
    node.child[slot] = ~triangle.number;
    bounds.corners[slot] = triangle.corner.data();
  }
  const auto vertices_of = [&](const Child& child) {
    return std::span(work.vertices).subspan(child.list_begin, child.list_end - child.list_begin);
  };
  BoxAxes axes = parts.axes;
  for (std::size_t slot = 0; slot < parts.count; ++slot) {
    if (children[slot].link >= 0) turn_axes(axes, slot, origin, points, vertices_of(children[slot]));
  }
  finish_axes(axes);
  const auto fit = [&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot) {
      if (children[slot].link < 0) continue;
      bounds.put_along(axes, slot, origin, points, vertices_of(children[slot]));
    }
  };
  // Not while triangles are on this thread's desk: a thread that waits may take another part.
  static_assert(worth_a_task > by_cells);
  if (below >= worth_a_task) {
    parallel_blocks(parts.count, 1, 0, fit);
  } else {
    fit(0, parts.count);
  }
  node.reach = round_up(put_boxes(axes, bounds, parts.count, points, padding_, node) * (1.0 + 1e-6));
}

}  // namespace toccata::hierarchy
