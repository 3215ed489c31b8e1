#include "oracle/convex_oracle.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "toccata/bound/convex_hull_of.hpp"

namespace toccata::oracle {
namespace {

using LongMatrix = Eigen::Matrix<long double, 3, 3>;

std::vector<Vector3> corners_of(const ConvexSet& set) {
  std::vector<Vector3> corners;
  for (std::int32_t i = 0; i < corner_count(set); ++i) corners.push_back(corner_of(set, i));
  return corners;
}

// A core in b's coordinates.
class LongCore {
 public:
  LongCore(const ConvexSet& set, const Pose* pose) : set_(set) {
    if (is_polytope(set)) {
      for (const Vector3& p : corners_of(set))
        corners_.push_back((pose != nullptr ? pose->apply(p) : p).cast<long double>());
    } else if (pose != nullptr) {
      rotation_ = pose->rotation.cast<long double>();
      translation_ = pose->translation.cast<long double>();
    }
  }

  LongVector farthest(const LongVector& d) const {
    if (!corners_.empty()) {
      return *std::max_element(corners_.begin(), corners_.end(),
                               [&](const LongVector& p, const LongVector& q) { return p.dot(d) < q.dot(d); });
    }
    return rotation_ * curved(rotation_.transpose() * d) + translation_;
  }

 private:
  LongVector curved(const LongVector& d) const {
    const LongVector half = set_.half.cast<long double>();
    if (set_.core == Core::Ellipsoid) {
      const LongVector scaled = half.cwiseProduct(d);
      const long double norm = scaled.norm();
      return norm > 0.0L ? LongVector(half.cwiseProduct(scaled) / norm) : LongVector(LongVector::Zero());
    }
    const long double across = std::sqrt(d.x() * d.x() + d.y() * d.y());
    const long double x = across > 0.0L ? half.x() * d.x() / across : half.x();
    const long double y = across > 0.0L ? half.x() * d.y() / across : 0.0L;
    if (set_.core == Core::Cylinder) return {x, y, d.z() < 0.0L ? -half.z() : half.z()};
    const LongVector tip(0.0L, 0.0L, half.z()), rim(x, y, -half.z());
    return tip.dot(d) > rim.dot(d) ? tip : rim;
  }

  const ConvexSet& set_;
  std::vector<LongVector> corners_;
  LongMatrix rotation_ = LongMatrix::Identity();
  LongVector translation_ = LongVector::Zero();
};

struct LongDifference {
  LongCore a, b;
  LongVector farthest_against(const LongVector& d) const { return a.farthest(-d) - b.farthest(d); }
};

// Least-squares weights of the affine hull of up to four points by Gauss elimination with pivoting; false if
// the points are dependent or a weight is not positive.
bool affine_nearest(const std::vector<LongVector>& p, LongVector& nearest) {
  const int n = static_cast<int>(p.size());
  if (n == 1) {
    nearest = p[0];
    return true;
  }
  Eigen::Matrix<long double, 3, Eigen::Dynamic> e(3, n - 1);
  for (int i = 1; i < n; ++i) e.col(i - 1) = p[i] - p[0];
  // Orthonormal basis of the edges, twice orthogonalised.
  nearest = p[0];
  Eigen::Matrix<long double, 3, Eigen::Dynamic> basis(3, n - 1);
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> r =
      Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>::Zero(n - 1, n - 1);
  for (int i = 0; i < n - 1; ++i) {
    LongVector v = e.col(i);
    const long double size = v.norm();
    for (int pass = 0; pass < 2; ++pass) {
      for (int k = 0; k < i; ++k) {
        const long double share = v.dot(basis.col(k));
        r(k, i) += share;
        v -= share * basis.col(k);
      }
    }
    const long double length = v.norm();
    if (!(length > 1e-18L * size)) return false;
    r(i, i) = length;
    basis.col(i) = v / length;
  }
  Eigen::Matrix<long double, Eigen::Dynamic, 1> right(n - 1);
  for (int i = 0; i < n - 1; ++i) right(i) = -basis.col(i).dot(p[0]);
  for (int i = n - 2; i >= 0; --i) {
    for (int k = i + 1; k < n - 1; ++k) right(i) -= r(i, k) * right(k);
    right(i) /= r(i, i);
  }
  long double rest = 1.0L;
  for (int i = 0; i < n - 1; ++i) {
    if (!(right(i) > 0.0L)) return false;
    rest -= right(i);
    nearest += right(i) * e.col(i);
  }
  if (!(rest > 0.0L)) return false;
  // Orthogonal to the edges, which the sum is only to rounding.
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < n - 1; ++i) nearest -= nearest.dot(basis.col(i)) * basis.col(i);
  }
  return true;
}

