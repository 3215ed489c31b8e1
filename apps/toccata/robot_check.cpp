// toccata robot check: is a path, or each of many edges, free?
#ifdef TOCCATA_WITH_URDF
#include <fmt/core.h>

#include <algorithm>

#include "ending.hpp"
#include "interrupt.hpp"
#include "rigid_answer.hpp"
#include "robot_arguments.hpp"
#include "terminal.hpp"
#include "toccata/ccd/articulated/certify_path.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"
#include "toccata/ccd/articulated/robot_pairs.hpp"
#include "toccata/io/certificate_json.hpp"
#include "toccata/io/robot_report.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::app {
namespace {

std::vector<JointEdge> edges_of(const RobotArguments& arguments, const Kinematics& robot) {
  const auto width = static_cast<std::ptrdiff_t>(robot.variables().size());
  std::vector<JointEdge> edges;
  for (const std::vector<double>& row : edge_rows(arguments.edges, robot)) {
    std::vector<std::vector<double>> ends = {{row.begin(), row.begin() + width},
                                             {row.begin() + width, row.end()}};
    if (!arguments.as_given) robot.take_shorter_way(ends);
    edges.push_back({std::move(ends[0]), std::move(ends[1])});
  }
  return edges;
}

PathContactOptions contact_options(const RobotArguments& arguments) {
  PathContactOptions options;
  options.any_contact = arguments.any;
  if (arguments.method == "interval") options.method = PathMethod::Interval;
  options.minimum_distance = arguments.minimum_distance;
  options.tolerance = arguments.tolerance;
  options.threads = arguments.threads;
  options.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  return options;
}

JsonObject contact_json(const PathContactResult& found) {
  JsonObject json;
  json.add("status", to_string(found.status)).add("time", found.time).add("lower", found.lower);
  const bool contact = found.status == Status::Contact || found.status == Status::OverlapAtStart;
  if (contact) {
    json.add("link_a", found.link_a).add("link_b", found.link_b).add("with_scene", found.with_scene);
    if (found.inside != Inside::None) json.add("inside", to_string(found.inside));
    json.add("distance", found.distance);
    json.add("point_a", found.contact.point_a)
        .add("point_b", found.contact.point_b)
        .add("normal", found.contact.normal);
  }
  return json.add("microseconds", found.microseconds);
}

// The evidence beside the answer.
PathContactResult certified(const RobotArguments& arguments, const RobotInScene& robot,
                            const JointPath& path) {
  CertifyPathOptions options;
  options.minimum_distance = arguments.minimum_distance;
  options.threads = arguments.threads;
  options.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  const CertifiedPath found = certify_path(robot, path, options);
  if (found.contact.status == Status::Separated) {
    write_new_file(arguments.certificate, to_json(found.certificate), arguments.output.force);
    fmt::print(arguments.json ? stderr : stdout, "certificate: {} ({}, clearance {:.6g})\n",
               arguments.certificate, plural(found.certificate.pairs.size(), "pair"),
               found.certificate.clearance);
  }
  return found.contact;
}

}  // namespace

int check_path(const RobotArguments& arguments, const LoadedRobot& loaded) {
  const PathQuestion asked(arguments, loaded);
  const PathContactResult found = arguments.certificate.empty()
                                      ? path_contact(asked.robot(), asked.path(), contact_options(arguments))
                                      : certified(arguments, asked.robot(), asked.path());
  if (found.status == Status::Failed) throw UsageError(found.failure);
  if (arguments.json) {
    print_json(
        contact_json(found).add("remarks", json_list(asked.remarks())).add("stats", stats_json(found.stats)));
  } else {
    fmt::print("{}\n", sentence(found));
    asked.print_remarks();
  }
  return asked.ended(found.status, [&](const std::vector<double>& distances) {
    return path_contact_report(asked.robot().robot(), asked.robot().scene(), asked.path(), found, distances);
  });
}

int check_edges(const RobotArguments& arguments, const LoadedRobot& loaded) {
  const InterruptScope interrupts;
  RobotInScene robot = robot_of(arguments, loaded);
  const std::vector<JointEdge> edges = edges_of(arguments, robot.kinematics());
  if (arguments.tables) robot = with_pair_tables(robot, {.threads = arguments.threads});
  const std::vector<PathContactResult> found = edge_contacts(robot, edges, contact_options(arguments));
  std::size_t contacts = 0, unproven = 0;
  double total = 0.0, slowest = 0.0;
  for (const PathContactResult& edge : found) {
    if (edge.status == Status::Failed) throw UsageError(edge.failure);
    contacts += edge.status == Status::Contact || edge.status == Status::OverlapAtStart ? 1 : 0;
    unproven += edge.status == Status::OutOfBudget ? 1 : 0;
    total += edge.microseconds;
    slowest = std::max(slowest, edge.microseconds);
  }
  const double mean = total / static_cast<double>(found.size());
  if (arguments.json) {
    JsonList list;
    for (const PathContactResult& edge : found) {
      JsonObject json;
      json.add("status", to_string(edge.status)).add("time", edge.time);
      json.add("link_a", edge.link_a).add("link_b", edge.link_b).add("microseconds", edge.microseconds);
      list.add(json);
    }
    JsonObject summary;
    summary.add("edges", found.size()).add("contacts", contacts).add("unproven", unproven);
    summary.add("mean_microseconds", mean).add("slowest_microseconds", slowest);
    print_json(JsonObject().add("edges", list).add("summary", summary));
  } else {
    for (std::size_t i = 0; i < found.size(); ++i) fmt::print("edge {}: {}\n", i, sentence(found[i]));
    fmt::print("{}: {} free, {} with a contact, {} not proven; {} per edge, the slowest {}.\n",
               plural(found.size(), "edge"), found.size() - contacts - unproven, contacts, unproven,
               duration_text(1e-6 * mean), duration_text(1e-6 * slowest));
  }
  return exit_code({.touches = contacts + unproven > 0, .interrupted = interrupted()}, arguments.check);
}

}  // namespace toccata::app
#endif
