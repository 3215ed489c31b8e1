// SRDF: what a robot's maker says of its links and joints beyond how they hang together.
#include <map>
#include <set>

#include "io/file_bytes.hpp"
#include "io/urdf_xml.hpp"
#include "toccata/io/robot_io.hpp"

namespace toccata {
namespace io {
namespace {

class SemanticsReader {
 public:
  SemanticsReader(const XmlFile& file, const ArticulatedBody& body) : file_(file), body_(body) {
    for (const Link& link : body.links) links_.insert(link.name);
    for (const Joint& joint : body.joints) {
      joints_.insert(joint.name);
      parent_joint_[joint.child] = &joint;
    }
  }

  RobotSemantics read() {
    const XmlElement& robot = file_.root("robot");
    if (const char* name = robot.Attribute("name")) result_.name = name;
    for_each(robot, "virtual_joint", [&](const XmlElement& e) { add_virtual_joint(e); });
    for_each(robot, "passive_joint", [&](const XmlElement& e) {
      std::string name = file_.text(e, "name");
      if (is_joint(name)) result_.passive_joints.push_back(std::move(name));
    });
    for_each(robot, "group", [&](const XmlElement& e) { groups_[file_.text(e, "name")] = &e; });
    for_each(robot, "group", [&](const XmlElement& e) { add_group(e); });
    for_each(robot, "group_state", [&](const XmlElement& e) { add_state(e); });
    add_allowed(robot);
    return std::move(result_);
  }

 private:
  template <typename Use>
  void for_each(const XmlElement& parent, const char* kind, Use&& use) {
    for (const XmlElement* e = parent.FirstChildElement(kind); e != nullptr; e = e->NextSiblingElement(kind))
      use(*e);
  }

  bool known(const std::set<std::string>& names, const std::string& name) {
    if (names.contains(name)) return true;
    if (unknown_.insert(name).second) result_.unknown.push_back(name);
    return false;
  }
  bool is_link(const std::string& name) { return known(links_, name); }
  bool is_joint(const std::string& name) { return known(joints_, name); }

  void add_virtual_joint(const XmlElement& element) {
    VirtualJoint joint;
    joint.name = file_.text(element, "name");
    joint.parent_frame = file_.text(element, "parent_frame");
    joint.child_link = file_.text(element, "child_link");
    const std::string type = file_.text(element, "type");
    bool is_kind = false;
    for (const JointKind kind : {JointKind::Fixed, JointKind::Planar, JointKind::Floating}) {
      if (type != to_string(kind)) continue;
      joint.kind = kind;
      is_kind = true;
    }
    if (!is_kind) file_.fail(element, "a virtual joint is fixed, planar or floating, not '" + type + "'");
    joints_.insert(joint.name);
    if (is_link(joint.child_link)) result_.virtual_joints.push_back(std::move(joint));
  }

  // From the tip up to the base, which the chain must lead through.
  void add_chain(const XmlElement& element, std::set<std::string>& joints) {
    const std::string base = file_.text(element, "base_link"), tip = file_.text(element, "tip_link");
    if (!is_link(base) || !is_link(tip)) return;
    std::string at = tip;
    while (at != base) {
      const auto joint = parent_joint_.find(at);
      if (joint == parent_joint_.end())
        file_.fail(element, "link '" + base + "' is not on the way from the root to link '" + tip + "'");
      if (++visits_ > most_visits) file_.fail(element, "groups name too many chains");
      joints.insert(joint->second->name);
      at = joint->second->parent;
    }
  }

  // The group and all that it names, each once: groups may name each other, as deep as they like.
  void collect(const XmlElement& top, std::set<std::string>& joints) {
    std::vector<const XmlElement*> waiting = {&top};
    std::set<std::string> seen = {file_.text(top, "name")};
    while (!waiting.empty()) {
      const XmlElement& group = *waiting.back();
      waiting.pop_back();
      if (++visits_ > most_visits) file_.fail(group, "groups name each other too often");
      for_each(group, "joint", [&](const XmlElement& e) {
        const std::string name = file_.text(e, "name");
        if (is_joint(name)) joints.insert(name);
      });
      for_each(group, "link", [&](const XmlElement& e) {
        const std::string name = file_.text(e, "name");
        if (!is_link(name)) return;
        if (const auto joint = parent_joint_.find(name); joint != parent_joint_.end())
          joints.insert(joint->second->name);
      });
      for_each(group, "chain", [&](const XmlElement& e) { add_chain(e, joints); });
      for_each(group, "group", [&](const XmlElement& e) {
        const std::string name = file_.text(e, "name");
        const auto other = groups_.find(name);
        if (other == groups_.end()) file_.fail(e, "there is no group '" + name + "'");
        if (seen.insert(name).second) waiting.push_back(other->second);
      });
    }
  }

