// Any bytes, as a robot, what is said of it, what stands around it or several of them, give something valid
// or an error that names the file.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "toccata/io/robot_cell_io.hpp"
#include "toccata/io/robot_io.hpp"
#include "toccata/io/scene_io.hpp"

using namespace toccata;

namespace {

template <typename Value>
bool is_read(const Expected<Value>& found) {
  if (!found && !found.error().message.starts_with("fuzz")) std::abort();
  return found.has_value();
}

void judge(const ObstacleScene& scene) {
  for (const Obstacle& obstacle : scene.obstacles) {
    if (failure_of(obstacle.geometry) || !obstacle.pose.translation.allFinite()) std::abort();
  }
  for (const AttachedObject& object : scene.attached) {
    for (const CompoundPart& part : object.shapes) {
      if (failure_of(part.geometry)) std::abort();
    }
  }
}

// A robot that SRDFs can speak of.
ArticulatedBody small_robot() {
  ArticulatedBody body;
  body.links = {{"base", {}}, {"arm", {}}, {"hand", {}}};
  for (int i = 0; i < 2; ++i) {
    Joint joint;
    joint.name = i == 0 ? "shoulder" : "wrist";
    joint.kind = JointKind::Continuous;
    joint.parent = body.links[static_cast<std::size_t>(i)].name;
    joint.child = body.links[static_cast<std::size_t>(i) + 1].name;
    body.joints.push_back(joint);
  }
  return body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view content(reinterpret_cast<const char*>(data + 1), size - 1);
  switch (data[0] % 5) {
    case 0: {
      const Expected<ArticulatedBody> body = parse_urdf(content, "fuzz.urdf");
      if (is_read(body) && (failure_of(*body) || root_of(*body) < 0)) std::abort();
      break;
    }
    case 1: {
      static const ArticulatedBody body = small_robot();
      is_read(parse_srdf(content, body, "fuzz.srdf"));
      break;
    }
    case 2:
      if (const auto scene = parse_scene_yaml(content, "fuzz.yaml"); is_read(scene)) judge(*scene);
      break;
    case 3:
      if (const auto scene = parse_scene_list(content, "fuzz.txt"); is_read(scene)) judge(*scene);
      break;
    default:
      is_read(parse_robot_cell(content, "fuzz.yaml"));
  }
  return 0;
}
