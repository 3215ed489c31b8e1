#include "number_rows.hpp"

#include <fmt/core.h>

#include <fstream>

#include "command.hpp"
#include "pose_argument.hpp"
#include "toccata/io/numpy_io.hpp"

namespace toccata::app {
namespace {

NumberRows rows_of(const NamedArray& named, const std::string& path) {
  const NumpyArray& array = named.array;
  const std::string name = named.name.empty() ? path : path + ", " + named.name;
  if (array.shape.size() < 2)
    throw UsageError(fmt::format("{}: expected an array with a row for each, found the shape {}", name,
                                 array.shape_text()));
  // Rows of no numbers take no room in the file, so that there may be any number of them.
  if (array.values.empty() && array.shape[0] != 0)
    throw UsageError(
        fmt::format("{}: expected numbers in each row, found the shape {}", name, array.shape_text()));
  NumberRows result{.name = named.name, .shape = array.shape_text(), .dimensions = array.shape.size()};
  const std::size_t width = array.shape[0] == 0 ? 0 : array.values.size() / array.shape[0];
  for (std::size_t i = 0; i < array.shape[0]; ++i) {
    const auto begin = array.values.begin() + static_cast<std::ptrdiff_t>(i * width);
    result.rows.push_back(
        {{begin, begin + static_cast<std::ptrdiff_t>(width)}, fmt::format("{}, row {}", name, i)});
    for (const double number : result.rows.back().numbers) {
      if (!(number - number == 0.0)) throw UsageError(result.rows.back().where + ": a number is not finite");
    }
  }
  return result;
}

}  // namespace

void for_each_text_row(const std::string& path, const std::function<void(const NumberRow&)>& use) {
  std::ifstream file(path);
  if (!file) throw UsageError(path + ": cannot be opened");
  std::string line;
  NumberRow row;
  for (int number = 1; std::getline(file, line); ++number) {
    if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);  // a byte-order mark
    if (const std::size_t remark = line.find('#'); remark != std::string::npos) line.resize(remark);
    row.where = fmt::format("{}, line {}", path, number);
    row.numbers = parse_numbers(line, row.where);
    if (!row.numbers.empty()) use(row);
  }
  if (file.bad()) throw UsageError(path + ": cannot be read");
}

NumberRows read_text_rows(const std::string& path) {
  NumberRows result;
  for_each_text_row(path, [&](const NumberRow& row) { result.rows.push_back(row); });
  return result;
}

std::vector<NumberRows> read_array_rows(const std::string& path, std::span<const std::string_view> wanted) {
  const Expected<std::vector<NamedArray>> arrays = load_numpy(path, wanted);
  if (!arrays) throw UsageError(arrays.error().message);
  std::vector<NumberRows> result;
  for (const NamedArray& named : *arrays) result.push_back(rows_of(named, path));
  return result;
}

}  // namespace toccata::app
