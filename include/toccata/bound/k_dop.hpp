#pragma once
// A discrete oriented polytope: K / 2 slabs along fixed directions (K = 14: coordinate axes and space
// diagonals, 18: coordinate axes and face diagonals, 26: all of them).
#include <array>

#include "toccata/bound/volume.hpp"

namespace toccata {

template <int K>
struct KDop {
  static_assert(K == 14 || K == 18 || K == 26);
  static constexpr int slab_count = K / 2;
  // The contents satisfy lower[i] <= n_i . x <= upper[i], n_i with entries -1, 0, 1 (k_dop_direction).
  std::array<double, slab_count> lower{};
  std::array<double, slab_count> upper{};
};

using KDop14 = KDop<14>;
using KDop18 = KDop<18>;
using KDop26 = KDop<26>;

// First the coordinate axes, then for 14 and 26 the space diagonals, then for 18 and 26 the face diagonals.
template <int K>
Vector3 k_dop_direction(int slab);

template <>
KDop14 fit<KDop14>(std::span<const Vector3> points);
template <>
KDop18 fit<KDop18>(std::span<const Vector3> points);
template <>
KDop26 fit<KDop26>(std::span<const Vector3> points);

template <int K>
KDop<K> merge(const KDop<K>& a, const KDop<K>& b);
template <int K>
bool overlap(const KDop<K>& a, const KDop<K>& b);
// The widest gap between slabs: at most the distance of the polytopes, not always equal to it.
template <int K>
double lower_distance(const KDop<K>& a, const KDop<K>& b);
// Slabs around the turned polytope, each from the nearest three faces of its direction.
template <int K>
KDop<K> transformed(const Pose& pose, const KDop<K>& polytope);
template <int K>
Vector3 center_of(const KDop<K>& polytope);
template <int K>
double radius_of(const KDop<K>& polytope);

}  // namespace toccata
