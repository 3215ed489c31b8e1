#pragma once
// A box in single precision, which keeps it small.
#include "toccata/bound/aabb.hpp"

namespace toccata::broad_phase {

struct FloatBox {
  float low[3];
  float high[3];

  Aabb box() const { return {Vector3(low[0], low[1], low[2]), Vector3(high[0], high[1], high[2])}; }
  bool holds(const Aabb& box) const {
    bool all = true;
    for (int k = 0; k < 3; ++k) {  // without a branch
      all &= static_cast<double>(low[k]) <= box.lower[k];
      all &= box.upper[k] <= static_cast<double>(high[k]);
    }
    return all;
  }
};

inline bool is_empty(const FloatBox& box) {
  return !(box.low[0] <= box.high[0] && box.low[1] <= box.high[1] && box.low[2] <= box.high[2]);
}

// Empty ones share a point with nothing that is not everywhere.
inline bool share_a_point(const FloatBox& a, const FloatBox& b) {
  bool all = true;
  for (int k = 0; k < 3; ++k) {
    all &= a.low[k] <= b.high[k];
    all &= b.low[k] <= a.high[k];
  }
  return all;
}

}  // namespace toccata::broad_phase
