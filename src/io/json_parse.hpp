#pragma once
// The text of a report, or of another file of ours, as JSON: refused early where it is none, or nested so
// deeply that walking it could exhaust the stack.
#include <nlohmann/json.hpp>
#include <string_view>

#include "toccata/base/expected.hpp"

namespace toccata {

// Any of our files: an object whose "format" and "version" are these; `kind` names it in errors.
struct JsonFormat {
  std::string_view kind;
  std::string_view format;
  int version = 1;
};
Expected<nlohmann::ordered_json> parse_format(std::string_view text, const JsonFormat& expected);

Expected<nlohmann::ordered_json> parse_report(std::string_view text);

}  // namespace toccata
