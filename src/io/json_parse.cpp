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

Expected<Json> parse_report(std::string_view text) {
  if (is_too_deep(text)) return Error{"not a Toccata report: lists and objects are nested too deeply"};
  Json report = Json::parse(text, nullptr, false);
  if (report.is_discarded()) return Error{"not a Toccata report: not JSON"};
  if (!report.is_object() || !report.contains("format") || report["format"] != "toccata-report")
    return Error{"not a Toccata report: \"format\" is not \"toccata-report\""};
  const auto version = report.find("version");
  const bool is_number = version != report.end() && version->is_number_integer();
  if (is_number && *version == report_version) return report;
  return Error{"report version " + (is_number ? version->dump() : std::string("0")) +
               " is not known to this program, which reads version " + std::to_string(report_version)};
}

}  // namespace toccata
