#include "impact/contact_geometry.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "impact/difference_hull.hpp"

namespace toccata::impact {
namespace {

// The vector over a power of two close to its size, so that its square is safe.
Vector3 normalised_size(const Vector3& v) {
  const double largest = v.cwiseAbs().maxCoeff();
  if (largest == 0.0 || (largest > 1e-60 && largest < 1e60)) return v;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return scaled(v, exponent);
}

Vector3 unit_or_zero(const Vector3& v) {
  const Vector3 w = normalised_size(v);
  const double n = w.norm();
  return n > 0.0 ? Vector3(w / n) : Vector3(Vector3::Zero());
}

// The direction orthogonal to both edges; zero if they are parallel to within rounding.
Vector3 common_normal(const Vector3& e, const Vector3& f) {
  constexpr double parallel = 1e-26;  // of the product of squared lengths: rounding only
  const Vector3 u = normalised_size(e), w = normalised_size(f);
  const Vector3 n = u.cross(w);
  if (n.squaredNorm() <= parallel * u.squaredNorm() * w.squaredNorm()) return Vector3::Zero();
  return unit_or_zero(n);
}

// Whether the formulas for the interior of both features are good to about 1e-10: the edges are longer than
// the rounding of their ends and not nearly parallel. n = e x f.
bool well_conditioned(const Vector3& e, const Vector3& f, const Vector3& n, double largest) {
  const double ee = e.squaredNorm(), ff = f.squaredNorm(), shortest = 1e-5 * largest;
  return std::min(ee, ff) > shortest * shortest && n.squaredNorm() > 1e-10 * (ee * ff);
}

bool interior_of_face(const std::array<Vector3, 4>& at, double largest, std::array<double, 4>& weights) {
  const Vector3 a = at[1] - at[0], b = at[2] - at[0], c = at[3] - at[0];
  const Vector3 e = at[2] - at[1], f = at[3] - at[1];
  const Vector3 n = e.cross(f);
  if (!well_conditioned(e, f, n, largest)) return false;
  const double w0 = b.cross(c).dot(n), w1 = c.cross(a).dot(n), w2 = a.cross(b).dot(n);
  if (!(w0 >= 0.0 && w1 >= 0.0 && w2 >= 0.0)) return false;
  const double scale = 1.0 / (w0 + w1 + w2);
  weights = {1.0, w0 * scale, w1 * scale, w2 * scale};
  return true;
}

bool interior_of_edges(const std::array<Vector3, 4>& at, double largest, std::array<double, 4>& weights) {
  const Vector3 a = at[1] - at[0], e = at[3] - at[2], r = at[2] - at[0];
  const Vector3 n = a.cross(e);
  const double nn = n.squaredNorm();
  if (!well_conditioned(a, e, n, largest)) return false;
  const double s = r.cross(e).dot(n) / nn, q = r.cross(a).dot(n) / nn;
  if (!(s >= 0.0 && s <= 1.0 && q >= 0.0 && q <= 1.0)) return false;
  weights = {1.0 - s, s, 1.0 - q, q};
  return true;
}

// Weights by the closest points of the features. At a contact these are where they meet; with degenerate or
// nearly parallel features the best of all vertices, edges and faces is still exact to rounding.
std::array<double, 4> closest_weights(FeaturePairKind pair, const std::array<Vector3, 4>& at,
                                      double largest) {
  std::array<double, 4> weights;
  if (pair == FeaturePairKind::VertexFace && interior_of_face(at, largest, weights)) return weights;
  if (pair == FeaturePairKind::EdgeEdge && interior_of_edges(at, largest, weights)) return weights;
  DifferenceHull hull = difference_hull(pair, at);
  double size = 0.0;
  for (int i = 0; i < hull.size; ++i) size = std::max(size, hull.points[i].cwiseAbs().maxCoeff());
  if (size > 0.0 && (size < 1e-60 || size > 1e60)) {
    int exponent = 0;
    std::frexp(size, &exponent);
    for (int i = 0; i < hull.size; ++i) hull.points[i] = scaled(hull.points[i], exponent);
  }
  return feature_weights(pair, closest_to_origin(hull).weights);
}

}  // namespace

void describe_contact(FeaturePairKind pair, const LinearMotion4& motion, bool apart, Impact& impact) {
  // Squares and cubes of coordinates beyond 1e60 leave the range of double: such motions are described
  // after a scaling by a power of two, which is exact.
  const int points = point_count(pair);
  const double t = impact.time;
  const double largest = largest_coordinate(motion, points);
  const bool ordinary = largest > 1e-60 && largest < 1e60;
  const int exponent = ordinary ? 0 : scale_exponent(motion, points);
  std::array<Vector3, 4> at, velocity;
  for (int i = 0; i < points; ++i) {
    const Vector3 p = ordinary ? motion.t0[i] : scaled(motion.t0[i], exponent);
    const Vector3 q = ordinary ? motion.t1[i] : scaled(motion.t1[i], exponent);
    at[i] = (1.0 - t) * p + t * q;
    velocity[i] = q - p;
  }
  impact.weights = closest_weights(pair, at, ordinary ? largest : 1.0);

  // The velocity of the second feature's point relative to the first's, and the way from this to that.
  Vector3 approach = Vector3::Zero();
  Vector3 gap = Vector3::Zero();
  Vector3 point = Vector3::Zero();
  const int first = first_feature_size(pair);
  for (int i = 0; i < points; ++i) {
    const double w = impact.weights[i];
    approach += (i < first ? -w : w) * velocity[i];
    gap += (i < first ? -w : w) * at[i];
    if (i < first) point += w * at[i];
  }
  impact.point = ordinary ? point : scaled(point, -exponent);

  // At a distance the common normal is that of the gap only where both points are inside their features.
  Vector3 normal = Vector3::Zero();
  bool interior = true;
  for (int i = 0; i < points; ++i) interior &= impact.weights[i] > 0.0;
  if (!apart || interior) {
    if (pair == FeaturePairKind::VertexFace) normal = common_normal(at[2] - at[1], at[3] - at[1]);
    if (pair == FeaturePairKind::EdgeEdge) normal = common_normal(at[1] - at[0], at[3] - at[2]);
  }
  // From the first to the second feature: along the gap while there is one, else against the approach.
  const Vector3 towards = apart && !gap.isZero(0.0) ? gap : Vector3(-approach);
  impact.normal = normal.isZero(0.0) ? unit_or_zero(towards) : (towards.dot(normal) < 0.0 ? -normal : normal);
}

}  // namespace toccata::impact
