#pragma once
// What the readers of robot files share: XML with the place of each fault, rows of numbers, and mesh files.
#include <tinyxml2.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/read_failure.hpp"
#include "toccata/base/pose.hpp"
#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/io/robot_io.hpp"

namespace toccata::io {

using XmlElement = tinyxml2::XMLElement;

// Larger files are refused: no robot needs them, and a reader's memory is many times that.
inline constexpr std::size_t largest_robot_file = 64U << 20U;
// Two bytes of YAML may become a node of some hundred.
inline constexpr std::size_t largest_yaml_file = 4U << 20U;

class XmlFile {
 public:
  // Throws ReadFailure: what is no XML, and where.
  XmlFile(std::string_view content, std::string name);

  const std::string& name() const { return name_; }
  // The element at the top, which must be of that kind.
  const XmlElement& root(const char* kind) const;
  [[noreturn]] void fail(const XmlElement& at, const std::string& what) const;
  // An attribute that must be there.
  std::string text(const XmlElement& element, const char* attribute) const;
  // So many numbers, or `otherwise` if the attribute is not there (an error if there is none).
  std::vector<double> numbers(const XmlElement& element, const char* attribute, std::size_t count,
                              std::initializer_list<double> otherwise = {}) const;
  double number(const XmlElement& element, const char* attribute, std::optional<double> otherwise = {}) const;

 private:
  tinyxml2::XMLDocument document_;
  std::string name_;
};

// All numbers of the text, separated by spaces; none if there is anything else.
std::optional<std::vector<double>> numbers_in(std::string_view text);

// A quaternion x, y, z, w of any length but zero; none otherwise.
std::optional<Pose> pose_of(std::span<const double> position, std::span<const double> quaternion);

// The file that a mesh is read from: see LoadRobotOptions::package_path. Throws ReadFailure.
std::string mesh_path(const std::string& uri, const std::string& file, const LoadRobotOptions& options);

// Scaled; mirrored ones turn their triangles around. Throws ReadFailure.
TriangleMesh scaled_mesh(const std::string& uri, const Vector3& scale, const std::string& file,
                         const LoadRobotOptions& options);

}  // namespace toccata::io
