// The formats: numpy.lib.format (a magic word, a header in Python's notation, the numbers), and zip archives
// of such files, of which only the directory at the end is believed.
#include "toccata/io/numpy_io.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>

#include "geometry/vertex_welder.hpp"
#include "io/byte_order.hpp"
#include "io/file_bytes.hpp"
#include "io/read_failure.hpp"

namespace toccata {
namespace {

using io::read_number;
using io::ReadFailure;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_dimensions = 32;  // as numpy has it

[[noreturn]] void fail(std::string_view name, const std::string& message) {
  throw ReadFailure{std::string(name) + ": " + message};
}

std::string quoted(std::string_view text) {
  return io::quoted(text.data(), text.data() + text.size());
}

// ---------------------------------------------------------------- the header

struct NpyHeader {
  std::string type;  // "<f8"
  bool fortran = false;
  std::vector<std::size_t> shape;
};

// The dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }, its keys in any order.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  NpyHeader read() {
    NpyHeader header;
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!skip('}')) {
      const std::string key = word();
      expect(':');
      if (key == "descr") {
        header.type = type();
        has_type = true;
      } else if (key == "fortran_order") {
        header.fortran = truth();
        has_order = true;
      } else if (key == "shape") {
        header.shape = shape();
        has_shape = true;
      } else {
        fail(name_, "expected the keys descr, fortran_order and shape in the header, found " + quoted(key));
      }
      if (!skip(',')) {
        expect('}');
        break;
      }
    }
    if (!has_type || !has_order || !has_shape)
      fail(name_, "expected the keys descr, fortran_order and shape in the header, found " + quoted(text_));
    return header;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool skip(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!skip(c))
      fail(name_, std::string("expected '") + c + "' in the header, found " + quoted(text_.substr(at_)));
  }
  std::string word() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"')
      fail(name_, "expected a quoted word in the header, found " + quoted(text_.substr(at_)));
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail(name_, "a quoted word of the header does not end");
    std::string found(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return found;
  }
  std::string type() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[')
      fail(name_, "is a structured array; save its columns as one array of numbers");
    return word();
  }
  bool truth() {
    skip_blanks();
    for (const std::string_view text : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(text)) continue;
      at_ += text.size();
      return text == "True";
    }
    fail(name_, "expected True or False in the header, found " + quoted(text_.substr(at_)));
  }
  std::vector<std::size_t> shape() {
    std::vector<std::size_t> sizes;
    expect('(');
    while (!skip(')')) {
      skip_blanks();
      const std::size_t begin = at_;
      std::size_t size = 0;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
        if (at_ - begin > 17) fail(name_, "a size in the header has too many digits");
        size = 10 * size + static_cast<std::size_t>(text_[at_] - '0');
      }
      if (at_ == begin) fail(name_, "expected a size in the header, found " + quoted(text_.substr(at_)));
      if (sizes.size() == most_dimensions) fail(name_, "has more than 32 dimensions");
      sizes.push_back(size);
      if (!skip(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
};

// ---------------------------------------------------------------- the numbers

using NumberReader = double (*)(const char*, std::endian);

template <typename Number>
double as_double(const char* place, std::endian order) {
  return static_cast<double>(read_number<Number>(place, order));
}

struct NumberType {
  std::size_t bytes = 0;
  NumberReader read = nullptr;
  std::endian order = std::endian::little;
};

NumberType number_type(const std::string& type, std::string_view name) {
  struct Known {
    std::string_view code;
    std::size_t bytes;
    NumberReader read;
  };
  constexpr Known known[] = {{"f8", 8, as_double<double>},        {"f4", 4, as_double<float>},
                             {"i8", 8, as_double<std::int64_t>},  {"i4", 4, as_double<std::int32_t>},
                             {"i2", 2, as_double<std::int16_t>},  {"i1", 1, as_double<std::int8_t>},
                             {"u8", 8, as_double<std::uint64_t>}, {"u4", 4, as_double<std::uint32_t>},
                             {"u2", 2, as_double<std::uint16_t>}, {"u1", 1, as_double<std::uint8_t>},
                             {"b1", 1, as_double<std::uint8_t>}};
  const char order = type.empty() ? '\0' : type[0];
  const bool known_order = order == '<' || order == '>' || order == '|' || order == '=';
  for (const Known& entry : known) {
    if (!known_order || type.substr(1) != entry.code) continue;
    const std::endian bytes = order == '>'   ? std::endian::big
                              : order == '<' ? std::endian::little
                                             : std::endian::native;
    return {entry.bytes, entry.read, bytes};
  }
  fail(name, "holds numbers of the type " + quoted(type) +
                 ", which are not read; save array.astype(float) instead");
}

// How many numbers, if the content is long enough for them; no product may overflow before it is known.
std::size_t count_of(const NpyHeader& header, std::size_t bytes, std::size_t available,
                     std::string_view name) {
  if (std::find(header.shape.begin(), header.shape.end(), std::size_t{0}) != header.shape.end()) return 0;
  const std::size_t held = available / bytes;
  std::size_t count = 1;  // what a shape () holds, too
  bool fits = held > 0;
  for (std::size_t i = 0; fits && i < header.shape.size(); ++i) {
    fits = header.shape[i] <= held / count;
    count *= header.shape[i];
  }
  if (!fits) {
    fail(name, "the header promises more numbers than the file holds (" + std::to_string(available) +
                   " bytes after it); is the file cut short?");
  }
  return count;
}

// Of a number that is the k-th in the file when the first index runs fastest: where it goes.
class FortranOrder {
 public:
  explicit FortranOrder(const std::vector<std::size_t>& shape) : shape_(shape), index_(shape.size(), 0) {
    strides_.assign(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;) strides_[d - 1] = strides_[d] * shape[d];
  }
  std::size_t place() const { return place_; }
  void next() {
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      place_ += strides_[d];
      if (++index_[d] < shape_[d]) return;
      place_ -= strides_[d] * shape_[d];
      index_[d] = 0;
    }
  }

 private:
  const std::vector<std::size_t>& shape_;
  std::vector<std::size_t> index_, strides_;
  std::size_t place_ = 0;
};

NumpyArray read_npy(std::string_view content, std::string_view name) {
  if (!content.starts_with(magic))
    fail(name, "expected a file written by numpy.save, found " + quoted(content.substr(0, 8)));
  const unsigned version = content.size() > 6 ? static_cast<unsigned char>(content[6]) : 0;
  if (version < 1 || version > 3)
    fail(name, "has the format version " + std::to_string(version) + "; 1 to 3 are read");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (content.size() < 8 + length_bytes) fail(name, "the header is cut short");
  const std::size_t length = version == 1 ? read_number<std::uint16_t>(content.data() + 8)
                                          : read_number<std::uint32_t>(content.data() + 8);
  const std::size_t begin = 8 + length_bytes;
  if (length > content.size() - begin) fail(name, "the header is cut short");
  NumpyArray array;
  NpyHeader header = HeaderReader(content.substr(begin, length), name).read();
  if (header.type.find('O') != std::string::npos)
    fail(name, "holds Python objects, often rows of different lengths; save an array of numbers");
  const NumberType type = number_type(header.type, name);
  const std::string_view data = content.substr(begin + length);
  const std::size_t count = count_of(header, type.bytes, data.size(), name);
  array.shape = std::move(header.shape);
  array.values.resize(count);
  FortranOrder order(array.shape);
  for (std::size_t k = 0; k < count; ++k) {
    const double value = type.read(data.data() + k * type.bytes, type.order);
    array.values[header.fortran ? order.place() : k] = value;
    if (header.fortran) order.next();
  }
  return array;
}

// ---------------------------------------------------------------- zip archives

constexpr std::size_t end_record_bytes = 22;
constexpr std::size_t directory_entry_bytes = 46;
constexpr std::size_t local_header_bytes = 30;

std::uint64_t u16(std::string_view content, std::size_t place) {
  return read_number<std::uint16_t>(content.data() + place);
}
std::uint64_t u32(std::string_view content, std::size_t place) {
  return read_number<std::uint32_t>(content.data() + place);
}
std::uint64_t u64(std::string_view content, std::size_t place) {
  return read_number<std::uint64_t>(content.data() + place);
}

struct Directory {
  std::uint64_t entries = 0;
  std::uint64_t begin = 0;
};

Directory directory_of(std::string_view content, std::string_view name) {
  const std::size_t end = content.rfind("PK\x05\x06");
  if (!content.starts_with("PK") || end == std::string_view::npos || content.size() - end < end_record_bytes)
    fail(name,
         "expected a file written by numpy.savez, found no directory of a zip archive; is it cut short?");
  Directory directory{u16(content, end + 10), u32(content, end + 16)};
  // Archives above 4 GB keep their numbers in a record before it.
  if (directory.entries == 0xffff || directory.begin == 0xffffffff) {
    const std::size_t wide = content.substr(0, end).rfind(std::string_view("PK\x06\x06", 4));
    if (wide == std::string_view::npos || end - wide < 56)
      fail(name, "the directory of the archive is damaged");
    directory = {u64(content, wide + 32), u64(content, wide + 48)};
  }
  return directory;
}

// The extra field 1 of an entry holds, in this order, those of its numbers that need 64 bits.
void widen(std::string_view extra, std::uint64_t& size, std::uint64_t& packed, std::uint64_t& offset) {
  while (extra.size() >= 4) {
    const std::uint64_t id = u16(extra, 0), length = u16(extra, 2);
    extra.remove_prefix(4);
    if (length > extra.size()) return;
    if (id == 1) {
      std::size_t at = 0;
      for (std::uint64_t* number : {&size, &packed, &offset}) {
        if (*number != 0xffffffff) continue;
        if (at + 8 > length) return;
        *number = u64(extra, at);
        at += 8;
      }
      return;
    }
    extra.remove_prefix(length);
  }
}

std::string_view entry_content(std::string_view content, std::uint64_t offset, std::uint64_t size,
                               std::string_view name) {
  const std::string damaged = "the archive is damaged: an array lies outside the file";
  if (offset > content.size() || content.size() - offset < local_header_bytes ||
      !content.substr(offset).starts_with("PK\x03\x04"))
    fail(name, damaged);
  const std::uint64_t data =
      offset + local_header_bytes + u16(content, offset + 26) + u16(content, offset + 28);
  if (data > content.size() || size > content.size() - data) fail(name, damaged);
  return content.substr(data, size);
}

std::vector<NpzEntry> read_npz(std::string_view content, std::string_view name) {
  const Directory directory = directory_of(content, name);
  std::vector<NpzEntry> found;
  std::uint64_t at = directory.begin;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    if (at > content.size() || content.size() - at < directory_entry_bytes ||
        !content.substr(at).starts_with("PK\x01\x02"))
      fail(name, "the directory of the archive is damaged");
    const std::uint64_t method = u16(content, at + 10), name_length = u16(content, at + 28),
                        extra_length = u16(content, at + 30), remark_length = u16(content, at + 32);
    std::uint64_t packed = u32(content, at + 20), size = u32(content, at + 24),
                  offset = u32(content, at + 42);
    const std::uint64_t after = directory_entry_bytes + name_length + extra_length + remark_length;
    if (after > content.size() - at) fail(name, "the directory of the archive is damaged");
    std::string entry(content.substr(at + directory_entry_bytes, name_length));
    widen(content.substr(at + directory_entry_bytes + name_length, extra_length), size, packed, offset);
    if (entry.ends_with(".npy")) entry.resize(entry.size() - 4);
    if (method != 0 || packed != size)
      fail(name,
           "the array " + quoted(entry) + " is compressed; write it with numpy.savez, not savez_compressed");
    found.push_back({std::move(entry), entry_content(content, offset, size, name)});
    at += after;
  }
  return found;
}

