#include "ccd/deformable/step_share.hpp"

#include <algorithm>

namespace toccata::deformable {
namespace {

// Cubes along the longest side of the scene. A surface that fills it lies in some ten thousand of them:
// enough for even parts, and each holds many clusters of a mesh that is worth dividing.
constexpr double cubes_along = 128.0;

// The finaliser of splitmix64: neighbouring cubes go to parts that have nothing to do with each other.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

// Differences and quotients of doubles round alike on every machine, so that all processes agree on the
// cubes.
StepShare::StepShare(const Topology& topology, const Step& step, const StepPart& part)
    : topology_(&topology) {
  if (part.count <= 1 || step.vertices.empty()) return;
  const double side = std::max((step.upper - step.lower).maxCoeff() / cubes_along, 1e-300);
  has_vertex_.resize(step.vertices.size());
  for (std::size_t v = 0; v < step.vertices.size(); ++v) {
    std::uint64_t cube = 0;
    for (int k = 0; k < 3; ++k) {
      const double at = std::clamp((step.vertices[v].t0[k] - step.lower[k]) / side, 0.0, cubes_along);
      cube = cube << 8 | static_cast<std::uint64_t>(at);
    }
    has_vertex_[v] =
        mixed(cube + 1) % static_cast<std::uint64_t>(part.count) == static_cast<std::uint64_t>(part.index);
  }
}

}  // namespace toccata::deformable
