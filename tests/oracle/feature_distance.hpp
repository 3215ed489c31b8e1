#pragma once
// The distance of two features at rest, in floating point: the smallest over face, edges and vertices, each
// by the textbook formula. For plausibility checks of times, not for decisions.
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/impact_oracle.hpp"

namespace toccata::oracle {

using Points4 = std::array<Vector3, 4>;

inline Points4 positions_at(const LinearMotion4& motion, double t) {
  Points4 x;
  for (std::size_t i = 0; i < 4; ++i) x[i] = (1 - t) * motion.t0[i] + t * motion.t1[i];
  return x;
}

inline double vertex_edge_distance(const Vector3& v, const Vector3& a, const Vector3& b) {
  const Vector3 e = b - a;
  const double length = e.squaredNorm();
  const double s = length > 0 ? std::clamp(e.dot(v - a) / length, 0.0, 1.0) : 0.0;
  return (v - a - s * e).norm();
}

inline double vertex_face_distance(const Points4& x) {
  double d = vertex_edge_distance(x[0], x[1], x[2]);
  d = std::min(d, vertex_edge_distance(x[0], x[2], x[3]));
  d = std::min(d, vertex_edge_distance(x[0], x[3], x[1]));
  const Vector3 n = (x[2] - x[1]).cross(x[3] - x[1]);
  const double area = n.squaredNorm();
  if (area == 0) return d;
  const bool inside = n.dot((x[2] - x[1]).cross(x[0] - x[1])) >= 0 &&
                      n.dot((x[3] - x[2]).cross(x[0] - x[2])) >= 0 &&
                      n.dot((x[1] - x[3]).cross(x[0] - x[3])) >= 0;
  return inside ? std::min(d, std::abs(n.dot(x[0] - x[1])) / std::sqrt(area)) : d;
}

inline double edge_edge_distance(const Points4& x) {
  double d = vertex_edge_distance(x[0], x[2], x[3]);
  d = std::min(d, vertex_edge_distance(x[1], x[2], x[3]));
  d = std::min(d, vertex_edge_distance(x[2], x[0], x[1]));
  d = std::min(d, vertex_edge_distance(x[3], x[0], x[1]));
  const Vector3 u = x[1] - x[0], w = x[3] - x[2], p = x[2] - x[0], n = u.cross(w);
  const double area = n.squaredNorm();
  if (area == 0) return d;
  const double s = p.cross(w).dot(n) / area, r = p.cross(u).dot(n) / area;
  const bool inside = s >= 0 && s <= 1 && r >= 0 && r <= 1;
  return inside ? std::min(d, std::abs(n.dot(p)) / std::sqrt(area)) : d;
}

inline double feature_distance(FeaturePairKind pair, const Points4& x) {
  switch (pair) {
    case FeaturePairKind::VertexFace:
      return vertex_face_distance(x);
    case FeaturePairKind::EdgeEdge:
      return edge_edge_distance(x);
    case FeaturePairKind::VertexEdge:
      return vertex_edge_distance(x[0], x[1], x[2]);
    case FeaturePairKind::VertexVertex:
      return (x[1] - x[0]).norm();
  }
  return 0;
}

}  // namespace toccata::oracle
