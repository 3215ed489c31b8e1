#include "toccata/bound/k_dop.hpp"

#include <algorithm>
#include <cmath>

#include "bound/rounding.hpp"

namespace toccata {
namespace {

constexpr std::array<std::array<int, 3>, 13> all_directions = {{{1, 0, 0},
                                                                {0, 1, 0},
                                                                {0, 0, 1},
                                                                {1, 1, 1},
                                                                {1, 1, -1},
                                                                {1, -1, 1},
                                                                {1, -1, -1},
                                                                {1, 1, 0},
                                                                {1, -1, 0},
                                                                {1, 0, 1},
                                                                {1, 0, -1},
                                                                {0, 1, 1},
                                                                {0, 1, -1}}};

// 14: axes and space diagonals; 18: axes and face diagonals; 26: all.
template <int K>
constexpr const std::array<int, 3>& direction(int slab) {
  return all_directions[K == 18 && slab >= 3 ? slab + 4 : slab];
}

template <int K>
double height(const Vector3& p, int slab) {
  const auto& n = direction<K>(slab);
  return n[0] * p.x() + n[1] * p.y() + n[2] * p.z();  // products by -1, 0, 1 are exact: two roundings
}

template <int K>
KDop<K> fit_k_dop(std::span<const Vector3> points) {
  KDop<K> result;
  for (int i = 0; i < KDop<K>::slab_count; ++i) {
    double lower = height<K>(points[0], i), upper = lower, largest = 0.0;
    for (const Vector3& p : points) {
      const double h = height<K>(p, i);
      lower = std::min(lower, h);
      upper = std::max(upper, h);
      largest = std::max(largest, p.cwiseAbs().sum());
    }
    // Heights along axes are coordinates, exact; along diagonals two sums round.
    const double error = i < 3 ? 0.0 : 4.0 * bound::u * largest;
    result.lower[i] = lower - error;
    result.upper[i] = upper + error;
  }
  return result;
}

// Upper bound of max n . x over the polytope for the direction n with entries of the slab (sign +1) or its
// opposite (sign -1).
template <int K>
double support_of_slab(const KDop<K>& p, int slab, int sign) {
  return sign > 0 ? p.upper[slab] : -p.lower[slab];
}

// The slab with direction +-(s0, s1, s2), and which of the two.
template <int K>
double support_of_signs(const KDop<K>& p, const std::array<int, 3>& s) {
  for (int i = 0; i < KDop<K>::slab_count; ++i) {
    const auto& n = direction<K>(i);
    if (n[0] == s[0] && n[1] == s[1] && n[2] == s[2]) return support_of_slab(p, i, 1);
    if (n[0] == -s[0] && n[1] == -s[1] && n[2] == -s[2]) return support_of_slab(p, i, -1);
  }
  return INFINITY;
}

// n as a non-negative combination of slab directions bounds the support by the same combination of their
// heights. The combinations used: axes only, and the fan of axis, face diagonal and space diagonal that holds
// n.
template <int K>
double upper_support(const KDop<K>& p, const Vector3& n) {
  std::array<int, 3> sign, order = {0, 1, 2};
  for (int k = 0; k < 3; ++k) sign[k] = n[k] < 0.0 ? -1 : 1;
  std::sort(order.begin(), order.end(), [&](int i, int j) { return std::abs(n[i]) > std::abs(n[j]); });
  const std::array<double, 3> size = {std::abs(n[order[0]]), std::abs(n[order[1]]), std::abs(n[order[2]])};
  std::array<double, 3> axis;  // supports along the axes, largest component of n first
  for (int k = 0; k < 3; ++k) axis[k] = support_of_slab(p, order[k], sign[order[k]]);
  double magnitude = 0.0;
  const auto combine = [&](double a, double ha, double b, double hb, double c, double hc) {
    magnitude = std::abs(a * ha) + std::abs(b * hb) + std::abs(c * hc);
    return a * ha + b * hb + c * hc + 8.0 * bound::u * magnitude;
  };
  // Each of the three heights is an upper bound, so every combination is; the smallest is the best known.
  double best = combine(size[0], axis[0], size[1], axis[1], size[2], axis[2]);
  if constexpr (K == 14 || K == 26) {
    const double diagonal = support_of_signs<K>(p, sign);
    best = std::min(best, combine(size[0] - size[2], axis[0], size[1] - size[2], axis[1], size[2], diagonal));
  }
  if constexpr (K == 18 || K == 26) {
    std::array<int, 3> s = sign;
    s[order[2]] = 0;
    const double face = support_of_signs<K>(p, s);
    best = std::min(best, combine(size[0] - size[1], axis[0], size[1], face, size[2], axis[2]));
    if constexpr (K == 26) {
      const double diagonal = support_of_signs<K>(p, sign);
      best = std::min(best, combine(size[0] - size[1], axis[0], size[1] - size[2], face, size[2], diagonal));
    }
  }
  return best;
}

}  // namespace

template <int K>
Vector3 k_dop_direction(int slab) {
  const auto& n = direction<K>(slab);
  return {static_cast<double>(n[0]), static_cast<double>(n[1]), static_cast<double>(n[2])};
}

template <>
KDop14 fit<KDop14>(std::span<const Vector3> points) {
  return fit_k_dop<14>(points);
}
template <>
KDop18 fit<KDop18>(std::span<const Vector3> points) {
  return fit_k_dop<18>(points);
}
template <>
KDop26 fit<KDop26>(std::span<const Vector3> points) {
  return fit_k_dop<26>(points);
}

template <int K>
KDop<K> merge(const KDop<K>& a, const KDop<K>& b) {
  KDop<K> result;
  for (int i = 0; i < KDop<K>::slab_count; ++i) {
    result.lower[i] = std::min(a.lower[i], b.lower[i]);
    result.upper[i] = std::max(a.upper[i], b.upper[i]);
  }
  return result;
}

template <int K>
bool overlap(const KDop<K>& a, const KDop<K>& b) {
  for (int i = 0; i < KDop<K>::slab_count; ++i) {
    if (a.lower[i] > b.upper[i] || b.lower[i] > a.upper[i]) return false;
  }
  return true;
}

template <int K>
double lower_distance(const KDop<K>& a, const KDop<K>& b) {
  Vector3 axis_gaps = Vector3::Zero();
  double best = 0.0;
  for (int i = 0; i < KDop<K>::slab_count; ++i) {
    const double gap = std::max({0.0, b.lower[i] - a.upper[i], a.lower[i] - b.upper[i]});
    // Gaps along the axes add up as the distance of two boxes; a diagonal counts alone, by its length.
    if (i < 3) {
      axis_gaps[i] = gap;
    } else {
      best = std::max(best, gap / k_dop_direction<K>(i).norm() * (1.0 - 4.0 * bound::u));
    }
  }
  return std::max(best, bound::lower_length(axis_gaps));
}

template <int K>
KDop<K> transformed(const Pose& pose, const KDop<K>& polytope) {
  // About the centre: n . (R x + T) = n . (R c + T) + (R^T n) . (x - c), with the slabs moved to c.
  const Vector3 center = center_of(polytope);
  KDop<K> local;
  double largest = 0.0;
  for (int i = 0; i < KDop<K>::slab_count; ++i) {
    const double h = height<K>(center, i);
    const double error =
        4.0 * bound::u *
        (std::abs(h) + center.cwiseAbs().sum() + std::abs(polytope.lower[i]) + std::abs(polytope.upper[i]));
    local.lower[i] = polytope.lower[i] - h - error;
    local.upper[i] = polytope.upper[i] - h + error;
    largest = std::max({largest, std::abs(local.lower[i]), std::abs(local.upper[i])});
  }
  const Vector3 middle = pose.apply(center);
  // 16 u: the rounding of R^T n times the contents; the last term that of the sums below.
  const double error = 3.0 * bound::move_error(pose, center) + 16.0 * bound::u * largest +
                       8.0 * bound::u * middle.cwiseAbs().sum() + bound::smallest_length;
  KDop<K> result;
  for (int i = 0; i < KDop<K>::slab_count; ++i) {
    const Vector3 n = pose.rotation.transpose() * k_dop_direction<K>(i);
    const double h = height<K>(middle, i);
    result.lower[i] = h - upper_support(local, -n) - error;
    result.upper[i] = h + upper_support(local, n) + error;
  }
  return result;
}

template <int K>
Vector3 center_of(const KDop<K>& p) {
  return {0.5 * p.lower[0] + 0.5 * p.upper[0], 0.5 * p.lower[1] + 0.5 * p.upper[1],
          0.5 * p.lower[2] + 0.5 * p.upper[2]};
}

template <int K>
double radius_of(const KDop<K>& p) {
  const Vector3 c = center_of(p);
  Vector3 half;
  for (int k = 0; k < 3; ++k) half[k] = std::max(p.upper[k] - c[k], c[k] - p.lower[k]);
  return bound::upper_length(half);
}

#define TOCCATA_K_DOP(K)                                          \
  template Vector3 k_dop_direction<K>(int);                       \
  template KDop<K> merge(const KDop<K>&, const KDop<K>&);         \
  template bool overlap(const KDop<K>&, const KDop<K>&);          \
  template double lower_distance(const KDop<K>&, const KDop<K>&); \
  template KDop<K> transformed(const Pose&, const KDop<K>&);      \
  template Vector3 center_of(const KDop<K>&);                     \
  template double radius_of(const KDop<K>&);
TOCCATA_K_DOP(14)
TOCCATA_K_DOP(18)
TOCCATA_K_DOP(26)
#undef TOCCATA_K_DOP

}  // namespace toccata
