#pragma once
// Culling in image space: which of many meshes, deforming and breaking ones too, may touch? Three views along
// the axes, drawn by exact integers: what meets is never left out, whatever the resolution.
//
// After CULLIDE and FAR (Govindaraju, Redon, Lin, Manocha): a body that is drawn entirely before or behind
// all others in some view touches none. Proof: docs/notes/image_space.md.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/base/stop.hpp"
#include "toccata/broad_phase/overlapping_pairs.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

// Any triangles: open, non-manifold, degenerate, pieces of what broke.
struct ImageSpaceBody {
  std::span<const Vector3> vertices;
  // Where the vertices get along straight lines during the step; empty: the body is at rest. A triangle is
  // drawn as all that it passes through.
  std::span<const Vector3> vertices_end;
  std::span<const Face> faces;
};

struct ImageSpaceOptions {
  int resolution = 128;  // pixels along the longest side of the scene: 1 to 4096
  double margin = 0.0;   // pairs that come this near count as well
  // Bodies are cut into parts of at most this many triangles, and pairs of parts are found, too; 0: not.
  std::int32_t part_size = 0;
  bool with_self = false;  // pairs of parts of one body, too, but for parts that share a vertex
  int threads = 0;         // 0 = all cores; the answer does not depend on it
  Stop stop = {};          // an error if it comes first
};

// Some triangles of a body, by their place: what is drawn as one.
struct ImageSpacePart {
  std::int32_t body = 0;
  std::vector<std::int32_t> triangles;  // increasing
};

struct PartPair {
  std::int32_t first = 0;  // < second: of ImageSpaceResult::parts
  std::int32_t second = 0;

  friend bool operator==(const PartPair&, const PartPair&) = default;
  friend auto operator<=>(const PartPair&, const PartPair&) = default;
};

struct ImageSpaceResult {
  // The potentially colliding set: bodies that no view shows apart from all the others. Increasing.
  std::vector<std::int32_t> potentially_colliding;
  // Pairs of it that no view shows apart: every pair of bodies that shares a point at some time (within the
  // margin) is here. Sorted.
  std::vector<IndexPair> pairs;
  // With part_size: the parts of the bodies, and pairs of parts of two bodies that may meet.
  std::vector<ImageSpacePart> parts;
  std::vector<PartPair> part_pairs;

  // What was left after each stage.
  std::size_t box_pairs = 0;                               // pairs of bodies whose boxes overlap
  std::size_t set_pairs = 0;                               // of those, both of the set
  std::array<std::size_t, 3> removed_by_view = {0, 0, 0};  // bodies that left the set by views along x, y, z
  std::size_t pixels = 0;                                  // drawn, all views
};

// Error: a coordinate that is not finite or beyond 1e100, an index out of range, ends that are not as many as
// starts, options that cannot be, or stopped.
Expected<ImageSpaceResult> image_space_pairs(std::span<const ImageSpaceBody> bodies,
                                             const ImageSpaceOptions& options = {});

}  // namespace toccata
