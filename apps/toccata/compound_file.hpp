#pragma once
// Shapes that move as one, from a file of parts:
//
//   {"parts": [{"shape": "cylinder:0.05,1"},
//              {"shape": "box:0.4,0.15,0.15", "pose": [0, 0, 0.5]},
//              {"hull": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "radius": 0.1}]}
//
// A shape is what may stand on the command line, a pose the numbers of --pose; a hull is that of its points,
// and of all within the radius of it. Files are looked for beside it. docs/compound.schema.json is its twin.
#include <string>
#include <vector>

#include "toccata/base/pose.hpp"

namespace toccata::app {

struct TypedPart {
  std::string shape;  // empty: the hull of `points`, grown by `radius`
  std::vector<Vector3> points = {};
  double radius = 0.0;
  Pose pose = {};
  std::string where;  // "parts.json: parts[3]", for errors
};

// Throws UsageError that names the part.
std::vector<TypedPart> load_parts(const std::string& path);

}  // namespace toccata::app
