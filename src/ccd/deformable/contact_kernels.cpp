#include "ccd/deformable/contact_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/contact_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "ccd/deformable/vertex_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::HWY_NAMESPACE {
namespace {

using Lane = DoubleLanes;
using LaneMask = hn::Mask<DoubleTag>;

HWY_INLINE Lane lane(double value) {
  return hn::Set(DoubleTag(), value);
}

struct Lane3 {
  Lane v[3];
};

HWY_INLINE Lane3 operator-(const Lane3& a, const Lane3& b) {
  return {{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]}};
}

HWY_INLINE Lane3 cross(const Lane3& a, const Lane3& b) {
  return {{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
           a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}

HWY_INLINE Lane dot(const Lane3& a, const Lane3& b) {
  return (a.v[0] * b.v[0] + a.v[1] * b.v[1]) + a.v[2] * b.v[2];
}

struct Description {
  Lane weights[4];
  Lane3 point, normal;
  LaneMask valid;
};

// Edges longer than the rounding of their ends, not nearly parallel, coordinates whose squares are safe.
HWY_INLINE LaneMask well_conditioned(Lane ee, Lane ff, Lane nn, Lane largest) {
  const Lane shortest = lane(1e-5) * largest;
  return hn::And(hn::And(hn::Gt(hn::Min(ee, ff), shortest * shortest), hn::Gt(nn, lane(1e-10) * (ee * ff))),
                 hn::And(hn::Gt(largest, lane(1e-30)), hn::Lt(largest, lane(1e30))));
}

template <bool edge_edge>
HWY_INLINE void interior_weights(const Lane3* at, const Lane3& n, Lane nn, Description& d) {
  const Lane zero = hn::Zero(DoubleTag()), one = lane(1.0);
  if constexpr (edge_edge) {
    const Lane3 a = at[1] - at[0], e = at[3] - at[2], r = at[2] - at[0];
    const Lane s = dot(cross(r, e), n) / nn, q = dot(cross(r, a), n) / nn;
    d.valid = hn::And(
        d.valid, hn::And(hn::And(hn::Ge(s, zero), hn::Le(s, one)), hn::And(hn::Ge(q, zero), hn::Le(q, one))));
    d.weights[0] = one - s;
    d.weights[1] = s;
    d.weights[2] = one - q;
    d.weights[3] = q;
  } else {
    const Lane3 a = at[1] - at[0], b = at[2] - at[0], c = at[3] - at[0];
    const Lane w0 = dot(cross(b, c), n), w1 = dot(cross(c, a), n), w2 = dot(cross(a, b), n);
    d.valid = hn::And(d.valid, hn::And(hn::Ge(w0, zero), hn::And(hn::Ge(w1, zero), hn::Ge(w2, zero))));
    const Lane scale = one / (w0 + w1 + w2);
    d.weights[0] = one;
    d.weights[1] = w0 * scale;
    d.weights[2] = w1 * scale;
    d.weights[3] = w2 * scale;
  }
}

template <bool edge_edge>
HWY_INLINE Description describe(const Lane* x, Lane t) {
  const Lane s = lane(1.0) - t;
  Lane3 at[4], velocity[4];
  Lane largest = hn::Zero(DoubleTag());
  for (int p = 0; p < 4; ++p) {
    for (int k = 0; k < 3; ++k) {
      const Lane x0 = x[3 * p + k], x1 = x[12 + 3 * p + k];
      at[p].v[k] = s * x0 + t * x1;
      velocity[p].v[k] = x1 - x0;
      largest = hn::Max(largest, hn::Max(hn::Abs(x0), hn::Abs(x1)));
    }
  }
  const Lane3 e = edge_edge ? at[1] - at[0] : at[2] - at[1];
  const Lane3 f = edge_edge ? at[3] - at[2] : at[3] - at[1];
  const Lane3 n = cross(e, f);
  const Lane nn = dot(n, n);
  Description d;
  d.valid = well_conditioned(dot(e, e), dot(f, f), nn, largest);
  interior_weights<edge_edge>(at, n, nn, d);
  constexpr int first = edge_edge ? 2 : 1;
  const Lane length = hn::Sqrt(nn);
  Lane against = hn::Zero(DoubleTag());  // the approach along n; the normal points against it
  for (int k = 0; k < 3; ++k) {
    Lane approach = hn::Zero(DoubleTag()), point = approach;
    for (int p = 0; p < 4; ++p) {
      const Lane moved = d.weights[p] * velocity[p].v[k];
      approach = p < first ? approach - moved : approach + moved;
      if (p < first) point = point + d.weights[p] * at[p].v[k];
    }
    against = against + approach * n.v[k];
    d.point.v[k] = point;
  }
  const LaneMask turn = hn::Gt(against, hn::Zero(DoubleTag()));
  for (int k = 0; k < 3; ++k) {
    const Lane unit = n.v[k] / length;
    d.normal.v[k] = hn::IfThenElse(turn, hn::Neg(unit), unit);
  }
  return d;
}

void store(const Description& d, std::size_t used, DeformableContact* contacts) {
  HWY_ALIGN double values[10][double_lanes];
  for (std::size_t i = 0; i < 4; ++i) hn::Store(d.weights[i], DoubleTag(), values[i]);
  for (std::size_t k = 0; k < 3; ++k) {
    hn::Store(d.point.v[k], DoubleTag(), values[4 + k]);
    hn::Store(d.normal.v[k], DoubleTag(), values[7 + k]);
  }
  for (std::size_t l = 0; l < used; ++l) {
    Impact& impact = contacts[l].impact;
    for (std::size_t i = 0; i < 4; ++i) impact.weights[i] = values[i][l];
    for (std::size_t k = 0; k < 3; ++k) {
      impact.point[static_cast<int>(k)] = values[4 + k][l];
      impact.normal[static_cast<int>(k)] = values[7 + k][l];
    }
  }
}

template <bool edge_edge>
std::uint32_t describe_all(const Topology& topology, const Step& step, DeformableContact* contacts,
                           std::size_t count) {
  std::int32_t first[describe_width], second[describe_width];
  HWY_ALIGN double time[describe_width];
  for (std::size_t i = 0; i < describe_width; ++i) {
    const DeformableContact& c = contacts[i < count ? i : 0];
    first[i] = c.pair.first;
    second[i] = c.pair.second;
    time[i] = c.impact.time;
  }
  const Candidates candidates{edge_edge, first, second, describe_width};
  std::uint32_t filled = 0;
  for (std::size_t i = 0; i < count; i += double_lanes) {
    std::uint32_t index[double_lanes];
    for (std::size_t l = 0; l < double_lanes; ++l) index[l] = static_cast<std::uint32_t>(i + l);
    Lane x[24];
    load_motion<edge_edge>(topology, step, candidates, index, x);
    const Description d = describe<edge_edge>(x, hn::Load(DoubleTag(), time + i));
    store(d, std::min(double_lanes, count - i), contacts + i);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(DoubleTag(), d.valid, bits);
    filled |= static_cast<std::uint32_t>(bits[0]) << i;
  }
  return filled;
}

}  // namespace

std::uint32_t describe_lanes(const Topology& topology, const Step& step, DeformableContact* contacts,
                             std::size_t count) {
  return contacts[0].pair.kind == FeaturePairKind::EdgeEdge
             ? describe_all<true>(topology, step, contacts, count)
             : describe_all<false>(topology, step, contacts, count);
}

}  // namespace toccata::deformable::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable {

HWY_EXPORT(describe_lanes);

std::uint32_t describe_in_lanes(const Topology& topology, const Step& step, DeformableContact* contacts,
                                std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(describe_lanes)(topology, step, contacts, count);
}

}  // namespace toccata::deformable
#endif
