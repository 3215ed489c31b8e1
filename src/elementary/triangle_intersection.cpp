#include "toccata/elementary/triangle_intersection.hpp"

#include <array>

#include "toccata/elementary/orientation.hpp"

namespace toccata {
namespace {

Vector2 dropped(const Vector3& p, int axis) {
  return {p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

bool overlap_1d(double a0, double a1, double b0, double b1) {
  return std::min(a0, a1) <= std::max(b0, b1) && std::min(b0, b1) <= std::max(a0, a1);
}

bool boxes_overlap(const Segment& a, const Segment& b) {
  for (int k = 0; k < 3; ++k) {
    if (!overlap_1d(a.start[k], a.end[k], b.start[k], b.end[k])) return false;
  }
  return true;
}

// The axis along which the plane of the three points projects without loss, or -1 if they are collinear.
int injective_axis(const Vector3& a, const Vector3& b, const Vector3& c) {
  for (int axis = 0; axis < 3; ++axis) {
    if (orientation_2d(dropped(a, axis), dropped(b, axis), dropped(c, axis)) != 0) return axis;
  }
  return -1;
}

// In the plane, given that the boxes overlap: each segment has the other's ends on both sides (or on its
// line).
bool straddle_2d(const Vector2& a0, const Vector2& a1, const Vector2& b0, const Vector2& b1) {
  if (!overlap_1d(a0.x(), a1.x(), b0.x(), b1.x()) || !overlap_1d(a0.y(), a1.y(), b0.y(), b1.y()))
    return false;
  return orientation_2d(a0, a1, b0) * orientation_2d(a0, a1, b1) <= 0 &&
         orientation_2d(b0, b1, a0) * orientation_2d(b0, b1, a1) <= 0;
}

bool point_in_triangle_2d(const Vector2& p, const Vector2& a, const Vector2& b, const Vector2& c) {
  const int ab = orientation_2d(a, b, p);
  const int bc = orientation_2d(b, c, p);
  const int ca = orientation_2d(c, a, p);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

bool coplanar_intersect(const Segment& segment, const Triangle& t, int axis) {
  const Vector2 p = dropped(segment.start, axis), q = dropped(segment.end, axis);
  const Vector2 a = dropped(t[0], axis), b = dropped(t[1], axis), c = dropped(t[2], axis);
  return point_in_triangle_2d(p, a, b, c) || straddle_2d(p, q, a, b) || straddle_2d(p, q, b, c) ||
         straddle_2d(p, q, c, a);
}

bool intersect_degenerate(const Segment& segment, const Triangle& t) {
  return segment_segment_intersect(segment, {t[0], t[1]}) ||
         segment_segment_intersect(segment, {t[1], t[2]}) || segment_segment_intersect(segment, {t[2], t[0]});
}

// `start_side` and `end_side`: orientation of the segment's ends relative to the triangle's plane.
bool segment_triangle_intersect(const Segment& segment, const Triangle& t, int start_side, int end_side) {
  if (start_side * end_side > 0) return false;
  if (start_side == 0 && end_side == 0) {
    const int axis = injective_axis(t[0], t[1], t[2]);
    return axis < 0 ? intersect_degenerate(segment, t) : coplanar_intersect(segment, t, axis);
  }
  // The segment meets the plane in one point; the signs are those of its barycentric weights.
  const int ab = orientation_3d(segment.start, segment.end, t[0], t[1]);
  const int bc = orientation_3d(segment.start, segment.end, t[1], t[2]);
  if (ab * bc < 0) return false;
  const int ca = orientation_3d(segment.start, segment.end, t[2], t[0]);
  return ca * ab >= 0 && ca * bc >= 0;
}

std::array<int, 3> sides(const Triangle& of, const Triangle& plane) {
  return {orientation_3d(plane[0], plane[1], plane[2], of[0]),
          orientation_3d(plane[0], plane[1], plane[2], of[1]),
          orientation_3d(plane[0], plane[1], plane[2], of[2])};
}

bool on_one_side(const std::array<int, 3>& s) {
  return s[0] != 0 && s[0] == s[1] && s[1] == s[2];
}

bool an_edge_meets(const Triangle& edges_of, const std::array<int, 3>& side, const Triangle& other) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (segment_triangle_intersect({edges_of[i], edges_of[j]}, other, side[i], side[j])) return true;
  }
  return false;
}

bool boxes_apart(const Triangle& a, const Triangle& b) {
  for (int k = 0; k < 3; ++k) {
    if (std::max({a[0][k], a[1][k], a[2][k]}) < std::min({b[0][k], b[1][k], b[2][k]})) return true;
    if (std::max({b[0][k], b[1][k], b[2][k]}) < std::min({a[0][k], a[1][k], a[2][k]})) return true;
  }
  return false;
}

}  // namespace

bool segment_segment_intersect(const Segment& a, const Segment& b) {
  if (!boxes_overlap(a, b)) return false;
  if (orientation_3d(a.start, a.end, b.start, b.end) != 0) return false;
  // Four coplanar points: any three that are not collinear span the plane.
  const std::array<const Vector3*, 4> p = {&a.start, &a.end, &b.start, &b.end};
  constexpr std::array<std::array<int, 3>, 4> triples = {{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}};
  for (const auto& t : triples) {
    const int axis = injective_axis(*p[t[0]], *p[t[1]], *p[t[2]]);
    if (axis < 0) continue;
    return straddle_2d(dropped(a.start, axis), dropped(a.end, axis), dropped(b.start, axis),
                       dropped(b.end, axis));
  }
  return true;  // all on one line, where overlapping boxes are overlapping segments
}

bool segment_triangle_intersect(const Segment& segment, const Triangle& t) {
  return segment_triangle_intersect(segment, t, orientation_3d(t[0], t[1], t[2], segment.start),
                                    orientation_3d(t[0], t[1], t[2], segment.end));
}

bool triangle_triangle_intersect(const Triangle& a, const Triangle& b) {
  if (boxes_apart(a, b)) return false;
  const std::array<int, 3> a_sides = sides(a, b);
  if (on_one_side(a_sides)) return false;
  const std::array<int, 3> b_sides = sides(b, a);
  if (on_one_side(b_sides)) return false;
  return an_edge_meets(a, a_sides, b) || an_edge_meets(b, b_sides, a);
}

}  // namespace toccata
