#pragma once
// Slow answers about placed convex solids in long double, from their plain data alone: GJK that looks at
// every part of its simplex, separating axes tried one by one, and conservative steps in time.
#include <optional>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/geometry/geometry.hpp"

namespace toccata::oracle {

using LongVector = Eigen::Matrix<long double, 3, 1>;
using LongMatrix = Eigen::Matrix<long double, 3, 3>;

// A ball, capsule, box, cylinder, cone, ellipsoid or hull at a pose, whose doubles are taken as exact.
class LongSolid {
 public:
  LongSolid(const Geometry& geometry, const Pose& pose);
  LongSolid(const Geometry& geometry, LongMatrix rotation, LongVector translation);

  // The farthest point of the core (the solid less its radius) along the direction.
  LongVector support(const LongVector& direction) const;
  long double radius() const { return radius_; }
  // The largest distance of a point of the solid from the origin of its own coordinates.
  long double reach() const { return reach_; }
  const LongVector& translation() const { return translation_; }
  // Corners and normals in the world; empty for curved cores.
  std::vector<LongVector> corners() const;
  std::vector<LongVector> edges() const;
  std::vector<LongVector> normals() const;

 private:
  LongVector local_support(const LongVector& d) const;

  Geometry geometry_;
  std::vector<LongVector> points_;  // of cores that are the hull of points
  std::vector<LongVector> edges_, normals_;
  LongMatrix rotation_;
  LongVector translation_;
  long double radius_ = 0.0L;
  long double reach_ = 0.0L;
};

struct SolidGap {
  // Of the distance of the cores less both radii; not known to be right below -(radii): the cores overlap.
  long double lower = 0.0L;
  long double upper = 0.0L;
  bool cores_meet = false;
  LongVector normal = LongVector::Zero();  // unit, from a to b; zero where the cores meet
};

// Narrow to 1e-18 of the lengths for polytopes, to about 1e-15 for curved cores.
SolidGap solid_gap(const LongSolid& a, const LongSolid& b);

// The extent of the gap along a unit direction, radii included: below zero, its size is a depth that is
// enough; above, a distance that is proven.
long double gap_along(const LongSolid& a, const LongSolid& b, const LongVector& direction);

// The least depth of two overlapping solids with corners, over all normals and products of edges. None for
// curved cores.
std::optional<long double> solid_depth(const LongSolid& a, const LongSolid& b);

// a moves by pose(t) = (exp(t spin) R, translation + t velocity), t in [0, 1].
struct LongMotion {
  Geometry geometry;
  Pose pose;
  Vector3 spin = Vector3::Zero();
  Vector3 velocity = Vector3::Zero();

  LongSolid at(long double t) const;
};

// So long after `here`, the state at some time, the gap is proven to stay above `tolerance`.
long double safe_step(const LongMotion& moving, const LongSolid& here, const SolidGap& gap,
                      long double tolerance);

struct CastTruth {
  bool hit = false;
  long double time = 1.0L;       // of the first gap of at most `tolerance`, never after it
  long double least_gap = 0.0L;  // seen on the way
};

CastTruth first_contact_truth(const LongMotion& a, const LongSolid& b, long double tolerance = 1e-8L);

}  // namespace toccata::oracle
