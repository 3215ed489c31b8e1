#pragma once
// Files of the repository, as built into the library.
#include <string_view>

namespace toccata {

std::string_view viewer_template();     // web/dist/viewer.html
std::string_view report_schema_text();  // docs/report.schema.json

}  // namespace toccata
