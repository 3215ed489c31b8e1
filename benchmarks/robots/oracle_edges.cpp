// Random edges against dense samples by FCL with kinematics of its own, and where a contact is reported,
// exact distances of the triangles there.
//   missed   a sample touches before the reported contact, or on an edge that is called free
//   refused  at the reported contact the two are farther apart than the tolerance
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "edge_set.hpp"
#include "fcl_states.hpp"
#include "oracle/exact_triangles.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata::bench {
namespace {

using Triangles = std::vector<std::array<Vector3, 3>>;

double box_gap(const std::array<Vector3, 3>& a, const std::array<Vector3, 3>& b) {
  const Vector3 low = a[0].cwiseMin(a[1]).cwiseMin(a[2]), high = a[0].cwiseMax(a[1]).cwiseMax(a[2]);
  const Vector3 low_b = b[0].cwiseMin(b[1]).cwiseMin(b[2]), high_b = b[0].cwiseMax(b[1]).cwiseMax(b[2]);
  return (low - high_b).cwiseMax(low_b - high).cwiseMax(0.0).norm();
}

// The least distance, exact but for the rounding of the corners; stops at `enough`.
double exact_distance(const Triangles& a, const Triangles& b, double enough) {
  std::vector<std::pair<double, std::pair<std::size_t, std::size_t>>> near;
  double bound = 1e300;  // no pair with boxes farther apart can be the least
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      const double gap = box_gap(a[i], b[k]);
      if (gap < bound) near.push_back({gap, {i, k}});
      bound = std::min(bound, (a[i][0] - b[k][0]).norm());
    }
  }
  std::sort(near.begin(), near.end());
  double least = 1e300;
  for (const auto& [gap, pair] : near) {
    if (gap >= least || least <= enough) break;
    least = std::min(least, oracle::exact_triangle_distance(a[pair.first], b[pair.second]).distance);
  }
  return least;
}

// Is a point of `inner` inside the closed surface `outer`? By how often a ray goes through it.
bool is_within(const Triangles& inner, const Triangles& outer) {
  if (inner.empty()) return false;
  const Vector3 point = inner[0][0], ray = Vector3(0.61, 0.53, 0.59).normalized();
  bool inside = false;
  for (const auto& [a, b, c] : outer) {
    const Vector3 across = ray.cross(c - a);
    const double volume = across.dot(b - a);
    if (volume == 0.0) continue;
    const double u = across.dot(point - a) / volume;
    const Vector3 upright = (point - a).cross(b - a);
    const double v = upright.dot(ray) / volume;
    if (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && upright.dot(c - a) / volume > 0.0) inside = !inside;
  }
  return inside;
}

std::vector<double> between(const JointEdge& edge, double t) {
  std::vector<double> values;
  for (std::size_t i = 0; i < edge.start.size(); ++i)
    values.push_back(edge.start[i] + t * (edge.end[i] - edge.start[i]));
  return values;
}

}  // namespace

int judge_edges(int argc, char** argv) {
  const int count = std::atoi(argv[2]), samples = std::atoi(argv[5]);
  const double length = std::atof(argv[3]);
  Random random(static_cast<std::uint64_t>(std::atoll(argv[4])));
  const bool exact = argc > 7 && std::strcmp(argv[7], "exact") == 0;
  const Setting setting = load_setting(argv[0], argv[1], argv[6]);
  const RobotInScene robot = RobotInScene::build(setting.body, setting.scene, setting.options).value();
  FclStates states(setting.body, setting.scene, setting.options);
  std::vector<JointEdge> edges;
  PathContactOptions options, any;
  options.threads = any.threads = 1;
  any.any_contact = true;
  double size = 0.0;  // of the largest link: what the default tolerance is a share of
  for (const Link& link : setting.body.links) {
    for (const CompoundPart& part : link.shapes) {
      const Shape shape(part.geometry);
      for (const Vector3& v : shape.display_mesh().vertices)
        size = std::max(size, (part.pose.apply(v)).norm());
    }
  }
  const double tolerance = 2e-6 * std::max(size, 0.1) + 1e-9;
  long free = 0, contacts = 0, starts = 0, missed = 0, refused = 0, doubtful = 0, judged = 0, differ = 0;
  constexpr int at_once = 256;
  for (int done = 0; done < count; done += at_once) {
    edges.clear();
    for (int i = done; i < std::min(count, done + at_once); ++i)
      edges.push_back(random_edge(robot.kinematics(), length, random));
    const auto found = edge_contacts(robot, edges, options);
    const auto some = edge_contacts(robot, edges, any);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const PathContactResult& answer = found[i];
      if ((answer.status == Status::Separated) != (some[i].status == Status::Separated)) ++differ;
      const bool hit = answer.status != Status::Separated;
      ++(!hit ? free : answer.time == 0.0 ? starts : contacts);
      // Samples up to the reported time, the last ones close to it.
      for (int k = 0; k < samples; ++k) {
        double t = (k + random.unit()) / samples;
        if (hit && k >= samples - 3) t = answer.time * (1.0 - std::pow(10.0, -2.0 - (samples - 1 - k)));
        if (hit && t >= answer.time) continue;
        std::string a, b;
        const std::vector<double> values = between(edges[i], t);
        if (states.is_free(values, a, b)) continue;
        // FCL says so in doubles: the triangles decide.
        if (exact_distance(states.triangles_of(a, values), states.triangles_of(b, values), 0.0) > 0.0) {
          ++doubtful;
          continue;
        }
        ++missed;
        std::fprintf(stderr, "missed: edge %ld at t = %.17g, %s and %s, reported %s at %.17g\n",
                     static_cast<long>(done) + static_cast<long>(i), t, a.c_str(), b.c_str(),
                     std::string(to_string(answer.status)).c_str(), answer.time);
        break;
      }
      if (!exact || !hit || answer.inside != Inside::None) continue;
      ++judged;
      const std::vector<double> values = between(edges[i], answer.time);
      const Triangles a = states.triangles_of(answer.link_a, values),
                      b = states.triangles_of(answer.link_b, values);
      const double distance = exact_distance(a, b, tolerance);
      // What is no mesh is full inside.
      if (distance > tolerance && !is_within(a, b) && !is_within(b, a)) {
        ++refused;
        std::fprintf(stderr, "refused: edge %ld at t = %.17g, %s and %s are %g apart\n",
                     static_cast<long>(done) + static_cast<long>(i), answer.time, answer.link_a.c_str(),
                     answer.link_b.c_str(), distance);
      }
    }
  }
  std::printf(
      "edges,free,contacts,in_contact_at_start,states,missed,refused,exactly_judged,fcl_doubtful,any_"
      "differs\n"
      "%d,%ld,%ld,%ld,%lld,%ld,%ld,%ld,%ld,%ld\n",
      count, free, contacts, starts, static_cast<long long>(states.states()), missed, refused, judged,
      doubtful, differ);
  return missed + refused + differ == 0 ? 0 : 1;
}

}  // namespace toccata::bench
