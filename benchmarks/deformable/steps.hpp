#pragma once
// The steps that the deformable benchmarks run on.
#include <optional>
#include <string>
#include <vector>

#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata::bench {

struct Step {
  std::string name;
  std::vector<DeformableObject> objects;
  std::vector<Vector3> t0, t1;

  std::size_t triangles() const {
    std::size_t n = 0;
    for (const DeformableObject& o : objects) n += o.faces.size();
    return n;
  }
};

// Two frames of a mesh with the same faces; none when a file is missing.
std::optional<Step> load_step(const std::string& name, const std::string& t0, const std::string& t1);

// The last of `frames` steps of a scene of scenes/deforming_scene.hpp.
Step scene_step(const std::string& name, int triangles, int frames);

// A waving sheet in a small step, without contact.
Step smooth_cloth(int triangles);

// Waving layers that press into each other at constant density: the area grows with the number of triangles.
Step layered_cloth(int triangles);

// A sheet rolled up in three turns that loosens a little, without contact.
Step rolled_sheet(int triangles);

// Four round rods twisted around each other by a little more, which touch here and there.
Step twisted_rods(int triangles);

}  // namespace toccata::bench
