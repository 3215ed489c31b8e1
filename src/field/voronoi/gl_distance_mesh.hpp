#pragma once
// The distance to a site over a plane, as a mesh: what Hoff et al. draw for each site.
//
// The distance to a convex site is convex, and so is what lies between a linear function and it: with h =
// mesh
// - distance >= 0 concave on an edge, h is nowhere more than twice what it is in the middle; on a triangle
// nowhere more than three times what it is at the centroid. Edges are cut where the middle is off by more
// than half the error, triangles by more than a third: so the mesh is never below the distance, and never
// more than the error above it. An edge is cut or not whatever the triangle, so there are no gaps.
#include <array>
#include <span>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata::voronoi {

// value = scale * distance - shift, of a point, a segment or a triangle (1 to 3 corners).
struct ConvexSite {
  std::array<Vector3, 3> corner = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
  int corners = 1;
  double scale = 1.0;
  double shift = 0.0;

  double value(const Vector3& point) const;
};

struct PlaneBox {
  Vector2 lower = Vector2::Zero();
  Vector2 upper = Vector2::Zero();
};

struct MeshPoint {
  Vector2 place = Vector2::Zero();
  double value = 0.0;
};

// Three points a triangle, over the box at height z.
class DistanceMesh {
 public:
  explicit DistanceMesh(double error) : error_(error) {}

  void build(const ConvexSite& site, double z, const PlaneBox& box);
  std::span<const MeshPoint> points() const { return points_; }

 private:
  using Polygon = std::vector<Vector2>;
  struct Corners {
    MeshPoint a, b, c;
  };

  void cut_along(const Vector2& p, const Vector2& q);
  void include(const Vector2& p);
  void lay_creases(const ConvexSite& site, double z);
  void refine(const Corners& triangle, int depth);
  MeshPoint at(const Vector2& place) const;
  bool is_off(const MeshPoint& a, const MeshPoint& b) const;

  double error_;
  const ConvexSite* site_ = nullptr;
  double z_ = 0.0;
  std::vector<Polygon> pieces_;
  std::vector<Vector2> apexes_;
  std::vector<MeshPoint> points_;
};

}  // namespace toccata::voronoi
