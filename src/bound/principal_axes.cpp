#include "toccata/bound/principal_axes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <vector>

#include "toccata/bound/convex_hull_of.hpp"

namespace toccata {
namespace {

// The hull of all points would cost n log n at every node; 26 extreme ones fix the axes nearly as well. Axes
// are only a choice: the volume that is fitted along them encloses all points whatever they are.
constexpr std::size_t hull_points = 32;

Matrix3 orthonormal(const Vector3& first, const Vector3& second) {
  Matrix3 axes;
  axes.col(0) = first.norm() > 0.0 ? Vector3(first.normalized()) : Vector3(Vector3::UnitX());
  Vector3 v = second;
  // Twice is enough: the second pass removes what the rounding of the first left.
  for (int pass = 0; pass < 2; ++pass) v -= v.dot(axes.col(0)) * axes.col(0);
  if (!(v.norm() > 1e-12 * second.norm())) {  // parallel up to rounding: any axis across will do
    Eigen::Index k = 0;
    axes.col(0).cwiseAbs().minCoeff(&k);
    v = Vector3::Unit(k);
    v -= v.dot(axes.col(0)) * axes.col(0);
  }
  v.normalize();
  v -= v.dot(axes.col(0)) * axes.col(0);
  axes.col(1) = v.normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1)).normalized();
  return axes;
}

// The points farthest along the coordinate axes and the diagonals of the cube.
std::vector<Vector3> extreme_points(std::span<const Vector3> points) {
  static const std::array<Vector3, 13> directions = {
      Vector3(1, 0, 0),  Vector3(0, 1, 0),   Vector3(0, 0, 1), Vector3(1, 1, 1),  Vector3(1, 1, -1),
      Vector3(1, -1, 1), Vector3(1, -1, -1), Vector3(1, 1, 0), Vector3(1, -1, 0), Vector3(1, 0, 1),
      Vector3(1, 0, -1), Vector3(0, 1, 1),   Vector3(0, 1, -1)};
  std::vector<Vector3> result;
  for (const Vector3& d : directions) {
    const Vector3* low = &points[0];
    const Vector3* high = &points[0];
    double lowest = d.dot(*low), highest = lowest;
    for (const Vector3& p : points) {
      const double h = d.dot(p);
      if (h < lowest) lowest = h, low = &p;
      if (h > highest) highest = h, high = &p;
    }
    result.push_back(*low);
    result.push_back(*high);
  }
  return result;
}

// Flat or straight sets: along the longest distance from the first point, then across it.
Matrix3 flat_axes(std::span<const Vector3> points) {
  const auto farthest = [&](const Vector3& from) {
    const Vector3* best = &points[0];
    for (const Vector3& p : points) {
      if ((p - from).squaredNorm() > (*best - from).squaredNorm()) best = &p;
    }
    return *best;
  };
  const Vector3 start = farthest(points[0]);
  const Vector3 along = farthest(start) - start;
  const double squared_length = along.squaredNorm();
  Vector3 across = Vector3::Zero();
  for (const Vector3& p : points) {
    const Vector3 offset = p - start;
    if (!(squared_length > 0.0)) break;
    const Vector3 side = offset - offset.dot(along) / squared_length * along;
    if (side.squaredNorm() > across.squaredNorm()) across = side;
  }
  return orthonormal(along, across);
}

// Second moments of the surface about its centroid, relative to its first vertex.
Matrix3 surface_covariance(const ConvexHull& hull) {
  const std::vector<Vector3>& points = hull.vertices;
  double area = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (const Face& f : hull.faces) {
    const Vector3 p = points[f[0]] - points[0], q = points[f[1]] - points[0], r = points[f[2]] - points[0];
    const double a = 0.5 * (q - p).cross(r - p).norm();
    const Vector3 sum = p + q + r;
    area += a;
    first += a / 3.0 * sum;
    second += a / 12.0 * (sum * sum.transpose() + p * p.transpose() + q * q.transpose() + r * r.transpose());
  }
  if (!(area > 0.0)) return Matrix3::Zero();
  first /= area;
  return second / area - first * first.transpose();
}

}  // namespace

Matrix3 principal_axes(std::span<const Vector3> all_points) {
  std::vector<Vector3> reduced;
  std::span<const Vector3> points = all_points;
  if (points.size() > hull_points) {
    reduced = extreme_points(points);
    points = reduced;
  }
  if (points.size() <= 3) return flat_axes(points);
  const auto hull = convex_hull_of(points);
  if (!hull || hull->planes.empty() || hull->planes.back() < 3)
    return flat_axes(points);  // a polygon has two
  const Matrix3 covariance = surface_covariance(*hull);
  if (!covariance.allFinite()) return flat_axes(points);
  // Eigenvalues increase: the longest axis is the last one.
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(covariance);
  return orthonormal(solver.eigenvectors().col(2), solver.eigenvectors().col(1));
}

}  // namespace toccata
