#include "proximity/method_bracket.hpp"

#include <deque>

#include "proximity/convex/feature_walk.hpp"
#include "proximity/convex/hull_levels.hpp"
#include "toccata/bound/convex_hull_of.hpp"

namespace toccata {

using namespace proximity;
using convex::ConvexDistance;
using convex::HullFeatures;
using convex::HullLevels;

namespace proximity {
namespace {

// Of each convex set of a shape; empty for curved ones.
using ShapeFeatures = std::vector<HullFeatures>;
using ShapeLevels = std::vector<std::unique_ptr<const HullLevels>>;

const ShapeFeatures& features_of(const ShapeData& shape) {
  return shape.features.get<ShapeFeatures>([&] {
    ShapeFeatures features;
    for (const ConvexPiece& piece : shape.sets) features.push_back(convex::hull_features_of(piece.set));
    return features;
  });
}

// None of sets that are no hulls, and of those that a compound places.
std::unique_ptr<const HullLevels> levels_of(const ConvexSet& set) {
  if (set.core != Core::Points || set.is_placed) return nullptr;
  const Expected<ConvexHull> hull = convex_hull_of(set.points, set.radius);
  // The levels count their vertices as the hull does, which must be how the set does.
  if (!hull || hull.value().vertices.size() != set.points.size()) return nullptr;
  return std::make_unique<const HullLevels>(hull.value());
}

const ShapeLevels& levels_of(const ShapeData& shape) {
  return shape.levels.get<ShapeLevels>([&] {
    ShapeLevels levels;
    for (const ConvexPiece& piece : shape.sets) levels.push_back(levels_of(piece.set));
    return levels;
  });
}

// The number of the piece's set in its shape; -1: it is none that the shape keeps.
std::int32_t set_number(const NumberedPiece& p) {
  if (p.shape.sets.empty() || p.shape.pieces.empty()) return -1;
  const std::int32_t entry = p.shape.pieces[static_cast<std::size_t>(p.number)];
  return entry < 0 ? ~entry : -1;
}

struct NumberedSet {
  const ShapeData& shape;
  std::size_t number;
  const ConvexSet& set;
};

// By features or levels.
ConvexDistance bracket_of_sets(ConvexMethod method, const NumberedSet& a, const Pose& a_to_b,
                               const NumberedSet& b, convex::ConvexMemory* memory,
                               const convex::ConvexLimits& limits) {
  if (method == ConvexMethod::FeatureWalk)
    return distance_by_walk(a.set, features_of(a.shape)[a.number], a_to_b, b.set,
                            features_of(b.shape)[b.number], memory, limits);
  const auto &of_a = levels_of(a.shape)[a.number], &of_b = levels_of(b.shape)[b.number];
  if (of_a == nullptr || of_b == nullptr) return convex_distance(a.set, a_to_b, b.set, memory, limits);
  return distance_by_levels(*of_a, a_to_b, *of_b, memory, limits);
}

}  // namespace

ConvexDistance method_bracket(ConvexMethod method, const NumberedPiece& a, const Pose& a_to_b,
                              const NumberedPiece& b, convex::ConvexMemory* memory,
                              const convex::ConvexLimits& limits) {
  const std::int32_t set_a = method == ConvexMethod::Gjk ? -1 : set_number(a);
  const std::int32_t set_b = method == ConvexMethod::Gjk ? -1 : set_number(b);
  if (set_a < 0 || set_b < 0) return piece_bracket(a.piece, a_to_b, b.piece, memory, limits);
  return bracket_of_sets(method, {a.shape, static_cast<std::size_t>(set_a), a.piece.set()}, a_to_b,
                         {b.shape, static_cast<std::size_t>(set_b), b.piece.set()}, memory, limits);
}

ConvexDistance method_bracket(ConvexMethod method, const ShapeData& a, const Pose& a_to_b, const ShapeData& b,
                              convex::ConvexMemory* memory, const convex::ConvexLimits& limits) {
  if (method == ConvexMethod::Gjk) return convex_distance(*a.only_set, a_to_b, *b.only_set, memory, limits);
  return bracket_of_sets(method, {a, 0, *a.only_set}, a_to_b, {b, 0, *b.only_set}, memory, limits);
}

}  // namespace proximity

void prepare(const Shape& shape, ConvexMethod method) {
  if (method == ConvexMethod::FeatureWalk) features_of(shape.data());
  if (method == ConvexMethod::Levels) levels_of(shape.data());
}

}  // namespace toccata
