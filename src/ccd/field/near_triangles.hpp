#pragma once
// The triangles around a place, and how long a point that moves among them stays free of each.
#include <cstdint>
#include <vector>

#include "hierarchy/ray_tree.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/elementary/point_triangle.hpp"

namespace toccata::field {

// Eight triangles as columns, relative to the middle of the list.
struct NearColumns {
  static constexpr int width = 8;
  alignas(64) double corner[3][3][width];  // corner[i][coordinate][column]
};

// How a point moves from now on, for 0 <= delta <= the time asked for: it is within
// slack delta + bend delta^2 / 2 of offset + delta velocity.
struct NearMotion {
  Vector3 offset = Vector3::Zero();  // from the middle of the list
  Vector3 velocity = Vector3::Zero();
  double slack = 0.0;
  double bend = 0.0;
  double taken = 0.0;  // off every distance: a minimum distance, and what rounding does
};

struct NearLook {
  double lower = 0.0;  // proven bounds of the least distance, nothing taken off
  double upper = 0.0;
  double step = 0.0;  // so long all distances stay above what is taken
};

// One triangle T, the point at p, u a unit vector from p towards T: nothing of T is nearer along u than m,
// the least of u . (corner - p). So for a point that moves, d_T >= m - delta (u . velocity + slack) - bend
// delta^2 / 2, whatever u is; it is the way to T's nearest point. Twelve roundings of the corners are taken
// off m. `upper` is right to 1e-12 of the corners (see triangle_columns.hpp).
// lowers: null, or room for the bounds of all columns.
NearLook look_at_near(const NearColumns* blocks, std::size_t count, const NearMotion& motion,
                      double* lowers = nullptr);

// Of a mesh, in its own coordinates. One thread.
class NearTriangles {
 public:
  // walked: the tree of rays, which lists triangles in half of the time, or null.
  NearTriangles(const ShapeData& data, const hierarchy::RayTree* walked) : data_(data), walked_(walked) {}

  // All triangles that come within `radius` of the middle: false if those are too many to be of use.
  // precondition: the middle is no farther from the mesh than some of its size
  bool collect(const Vector3& middle, double radius);
  void clear() { radius_ = 0.0; }

  // About how far a triangle of the mesh is.
  double distance_of(std::int32_t triangle, const Vector3& point) const;

  bool is_empty() const { return ids_.empty(); }
  const Vector3& middle() const { return middle_; }
  // Nothing but the list is nearer to the middle. 0: no list.
  double radius() const { return radius_; }

  NearLook look(const NearMotion& motion) const {
    return look_at_near(blocks_.data(), blocks_.size(), motion);
  }
  // Of the list; of equals the lowest number. precondition: not empty
  struct Nearest {
    std::int32_t triangle = -1;
    PointTriangleDistance nearest;
  };
  Nearest nearest(const Vector3& point);

 private:
  // Those that come within the radius, and some more; false: too many.
  bool list_walked(const Vector3& in_tree, double padding, double radius);
  bool list_boxes(const Vector3& in_tree, double padding, double radius);

  const ShapeData& data_;
  const hierarchy::RayTree* walked_;
  Vector3 middle_ = Vector3::Zero();
  double radius_ = 0.0;
  std::vector<std::int32_t> ids_;
  std::vector<NearColumns> blocks_;
  std::vector<std::int32_t> stack_;
  std::vector<double> lowers_;
};

}  // namespace toccata::field
