#include "io/json_schema.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <string>
#include <string_view>

#include "io/viewer_template.hpp"

namespace toccata {
namespace {

using Json = nlohmann::ordered_json;

bool is_whole(const Json& value) {
  if (value.is_number_integer()) return true;
  return value.is_number_float() && std::floor(value.get<double>()) == value.get<double>();
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return is_whole(value);
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  return false;
}

std::string excerpt(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

// One walk over a value; failures are texts with the place.
class SchemaWalk {
 public:
  explicit SchemaWalk(const Json& root) : root_(root) {}

  // Empty: it fits.
  std::string check(const Json& value, const Json& schema, const std::string& path) const {
    for (const auto& [word, rule] : schema.items()) {
      std::string failure = check_word(value, schema, word, rule, path);
      if (!failure.empty()) return failure;
    }
    return {};
  }

 private:
  static std::string at(const std::string& path, const std::string& failure) {
    return (path.empty() ? std::string("report") : path) + ": " + failure;
  }
  static std::string member(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }

  std::string check_word(const Json& value, const Json& schema, const std::string& word, const Json& rule,
                         const std::string& path) const {
    if (word == "type") return check_type(value, rule, path);
    if (word == "$ref") return check(value, referred(rule), path);
    if (word == "const")
      return value == rule ? "" : at(path, "is " + excerpt(value) + ", not " + rule.dump());
    if (word == "enum") return check_enum(value, rule, path);
    if (word == "oneOf" || word == "anyOf") return check_choice(value, rule, word == "oneOf", path);
    if (word == "required") return check_required(value, rule, path);
    if (word == "properties") return check_properties(value, rule, path);
    if (word == "additionalProperties") return check_others(value, schema, rule, path);
    if (word == "items") return check_items(value, rule, path);
    if (word == "minItems" || word == "maxItems") return check_length(value, word == "minItems", rule, path);
    if (word == "minimum" || word == "maximum") return check_size(value, word == "minimum", rule, path);
    if (word == "pattern") return check_pattern(value, rule, path);
    constexpr std::string_view remarks[] = {"$schema", "title", "description", "$defs"};
    if (std::find(std::begin(remarks), std::end(remarks), word) != std::end(remarks)) return {};
    return at(path, "the schema says \"" + word + "\", which is not known");
  }

  // "#/$defs/vector"
  const Json& referred(const Json& reference) const {
    return root_.at(Json::json_pointer(reference.get<std::string>().substr(1)));
  }

  static std::string check_type(const Json& value, const Json& rule, const std::string& path) {
    std::string names;
    for (const Json& type : rule.is_array() ? rule : Json::array({rule})) {
      if (has_type(value, type.get<std::string>())) return {};
      names += (names.empty() ? "" : " or ") + type.get<std::string>();
    }
    return at(path, "is " + excerpt(value) + ", not of type " + names);
  }

  static std::string check_enum(const Json& value, const Json& rule, const std::string& path) {
    if (std::find(rule.begin(), rule.end(), value) != rule.end()) return {};
    return at(path, "is " + excerpt(value) + ", not one of " + rule.dump());
  }

  // Kinds of things are told apart by their "type": the failure is then that of the kind that is meant.
  std::string check_choice(const Json& value, const Json& choices, bool only_one,
                           const std::string& path) const {
    int fitting = 0;
    std::string of_its_kind;
    for (const Json& choice : choices) {
      const std::string failure = check(value, choice, path);
      if (failure.empty()) ++fitting;
      if (!failure.empty() && is_meant(value, choice)) of_its_kind = failure;
    }
    if (fitting == 1 || (fitting > 1 && !only_one)) return {};
    if (fitting == 0 && !of_its_kind.empty()) return of_its_kind;
    return at(path, excerpt(value) + (fitting == 0 ? " fits none of its kinds" : " fits several kinds"));
  }

  bool is_meant(const Json& value, const Json& choice) const {
    const Json& kind = choice.contains("$ref") ? referred(choice["$ref"]) : choice;
    if (!value.is_object() || !value.contains("type") || !kind.contains("properties")) return false;
    const auto type = kind["properties"].find("type");
    return type != kind["properties"].end() && check(value["type"], *type, "").empty();
  }

  static std::string check_required(const Json& value, const Json& names, const std::string& path) {
    if (!value.is_object()) return {};
    for (const Json& name : names) {
      if (!value.contains(name.get<std::string>())) return member(path, name) + ": is missing";
    }
    return {};
  }

  std::string check_properties(const Json& value, const Json& properties, const std::string& path) const {
    if (!value.is_object()) return {};
    for (const auto& [name, rule] : properties.items()) {
      const auto found = value.find(name);
      if (found == value.end()) continue;
      std::string failure = check(*found, rule, member(path, name));
      if (!failure.empty()) return failure;
    }
    return {};
  }

  std::string check_others(const Json& value, const Json& schema, const Json& rule,
                           const std::string& path) const {
    if (!value.is_object()) return {};
    for (const auto& [name, other] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(name)) continue;
      if (rule.is_boolean()) {
        if (!rule.get<bool>()) return member(path, name) + ": is not a field of a report";
        continue;
      }
      std::string failure = check(other, rule, member(path, name));
      if (!failure.empty()) return failure;
    }
    return {};
  }

  std::string check_items(const Json& value, const Json& rule, const std::string& path) const {
    if (!value.is_array()) return {};
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string failure = check(value[i], rule, path + "[" + std::to_string(i) + "]");
      if (!failure.empty()) return failure;
    }
    return {};
  }

  static std::string check_length(const Json& value, bool is_least, const Json& rule,
                                  const std::string& path) {
    if (!value.is_array()) return {};
    const auto limit = rule.get<std::size_t>();
    if (is_least ? value.size() >= limit : value.size() <= limit) return {};
    return at(path, "has " + std::to_string(value.size()) + (value.size() == 1 ? " entry" : " entries") +
                        (is_least ? ", needs at least " : ", may have at most ") + std::to_string(limit));
  }

  static std::string check_size(const Json& value, bool is_least, const Json& rule, const std::string& path) {
    if (!value.is_number()) return {};
    const auto number = value.get<double>(), limit = rule.get<double>();
    if (is_least ? number >= limit : number <= limit) return {};
    return at(path, "is " + excerpt(value) + ", must be at " + (is_least ? "least " : "most ") + rule.dump());
  }

  std::string check_pattern(const Json& value, const Json& rule, const std::string& path) const {
    if (!value.is_string()) return {};
    const auto text = value.get<std::string>(), pattern = rule.get<std::string>();
    // Made once each: tens of thousands of contacts are matched.
    const std::regex& matcher = patterns_.try_emplace(pattern, pattern).first->second;
    // What is long is not what a pattern means, and the library's matcher may exhaust the stack on it.
    if (text.size() < 200 && std::regex_search(text, matcher)) return {};
    return at(path, "is " + excerpt(value) + ", which does not read as " + pattern);
  }

  const Json& root_;
  mutable std::map<std::string, std::regex> patterns_;
};

}  // namespace

const Json& report_schema() {
  static const Json schema = Json::parse(report_schema_text());
  return schema;
}

std::optional<Error> schema_violation(const Json& value, const Json& schema) {
  std::string failure = SchemaWalk(schema).check(value, schema, "");
  if (failure.empty()) return std::nullopt;
  return Error{std::move(failure)};
}

}  // namespace toccata
