// The farthest corner of the difference of two small hulls, in lanes.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#if defined(TOCCATA_PROXIMITY_PAIR_SCAN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_PROXIMITY_PAIR_SCAN_INL
#undef TOCCATA_PROXIMITY_PAIR_SCAN_INL
#else
#define TOCCATA_PROXIMITY_PAIR_SCAN_INL
#endif

#include "elementary/hull_index.hpp"
#include "elementary/hull_scan-inl.hpp"
#include "proximity/convex/difference.hpp"
#include "proximity/convex/xyz.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::convex {
namespace HWY_NAMESPACE {

struct ScannedPoint {
  Xyz at;
  std::int32_t vertex_a, vertex_b;
};

inline bool is_scanned(const ConvexSet& set) {
  return set.core == Core::Points && set.index != nullptr && set.index->is_scanned();
}

class PairScan {
 public:
  explicit PairScan(const Difference& difference) : difference_(difference) {
    for (int i = 0; i < 3; ++i) column_[i] = plain(difference.a_to_b.rotation.col(i));
    shift_ = plain(difference.a_to_b.translation);
  }

  const Xyz* columns() const { return column_; }  // of the rotation from a's coordinates to b's
  const Xyz& shift() const { return shift_; }

  // As Difference::farthest_against, to the bit: products and sums of a pose in the same order.
  void along(const Xyz& d, ScannedPoint& found) const {
    found.vertex_a = farthest_of_a(d);
    found.vertex_b = farthest_of_b(-d);
    found.at = of_a(found.vertex_a) - of_b(found.vertex_b);
  }

  // Along a direction of b's coordinates.
  std::int32_t farthest_of_a(const Xyz& d) const { return scan(*difference_.a, turned_back(d)); }
  std::int32_t farthest_of_b(const Xyz& d) const { return scan(*difference_.b, d); }

  // A direction from a's coordinates to b's, and from b's to a's.
  Xyz turned(const Xyz& d) const { return d.x * column_[0] + d.y * column_[1] + d.z * column_[2]; }
  Xyz turned_back(const Xyz& d) const { return {dot(column_[0], d), dot(column_[1], d), dot(column_[2], d)}; }

  Xyz of_a(std::int32_t vertex) const {
    const Xyz p = plain(difference_.a->points[static_cast<std::size_t>(vertex)]);
    return {(p.x * column_[0].x + p.y * column_[1].x + p.z * column_[2].x) + shift_.x,
            (p.x * column_[0].y + p.y * column_[1].y + p.z * column_[2].y) + shift_.y,
            (p.x * column_[0].z + p.y * column_[1].z + p.z * column_[2].z) + shift_.z};
  }
  Xyz of_b(std::int32_t vertex) const {
    return plain(difference_.b->points[static_cast<std::size_t>(vertex)]);
  }

 private:
  static HWY_INLINE std::int32_t scan(const ConvexSet& set, const Xyz& d) {
    const ScannedCorners corners = set.index->scanned_corners();
    const double direction[3] = {d.x, d.y, d.z};
    return elementary::HWY_NAMESPACE::scan_columns(corners.columns, corners.padded, direction);
  }

  const Difference& difference_;
  Xyz column_[3], shift_;
};

}  // namespace HWY_NAMESPACE
}  // namespace toccata::convex
HWY_AFTER_NAMESPACE();

#endif  // TOCCATA_PROXIMITY_PAIR_SCAN_INL
