#pragma once
// Large smooth parts of a surface, found before faces are grouped into clusters: a cluster then lies in one
// of them or in none, and what is proven of a part (smooth_regions.hpp) holds for whole clusters.
#include <cstdint>
#include <vector>

#include "ccd/deformable/pipeline.hpp"

namespace toccata::deformable::clusters {

struct FacePatches {
  // By face, the number of its patch, or -1. Faces of a patch hang together by edges and have normals near
  // that of its first face, at t0. Small patches are none, and all are where they are but a small share of
  // the mesh.
  std::vector<std::int32_t> patch;
  // By face, the patch that it is grouped with: its own, or, of what lies between patches and would make
  // clusters far too wide, one beside it; -1 where there is none.
  std::vector<std::int32_t> group;

  bool any() const { return !patch.empty(); }  // both lists are empty where there is none
};

FacePatches face_patches(const Topology& topology, const Step& step, int threads);

// The largest angle between the normals of a patch and that of its first face, by its cosine: those of two
// patches side by side fit on one side of a plane, with some to spare for the step.
inline constexpr double patch_cosine = 0.788;  // 38 degrees

}  // namespace toccata::deformable::clusters
