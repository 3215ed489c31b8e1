#include "proximity/single_sets.hpp"

#include <algorithm>
#include <optional>

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

bool HullBatch::add(const PlacedShape& a, const PlacedShape& b, std::size_t number) {
  const ConvexSet *set_a = a.shape.data().only_set, *set_b = b.shape.data().only_set;
  if (set_a == nullptr || set_b == nullptr || !convex::can_walk_in_lane(*set_a, *set_b)) return false;
  a_[count_] = &a;
  b_[count_] = &b;
  number_[count_++] = number;
  if (count_ == most) answer();
  return true;
}

void HullBatch::answer() {
  std::array<Pose, most> a_to_b;
  std::array<std::optional<convex::Difference>, most> differences;
  std::array<std::size_t, most> walking;
  std::size_t count = 0;
  convex::WalksInLanes walks;
  for (std::size_t i = 0; i < count_; ++i) {
    const ShapeData &a = a_[i]->shape.data(), &b = b_[i]->shape.data();
    a_to_b[i] = between_trees(a, a_[i]->pose, b, b_[i]->pose);
    const convex::Difference& difference = differences[i].emplace(*a.only_set, a_to_b[i], *b.only_set);
    if (!is_ordinary(difference)) {
      open_[open_count_++] = number_[i];
      continue;
    }
    walks.add(difference);
    walking[count++] = i;
  }
  if (count > 0) walks.run();
  convex::ConvexDistance bracket;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = walking[k];
    bracket.meets = false;  // what is read writes the rest
    const bool is_found = walks.read(k, bracket);
    if (is_found) add_radii(*differences[i], false, bracket);
    if (is_found && !is_touching(bracket)) {
      tell_sets_apart(*a_[i], *b_[i], bracket, std::numeric_limits<double>::infinity(), results_[number_[i]]);
    } else {
      open_[open_count_++] = number_[i];
    }
  }
  count_ = 0;
}

std::size_t HullBatch::finish() {
  if (count_ > 0) answer();
  return open_count_;
}

}  // namespace toccata::proximity
