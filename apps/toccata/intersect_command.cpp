// toccata intersect A B: do two meshes touch, which triangles, and is one inside the other?
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "toccata/command.hpp"
#include "toccata/placed_file.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/intersects.hpp"

namespace toccata::app {
namespace {

struct IntersectArguments {
  std::string path_a, path_b, pose_a, pose_b;
  bool all = false;
  bool json = false;
};

void print_people(const IntersectsResult& result, Containment a_in_b, Containment b_in_a, bool all) {
  if (result.intersects && all) {
    fmt::print("The surfaces meet in {} pairs of triangles.\n", result.pairs.size());
    for (const TrianglePair& pair : result.pairs) fmt::print("{} {}\n", pair.a, pair.b);
  } else if (result.intersects) {
    fmt::print("The surfaces meet: triangle {} of A and triangle {} of B.\n", result.pairs[0].a,
               result.pairs[0].b);
  } else if (a_in_b == Containment::Inside || a_in_b == Containment::Mixed) {
    fmt::print("The surfaces do not meet, but A is {}inside B.\n",
               a_in_b == Containment::Mixed ? "partly " : "");
  } else if (b_in_a == Containment::Inside || b_in_a == Containment::Mixed) {
    fmt::print("The surfaces do not meet, but B is {}inside A.\n",
               b_in_a == Containment::Mixed ? "partly " : "");
  } else {
    fmt::print("The surfaces do not meet.\n");
  }
}

int run_intersect(const IntersectArguments& arguments) {
  const PreparedMesh a(load_mesh_or_throw(arguments.path_a));
  const PreparedMesh b =
      arguments.path_b == arguments.path_a ? a : PreparedMesh(load_mesh_or_throw(arguments.path_b));
  const PlacedMesh placed_a = {a, parse_pose(arguments.pose_a)}, placed_b = {b, parse_pose(arguments.pose_b)};
  const IntersectsResult result = intersects(placed_a, placed_b, {arguments.all});
  const Containment a_in_b = result.intersects ? Containment::Crossing : containment(placed_a, placed_b);
  const Containment b_in_a = result.intersects ? Containment::Crossing : containment(placed_b, placed_a);
  if (!arguments.json) {
    print_people(result, a_in_b, b_in_a, arguments.all);
    return 0;
  }
  nlohmann::json pairs = nlohmann::json::array();
  for (const TrianglePair& pair : result.pairs) pairs.push_back({pair.a, pair.b});
  const nlohmann::json json = {
      {"intersects", result.intersects},
      {"pairs", pairs},
      {"a_in_b", to_string(a_in_b)},
      {"b_in_a", to_string(b_in_a)},
      {"stats", {{"node_pairs", result.stats.node_pairs}, {"triangle_pairs", result.stats.triangle_pairs}}}};
  fmt::print("{}\n", json.dump());
  return 0;
}

}  // namespace

void add_intersect_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("intersect", "Do two meshes touch, and is one inside the other");
  auto arguments = std::make_shared<IntersectArguments>();
  arguments->pose_a = arguments->pose_b = "0 0 0";
  command->add_option("A", arguments->path_a, "Mesh file")->required();
  command->add_option("B", arguments->path_b, "Mesh file")->required();
  command->add_option("--pose-a", arguments->pose_a,
                      "Where A stands: 'x y z', 'x y z rx ry rz' (rotation vector), 'x y z qw qx qy qz', or "
                      "'r00 .. r22 x y z'");
  command->add_option("--pose-b", arguments->pose_b, "Where B stands");
  command->add_flag("--all", arguments->all, "List every pair of triangles that meets");
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer(
      "Examples:\n"
      "  toccata intersect a.obj b.obj\n"
      "  toccata intersect a.obj b.obj --pose-a '2 0 0' --json\n");
  command->callback([&run, arguments] { run = [arguments] { return run_intersect(*arguments); }; });
}

}  // namespace toccata::app
