#include "toccata/io/medial_io.hpp"

#include <cctype>
#include <charconv>
#include <limits>

#include "io/file_bytes.hpp"
#include "io/read_failure.hpp"
#include "io/text_cursor.hpp"
#include "io/text_writer.hpp"

namespace toccata {

using namespace io;

namespace {

std::int64_t count_at(TextCursor& cursor, const char* what, std::size_t least_bytes) {
  const char* const start = cursor.place();
  const std::int64_t count = cursor.integer(what);
  if (count < 0 || static_cast<std::size_t>(count) > cursor.remaining() / least_bytes + 1)
    cursor.fail("expected lines for the promised " + std::to_string(count) + " of them", start);
  return count;
}

std::int32_t ball_at(TextCursor& cursor) {
  const char* const start = cursor.place();
  const std::int64_t ball = cursor.integer("the number of a ball");
  if (ball < 0 || ball > std::numeric_limits<std::int32_t>::max())
    cursor.fail("expected the number of a ball, from 0, found " + std::to_string(ball), start);
  return static_cast<std::int32_t>(ball);
}

void expect_letter(TextCursor& cursor, std::string_view letter, const char* what) {
  cursor.skip_empty_lines('#');
  const char* const start = cursor.place();
  if (cursor.token() != letter) cursor.fail_expected(what, start);
}

MedialMesh read_ma(std::string_view text, std::string_view name) {
  TextCursor cursor(text, name);
  cursor.skip_empty_lines('#');
  const std::int64_t balls = count_at(cursor, "the number of balls", sizeof "v 0 0 0 0");
  const std::int64_t cones = count_at(cursor, "the number of cones", sizeof "e 0 1");
  const std::int64_t slabs = count_at(cursor, "the number of slabs", sizeof "f 0 1 2");
  cursor.expect_line_end("the end of the line after three counts");
  MedialMesh mesh;
  for (std::int64_t i = 0; i < balls; ++i) {
    expect_letter(cursor, "v", "a ball: v x y z r");
    Vector3 center;
    for (int k = 0; k < 3; ++k) center[k] = cursor.number("a coordinate");
    mesh.centers.push_back(center);
    mesh.radii.push_back(cursor.number("a radius"));
    cursor.next_line();  // some files go on with a flag
  }
  for (std::int64_t i = 0; i < cones; ++i) {
    expect_letter(cursor, "e", "a cone: e i j");
    const std::int32_t from = ball_at(cursor), to = ball_at(cursor);
    mesh.cones.push_back({from, to});
    cursor.next_line();
  }
  for (std::int64_t i = 0; i < slabs; ++i) {
    expect_letter(cursor, "f", "a slab: f i j k");
    const std::int32_t a = ball_at(cursor), b = ball_at(cursor), c = ball_at(cursor);
    mesh.slabs.push_back({a, b, c});
    cursor.next_line();
  }
  cursor.skip_empty_lines('#');
  if (!cursor.at_end()) cursor.fail_expected("the end of the file");
  return mesh;
}

// The few things of JSON that such a file has: an object of texts, numbers and lists of (lists of) numbers.
class JsonReader {
 public:
  JsonReader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  MedialMesh read() {
    MedialMesh mesh;
    bool has_format = false;
    expect('{');
    if (!take('}')) {
      do {
        const std::string key = text();
        expect(':');
        if (key == "format") {
          if (text() != "toccata-medial") fail("\"format\" is not \"toccata-medial\"");
          has_format = true;
        } else if (key == "version") {
          if (number() != 1.0) fail("\"version\" is not 1, which is all that is known");
        } else if (key == "centers") {
          for (const auto& row : rows(3)) mesh.centers.push_back({row[0], row[1], row[2]});
        } else if (key == "radii") {
          mesh.radii = list();
        } else if (key == "cones") {
          for (const auto& row : rows(2)) mesh.cones.push_back({index(row[0]), index(row[1])});
        } else if (key == "slabs") {
          for (const auto& row : rows(3)) mesh.slabs.push_back({index(row[0]), index(row[1]), index(row[2])});
        } else {
          skip();
        }
      } while (take(','));
      expect('}');
    }
    blanks();
    if (at_ != text_.size()) fail("there is more after the end");
    if (!has_format) fail("it has no \"format\": \"toccata-medial\"");
    return mesh;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ReadFailure{std::string(name_) + ": byte " + std::to_string(at_) + ": " + what};
  }
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("expected '") + c + "'");
  }
  std::string text() {
    expect('"');
    std::string word;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') fail("a text with a backslash is not known here");
      word += text_[at_++];
    }
    expect('"');
    return word;
  }
  double number() {
    blanks();
    double value = 0.0;
    const char* const begin = text_.data() + at_;
    const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (failure != std::errc() || end == begin) fail("expected a number");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }
  std::vector<double> list() {
    std::vector<double> values;
    expect('[');
    if (take(']')) return values;
    do {
      values.push_back(number());
    } while (take(','));
    expect(']');
    return values;
  }
  std::vector<std::vector<double>> rows(std::size_t width) {
    std::vector<std::vector<double>> all;
    expect('[');
    if (take(']')) return all;
    do {
      all.push_back(list());
      if (all.back().size() != width) fail("expected " + std::to_string(width) + " numbers in a list");
    } while (take(','));
    expect(']');
    return all;
  }
  std::int32_t index(double value) const {
    if (!(value >= 0.0 && value <= 2147483647.0) ||
        value != static_cast<double>(static_cast<std::int32_t>(value)))
      fail("expected the number of a ball");
    return static_cast<std::int32_t>(value);
  }
  // A number, a text or a list of numbers under another key.
  void skip() {
    blanks();
    if (at_ < text_.size() && text_[at_] == '"') {
      text();
    } else if (at_ < text_.size() && text_[at_] == '[') {
      list();
    } else {
      number();
    }
  }

  std::string_view text_, name_;
  std::size_t at_ = 0;
};

