#include "world_scene.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "body_argument.hpp"
#include "command.hpp"
#include "motion_argument.hpp"

namespace toccata::app {
namespace {

using Json = nlohmann::ordered_json;

// A value of the file and where it stands.
struct Field {
  const Json& json;
  std::string path;

  [[noreturn]] void fail(const std::string& what) const { throw UsageError(path + ": " + what); }

  Field at(const std::string& key) const {
    return {json.at(key), path.ends_with(": ") ? path + key : path + "." + key};
  }
  Field at(std::size_t i) const { return {json.at(i), fmt::format("{}[{}]", path, i)}; }

  void expect_object(std::initializer_list<std::string_view> keys) const {
    if (!json.is_object()) fail("expected an object");
    for (const auto& [key, value] : json.items()) {
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      std::string known;
      for (const std::string_view k : keys) known.append(known.empty() ? "" : ", ").append(k);
      fail(fmt::format("there is no field '{}'; fields are {}", key, known));
    }
  }
  std::size_t list_size() const {
    if (!json.is_array()) fail("expected a list");
    return json.size();
  }
  std::string text() const {
    if (!json.is_string()) fail("expected a text in quotes");
    return json.get<std::string>();
  }
  bool boolean() const {
    if (!json.is_boolean()) fail("expected true or false");
    return json.get<bool>();
  }
  // Numbers as on the command line, "0 0 1", or as a list, [0, 0, 1].
  std::string numbers() const {
    if (json.is_string()) return text();
    if (!json.is_array()) fail("expected numbers: \"x y z\" or [x, y, z]");
    std::string joined;
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (!json.at(i).is_number()) at(i).fail("expected a number");
      joined += fmt::format("{} ", json.at(i).get<double>());
    }
    return joined;
  }
};

class SceneReader {
 public:
  explicit SceneReader(const std::string& path) : folder_(std::filesystem::path(path).parent_path()) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw UsageError(path + ": cannot be read");
    std::ostringstream text;
    text << file.rdbuf();
    try {
      json_ = Json::parse(text.str());
    } catch (const Json::exception& error) {
      const std::string what = error.what();  // behind the library's own name of the mistake
      const std::size_t name_end = what.find("] ");
      throw UsageError(fmt::format("{}: is no JSON: {}", path,
                                   name_end == std::string::npos ? what : what.substr(name_end + 2)));
    }
    scene_.files.push_back(path);
  }

  WorldScene read(const std::string& path) {
    const Field root{json_, path + ": "};
    if (!json_.is_object()) throw UsageError(path + ": expected an object with a list of bodies");
    root.expect_object({"$schema", "shapes", "bodies", "off"});
    if (json_.contains("shapes")) read_shapes(root.at("shapes"));
    if (!json_.contains("bodies")) throw UsageError(path + ": bodies: is missing");
    const Field bodies = root.at("bodies");
    for (std::size_t i = 0; i < bodies.list_size(); ++i) read_body(bodies.at(i));
    if (json_.contains("off")) read_off(root.at("off"));
    return std::move(scene_);
  }

 private:
  void read_shapes(const Field& field) {
    if (!field.json.is_object()) field.fail("expected an object: a name for each shape");
    for (const auto& [name, value] : field.json.items()) words_[name] = field.at(name).text();
  }

  // A word of the command line, or a name that was given to one. A file is looked for beside the scene.
  ReportBody shaped(const Field& field) {
    const std::string word = field.text();
    const auto named = words_.find(word);
    const std::string body = beside_scene(named == words_.end() ? word : named->second);
    try {
      const auto known = shapes_.find(body);
      if (known != shapes_.end()) return known->second;
      ReportBody loaded = load_bodies(body, body).first;
      const std::string file = file_of(body);
      if (!file.empty()) scene_.files.push_back(file);
      loaded.name.clear();
      return shapes_.emplace(body, loaded).first->second;
    } catch (const UsageError& error) {
      field.fail(error.what());
    }
  }

  std::string beside_scene(const std::string& word) const {
    if (folder_.empty()) return word;
    const std::size_t colon = word.find(':');
    const std::string kind = colon == std::string::npos ? "" : word.substr(0, colon);
    if (kind == "hull" || kind == "heightfield") return kind + ":" + beside(word.substr(colon + 1));
    return colon == std::string::npos ? beside(word) : word;
  }
  std::string beside(const std::string& file) const {
    return std::filesystem::path(file).is_absolute() ? file : (folder_ / file).string();
  }