// The nearest point over all parts of the simplex, which is reduced to the part that has it.
LongVector nearest_of(std::vector<LongVector>& simplex) {
  LongVector best = LongVector::Zero();
  long double squared = std::numeric_limits<long double>::infinity();
  std::vector<LongVector> kept;
  for (int set = 1; set < 1 << simplex.size(); ++set) {
    std::vector<LongVector> part;
    for (std::size_t i = 0; i < simplex.size(); ++i) {
      if ((set >> i & 1) != 0) part.push_back(simplex[i]);
    }
    LongVector nearest;
    if (!affine_nearest(part, nearest) || !(nearest.squaredNorm() < squared)) continue;
    squared = nearest.squaredNorm();
    best = nearest;
    kept = part;
  }
  simplex = kept;
  return best;
}

}  // namespace

ConvexTruth convex_distance_truth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b) {
  const LongDifference difference{LongCore(a, &a_to_b), LongCore(b, nullptr)};
  LongVector d = a_to_b.translation.cast<long double>() + LongVector(1e-9L, 2e-9L, 3e-9L);
  std::vector<LongVector> simplex = {difference.farthest_against(d)};
  const long double scale = core_reach(a) + core_reach(b) + a_to_b.translation.norm();
  ConvexTruth truth;
  truth.upper = std::numeric_limits<long double>::infinity();
  for (int i = 0; i < 1000; ++i) {
    const LongVector v = nearest_of(simplex);
    const long double length = v.norm();
    truth.upper = std::min(truth.upper, length);
    if (simplex.size() == 4 || length <= 1e-19L * scale) break;
    const LongVector w = difference.farthest_against(v);
    truth.lower = std::max(truth.lower, v.dot(w) / length);
    if (truth.upper - truth.lower <= 1e-18L * scale) break;
    if (std::find(simplex.begin(), simplex.end(), w) != simplex.end()) break;
    simplex.push_back(w);
  }
  const long double radii = static_cast<long double>(a.radius) + b.radius;
  truth.lower = std::max(truth.lower - radii - 1e-18L * scale, 0.0L);
  truth.upper = std::max(truth.upper - radii + 1e-18L * scale, 0.0L);
  return truth;
}

long double gap_along(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, const Vector3& direction) {
  const LongVector d = direction.cast<long double>();
  const LongCore of_a(a, &a_to_b), of_b(b, nullptr);
  return (of_b.farthest(-d).dot(d) - of_a.farthest(d).dot(d)) / d.norm() - a.radius - b.radius;
}

long double polytope_depth_truth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b) {
  std::vector<Vector3> corners[2] = {corners_of(a), corners_of(b)};
  for (Vector3& p : corners[0]) p = a_to_b.apply(p);
  std::vector<LongVector> axes, edges[2];
  for (int side = 0; side < 2; ++side) {
    const ConvexHull hull = convex_hull_of(corners[side]).value();
    for (const Face& face : hull.faces) {
      LongVector p[3];
      for (int i = 0; i < 3; ++i) p[i] = hull.vertices[face[i]].cast<long double>();
      axes.push_back((p[1] - p[0]).cross(p[2] - p[0]));
      for (int i = 0; i < 3; ++i) {
        const int next = (i + 1) % 3;
        if (face[i] < face[next]) edges[side].push_back(p[next] - p[i]);
      }
    }
  }
  for (const LongVector& e : edges[0]) {
    for (const LongVector& f : edges[1]) axes.push_back(e.cross(f));
  }
  const LongCore of_a(a, &a_to_b), of_b(b, nullptr);
  long double least = std::numeric_limits<long double>::infinity();
  for (const LongVector& axis : axes) {
    const long double length = axis.norm();
    if (!(length > 0.0L)) continue;
    const LongVector n = axis / length;
    for (const LongVector& d : {n, LongVector(-n)})
      least = std::min(least, of_a.farthest(d).dot(d) - of_b.farthest(-d).dot(d));
  }
  return std::max(least + a.radius + b.radius, 0.0L);
}

}  // namespace toccata::oracle