template <typename Read>
Expected<MedialMesh> checked(Read&& read, std::string_view name) {
  try {
    MedialMesh mesh = read();
    if (const auto failure = failure_of(mesh)) return Error{std::string(name) + ": " + *failure};
    return mesh;
  } catch (const ReadFailure& failure) {
    return Error{failure.message};
  }
}

std::string ma_text(const MedialMesh& mesh) {
  TextWriter out;
  out << mesh.centers.size() << ' ' << mesh.cones.size() << ' ' << mesh.slabs.size() << '\n';
  for (std::size_t i = 0; i < mesh.centers.size(); ++i) {
    const Vector3& c = mesh.centers[i];
    out << "v " << c.x() << ' ' << c.y() << ' ' << c.z() << ' ' << mesh.radii[i] << '\n';
  }
  for (const Edge& e : mesh.cones) out << "e " << e[0] << ' ' << e[1] << '\n';
  for (const Face& f : mesh.slabs) out << "f " << f[0] << ' ' << f[1] << ' ' << f[2] << '\n';
  return std::move(out).text();
}

std::string json_text(const MedialMesh& mesh) {
  TextWriter out;
  out << "{\n  \"format\": \"toccata-medial\",\n  \"version\": 1,\n  \"centers\": [";
  for (std::size_t i = 0; i < mesh.centers.size(); ++i) {
    const Vector3& c = mesh.centers[i];
    out << (i == 0 ? "\n    [" : ",\n    [") << c.x() << ", " << c.y() << ", " << c.z() << ']';
  }
  out << "],\n  \"radii\": [";
  for (std::size_t i = 0; i < mesh.radii.size(); ++i) out << (i == 0 ? "" : ", ") << mesh.radii[i];
  out << "],\n  \"cones\": [";
  for (std::size_t i = 0; i < mesh.cones.size(); ++i)
    out << (i == 0 ? "[" : ", [") << mesh.cones[i][0] << ", " << mesh.cones[i][1] << ']';
  out << "],\n  \"slabs\": [";
  for (std::size_t i = 0; i < mesh.slabs.size(); ++i) {
    const Face& f = mesh.slabs[i];
    out << (i == 0 ? "[" : ", [") << f[0] << ", " << f[1] << ", " << f[2] << ']';
  }
  out << "]\n}\n";
  return std::move(out).text();
}

