#include "edge_set.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>

#include "toccata/io/robot_io.hpp"
#include "toccata/io/scene_io.hpp"

namespace toccata::bench {
namespace {

template <typename Value>
Value expected(Expected<Value> value) {
  if (value) return std::move(*value);
  std::fprintf(stderr, "bench: %s\n", value.error().message.c_str());
  std::exit(2);
}

// Of robots that have a tree and hardly any shapes: from each joint to the next ones a bar, and nothing else.
// Hips and shoulders are three joints in one place, so links up to three joints apart may touch.
void give_bones(Setting& setting) {
  std::map<std::string, std::string> parents;
  for (const Joint& joint : setting.body.joints) parents[joint.child] = joint.parent;
  for (Link& link : setting.body.links) {
    link.shapes.clear();
    for (const Joint& joint : setting.body.joints) {
      const Vector3 way = joint.origin.translation;
      const double length = way.norm();
      if (joint.parent != link.name || length < 0.05) continue;
      const Pose pose(Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), way).toRotationMatrix(),
                      0.5 * way);
      link.shapes.push_back({Cylinder{0.03, 0.8 * length}, pose});
    }
    std::vector<std::string> up = {link.name};
    while (up.size() < 4 && parents.contains(up.back())) up.push_back(parents[up.back()]);
    for (std::size_t i = 1; i < up.size(); ++i) {
      setting.options.allowed.push_back({link.name, up[i]});
      for (const Link& other : setting.body.links) {  // across a fork
        std::string at = other.name;
        for (std::size_t k = 0; k + i <= 3 && !at.empty(); ++k, at = parents[at]) {
          if (at == up[i]) setting.options.allowed.push_back({link.name, other.name});
        }
      }
    }
  }
}

}  // namespace

Setting load_setting(const std::string& urdf, const std::string& srdf, const std::string& scene, bool tool) {
  Setting setting;
  setting.body = expected(load_urdf(urdf));
  if (srdf == "bones") give_bones(setting);
  if (srdf != "-" && srdf != "bones")
    setting.options.allowed = expected(load_srdf(srdf, setting.body)).allowed;
  if (scene != "-") setting.scene = expected(load_scene(scene));
  if (tool) {
    std::string last;
    for (const Joint& joint : setting.body.joints) {
      if (variable_count(joint.kind) > 0) last = joint.child;
    }
    setting.scene.attached.push_back({"tool", last, {{tool_mesh(100'000), {}}}, {}});
  }
  return setting;
}

JointEdge random_edge(const Kinematics& kinematics, double length, Random& random) {
  JointEdge edge;
  double norm = 0.0;
  for (const JointVariable& variable : kinematics.variables()) {
    const JointLimits limits = variable.limits.value_or(JointLimits{-M_PI, M_PI});
    edge.start.push_back(random.uniform(limits.lower, limits.upper));
    // A joint with a short range goes a short way.
    const double share = std::min(1.0, 0.3 * (limits.upper - limits.lower));
    edge.end.push_back(share * random.uniform(-1, 1));
    norm += edge.end.back() * edge.end.back();
  }
  const double scale = norm > 0.0 ? length * random.unit() / std::sqrt(norm) : 0.0;
  for (std::size_t i = 0; i < edge.start.size(); ++i) edge.end[i] = edge.start[i] + scale * edge.end[i];
  return edge;
}

double thread_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

}  // namespace toccata::bench
