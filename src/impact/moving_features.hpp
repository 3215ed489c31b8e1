#pragma once
// Vertices on straight lines and the features between them, as the kernels for many pairs read them.
#include <array>
#include <cstdint>

namespace toccata::impact {

// A vertex at both ends of the step, one cache line.
struct alignas(64) MovingVertex {
  double t0[3] = {0, 0, 0};
  double t1[3] = {0, 0, 0};
};

// A view: edges and faces by the indices of their vertices. Edges or faces that no pair names may be missing.
struct MovingFeatures {
  const MovingVertex* vertices = nullptr;
  const std::array<std::int32_t, 2>* edges = nullptr;
  const std::array<std::int32_t, 3>* faces = nullptr;
};

}  // namespace toccata::impact
