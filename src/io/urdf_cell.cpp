#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <set>

#include "io/file_bytes.hpp"
#include "io/urdf_xml.hpp"
#include "toccata/io/robot_cell_io.hpp"

namespace toccata {
namespace io {
namespace {

constexpr std::size_t most_robots = 1000;

class CellReader {
 public:
  CellReader(const std::string& name, const LoadRobotOptions& options) : name_(name), options_(options) {}

  RobotCell read(std::string_view content) {
    if (content.size() > largest_yaml_file)
      throw ReadFailure{name_ + ": expected at most 4 MB, found " + std::to_string(content.size()) +
                        " bytes"};
    try {
      const YAML::Node document = YAML::Load(std::string(content));
      const YAML::Node robots = document.IsMap() ? document["robots"] : YAML::Node();
      if (!robots || !robots.IsSequence() || robots.size() == 0)
        fail(document, "expected a list `robots`, each with `name` and `urdf`");
      if (robots.size() > most_robots) fail(robots, "expected at most 1000 robots");
      for (const YAML::Node& robot : robots) add(robot);
    } catch (const YAML::Exception& error) {
      throw ReadFailure{place(error.mark) + "is no YAML that can be read: " + error.msg};
    }
    return std::move(cell_);
  }

 private:
  std::string place(const YAML::Mark& mark) const {
    return name_ + (mark.is_null() ? std::string() : ", line " + std::to_string(mark.line + 1)) + ": ";
  }
  [[noreturn]] void fail(const YAML::Node& at, const std::string& what) const {
    throw ReadFailure{place(at.Mark()) + what};
  }

  std::string text(const YAML::Node& robot, const char* key) const {
    const YAML::Node node = robot[key];
    if (!node) return {};
    if (!node.IsScalar() || node.Scalar().empty()) fail(node, std::string(key) + " must be a word");
    return node.Scalar();
  }

  std::vector<double> numbers(const YAML::Node& robot, const char* key, std::vector<double> otherwise) const {
    const YAML::Node node = robot[key];
    if (!node) return otherwise;
    std::vector<double> result;
    for (const YAML::Node& entry : node) {
      const auto found = entry.IsScalar() ? numbers_in(entry.Scalar()) : std::nullopt;
      if (!found || found->size() != 1) fail(node, std::string(key) + " must be finite numbers");
      result.push_back(found->front());
    }
    if (!node.IsSequence() || result.size() != otherwise.size())
      fail(node, std::string(key) + " must be a list of " + std::to_string(otherwise.size()) + " numbers");
    return result;
  }

  std::string beside(const std::string& file) const {
    const std::filesystem::path path(file);
    return path.is_absolute() ? file : (std::filesystem::path(name_).parent_path() / path).string();
  }

  void add(const YAML::Node& node) {
    if (!node.IsMap()) fail(node, "a robot needs `name` and `urdf`");
    for (const auto& entry : node) {
      static const std::set<std::string> known = {"name", "urdf", "srdf", "position", "orientation", "path"};
      if (!entry.first.IsScalar() || !known.contains(entry.first.Scalar()))
        fail(entry.first, "a robot has name, urdf, srdf, position, orientation and path, nothing else");
    }
    PlacedRobot robot;
    robot.name = text(node, "name");
    const std::string urdf = text(node, "urdf"), srdf = text(node, "srdf"), path = text(node, "path");
    if (robot.name.empty() || urdf.empty()) fail(node, "a robot needs `name` and `urdf`");
    const std::optional<Pose> pose =
        pose_of(numbers(node, "position", {0, 0, 0}), numbers(node, "orientation", {0, 0, 0, 1}));
    if (!pose) fail(node, "an orientation must be a quaternion x, y, z, w that is not zero");
    robot.pose = *pose;
    Expected<ArticulatedBody> body = load_urdf(beside(urdf), options_);
    if (!body) fail(node, body.error().message);
    robot.body = std::move(*body);
    if (!srdf.empty()) {
      const Expected<RobotSemantics> semantics = load_srdf(beside(srdf), robot.body);
      if (!semantics) fail(node, semantics.error().message);
      for (AllowedPair& pair : joined_names(robot.name, semantics->allowed))
        cell_.allowed.push_back(std::move(pair));
    }
    cell_.path_files.push_back(path.empty() ? path : beside(path));
    cell_.robots.push_back(std::move(robot));
  }

  std::string name_;
  const LoadRobotOptions& options_;
  RobotCell cell_;
};

}  // namespace
}  // namespace io

Expected<RobotCell> parse_robot_cell(std::string_view content, const std::string& name,
                                     const LoadRobotOptions& options) {
  try {
    return io::CellReader(name, options).read(content);
  } catch (const io::ReadFailure& failure) {
    return Error{failure.message};
  }
}

Expected<RobotCell> load_robot_cell(const std::string& path, const LoadRobotOptions& options) {
  const Expected<io::FileBytes> bytes = io::FileBytes::map(path);
  if (!bytes) return bytes.error();
  return parse_robot_cell(bytes->view(), path, options);
}

}  // namespace toccata
