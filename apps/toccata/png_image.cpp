#include "png_image.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <new>
#include <string_view>

#include "command.hpp"

namespace toccata::app {
namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
// Of one side: rows stay far below what a number of bytes can count.
constexpr std::uint32_t most_pixels = 1U << 24;

const Bytef* bytes_of(std::string_view bytes) {
  return reinterpret_cast<const Bytef*>(bytes.data());
}

std::uint32_t number_at(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

// What the chunks say that matter here.
struct Chunks {
  std::string_view header;
  std::string data;  // compressed
};

Chunks chunks_of(std::string_view rest) {
  if (!rest.starts_with(signature)) throw UsageError("the file does not start as a PNG image does");
  rest.remove_prefix(signature.size());
  Chunks chunks;
  for (;;) {
    if (rest.size() < 12 || number_at(rest) > rest.size() - 12) throw UsageError("the file is cut short");
    const std::size_t length = number_at(rest);
    const std::string_view kind = rest.substr(4, 4), content = rest.substr(8, length);
    if (number_at(rest.substr(8 + length)) != crc32_z(0, bytes_of(rest.substr(4)), 4 + length))
      throw UsageError("the file is damaged: a checksum differs");
    if (kind == "IHDR") chunks.header = content;
    if (kind == "IDAT") chunks.data += content;
    if (kind == "IEND") break;
    rest.remove_prefix(12 + length);
  }
  if (chunks.header.size() != 13) throw UsageError("the image has no header");
  return chunks;
}

struct Layout {
  std::size_t columns, rows;
  std::size_t depth;     // bits of a sample
  std::size_t channels;  // grey, or grey and alpha
  std::size_t row_bytes() const { return (columns * channels * depth + 7) / 8; }
  // From a byte to the same one of the pixel before.
  std::size_t pixel_bytes() const { return channels * depth < 8 ? 1 : channels * depth / 8; }
};

Layout layout_of(std::string_view header) {
  const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(header[i]); };
  const std::uint32_t columns = number_at(header), rows = number_at(header.substr(4));
  if (columns == 0 || rows == 0 || columns > most_pixels || rows > most_pixels)
    throw UsageError(fmt::format("an image of {} x {} pixels is not read", columns, rows));
  const int colour = at(9);
  if (colour != 0 && colour != 4)
    throw UsageError("the image is in colour, but heights are grey: convert it to grey first");
  const int depth = at(8);
  const bool is_usual = depth == 8 || depth == 16, is_small = depth == 1 || depth == 2 || depth == 4;
  if (!(is_usual || (is_small && colour == 0)) || at(10) != 0 || at(11) != 0)
    throw UsageError("the header of the image is damaged");
  if (at(12) != 0) throw UsageError("the image is interlaced: save it without");
  return {columns, rows, static_cast<std::size_t>(depth), colour == 4 ? std::size_t{2} : std::size_t{1}};
}

int paeth(int left, int up, int corner) {
  const int guess = left + up - corner;
  const int far_left = std::abs(guess - left), far_up = std::abs(guess - up),
            far_corner = std::abs(guess - corner);
  if (far_left <= far_up && far_left <= far_corner) return left;
  return far_up <= far_corner ? up : corner;
}

// A row is stored as the difference from what its neighbours let expect.
void undo_filter(int filter, const std::uint8_t* above, std::size_t pixel, std::uint8_t* row,
                 std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const int left = i >= pixel ? row[i - pixel] : 0, up = above != nullptr ? above[i] : 0;
    const int corner = i >= pixel && above != nullptr ? above[i - pixel] : 0;
    int expected = 0;
    switch (filter) {
      case 0:
        break;
      case 1:
        expected = left;
        break;
      case 2:
        expected = up;
        break;
      case 3:
        expected = (left + up) / 2;
        break;
      case 4:
        expected = paeth(left, up, corner);
        break;
      default:
        throw UsageError("a row of the image is filtered in no known way");
    }
    row[i] = static_cast<std::uint8_t>(row[i] + expected);
  }
}

// Sample `i` of a row, highest bits first.
unsigned sample_at(const std::uint8_t* row, std::size_t depth, std::size_t i) {
  if (depth == 16) return static_cast<unsigned>(row[2 * i]) << 8 | row[2 * i + 1];
  const std::size_t bit = depth * i;
  return row[bit / 8] >> (8 - depth - bit % 8) & ((1U << depth) - 1U);
}

// Exactly `size` bytes: a stream of fewer or more, or one whose checksum differs, is damaged.
std::vector<std::uint8_t> inflated(std::string_view stream, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  uLongf length = size;
  const int ending = uncompress(bytes.data(), &length, bytes_of(stream), stream.size());
  if (ending == Z_BUF_ERROR) throw UsageError("the compressed data is longer than the image");
  if (ending == Z_MEM_ERROR) throw std::bad_alloc();
  if (ending != Z_OK) throw UsageError("the compressed data is damaged or cut short");
  if (length != size) throw UsageError("the compressed data is shorter than the image");
  return bytes;
}

GreyImage image_of(std::string_view content) {
  const Chunks chunks = chunks_of(content);
  const Layout layout = layout_of(chunks.header);
  const std::size_t stride = 1 + layout.row_bytes();  // each row starts with the number of its filter
  // Deflate makes at most 1032 bytes of one: what a header promises beyond that is not made room for.
  if (stride * layout.rows / 1032 > chunks.data.size()) throw UsageError("the compressed data is cut short");
  std::vector<std::uint8_t> bytes = inflated(chunks.data, stride * layout.rows);
  GreyImage image{layout.rows, layout.columns, {}};
  image.values.reserve(layout.rows * layout.columns);
  const double white = static_cast<double>((1U << layout.depth) - 1U);
  const std::uint8_t* above = nullptr;
  for (std::size_t r = 0; r < layout.rows; ++r) {
    std::uint8_t* const row = bytes.data() + r * stride + 1;
    undo_filter(row[-1], above, layout.pixel_bytes(), row, layout.row_bytes());
    for (std::size_t c = 0; c < layout.columns; ++c) {
      const bool is_hole = layout.channels == 2 && sample_at(row, layout.depth, 2 * c + 1) == 0;
      image.values.push_back(is_hole ? std::numeric_limits<double>::quiet_NaN()
                                     : sample_at(row, layout.depth, layout.channels * c) / white);
    }
    above = row;
  }
  return image;
}

}  // namespace

bool is_png_file(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return false;
  std::string ending = path.substr(dot);
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending == ".png";
}

GreyImage load_png(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(fmt::format("{}: cannot be read", path));
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  try {
    return image_of(content);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace toccata::app
