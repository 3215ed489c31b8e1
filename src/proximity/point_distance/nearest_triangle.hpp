#pragma once
// The triangle of a mesh nearest to a point.
#include <cstdint>
#include <span>
#include <vector>

#include "hierarchy/ray_tree.hpp"
#include "proximity/point_distance/triangle_columns.hpp"
#include "toccata/elementary/point_triangle.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::point_distance {

struct NearestTriangle {
  std::int32_t triangle = -1;  // the lowest number among equals; -1: farther than the limit
  PointTriangleDistance nearest;
  double lower = 0.0;  // proven: no triangle is nearer,
  double upper = 0.0;  // and this one is no farther
  // Where the nearest point is in the face of a triangle whose coordinates are the world's: its unit normal.
  Vector3 normal = Vector3::Zero();
};

// Keeps its memory, and where it was last: points near each other should follow one another. The answer does
// not depend on that. One thread.
class NearestTriangleSearch {
 public:
  // walked: ray_tree_at_once, for many questions; else it is used once it pays, for exact ones.
  // precondition: the shape is a mesh; it must outlive the search
  explicit NearestTriangleSearch(const PlacedShape& placed, const hierarchy::RayTree* walked = nullptr);

  // precondition: the point is finite
  NearestTriangle operator()(const Vector3& point, double limit) { return found(point, limit, 0.0); }

  // A triangle that is farther than the nearest by at most `slack`: the bounds are of the nearest, and
  // `upper` of this one.
  NearestTriangle almost(const Vector3& point, double slack);

  // Of the last search, if it found a triangle with `upper` within the limit: no other one may be nearest,
  // or as near as the nearest. In no order.
  std::span<const std::int32_t> may_be_nearest() const { return may_be_nearest_; }

  // The tree of rays, if there is one by now.
  const hierarchy::RayTree* walked() const { return walked_; }

  // Where the next search begins: a triangle that is likely to be near.
  void start_at(std::int32_t triangle) { last_ = triangle; }

 private:
  NearestTriangle found(const Vector3& point, double limit, double slack);

  struct Entry {
    float gap;
    std::int32_t child;
  };
  struct Candidate {
    double low;
    std::int32_t triangle;
  };

  Triangle in_world(std::int32_t triangle) const;
  void look_at_columns();
  void add(std::int32_t triangle);
  void open(const Vector3& point, std::int32_t node);
  bool is_walked(const Vector3& in_tree);
  void open_all(const Vector3& in_tree);
  void begin_at_last();
  void walk(const Vector3& in_tree);
  NearestTriangle nearest_of_candidates(const Vector3& point);

  const PlacedShape& placed_;
  const hierarchy::RayTree* walked_;  // null: not yet
  bool is_walked_at_once_;
  bool is_in_place_;       // the world's coordinates are the body's
  double scale_ = 1.0;     // a power of two, about 1 / radius
  double placement_;       // how far the frames may lead a point astray
  Vector3 seen_;           // the point in the body's coordinates
  double error_ = 0.0;     // of it
  double high_ = 0.0;      // the nearest triangle is no farther than this
  double slack_ = 0.0;     // and those nearer by no more than that need not be found
  std::int32_t last_ = 0;  // the last answer
  std::int32_t ids_[TriangleColumns::width];
  TriangleColumns columns_;
  std::vector<Entry> stack_;
  std::vector<Candidate> candidates_;
  std::vector<Candidate> nearly_;  // by single precision
  std::vector<std::int32_t> may_be_nearest_;
};

}  // namespace toccata::point_distance
