#include <algorithm>
#include <cmath>

#include "proximity/medial/ball_hull_of.hpp"
#include "proximity/medial/stick_out.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/proximity/enclosure.hpp"

namespace toccata {

using namespace medial;

Expected<Protrusion> protrusion(const MedialMesh& mesh, const Shape& solid,
                                const ProtrusionOptions& options) {
  constexpr std::size_t block = 8;
  if (const auto failure = failure_of(mesh)) return Error{*failure};
  if (!solid.is_mesh()) return Error{"how far a medial mesh sticks out is known of meshes only"};
  if (const auto open = solid.open_edges()) return Error{"the mesh is not closed: " + *open};
  if (!(options.relative_error >= 0.0) || !(options.absolute_error >= 0.0))
    return Error{"relative_error and absolute_error must be at least 0"};
  const PlacedShape placed(solid, Pose());
  const std::vector<MedialPrimitive> primitives = medial_primitives(mesh);
  // What the balls alone stick out by is a share of the answer: nothing below it needs to be known better.
  std::vector<double> of_ball(mesh.centers.size());
  parallel_blocks(mesh.centers.size(), 64, options.threads, [&](std::size_t begin, std::size_t end) {
    SolidProbe probe(placed);
    for (std::size_t i = begin; i < end; ++i) of_ball[i] = mesh.radii[i] + probe(mesh.centers[i]).lower;
  });
  const double seen = std::max(0.0, *std::max_element(of_ball.begin(), of_ball.end()));
  const double accuracy = std::max(options.absolute_error, options.relative_error * seen);
  Protrusion result;
  result.of_primitive.resize(primitives.size());
  std::vector<double> lower(primitives.size());
  parallel_blocks(primitives.size(), block, options.threads, [&](std::size_t begin, std::size_t end) {
    SolidProbe probe(placed);
    for (std::size_t i = begin; i < end; ++i) {
      StickOutLimits limits;
      limits.accuracy = accuracy;
      limits.enough = 0.25 * seen;
      limits.too_far = std::numeric_limits<double>::infinity();
      const StickOut found = stick_out(ball_hull_of(mesh, primitives[i]), probe, limits);
      lower[i] = std::max(0.0, found.lower);
      result.of_primitive[i] = std::max(0.0, found.upper);
    }
  });
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    result.upper = std::max(result.upper, result.of_primitive[i]);
    result.lower = std::max(result.lower, lower[i]);
  }
  return result;
}

}  // namespace toccata
