#include "hierarchy/point_walk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#ifndef TOCCATA_HIERARCHY_POINT_WALK_ONCE  // the rest is compiled once an instruction set
#define TOCCATA_HIERARCHY_POINT_WALK_ONCE
namespace toccata::hierarchy {
namespace {

// A child that is opened later.
struct WaitingBox {
  float squared_gap;
  std::int32_t child;
};

// Six lines of the cache, one after another.
void fetch(const RayLeaf& leaf) {
  const auto* begin = reinterpret_cast<const char*>(&leaf);
  for (std::size_t at = 0; at < sizeof(RayLeaf); at += 64) __builtin_prefetch(begin + at);
}

}  // namespace
}  // namespace toccata::hierarchy
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/point_walk.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "toccata/base/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using PointTag = hn::CappedTag<float, box_width>;
using PointLane = hn::Vec<PointTag>;
#if HWY_CAP_GE512
using LeafTag = hn::CappedTag<float, 2 * box_width>;
#else
using LeafTag = PointTag;
#endif
using LeafLane = hn::Vec<LeafTag>;

// The point moved towards either bound of boxes, so that no gap is too wide.
struct BoxPoint {
  float for_lower[3], for_upper[3];
};

BoxPoint box_point(const TreePoint& point) {
  BoxPoint result;
  for (int k = 0; k < 3; ++k) {
    const auto place = static_cast<float>(point.place[k]);
    const float pad = rounded_up(point.padding * (1.0 + 1e-6) + 0x1p-22 * std::abs(point.place[k]));
    result.for_lower[k] = place + pad;
    result.for_upper[k] = place - pad;
  }
  return result;
}

// Marks the children that may be within the root of squared_reach; squared_gap: not above their squared
// distances.
HWY_INLINE std::uint32_t within_reach(const RayNode& node, const BoxPoint& point, float squared_reach,
                                      float* squared_gap) {
  const PointTag tag;
  std::uint32_t marks = 0;
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    PointLane sum = hn::Zero(tag);
    for (int k = 0; k < 3; ++k) {
      const PointLane below = hn::Sub(hn::Load(tag, node.bound[k] + at), hn::Set(tag, point.for_lower[k]));
      const PointLane above =
          hn::Sub(hn::Set(tag, point.for_upper[k]), hn::Load(tag, node.bound[3 + k] + at));
      const PointLane gap = hn::Max(hn::Max(below, above), hn::Zero(tag));
      sum = hn::MulAdd(gap, gap, sum);
    }
    sum = hn::Mul(sum, hn::Set(tag, 1.0F - 0x1p-20F));
    hn::StoreU(sum, tag, squared_gap + at);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, hn::Le(sum, hn::Set(tag, squared_reach)), bits);
    marks |= static_cast<std::uint32_t>(bits[0]) << at;
  }
  return marks;
}

struct Place {
  LeafLane x, y, z;
};