// ---------------------------------------------------------------- what both kinds of files hold

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::vector<NamedArray> read_named(std::string_view content, std::string_view path,
                                   std::span<const std::string_view> wanted) {
  if (lower_case(path).ends_with(".npy")) return {{"", read_npy(content, path)}};
  const std::vector<NpzEntry> entries = read_npz(content, path);
  std::vector<NamedArray> found;
  std::string names;
  for (const NpzEntry& entry : entries) {
    names += (names.empty() ? "" : ", ") + entry.name;
    if (std::find(wanted.begin(), wanted.end(), entry.name) == wanted.end()) continue;
    found.push_back({entry.name, read_npy(entry.npy, std::string(path) + ", array " + entry.name)});
  }
  if (!found.empty()) return found;
  if (entries.size() == 1)
    return {{std::string(wanted.front()),
             read_npy(entries[0].npy, std::string(path) + ", array " + entries[0].name)}};
  std::string expected;
  for (const std::string_view name : wanted) expected += (expected.empty() ? "" : ", ") + std::string(name);
  fail(path, "expected one of the arrays " + expected + ", found " + (names.empty() ? "none" : names) +
                 "; name them as in numpy.savez(path, " + std::string(wanted.front()) + "=...)");
}

template <typename Read>
auto expected_of(std::string_view name, const Read& read) -> Expected<decltype(read())> {
  try {
    return read();
  } catch (const ReadFailure& failure) {
    return Error{failure.message};
  } catch (const std::bad_alloc&) {
    return Error{std::string(name) + ": not enough memory"};
  }
}

