#include "ccd/field/near_triangles.hpp"

#include <algorithm>
#include <cmath>

#include "hierarchy/near_list.hpp"
#include "hierarchy/point_gaps.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/elementary/triangle.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/field/near_triangles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "field/lane_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::field {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, NearColumns::width>;
using V = hn::Vec<D>;
using V3 = LaneVector<V>;

// The nearer of two ways: to what was found so far, and to a segment that starts at `start`.
struct Way {
  V3 to;
  V squared;
};
HWY_INLINE void take_edge(D tag, const V3& start, const V3& edge, V squared_length, Way& way) {
  const V safe = hn::Max(squared_length, hn::Set(tag, 1e-300));
  const V t = hn::Min(hn::Max(hn::Div(hn::Neg(dot(start, edge)), safe), hn::Zero(tag)), hn::Set(tag, 1.0));
  const V3 near = {hn::Add(hn::Mul(t, edge.x), start.x), hn::Add(hn::Mul(t, edge.y), start.y),
                   hn::Add(hn::Mul(t, edge.z), start.z)};
  const V squared = dot(near, near);
  const auto nearer = hn::Lt(squared, way.squared);
  way.to = {hn::IfThenElse(nearer, near.x, way.to.x), hn::IfThenElse(nearer, near.y, way.to.y),
            hn::IfThenElse(nearer, near.z, way.to.z)};
  way.squared = hn::Min(squared, way.squared);
}

