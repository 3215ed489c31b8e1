#pragma once
// A list of frames instead of one step: the positions of all vertices at several moments, linear in between.
//
//   std::vector<std::vector<Vector3>> frames = ...;
//   auto steps = all_contacts(*scene, frames);   // steps->at(i): between frames i and i + 1
//   auto first = first_contact(*scene, frames);  // looks no further than the first step that touches
//
// The scene is updated step by step, and keeps the last one that was looked at. For frames whose connectivity
// changes call update_topology and update yourself.
#include <span>
#include <vector>

#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata {

// The error names the frame that has the wrong number of vertices or a coordinate that is not finite, or what
// was wrong with the options. Steps that were not reached before a stop are OutOfBudget, and list nothing.
Expected<std::vector<DeformableContacts>> all_contacts(DeformableScene& scene,
                                                       std::span<const std::vector<Vector3>> frames,
                                                       const DeformableOptions& options = {});
// `step` of the answer says between which frames; its times count within that step.
Expected<FirstContactResult> first_contact(DeformableScene& scene,
                                           std::span<const std::vector<Vector3>> frames,
                                           const DeformableOptions& options = {});

// The time of such an answer counted in frames: 2.5 is halfway between frames 2 and 3. Where nothing touches,
// that of the last frame.
double time_in_frames(const FirstContactResult& first);

}  // namespace toccata
