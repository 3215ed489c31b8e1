#pragma once
// Files of numbers, row by row: text (numbers separated by spaces or commas, # starts a remark) or arrays of
// numpy, whose rows are their first index.
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toccata::app {

struct NumberRow {
  std::vector<double> numbers;
  std::string where;  // "poses.txt, line 3" or "poses.npy, row 2", for messages
};

struct NumberRows {
  std::string name;            // of the array in an .npz, else empty
  std::string shape;           // of an array, "(600, 2, 7)"; of text empty
  std::size_t dimensions = 2;  // of an array
  std::vector<NumberRow> rows = {};
};

// One after the other, for files of millions; rows without numbers are left out. Throws UsageError.
void for_each_text_row(const std::string& path, const std::function<void(const NumberRow&)>& use);
NumberRows read_text_rows(const std::string& path);
// The arrays that are wanted, see load_numpy. Throws UsageError.
std::vector<NumberRows> read_array_rows(const std::string& path, std::span<const std::string_view> wanted);

}  // namespace toccata::app
