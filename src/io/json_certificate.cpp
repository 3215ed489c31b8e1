#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/json_parse.hpp"
#include "toccata/io/certificate_json.hpp"

namespace toccata {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* certificate_format = "toccata-certificate";

std::string place(std::size_t pair) {
  return "pairs[" + std::to_string(pair) + "]";
}

// The text at a key, or what is wrong.
Expected<std::string> text_at(const Json& object, const char* key, const std::string& where) {
  const auto found = object.find(key);
  const std::string name = where.empty() ? key : where + "." + key;
  if (found == object.end()) return Error{name + ": is missing"};
  if (!found->is_string()) return Error{name + ": expected a text"};
  return found->get<std::string>();
}

Expected<CertifiedSpan> span_of(const Json& json, const std::string& where) {
  const bool is_three = json.is_array() && json.size() == 3 && json[0].is_number() && json[1].is_number() &&
                        json[2].is_number();
  if (!is_three) return Error{where + ": expected three numbers: begin, end and clearance"};
  return CertifiedSpan{json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

Expected<CertifiedPair> pair_of(const Json& json, const std::string& where) {
  if (!json.is_object()) return Error{where + ": expected an object"};
  CertifiedPair pair;
  const Expected<std::string> a = text_at(json, "a", where), b = text_at(json, "b", where);
  if (!a || !b) return (a ? b : a).error();
  pair.a = *a;
  pair.b = *b;
  const auto with_scene = json.find("with_scene");
  if (with_scene == json.end() || !with_scene->is_boolean())
    return Error{where + ".with_scene: expected true or false"};
  pair.with_scene = with_scene->get<bool>();
  const auto spans = json.find("spans");
  if (spans == json.end() || !spans->is_array()) return Error{where + ".spans: expected a list"};
  for (std::size_t i = 0; i < spans->size(); ++i) {
    const Expected<CertifiedSpan> span = span_of((*spans)[i], where + ".spans[" + std::to_string(i) + "]");
    if (!span) return span.error();
    pair.spans.push_back(*span);
  }
  return pair;
}

}  // namespace

std::string to_json(const PathCertificate& certificate) {
  Json pairs = Json::array();
  for (const CertifiedPair& pair : certificate.pairs) {
    Json spans = Json::array();
    for (const CertifiedSpan& span : pair.spans)
      spans.push_back(Json::array({span.begin, span.end, span.clearance}));
    pairs.push_back({{"a", pair.a}, {"b", pair.b}, {"with_scene", pair.with_scene}, {"spans", spans}});
  }
  const Json json = {{"format", certificate_format},         {"version", certificate_version},
                     {"robot_name", certificate.robot_name}, {"robot", certificate.robot},
                     {"scene", certificate.scene},           {"path", certificate.path},
                     {"clearance", certificate.clearance},   {"pairs", std::move(pairs)}};
  // Names need not be UTF-8; what is not is replaced, and no longer the name.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<Error> write_certificate(const std::string& path, const PathCertificate& certificate) {
  std::ofstream file(path, std::ios::binary);
  if (file) file << to_json(certificate);
  file.close();
  if (!file) return Error{path + ": cannot be written"};
  return {};
}

Expected<PathCertificate> certificate_from_json(std::string_view text) {
  const Expected<Json> json = parse_format(text, {"certificate", certificate_format, certificate_version});
  if (!json) return json.error();
  PathCertificate certificate;
  const std::pair<const char*, std::string*> texts[] = {{"robot_name", &certificate.robot_name},
                                                        {"robot", &certificate.robot},
                                                        {"scene", &certificate.scene},
                                                        {"path", &certificate.path}};
  for (const auto& [key, target] : texts) {
    const Expected<std::string> found = text_at(*json, key, {});
    if (!found) return found.error();
    *target = *found;
  }
  const auto clearance = json->find("clearance"), pairs = json->find("pairs");
  if (clearance == json->end() || !clearance->is_number()) return Error{"clearance: expected a number"};
  certificate.clearance = clearance->get<double>();
  if (pairs == json->end() || !pairs->is_array()) return Error{"pairs: expected a list"};
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    Expected<CertifiedPair> pair = pair_of((*pairs)[i], place(i));
    if (!pair) return pair.error();
    certificate.pairs.push_back(std::move(*pair));
  }
  return certificate;
}

Expected<PathCertificate> read_certificate(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{path + ": cannot be read"};
  std::ostringstream text;
  text << file.rdbuf();
  Expected<PathCertificate> certificate = certificate_from_json(text.str());
  if (!certificate) return Error{path + ": " + certificate.error().message};
  return certificate;
}

}  // namespace toccata
