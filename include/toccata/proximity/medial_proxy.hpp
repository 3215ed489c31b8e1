#pragma once
// A few balls, cones and slabs that provably enclose a closed mesh, and say how much larger they are.
// Every triangle is proven inside `outer`, and no point of `outer` is farther than `error` from the solid:
// contacts found with it are too early by no more than that, and never missed. Every ball of `inner` is
// proven inside the solid.
#include <cstdint>
#include <optional>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/base/stop.hpp"
#include "toccata/geometry/medial_mesh.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata {

// One of the first three says how fine; the others stay empty.
struct MedialProxyOptions {
  std::optional<double> error = {};        // at most this, in the mesh's unit: as few primitives as found
  std::optional<std::int32_t> balls = {};  // at most so many, the error as small as found
  std::optional<std::int32_t> primitives = {};  // the same, of primitives
  bool spheres_only = false;                    // no cones and slabs: for planners
  int threads = 0;                              // 0 = all cores; the answer does not depend on it
};

struct MedialProxy {
  MedialMesh outer;
  double error = 0.0;             // proven: no point of `outer` is farther than this from the solid
  std::vector<double> errors;     // the same of each primitive of `outer` (medial_primitives)
  MedialMesh inner;               // balls only, each proven inside the solid; none if it is too thin for any
  double largest_dilation = 0.0;  // what the last proof added to a radius
  std::int64_t pieces = 0;        // of triangles that the proof looked at
};

// The sign of the mesh is by parity, so that faces may run inwards and shells may be nested.
// Error: the mesh is not closed, has no triangles or no size; the error is below 1e-4 of the size; not
// exactly one of the three was asked for, or what was asked for is not positive; or the error is so small
// that more than 50,000 balls would be needed. Seconds for a mesh of 70,000 triangles.
Expected<MedialProxy> medial_proxy(const Shape& mesh, const MedialProxyOptions& options);

// A mesh from fine to coarse: each level is a proxy with its own proof and has fewer primitives than the one
// before (spheres only: fewer balls). Errors that were asked for grow by a quarter from level to level.
struct MedialLevels {
  std::vector<MedialProxy> levels;  // the finest first; the last one has a single primitive

  // The coarsest level within the error; the finest with at most so many. nullptr: none is.
  const MedialProxy* within(double error) const;
  const MedialProxy* with_balls(std::int32_t most) const;
  const MedialProxy* with_primitives(std::int32_t most) const;
};

// options.error is that of the finest level; balls and primitives stay empty. Takes three to four times as
// long as the finest level alone. Error: as medial_proxy has it of the finest level.
Expected<MedialLevels> medial_levels(const Shape& mesh, const MedialProxyOptions& options);

}  // namespace toccata
