#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "io/file_bytes.hpp"
#include "io/urdf_xml.hpp"
#include "toccata/io/mesh_io.hpp"
#include "toccata/io/scene_io.hpp"

namespace toccata {
namespace io {
namespace {

// ---------------------------------------------------------------- MoveIt's planning scene

class YamlScene {
 public:
  YamlScene(std::string_view content, const std::string& name, const LoadRobotOptions& options)
      : name_(name), options_(options) {
    if (content.size() > largest_yaml_file)
      throw ReadFailure{name + ": expected at most 4 MB (meshes can be named by `resource`), found " +
                        std::to_string(content.size()) + " bytes"};
    try {
      document_ = YAML::Load(std::string(content));
    } catch (const YAML::Exception& error) {
      throw ReadFailure{place(error.mark) + "is no YAML that can be read: " + error.msg};
    }
  }

  ObstacleScene read() {
    try {
      return scene();
    } catch (const YAML::Exception& error) {
      throw ReadFailure{place(error.mark) + error.msg};
    }
  }

 private:
  std::string place(const YAML::Mark& mark) const {
    return name_ + (mark.is_null() ? std::string() : ", line " + std::to_string(mark.line + 1)) + ": ";
  }
  [[noreturn]] void fail(const YAML::Node& at, const std::string& what) const {
    throw ReadFailure{place(at.Mark()) + what};
  }

  ObstacleScene scene() {
    if (!document_.IsMap()) fail(document_, "expected a planning scene, a map with `world`");
    const YAML::Node& top = document_["planning_scene"] ? document_["planning_scene"] : document_;
    ObstacleScene scene;
    if (const YAML::Node world = top["world"]) {
      for (const YAML::Node& object : list(world, "collision_objects")) add_object(object, scene);
    } else if (!top["robot_state"] && !top["allowed_collision_matrix"]) {
      fail(top, "expected a planning scene, but it has no `world`");
    }
    if (const YAML::Node state = top["robot_state"]) {
      for (const YAML::Node& held : list(state, "attached_collision_objects")) add_attached(held, scene);
    }
    if (const YAML::Node matrix = top["allowed_collision_matrix"]) add_allowed(matrix, scene);
    return scene;
  }

  // A list that may be missing.
  YAML::Node list(const YAML::Node& parent, const char* key) const {
    if (!parent.IsMap()) fail(parent, "expected a map");
    const YAML::Node node = parent[key];
    if (!node || node.IsNull()) return YAML::Node(YAML::NodeType::Sequence);
    if (!node.IsSequence()) fail(node, std::string(key) + " must be a list");
    return node;
  }

  std::vector<double> numbers(const YAML::Node& node, const char* what) const {
    if (!node || !node.IsSequence())
      fail(node ? node : document_, std::string(what) + " must be a list of numbers");
    std::vector<double> result;
    for (const YAML::Node& entry : node) {
      const std::optional<std::vector<double>> found =
          entry.IsScalar() ? numbers_in(entry.Scalar()) : std::nullopt;
      if (!found || found->size() != 1) fail(entry, std::string(what) + " must be finite numbers");
      result.push_back(found->front());
    }
    return result;
  }

  // [x, y, z] or {x: , y: , z: [, w: ]}.
  std::vector<double> coordinates(const YAML::Node& node, std::size_t count, const char* what) const {
    std::vector<double> result;
    if (node && node.IsMap()) {
      constexpr const char* keys[] = {"x", "y", "z", "w"};
      for (std::size_t i = 0; i < count; ++i) {
        const YAML::Node entry = node[keys[i]];
        const std::optional<std::vector<double>> found =
            entry && entry.IsScalar() ? numbers_in(entry.Scalar()) : std::nullopt;
        if (!found || found->size() != 1) fail(node, std::string(what) + " needs the number " + keys[i]);
        result.push_back(found->front());
      }
    } else {
      result = numbers(node, what);
    }
    if (result.size() != count)
      fail(node, std::string(what) + " must be " + std::to_string(count) + " numbers, found " +
                     std::to_string(result.size()));
    return result;
  }

