#include "hierarchy/box_kernel.hpp"

#include <cmath>

#ifndef TOCCATA_HIERARCHY_BOX_KERNEL_ONCE  // the rest is compiled once an instruction set
#define TOCCATA_HIERARCHY_BOX_KERNEL_ONCE
namespace toccata::hierarchy {
namespace {

// The query in the node's own coordinates, rounded to float once.
struct LocalQuery {
  float center[3];
  float axis[3][3];
  float half[3];
  float slack;  // bounds the error of every gap
  const float* direction;
};

struct LocalRay {
  float origin[3];
  float direction[3];
  float limit;
  float slack;            // on heights
  float direction_slack;  // on the components of the direction along an axis
};

}  // namespace
}  // namespace toccata::hierarchy
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/box_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// No multiply-add: the same bits on every instruction set.
template <typename V>
HWY_INLINE V dot3(V ax, V ay, V az, V bx, V by, V bz) {
  return hn::Add(hn::Add(hn::Mul(ax, bx), hn::Mul(ay, by)), hn::Mul(az, bz));
}

template <typename D, typename V>
HWY_INLINE V norm_of_positive(D d, V x, V y, V z) {
  const V zero = hn::Zero(d);
  x = hn::Max(x, zero);
  y = hn::Max(y, zero);
  z = hn::Max(z, zero);
  return hn::Sqrt(dot3(x, y, z, x, y, z));
}

void LowerDistances(const LocalQuery& q, const BoxNode& node, bool edge_axes, float* HWY_RESTRICT result) {
  const hn::CappedTag<float, box_width> d;
  using V = hn::Vec<decltype(d)>;
  const V slack = hn::Set(d, q.slack);
  for (std::size_t s = 0; s < box_width; s += hn::Lanes(d)) {
    V t[3], h[3], b[3][3], a[3][3], r[3][3], m[3][3];
    for (int k = 0; k < 3; ++k) {
      t[k] = hn::Sub(hn::Load(d, node.center[k] + s), hn::Set(d, q.center[k]));
      h[k] = hn::Load(d, node.half[k] + s);
      for (int i = 0; i < 3; ++i) {
        b[i][k] = hn::Load(d, node.axis[i][k] + s);
        a[i][k] = hn::Set(d, q.axis[i][k]);
      }
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        r[i][j] = dot3(a[i][0], a[i][1], a[i][2], b[j][0], b[j][1], b[j][2]);
        m[i][j] = hn::Abs(r[i][j]);
      }
    }
    V ta[3], tb[3], ga[3], gb[3];
    for (int i = 0; i < 3; ++i) {
      ta[i] = dot3(t[0], t[1], t[2], a[i][0], a[i][1], a[i][2]);
      tb[i] = dot3(t[0], t[1], t[2], b[i][0], b[i][1], b[i][2]);
    }
    const V e[3] = {hn::Set(d, q.half[0]), hn::Set(d, q.half[1]), hn::Set(d, q.half[2])};
    for (int i = 0; i < 3; ++i) {
      ga[i] = hn::Sub(hn::Sub(hn::Sub(hn::Abs(ta[i]), e[i]), slack),
                      dot3(m[i][0], m[i][1], m[i][2], h[0], h[1], h[2]));
      gb[i] = hn::Sub(hn::Sub(hn::Sub(hn::Abs(tb[i]), h[i]), slack),
                      dot3(m[0][i], m[1][i], m[2][i], e[0], e[1], e[2]));
    }
    V best = hn::Max(norm_of_positive(d, ga[0], ga[1], ga[2]), norm_of_positive(d, gb[0], gb[1], gb[2]));
    // Along the line of centres.
    const V squared = dot3(t[0], t[1], t[2], t[0], t[1], t[2]);
    const V reach = hn::Add(dot3(hn::Abs(ta[0]), hn::Abs(ta[1]), hn::Abs(ta[2]), e[0], e[1], e[2]),
                            dot3(hn::Abs(tb[0]), hn::Abs(tb[1]), hn::Abs(tb[2]), h[0], h[1], h[2]));
    const V length = hn::Sqrt(squared);
    const V along = hn::Sub(hn::Sub(length, hn::Div(reach, hn::Max(length, hn::Set(d, 1e-30f)))), slack);
    best = hn::Max(best, along);
    if (q.direction != nullptr) {
      V n[3], reach_along = hn::Zero(d);
      for (int k = 0; k < 3; ++k) n[k] = hn::Set(d, q.direction[k]);
      for (int i = 0; i < 3; ++i) {
        const V mine = hn::Abs(dot3(n[0], n[1], n[2], a[i][0], a[i][1], a[i][2]));
        const V other = hn::Abs(dot3(n[0], n[1], n[2], b[i][0], b[i][1], b[i][2]));
        reach_along = hn::Add(reach_along, hn::Add(hn::Mul(mine, e[i]), hn::Mul(other, h[i])));
      }
      const V apart = hn::Abs(dot3(t[0], t[1], t[2], n[0], n[1], n[2]));
      best = hn::Max(best, hn::Sub(hn::Sub(apart, reach_along), slack));
    }
    if (edge_axes) {
      for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
          const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
          const V apart = hn::Abs(hn::Sub(hn::Mul(ta[i2], r[i1][j]), hn::Mul(ta[i1], r[i2][j])));
          const V mine = hn::Add(hn::Mul(e[i1], m[i2][j]), hn::Mul(e[i2], m[i1][j]));
          const V other = hn::Add(hn::Mul(h[j1], m[i][j2]), hn::Mul(h[j2], m[i][j1]));
          const V gap = hn::Sub(hn::Sub(apart, hn::Add(mine, other)), slack);
          // Divided by the length of the cross product, where that is not small.
          const V sine2 = hn::Sub(hn::Set(d, 1.0f), hn::Mul(r[i][j], r[i][j]));
          const V scaled = hn::Div(gap, hn::Sqrt(hn::Max(sine2, hn::Set(d, 0.04f))));
          best = hn::Max(best, hn::IfThenElse(hn::Gt(sine2, hn::Set(d, 0.04f)), scaled, gap));
        }
      }
    }
    // Axes are orthonormal to 1e-6 at worst.
    hn::StoreU(hn::Mul(best, hn::Set(d, 1.0f - 4e-6f)), d, result + s);
  }
}

