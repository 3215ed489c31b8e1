#include "io/urdf_xml.hpp"

#include <Eigen/Geometry>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "toccata/io/mesh_io.hpp"

namespace toccata::io {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// The robot's folder and those above it.
std::vector<fs::path> folders_above(const std::string& file) {
  std::vector<fs::path> folders;
  std::error_code error;
  fs::path folder = fs::absolute(fs::path(file), error).parent_path();
  for (int i = 0; i < 4 && !folder.empty(); ++i) {
    folders.push_back(folder);
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return folders;
}

// Drops the package's name and then further folders of `rest` until it is found in one of the folders. A bare
// file name, unless it is all that the package holds, says too little.
std::optional<fs::path> found_in(const std::vector<fs::path>& folders, fs::path rest) {
  for (int dropped = 0; !rest.empty(); ++dropped) {
    if (dropped > 1 && std::next(rest.begin()) == rest.end()) break;
    for (const fs::path& folder : folders) {
      if (is_file(folder / rest)) return folder / rest;
    }
    fs::path shorter;
    for (auto part = std::next(rest.begin()); part != rest.end(); ++part) shorter /= *part;
    rest = shorter;
  }
  return {};
}

}  // namespace

XmlFile::XmlFile(std::string_view content, std::string name) : name_(std::move(name)) {
  if (content.size() > largest_robot_file)
    throw ReadFailure{name_ + ": expected at most 64 MB, found " + std::to_string(content.size()) + " bytes"};
  if (document_.Parse(content.data(), content.size()) != tinyxml2::XML_SUCCESS) {
    const int line = document_.ErrorLineNum();
    throw ReadFailure{name_ + (line > 0 ? ", line " + std::to_string(line) : std::string()) +
                      ": is no XML that can be read (" + document_.ErrorName() + ")"};
  }
}

const XmlElement& XmlFile::root(const char* kind) const {
  const XmlElement* element = document_.RootElement();
  if (element == nullptr) throw ReadFailure{name_ + ": has no element <" + kind + ">"};
  if (std::string_view(element->Name()) != kind)
    fail(*element, std::string("expected <") + kind + ">, found <" + element->Name() + ">");
  return *element;
}

void XmlFile::fail(const XmlElement& at, const std::string& what) const {
  throw ReadFailure{name_ + ", line " + std::to_string(at.GetLineNum()) + ": " + what};
}

std::string XmlFile::text(const XmlElement& element, const char* attribute) const {
  const char* value = element.Attribute(attribute);
  if (value == nullptr) fail(element, std::string("<") + element.Name() + "> has no " + attribute);
  return value;
}

std::vector<double> XmlFile::numbers(const XmlElement& element, const char* attribute, std::size_t count,
                                     std::initializer_list<double> otherwise) const {
  const char* value = element.Attribute(attribute);
  if (value == nullptr) {
    if (otherwise.size() == count) return otherwise;
    fail(element, std::string("<") + element.Name() + "> has no " + attribute);
  }
  std::optional<std::vector<double>> found = numbers_in(value);
  if (!found || found->size() != count)
    fail(element, std::string(attribute) + " must be " + std::to_string(count) +
                      (count == 1 ? " finite number" : " finite numbers") + ", found " +
                      quoted(value, value + std::string_view(value).size()));
  return std::move(*found);
}

double XmlFile::number(const XmlElement& element, const char* attribute,
                       std::optional<double> otherwise) const {
  if (otherwise && element.Attribute(attribute) == nullptr) return *otherwise;
  return numbers(element, attribute, 1).front();
}

std::optional<std::vector<double>> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  constexpr std::string_view spaces = " \t\r\n";
  for (std::size_t at = text.find_first_not_of(spaces); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    double value = 0.0;
    const char* const first = word.data() + (word.starts_with('+') ? 1 : 0);
    const char* const last = word.data() + word.size();
    const auto [stop, error] = std::from_chars(first, last, value);
    if (stop != last || error == std::errc::invalid_argument) return {};
    // Out of range: what is too small to be told from zero is zero, and the rest is not finite.
    if (error != std::errc()) value = std::strtod(std::string(word).c_str(), nullptr);
    if (!std::isfinite(value)) return {};
    numbers.push_back(value);
    at = text.find_first_not_of(spaces, end);
  }
  return numbers;
}

std::optional<Pose> pose_of(std::span<const double> position, std::span<const double> quaternion) {
  Eigen::Quaterniond turn(quaternion[3], quaternion[0], quaternion[1], quaternion[2]);
  const double largest = turn.coeffs().cwiseAbs().maxCoeff();
  if (!(largest > 0.0) || !std::isfinite(largest)) return {};
  turn.coeffs() /= largest;  // so that squares neither overflow nor vanish
  turn.normalize();
  const Vector3 place(position[0], position[1], position[2]);
  if (!place.allFinite()) return {};
  return Pose(turn, place);
}

std::string mesh_path(const std::string& uri, const std::string& file, const LoadRobotOptions& options) {
  constexpr std::string_view package = "package://", local = "file://";
  const std::vector<fs::path> above = folders_above(file);
  if (uri.starts_with(package)) {
    std::vector<fs::path> folders(options.package_path.begin(), options.package_path.end());
    folders.insert(folders.end(), above.begin(), above.end());
    if (const auto found = found_in(folders, fs::path(uri.substr(package.size())))) return found->string();
    throw ReadFailure{"there is no mesh " + uri +
                      ": name the folder that holds its package by package_path (--package-path)"};
  }
  const fs::path path = uri.starts_with(local) ? uri.substr(local.size()) : uri;
  const fs::path whole = path.is_absolute() || above.empty() ? path : above.front() / path;
  if (!is_file(whole)) throw ReadFailure{"there is no mesh " + whole.string()};
  return whole.string();
}

TriangleMesh scaled_mesh(const std::string& uri, const Vector3& scale, const std::string& file,
                         const LoadRobotOptions& options) {
  if (!(scale.cwiseAbs().minCoeff() > 0.0)) throw ReadFailure{"the scale of a mesh must not be zero"};
  Expected<TriangleMesh> mesh = load_mesh(mesh_path(uri, file, options), {.importer = options.importer});
  if (!mesh) throw ReadFailure{mesh.error().message};
  if (scale != Vector3::Ones()) {
    for (Vector3& vertex : mesh->vertices) vertex = vertex.cwiseProduct(scale);
    if (scale.prod() < 0.0) {
      for (Face& face : mesh->faces) std::swap(face[1], face[2]);
    }
  }
  return std::move(*mesh);
}

}  // namespace toccata::io