  Pose pose(const YAML::Node& node) const {
    if (!node.IsMap()) fail(node, "a pose needs `position` and `orientation`");
    const std::vector<double> place =
        node["position"] ? coordinates(node["position"], 3, "position") : std::vector<double>(3, 0.0);
    const std::vector<double> turn = node["orientation"] ? coordinates(node["orientation"], 4, "orientation")
                                                         : std::vector<double>{0, 0, 0, 1};
    const std::optional<Pose> found = pose_of(place, turn);
    if (!found) fail(node, "an orientation must be a quaternion x, y, z, w that is not zero");
    return *found;
  }

  Geometry primitive(const YAML::Node& node) const {
    if (!node.IsMap() || !node["type"]) fail(node, "a primitive needs a `type`");
    std::string type = node["type"].as<std::string>();
    std::transform(type.begin(), type.end(), type.begin(),
                   [](char c) { return static_cast<char>(std::tolower(c)); });
    const std::vector<double> d = numbers(node["dimensions"], "dimensions");
    const auto expect = [&](std::size_t count) {
      if (d.size() != count)
        fail(node, "the dimensions of a " + type + " are " + std::to_string(count) + " numbers, found " +
                       std::to_string(d.size()));
      if (std::any_of(d.begin(), d.end(), [](double x) { return x < 0.0; }))
        fail(node, "the dimensions of a " + type + " must not be negative");
    };
    // As messages, kinds are numbers.
    if (type == "box" || type == "1") return expect(3), Box{Vector3(d[0], d[1], d[2])};
    if (type == "sphere" || type == "2") return expect(1), Ball{d[0]};
    if (type == "cylinder" || type == "3") return expect(2), Cylinder{d[1], d[0]};
    if (type == "cone" || type == "4") return expect(2), Cone{d[1], d[0]};
    fail(node, "there is no primitive " + quoted(type.data(), type.data() + type.size()));
  }

  Geometry mesh(const YAML::Node& node) const {
    if (!node.IsMap()) fail(node, "a mesh needs `resource`, or `vertices` and `triangles`");
    if (node["resource"]) {
      const Vector3 scale =
          node["dimensions"] ? vector(node["dimensions"], "dimensions") : Vector3(Vector3::Ones());
      try {
        return scaled_mesh(node["resource"].as<std::string>(), scale, name_, options_);
      } catch (const ReadFailure& failure) {
        fail(node, failure.message);
      }
    }
    TriangleMesh mesh;
    for (const YAML::Node& vertex : list(node, "vertices"))
      mesh.vertices.push_back(vector(vertex, "a vertex"));
    for (const YAML::Node& triangle : list(node, "triangles")) {
      const std::vector<double> corners =
          numbers(triangle.IsMap() ? triangle["vertex_indices"] : triangle, "a triangle");
      Face face{};
      if (corners.size() != 3) fail(triangle, "a triangle has three corners");
      for (std::size_t i = 0; i < 3; ++i) {
        if (!(corners[i] >= 0.0 && corners[i] < static_cast<double>(mesh.vertices.size())))
          fail(triangle, "a triangle has a corner that is no vertex");
        face[i] = static_cast<std::int32_t>(corners[i]);
      }
      mesh.faces.push_back(face);
    }
    return mesh;
  }

  Vector3 vector(const YAML::Node& node, const char* what) const {
    const std::vector<double> xyz = coordinates(node, 3, what);
    return {xyz[0], xyz[1], xyz[2]};
  }

  // a x + b y + c z + d <= 0, as MoveIt has it.
  Geometry plane(const YAML::Node& node) const {
    const std::vector<double> coef = numbers(node.IsMap() ? node["coef"] : node, "coef");
    if (coef.size() != 4) fail(node, "a plane has four coefficients");
    return HalfSpace{Vector3(coef[0], coef[1], coef[2]), -coef[3]};
  }

  std::string id_of(const YAML::Node& object) const {
    if (!object.IsMap() || !object["id"]) fail(object, "a collision object needs an `id`");
    return object["id"].as<std::string>();
  }

