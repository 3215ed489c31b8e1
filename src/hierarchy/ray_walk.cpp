#include "hierarchy/ray_tree.hpp"

#include <bit>
#include <cmath>
#include <limits>

#ifndef TOCCATA_HIERARCHY_RAY_WALK_ONCE  // the rest is compiled once an instruction set
#define TOCCATA_HIERARCHY_RAY_WALK_ONCE
namespace toccata::hierarchy {
namespace {

// A child that the ray enters later.
struct Waiting {
  float entry;
  std::int32_t child;
};

template <typename T>
void prefetch(const T& what) {
  const auto* begin = reinterpret_cast<const char*>(&what);
  for (std::size_t at = 0; at < sizeof(T); at += 64) __builtin_prefetch(begin + at);
}

void prefetch(const RayTree& tree, std::int32_t child) {
  if (child >= 0) {
    prefetch(tree.nodes[static_cast<std::size_t>(child)]);
  } else {
    prefetch(tree.leaves[static_cast<std::size_t>(~child)]);
  }
}

}  // namespace
}  // namespace toccata::hierarchy
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/ray_walk.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "toccata/base/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using RayTag = hn::CappedTag<float, box_width>;
using RayLane = hn::Vec<RayTag>;

// The ray against boxes: times at which it passes a bound are (bound - origin) inverse.
struct BoxRay {
  int near[3], far[3];    // which bounds it passes first and last
  float near_origin[3];   // moved against the bounds by the padding, so that it is never late,
  float far_origin[3];    // and never early
  float near_inverse[3];  // a little smaller than it is, which outweighs the roundings of the products,
  float far_inverse[3];   // and a little larger
};

BoxRay box_ray(const TreeRay& ray) {
  BoxRay result;
  for (int k = 0; k < 3; ++k) {
    const auto o = static_cast<float>(ray.origin[k]);
    // What is hardly longer than nothing may as well be a little longer: the padding has room for it.
    const float size = std::max(static_cast<float>(std::abs(ray.direction[k])), 1e-18F);
    const bool forward = !(ray.direction[k] < 0.0);
    const float pad = float_above(ray.padding * (1.0 + 1e-6) + 0x1p-22 * std::abs(ray.origin[k]) + 1e-37);
    result.near[k] = forward ? k : 3 + k;
    result.far[k] = forward ? 3 + k : k;
    result.near_origin[k] = forward ? o + pad : o - pad;
    result.far_origin[k] = forward ? o - pad : o + pad;
    const float inverse = (forward ? 1.0F : -1.0F) / size;
    result.near_inverse[k] = inverse * (1.0F - 0x1p-20F);
    result.far_inverse[k] = inverse * (1.0F + 0x1p-20F);
  }
  return result;
}

// Marks the children that the ray may enter before the limit; `entry` is not after.
HWY_INLINE std::uint32_t entered(const RayNode& node, const BoxRay& ray, float limit, float* entry) {
  const RayTag tag;
  std::uint32_t marks = 0;
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    const auto passed = [&](int bound, float from, float inverse) HWY_ATTR {
      return hn::Mul(hn::Sub(hn::Load(tag, node.bound[bound] + at), hn::Set(tag, from)),
                     hn::Set(tag, inverse));
    };
    RayLane first = hn::Zero(tag), last = hn::Set(tag, limit);
    for (int k = 0; k < 3; ++k) {
      first = hn::Max(first, passed(ray.near[k], ray.near_origin[k], ray.near_inverse[k]));
      last = hn::Min(last, passed(ray.far[k], ray.far_origin[k], ray.far_inverse[k]));
    }
    hn::StoreU(first, tag, entry + at);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, hn::Le(first, last), bits);
    marks |= static_cast<std::uint32_t>(bits[0]) << at;
  }
  return marks;
}

// The ray against triangles, sheared so that it runs along one of the coordinates.
struct LeafRay {
  int axis[3];
  float shear[2];
};

LeafRay leaf_ray(const TreeRay& ray) {
  LeafRay result;
  const double x = std::abs(ray.direction[0]), y = std::abs(ray.direction[1]), z = std::abs(ray.direction[2]);
  const int along = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  result.axis[0] = (along + 1) % 3;
  result.axis[1] = (along + 2) % 3;
  result.axis[2] = along;
  for (int k = 0; k < 2; ++k)
    result.shear[k] = static_cast<float>(ray.direction[result.axis[k]] / ray.direction[along]);
  return result;
}

// Where each triangle begins along the ray, from the point that is next to the leaf's origin on.
struct LeafHits {
  std::uint32_t marks = 0;  // what may be met
  float begin[box_width];
  double offset = 0.0;  // of that point
};

