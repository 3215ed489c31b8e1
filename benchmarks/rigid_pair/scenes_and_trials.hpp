#pragma once
// The pairs of meshes and the motions of the C2A paper's Table I: models made by `scenes`, and real ones.
#include "method.hpp"

namespace toccata::bench {

struct Scene {
  std::string name;
  TriangleMesh a, b;
};

// Club, gear, hammer, bunny and torus knot in kind; or the mesh files given, each against itself, made as
// large as those. Files that cannot be read are named on stderr and left out.
std::vector<Scene> all_scenes(const std::vector<std::string>& files);

// From a random pose to another one, nearer to the standing body.
std::vector<Trial> trials_of(int count);

}  // namespace toccata::bench