std::string urdf_text(const MedialMesh& mesh) {
  TextWriter out;
  out << "<?xml version=\"1.0\"?>\n<robot name=\"spheres\">\n  <link name=\"base\">\n";
  for (std::size_t i = 0; i < mesh.centers.size(); ++i) {
    const Vector3& c = mesh.centers[i];
    out << "    <collision><origin xyz=\"" << c.x() << ' ' << c.y() << ' ' << c.z()
        << "\"/><geometry><sphere radius=\"" << mesh.radii[i] << "\"/></geometry></collision>\n";
  }
  out << "  </link>\n</robot>\n";
  return std::move(out).text();
}

std::string yaml_text(const MedialMesh& mesh) {
  TextWriter out;
  out << "collision_spheres:\n  base:\n";
  for (std::size_t i = 0; i < mesh.centers.size(); ++i) {
    const Vector3& c = mesh.centers[i];
    out << "    - center: [" << c.x() << ", " << c.y() << ", " << c.z()
        << "]\n      radius: " << mesh.radii[i] << '\n';
  }
  return std::move(out).text();
}

}  // namespace

Expected<MedialFormat> medial_format_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  std::string extension(dot == std::string_view::npos ? std::string_view() : path.substr(dot));
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".ma") return MedialFormat::Ma;
  if (extension == ".json") return MedialFormat::Json;
  if (extension == ".urdf" || extension == ".xml") return MedialFormat::Urdf;
  if (extension == ".yaml" || extension == ".yml") return MedialFormat::Yaml;
  return Error{std::string(path) + ": medial meshes are .ma or .json files, their balls .urdf or .yaml, too"};
}

Expected<MedialMesh> medial_mesh_from_ma(std::string_view text, std::string_view name) {
  return checked([&] { return read_ma(text, name); }, name);
}

Expected<MedialMesh> medial_mesh_from_json(std::string_view text, std::string_view name) {
  return checked([&] { return JsonReader(text, name).read(); }, name);
}

Expected<MedialMesh> load_medial_mesh(const std::string& path) {
  const Expected<MedialFormat> format = medial_format_of(path);
  if (!format) return format.error();
  if (*format != MedialFormat::Ma && *format != MedialFormat::Json)
    return Error{path + ": medial meshes are read from .ma and .json files only"};
  const Expected<FileBytes> bytes = FileBytes::map(path);
  if (!bytes) return bytes.error();
  return *format == MedialFormat::Ma ? medial_mesh_from_ma(bytes->view(), path)
                                     : medial_mesh_from_json(bytes->view(), path);
}

Expected<std::string> format_medial_mesh(const MedialMesh& mesh, MedialFormat format) {
  if (const auto failure = failure_of(mesh)) return Error{*failure};
  if (format == MedialFormat::Ma) return ma_text(mesh);
  if (format == MedialFormat::Json) return json_text(mesh);
  if (!mesh.cones.empty() || !mesh.slabs.empty())
    return Error{
        "URDF and YAML have balls only, and this medial mesh has cones or slabs: ask for spheres only"};
  return format == MedialFormat::Urdf ? urdf_text(mesh) : yaml_text(mesh);
}

Expected<std::size_t> save_medial_mesh(const std::string& path, const MedialMesh& mesh, bool force) {
  const Expected<MedialFormat> format = medial_format_of(path);
  if (!format) return format.error();
  const Expected<std::string> text = format_medial_mesh(mesh, *format);
  if (!text) return text.error();
  return write_file(path, *text, force);
}

}  // namespace toccata