HWY_INLINE void test_leaf(const RayLeaf& leaf, const TreeRay& ray, const LeafRay& sheared, LeafHits& hits) {
  const RayTag tag;
  double from[3], along = 0.0;
  for (int k = 0; k < 3; ++k) {
    from[k] = ray.origin[k] - static_cast<double>(leaf.origin[k]);
    along -= from[k] * ray.direction[k];
  }
  hits.offset = along;
  float origin[3];
  double size = static_cast<double>(leaf.reach);
  for (int k = 0; k < 3; ++k) {
    const double place = from[k] + along * ray.direction[k];
    origin[k] = static_cast<float>(place);
    size += std::abs(place);
  }
  constexpr double v = 0x1p-24;
  const RayLane band = hn::Set(tag, rounded_up((160.0 * v * size + 20.0 * ray.padding) * size));
  const RayLane slack = hn::Set(tag, rounded_up(24.0 * v * size + 4.0 * ray.padding));
  const RayLane shear[2] = {hn::Set(tag, sheared.shear[0]), hn::Set(tag, sheared.shear[1])};
  RayLane o[3], d[3];
  for (int k = 0; k < 3; ++k) {
    o[k] = hn::Set(tag, origin[sheared.axis[k]]);
    d[k] = hn::Set(tag, static_cast<float>(ray.direction[sheared.axis[k]]));
  }
  hits.marks = 0;
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    RayLane x[3], y[3], begin = hn::Set(tag, INFINITY);
    for (int i = 0; i < 3; ++i) {
      const auto coordinate = [&](int k) HWY_ATTR {
        return hn::Sub(hn::Load(tag, leaf.corner[i][sheared.axis[k]] + at), o[k]);
      };
      const RayLane cx = coordinate(0), cy = coordinate(1), cz = coordinate(2);
      x[i] = hn::NegMulAdd(shear[0], cz, cx);
      y[i] = hn::NegMulAdd(shear[1], cz, cy);
      begin = hn::Min(begin, hn::MulAdd(cx, d[0], hn::MulAdd(cy, d[1], hn::Mul(cz, d[2]))));
    }
    RayLane least = hn::Set(tag, INFINITY), most = hn::Set(tag, -INFINITY);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const RayLane side = hn::NegMulAdd(y[i], x[j], hn::Mul(x[i], y[j]));
      least = hn::Min(least, side);
      most = hn::Max(most, side);
    }
    // The line passes corners on both sides for sure: it misses the triangle.
    const auto missed = hn::And(hn::Lt(least, hn::Neg(band)), hn::Gt(most, band));
    hn::StoreU(hn::Sub(begin, slack), tag, hits.begin + at);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, missed, bits);
    hits.marks |= (~static_cast<std::uint32_t>(bits[0]) & ((1U << hn::Lanes(tag)) - 1U)) << at;
  }
  hits.marks &= (1U << static_cast<unsigned>(leaf.count)) - 1U;
}

}  // namespace

std::int64_t walk_kernel(const RayTree& tree, const TreeRay& ray, const RayVisitor& visitor, Waiting* stack) {
  const BoxRay boxes = box_ray(ray);
  const LeafRay sheared = leaf_ray(ray);
  double limit = ray.limit;
  float float_limit = float_above(limit);
  std::int64_t tested = 0;
  std::size_t waiting = 0;
  std::int32_t child = tree.root;
  while (true) {
    if (child >= 0) {
      HWY_ALIGN float entry[box_width];
      const RayNode& node = tree.nodes[static_cast<std::size_t>(child)];
      std::uint32_t marks = entered(node, boxes, float_limit, entry);
      tested += box_width;
      if (marks != 0) {
        // The nearest is next; the others wait, the farthest at the bottom.
        int slot = std::countr_zero(marks);
        Waiting nearest = {entry[slot], node.child[slot]};
        const std::size_t bottom = waiting;
        for (marks &= marks - 1; marks != 0; marks &= marks - 1) {
          slot = std::countr_zero(marks);
          Waiting other = {entry[slot], node.child[slot]};
          if (other.entry < nearest.entry) std::swap(other, nearest);
          std::size_t place = waiting++;
          for (; place > bottom && stack[place - 1].entry < other.entry; --place)
            stack[place] = stack[place - 1];
          stack[place] = other;
          prefetch(tree, other.child);
        }
        child = nearest.child;
        prefetch(tree, child);
        continue;
      }
    } else {
      LeafHits hits;
      const RayLeaf& leaf = tree.leaves[static_cast<std::size_t>(~child)];
      test_leaf(leaf, ray, sheared, hits);
      for (; hits.marks != 0; hits.marks &= hits.marks - 1) {
        const int slot = std::countr_zero(hits.marks);
        if (static_cast<double>(hits.begin[slot]) + hits.offset > limit) continue;
        limit = std::min(limit, visitor.visit(visitor.context, leaf.triangle[slot]));
        float_limit = float_above(limit);
      }
    }
    do {
      if (waiting == 0) return tested;
      --waiting;
    } while (stack[waiting].entry > float_limit);
    child = stack[waiting].child;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::hierarchy
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(walk_kernel);

std::int64_t walk_ray(const RayTree& tree, const TreeRay& ray, const RayVisitor& visitor) {
  constexpr int usual_depth = 24;
  if (tree.depth <= usual_depth) {
    Waiting stack[usual_depth * box_width];
    return HWY_DYNAMIC_DISPATCH(walk_kernel)(tree, ray, visitor, stack);
  }
  std::vector<Waiting> stack(static_cast<std::size_t>(tree.depth) * box_width);
  return HWY_DYNAMIC_DISPATCH(walk_kernel)(tree, ray, visitor, stack.data());
}

}  // namespace toccata::hierarchy
#endif
