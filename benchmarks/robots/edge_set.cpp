#include "edge_set.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

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

}  // namespace

Setting load_setting(const std::string& urdf, const std::string& srdf, const std::string& scene, bool tool) {
  Setting setting;
  setting.body = expected(load_urdf(urdf));
  if (srdf != "-") setting.options.allowed = expected(load_srdf(srdf, setting.body)).allowed;
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
