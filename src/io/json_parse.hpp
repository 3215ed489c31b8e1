#pragma once
// The text of a report as JSON: refused early where it is no report, or nested so deeply that walking it
// could exhaust the stack.
#include <nlohmann/json.hpp>
#include <string_view>

#include "toccata/base/expected.hpp"

namespace toccata {

Expected<nlohmann::ordered_json> parse_report(std::string_view text);

}  // namespace toccata
