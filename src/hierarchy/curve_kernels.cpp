#include "hierarchy/curve_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/curve_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy::HWY_NAMESPACE {
namespace {
using namespace lanes::HWY_NAMESPACE;

using CodeTag = hn::Rebind<std::int32_t, LaneTag>;
using Codes = hn::Vec<CodeTag>;

HWY_INLINE Codes kept(Codes x, std::int32_t bits) {
  return hn::And(x, hn::Set(CodeTag(), bits));
}

// As spread_bits.
HWY_INLINE Codes spread(Codes x) {
  x = kept(hn::Or(x, hn::ShiftLeft<16>(x)), 0x030000FF);
  x = kept(hn::Or(x, hn::ShiftLeft<8>(x)), 0x0300F00F);
  x = kept(hn::Or(x, hn::ShiftLeft<4>(x)), 0x030C30C3);
  return kept(hn::Or(x, hn::ShiftLeft<2>(x)), 0x09249249);
}

}  // namespace

void lane_codes_of(const CurveCells& cells, const TriangleMesh& mesh, std::size_t first, std::size_t count,
                   std::uint32_t* codes) {
  const Lane rate = lane(cells.half_rate), middle = lane(512.0);
  Lane center[3];
  for (std::size_t k = 0; k < 3; ++k) center[k] = lane(cells.center[static_cast<Eigen::Index>(k)]);
  for (std::size_t begin = 0; begin < count; begin += lane_count) {
    const std::size_t used = std::min(lane_count, count - begin);
    Lane lower[3], upper[3];
    for (std::size_t j = 0; j < 3; ++j) {
      const double* p[lane_count];
      for (std::size_t l = 0; l < lane_count; ++l) {
        const std::int32_t vertex = mesh.faces[first + begin + (l < used ? l : 0)][j];
        p[l] = mesh.vertices[static_cast<std::size_t>(vertex)].data();
      }
      Lane x[3], again;
      load_two(p, 0, x[0], x[1]);
      load_two(p, 1, again, x[2]);
      for (std::size_t k = 0; k < 3; ++k) {
        x[k] = x[k] - center[k];
        lower[k] = j == 0 ? x[k] : hn::Min(lower[k], x[k]);
        upper[k] = j == 0 ? x[k] : hn::Max(upper[k], x[k]);
      }
    }
    Codes spread_cell[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const Lane place = (lower[k] + upper[k]) * rate + middle;
      const Lane inside = hn::Min(hn::Max(place, hn::Zero(LaneTag())), lane(1023.0));
      spread_cell[k] = spread(hn::DemoteTo(CodeTag(), inside));
    }
    const Codes code =
        hn::Or(hn::Or(spread_cell[0], hn::ShiftLeft<1>(spread_cell[1])), hn::ShiftLeft<2>(spread_cell[2]));
    HWY_ALIGN std::int32_t of_lane[lane_count];
    hn::Store(code, CodeTag(), of_lane);
    for (std::size_t l = 0; l < used; ++l) codes[begin + l] = static_cast<std::uint32_t>(of_lane[l]);
  }
}

}  // namespace toccata::hierarchy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(lane_codes_of);

void CurveCells::codes_of(const TriangleMesh& mesh, std::size_t first, std::size_t count,
                          std::uint32_t* codes) const {
  HWY_DYNAMIC_DISPATCH(lane_codes_of)(*this, mesh, first, count, codes);
}

}  // namespace toccata::hierarchy
#endif
