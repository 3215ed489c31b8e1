#include "random_rods.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace toccata::bench {
namespace {

constexpr int things = 14, tried = 60, states_looked_at = 32, most_tries = 2000;

Geometry random_thing(Random& random) {
  switch (random.integer(0, 5)) {
    case 0:
    case 1:
      return Box{Vector3(0.004, 0.004, 0.4)};
    case 2:
      return Box{Vector3(0.001, 0.3, 0.2)};
    case 3:
      return Cylinder{0.002, 0.5};
    case 4:
      return Ball{random.uniform(0.004, 0.03)};
    default:
      return Box{Vector3(random.uniform(0.01, 0.1), random.uniform(0.01, 0.1), random.uniform(0.01, 0.1))};
  }
}

Pose random_pose(const Vector3& place, Random& random) {
  const Eigen::AngleAxisd turn(random.uniform(0.0, M_PI), random.on_sphere());
  return Pose(turn.toRotationMatrix(), place);
}

// Somewhere on the robot in one of its states, or a little beside it.
Vector3 place_in_reach(const Setting& setting, FclStates& states, const std::vector<double>& values,
                       Random& random) {
  for (;;) {
    const auto link = static_cast<std::size_t>(random.next() % setting.body.links.size());
    if (setting.body.links[link].shapes.empty()) continue;
    const auto triangles = states.triangles_of(setting.body.links[link].name, values);
    if (triangles.empty()) continue;
    return triangles[static_cast<std::size_t>(random.next() % triangles.size())][0] + random.in_box(0.05);
  }
}

}  // namespace

JointEdge random_free_edge(FclStates& states, const Kinematics& kinematics, double length, Random& random) {
  double share = 1.0;
  for (int i = 1;; ++i) {
    JointEdge edge = random_edge(kinematics, length, random);
    for (std::size_t k = 0; k < edge.start.size(); ++k) {
      const JointLimits limits = kinematics.variables()[k].limits.value_or(JointLimits{-M_PI, M_PI});
      const double home = std::clamp(0.0, limits.lower, limits.upper);
      const double moved = (share - 1.0) * (edge.start[k] - home);
      edge.start[k] += moved;
      edge.end[k] += moved;
    }
    if (states.is_free(edge.start) || i == most_tries) return edge;
    if (i % 40 == 0) share = std::max(0.0, share - 0.1);
  }
}

ObstacleScene random_rods(const Setting& setting, const Kinematics& kinematics, Random& random) {
  FclStates alone(setting.body, {}, setting.options);
  std::vector<std::vector<double>> looked_at;
  for (int i = 0; i < states_looked_at; ++i)
    looked_at.push_back(random_free_edge(alone, kinematics, 0.0, random).start);
  ObstacleScene all;
  for (int i = 0; i < tried; ++i) {
    const auto& values = looked_at[static_cast<std::size_t>(random.integer(0, states_looked_at - 1))];
    all.obstacles.push_back({"thing" + std::to_string(i), random_thing(random),
                             random_pose(place_in_reach(setting, alone, values, random), random)});
  }
  FclStates among(setting.body, all, setting.options);
  std::vector<int> hits(all.obstacles.size(), 0);
  for (const std::vector<double>& values : looked_at) {
    for (const std::size_t obstacle : among.touched(values)) ++hits[obstacle];
  }
  ObstacleScene scene;
  for (std::size_t i = 0; i < hits.size() && scene.obstacles.size() < things; ++i) {
    if (hits[i] <= states_looked_at / 4) scene.obstacles.push_back(all.obstacles[i]);
  }
  return scene;
}

}  // namespace toccata::bench
