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

// The point moved towards either bound of boxes, so that no gap is too wide.
struct BoxPoint {
  float for_lower[3], for_upper[3];
};

BoxPoint box_point(const TreePoint& point) {
  BoxPoint result;
  for (int k = 0; k < 3; ++k) {
    const auto place = static_cast<float>(point.place[k]);
    const float pad = float_above(point.padding * (1.0 + 1e-6) + 0x1p-22 * std::abs(point.place[k]));
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
  PointLane x, y, z;
};

HWY_INLINE PointLane dot(const Place& a, const Place& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE Place difference(const Place& a, const Place& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Place along(const Place& start, PointLane weight, const Place& way) {
  return {hn::MulAdd(weight, way.x, start.x), hn::MulAdd(weight, way.y, start.y),
          hn::MulAdd(weight, way.z, start.z)};
}

// A point of each triangle, the nearest to zero so far.
struct NearestPoint {
  Place place;
  PointLane squared;

  template <typename Mask>
  HWY_INLINE void take(const Place& other, PointLane other_squared, Mask is_nearer) {
    place = {hn::IfThenElse(is_nearer, other.x, place.x), hn::IfThenElse(is_nearer, other.y, place.y),
             hn::IfThenElse(is_nearer, other.z, place.z)};
    squared = hn::IfThenElse(is_nearer, other_squared, squared);
  }
};

// The point next to zero of the edge from `start` along `edge`; product: start . edge.
HWY_INLINE Place next_on_edge(PointTag tag, const Place& start, const Place& edge, PointLane product,
                              PointLane squared_length) {
  const PointLane safe = hn::Max(squared_length, hn::Set(tag, 1e-37F));  // a point: nothing to divide
  const PointLane weight = hn::Div(hn::Neg(product), safe);
  return along(start, hn::Min(hn::Max(weight, hn::Zero(tag)), hn::Set(tag, 1.0F)), edge);
}

HWY_INLINE NearestPoint nearest_to_zero(PointTag tag, const Place& a, const Place& b, const Place& c) {
  const PointLane zero = hn::Zero(tag);
  const Place ab = difference(b, a), ac = difference(c, a), bc = difference(c, b);
  const PointLane on_ab = dot(a, ab), on_ac = dot(a, ac);
  const PointLane ab2 = dot(ab, ab), ac2 = dot(ac, ac), both = dot(ab, ac);
  NearestPoint nearest;
  nearest.place = next_on_edge(tag, a, ab, on_ab, ab2);
  nearest.squared = dot(nearest.place, nearest.place);
  const Place second = next_on_edge(tag, a, ac, on_ac, ac2);
  const PointLane second2 = dot(second, second);
  nearest.take(second, second2, hn::Lt(second2, nearest.squared));
  const Place third = next_on_edge(tag, b, bc, dot(b, bc), dot(bc, bc));
  const PointLane third2 = dot(third, third);
  nearest.take(third, third2, hn::Lt(third2, nearest.squared));
  // The foot on the plane, where its weights are those of a point of the triangle.
  const PointLane area = hn::NegMulAdd(both, both, hn::Mul(ab2, ac2));
  const PointLane inverse = hn::Div(hn::Set(tag, 1.0F), hn::Max(area, hn::Set(tag, 1e-37F)));
  const PointLane v = hn::Mul(hn::NegMulAdd(ac2, on_ab, hn::Mul(both, on_ac)), inverse);
  const PointLane w = hn::Mul(hn::NegMulAdd(ab2, on_ac, hn::Mul(both, on_ab)), inverse);
  const auto is_inside =
      hn::And(hn::And(hn::Gt(v, zero), hn::Gt(w, zero)), hn::Lt(hn::Add(v, w), hn::Set(tag, 1.0F)));
  const Place foot = along(along(a, v, ab), w, ac);
  const PointLane foot2 = dot(foot, foot);
  nearest.take(foot, foot2, hn::And(is_inside, hn::Lt(foot2, nearest.squared)));
  return nearest;
}

// Of the triangles of a leaf.
struct LeafDistances {
  HWY_ALIGN float low[box_width];
  HWY_ALIGN float high[box_width];
};

HWY_INLINE void leaf_distances(const RayLeaf& leaf, const TreePoint& point, LeafDistances& distances) {
  const PointTag tag;
  float place[3];
  double size = static_cast<double>(leaf.reach);
  for (int k = 0; k < 3; ++k) {
    const double from = point.place[k] - static_cast<double>(leaf.origin[k]);
    place[k] = static_cast<float>(from * point.scale);
    size += std::abs(from);
  }
  constexpr double roundoff = 0x1p-24;
  const PointLane slack =
      hn::Set(tag, rounded_up((24.0 * roundoff * size + 2.0 * point.padding) * point.scale + 0x1p-60));
  const PointLane scale = hn::Set(tag, static_cast<float>(point.scale));
  const PointLane back = hn::Set(tag, static_cast<float>(1.0 / point.scale));
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    const auto corner = [&](int i) HWY_ATTR {
      const auto coordinate = [&](int k) HWY_ATTR {
        return hn::MulSub(hn::Load(tag, leaf.corner[i][k] + at), scale, hn::Set(tag, place[k]));
      };
      return Place{coordinate(0), coordinate(1), coordinate(2)};
    };
    const Place a = corner(0), b = corner(1), c = corner(2);
    const NearestPoint nearest = nearest_to_zero(tag, a, b, c);
    // However the point was found, it is one of the triangle; and no triangle is nearer than its lowest
    // corner along the way to it, which is not made longer than 1 where squares vanish.
    const PointLane length = hn::Sqrt(nearest.squared);
    const PointLane inverse = hn::Div(hn::Set(tag, 1.0F), hn::Max(length, hn::Set(tag, 0x1p-60F)));
    const PointLane lowest = hn::Mul(
        inverse, hn::Min(dot(nearest.place, a), hn::Min(dot(nearest.place, b), dot(nearest.place, c))));
    hn::Store(hn::Mul(hn::Max(hn::Sub(lowest, slack), hn::Zero(tag)), back), tag, distances.low + at);
    hn::Store(hn::Mul(hn::Add(length, slack), back), tag, distances.high + at);
  }
}

// What a limit means for boxes and leaves.
class Reach {
 public:
  explicit Reach(const PointLimit& limit) : high_(float_above(limit.high)), slack_(float_below(limit.slack)) {
    renew();
  }

  float high() const { return high_; }
  float squared() const { return squared_; }  // of boxes that are opened; negative: none
  void lower_to(float high) {
    if (!(high < high_)) return;
    high_ = high;
    renew();
  }

 private:
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

// The least of them.
HWY_INLINE float least_of(const float* values) {
  const PointTag tag;
  PointLane least = hn::Load(tag, values);
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

}  // namespace

double walk_point_kernel(const RayTree& tree, const TreePoint& point, const PointLimit& limit,
                         const PointVisitor& visitor, WaitingBox* stack) {
  const BoxPoint boxes = box_point(point);
  Reach reach(limit);
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
        }
        child = nearest.child;
        continue;
      }
    } else {
      LeafDistances distances;
      const RayLeaf& leaf = tree.leaves[static_cast<std::size_t>(~child)];
      leaf_distances(leaf, point, distances);
      reach.lower_to(least_of(distances.high));  // slots without a triangle repeat the first
      std::uint32_t marks = no_more_than(distances.low, reach.high());
      marks &= (1U << static_cast<unsigned>(leaf.count)) - 1U;
      for (; marks != 0; marks &= marks - 1) {
        const int slot = std::countr_zero(marks);
        visitor.visit(visitor.context, leaf.triangle[slot], static_cast<double>(distances.low[slot]));
      }
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