  void read_body(const Field& field) {
    field.expect_object({"name", "shape", "from", "to", "turn", "velocity", "path", "screw", "deforms_to",
                         "solid", "static", "groups", "wants"});
    if (!field.json.contains("shape")) field.fail("shape: is missing");
    WorldScene::Member member{shaped(field.at("shape")), {}};
    const auto id = static_cast<std::int32_t>(scene_.bodies.size());
    member.body.name = field.json.contains("name") ? field.at("name").text() : fmt::format("body {}", id);
    if (!ids_.emplace(member.body.name, id).second)
      field.fail(fmt::format("the name '{}' is taken", member.body.name));
    if (field.json.contains("deforms_to")) {
      read_deformation(field, member.body);
    } else {
      member.body.motion = motion_of(field);
    }
    if (field.json.contains("solid")) member.body.solid = field.at("solid").boolean();
    if (field.json.contains("static")) member.filter.is_static = field.at("static").boolean();
    if (field.json.contains("groups")) member.filter.groups = groups_of(field.at("groups"));
    if (field.json.contains("wants")) member.filter.wants = groups_of(field.at("wants"));
    scene_.bodies.push_back(std::move(member));
  }

  // The same mesh at the end of the step: its corners go there one by one.
  void read_deformation(const Field& field, ReportBody& body) {
    for (const char* key : {"from", "to", "turn", "velocity", "path", "screw", "solid"}) {
      if (field.json.contains(key))
        field.fail(
            fmt::format("{}: what deforms is where its two files put it, a surface: leave it out", key));
    }
    const Field end = field.at("deforms_to");
    const ReportBody last = shaped(end);
    if (!body.shape.is_mesh() || !last.shape.is_mesh()) end.fail("only meshes deform: give two mesh files");
    if (body.shape.mesh().faces != last.shape.mesh().faces ||
        body.shape.mesh().vertices.size() != last.shape.mesh().vertices.size())
      end.fail("is not the same mesh: it must have the triangles of shape, by the same numbers");
    body.positions_t1 = last.shape.mesh().vertices;
  }

  OwnedMotion motion_of(const Field& field) const {
    MotionArguments typed;
    const auto take = [&](const char* key, std::string& target) {
      if (field.json.contains(key)) target = field.at(key).numbers();
    };
    take("from", typed.from);
    take("to", typed.to);
    take("turn", typed.turn);
    take("velocity", typed.velocity);
    if (field.json.contains("path")) typed.path = beside(field.at("path").text());
    MotionReading reading;
    if (field.json.contains("screw")) reading.screw = field.at("screw").boolean();
    try {
      return motion_of_arguments(typed, reading);
    } catch (const UsageError& error) {
      std::string what = error.what();  // in the words of the command line: --from is from here
      for (std::size_t at = what.find("--"); at != std::string::npos; at = what.find("--", at))
        what.erase(at, 2);
      field.fail(what);
    }
  }

  // A bit for every name, in the order in which they come up.
  std::uint32_t groups_of(const Field& field) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < field.list_size(); ++i) {
      const auto [group, is_new] = groups_.try_emplace(field.at(i).text(), groups_.size() + 1);
      if (is_new && groups_.size() > 31) field.at(i).fail("there may be 31 groups at most");
      bits |= 1U << group->second;
    }
    return bits;
  }

  void read_off(const Field& field) {
    for (std::size_t i = 0; i < field.list_size(); ++i) {
      const Field pair = field.at(i);
      if (pair.list_size() != 2) pair.fail("expected the names of two bodies");
      const std::int32_t first = named(pair.at(std::size_t{0})), second = named(pair.at(std::size_t{1}));
      scene_.off.emplace_back(first, second);
    }
  }
  std::int32_t named(const Field& field) const {
    const auto found = ids_.find(field.text());
    if (found == ids_.end()) field.fail(fmt::format("there is no body '{}'", field.text()));
    return found->second;
  }

  std::filesystem::path folder_;
  Json json_;
  WorldScene scene_;
  std::map<std::string, std::string> words_;
  std::map<std::string, ReportBody> shapes_;  // by their word
  std::map<std::string, std::int32_t> ids_;
  std::map<std::string, std::size_t> groups_;
};

}  // namespace

WorldScene load_world_scene(const std::string& path) {
  return SceneReader(path).read(path);
}

}  // namespace toccata::app
