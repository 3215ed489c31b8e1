#pragma once
// One self-contained HTML page that shows a report; works offline from disk. Component Toccata::json.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "toccata/base/expected.hpp"
#include "toccata/io/report.hpp"

namespace toccata {

struct ViewerPageOptions {
  // Above this many triangles in all, shapes and sequences are thinned out for display, and the page says
  // so. Contacts, numbers and touching triangles stay those of the full shapes.
  std::size_t triangle_limit = 400'000;
  // Where shapes given by reference are looked for when their path is relative.
  std::string folder = ".";
  char up = 0;               // 'x', 'y' or 'z' stands the scene up; 0: as the report says
  int hierarchy_levels = 0;  // of the bodies' boxes, for reports that hold none
};

// The page for a report in memory, or for the text of a report file. A text that does not fit
// docs/report.schema.json, or refers to what is not there, is refused; the error names the field.
Expected<std::string> viewer_page(const Report& report, const ViewerPageOptions& options = {});
Expected<std::string> viewer_page(std::string_view report_json, const ViewerPageOptions& options = {});

// Two reports beside each other, with one time and one camera.
Expected<std::string> comparison_page(std::string_view first_json, const ViewerPageOptions& first_options,
                                      std::string_view second_json, const ViewerPageOptions& second_options);

}  // namespace toccata
