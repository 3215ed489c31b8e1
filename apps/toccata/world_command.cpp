// toccata world SCENE.json: every first contact of many moving bodies, in order, or who is near whom.
#include <fmt/core.h>

#include <memory>

#include "command.hpp"
#include "ending.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "report_options.hpp"
#include "rigid_answer.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/world/world.hpp"
#include "world_scene.hpp"

namespace toccata::app {
namespace {

struct WorldArguments {
  std::string scene;
  bool events = false;
  std::optional<double> within;
  double at = 0.0;
  double until = 1.0;
  std::optional<double> tolerance;
  double minimum_distance = 0.0;
  std::int64_t budget = 0;
  double seconds = 0.0;
  int threads = 0;
  bool json = false;
  bool check = false;
  ReportOptions output;
};

World world_of(const WorldScene& scene) {
  World world;
  for (const WorldScene::Member& member : scene.bodies) {
    try {
      if (member.body.positions_t1.empty()) {
        world.insert({member.body.shape, member.body.motion, member.body.solid}, member.filter);
      } else {
        world.insert_deforming({member.body.shape.mesh(), member.body.positions_t1}, member.filter);
      }
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("body '{}': {}", member.body.name, error.what()));
    }
  }
  for (const auto& [a, b] : scene.off) world.switch_off(a, b);
  return world;
}

const ReportBody& body_of(const WorldScene& scene, std::int32_t id) {
  return scene.bodies[static_cast<std::size_t>(id)].body;
}

JsonObject pair_json(const WorldScene& scene, std::int32_t a, std::int32_t b) {
  JsonObject json;
  return json.add("body_a", body_of(scene, a).name).add("body_b", body_of(scene, b).name);
}

void add_pair_contact(const WorldScene& scene, std::int32_t a, std::int32_t b, const Contact& contact,
                      JsonObject& json) {
  add_contact(record_of(contact, meshes_of(body_of(scene, a), body_of(scene, b))), json);
}

JsonObject events_json(const WorldScene& scene, const WorldEventsResult& found) {
  JsonList events;
  for (const WorldEvent& e : found.events) {
    JsonObject event = pair_json(scene, e.body_a, e.body_b);
    event.add("status", to_string(e.status)).add("inside", to_string(e.inside));
    event.add("time", e.time).add("lower", e.lower).add("upper", e.upper).add("group", e.group);
    add_pair_contact(scene, e.body_a, e.body_b, e.contact, event);
    events.add(event);
  }
  JsonObject json;
  json.add("status", to_string(found.status)).add("complete_until", found.complete_until);
  json.add("bodies", scene.bodies.size()).add("near_pairs", found.near_pairs);
  return json.add("solved_pairs", found.solved_pairs)
      .add("events", events)
      .add("stats", stats_json(found.stats));
}

JsonObject near_json(const WorldScene& scene, const std::vector<NearBodies>& near, double within, double at) {
  JsonList pairs;
  for (const NearBodies& n : near) {
    JsonObject pair = pair_json(scene, n.body_a, n.body_b);
    pair.add("distance", n.distance).add("inside", to_string(n.inside));
    add_pair_contact(scene, n.body_a, n.body_b, n.contact, pair);
    pairs.add(pair);
  }
  JsonObject json;
  json.add("within", within).add("time", at).add("bodies", scene.bodies.size());
  return json.add("pairs", pairs);
}

void print_near(const WorldArguments& arguments, const WorldScene& scene,
                const std::vector<NearBodies>& near) {
  fmt::print("{} of bodies at most {} apart at t = {}.\n", plural(near.size(), "pair"), *arguments.within,
             arguments.at);
  for (const NearBodies& n : near) {
    const std::string names = body_of(scene, n.body_a).name + " and " + body_of(scene, n.body_b).name;
    if (n.inside != Inside::None) {
      fmt::print("  {}: one is inside the other\n", names);
    } else if (n.distance == 0.0) {
      fmt::print("  {} touch\n", names);
    } else {
      fmt::print("  {} are {:.6g} apart\n", names, n.distance);
    }
  }
}

void print_events(const WorldScene& scene, const WorldEventsResult& found) {
  fmt::print("{}\n", sentence(found));
  for (const WorldEvent& e : found.events)
    fmt::print("  {}\n", sentence(e, {body_of(scene, e.body_a).name, body_of(scene, e.body_b).name}));
}

WorldEventsResult asked(const WorldArguments& arguments, const World& world) {
  const InterruptScope interrupt;
  WorldEventsOptions options;
  options.pair.tolerance = arguments.tolerance;
  options.pair.minimum_distance = arguments.minimum_distance;
  options.pair.threads = arguments.threads;
  options.pair.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  options.until = arguments.until;
  options.budget = arguments.budget;
  WorldEventsResult found = arguments.events ? world.events(options) : world.first_contact(options);
  if (found.status == Status::Failed) throw UsageError(found.failure);
  return found;
}

// What happens in time, who is near whom at a moment, or both.
int run_world(const WorldArguments& arguments) {
  const WorldScene scene = load_world_scene(arguments.scene);
  refuse_outputs({arguments.output.report, arguments.output.page}, arguments.output.force,
                 [&scene] { return scene.files; });
  const World world = world_of(scene);
  std::optional<WorldEventsResult> found;
  std::vector<NearBodies> near;
  if (arguments.events || !arguments.within) found = asked(arguments, world);
  if (arguments.within) near = world.at(arguments.at).within(*arguments.within, arguments.threads);
  if (arguments.json) {
    JsonObject json;
    if (found) json = events_json(scene, *found);
    if (arguments.within) {
      const JsonObject moment = near_json(scene, near, *arguments.within, arguments.at);
      if (found) {
        json.add("near", moment);
      } else {
        json = moment;
      }
    }
    print_json(json);
  } else {
    if (found) print_events(scene, *found);
    if (arguments.within) print_near(arguments, scene, near);
  }
  if (arguments.output.wanted()) {
    std::vector<ReportBody> bodies;
    for (const WorldScene::Member& member : scene.bodies) bodies.push_back(member.body);
    write_outputs(arguments.output, world_report(bodies, *found), arguments.json ? stderr : stdout);
  }
  const bool touches = found ? found->status != Status::Separated : !near.empty();
  return exit_code({.touches = touches, .interrupted = interrupted()}, arguments.check);
}

}  // namespace

