// Random edges against dense samples by FCL with kinematics of its own, and where a contact is reported,
// exact distances of the triangles there. Edges begin at states that FCL calls free.
//   missed   a sample touches before the reported contact, or on an edge that is called free
//   refused  at the reported contact the two are farther apart than the tolerance
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "edge_set.hpp"
#include "exact_contacts.hpp"
#include "fcl_states.hpp"
#include "random_rods.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata::bench {
namespace {

// A scene takes as long to make as some hundred edges without the exact stage.
constexpr int edges_of_a_scene = 5000, exact_edges_of_a_scene = 1000;

std::vector<double> between(const JointEdge& edge, double t) {
  std::vector<double> values;
  for (std::size_t i = 0; i < edge.start.size(); ++i)
    values.push_back(edge.start[i] + t * (edge.end[i] - edge.start[i]));
  return values;
}

// Curved shapes as the triangles that FCL has for them: exact distances are those of triangles.
void make_flat(Geometry& geometry) {
  if (!std::holds_alternative<Box>(geometry) && !std::holds_alternative<TriangleMesh>(geometry))
    geometry = Shape(geometry).display_mesh();
}

void make_flat(Setting& setting) {
  for (Link& link : setting.body.links) {
    for (CompoundPart& part : link.shapes) make_flat(part.geometry);
  }
  for (Obstacle& obstacle : setting.scene.obstacles) make_flat(obstacle.geometry);
}

// What the default tolerance is a share of, with some room.
double tolerance_of(const ArticulatedBody& body) {
  double size = 0.1;
  for (const Link& link : body.links) {
    for (const CompoundPart& part : link.shapes) {
      const TriangleMesh mesh = Shape(part.geometry).display_mesh();
      for (const Vector3& v : mesh.vertices) size = std::max(size, (part.pose.apply(v)).norm());
    }
  }
  return 2e-6 * size + 1e-9;
}

struct Counts {
  long edges = 0, free = 0, contacts = 0, starts = 0, missed = 0, refused = 0, doubtful = 0, judged = 0,
       differ = 0;
  long long states = 0;
};

class Judge {
 public:
  Judge(const Setting& setting, int samples, bool exact, Counts& counts)
      : robot_(RobotInScene::build(setting.body, setting.scene, setting.options).value()),
        states_(setting.body, setting.scene, setting.options),
        samples_(samples),
        exact_(exact),
        tolerance_(tolerance_of(setting.body)),
        counts_(counts) {}

  void judge(int edges, double length, Random& random) {
    std::vector<JointEdge> asked;
    for (int i = 0; i < edges; ++i)
      asked.push_back(random_free_edge(states_, robot_.kinematics(), length, random));
    PathContactOptions first, any;
    first.threads = any.threads = 1;
    any.any_contact = true;
    const auto found = edge_contacts(robot_, asked, first);
    const auto some = edge_contacts(robot_, asked, any);
    for (std::size_t i = 0; i < asked.size(); ++i, ++counts_.edges) {
      const PathContactResult& answer = found[i];
      const bool hit = answer.status != Status::Separated;
      if (hit != (some[i].status != Status::Separated)) {
        ++counts_.differ;
        tell("any and first differ", answer.time, answer.link_a, answer.link_b, answer);
      }
      ++(!hit ? counts_.free : answer.time == 0.0 ? counts_.starts : counts_.contacts);
      sample(asked[i], answer, random);
      if (exact_ && hit) look_exactly(asked[i], answer);
      if (exact_ && some[i].status != Status::Separated && some[i].time != answer.time)
        look_exactly(asked[i], some[i]);
    }
    counts_.states += states_.states();
  }

 private:
  void tell(const char* what, double t, const std::string& a, const std::string& b,
            const PathContactResult& answer) const {
    std::fprintf(stderr, "%s: edge %ld at t = %.17g, %s and %s, reported %s at %.17g\n", what, counts_.edges,
                 t, a.c_str(), b.c_str(), std::string(to_string(answer.status)).c_str(), answer.time);
  }

  // Up to the reported time, the last ones close to it.
  void sample(const JointEdge& edge, const PathContactResult& answer, Random& random) {
    const bool hit = answer.status != Status::Separated;
    std::string inner, outer;
    if (!(hit && answer.time == 0.0) && states_.has_one_inside(edge.start, inner, outer)) {
      ++counts_.missed;
      tell("missed (inside)", 0.0, inner, outer, answer);
      return;
    }
    for (int k = 0; k < samples_; ++k) {
      double t = (k + random.unit()) / samples_;
      if (hit && k >= samples_ - 3) t = answer.time * (1.0 - std::pow(10.0, -2.0 - (samples_ - 1 - k)));
      if (hit && t >= answer.time) continue;
      std::string a, b;
      const std::vector<double> values = between(edge, t);
      if (states_.is_free(values, a, b)) continue;
      // FCL says so in doubles: the triangles decide.
      if (!are_within(states_.triangles_of(a, values), states_.triangles_of(b, values), 0.0)) {
        ++counts_.doubtful;
        continue;
      }
      ++counts_.missed;
      tell("missed", t, a, b, answer);
      return;
    }
  }

  void look_exactly(const JointEdge& edge, const PathContactResult& answer) {
    if (answer.inside != Inside::None) return;
    ++counts_.judged;
    const std::vector<double> values = between(edge, answer.time);
    const Triangles a = states_.triangles_of(answer.link_a, values),
                    b = states_.triangles_of(answer.link_b, values);
    // What is no mesh is full inside.
    if (are_within(a, b, tolerance_) || is_inside(a, b) || is_inside(b, a)) return;
    ++counts_.refused;
    tell("refused", answer.time, answer.link_a, answer.link_b, answer);
  }

  RobotInScene robot_;
  FclStates states_;
  int samples_;
  bool exact_;
  double tolerance_;
  Counts& counts_;
};

}  // namespace

int judge_edges(int argc, char** argv) {
  const int count = std::atoi(argv[2]), samples = std::atoi(argv[5]);
  const double length = std::atof(argv[3]);
  Random random(static_cast<std::uint64_t>(std::atoll(argv[4])));
  const bool exact = argc > 7 && std::strcmp(argv[7], "exact") == 0;
  const bool rods = std::strcmp(argv[6], "rods") == 0;
  Setting setting = load_setting(argv[0], argv[1], rods ? "-" : argv[6]);
  if (exact) make_flat(setting);
  const Kinematics kinematics = RobotInScene::build(setting.body).value().kinematics();
  Counts counts;
  std::puts(
      "edges,free,contacts,in_contact_at_start,states,missed,refused,exactly_judged,fcl_doubtful,any_"
      "differs");
  const int of_a_scene = exact ? exact_edges_of_a_scene : edges_of_a_scene;
  for (int done = 0; done < count; done += of_a_scene) {
    if (rods) setting.scene = random_rods(setting, kinematics, random);
    if (exact) make_flat(setting);
    Judge(setting, samples, exact, counts).judge(std::min(count - done, of_a_scene), length, random);
    std::printf("%ld,%ld,%ld,%ld,%lld,%ld,%ld,%ld,%ld,%ld\n", counts.edges, counts.free, counts.contacts,
                counts.starts, counts.states, counts.missed, counts.refused, counts.judged, counts.doubtful,
                counts.differ);
    std::fflush(stdout);
  }
  return counts.missed + counts.refused + counts.differ == 0 ? 0 : 1;
}

}  // namespace toccata::bench
