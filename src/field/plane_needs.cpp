#include "field/plane_needs.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "field/plane_needs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hierarchy/box_lanes-inl.hpp"

#ifndef TOCCATA_FIELD_PLANE_FLOATS
#define TOCCATA_FIELD_PLANE_FLOATS
namespace toccata::field {

// A query in single precision, relative to a node's origin and scaled.
struct PlaneFloats {
  float scale;
  float place[3];
  float half;
  float normal[most_planes][3];
  float value[most_planes];
  int count;
  float foot[3];
  float radius;
  float padding;
};

}  // namespace toccata::field
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::field {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace hierarchy::HWY_NAMESPACE;

HWY_INLINE V3 scaled3(D tag, const float (*p)[box_width], std::size_t at, V scale) {
  const V3 v = load3(tag, p, at);
  return {hn::Mul(v.x, scale), hn::Mul(v.y, scale), hn::Mul(v.z, scale)};
}
HWY_INLINE V3 minus(const V3& a, const V3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}

void plane_needs_kernel(const PlaneFloats& q, const BoxNode& node, float* needs) {
  const D tag;
  const V zero = hn::Zero(tag), scale = hn::Set(tag, q.scale), half = hn::Set(tag, q.half);
  const auto count = static_cast<std::size_t>(node.count);
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    const V3 d = minus(set3(tag, q.place), scaled3(tag, node.center, at, scale));
    const V3 h = scaled3(tag, node.half, at, scale);
    const V3 axis[3] = {load3(tag, node.axis[0], at), load3(tag, node.axis[1], at),
                        load3(tag, node.axis[2], at)};
    const V halves[3] = {h.x, h.y, h.z};
    V beyond[3], sum = zero;
    for (int i = 0; i < 3; ++i) {
      const V x = dot(d, axis[i]);
      beyond[i] = hn::CopySign(hn::Max(hn::Sub(hn::Abs(x), halves[i]), zero), x);
      sum = hn::MulAdd(beyond[i], beyond[i], sum);
    }
    const V gap = hn::Sqrt(sum);
    // A gap of rounding size has no direction; zero for one is still a bound.
    const auto has_way = hn::Gt(gap, hn::Set(tag, 1e-12F));
    const V inverse = hn::IfThenElseZero(has_way, hn::Div(hn::Set(tag, 1.0F), gap));
    const V known_gap = hn::IfThenElseZero(has_way, gap);
    const V way[3] = {hn::Mul(beyond[0], inverse), hn::Mul(beyond[1], inverse), hn::Mul(beyond[2], inverse)};
    const auto world = [&](V x0, V x1, V x2) {
      return hn::MulAdd(way[2], x2, hn::MulAdd(way[1], x1, hn::Mul(way[0], x0)));
    };
    const V3 u = {world(axis[0].x, axis[1].x, axis[2].x), world(axis[0].y, axis[1].y, axis[2].y),
                  world(axis[0].z, axis[1].z, axis[2].z)};
    V least = hn::Set(tag, INFINITY);
    for (int j = 0; j < q.count; ++j) {
      const V3 n = set3(tag, q.normal[j]);
      const V value = hn::Set(tag, q.value[j]);
      const V along[3] = {dot(n, axis[0]), dot(n, axis[1]), dot(n, axis[2])};
      const V high = hn::Add(hn::Sub(value, dot(n, d)), support(along, halves));
      const V3 off = minus(n, u);
      const V off1 = hn::Add(hn::Abs(off.x), hn::Add(hn::Abs(off.y), hn::Abs(off.z)));
      const V tangent = hn::MulAdd(half, off1, hn::Sub(value, known_gap));
      least = hn::Min(least, hn::Min(high, tangent));
    }
    const auto used = hn::FirstN(tag, count > at ? count - at : 0);
    hn::StoreU(hn::IfThenElse(used, hn::Add(least, hn::Set(tag, q.padding)), hn::Set(tag, -INFINITY)), tag,
               needs + at);
  }
}

void plane_drops_kernel(const PlaneFloats& q, const BoxNode& node, float* drops) {
  const D tag;
  const V zero = hn::Zero(tag), scale = hn::Set(tag, q.scale), pad = hn::Set(tag, q.padding);
  const V3 n = set3(tag, q.normal[0]);
  const V value = hn::Set(tag, q.value[0]);
  const auto count = static_cast<std::size_t>(node.count);
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    const V3 center = scaled3(tag, node.center, at, scale);
    const V3 d = minus(set3(tag, q.place), center), f = minus(set3(tag, q.foot), center);
    const V3 h = scaled3(tag, node.half, at, scale);
    const V halves[3] = {h.x, h.y, h.z};
    V along[3], sum = zero;
    for (int i = 0; i < 3; ++i) {
      const V3 axis = load3(tag, node.axis[i], at);
      along[i] = dot(n, axis);
      const V beyond = hn::Max(hn::Sub(hn::Abs(dot(f, axis)), halves[i]), zero);
      sum = hn::MulAdd(beyond, beyond, sum);
    }
    const V low = hn::Sub(hn::Sub(value, dot(n, d)), support(along, halves));
    const auto is_far = hn::Gt(hn::Sub(hn::Sqrt(sum), pad), hn::Set(tag, q.radius));
    const auto used = hn::FirstN(tag, count > at ? count - at : 0);
    const V drop = hn::IfThenElse(is_far, hn::Set(tag, -INFINITY), hn::Sub(pad, low));
    hn::StoreU(hn::IfThenElse(used, drop, hn::Set(tag, -INFINITY)), tag, drops + at);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::field
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::field {
namespace {

HWY_EXPORT(plane_needs_kernel);
HWY_EXPORT(plane_drops_kernel);

PlaneFloats floats_of(const PlaneQuery& query, const BoxNode& node, double radius) {
  PlaneFloats f;
  f.scale = static_cast<float>(query.scale);
  f.half = static_cast<float>(query.cell.half * query.scale);
  f.count = query.count;
  f.radius = static_cast<float>(radius);
  double lengths = static_cast<double>(node.reach) * query.scale + query.cell.half * query.scale;
  const FieldPlane& first = query.planes[0];
  for (int k = 0; k < 3; ++k) {
    const double place = (query.cell.middle[k] - static_cast<double>(node.origin[k])) * query.scale;
    const double foot = place - first.value * query.scale * first.normal[k];
    f.place[k] = static_cast<float>(place);
    f.foot[k] = static_cast<float>(foot);
    lengths += std::abs(place) + std::abs(foot);
  }
  double highest = 0.0;
  for (int j = 0; j < query.count; ++j) {
    const double value = query.planes[j].value * query.scale;
    for (int k = 0; k < 3; ++k) f.normal[j][k] = static_cast<float>(query.planes[j].normal[k]);
    f.value[j] = static_cast<float>(value);
    highest = std::max(highest, std::abs(value));
  }
  f.padding = static_cast<float>(0x1p-17 * (lengths + highest + radius));
  return f;
}

}  // namespace

void plane_needs(const PlaneQuery& query, const BoxNode& node, float* needs) {
  HWY_DYNAMIC_DISPATCH(plane_needs_kernel)(floats_of(query, node, 0.0), node, needs);
}

void plane_drops(const PlaneQuery& query, double radius, const BoxNode& node, float* drops) {
  HWY_DYNAMIC_DISPATCH(plane_drops_kernel)(floats_of(query, node, radius), node, drops);
}

}  // namespace toccata::field
#endif