Command world_command() {
  const auto arguments = std::make_shared<WorldArguments>();
  Command command{.name = "world",
                  .description = "First contacts of many moving bodies, in order, or who is near whom"};
  command.options = {
      {.names = "SCENE",
       .target = &arguments->scene,
       .help = "Bodies, their shapes and motions: a JSON file (see below)",
       .value = "FILE",
       .required = true},
      {.names = "--events",
       .target = &arguments->events,
       .help = "Every first contact of every pair, not only the first of all"},
      {.names = "--within",
       .target = &arguments->within,
       .help = "The pairs at most this far apart at one moment; with --events both",
       .value = "DISTANCE",
       .least = 0.0},
      {.names = "--at",
       .target = &arguments->at,
       .help = "The moment of --within",
       .value = "TIME",
       .shows_default = true,
       .least = 0.0,
       .most = 1.0},
      {.names = "--until",
       .target = &arguments->until,
       .help = "Later contacts do not matter",
       .value = "TIME",
       .shows_default = true,
       .least = 0.0,
       .most = 1.0},
      {.names = "--tolerance",
       .target = &arguments->tolerance,
       .help = "How close counts as touching; a millionth of the smaller body's size if not given",
       .value = "LENGTH",
       .least = 0.0},
      {.names = "--minimum-distance",
       .target = &arguments->minimum_distance,
       .help = "When bodies first come this close",
       .value = "LENGTH",
       .least = 0.0},
      {.names = "--budget",
       .target = &arguments->budget,
       .help = "Most pairs to solve; 0 = no limit",
       .value = "PAIRS",
       .least = 0.0},
      {.names = "--seconds",
       .target = &arguments->seconds,
       .help = "Stop after this time; 0 = no limit",
       .value = "SECONDS",
       .least = 0.0},
      {.names = "--threads",
       .target = &arguments->threads,
       .help = "0 = all cores",
       .value = "NUMBER",
       .shows_default = true,
       .least = 0.0},
      {.names = "--json", .target = &arguments->json, .help = "Print JSON"},
      check_option(arguments->check)};
  add_report_options(arguments->output, command, [arguments] { return std::vector{arguments->scene}; });
  command.check = [arguments, refused = command.check] {
    if (refused) refused();
    if (arguments->within && !arguments->events && arguments->output.wanted())
      throw UsageError("--within has no report: reports are of first contacts (--events)");
  };
  command.footer =
      "A scene has bodies, in the words of the other commands, and names for shapes that several share:\n"
      "  {\"shapes\": {\"crate\": \"box:0.1,0.1,0.1\"},\n"
      "   \"bodies\": [{\"name\": \"rod\", \"shape\": \"box:2,0.02,0.02\", \"turn\": \"0 0 1 40\"},\n"
      "              {\"name\": \"left\", \"shape\": \"crate\", \"from\": [3, 0, 0], \"velocity\": [3, 0, "
      "0]},\n"
      "              {\"name\": \"part\", \"shape\": \"part.obj\", \"solid\": true, \"static\": true}]}\n"
      "Files are looked for beside the scene. Fields of a body: name, shape, from, to, turn, velocity, "
      "path,\n"
      "screw, deforms_to, solid, static, groups, wants; of the scene: shapes, bodies, off. deforms_to is the "
      "mesh of\n"
      "shape at the end of the step: its corners go there one by one.\n"
      "Examples:\n"
      "  toccata world scene.json --events\n"
      "  toccata world scene.json --within 0.1 --at 0.5\n"
      "  toccata world scene.json --events --within 0.1\n"
      "  toccata world scene.json --events --page world.html\n";
  command.run = [arguments] { return run_world(*arguments); };
  return command;
}

}  // namespace toccata::app