// ---------------------------------------------------------------- meshes

constexpr std::size_t most_vertices = std::numeric_limits<std::int32_t>::max();

Vector3 point_of(const NumpyArray& array, std::size_t i, std::string_view name) {
  const Vector3 point(array.values[3 * i], array.values[3 * i + 1], array.values[3 * i + 2]);
  if (!point.allFinite()) fail(name, "vertex " + std::to_string(i) + " is not finite");
  return point;
}

TriangleMesh mesh_of_triangles(const NumpyArray& array, std::string_view name) {
  if (array.shape.size() != 3 || array.shape[1] != 3 || array.shape[2] != 3)
    fail(name, "expected triangles of the shape (m, 3, 3), found " + array.shape_text() +
                   "; for vertices and faces use numpy.savez('mesh.npz', vertices=V, faces=F)");
  if (array.shape[0] > most_vertices / 3) fail(name, "holds too many triangles");
  TriangleMesh mesh;
  VertexWelder welder(mesh.vertices, true);
  for (std::size_t i = 0; i < array.shape[0]; ++i) {
    Face& face = mesh.faces.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) face[k] = welder.index(point_of(array, 3 * i + k, name));
  }
  return mesh;
}

TriangleMesh mesh_of_arrays(const NumpyArray& vertices, const NumpyArray& faces, std::string_view name) {
  for (const auto& [array, what] : {std::pair(&vertices, "vertices"), std::pair(&faces, "faces")}) {
    if (array->shape.size() == 2 && array->shape[1] == 3 && array->shape[0] <= most_vertices) continue;
    fail(name, std::string("expected ") + what + " of the shape (n, 3), found " + array->shape_text());
  }
  TriangleMesh mesh;
  const std::size_t count = vertices.shape[0];
  for (std::size_t i = 0; i < count; ++i) mesh.vertices.push_back(point_of(vertices, i, name));
  for (std::size_t i = 0; i < faces.shape[0]; ++i) {
    Face& face = mesh.faces.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const double index = faces.values[3 * i + k];
      if (!(index >= 0.0 && index < static_cast<double>(count)) || index != std::floor(index)) {
        fail(name, "face " + std::to_string(i) + ": expected vertex numbers from 0 to " +
                       std::to_string(count - 1) + ", found " + std::to_string(index));
      }
      face[k] = static_cast<std::int32_t>(index);
    }
  }
  return mesh;
}

