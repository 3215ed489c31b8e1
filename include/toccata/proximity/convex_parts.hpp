#pragma once
// A closed mesh as a few convex hulls that provably enclose all of it, and say how much larger they are.
//
//   const auto parts = convex_parts(mesh, {.error = 0.01});
//   const Shape shape(parts->compound);  // for every question
//
// Every point of the solid, inside as on the surface, is in one of the hulls, and no point of a hull is
// farther than `error` from the solid: contacts found with them are too early by no more than that, and
// never missed. docs/notes/convex_parts.md has the proofs.
#include <cstdint>
#include <optional>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata {

// One of the first two says how fine; the other stays empty.
struct ConvexPartsOptions {
  std::optional<double> error = {};        // at most this, in the mesh's unit: as few hulls as found
  std::optional<std::int32_t> count = {};  // at most so many, the error as small as found
  int threads = 0;                         // 0 = all cores; the answer does not depend on it
};

struct ConvexParts {
  // ConvexHulls. A hull whose corners were cut out of triangles has the roundings of that as its radius, some
  // 1e-13 of the coordinates; one that was not cut has none.
  Compound compound;
  double error = 0.0;          // proven: no point of a hull is farther than this from the solid
  std::vector<double> errors;  // the same of each hull
};

// The sign of the mesh is by parity, so that faces may run inwards and shells may be nested.
// Error: the mesh is not closed, has no triangles or no size; the error is below 1e-3 of the size; not
// exactly one of the two was asked for, or what was asked for is not positive; or more than 4,096 hulls
// would be needed. Half a minute for a mesh of 70,000 triangles.
Expected<ConvexParts> convex_parts(const Shape& mesh, const ConvexPartsOptions& options);

}  // namespace toccata
