#include "toccata/io/robot_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "toccata/hierarchy/shape.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/io/sentence.hpp"
#include "toccata/motion/kinematics.hpp"

namespace toccata {
namespace {

// Joints turn by no more than this between two poses that are shown: a point a metre away is then off by less
// than a tenth of a millimetre.
constexpr double largest_turn = 0.02;
constexpr int most_samples = 2000;

// For the eye, in the frame of what holds the parts.
TriangleMesh mesh_of(std::span<const CompoundPart> parts) {
  TriangleMesh mesh;
  for (const CompoundPart& part : parts) {
    const Shape shape(part.geometry);
    const TriangleMesh& own = shape.display_mesh();
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (const Vector3& vertex : own.vertices) mesh.vertices.push_back(part.pose.apply(vertex));
    for (const Face& face : own.faces)
      mesh.faces.push_back({face[0] + first, face[1] + first, face[2] + first});
  }
  return mesh;
}

std::vector<double> shown_times(const JointPath& path) {
  std::vector<double> times;
  for (int piece = 0; piece < path.piece_count(); ++piece) {
    double turn = 0.0;
    for (int variable = 0; variable < path.variable_count(); ++variable) {
      for (std::size_t k = 1; k < path.coefficients(piece, variable).size(); ++k)
        turn += std::abs(path.coefficients(piece, variable)[k]);
    }
    const double begin = path.times()[static_cast<std::size_t>(piece)];
    const double end = path.times()[static_cast<std::size_t>(piece) + 1];
    const int most = std::max(1, most_samples / path.piece_count());
    const int count = std::clamp(static_cast<int>(std::ceil(turn / largest_turn)), 1, most);
    for (int i = 0; i < count; ++i) times.push_back(begin + (end - begin) * i / count);
  }
  times.push_back(1.0);
  return times;
}

void add_body(Report& report, const std::string& name, TriangleMesh mesh, MotionRecord motion) {
  report.shapes.push_back(record_of(mesh, name));
  BodyRecord body;
  body.name = name;
  body.shape = static_cast<int>(report.shapes.size()) - 1;
  body.motion = std::move(motion);
  report.bodies.push_back(std::move(body));
}

Report robot_report(const ArticulatedBody& robot, const ObstacleScene& scene, const JointPath& path) {
  Report report;
  report.title = robot.name.empty() ? "A robot on its path" : robot.name + " on its path";
  report.method = "advancement";
  report.up = 'z';
  const Expected<Kinematics> kinematics = Kinematics::build(robot);
  if (!kinematics) return report;
  const std::vector<double> times = shown_times(path);
  const Expected<RobotMotion> motion = RobotMotion::build(*kinematics, path);
  if (!motion) return report;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    std::vector<CompoundPart> parts = robot.links[i].shapes;
    for (const AttachedObject& held : scene.attached) {
      if (held.link == robot.links[i].name) parts.insert(parts.end(), held.shapes.begin(), held.shapes.end());
    }
    if (parts.empty()) continue;
    const LinkMotion link(*motion, static_cast<std::int32_t>(i));
    if (link.is_fixed()) {
      add_body(report, robot.links[i].name, mesh_of(parts), FixedMotionRecord{link.pose(0.0)});
      continue;
    }
    SampledMotionRecord sampled;
    sampled.times = times;
    for (const double t : times) sampled.poses.push_back(link.pose(t));
    add_body(report, robot.links[i].name, mesh_of(parts), std::move(sampled));
  }
  for (const Obstacle& obstacle : scene.obstacles) {
    const CompoundPart part{obstacle.geometry, {}};
    add_body(report, obstacle.name, mesh_of({&part, 1}), FixedMotionRecord{obstacle.pose});
  }
  for (const JointVariable& variable : kinematics->variables()) {
    const auto i = static_cast<std::size_t>(&variable - kinematics->variables().data());
    report.options.emplace_back(
        variable.name, std::to_string(path.values(0.0)[i]) + " to " + std::to_string(path.values(1.0)[i]));
  }
  return report;
}

// The body of that name: what a link holds is shown with the link.
int body_named(const Report& report, const ObstacleScene& scene, const std::string& name) {
  std::string wanted = name;
  for (const AttachedObject& held : scene.attached) {
    if (held.name == name) wanted = held.link;
  }
  for (std::size_t i = 0; i < report.bodies.size(); ++i) {
    if (report.bodies[i].name == wanted) return static_cast<int>(i);
  }
  return 0;
}

void add_clearance(const JointPath& path, std::span<const double> distances, ResultRecord& result) {
  result.clearance.times = report_times(path);
  result.clearance.distances.assign(distances.begin(), distances.end());
  if (result.clearance.distances.size() != result.clearance.times.size()) result.clearance = {};
}

// A result whose curve is what is proven in each part of the path, as steps. What is never near has none:
// JSON knows no infinity.
ResultRecord& add_bands(const std::vector<ClearanceBand>& bands, const std::string& label, Report& report) {
  ResultRecord result = report.results.front();  // its bodies
  result.closest_approach.reset();
  result.contacts.clear();
  result.distance.reset();
  result.status = Status::Separated;
  result.time = result.lower = result.upper = 1.0;
  result.clearance = {};
  result.label = label;
  double least = std::numeric_limits<double>::infinity(), reached = least;
  for (const ClearanceBand& band : bands) {
    least = std::min(least, band.lower);
    reached = std::min(reached, band.upper);
    if (!std::isfinite(band.lower)) continue;
    for (const double t : {band.begin, band.end}) {
      result.clearance.times.push_back(t);
      result.clearance.distances.push_back(band.lower);
    }
  }
  result.sentence = label + ": proven distance in each of " + plural(bands.size(), "part") +
                    " of the path, the least " + std::to_string(least) + "; " + std::to_string(reached) +
                    " is reached.";
  report.results.push_back(std::move(result));
  return report.results.back();
}

void add_pair(const PairClearance& pair, const ObstacleScene& scene, Report& report) {
  if (!std::isfinite(pair.distance)) return;
  ResultRecord& result = add_bands(pair.bands, pair.link_a + " and " + pair.link_b, report);
  result.body_a = body_named(report, scene, pair.link_a);
  result.body_b = body_named(report, scene, pair.link_b);
  if (pair.distance > 0.0) return;
  result.status = pair.time == 0.0 ? Status::OverlapAtStart : Status::Contact;
  result.time = result.lower = pair.time;
}

}  // namespace