  void add_group(const XmlElement& element) {
    std::set<std::string> joints;
    collect(element, joints);
    JointGroup group{file_.text(element, "name"), {}};
    for (const Joint& joint : body_.joints) {
      if (joints.contains(joint.name) && variable_count(joint.kind) > 0 && !joint.mimic)
        group.joints.push_back(joint.name);
    }
    result_.groups.push_back(std::move(group));
  }

  void add_state(const XmlElement& element) {
    JointGroupState state{file_.text(element, "name"), file_.text(element, "group"), {}};
    for_each(element, "joint", [&](const XmlElement& e) {
      const std::string name = file_.text(e, "name"), text = file_.text(e, "value");
      std::optional<std::vector<double>> values = numbers_in(text);
      if (!values || values->empty()) file_.fail(e, "value must be numbers, found '" + text + "'");
      if (is_joint(name)) state.values.push_back({name, std::move(*values)});
    });
    result_.states.push_back(std::move(state));
  }

  static std::pair<std::string, std::string> ordered(std::string a, std::string b) {
    if (b < a) std::swap(a, b);
    return {std::move(a), std::move(b)};
  }

  void add_allowed(const XmlElement& robot) {
    std::set<std::pair<std::string, std::string>> allowed;
    for_each(robot, "disable_default_collisions", [&](const XmlElement& e) {
      const std::string name = file_.text(e, "link");
      if (!is_link(name)) return;
      for (const Link& link : body_.links) {
        if (link.name != name) allowed.insert(ordered(name, link.name));
      }
      if (allowed.size() > most_pairs) file_.fail(e, "expected at most a million pairs");
    });
    const auto both = [&](const XmlElement& e, auto&& use) {
      const std::string a = file_.text(e, "link1"), b = file_.text(e, "link2");
      const bool knows_a = is_link(a), knows_b = is_link(b);
      if (knows_a && knows_b) use(ordered(a, b));
    };
    for_each(robot, "enable_collisions",
             [&](const XmlElement& e) { both(e, [&](const auto& pair) { allowed.erase(pair); }); });
    for_each(robot, "disable_collisions",
             [&](const XmlElement& e) { both(e, [&](const auto& pair) { allowed.insert(pair); }); });
    for (const auto& [a, b] : allowed) result_.allowed.push_back({a, b});
  }

  const XmlFile& file_;
  const ArticulatedBody& body_;
  std::set<std::string> links_, joints_;
  std::map<std::string, const Joint*> parent_joint_;  // by child
  std::map<std::string, const XmlElement*> groups_;
  std::set<std::string> unknown_;  // those of result_
  // What is hostile ends in an error, not in hours.
  static constexpr std::size_t most_visits = 1'000'000, most_pairs = 1'000'000;
  std::size_t visits_ = 0;  // of groups and of joints of chains
  RobotSemantics result_;
};

}  // namespace
}  // namespace io

Expected<RobotSemantics> parse_srdf(std::string_view content, const ArticulatedBody& body,
                                    const std::string& name) {
  try {
    const io::XmlFile file(content, name);
    return io::SemanticsReader(file, body).read();
  } catch (const io::ReadFailure& failure) {
    return Error{failure.message};
  }
}

Expected<RobotSemantics> load_srdf(const std::string& path, const ArticulatedBody& body) {
  const Expected<io::FileBytes> bytes = io::FileBytes::map(path);
  if (!bytes) return bytes.error();
  return parse_srdf(bytes->view(), body, path);
}

Expected<ArticulatedBody> with_virtual_joint(const ArticulatedBody& body, const VirtualJoint& joint) {
  ArticulatedBody result = body;
  result.links.insert(result.links.begin(), Link{joint.parent_frame, {}});
  Joint added;
  added.name = joint.name;
  added.kind = joint.kind;
  added.parent = joint.parent_frame;
  added.child = joint.child_link;
  result.joints.insert(result.joints.begin(), std::move(added));
  if (auto failure = failure_of(result)) return Error{std::move(*failure)};
  return result;
}

}  // namespace toccata
