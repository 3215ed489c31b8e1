#pragma once
// The triangles that may be nearest to a point of a cell, side by side, and what all of them say of it: in
// lanes, and the same bits on all instruction sets.
#include <cmath>
#include <cstdint>
#include <vector>

#include "toccata/base/vector.hpp"
#include "toccata/elementary/triangle.hpp"

namespace toccata::field {

// Eight triangles as columns; slots that are not used repeat one that is. What all places need of a triangle
// is kept with it: divisions and roots are what looking at one costs.
struct TriangleBlock {
  static constexpr std::size_t width = 8, rows = 15;
  // Rows 0 to 8: the corners. 9 to 11: one by the squared lengths of the sides from corners 0, 1 and 2 to the
  // next. 12 to 14: the unit normal, or zero of what is hardly a triangle.
  alignas(64) double row[rows][width];
};

class CellTriangles {
 public:
  // All triangles that come so near to this place are here.
  struct About {
    Vector3 middle = Vector3::Zero();
    double radius = 0.0;
  };
  About about;
  // The first so many are those that are likely to be nearest to some point of the cell.
  std::size_t likely = 0;
  double reach_at(const Vector3& place) const {
    return about.radius - (place - about.middle).norm() * (1.0 + 1e-12);
  }

  void clear();
  void add(std::int32_t id, const Triangle& triangle);
  void add(const CellTriangles& other, std::size_t at);
  void close();  // after the last one, before any look

  std::size_t size() const { return ids_.size(); }
  std::int32_t id(std::size_t at) const { return ids_[at]; }
  Triangle triangle(std::size_t at) const;
  const TriangleBlock* blocks() const { return blocks_.data(); }
  static std::size_t blocks_for(std::size_t count) {
    return (count + TriangleBlock::width - 1) / TriangleBlock::width;
  }

 private:
  void fill(std::size_t at, const double* rows, std::size_t count, std::size_t apart);

  std::vector<TriangleBlock> blocks_;  // more than are used, perhaps
  std::vector<std::int32_t> ids_;
  bool has_corners_only_ = false;
};

// A quadratic function about the middle of a cube: value + slope . z + at most `bulge` for z in the cube.
struct CurvePiece {
  Vector3 middle = Vector3::Zero();
  double half = 0.0;  // of a side
  double value = 0.0;
  Vector3 slope = Vector3::Zero();
  double bulge = 0.0;
};

// Of each triangle T, room for a whole number of blocks.
struct TriangleLook {
  std::vector<double> gap;          // to a point of T, the nearest
  std::vector<double> low;          // no point of T is nearer to the middle
  std::vector<double> over;         // the function is nowhere in the cube above the distance from T by more
  std::vector<double> over_turned;  // of the function times -1, where that was asked for
  // Of all of them, the least.
  double least_gap = 0.0, least_low = 0.0;
  std::size_t nearest() const;  // the first with the least gap
  void resize(std::size_t blocks);
};

// For a unit vector u, d_T(x) >= u . (x - middle) + m with m = min over T's corners of u . (middle - corner).
// The function is above that by at most value - m + half |slope - u|_1 + bulge. Tried are the way from T's
// nearest point, the slope itself, and T's normal both ways: `over` is the least of these. Roundings are
// some 2^-53 of the lengths.
void look_at_triangles(const CellTriangles& triangles, const CurvePiece& piece, TriangleLook& look);
// And of a plane with its sign turned. precondition: no bulge
void look_on_both_sides(const CellTriangles& triangles, const CurvePiece& plane, TriangleLook& look);

// How far each one's corners are from a place, by the sum of coordinates.
void farthest_corners(const CellTriangles& triangles, const Vector3& place, std::vector<double>& farthest);

// How near to the middle of a cell a triangle is that is likely to be nearest to one of its points.
inline double likely_reach(double gap, double reach) {
  return std::sqrt(gap * gap + 3.0 * reach * reach);
}

// How far a place is from the nearest of the first so many, up to 1e-12 of the lengths.
double least_gap(const CellTriangles& triangles, const Vector3& place, std::size_t count);

// The same with a sign: on which side of the nearest one's plane the place is, planes turned towards `up`.
// A guess: edges that two of them share are not looked at.
double likely_height(const CellTriangles& triangles, const Vector3& place, const Vector3& up,
                     std::size_t count);

// The distance of one of them from the eight corners of a cube.
void corner_gaps(const CellTriangles& triangles, std::size_t which, const Vector3& middle, double half,
                 double* gaps);

}  // namespace toccata::field