  std::vector<CompoundPart> parts_of(const YAML::Node& object) const {
    const Pose whole = object["pose"] ? pose(object["pose"]) : Pose();
    std::vector<CompoundPart> parts;
    // An alias stands for as much as it names: few bytes could be endless things.
    const auto count = [&](std::size_t more) {
      elements_ += more;
      if (elements_ > most_elements)
        fail(object, "expected at most a million shapes, and ten million numbers");
    };
    const auto add = [&](const char* key, const char* pose_key, auto&& read) {
      const YAML::Node items = list(object, key), poses = list(object, pose_key);
      if (poses.size() > items.size() || (poses.size() < items.size() && poses.size() != 0))
        fail(object, std::string("there are ") + std::to_string(items.size()) + " " + key + " and " +
                         std::to_string(poses.size()) + " " + pose_key);
      for (std::size_t i = 0; i < items.size(); ++i) {
        count(10);
        CompoundPart part{read(items[i]), whole * (poses.size() > 0 ? pose(poses[i]) : Pose())};
        if (const auto failure = toccata::failure_of(part.geometry)) fail(items[i], *failure);
        if (const auto* mesh = std::get_if<TriangleMesh>(&part.geometry))
          count(mesh->vertices.size() + mesh->faces.size());
        parts.push_back(std::move(part));
      }
    };
    add("primitives", "primitive_poses", [&](const YAML::Node& node) { return primitive(node); });
    add("meshes", "mesh_poses", [&](const YAML::Node& node) { return mesh(node); });
    add("planes", "plane_poses", [&](const YAML::Node& node) { return plane(node); });
    return parts;
  }

  void add_object(const YAML::Node& object, ObstacleScene& scene) {
    const std::string id = id_of(object);
    for (CompoundPart& part : parts_of(object)) {
      // A half space is one in its own frame; where it stands is the same to everyone.
      scene.obstacles.push_back({id, std::move(part.geometry), part.pose});
    }
  }

  void add_attached(const YAML::Node& held, ObstacleScene& scene) {
    if (!held.IsMap() || !held["link_name"] || !held["object"])
      fail(held, "an attached object needs `link_name` and `object`");
    AttachedObject attached;
    attached.link = held["link_name"].as<std::string>();
    attached.name = id_of(held["object"]);
    attached.shapes = parts_of(held["object"]);
    for (const YAML::Node& link : list(held, "touch_links"))
      attached.touch_links.push_back(link.as<std::string>());
    scene.attached.push_back(std::move(attached));
  }

  void add_allowed(const YAML::Node& matrix, ObstacleScene& scene) {
    std::vector<std::string> names;
    for (const YAML::Node& name : list(matrix, "entry_names")) names.push_back(name.as<std::string>());
    if (names.size() > most_names)
      fail(matrix, "expected at most 4000 names in the allowed-collision matrix");
    const YAML::Node rows = list(matrix, "entry_values");
    if (rows.size() != names.size())
      fail(matrix, "entry_values has " + std::to_string(rows.size()) + " rows for " +
                       std::to_string(names.size()) + " names");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const YAML::Node row = rows[i].IsMap() ? rows[i]["enabled"] : rows[i];
      if (!row || !row.IsSequence() || row.size() != names.size())
        fail(rows[i], "a row of entry_values must have " + std::to_string(names.size()) + " entries");
      for (std::size_t k = i + 1; k < names.size(); ++k) {
        if (row[k].as<bool>()) scene.allowed.push_back({names[i], names[k]});
      }
    }
  }

