#include "io/json_parse.hpp"

#include <string>

#include "toccata/io/report_json.hpp"

namespace toccata {
namespace {

using Json = nlohmann::ordered_json;

// The deepest place of a report is a number of a pose of a segment of a trial's motion: 9.
constexpr int most_nesting = 32;

bool is_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most_nesting) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Expected<Json> parse_format(std::string_view text, const JsonFormat& expected) {
  const std::string kind(expected.kind), none = "not a Toccata " + kind + ": ";
  if (is_too_deep(text)) return Error{none + "lists and objects are nested too deeply"};
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{none + "not JSON"};
  if (!json.is_object() || !json.contains("format") || json["format"] != expected.format)
    return Error{none + "\"format\" is not \"" + std::string(expected.format) + "\""};
  const auto version = json.find("version");
  const bool is_number = version != json.end() && version->is_number_integer();
  if (is_number && *version == expected.version) return json;
  return Error{kind + " version " + (is_number ? version->dump() : std::string("0")) +
               " is not known to this program, which reads version " + std::to_string(expected.version)};
}

Expected<Json> parse_report(std::string_view text) {
  return parse_format(text, {"report", "toccata-report", report_version});
}

}  // namespace toccata
