#pragma once
// A line of a table, its values separated by commas (RFC 4180). Numbers read back to the same double; what is
// not a finite number is an empty cell.
#include <fmt/core.h>

#include <concepts>
#include <string>
#include <string_view>

#include "toccata/base/vector.hpp"

namespace toccata::app {

class CsvLine {
 public:
  CsvLine& add(std::string_view text);
  CsvLine& add(const std::string& text) { return add(std::string_view(text)); }
  CsvLine& add(const char* text) { return add(std::string_view(text)); }
  CsvLine& add(double number);
  CsvLine& add(std::integral auto number) { return cell(std::to_string(number)); }
  CsvLine& add(const Vector3& vector) { return add(vector.x()).add(vector.y()).add(vector.z()); }
  CsvLine& skip(int cells = 1);
  void print() const { fmt::print("{}\n", text_); }

 private:
  CsvLine& cell(std::string_view text);
  std::string text_;
  bool empty_ = true;
};

}  // namespace toccata::app
