#include "impact/free_until.hpp"

#include <algorithm>
#include <cmath>

#include "elementary/double_pair.hpp"
#include "impact/difference_hull.hpp"

namespace toccata::impact {
namespace {

using elementary::DoublePair;
using elementary::exact_difference;

constexpr double places = 0x1p42;  // times looked at are multiples of its inverse
// Directions that are tried one after the other, each from where the last one ended.
constexpr int most_directions = 8;

// The height of one difference of vertices (second feature minus first) along a direction: linear in time.
struct Height {
  DoublePair at_t0, at_t1;
  double error = 0.0;

  DoublePair at(double t) const { return exact_difference(1.0, t) * at_t0 + DoublePair{t, 0.0} * at_t1; }
  // Six products and four sums for the two heights, two products and a sum for the mixture: each is off by
  // 2^-100 of a partial sum, none of which exceeds the sum of the magnitudes by more than rounding.
  bool is_positive(double t) const { return at(t).high > error; }
};

class Heights {
 public:
  Heights(FeaturePairKind pair, const LinearMotion4& motion, const Vector3& direction) {
    const int first = first_feature_size(pair);
    for (int i = 0; i < first; ++i) {
      for (int j = first; j < point_count(pair); ++j) add(motion, i, j, direction);
    }
  }

  bool are_positive(double t) const {
    return std::all_of(heights_.begin(), heights_.begin() + size_,
                       [t](const Height& h) { return h.is_positive(t); });
  }
  // About where the first of them vanishes.
  double first_zero() const {
    double first = 1.0;
    for (int n = 0; n < size_; ++n) {
      const double h0 = heights_[n].at_t0.high, h1 = heights_[n].at_t1.high;
      if (h1 < 0.0) first = std::min(first, h0 / (h0 - h1));
    }
    return first;
  }

 private:
  void add(const LinearMotion4& motion, int i, int j, const Vector3& direction) {
    Height& height = heights_[size_++];
    double magnitude = 0.0;
    const auto along = [&](const auto& x) {
      DoublePair sum{0.0, 0.0};
      for (int k = 0; k < 3; ++k) {
        const DoublePair term = exact_difference(x[j][k], x[i][k]) * DoublePair{direction[k], 0.0};
        magnitude += std::abs(term.high);
        sum = sum + term;
      }
      return sum;
    };
    height.at_t0 = along(motion.t0);
    height.at_t1 = along(motion.t1);
    // Products this small lose digits below the range: nothing is proven of them.
    height.error = magnitude > 0x1p-800 ? 0x1p-95 * magnitude : INFINITY;
  }

  int size_ = 0;
  std::array<Height, 4> heights_;
};

// A hint: from the first feature to the second, where they are closest at time t.
Vector3 separating_direction(FeaturePairKind pair, const LinearMotion4& motion, double t) {
  std::array<Vector3, 4> x;
  for (int i = 0; i < point_count(pair); ++i) x[i] = (1.0 - t) * motion.t0[i] + t * motion.t1[i];
  DifferenceHull hull = difference_hull(pair, x);
  double largest = 0.0;
  for (int i = 0; i < hull.size; ++i) largest = std::max(largest, hull.points[i].cwiseAbs().maxCoeff());
  if (!(largest > 0.0)) return Vector3::Zero();
  for (int i = 0; i < hull.size; ++i) hull.points[i] /= largest;
  const Vector3 direction = closest_to_origin(hull).direction;
  const double length = direction.cwiseAbs().maxCoeff();
  return length > 0.0 ? Vector3(direction / length) : Vector3::Zero();
}

}  // namespace

double free_until(FeaturePairKind pair, const LinearMotion4& motion, double wanted) {
  double proven = 0.0;
  for (int n = 0; n < most_directions; ++n) {
    const Heights heights(pair, motion, separating_direction(pair, motion, proven));
    if (!heights.are_positive(proven)) return proven;
    if (heights.are_positive(wanted)) return wanted;
    // Just before the first height vanishes; one place more where rounding hides that it does not yet.
    const double zero = std::floor(std::min(heights.first_zero(), wanted) * places);
    double next = proven;
    for (const double back : {0.0, 1.0, 2.0}) {
      const double t = (zero - back) / places;
      if (next == proven && t > proven && heights.are_positive(t)) next = t;
    }
    if (next == proven) return proven;
    proven = next;
  }
  return proven;
}

}  // namespace toccata::impact
