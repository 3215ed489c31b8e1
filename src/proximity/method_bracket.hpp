#pragma once
// Two pieces at rest by the method that was chosen for convex sets.
#include "proximity/piece_bracket.hpp"
#include "toccata/proximity/convex_method.hpp"

namespace toccata::proximity {

// A piece, and where it is from: the shape keeps what the methods prepare.
struct NumberedPiece {
  const ShapeData& shape;
  std::int32_t number;
  const Piece& piece;
};

// As piece_bracket.
convex::ConvexDistance method_bracket(ConvexMethod method, const NumberedPiece& a, const Pose& a_to_b,
                                      const NumberedPiece& b, convex::ConvexMemory* memory = nullptr,
                                      const convex::ConvexLimits& limits = {});

// The same of two shapes that are one set each (ShapeData::only_set), without the detour of pieces.
convex::ConvexDistance method_bracket(ConvexMethod method, const ShapeData& a, const Pose& a_to_b,
                                      const ShapeData& b, convex::ConvexMemory* memory,
                                      const convex::ConvexLimits& limits);

}  // namespace toccata::proximity