  static constexpr std::size_t most_elements = 10'000'000, most_names = 4000;
  std::string name_;
  const LoadRobotOptions& options_;
  YAML::Node document_;
  mutable std::size_t elements_ = 0;  // read so far, aliases counted as often as they stand there
};

// ---------------------------------------------------------------- a plain list

Obstacle obstacle_of(const std::string& line, const std::string& where, const std::string& file,
                     const LoadRobotOptions& options) {
  std::istringstream words(line);
  std::string kind, mesh;
  words >> kind;
  std::size_t sizes = 0;
  if (kind == "box") sizes = 3;
  if (kind == "cyl" || kind == "cylinder") sizes = 2;
  if (kind == "ball" || kind == "sphere") sizes = 1;
  if (kind == "mesh") words >> mesh;
  if (sizes == 0 && mesh.empty())
    throw ReadFailure{where + "expected box, cyl, ball or mesh, found " +
                      quoted(kind.data(), kind.data() + kind.size())};
  std::string rest;
  std::getline(words, rest);
  const std::optional<std::vector<double>> numbers = numbers_in(rest);
  if (!numbers || numbers->size() != sizes + 7)
    throw ReadFailure{where + "expected " + std::to_string(sizes + 7) + " finite numbers after " +
                      (mesh.empty() ? kind : "the mesh") +
                      ": its sizes, x y z and the quaternion x y z w, found " +
                      (numbers ? std::to_string(numbers->size()) : "something else")};
  const std::span<const double> n(*numbers);
  Obstacle obstacle;
  if (kind == "box") obstacle.geometry = Box{Vector3(n[0], n[1], n[2])};
  if (sizes == 2) obstacle.geometry = Cylinder{n[1], n[0]};
  if (sizes == 1) obstacle.geometry = Ball{n[0]};
  try {
    if (!mesh.empty()) obstacle.geometry = scaled_mesh(mesh, Vector3::Ones(), file, options);
  } catch (const ReadFailure& failure) {
    throw ReadFailure{where + failure.message};
  }
  if (const auto failure = toccata::failure_of(obstacle.geometry)) throw ReadFailure{where + *failure};
  const std::optional<Pose> pose = pose_of(n.subspan(sizes, 3), n.subspan(sizes + 3, 4));
  if (!pose) throw ReadFailure{where + "the quaternion must not be zero"};
  obstacle.pose = *pose;
  return obstacle;
}

ObstacleScene listed(std::string_view content, const std::string& name, const LoadRobotOptions& options) {
  if (content.size() > largest_robot_file)
    throw ReadFailure{name + ": expected at most 64 MB, found " + std::to_string(content.size()) + " bytes"};
  ObstacleScene scene;
  std::istringstream lines{std::string(content)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    scene.obstacles.push_back(
        obstacle_of(line, name + ", line " + std::to_string(number) + ": ", name, options));
    scene.obstacles.back().name = "obstacle " + std::to_string(scene.obstacles.size());
  }
  return scene;
}

template <typename Read>
Expected<ObstacleScene> caught(Read&& read) {
  try {
    return read();
  } catch (const ReadFailure& failure) {
    return Error{failure.message};
  }
}

}  // namespace
}  // namespace io

Expected<ObstacleScene> parse_scene_yaml(std::string_view content, const std::string& name,
                                         const LoadRobotOptions& options) {
  return io::caught([&] { return io::YamlScene(content, name, options).read(); });
}

Expected<ObstacleScene> parse_scene_list(std::string_view content, const std::string& name,
                                         const LoadRobotOptions& options) {
  return io::caught([&] { return io::listed(content, name, options); });
}

Expected<ObstacleScene> load_scene(const std::string& path, const LoadRobotOptions& options) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return static_cast<char>(std::tolower(c)); });
  if (mesh_format_of(path).has_value()) {
    Expected<TriangleMesh> mesh = load_mesh(path, {.importer = options.importer});
    if (!mesh) return mesh.error();
    ObstacleScene scene;
    scene.obstacles.push_back({std::filesystem::path(path).stem().string(), std::move(*mesh), {}});
    return scene;
  }
  const Expected<io::FileBytes> bytes = io::FileBytes::map(path);
  if (!bytes) return bytes.error();
  if (extension == ".yaml" || extension == ".yml") return parse_scene_yaml(bytes->view(), path, options);
  return parse_scene_list(bytes->view(), path, options);
}

}  // namespace toccata
