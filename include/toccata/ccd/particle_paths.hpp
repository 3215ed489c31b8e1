#pragma once
// Particles and strands on their way, and how to ask for their first contacts.
#include <cstdint>
#include <optional>
#include <span>

#include "toccata/base/stop.hpp"
#include "toccata/geometry/polyline_set.hpp"

namespace toccata {

// Where particles are at t = 0 and at t = 1: as many of both. They move on straight lines.
struct PointPaths {
  std::span<const Vector3> points_t0;
  std::span<const Vector3> points_t1;
};

// Strands at t = 0, and where their points are at t = 1; points in between move along with those.
struct StrandPaths {
  const PolylineSet& strands_t0;
  std::span<const Vector3> points_t1;
};

struct ParticleOptions {
  // How close counts as touching; where none is given, a millionth of the body's size. No less than a
  // billionth of the lengths counts; of a field that is not refined, no less than three times its error. A
  // mesh that deforms is touched exactly.
  std::optional<double> tolerance = {};
  double minimum_distance = 0.0;  // > 0: particles are balls, strands are tubes of this radius
  // Of a field: near the surface the mesh itself is asked. Without it normals are the field's gradients.
  bool refine = true;
  // A closed body is full: who starts inside is reported. False: only the surface counts.
  bool solid = true;
  // Most steps for one particle or segment; beyond it its answer is OutOfBudget.
  std::int32_t budget = 20000;
  int threads = 0;  // 0 = all cores; the answers do not depend on it
  Stop stop = {};   // those that were not come to by then are OutOfBudget with time 0
};

}  // namespace toccata
