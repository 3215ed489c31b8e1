#pragma once
// Where does a ray meet a triangle? Whether it does is exact (orientation signs); the parameter is rounded.
#include "toccata/elementary/triangle.hpp"

namespace toccata {

struct Ray {
  Vector3 origin = Vector3::Zero();
  Vector3 direction = Vector3::UnitX();  // any non-zero length; points are origin + parameter * direction
};

enum class RayHit : std::uint8_t {
  Miss,      // the ray does not meet the triangle
  Interior,  // it crosses the open triangle
  Boundary,  // it meets an edge or a corner, transversally to the plane
  Coplanar,  // it lies in the triangle's plane (or the triangle is degenerate) and meets it
};

struct RayTriangleResult {
  RayHit hit = RayHit::Miss;
  double parameter = 0.0;  // >= 0; holds when hit is not Miss: the first common point
};

RayTriangleResult ray_triangle(const Ray& ray, const Triangle& triangle);

}  // namespace toccata
