#include "toccata/geometry/articulated_body.hpp"

#include <array>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "toccata/base/pose_matrix.hpp"

namespace toccata {
namespace {

using Failure = std::optional<std::string>;
using Places = std::unordered_map<std::string_view, std::size_t>;

std::string named(std::string_view what, std::string_view name) {
  return std::string(what) + " '" + std::string(name) + "'";
}

template <typename Named>
Failure collect_names(const std::vector<Named>& items, std::string_view what, Places& places) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name.empty()) return std::string(what) + " " + std::to_string(i) + " has no name";
    if (!places.emplace(items[i].name, i).second)
      return "there are two " + std::string(what) + "s named '" + items[i].name + "'";
  }
  return {};
}

Failure failure_of_pose(const Pose& pose, const std::string& where) {
  const std::string rotation = rotation_fault(pose.rotation);
  if (!rotation.empty()) return where + ": its rotation is none: " + rotation;
  if (!pose.translation.allFinite()) return where + ": its place is not finite";
  return {};
}

Failure failure_of_link(const Link& link) {
  for (std::size_t i = 0; i < link.shapes.size(); ++i) {
    const std::string where = named("link", link.name) + ", shape " + std::to_string(i);
    if (Failure failure = failure_of(link.shapes[i].geometry)) return where + ": " + *failure;
    if (Failure failure = failure_of_pose(link.shapes[i].pose, where)) return failure;
    if (std::holds_alternative<HalfSpace>(link.shapes[i].geometry))
      return where + ": a link cannot be a half space";
  }
  return {};
}

bool has_axis(JointKind kind) {
  return kind == JointKind::Revolute || kind == JointKind::Continuous || kind == JointKind::Prismatic;
}

Failure failure_of_limits(const Joint& joint) {
  const std::string where = named("joint", joint.name);
  const bool needs = joint.kind == JointKind::Revolute || joint.kind == JointKind::Prismatic;
  if (!joint.limits) {
    if (needs) return where + ": a " + std::string(to_string(joint.kind)) + " joint needs limits";
    return {};
  }
  if (!needs) return {};
  const auto [lower, upper] = *joint.limits;
  if (!std::isfinite(lower) || !std::isfinite(upper)) return where + ": its limits are not finite";
  if (lower > upper)
    return where + ": its lower limit " + std::to_string(lower) + " is above the upper " +
           std::to_string(upper);
  return {};
}

Failure failure_of_joint(const Joint& joint, const Places& links) {
  const std::string where = named("joint", joint.name);
  if (!links.contains(joint.parent)) return where + ": there is no parent " + named("link", joint.parent);
  if (!links.contains(joint.child)) return where + ": there is no child " + named("link", joint.child);
  if (joint.parent == joint.child) return where + " joins " + named("link", joint.child) + " to itself";
  if (Failure failure = failure_of_pose(joint.origin, where)) return failure;
  if (has_axis(joint.kind)) {
    const double length = joint.axis.norm();
    if (!(length > 1e-12) || !std::isfinite(length))
      return where + ": its axis must be a vector of some length, and finite";
  }
  return failure_of_limits(joint);
}

// Follows the masters of each mimic to one that is none.
Failure failure_of_mimics(const ArticulatedBody& body, const Places& joints) {
  for (const Joint& joint : body.joints) {
    const Joint* at = &joint;
    for (std::size_t steps = 0; at->mimic; ++steps) {
      const std::string where = named("joint", at->name);
      if (variable_count(at->kind) != 1)
        return where + ": a " + std::string(to_string(at->kind)) + " joint cannot be a mimic";
      if (!std::isfinite(at->mimic->multiplier) || !std::isfinite(at->mimic->offset))
        return where + ": multiplier and offset of a mimic must be finite";
      const auto master = joints.find(at->mimic->joint);
      if (master == joints.end())
        return where + " mimics " + named("joint", at->mimic->joint) + ", which is not there";
      if (steps > body.joints.size()) return named("joint", joint.name) + " mimics itself, by way of others";
      const Joint& next = body.joints[master->second];
      if (variable_count(next.kind) != 1)
        return where + " mimics " + named("joint", next.name) + ", which is " +
               std::string(to_string(next.kind));
      at = &next;
    }
  }
  return {};
}

