#pragma once
// Reports as JSON, written and read back (docs/report.md, docs/report.schema.json). Component Toccata::json.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "toccata/base/expected.hpp"
#include "toccata/io/report.hpp"

namespace toccata {

inline constexpr int report_version = 1;

struct ReportJsonOptions {
  bool embed_shapes = true;  // false: shapes that have a source are written by reference
  int indent = -1;           // as nlohmann::json::dump: -1 is one line
};

std::string to_json(const Report& report, const ReportJsonOptions& options = {});

// Writes to_json(report) to `path`. Returns the reason if that fails.
std::optional<Error> write_report(const std::string& path, const Report& report,
                                  const ReportJsonOptions& options = {});

// What was written: to_json of it gives the same text. Shapes given by reference stay references. The error
// names the field: "results[3].bodies[1]: ...". Fields that are not known are passed over.
Expected<Report> report_from_json(std::string_view text);
Expected<Report> read_report(const std::string& path);

}  // namespace toccata
