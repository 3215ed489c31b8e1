#include "toccata/io/query_io.hpp"

#include <new>

#include "io/exact_fraction.hpp"
#include "io/file_bytes.hpp"
#include "io/read_failure.hpp"
#include "io/text_cursor.hpp"

namespace toccata {
namespace {

constexpr int rows_per_query = 8;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

class QueryReader {
 public:
  QueryReader(std::string_view content, std::string_view name) : cursor_(content, name) {}

  LinearQueries read() {
    for (cursor_.skip_empty_lines(); !cursor_.at_end(); cursor_.skip_empty_lines()) {
      split();
      if (columns_ == 0) columns_ = fields_.size();
      if (fields_.size() != columns_ || (columns_ != 6 && columns_ != 7)) fail_columns();
      read_point();
      if (columns_ == 7) read_truth();
      row_ = (row_ + 1) % rows_per_query;
    }
    if (row_ != 0) {
      cursor_.fail("expected 8 rows a query, found " + std::to_string(row_) + " in the last",
                   cursor_.place());
    }
    return std::move(queries_);
  }

 private:
  void split() {
    std::string_view line = cursor_.line();
    place_ = line.data();
    fields_.clear();
    for (std::size_t comma = line.find(','); comma != std::string_view::npos; comma = line.find(',')) {
      fields_.push_back(trimmed(line.substr(0, comma)));
      line.remove_prefix(comma + 1);
    }
    fields_.push_back(trimmed(line));
  }

  void read_point() {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string_view n = fields_[2 * axis], d = fields_[2 * axis + 1];
      const std::optional<double> value = io::exact_fraction(n, d);
      if (!value) {
        cursor_.fail(
            std::string("expected a numerator and a denominator whose quotient is exactly a double for ") +
                "xyz"[axis] + ", found " + io::quoted(n.data(), n.data() + n.size()) + " and " +
                io::quoted(d.data(), d.data() + d.size()),
            place_);
      }
      queries_.coordinates[3 * static_cast<std::size_t>(row_) + axis].push_back(*value);
    }
  }

  void read_truth() {
    const std::string_view text = fields_[6];
    if (text != "0" && text != "1") {
      cursor_.fail("expected the truth 0 or 1, found " + io::quoted(text.data(), text.data() + text.size()),
                   place_);
    }
    const auto truth = static_cast<std::uint8_t>(text == "1");
    if (row_ == 0) queries_.truth.push_back(truth);
    if (queries_.truth.back() != truth) {
      cursor_.fail("expected the same truth on the 8 rows of a query, found both", place_);
    }
  }

  [[noreturn]] void fail_columns() const {
    const std::string expected = columns_ == 6 || columns_ == 7 ? std::to_string(columns_) : "6 or 7";
    cursor_.fail(
        "expected " + expected + " numbers separated by commas, found " + std::to_string(fields_.size()),
        place_);
  }

  io::TextCursor cursor_;
  LinearQueries queries_;
  std::vector<std::string_view> fields_;
  std::size_t columns_ = 0;  // of the first row
  int row_ = 0;              // within the query
  const char* place_ = nullptr;
};

}  // namespace

LinearMotionBatch LinearQueries::batch() const {
  LinearMotionBatch result;
  result.size = size();
  for (std::size_t i = 0; i < 24; ++i) result.coordinates[i] = coordinates[i].data();
  return result;
}

Expected<LinearQueries> parse_linear_queries(std::string_view content, std::string_view name) {
  try {
    return QueryReader(content, name).read();
  } catch (const io::ReadFailure& failure) {
    return Error{failure.message};
  } catch (const std::bad_alloc&) {
    return Error{std::string(name) + ": not enough memory for the queries"};
  }
}

Expected<LinearQueries> load_linear_queries(const std::string& path) {
  const Expected<io::FileBytes> file = io::FileBytes::map(path);
  if (!file) return file.error();
  return parse_linear_queries(file->view(), path);
}

}  // namespace toccata