void look_kernel(const NearColumns* blocks, std::size_t count, const NearMotion& motion, double* lowers,
                 NearLook& look) {
  const D tag;
  const V zero = hn::Zero(tag), tiny = hn::Set(tag, 1e-300);
  const auto set3 = [&](const Vector3& v) {
    return V3{hn::Set(tag, v.x()), hn::Set(tag, v.y()), hn::Set(tag, v.z())};
  };
  const V3 offset = set3(motion.offset), velocity = set3(motion.velocity);
  const V slack = hn::Set(tag, motion.slack), taken = hn::Set(tag, motion.taken);
  const V bend2 = hn::Set(tag, 2.0 * motion.bend);
  V lower = hn::Set(tag, INFINITY), upper = lower, step = lower;
  for (std::size_t block = 0; block < count; ++block) {
    for (std::size_t at = 0; at < NearColumns::width; at += hn::Lanes(tag)) {
      const auto load = [&](int i) {
        const auto& c = blocks[block].corner[i];
        return minus({hn::Load(tag, c[0] + at), hn::Load(tag, c[1] + at), hn::Load(tag, c[2] + at)}, offset);
      };
      const V3 a = load(0), b = load(1), c = load(2);
      const V3 ab = minus(b, a), bc = minus(c, b), ca = minus(a, c);
      const V ab2 = dot(ab, ab), bc2 = dot(bc, bc), ca2 = dot(ca, ca);
      Way way{a, hn::Set(tag, INFINITY)};
      take_edge(tag, a, ab, ab2, way);
      take_edge(tag, b, bc, bc2, way);
      take_edge(tag, c, ca, ca2, way);
      const V3 n = cross(ca, ab);
      const V n2 = dot(n, n), height = dot(a, n);
      const auto is_needle = hn::Le(n2, hn::Mul(hn::Set(tag, 1e-6), hn::Mul(ab2, ca2)));
      const auto is_above =
          hn::And(hn::Gt(dot(cross(a, ab), n), zero),
                  hn::And(hn::Gt(dot(cross(b, bc), n), zero), hn::Gt(dot(cross(c, ca), n), zero)));
      const auto is_inside = hn::AndNot(is_needle, is_above);
      // Towards the plane, or the nearest point of the edges.
      const V side = hn::CopySign(hn::Set(tag, 1.0), height);
      const V3 down = times(n, side);
      const V3 to = {hn::IfThenElse(is_inside, down.x, way.to.x), hn::IfThenElse(is_inside, down.y, way.to.y),
                     hn::IfThenElse(is_inside, down.z, way.to.z)};
      const V length = hn::Sqrt(hn::Max(hn::IfThenElse(is_inside, n2, way.squared), tiny));
      const V3 u = times(to, hn::Div(hn::Set(tag, 1.0), length));
      // Proven along u.
      const V rounding = hn::Set(tag, 12.0 * unit_roundoff);
      const auto along = [&](const V3& corner) {
        return hn::Sub(dot(u, corner), hn::Mul(rounding, sum_of(corner)));
      };
      const V m = hn::Max(hn::Min(along(a), hn::Min(along(b), along(c))), zero);
      if (lowers != nullptr) hn::StoreU(m, tag, lowers + block * NearColumns::width + at);
      lower = hn::Min(lower, m);
      const V near = hn::IfThenElse(is_inside, hn::Div(hn::Abs(height), length), length);
      const V size = hn::Add(hn::Add(sum_of(a), sum_of(b)), sum_of(c));
      upper = hn::Min(upper, hn::Add(hn::Mul(hn::Set(tag, 1e-12), size), near));
      const V gap = hn::Max(hn::Sub(m, taken), zero);
      const V closing = hn::Max(hn::Add(dot(u, velocity), slack), zero);
      const V root = hn::Sqrt(hn::Add(hn::Mul(closing, closing), hn::Mul(bend2, gap)));
      // Times the unit's own roundings, which are those of the velocity along it.
      const V here = hn::Div(hn::Add(gap, gap), hn::Max(hn::Add(closing, root), tiny));
      step = hn::Min(step, here);
    }
  }
  look.lower = hn::GetLane(hn::MinOfLanes(tag, lower));
  look.upper = hn::GetLane(hn::MinOfLanes(tag, upper));
  look.step = hn::GetLane(hn::MinOfLanes(tag, step));
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::field
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::field {
namespace {

HWY_EXPORT(look_kernel);

// More than that take longer than the next search.
constexpr std::size_t most = 96;
// Of a mesh's radius: squares stay in the range of floats.
constexpr double farthest = 1024.0;

}  // namespace

NearLook look_at_near(const NearColumns* blocks, std::size_t count, const NearMotion& motion,
                      double* lowers) {
  NearLook look;
  HWY_DYNAMIC_DISPATCH(look_kernel)(blocks, count, motion, lowers, look);
  look.step *= 1.0 - 1e-12;
  return look;
}

bool NearTriangles::list_walked(const Vector3& in_tree, double padding, double radius) {
  ids_.resize(most);
  const std::size_t count = hierarchy::list_near(*walked_, {in_tree, padding, radius}, ids_);
  ids_.resize(std::min(count, most));
  return count <= most;
}

bool NearTriangles::list_boxes(const Vector3& in_tree, double padding, double radius) {
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const BoxNode& node = data_.tree.node(static_cast<std::size_t>(stack_.back()));
    stack_.pop_back();
    float gaps[box_width];
    hierarchy::point_gaps(in_tree, node, static_cast<float>(padding), gaps);
    for (int slot = 0; slot < node.count; ++slot) {
      if (static_cast<double>(gaps[slot]) > radius) continue;
      const std::int32_t child = node.child[slot];
      if (child >= 0) {
        stack_.push_back(child);
        continue;
      }
      if (ids_.size() == most) return false;
      ids_.push_back(~child);
    }
  }
  return true;
}

bool NearTriangles::collect(const Vector3& middle, double radius) {
  ids_.clear();
  blocks_.clear();
  radius_ = 0.0;
  const Vector3 in_tree = middle - data_.center;
  const double padding = 64.0 * unit_roundoff * 1.01 * (middle.cwiseAbs().sum() + data_.center.norm());
  const bool is_walked =
      walked_ != nullptr && std::max(in_tree.cwiseAbs().maxCoeff(), radius) < farthest * data_.radius;
  if (!(is_walked ? list_walked(in_tree, padding, radius) : list_boxes(in_tree, padding, radius)))
    return false;
  // They may be anywhere.
  const auto& faces = data_.mesh.faces;
  for (const std::int32_t id : ids_) __builtin_prefetch(&faces[static_cast<std::size_t>(id)]);
  for (const std::int32_t id : ids_) {
    for (const std::int32_t corner : faces[static_cast<std::size_t>(id)])
      __builtin_prefetch(&data_.mesh.vertices[static_cast<std::size_t>(corner)]);
  }
  blocks_.resize((ids_.size() + NearColumns::width - 1) / NearColumns::width);
  for (std::size_t i = 0; i < blocks_.size() * NearColumns::width; ++i) {
    const auto id = static_cast<std::size_t>(ids_[std::min(i, ids_.size() - 1)]);
    const Face& f = data_.mesh.faces[id];
    NearColumns& block = blocks_[i / NearColumns::width];
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const Vector3 place = data_.mesh.vertices[static_cast<std::size_t>(f[corner])] - middle;
      for (int k = 0; k < 3; ++k) block.corner[corner][k][i % NearColumns::width] = place[k];
    }
  }
  middle_ = middle;
  radius_ = radius;
  return true;
}

double NearTriangles::distance_of(std::int32_t triangle, const Vector3& point) const {
  const Triangle corners = triangle_of(data_.mesh, static_cast<std::size_t>(triangle));
  return std::sqrt(point_triangle_distance(point, corners).squared_distance);
}

NearTriangles::Nearest NearTriangles::nearest(const Vector3& point) {
  Nearest best;
  best.nearest.squared_distance = INFINITY;
  NearMotion here;
  here.offset = point - middle_;
  lowers_.resize(blocks_.size() * NearColumns::width);
  const NearLook look = look_at_near(blocks_.data(), blocks_.size(), here, lowers_.data());
  const double enough = look.upper + 64.0 * unit_roundoff * (point.norm() + look.upper);
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (lowers_[i] > enough) continue;
    const std::int32_t id = ids_[i];
    const PointTriangleDistance found =
        point_triangle_distance(point, triangle_of(data_.mesh, static_cast<std::size_t>(id)));
    const bool is_nearer = found.squared_distance < best.nearest.squared_distance ||
                           (found.squared_distance == best.nearest.squared_distance && id < best.triangle);
    if (!is_nearer) continue;
    best.triangle = id;
    best.nearest = found;
  }
  return best;
}

}  // namespace toccata::field
#endif
