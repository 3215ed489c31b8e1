#pragma once
// Reports of questions about two meshes at rest.
#include <string>

#include "toccata/io/report.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::app {

struct RestingFile {
  const std::string& path;
  const PlacedShape& placed;
};

// Bodies 0 and 1 where they stand, no answer and no result yet. One file named twice is one shape.
Report rest_report(const std::string& query, const RestingFile& a, const RestingFile& b);

}  // namespace toccata::app
