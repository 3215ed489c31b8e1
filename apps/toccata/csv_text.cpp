#include "csv_text.hpp"

#include <cmath>

namespace toccata::app {

CsvLine& CsvLine::cell(std::string_view text) {
  if (!empty_) text_ += ',';
  text_ += text;
  empty_ = false;
  return *this;
}

CsvLine& CsvLine::add(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return cell(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return cell(quoted + '"');
}

CsvLine& CsvLine::add(double number) {
  return cell(std::isfinite(number) ? fmt::format("{}", number + 0.0) : std::string());  // + 0.0: no -0
}

CsvLine& CsvLine::skip(int cells) {
  for (int i = 0; i < cells; ++i) cell("");
  return *this;
}

}  // namespace toccata::app
