#include "proximity/single_sets.hpp"

#include <algorithm>

#include "proximity/convex/core_pair.hpp"
#include "proximity/convex/xyz.hpp"
#include "proximity/piece_bracket.hpp"
#include "proximity/world_triangle.hpp"

namespace toccata::proximity {

void tell_sets_apart(const PlacedShape& a, const PlacedShape& b, const convex::ConvexDistance& bracket,
                     double limit, DistanceResult& result) {
  result.stats.piece_pairs = 1;
  result.lower_distance = std::max(0.0, bracket.lower - pose_error(a, b));
  if (bracket.upper > limit) return;
  result.distance = bracket.upper;
  const convex::Xyz middle = applied(b.pose, convex::plain(b.shape.data().center));
  const auto in_world = [&](const Vector3& p) {
    return vector(turned(b.pose.rotation, convex::plain(p)) + middle);
  };
  Contact& contact = result.contact;
  contact.point_a = in_world(bracket.point_a);
  contact.point_b = in_world(bracket.point_b);
  contact.normal = vector(turned(b.pose.rotation, convex::plain(bracket.direction)));
  contact.distance = bracket.upper;
  contact.feature_a = feature_of_corners(bracket.features.vertex_a, bracket.features.count);
  contact.feature_b = feature_of_corners(bracket.features.vertex_b, bracket.features.count);
}

}  // namespace toccata::proximity
