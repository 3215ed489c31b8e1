// toccata intersect A B: do two shapes touch, which triangles, and is one inside the other?
#include <fmt/core.h>

#include <memory>

#include "body_argument.hpp"
#include "command.hpp"
#include "ending.hpp"
#include "json_text.hpp"
#include "report_options.hpp"
#include "rigid_answer.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"

namespace toccata::app {
namespace {

struct IntersectArguments : RestingArguments {
  bool all = false;
  bool json = false;
  bool check = false;
  ReportOptions output;
};

struct IntersectAnswer {
  IntersectsResult result;
  Containment a_in_b = Containment::Crossing;
  Containment b_in_a = Containment::Crossing;

  bool touches() const {
    const auto is_inside = [](Containment c) { return c == Containment::Inside || c == Containment::Mixed; };
    return result.intersects || is_inside(a_in_b) || is_inside(b_in_a);
  }
};

bool are_meshes(const ReportBody& a, const ReportBody& b) {
  return a.shape.is_mesh() && b.shape.is_mesh();
}

// Of shapes that meet, where not both are meshes.
ContactRecord common_point(const ReportBody& a, const ReportBody& b) {
  const DistanceResult found = distance({a.shape, a.motion->pose(0.0)}, {b.shape, b.motion->pose(0.0)});
  return record_of(found.contact, meshes_of(a, b));
}

void demand_triangles(const ReportBody& a, const ReportBody& b) {
  for (const ReportBody* body : {&a, &b}) {
    if (body->shape.is_mesh()) continue;
    throw UsageError(fmt::format("--all lists pairs of triangles: both bodies must be meshes, and {} is a {}",
                                 body->source, toccata::kind_of(body->shape.geometry())));
  }
}

JsonObject intersect_json(const IntersectAnswer& answer, const ReportBody& a, const ReportBody& b) {
  JsonList pairs, contacts;
  for (const TrianglePair& pair : answer.result.pairs) {
    pairs.add(JsonList().add(pair.a).add(pair.b));
    JsonObject contact;
    add_contact(are_meshes(a, b) ? meeting_point(a, b, pair) : common_point(a, b), contact);
    contacts.add(contact.add("distance", 0.0));
  }
  JsonObject json;
  json.add("intersects", answer.result.intersects).add("pairs", pairs).add("contacts", contacts);
  add_poses(a.motion->pose(0.0), b.motion->pose(0.0), json);
  json.add("a_in_b", to_string(answer.a_in_b)).add("b_in_a", to_string(answer.b_in_a));
  return json.add("stats", stats_json(answer.result.stats));
}

int run_intersect(const IntersectArguments& arguments) {
  const auto [a, b] = resting_bodies(arguments);
  if (arguments.all) demand_triangles(a, b);
  const PlacedShape placed_a(a.shape, a.motion->pose(0.0)), placed_b(b.shape, b.motion->pose(0.0));
  IntersectAnswer answer{.result = intersects(placed_a, placed_b, {arguments.all})};
  if (!answer.result.intersects) {
    answer.a_in_b = containment(placed_a, placed_b);
    answer.b_in_a = containment(placed_b, placed_a);
  }
  if (arguments.json) {
    print_json(intersect_json(answer, a, b));
  } else {
    const BodyNames names = {a.name, b.name};
    fmt::print("{}\n", are_meshes(a, b) ? sentence(answer.result, answer.a_in_b, answer.b_in_a, names)
                                        : solid_sentence(answer.result, answer.a_in_b, answer.b_in_a, names));
    if (arguments.all) {
      for (const TrianglePair& pair : answer.result.pairs) fmt::print("{} {}\n", pair.a, pair.b);
    }
  }
  if (arguments.output.wanted()) {
    // The picture shows the whole curve along which the surfaces meet, also where one pair was asked for.
    if (answer.result.intersects && !arguments.all && are_meshes(a, b))
      answer.result = intersects(placed_a, placed_b, {.all_pairs = true});
    write_outputs(arguments.output, intersects_report(a, b, answer.result, answer.a_in_b, answer.b_in_a),
                  arguments.json ? stderr : stdout);
  }
  return exit_code({.touches = answer.touches()}, arguments.check);
}

}  // namespace

Command intersect_command() {
  const auto arguments = std::make_shared<IntersectArguments>();
  Command command{.name = "intersect", .description = "Do two shapes touch, and is one inside the other"};
  command.options = resting_options(*arguments);
  const std::vector<Option> others = {{.names = "--all",
                                       .target = &arguments->all,
                                       .help = "List every pair of triangles that meets (meshes only)"},
                                      {.names = "--json", .target = &arguments->json, .help = "Print JSON"},
                                      check_option(arguments->check)};
  command.options.insert(command.options.end(), others.begin(), others.end());
  add_report_options(arguments->output, command, [arguments] {
    return std::vector<std::string>{file_of(arguments->path_a), file_of(arguments->path_b)};
  });
  command.footer =
      "Examples:\n"
      "  toccata intersect a.obj b.obj\n"
      "  toccata intersect a.obj b.obj --pose-a '2 0 0' --json\n"
      "  toccata intersect a.obj b.obj --view\n"
      "  toccata intersect a.obj b.obj --check || echo 'they overlap'\n"
      "  toccata intersect part.obj halfspace:0,0,1,0\n" +
      shapes_help();
  command.run = [arguments] { return run_intersect(*arguments); };
  return command;
}

}  // namespace toccata::app