std::vector<double> report_times(const JointPath& path) {
  std::vector<double> times;
  const int each = std::max(2, 96 / path.piece_count());
  for (int piece = 0; piece < path.piece_count(); ++piece) {
    const double begin = path.times()[static_cast<std::size_t>(piece)];
    const double end = path.times()[static_cast<std::size_t>(piece) + 1];
    for (int i = 0; i < each; ++i) times.push_back(begin + (end - begin) * i / each);
  }
  times.push_back(1.0);
  return times;
}

Report path_contact_report(const ArticulatedBody& robot, const ObstacleScene& scene, const JointPath& path,
                           const PathContactResult& answer, std::span<const double> distances) {
  Report report = robot_report(robot, scene, path);
  report.query = "path_contact";
  report.answer = sentence(answer);
  ResultRecord result;
  result.sentence = report.answer;
  result.status = answer.status;
  result.inside = answer.inside;
  result.failure = answer.failure;
  result.time = answer.time;
  result.lower = answer.lower;
  result.upper = answer.upper;
  result.microseconds = answer.microseconds;
  if (answer.status == Status::Contact || answer.status == Status::OverlapAtStart) {
    result.body_a = body_named(report, scene, answer.link_a);
    result.body_b = body_named(report, scene, answer.link_b);
    result.distance = answer.distance;
    result.contacts = {record_of(answer.contact)};
  }
  add_clearance(path, distances, result);
  report.counts = {{"pairs of boxes", static_cast<std::uint64_t>(answer.stats.node_pairs)},
                   {"pairs of pieces", static_cast<std::uint64_t>(answer.stats.piece_pairs)}};
  report.timings = {{"query", 1e-3 * answer.microseconds}};
  report.results.push_back(std::move(result));
  return report;
}

Report path_clearance_report(const ArticulatedBody& robot, const ObstacleScene& scene, const JointPath& path,
                             const PathClearanceResult& answer, std::span<const double> distances) {
  Report report = robot_report(robot, scene, path);
  report.query = "path_clearance";
  report.answer = sentence(answer);
  ResultRecord result;
  result.sentence = report.answer;
  result.status = answer.status;
  result.failure = answer.failure;
  result.microseconds = answer.microseconds;
  const bool touches = answer.status == Status::Contact || answer.status == Status::OverlapAtStart;
  if (touches) result.time = result.lower = answer.time;
  if (!answer.link_a.empty()) {
    result.body_a = body_named(report, scene, answer.link_a);
    result.body_b = body_named(report, scene, answer.link_b);
    if (touches) {
      result.distance = 0.0;
      result.contacts = {record_of(answer.contact)};
    } else {
      result.closest_approach = ClosestApproachRecord{answer.time, answer.distance, answer.lower_distance,
                                                      record_of(answer.contact)};
    }
  }
  add_clearance(path, distances, result);
  report.timings = {{"query", 1e-3 * answer.microseconds}};
  report.results.push_back(std::move(result));
  if (!answer.bands.empty()) add_bands(answer.bands, "all pairs", report);
  for (const PairClearance& pair : answer.pairs) add_pair(pair, scene, report);
  return report;
}

Report path_intervals_report(const ArticulatedBody& robot, const ObstacleScene& scene, const JointPath& path,
                             const PathIntervalsResult& answer, std::span<const double> distances) {
  Report report = robot_report(robot, scene, path);
  report.query = "path_intervals";
  report.answer = sentence(answer);
  const auto add = [&](const std::vector<ContactInterval>& intervals, std::string text) {
    ResultRecord result;
    result.sentence = std::move(text);
    result.status = answer.status;
    result.failure = answer.failure;
    result.intervals = intervals;
    if (!intervals.empty()) {
      result.status = intervals.front().begin_lower == 0.0 ? Status::OverlapAtStart : Status::Contact;
      result.time = result.lower = intervals.front().begin_lower;
    }
    result.microseconds = answer.microseconds;
    add_clearance(path, distances, result);
    report.results.push_back(std::move(result));
  };
  if (answer.pairs.empty()) add({}, report.answer);
  for (const PairIntervals& pair : answer.pairs) {
    add(pair.intervals, pair.link_a + " touches " + pair.link_b + " during " +
                            plural(pair.intervals.size(), "interval") + ".");
    report.results.back().label = pair.link_a + " and " + pair.link_b;
    report.results.back().body_a = body_named(report, scene, pair.link_a);
    report.results.back().body_b = body_named(report, scene, pair.link_b);
  }
  report.timings = {{"query", 1e-3 * answer.microseconds}};
  return report;
}

}  // namespace toccata
