#pragma once
// A list of frames instead of one step: the positions of all vertices at several moments, linear in between.
//
//   std::vector<std::vector<Vector3>> frames = ...;
//   auto steps = all_contacts(*scene, frames);             // steps->at(i): between frames i and i + 1
//   auto first = first_contact(*scene, frames);            // not further than the first step that touches
//
// The scene is updated step by step, and keeps the last one that was looked at. For frames whose connectivity
// changes call update_topology and update yourself.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata {

// Fields that hold, by first.status:
//   Separated                first.stats of the last step; step = the number of steps
//   Contact, OverlapAtStart  everything
struct FirstContactOfFrames {
  std::int32_t step = 0;  // between frames step and step + 1
  FirstContact first;     // its times count within that step
  double time() const { return step + (first.status == Status::Separated ? 0.0 : first.time); }  // in frames
};

// The error names the frame that has the wrong number of vertices or a coordinate that is not finite.
Expected<std::vector<DeformableContacts>> all_contacts(DeformableScene& scene,
                                                       std::span<const std::vector<Vector3>> frames,
                                                       const DeformableOptions& options = {});
Expected<FirstContactOfFrames> first_contact(DeformableScene& scene,
                                             std::span<const std::vector<Vector3>> frames,
                                             const DeformableOptions& options = {});

}  // namespace toccata
