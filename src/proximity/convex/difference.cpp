#include "proximity/convex/difference.hpp"

#include "elementary/hull_index.hpp"

namespace toccata::convex {

std::optional<Pose> Difference::composed_pose(const ConvexSet& set_a, const Pose& set_a_to_b,
                                              const ConvexSet& set_b) {
  Pose pose = set_a_to_b;
  if (set_a.is_placed) pose = pose * set_a.place;
  if (set_b.is_placed) pose = set_b.place.inverse() * pose;
  return pose;
}

// Two products of matrices and vectors, 12 u each of the lengths that enter.
void Difference::add_composition(const Pose& set_a_to_b) {
  double lengths = scale + set_a_to_b.translation.norm();
  if (a->is_placed) lengths += a->place.translation.norm();
  if (b->is_placed) lengths += b->place.translation.norm();
  height_error += 24.0 * unit_roundoff * lengths;
  point_error += 24.0 * unit_roundoff * lengths;
}

namespace {

bool is_climbed(const ConvexSet& set) {
  return set.index != nullptr && !set.index->is_exact();
}

// True: it is the farthest.
bool find_along(const ConvexSet& set, const Vector3& direction, std::int32_t near, Vector3& point,
                std::int32_t& vertex) {
  if (!is_climbed(set)) {
    const Support s = core_support(set, direction);
    point = s.point;
    vertex = s.vertex;
    return true;
  }
  vertex = farthest_vertex(*set.index, direction, near);
  point = set.index->point(vertex);
  return false;
}

}  // namespace

bool Difference::find_against(const Vector3& direction, const DifferencePoint& near,
                              DifferencePoint& found) const {
  Vector3 of_a;
  const bool is_farthest_a =
      find_along(*a, a_to_b.rotation.transpose() * -direction, near.vertex_a, of_a, found.vertex_a);
  const bool is_farthest_b = find_along(*b, direction, near.vertex_b, found.of_b, found.vertex_b);
  found.of_a = a_to_b.apply(of_a);
  found.difference = found.of_a - found.of_b;
  return is_farthest_a && is_farthest_b;
}

void Difference::prove_against(const Vector3& direction, DifferencePoint& found) const {
  std::int32_t vertex_a = found.vertex_a, vertex_b = found.vertex_b;
  if (is_climbed(*a))
    vertex_a = proven_farthest(*a->index, a_to_b.rotation.transpose() * -direction, vertex_a);
  if (is_climbed(*b)) vertex_b = proven_farthest(*b->index, direction, vertex_b);
  if (vertex_a != found.vertex_a) {
    found.vertex_a = vertex_a;
    found.of_a = a_to_b.apply(a->points[static_cast<std::size_t>(vertex_a)]);
  }
  if (vertex_b != found.vertex_b) {
    found.vertex_b = vertex_b;
    found.of_b = b->points[static_cast<std::size_t>(vertex_b)];
  }
  found.difference = found.of_a - found.of_b;
}

}  // namespace toccata::convex
