#include "proximity/convex/convex_depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "proximity/convex/box_pair.hpp"
#include "proximity/convex/core_pair.hpp"
#include "proximity/convex/face_depth.hpp"
#include "proximity/convex/touching_depth.hpp"

namespace toccata::convex {
namespace {

ConvexDepth rescaled_depth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                           const ConvexLimits& limits) {
  const RescaledPair pair(a, a_to_b, b, limits);
  ConvexDepth result = convex_depth(pair.a.set, pair.a_to_b, pair.b.set, nullptr, pair.limits);
  scale_back(result.distance, pair.back);
  result.lower_depth = std::max(next_down(result.lower_depth * pair.back), 0.0);
  if (result.upper_depth > 0.0) result.upper_depth = next_up(result.upper_depth * pair.back);
  result.point_a *= pair.back;
  result.point_b *= pair.back;
  return result;
}

// From the depth of the cores to that of the sets.
void write_depth(const Difference& difference, const CoreDepth& core, double lower, ConvexDepth& result) {
  const ConvexSet &a = *difference.a, &b = *difference.b;
  const double radii = a.radius + b.radius;
  const double slack = radii > 0.0 ? 2.0 * unit_roundoff * (radii + core.upper) : 0.0;
  result.iterations += core.iterations;
  result.lower_depth = std::max(lower + radii - slack, 0.0);
  result.upper_depth = core.upper + radii + slack;
  result.normal = core.normal;
  result.point_a = core.of_a + a.radius * core.normal;
  result.point_b = core.of_b - b.radius * core.normal;
  // Points of a face that is thin beyond rounding do not tell the depth: they are moved along the normal
  // until they do.
  const double off = result.upper_depth - (result.point_a - result.point_b).dot(core.normal);
  if (std::abs(off) > result.upper_depth - result.lower_depth) {
    result.point_a += 0.5 * off * core.normal;
    result.point_b -= 0.5 * off * core.normal;
  }
  if (!b.is_placed) return;
  result.normal = b.place.apply_direction(result.normal);
  result.point_a = b.place.apply(result.point_a);
  result.point_b = b.place.apply(result.point_b);
}

// Of boxes that meet beyond rounding.
bool is_box_depth(const Difference& difference, ConvexDepth& result) {
  CoreDepth boxes;
  if (!is_box_pair(*difference.a, *difference.b) || !box_pair_depth(difference, boxes)) return false;
  result.distance.meets = result.meets = true;
  result.distance.lower_core = -boxes.upper;
  write_depth(difference, boxes, boxes.lower, result);
  result.distance.direction = result.normal;
  result.distance.point_a = result.distance.point_b = 0.5 * (result.point_a + result.point_b);
  return true;
}

// Of hulls of few corners that are beyond rounding in each other, or farther apart than is asked for.
bool is_hull_depth(const Difference& difference, const ConvexLimits& limits, ConvexDepth& result) {
  const ConvexSet &a = *difference.a, &b = *difference.b;
  if (a.core != Core::Points || b.core != Core::Points || a.radius + b.radius > 0.0 || a.index == nullptr ||
      b.index == nullptr)
    return false;
  SureDepth found = face_depth(difference, limits.enough);
  if (found.kind == SureDepth::Kind::Unsure)
    found = sure_depth(difference, limits.enough, limits.absolute_error, limits.relative_error);
  if (found.kind == SureDepth::Kind::Unsure) return false;
  if (found.kind == SureDepth::Kind::Apart) {
    result.distance.lower = result.distance.lower_core = found.gap;
    result.distance.upper = result.distance.upper_core = std::numeric_limits<double>::infinity();
    result.distance.direction = b.is_placed ? b.place.apply_direction(found.direction) : found.direction;
    result.normal = result.distance.direction;
    return true;
  }
  result.distance.meets = result.meets = true;
  result.distance.lower_core = -found.depth.upper;
  result.distance.features = found.depth.features;
  write_depth(difference, found.depth, found.depth.lower, result);
  result.distance.direction = result.normal;
  result.distance.point_a = result.distance.point_b = 0.5 * (result.point_a + result.point_b);
  return true;
}

// result.distance is known, and so is that of the cores, with the corners of the difference that carry it.
void add_depth(const Difference& difference, const ConvexDistance& core, const Simplex& simplex,
               const ConvexLimits& limits, ConvexDepth& result) {
  result.meets = result.distance.meets;
  result.normal = result.distance.direction;
  result.point_a = result.distance.point_a;
  result.point_b = result.distance.point_b;
  result.iterations = core.iterations;
  if (result.distance.lower > 0.0) return;
  const double radii = difference.a->radius + difference.b->radius;
  // Along the direction last looked along, with its slack.
  const double slack = radii > 0.0 ? 2.0 * unit_roundoff * (radii + core.upper_core) : 0.0;
  const double along_direction = std::max(radii - core.lower_core + slack, 0.0);
  if (core.lower_core > 0.0) {  // the cores are apart: their distance tells the depth
    result.lower_depth = std::max(radii - core.upper_core - slack, 0.0);
    result.upper_depth = along_direction;
    return;
  }
  const ConvexDepth apart = result;
  const CoreDepth depth = core_depth(difference, simplex, limits.absolute_error, limits.relative_error);
  // A surface of points of the difference all around the origin proves that curved cores meet, too. Cores
  // that may still be apart by rounding are no deeper than nothing.
  const bool cores_meet = core.meets || depth.lower > 0.0;
  result.meets = result.meets || cores_meet;
  write_depth(difference, depth, cores_meet ? depth.lower : -core.upper_core, result);
  if (!cores_meet && along_direction < result.upper_depth) {
    result.upper_depth = along_direction;
    result.normal = apart.normal;
    result.point_a = apart.point_a;
    result.point_b = apart.point_b;
  }
}

}  // namespace

ConvexDepth convex_depth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, ConvexMemory* memory,
                         const ConvexLimits& limits) {
  const Difference difference(a, a_to_b, b);
  if (!is_ordinary(difference)) return rescaled_depth(a, a_to_b, b, limits);
  ConvexDepth result;
  if (is_box_depth(difference, result) || is_hull_depth(difference, limits, result)) return result;
  Simplex simplex;
  ConvexDistance core;
  ConvexLimits enough;
  enough.enough = limits.enough;
  const bool is_closed = distance_between_cores(difference, memory, enough, core, &simplex);
  result.distance = core;
  add_radii(difference, is_closed, result.distance);
  add_depth(difference, core, simplex, limits, result);
  return result;
}

ConvexDepth touching_depth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                           const ConvexDistance& touching) {
  const Difference difference(a, a_to_b, b);
  const ConvexFeatures& features = touching.features;
  if (!is_ordinary(difference) || !difference.is_polytope() || a.radius + b.radius > 0.0 ||
      features.count == 0) {
    ConvexMemory where = {features, touching.direction};  // they were found to meet
    return convex_depth(a, a_to_b, b, &where);
  }
  ConvexDepth result;
  if (is_box_depth(difference, result)) return result;
  Simplex simplex;
  for (std::int32_t i = 0; i < features.count; ++i)
    simplex.add(difference.of_corners(features.vertex_a[i], features.vertex_b[i]));
  reduce_to_nearest(simplex);
  result.distance = touching;
  add_depth(difference, touching, simplex, {}, result);
  return result;
}

}  // namespace toccata::convex