TriangleMesh read_mesh(std::string_view content, std::string_view path) {
  constexpr std::string_view vertex_names[] = {"vertices", "V", "v", "points", "positions"};
  constexpr std::string_view face_names[] = {"faces", "F", "f", "triangles"};
  if (lower_case(path).ends_with(".npy")) return mesh_of_triangles(read_npy(content, path), path);
  const auto first_of = [&](std::span<const std::string_view> names) {
    std::vector<NamedArray> found = read_named(content, path, names);
    return std::move(found.front().array);
  };
  if (read_npz(content, path).size() < 2)
    fail(path,
         "expected the arrays vertices and faces; write them with numpy.savez(path, vertices=V, faces=F)");
  return mesh_of_arrays(first_of(vertex_names), first_of(face_names), path);
}

}  // namespace

std::string NumpyArray::shape_text() const {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

Expected<NumpyArray> parse_npy(std::string_view content, std::string_view name) {
  return expected_of(name, [&] { return read_npy(content, name); });
}

Expected<std::vector<NpzEntry>> parse_npz(std::string_view content, std::string_view name) {
  return expected_of(name, [&] { return read_npz(content, name); });
}

Expected<std::vector<NamedArray>> load_numpy(const std::string& path,
                                             std::span<const std::string_view> wanted) {
  const Expected<io::FileBytes> file = io::FileBytes::map(path);
  if (!file) return file.error();
  return expected_of(path, [&] { return read_named(file->view(), path, wanted); });
}

bool is_numpy_file(std::string_view path) {
  const std::string lower = lower_case(path);
  return lower.ends_with(".npy") || lower.ends_with(".npz");
}

Expected<TriangleMesh> parse_numpy_mesh(std::string_view content, std::string_view path) {
  Expected<TriangleMesh> mesh = expected_of(path, [&] { return read_mesh(content, path); });
  if (mesh && mesh->vertices.empty()) return Error{std::string(path) + ": holds no vertices"};
  return mesh;
}

}  // namespace toccata
