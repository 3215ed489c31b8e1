#pragma once
// JSON as text, written piece by piece. Numbers read back to the same double; what is not a finite number is
// null; bytes that are not UTF-8 (file names need not be) become U+FFFD.
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata::app {

std::string json_of(double number);
std::string json_of(std::string_view text);
std::string json_of(const Vector3& vector);
inline std::string json_of(const char* text) {
  return json_of(std::string_view(text));
}
inline std::string json_of(const std::string& text) {
  return json_of(std::string_view(text));
}
inline std::string json_of(std::nullptr_t) {
  return "null";
}
inline std::string json_of(std::same_as<bool> auto value) {
  return value ? "true" : "false";
}
template <std::integral Integer>
requires(!std::same_as<Integer, bool>) std::string json_of(Integer number) {
  return std::to_string(number);
}

class JsonList {
 public:
  JsonList() = default;
  template <typename Value>
  JsonList& add(const Value& value) {
    text_ += (text_.empty() ? "" : ",") + json_of(value);
    return *this;
  }
  std::string text() const { return "[" + text_ + "]"; }

 private:
  std::string text_;
};

class JsonObject {
 public:
  JsonObject() = default;
  template <typename Value>
  JsonObject& add(std::string_view key, const Value& value) {
    text_ += (text_.empty() ? "" : ",") + json_of(key) + ":" + json_of(value);
    return *this;
  }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

inline std::string json_of(const JsonList& list) {
  return list.text();
}
inline std::string json_of(const JsonObject& object) {
  return object.text();
}

// One line on stdout.
void print_json(const JsonObject& object);

}  // namespace toccata::app
