#include "toccata/geometry/joined_robots.hpp"

#include <set>

namespace toccata {

Expected<ArticulatedBody> joined_robots(std::span<const PlacedRobot> robots) {
  if (robots.empty()) return Error{"there are no robots to join"};
  ArticulatedBody joined;
  joined.links.push_back({"world", {}});
  std::set<std::string> names;
  for (const PlacedRobot& robot : robots) {
    if (robot.name.empty()) return Error{"a robot among several needs a name"};
    if (!names.insert(robot.name).second) return Error{"there are two robots named '" + robot.name + "'"};
    if (auto failure = failure_of(robot.body)) return Error{"robot '" + robot.name + "': " + *failure};
    joined.name += (joined.name.empty() ? "" : " and ") + robot.name;
    const std::string prefix = robot.name + "/";
    Joint base;
    base.name = prefix + "world";
    base.parent = "world";
    base.child = prefix + robot.body.links[static_cast<std::size_t>(root_of(robot.body))].name;
    base.origin = robot.pose;
    joined.joints.push_back(std::move(base));
    for (Link link : robot.body.links) {
      link.name = prefix + link.name;
      link.robot = robot.name;
      joined.links.push_back(std::move(link));
    }
    for (Joint joint : robot.body.joints) {
      joint.name = prefix + joint.name;
      joint.parent = prefix + joint.parent;
      joint.child = prefix + joint.child;
      if (joint.mimic) joint.mimic->joint = prefix + joint.mimic->joint;
      joined.joints.push_back(std::move(joint));
    }
  }
  if (auto failure = failure_of(joined)) return Error{std::move(*failure)};
  return joined;
}

std::vector<AllowedPair> joined_names(const std::string& robot, std::span<const AllowedPair> pairs) {
  std::vector<AllowedPair> result;
  for (const AllowedPair& pair : pairs) result.push_back({robot + "/" + pair.a, robot + "/" + pair.b});
  return result;
}

}  // namespace toccata