Failure failure_of_tree(const ArticulatedBody& body, const Places& links) {
  std::vector<std::int32_t> parent_joint(body.links.size(), -1);
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    std::int32_t& of_child = parent_joint[links.at(body.joints[j].child)];
    if (of_child >= 0)
      return named("link", body.joints[j].child) + " has two parents: joints '" +
             body.joints[static_cast<std::size_t>(of_child)].name + "' and '" + body.joints[j].name + "'";
    of_child = static_cast<std::int32_t>(j);
  }
  std::int32_t root = -1;
  for (std::size_t i = 0; i < body.links.size(); ++i) {
    if (parent_joint[i] >= 0) continue;
    if (root >= 0)
      return "there are two roots, links '" + body.links[static_cast<std::size_t>(root)].name + "' and '" +
             body.links[i].name + "': join them, by a fixed joint say";
    root = static_cast<std::int32_t>(i);
  }
  const auto parent_of = [&](std::size_t link) {
    return links.at(body.joints[static_cast<std::size_t>(parent_joint[link])].parent);
  };
  if (root < 0) {
    std::size_t at = 0;  // up for so long that it is in the loop
    for (std::size_t i = 0; i < body.links.size(); ++i) at = parent_of(at);
    return "no link is the root: " + named("link", body.links[at].name) + " is in a loop of joints";
  }
  // Up from each link to one that is known to hang on the root.
  std::vector<char> hangs(body.links.size(), 0);
  hangs[static_cast<std::size_t>(root)] = 1;
  std::vector<std::size_t> way;
  for (std::size_t i = 0; i < body.links.size(); ++i) {
    way.clear();
    for (std::size_t at = i; hangs[at] == 0;) {
      if (way.size() > body.links.size())
        return named("link", body.links[at].name) + " is in a loop of joints";
      way.push_back(at);
      at = parent_of(at);
    }
    for (const std::size_t link : way) hangs[link] = 1;
  }
  return {};
}

}  // namespace

std::string_view to_string(JointKind kind) {
  constexpr std::array<std::string_view, 6> names = {"fixed",     "revolute", "continuous",
                                                     "prismatic", "planar",   "floating"};
  return names[static_cast<std::size_t>(kind)];
}

int variable_count(JointKind kind) {
  constexpr std::array<int, 6> counts = {0, 1, 1, 1, 3, 7};
  return counts[static_cast<std::size_t>(kind)];
}

std::optional<std::string> failure_of(const ArticulatedBody& body) {
  if (body.links.empty()) return "there are no links";
  Places links, joints;
  if (Failure failure = collect_names(body.links, "link", links)) return failure;
  if (Failure failure = collect_names(body.joints, "joint", joints)) return failure;
  for (const Link& link : body.links) {
    if (Failure failure = failure_of_link(link)) return failure;
  }
  for (const Joint& joint : body.joints) {
    if (Failure failure = failure_of_joint(joint, links)) return failure;
  }
  if (Failure failure = failure_of_tree(body, links)) return failure;
  return failure_of_mimics(body, joints);
}

std::vector<JointVariable> variables_of(const ArticulatedBody& body) {
  constexpr std::array<std::string_view, 3> planar = {"/x", "/y", "/theta"};
  constexpr std::array<std::string_view, 7> floating = {"/x", "/y", "/z", "/qx", "/qy", "/qz", "/qw"};
  std::vector<JointVariable> variables;
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    const Joint& joint = body.joints[j];
    if (joint.mimic) continue;
    const int count = variable_count(joint.kind);
    for (int part = 0; part < count; ++part) {
      const auto i = static_cast<std::size_t>(part);
      std::string name = joint.name;
      if (count > 1) name += count == 3 ? planar[i] : floating[i];
      const bool limited = joint.kind == JointKind::Revolute || joint.kind == JointKind::Prismatic;
      variables.push_back({std::move(name), static_cast<std::int32_t>(j), part,
                           limited ? joint.limits : std::optional<JointLimits>()});
    }
  }
  return variables;
}

std::int32_t root_of(const ArticulatedBody& body) {
  std::unordered_set<std::string_view> children;
  for (const Joint& joint : body.joints) children.insert(joint.child);
  for (std::size_t i = 0; i < body.links.size(); ++i) {
    if (!children.contains(body.links[i].name)) return static_cast<std::int32_t>(i);
  }
  return -1;
}

}  // namespace toccata
