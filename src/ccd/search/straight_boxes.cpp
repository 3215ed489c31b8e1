// Along an axis n of its own length the middles are `middle` apart, the boxes reach `reach` together, and a
// comes nearer by `speed` per time. Which axis is the last one is different from cast to cast, so that
// nothing here is decided by a branch on it.
#include "ccd/search/straight_boxes.hpp"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/search/straight_boxes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::search {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
using V = hn::Vec<Tag>;
constexpr std::size_t lanes = hn::MaxLanes(Tag());
// Fifteen, and the first once more.
constexpr std::size_t axes = 16;
constexpr std::size_t parts = axes / lanes;
// What comes nearer by less stays apart for longer than anybody asks about.
constexpr double standing = 0x1p-300;
// Of the time in which the aim is used up.
constexpr double through = 1.125;

HWY_INLINE V all(double x) {
  return hn::Set(Tag(), x);
}
HWY_INLINE V sum(V x, V y, V z) {
  return hn::Add(hn::Add(x, y), z);
}

struct Axes {
  alignas(64) double n[3][axes];
  alignas(64) double middle[axes], speed[axes], reach[axes], aim[axes], until[axes];
};

HWY_INLINE void set_normals(const StraightBoxes& in, Axes& out) {
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = 0; k < 3; ++k) {
      out.n[k][j] = j == k ? 1.0 : 0.0;
      out.n[k][3 + j] = in.edge[j][k];
    }
    // Edge j and the axes of b.
    const double x = in.edge[j][0], y = in.edge[j][1], z = in.edge[j][2];
    const std::size_t at = 6 + 3 * j;
    out.n[0][at] = 0.0, out.n[1][at] = z, out.n[2][at] = -y;
    out.n[0][at + 1] = -z, out.n[1][at + 1] = 0.0, out.n[2][at + 1] = x;
    out.n[0][at + 2] = y, out.n[1][at + 2] = -x, out.n[2][at + 2] = 0.0;
    out.n[j][15] = j == 0 ? 1.0 : 0.0;
  }
}

HWY_INLINE V look(const StraightBoxes& in, std::size_t at, Axes& out) {
  const Tag tag;
  const V x = hn::Load(tag, out.n[0] + at), y = hn::Load(tag, out.n[1] + at),
          z = hn::Load(tag, out.n[2] + at);
  const auto along = [&](const double* p) HWY_ATTR {
    return sum(hn::Mul(x, all(p[0])), hn::Mul(y, all(p[1])), hn::Mul(z, all(p[2])));
  };
  const V middle = along(in.middle), speed = along(in.velocity);
  const V of_b = sum(hn::Mul(hn::Abs(x), all(in.half_b[0])), hn::Mul(hn::Abs(y), all(in.half_b[1])),
                     hn::Mul(hn::Abs(z), all(in.half_b[2])));
  const V of_a = sum(hn::Mul(hn::Abs(along(in.edge[0])), all(in.half_a[0])),
                     hn::Mul(hn::Abs(along(in.edge[1])), all(in.half_a[1])),
                     hn::Mul(hn::Abs(along(in.edge[2])), all(in.half_a[2])));
  const V reach = sum(of_a, of_b, all(in.error));
  const V length = hn::Sqrt(sum(hn::Mul(x, x), hn::Mul(y, y), hn::Mul(z, z)));
  const V aim = hn::Mul(length, all(in.aim));
  // Not positive where they are not apart by that much.
  const V closing = hn::Max(hn::Neg(hn::CopySign(speed, hn::Xor(speed, middle))), all(standing));
  const V until = hn::Div(hn::Sub(hn::Abs(middle), hn::Add(reach, aim)), closing);
  hn::Store(middle, tag, out.middle + at);
  hn::Store(speed, tag, out.speed + at);
  hn::Store(reach, tag, out.reach + at);
  hn::Store(aim, tag, out.aim + at);
  hn::Store(until, tag, out.until + at);
  return until;
}

HWY_INLINE double gap_at(const Axes& in, std::size_t axis, double time) {
  const double middle = in.middle[axis] + time * in.speed[axis];
  return (in.middle[axis] < 0.0 ? -middle : middle) - in.reach[axis];
}

StraightBoxesAnswer cast_kernel(const StraightBoxes& in) {
  const Tag tag;
  Axes a;
  set_normals(in, a);
  V latest = all(0.0);
  for (std::size_t part = 0; part < parts; ++part) latest = hn::Max(latest, look(in, part * lanes, a));
  const double until = hn::GetLane(hn::MaxOfLanes(tag, latest));
  StraightBoxesAnswer answer;
  if (!(until > 0.0)) return answer;
  std::uint32_t equal = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    std::uint8_t bits[8] = {0};
    hn::StoreMaskBits(tag, hn::Eq(hn::Load(tag, a.until + part * lanes), all(until)), bits);
    equal |= static_cast<std::uint32_t>(bits[0]) << (part * lanes);
  }
  const std::size_t axis = static_cast<std::size_t>(std::countr_zero(equal));
  answer.axis = static_cast<int>(axis);
  answer.until = until < in.span ? until : in.span;
  answer.gap_at_start = gap_at(a, axis, 0.0);
  answer.gap = gap_at(a, axis, answer.until);
  const double speed = a.speed[axis] < 0.0 ? -a.speed[axis] : a.speed[axis];
  answer.after = answer.until + through * a.aim[axis] / speed;
  // The error came off every gap, and as much may be missing. Parallel edges never show an overlap.
  V widest = all(-1e300);
  for (std::size_t at = 0; at < axes; at += lanes) {
    const V middle =
        hn::Add(hn::Load(tag, a.middle + at), hn::Mul(all(answer.after), hn::Load(tag, a.speed + at)));
    widest = hn::Max(widest, hn::Sub(hn::Abs(middle), hn::Load(tag, a.reach + at)));
  }
  answer.overlap = hn::GetLane(hn::MaxOfLanes(tag, widest)) < -2.5 * in.error;
  return answer;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::search {

HWY_EXPORT(cast_kernel);

StraightBoxesAnswer cast_straight(const StraightBoxes& boxes) {
  return HWY_DYNAMIC_DISPATCH(cast_kernel)(boxes);
}

}  // namespace toccata::search
#endif