void RayEntries(const LocalRay& ray, const BoxNode& node, float* HWY_RESTRICT result) {
  const hn::CappedTag<float, box_width> d;
  using V = hn::Vec<decltype(d)>;
  const V slack = hn::Set(d, ray.slack), infinity = hn::Set(d, INFINITY);
  for (std::size_t s = 0; s < box_width; s += hn::Lanes(d)) {
    V enter = hn::Zero(d), leave = hn::Set(d, ray.limit);
    V t[3];
    for (int k = 0; k < 3; ++k) t[k] = hn::Sub(hn::Set(d, ray.origin[k]), hn::Load(d, node.center[k] + s));
    for (int i = 0; i < 3; ++i) {
      const V b[3] = {hn::Load(d, node.axis[i][0] + s), hn::Load(d, node.axis[i][1] + s),
                      hn::Load(d, node.axis[i][2] + s)};
      const V height = dot3(t[0], t[1], t[2], b[0], b[1], b[2]);
      const V speed = dot3(hn::Set(d, ray.direction[0]), hn::Set(d, ray.direction[1]),
                           hn::Set(d, ray.direction[2]), b[0], b[1], b[2]);
      const V half = hn::Add(hn::Load(d, node.half[i] + s), slack);
      // |height + t speed| <= half, with speed known to +-direction_slack: move to the farthest the box could
      // be.
      const V sign_height = hn::IfThenElse(hn::Lt(height, hn::Zero(d)), hn::Neg(height), height);
      const V toward =
          hn::IfThenElse(hn::Lt(height, hn::Zero(d)), speed, hn::Neg(speed));  // > 0: approaching
      const V fastest = hn::Add(toward, hn::Set(d, ray.direction_slack));
      const V slowest = hn::Sub(toward, hn::Set(d, ray.direction_slack));
      const V outside = hn::Sub(sign_height, half);  // > 0: starts outside
      const V enter_here = hn::IfThenElse(hn::Gt(fastest, hn::Zero(d)),
                                          hn::Div(outside, hn::Max(fastest, hn::Set(d, 1e-37f))), infinity);
      enter = hn::IfThenElse(hn::Gt(outside, hn::Zero(d)), hn::Max(enter, enter_here), enter);
      // Leaves on the far side when crossing, on the near side when receding.
      const V leave_far = hn::Div(hn::Add(sign_height, half), hn::Max(slowest, hn::Set(d, 1e-37f)));
      const V leave_near = hn::Div(hn::Sub(half, sign_height), hn::Max(hn::Neg(fastest), hn::Set(d, 1e-37f)));
      leave = hn::IfThenElse(hn::Gt(slowest, hn::Zero(d)), hn::Min(leave, leave_far), leave);
      leave = hn::IfThenElse(hn::Lt(fastest, hn::Zero(d)), hn::Min(leave, hn::Max(leave_near, hn::Zero(d))),
                             leave);
    }
    enter = hn::Mul(enter, hn::Set(d, 1.0f - 1e-6f));
    leave = hn::Mul(leave, hn::Set(d, 1.0f + 1e-6f));
    hn::StoreU(hn::IfThenElse(hn::Gt(enter, leave), infinity, enter), d, result + s);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::hierarchy
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {
namespace {

HWY_EXPORT(LowerDistances);
HWY_EXPORT(RayEntries);

constexpr float float_roundoff = 0x1p-24f;

}  // namespace

QueryBox moved_box(const BoxNode& node, int slot, const Pose& pose) {
  QueryBox box;
  Vector3 center;
  for (int k = 0; k < 3; ++k) {
    center[k] = static_cast<double>(node.origin[k]) + static_cast<double>(node.center[k][slot]);
    box.half[k] = node.half[k][slot];
  }
  box.center = pose.apply(center);
  for (int i = 0; i < 3; ++i) {
    const Vector3 axis(node.axis[i][0][slot], node.axis[i][1][slot], node.axis[i][2][slot]);
    const Vector3 turned = pose.rotation * axis;
    for (int k = 0; k < 3; ++k) box.axis[i][k] = static_cast<float>(turned[k]);
  }
  return box;
}

void box_lower_distances(const QueryBox& query, const BoxNode& node, float padding, bool edge_axes,
                         const float* direction, float result[box_width]) {
  LocalQuery q;
  q.direction = direction;
  float magnitude = 2.0f * node.reach;
  for (int k = 0; k < 3; ++k) {
    q.center[k] = static_cast<float>(query.center[k] - static_cast<double>(node.origin[k]));
    q.half[k] = query.half[k];
    magnitude += std::abs(q.center[k]) + 2.0f * q.half[k];
    for (int i = 0; i < 3; ++i) q.axis[i][k] = query.axis[i][k];
  }
  // A gap is a difference of at most three terms, each a dot product of three: below 16 roundings of
  // magnitudes that sum to less than `magnitude`, and the axes' own rounding and lack of orthonormality adds
  // as much again; 128 has room for the division by the shortest cross product (0.2).
  q.slack = 128.0f * float_roundoff * magnitude + padding;
  HWY_DYNAMIC_DISPATCH(LowerDistances)(q, node, edge_axes, result);
  for (int slot = node.count; slot < box_width; ++slot) result[slot] = INFINITY;
}

void ray_box_entries(const QueryRay& query, const BoxNode& node, float padding, float result[box_width]) {
  LocalRay ray;
  float magnitude = 2.0f * node.reach, speed = 0.0f;
  for (int k = 0; k < 3; ++k) {
    ray.origin[k] = static_cast<float>(query.origin[k] - static_cast<double>(node.origin[k]));
    ray.direction[k] = static_cast<float>(query.direction[k]);
    magnitude += std::abs(ray.origin[k]);
    speed += std::abs(ray.direction[k]);
  }
  ray.limit = static_cast<float>(std::min(query.limit, 1e37)) * (1.0f + 1e-6f);
  // Box membership is in the coordinates of a basis that is orthonormal to 1e-6: heights along the axes
  // exceed the extents by at most that much of the reach.
  ray.slack = 128.0f * float_roundoff * magnitude + padding;
  ray.direction_slack = 16.0f * float_roundoff * speed;
  HWY_DYNAMIC_DISPATCH(RayEntries)(ray, node, result);
  for (int slot = node.count; slot < box_width; ++slot) result[slot] = INFINITY;
}

}  // namespace toccata::hierarchy
#endif
