#pragma once
// Collections of vertex-face or edge-edge queries in the public CSV format of the field: no header, 8 rows a
// query (four points at t = 0, then at t = 1), 6 or 7 whole numbers a row: x, y and z as numerator and
// denominator, and, if the file has it, the truth (0 or 1, the same on all 8 rows).
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/impact/linear_impact.hpp"

namespace toccata {

struct LinearQueries {
  std::array<std::vector<double>, 24> coordinates;  // as LinearMotionBatch wants them
  std::vector<std::uint8_t> truth;                  // one a query, or none at all

  std::size_t size() const { return coordinates[0].size(); }
  LinearMotionBatch batch() const;
};

// Every fraction must be a double exactly; errors name the file and the line.
Expected<LinearQueries> load_linear_queries(const std::string& path);
Expected<LinearQueries> parse_linear_queries(std::string_view content, std::string_view name = "queries");

}  // namespace toccata
