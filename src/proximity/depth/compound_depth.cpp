#include "proximity/depth/compound_depth.hpp"

#include <algorithm>
#include <limits>

#include "base/stop_watch.hpp"
#include "hierarchy/shape_data.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/intersects.hpp"

namespace toccata::depth {
namespace {

struct BodyParts {
  std::vector<PlacedShape> parts;
  bool overlap = false;  // of each other, or not proven otherwise
  Aabb box;              // of all of them, world
};

Vector3 middle_of(const PlacedShape& part) {
  return part.pose.apply(part.shape.data().center);
}

bool are_far(const PlacedShape& a, const PlacedShape& b) {
  const double reach = a.shape.data().radius + b.shape.data().radius;
  const Vector3 p = middle_of(a), q = middle_of(b);
  return (p - q).norm() > reach * (1.0 + 1e-9) + 1e-9 * (p.norm() + q.norm());
}

bool may_overlap(const PlacedShape& a, const PlacedShape& b) {
  if (are_far(a, b)) return false;
  if (intersects(a, b).intersects) return true;
  const auto is_apart = [](Containment c) { return c == Containment::Outside; };
  return !is_apart(containment(a, b)) || !is_apart(containment(b, a));
}

BodyParts parts_of(const PlacedShape& body) {
  BodyParts all;
  if (const auto* const compound = std::get_if<Compound>(&body.shape.data().geometry)) {
    // Prepared once for the shape.
    const auto& shapes = body.shape.data().boundary.get<std::vector<PlacedShape>>([&] {
      std::vector<PlacedShape> list;
      for (CompoundPart& part : flattened(*compound))
        list.push_back({Shape(std::move(part.geometry)), part.pose});
      return list;
    });
    for (const PlacedShape& part : shapes) all.parts.push_back({part.shape, body.pose * part.pose});
  } else {
    all.parts.push_back(body);
  }
  all.box = {Vector3::Constant(std::numeric_limits<double>::infinity()),
             Vector3::Constant(-std::numeric_limits<double>::infinity())};
  for (const PlacedShape& part : all.parts) {
    const double reach = part.shape.data().radius * (1.0 + 1e-9) + 1e-12 * middle_of(part).norm();
    all.box.lower = all.box.lower.cwiseMin((middle_of(part).array() - reach).matrix());
    all.box.upper = all.box.upper.cwiseMax((middle_of(part).array() + reach).matrix());
  }
  for (std::size_t i = 0; i < all.parts.size() && !all.overlap; ++i)
    for (std::size_t k = i + 1; k < all.parts.size() && !all.overlap; ++k)
      all.overlap = may_overlap(all.parts[i], all.parts[k]);
  return all;
}

// No point of both boxes is farther from leaving the outer one.
double most_depth(const Aabb& inner, const Aabb& outer) {
  const Vector3 low = inner.lower.cwiseMax(outer.lower), high = inner.upper.cwiseMin(outer.upper);
  return std::min((outer.upper - low).minCoeff(), (high - outer.lower).minCoeff());
}

void take_deeper(const DeepestPoint& found, std::size_t part, std::size_t other, DeepestPoint& deepest) {
  const double upper = std::max(deepest.upper, found.upper);
  if (found.lower > deepest.lower) {
    deepest = found;
    deepest.feature.part = static_cast<std::int32_t>(part);
    deepest.nearest_feature.part = static_cast<std::int32_t>(other);
  }
  deepest.upper = upper;
}

}  // namespace

bool is_compound(const PlacedShape& shape) {
  return std::holds_alternative<Compound>(shape.shape.data().geometry);
}

PenetrationResult compound_depth(const PlacedShape& a, const PlacedShape& b,
                                 const PenetrationOptions& options) {
  const StopWatch watch(options.stop);
  const BodyParts parts_a = parts_of(a), parts_b = parts_of(b);
  PenetrationResult result;
  PenetrationOptions each = options;
  each.with_way_out = false;
  for (std::size_t i = 0; i < parts_a.parts.size(); ++i) {
    for (std::size_t k = 0; k < parts_b.parts.size(); ++k) {
      const PlacedShape &part_a = parts_a.parts[i], &part_b = parts_b.parts[k];
      if (!part_b.shape.data().is_half_space() && !part_a.shape.data().is_half_space() &&
          are_far(part_a, part_b))
        continue;
      each.stop = watch.rest();
      const PenetrationResult pair = penetration(part_a, part_b, each);
      result.stats.node_pairs += pair.stats.node_pairs;
      result.stats.piece_pairs += pair.stats.piece_pairs;
      if (pair.status == Status::Failed) return pair;
      result.stopped = result.stopped || pair.stopped;
      if (pair.status != Status::OverlapAtStart) continue;
      result.status = Status::OverlapAtStart;
      result.lower_depth = std::max(result.lower_depth, pair.lower_depth);
      take_deeper(pair.a_in_b, i, k, result.a_in_b);
      take_deeper(pair.b_in_a, k, i, result.b_in_a);
    }
  }
  if (result.status != Status::OverlapAtStart) return result;
  result.upper_depth = std::numeric_limits<double>::infinity();
  // Parts are placed in rounded numbers.
  const double rounding = proximity::placement_error(a, b);
  for (DeepestPoint* const deepest : {&result.a_in_b, &result.b_in_a}) {
    deepest->lower = std::max(0.0, deepest->lower - rounding);
    if (deepest->upper > 0.0) deepest->upper += rounding;
  }
  result.lower_depth = std::max(0.0, result.lower_depth - rounding);
  if (parts_b.overlap && result.a_in_b.upper > 0.0)
    result.a_in_b.upper = std::max(result.a_in_b.upper, most_depth(parts_a.box, parts_b.box));
  if (parts_a.overlap && result.b_in_a.upper > 0.0)
    result.b_in_a.upper = std::max(result.b_in_a.upper, most_depth(parts_b.box, parts_a.box));
  return result;
}

}  // namespace toccata::depth