HWY_INLINE LeafLane dot(const Place& a, const Place& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE Place difference(const Place& a, const Place& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Place along(const Place& start, LeafLane weight, const Place& way) {
  return {hn::MulAdd(weight, way.x, start.x), hn::MulAdd(weight, way.y, start.y),
          hn::MulAdd(weight, way.z, start.z)};
}

// A point of each triangle, the nearest to zero so far.
struct NearestPoint {
  Place place;
  LeafLane squared;

  template <typename Mask>
  HWY_INLINE void take(const Place& other, LeafLane other_squared, Mask is_nearer) {
    place = {hn::IfThenElse(is_nearer, other.x, place.x), hn::IfThenElse(is_nearer, other.y, place.y),
             hn::IfThenElse(is_nearer, other.z, place.z)};
    squared = hn::IfThenElse(is_nearer, other_squared, squared);
  }
};

// The point next to zero of the edge from `start` along `edge`; product: start . edge.
HWY_INLINE Place next_on_edge(LeafTag tag, const Place& start, const Place& edge, LeafLane product,
                              LeafLane squared_length) {
  const LeafLane safe = hn::Max(squared_length, hn::Set(tag, 1e-37F));  // a point: nothing to divide
  const LeafLane weight = hn::Div(hn::Neg(product), safe);
  return along(start, hn::Min(hn::Max(weight, hn::Zero(tag)), hn::Set(tag, 1.0F)), edge);
}

HWY_INLINE NearestPoint nearest_to_zero(LeafTag tag, const Place& a, const Place& b, const Place& c) {
  const LeafLane zero = hn::Zero(tag);
  const Place ab = difference(b, a), ac = difference(c, a), bc = difference(c, b);
  const LeafLane on_ab = dot(a, ab), on_ac = dot(a, ac);
  const LeafLane ab2 = dot(ab, ab), ac2 = dot(ac, ac), both = dot(ab, ac);
  NearestPoint nearest;
  nearest.place = next_on_edge(tag, a, ab, on_ab, ab2);
  nearest.squared = dot(nearest.place, nearest.place);
  const Place second = next_on_edge(tag, a, ac, on_ac, ac2);
  const LeafLane second2 = dot(second, second);
  nearest.take(second, second2, hn::Lt(second2, nearest.squared));
  const Place third = next_on_edge(tag, b, bc, dot(b, bc), dot(bc, bc));
  const LeafLane third2 = dot(third, third);
  nearest.take(third, third2, hn::Lt(third2, nearest.squared));
  // The foot on the plane, where its weights are those of a point of the triangle.
  const LeafLane area = hn::NegMulAdd(both, both, hn::Mul(ab2, ac2));
  const LeafLane inverse = hn::Div(hn::Set(tag, 1.0F), hn::Max(area, hn::Set(tag, 1e-37F)));
  const LeafLane v = hn::Mul(hn::NegMulAdd(ac2, on_ab, hn::Mul(both, on_ac)), inverse);
  const LeafLane w = hn::Mul(hn::NegMulAdd(ab2, on_ac, hn::Mul(both, on_ab)), inverse);
  const auto is_inside =
      hn::And(hn::And(hn::Gt(v, zero), hn::Gt(w, zero)), hn::Lt(hn::Add(v, w), hn::Set(tag, 1.0F)));
  const Place foot = along(along(a, v, ab), w, ac);
  const LeafLane foot2 = dot(foot, foot);
  nearest.take(foot, foot2, hn::And(is_inside, hn::Lt(foot2, nearest.squared)));
  return nearest;
}

// The point as a leaf's triangles see it.
struct LeafPoint {
  float place[3];
  float slack;
};

HWY_INLINE LeafPoint point_in(const RayLeaf& leaf, const TreePoint& point) {
  LeafPoint seen;
  double size = static_cast<double>(leaf.reach);
  for (int k = 0; k < 3; ++k) {
    const double from = point.place[k] - static_cast<double>(leaf.origin[k]);
    seen.place[k] = static_cast<float>(from * point.scale);
    size += std::abs(from);
  }
  constexpr double roundoff = 0x1p-24;
  seen.slack = rounded_up((24.0 * roundoff * size + 2.0 * point.padding) * point.scale + 0x1p-60);
  return seen;
}

// Of the triangles of a leaf, or of two.
struct LeafDistances {
  HWY_ALIGN float low[2 * box_width];
  HWY_ALIGN float high[2 * box_width];
};

#if HWY_CAP_GE512
// A vector holds the triangles of two leaves.
constexpr bool has_room_for_two = true;

HWY_INLINE LeafLane columns(LeafTag tag, const float* first, const float* second) {
  const hn::Half<LeafTag> half;
  return hn::Combine(tag, hn::Load(half, second), hn::Load(half, first));
}
HWY_INLINE LeafLane of_each(LeafTag tag, float first, float second) {
  const hn::Half<LeafTag> half;
  return hn::Combine(tag, hn::Set(half, second), hn::Set(half, first));
}
#else
constexpr bool has_room_for_two = false;

HWY_INLINE LeafLane columns(LeafTag tag, const float* first, const float*) {
  return hn::Load(tag, first);
}
HWY_INLINE LeafLane of_each(LeafTag tag, float first, float) {
  return hn::Set(tag, first);
}
#endif

// second: null, or one that is looked at as well, if there is room.
HWY_INLINE void leaf_distances(const RayLeaf& leaf, const RayLeaf* second, const TreePoint& point,
                               LeafDistances& distances) {
  const LeafTag tag;
  const RayLeaf& other = second != nullptr ? *second : leaf;
  const LeafPoint seen = point_in(leaf, point);
  const LeafPoint seen_by_other = second != nullptr ? point_in(other, point) : seen;
  const LeafLane slack = of_each(tag, seen.slack, seen_by_other.slack);
  const LeafLane scale = hn::Set(tag, static_cast<float>(point.scale));
  const LeafLane back = hn::Set(tag, static_cast<float>(1.0 / point.scale));
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    const auto corner = [&](int i) HWY_ATTR {
      const auto coordinate = [&](int k) HWY_ATTR {
        return hn::MulSub(columns(tag, leaf.corner[i][k] + at, other.corner[i][k] + at), scale,
                          of_each(tag, seen.place[k], seen_by_other.place[k]));
      };
      return Place{coordinate(0), coordinate(1), coordinate(2)};
    };
    const Place a = corner(0), b = corner(1), c = corner(2);
    const NearestPoint nearest = nearest_to_zero(tag, a, b, c);
    // However the point was found, it is one of the triangle; and no triangle is nearer than its lowest
    // corner along the way to it, which is not made longer than 1 where squares vanish.
    const LeafLane length = hn::Sqrt(nearest.squared);
    const LeafLane inverse = hn::Div(hn::Set(tag, 1.0F), hn::Max(length, hn::Set(tag, 0x1p-60F)));
    const LeafLane lowest = hn::Mul(
        inverse, hn::Min(dot(nearest.place, a), hn::Min(dot(nearest.place, b), dot(nearest.place, c))));
    hn::Store(hn::Mul(hn::Max(hn::Sub(lowest, slack), hn::Zero(tag)), back), tag, distances.low + at);
    hn::Store(hn::Mul(hn::Add(length, slack), back), tag, distances.high + at);
  }
}

// What a limit means for boxes and leaves.
class Reach {
 public:
  explicit Reach(const PointLimit& limit) : high_(no_less(limit.high)), slack_(float_below(limit.slack)) {
    renew();
  }

  float high() const { return high_; }
  float squared() const { return squared_; }  // of boxes that are opened; negative: none
  void lower_to(float high) {
    high_ = std::min(high_, high);
    renew();
  }

 private:
  // float_above of what is not negative, without a branch that nobody foresees.
  static float no_less(double x) {
    const auto nearest = static_cast<float>(x);
    return std::bit_cast<float>(std::bit_cast<std::int32_t>(nearest) +
                                static_cast<std::int32_t>(static_cast<double>(nearest) < x));
  }

  // Three roundings, and squares that vanish. Unused slots of a node are infinitely far.
  void renew() {
    const float reach = high_ - slack_;
    squared_ = reach < 0.0F
                   ? -1.0F
                   : std::min(reach * reach * (1.0F + 0x1p-20F) + 1e-37F, std::numeric_limits<float>::max());
  }

  float high_, slack_;
  float squared_ = 0.0F;
};

// The least of a leaf's, or of two leaves'.
HWY_INLINE float least_of(const float* values) {
  const LeafTag tag;
  LeafLane least = hn::Load(tag, values);
  for (std::size_t at = hn::Lanes(tag); at < box_width; at += hn::Lanes(tag))
    least = hn::Min(least, hn::Load(tag, values + at));
  return hn::GetLane(hn::MinOfLanes(tag, least));
}

// Marks those that are no more than the limit.
HWY_INLINE std::uint32_t no_more_than(const float* values, float limit) {
  const PointTag tag;
  std::uint32_t marks = 0;
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, hn::Le(hn::Load(tag, values + at), hn::Set(tag, limit)), bits);
    marks |= static_cast<std::uint32_t>(bits[0]) << at;
  }
  return marks;
}

