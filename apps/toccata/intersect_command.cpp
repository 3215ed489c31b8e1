// toccata intersect A B: do two meshes touch, which triangles, and is one inside the other?
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "ending.hpp"
#include "load_mesh.hpp"
#include "pose_argument.hpp"
#include "report_options.hpp"
#include "rest_report.hpp"
#include "terminal.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/intersects.hpp"

namespace toccata::app {
namespace {

struct IntersectArguments {
  std::string path_a, path_b, pose_a, pose_b;
  bool all = false;
  bool json = false;
  bool check = false;
  ReportOptions output;
};

struct Answer {
  IntersectsResult result;
  Containment a_in_b = Containment::Crossing;
  Containment b_in_a = Containment::Crossing;
};

bool is_inside(Containment containment) {
  return containment == Containment::Inside || containment == Containment::Mixed;
}

std::string sentence(const Answer& answer, bool all) {
  const IntersectsResult& result = answer.result;
  const auto inside = [](Containment containment, char inner, char outer) {
    return fmt::format("The surfaces do not meet, but {} is {}inside {}.", inner,
                       containment == Containment::Mixed ? "partly " : "", outer);
  };
  if (result.intersects && all)
    return fmt::format("The surfaces meet in {} of triangles.", plural(result.pairs.size(), "pair"));
  if (result.intersects) {
    return fmt::format("The surfaces meet: triangle {} of A and triangle {} of B.", result.pairs[0].a,
                       result.pairs[0].b);
  }
  if (is_inside(answer.a_in_b)) return inside(answer.a_in_b, 'A', 'B');
  if (is_inside(answer.b_in_a)) return inside(answer.b_in_a, 'B', 'A');
  return "The surfaces do not meet.";
}

void print_text(const Answer& answer, bool all) {
  fmt::print("{}\n", sentence(answer, all));
  if (!all) return;
  for (const TrianglePair& pair : answer.result.pairs) fmt::print("{} {}\n", pair.a, pair.b);
}

nlohmann::json to_json(const Answer& answer) {
  const IntersectsResult& result = answer.result;
  nlohmann::json pairs = nlohmann::json::array();
  for (const TrianglePair& pair : result.pairs) pairs.push_back({pair.a, pair.b});
  return {{"intersects", result.intersects},
          {"pairs", pairs},
          {"a_in_b", to_string(answer.a_in_b)},
          {"b_in_a", to_string(answer.b_in_a)},
          {"stats", {{"node_pairs", result.stats.node_pairs}, {"piece_pairs", result.stats.piece_pairs}}}};
}

Triangle world_triangle(const PlacedShape& placed, std::int32_t index) {
  return transformed(placed.pose, triangle_of(placed.shape.mesh(), static_cast<std::size_t>(index)));
}

// One point of each pair that meets. A picture of more pairs than this does not help the eye.
constexpr std::size_t shown_pairs = 20'000;

Report report_of(const IntersectArguments& arguments, const PlacedShape& a, const PlacedShape& b,
                 const Answer& answer) {
  Report report = rest_report("intersect", {arguments.path_a, a}, {arguments.path_b, b});
  // The picture shows the whole curve along which the surfaces meet, also where one pair was asked for.
  Answer all = answer;
  if (answer.result.intersects && !arguments.all) all.result = intersects(a, b, {.all_pairs = true});
  const std::vector<TrianglePair>& pairs = all.result.pairs;
  report.answer = sentence(all, true);
  ResultRecord result;
  result.status = answer.result.intersects ? Status::OverlapAtStart : Status::Separated;
  result.time = result.lower = result.upper = 0.0;
  if (answer.result.intersects) result.distance = 0.0;
  for (std::size_t i = 0; i < std::min(pairs.size(), shown_pairs); ++i) {
    const TriangleTriangleDistance place =
        triangle_triangle_distance(world_triangle(a, pairs[i].a), world_triangle(b, pairs[i].b));
    Contact& contact = result.contacts.emplace_back();
    contact.point_a = place.point_a;
    contact.point_b = place.point_b;
    contact.feature_a = {place.feature_a.kind, place.feature_a.index, pairs[i].a};
    contact.feature_b = {place.feature_b.kind, place.feature_b.index, pairs[i].b};
  }
  report.results.push_back(std::move(result));
  report.counts = {{"pairs of triangles that meet", pairs.size()},
                   {"pairs of boxes tested", static_cast<std::uint64_t>(all.result.stats.node_pairs)},
                   {"pairs of triangles tested", static_cast<std::uint64_t>(all.result.stats.piece_pairs)}};
  report.options = {{"A in B", std::string(to_string(answer.a_in_b))},
                    {"B in A", std::string(to_string(answer.b_in_a))}};
  return report;
}

int run_intersect(const IntersectArguments& arguments) {
  const Shape a(load_mesh_argument(arguments.path_a));
  const Shape b = arguments.path_b == arguments.path_a ? a : Shape(load_mesh_argument(arguments.path_b));
  const PlacedShape placed_a = {a, parse_place(arguments.pose_a, "--pose-a")};
  const PlacedShape placed_b = {b, parse_place(arguments.pose_b, "--pose-b")};
  Answer answer{.result = intersects(placed_a, placed_b, {arguments.all})};
  if (!answer.result.intersects) {
    answer.a_in_b = containment(placed_a, placed_b);
    answer.b_in_a = containment(placed_b, placed_a);
  }
  if (arguments.json) {
    print_json(to_json(answer));
  } else {
    print_text(answer, arguments.all);
  }
  if (arguments.output.wanted()) {
    write_outputs(arguments.output, report_of(arguments, placed_a, placed_b, answer),
                  arguments.json ? stderr : stdout);
  }
  const bool touches = answer.result.intersects || is_inside(answer.a_in_b) || is_inside(answer.b_in_a);
  return exit_code({.touches = touches}, arguments.check);
}

}  // namespace

void add_intersect_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("intersect", "Do two meshes touch, and is one inside the other");
  auto arguments = std::make_shared<IntersectArguments>();
  arguments->pose_a = arguments->pose_b = "0 0 0";
  command->add_option("A", arguments->path_a, "Mesh file")->required();
  command->add_option("B", arguments->path_b, "Mesh file")->required();
  command
      ->add_option("--pose-a", arguments->pose_a,
                   "Where A stands: 'x y z', 'x y z rx ry rz' (rotation vector in degrees), 'x y z qw qx qy "
                   "qz', 'r00 .. r22 x y z', or a 4x4 matrix")
      ->type_name("POSE");
  command->add_option("--pose-b", arguments->pose_b, "Where B stands")->type_name("POSE");
  command->add_flag("--all", arguments->all, "List every pair of triangles that meets");
  command->add_flag("--json", arguments->json, "Print JSON");
  add_check_option(*command, arguments->check);
  add_report_options(*command, arguments->output);
  command->footer(
      "Examples:\n"
      "  toccata intersect a.obj b.obj\n"
      "  toccata intersect a.obj b.obj --pose-a '2 0 0' --json\n"
      "  toccata intersect a.obj b.obj --view\n"
      "  toccata intersect a.obj b.obj --check || echo 'they overlap'\n");
  command->callback([&run, arguments] { run = [arguments] { return run_intersect(*arguments); }; });
}

}  // namespace toccata::app
