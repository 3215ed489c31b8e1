#pragma once
// A world as people write it down: a JSON file of shapes, bodies and groups (docs/world.schema.json), in the
// words of the command line.
#include <string>
#include <utility>
#include <vector>

#include "toccata/broad_phase/broad_phase.hpp"
#include "toccata/io/query_report.hpp"

namespace toccata::app {

struct WorldScene {
  struct Member {
    ReportBody body;
    PairFilter filter;
  };
  std::vector<Member> bodies;
  std::vector<std::pair<std::int32_t, std::int32_t>> off;  // pairs that never touch
  std::vector<std::string> files;                          // that were read
};

// Files that the scene names are looked for beside it. Throws UsageError: "scene.json: bodies[3].shape: ...".
WorldScene load_world_scene(const std::string& path);

}  // namespace toccata::app
