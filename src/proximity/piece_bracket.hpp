#pragma once
// Two pieces of any kinds at rest, of which at most one is a triangle: how far apart, as a proven bracket.
// What the convex kernels leave open is told here: half spaces, which no kernel sees, and the names of
// features.
#include <algorithm>

#include "hierarchy/piece.hpp"
#include "proximity/convex/convex_depth.hpp"
#include "toccata/report/feature.hpp"

namespace toccata::proximity {

// In b's coordinates; a_to_b leads from a's, each about its shape's centre. The pose is taken as exact. As
// convex_distance; two half spaces are apart only if their normals are exactly opposite.
convex::ConvexDistance piece_bracket(const Piece& a, const Pose& a_to_b, const Piece& b,
                                     convex::ConvexMemory* memory = nullptr,
                                     const convex::ConvexLimits& limits = {});

// The one place that says whether pieces meet, for `distance`, `intersects` and `penetration` alike: what is
// proven apart is apart, what cannot be told from touching touches.
inline bool is_touching(const convex::ConvexDistance& distance) {
  return !(distance.lower > 0.0);
}

// Each shape is one piece, and not both are triangles: no tree is needed.
bool are_single_pieces(const ShapeData& a, const ShapeData& b);

// How deep they are in each other, likewise. Two half spaces that are not exactly opposite are so without
// end: both bounds are infinite then.
convex::ConvexDepth piece_depth(const Piece& a, const Pose& a_to_b, const Piece& b,
                                convex::ConvexMemory* memory = nullptr,
                                const convex::ConvexLimits& limits = {});

// How far the piece reaches along the direction (any length, finite), its radius included: not below the
// truth. Infinite for a half space, unless the direction is its normal.
double reach_along(const Piece& piece, const Vector3& direction);

// The feature of a convex set, alone in its shape, that these corners of it span (ConvexFeatures).
inline Feature feature_of_corners(const std::array<std::int32_t, 4>& corners, std::int32_t count) {
  Feature feature;
  feature.part = 0;
  if (count == 0) return feature;
  // Without branches, which nobody foresees: those beyond `count` are the first one again.
  const std::int32_t first = corners[0], second = count > 1 ? corners[1] : first,
                     third = count > 2 ? corners[2] : first, fourth = count > 3 ? corners[3] : first;
  const auto is_new = [](bool is_other, bool more, bool most) { return (is_other & more & most) ? 1 : 0; };
  const int others = is_new(second != first, true, true) + is_new(third != first, third != second, true) +
                     is_new(fourth != first, fourth != second, fourth != third);
  const std::int32_t lowest = std::min(std::min(first, second), std::min(third, fourth));
  if (lowest < 0) return feature;  // of a curved core: its surface
  feature.kind = static_cast<FeatureKind>(std::min(others, 2));
  feature.index = lowest;
  return feature;
}

// The feature of side 0 (a) or 1 (b) that carries the nearest point, as report/feature.hpp counts.
Feature feature_of(const Piece& piece, const convex::ConvexFeatures& features, int side, std::int32_t number);

}  // namespace toccata::proximity
