#include "impact/difference_hull.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace toccata::impact {

DifferenceHull difference_hull(FeaturePairKind pair, const std::array<Vector3, 4>& vertices) {
  DifferenceHull hull;
  const int first = first_feature_size(pair);
  for (int i = 0; i < first; ++i) {
    for (int j = first; j < point_count(pair); ++j) hull.points[hull.size++] = vertices[j] - vertices[i];
  }
  return hull;
}

namespace {

// The closest point of all vertices, edges and triangles of the hull. Nothing is excluded by a sign that
// rounding may have turned: what is not the closest only loses the comparison.
class ClosestSearch {
 public:
  explicit ClosestSearch(const DifferenceHull& hull) : p_(hull.points) {
    best_.squared_norm = -1.0;
    for (int i = 0; i < hull.size; ++i) vertex(i);
    for (int i = 0; i < hull.size; ++i) {
      for (int j = i + 1; j < hull.size; ++j) {
        edge(i, j);
        for (int k = j + 1; k < hull.size; ++k) triangle(i, j, k);
      }
    }
  }

  const HullPoint& best() const { return best_; }

 private:
  bool improves(const Vector3& point) const {
    return best_.squared_norm < 0.0 || point.squaredNorm() < best_.squared_norm;
  }

  void set(const Vector3& point, const Vector3& direction) {
    best_.point = point;
    best_.squared_norm = point.squaredNorm();
    best_.weights = {};
    best_.direction = direction;
  }

  void vertex(int i) {
    if (!improves(p_[i])) return;
    set(p_[i], p_[i]);
    best_.weights[i] = 1.0;
  }

  void edge(int i, int j) {
    const Vector3 d = p_[j] - p_[i];
    const double dd = d.squaredNorm();
    if (!(dd > 0.0)) return;
    const double s = -p_[i].dot(d) / dd;
    if (!(s > 0.0 && s < 1.0)) return;
    const Vector3 point = (1.0 - s) * p_[i] + s * p_[j];
    if (!improves(point)) return;
    // Made orthogonal to the edge once more: `point` is a difference of long vectors where the edge is long.
    set(point, point - (point.dot(d) / dd) * d);
    best_.weights[i] = 1.0 - s;
    best_.weights[j] = s;
  }

  void triangle(int i, int j, int k) {
    const Vector3 n = (p_[j] - p_[i]).cross(p_[k] - p_[i]);
    const double w0 = p_[j].cross(p_[k]).dot(n), w1 = p_[k].cross(p_[i]).dot(n),
                 w2 = p_[i].cross(p_[j]).dot(n);
    const double sum = w0 + w1 + w2;
    if (!(w0 >= 0.0 && w1 >= 0.0 && w2 >= 0.0 && sum > 0.0)) return;
    const Vector3 point = (w0 / sum) * p_[i] + (w1 / sum) * p_[j] + (w2 / sum) * p_[k];
    if (!improves(point)) return;
    set(point, n.dot(p_[i]) < 0.0 ? Vector3(-n) : n);
    best_.weights[i] = w0 / sum;
    best_.weights[j] = w1 / sum;
    best_.weights[k] = w2 / sum;
  }

  const std::array<Vector3, 4>& p_;
  HullPoint best_;
};

}  // namespace

HullPoint closest_to_origin(const DifferenceHull& hull) {
  return ClosestSearch(hull).best();
}

std::array<double, 4> feature_weights(FeaturePairKind pair, const std::array<double, 4>& w) {
  if (pair == FeaturePairKind::EdgeEdge) {
    const double s = std::min(1.0, w[2] + w[3]), r = std::min(1.0, w[1] + w[3]);
    return {1.0 - s, s, 1.0 - r, r};
  }
  return {1.0, w[0], w[1], w[2]};
}

double largest_coordinate(const LinearMotion4& motion, int points) {
  double largest = 0.0;
  for (int i = 0; i < points; ++i) {
    for (int k = 0; k < 3; ++k) {
      largest = std::max(largest, std::max(std::abs(motion.t0[i][k]), std::abs(motion.t1[i][k])));
    }
  }
  return largest;
}

int scale_exponent(const LinearMotion4& motion, int points) {
  int exponent = 0;
  std::frexp(largest_coordinate(motion, points), &exponent);
  return exponent;
}

Vector3 scaled(const Vector3& v, int exponent) {
  return {std::ldexp(v[0], -exponent), std::ldexp(v[1], -exponent), std::ldexp(v[2], -exponent)};
}

}  // namespace toccata::impact