HWY_INLINE void visit_within(const RayLeaf& leaf, const float* low, float high, const PointVisitor& visitor) {
  std::uint32_t marks = no_more_than(low, high);
  marks &= (1U << static_cast<unsigned>(leaf.count)) - 1U;
  for (; marks != 0; marks &= marks - 1) {
    const int slot = std::countr_zero(marks);
    visitor.visit(visitor.context, leaf.triangle[slot], static_cast<double>(low[slot]));
  }
}

}  // namespace

double walk_point_kernel(const RayTree& tree, const TreePoint& point, const PointLimit& limit,
                         const PointVisitor& visitor, WaitingBox* stack) {
  const BoxPoint boxes = box_point(point);
  Reach reach(limit);
  // Where any of many answers will do, it must not depend on how many are looked at.
  const bool in_twos = has_room_for_two && limit.slack == 0.0;
  std::size_t waiting = 0;
  std::int32_t child = tree.root;
  while (true) {
    if (child >= 0) {
      HWY_ALIGN float gaps[box_width];
      const RayNode& node = tree.nodes[static_cast<std::size_t>(child)];
      std::uint32_t marks = within_reach(node, boxes, reach.squared(), gaps);
      if (marks != 0) {
        // The nearest is next; the others wait, the farthest at the bottom.
        int slot = std::countr_zero(marks);
        WaitingBox nearest = {gaps[slot], node.child[slot]};
        const std::size_t bottom = waiting;
        for (marks &= marks - 1; marks != 0; marks &= marks - 1) {
          slot = std::countr_zero(marks);
          WaitingBox other = {gaps[slot], node.child[slot]};
          if (other.squared_gap < nearest.squared_gap) std::swap(other, nearest);
          std::size_t at = waiting++;
          for (; at > bottom && stack[at - 1].squared_gap < other.squared_gap; --at)
            stack[at] = stack[at - 1];
          stack[at] = other;
          if (other.child < 0) fetch(tree.leaves[static_cast<std::size_t>(~other.child)]);
        }
        child = nearest.child;
        if (child < 0) fetch(tree.leaves[static_cast<std::size_t>(~child)]);
        continue;
      }
    } else {
      // The next one as well, if it is a leaf.
      while (in_twos && waiting > 0 && stack[waiting - 1].squared_gap > reach.squared()) --waiting;
      const RayLeaf* const leaf = &tree.leaves[static_cast<std::size_t>(~child)];
      const RayLeaf* second = nullptr;
      if (in_twos && waiting > 0 && stack[waiting - 1].child < 0)
        second = &tree.leaves[static_cast<std::size_t>(~stack[--waiting].child)];
      LeafDistances distances;
      leaf_distances(*leaf, second, point, distances);
      // Slots without a triangle repeat the first, a second leaf that is not there the other.
      reach.lower_to(least_of(distances.high));
      visit_within(*leaf, distances.low, reach.high(), visitor);
      if (second != nullptr) visit_within(*second, distances.low + box_width, reach.high(), visitor);
    }
    do {
      if (waiting == 0) return std::min(limit.high, static_cast<double>(reach.high()));
      --waiting;
    } while (stack[waiting].squared_gap > reach.squared());
    child = stack[waiting].child;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::hierarchy
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(walk_point_kernel);

double walk_point(const RayTree& tree, const TreePoint& point, const PointLimit& limit,
                  const PointVisitor& visitor) {
  constexpr int usual_depth = 24;
  if (tree.depth <= usual_depth) {
    WaitingBox stack[usual_depth * box_width];
    return HWY_DYNAMIC_DISPATCH(walk_point_kernel)(tree, point, limit, visitor, stack);
  }
  std::vector<WaitingBox> stack(static_cast<std::size_t>(tree.depth) * box_width);
  return HWY_DYNAMIC_DISPATCH(walk_point_kernel)(tree, point, limit, visitor, stack.data());
}

}  // namespace toccata::hierarchy
#endif
