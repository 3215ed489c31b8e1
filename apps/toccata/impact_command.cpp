// toccata impact: when do two moving meshes first touch, one question or a batch of trials.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.hpp"
#include "ending.hpp"
#include "interrupt.hpp"
#include "load_mesh.hpp"
#include "pose_argument.hpp"
#include "report_options.hpp"
#include "rigid_report.hpp"
#include "terminal.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::app {
namespace {

struct ImpactArguments {
  std::string mesh_a, mesh_b;
  std::string from, to, from_b, to_b;
  std::string motion = "linear";
  std::optional<double> tolerance;
  double minimum_distance = 0.0;
  bool all = false;
  bool closest = false;
  bool json = false;
  bool check = false;
  std::string method = "advancement";
  std::int64_t budget = 0;
  bool skip_initial = false;
  std::string trials;
  int threads = 0;
  ReportOptions output;
};

struct Answer {
  FirstContactResult first;
  std::optional<ClosestApproachResult> closest;
  double microseconds = 0.0;
};

Shape loaded(const std::string& path) {
  return Shape(load_mesh_argument(path));
}

OwnedMotion motion_of(const ImpactArguments& arguments, const Pose& from, const Pose& to) {
  if (arguments.motion == "screw") return ScrewMotion(from, to);
  return RigidMotion(from, to);
}

FirstContactOptions options_of(const ImpactArguments& arguments) {
  FirstContactOptions options;
  if (arguments.tolerance) {
    if (!(*arguments.tolerance > 0.0)) throw UsageError("--tolerance: expected a distance above 0");
    options.tolerance = *arguments.tolerance;
  }
  if (!(arguments.minimum_distance >= 0.0))
    throw UsageError("--minimum-distance: expected a distance of 0 or more");
  options.minimum_distance = arguments.minimum_distance;
  options.all_contacts = arguments.all;
  options.budget = arguments.budget;
  static const std::map<std::string, RigidMethod> methods = {{"advancement", RigidMethod::Advancement},
                                                             {"controlled", RigidMethod::Controlled},
                                                             {"interval", RigidMethod::Interval},
                                                             {"screw", RigidMethod::Screw}};
  options.method = methods.at(arguments.method);
  if (arguments.skip_initial) options.at_start = AtStart::Skip;
  return options;
}

nlohmann::json json_of(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}

nlohmann::json json_of(const Contact& contact) {
  return {{"point_a", json_of(contact.point_a)},
          {"point_b", json_of(contact.point_b)},
          {"normal", json_of(contact.normal)},
          {"triangle_a", contact.feature_a.part},
          {"triangle_b", contact.feature_b.part},
          {"distance", contact.distance},
          {"feature_a", to_string(contact.feature_a.kind)},
          {"feature_b", to_string(contact.feature_b.kind)}};
}

nlohmann::json json_of(const QueryStats& stats) {
  nlohmann::json j = {
      {"node_pairs", stats.node_pairs}, {"piece_pairs", stats.piece_pairs}, {"steps", stats.steps}};
  if (stats.feature_pairs > 0) {
    j["feature_pairs"] = stats.feature_pairs;
    j["rejected_share"] =
        static_cast<double>(stats.rejected_feature_pairs) / static_cast<double>(stats.feature_pairs);
  }
  return j;
}

nlohmann::json json_of(const Answer& answer, bool all) {
  const FirstContactResult& r = answer.first;
  const bool touches = r.status == Status::Contact || r.status == Status::OverlapAtStart;
  const Contact contact = touches || !answer.closest ? r.contact : answer.closest->contact;
  nlohmann::json j = {{"status", to_string(r.status)},
                      {"time", r.time},
                      {"lower", r.lower},
                      {"upper", r.upper},
                      {"point_a", json_of(contact.point_a)},
                      {"point_b", json_of(contact.point_b)},
                      {"normal", json_of(contact.normal)},
                      {"triangle_a", contact.feature_a.part},
                      {"triangle_b", contact.feature_b.part},
                      {"distance", nullptr},
                      {"microseconds", answer.microseconds},
                      {"stats", json_of(r.stats)}};
  if (touches) j["distance"] = r.distance;
  if (answer.closest && answer.closest->status == Status::Separated) {
    j["distance"] = answer.closest->distance;
    j["closest_time"] = answer.closest->time;
    j["closest_lower"] = answer.closest->lower_distance;
  }
  if (all && touches) {
    j["contacts"] = nlohmann::json::array();
    for (const Contact& c : r.contacts) j["contacts"].push_back(json_of(c));
  }
  return j;
}

Answer answered(ContactSolver& solver, const Body& a, const Body& b, const ImpactArguments& arguments) {
  Answer answer;
  const auto begin = std::chrono::steady_clock::now();
  answer.first = solver.first_contact(*a.motion, *b.motion);
  answer.microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  if (arguments.closest && answer.first.status == Status::Separated) {
    ClosestApproachOptions options;
    if (arguments.tolerance) options.tolerance = *arguments.tolerance;
    answer.closest = closest_approach(a, b, options);
  }
  return answer;
}

void print_contact(const Contact& c) {
  fmt::print(
      "  at ({:.9g}, {:.9g}, {:.9g}), normal ({:.6f}, {:.6f}, {:.6f}), triangle {} ({}) of A and {} ({}) of "
      "B, {:.3g} apart\n",
      c.point_a.x(), c.point_a.y(), c.point_a.z(), c.normal.x(), c.normal.y(), c.normal.z(), c.feature_a.part,
      to_string(c.feature_a.kind), c.feature_b.part, to_string(c.feature_b.kind), c.distance);
}

void print_sentence(const Answer& answer) {
  const FirstContactResult& r = answer.first;
  switch (r.status) {
    case Status::Contact:
      fmt::print("They first touch at t = {:.9f}.\n", r.time);
      for (const Contact& c : r.contacts) print_contact(c);
      return;
    case Status::OverlapAtStart:
      fmt::print("They already touch at the start.\n");
      for (const Contact& c : r.contacts) print_contact(c);
      return;
    case Status::OutOfBudget:
      fmt::print("Out of budget: proven apart up to t = {:.9f}.\n", r.time);
      return;
    case Status::Separated:
      fmt::print("They do not touch.");
      if (answer.closest && answer.closest->contact.feature_a.part >= 0) {
        fmt::print(" The smallest clearance is {:.9g}, at t = {:.6f}.", answer.closest->distance,
                   answer.closest->time);
      }
      fmt::print("\n");
      return;
    case Status::Failed:
      fmt::print("{}\n", r.failure);
      return;
  }
}

// The names of the bodies in a report: of their files, or A and B where those do not tell them apart.
std::pair<std::string, std::string> names_of(const ImpactArguments& arguments) {
  const auto stem = [](const std::string& path) { return std::filesystem::path(path).stem().string(); };
  const std::string a = stem(arguments.mesh_a), b = stem(arguments.mesh_b);
  return a == b ? std::pair<std::string, std::string>("A", "B") : std::pair(a, b);
}

void describe_question(const ImpactArguments& arguments, const Shape& a, const Shape& b, Report& report) {
  report.method = arguments.method;
  const FirstContactOptions asked = options_of(arguments);
  const double tolerance = resolved_tolerance(a, b, asked.tolerance, asked.relative_tolerance);
  report.options = {{"tolerance", fmt::format("{:.3g}", tolerance)}, {"motion", arguments.motion}};
  if (arguments.minimum_distance > 0.0) {
    report.options.emplace_back("minimum distance", fmt::format("{:.6g}", arguments.minimum_distance));
  }
}

int run_one(ImpactArguments arguments) {
  const FirstContactOptions options = options_of(arguments);
  if (arguments.to.empty() && arguments.to_b.empty())
    throw UsageError("impact: give the end pose with --to, or a batch with --trials");
  const Pose from = arguments.from.empty() ? Pose{} : parse_pose(arguments.from, "--from");
  const Pose from_b = arguments.from_b.empty() ? Pose{} : parse_pose(arguments.from_b, "--from-b");
  const auto motion_a =
      motion_of(arguments, from, arguments.to.empty() ? from : parse_pose(arguments.to, "--to"));
  const auto motion_b =
      motion_of(arguments, from_b, arguments.to_b.empty() ? from_b : parse_pose(arguments.to_b, "--to-b"));
  const Body a = {loaded(arguments.mesh_a), motion_a};
  const Body b = {loaded(arguments.mesh_b), motion_b};
  ContactSolver solver(a.shape, b.shape, options);
  arguments.closest = true;
  const Answer answer = answered(solver, a, b, arguments);
  if (arguments.json) {
    print_json(json_of(answer, arguments.all));
  } else {
    print_sentence(answer);
  }
  if (arguments.output.wanted()) {
    const auto [name_a, name_b] = names_of(arguments);
    Report report = rigid_report({name_a, arguments.mesh_a, a}, {name_b, arguments.mesh_b, b}, answer.first,
                                 {.tolerance = options.tolerance});
    describe_question(arguments, a.shape, b.shape, report);
    report.timings = {{"query", 1e-3 * answer.microseconds}};
    write_outputs(arguments.output, std::move(report), arguments.json ? stderr : stdout);
  }
  return exit_code({.touches = answer.first.status != Status::Separated}, arguments.check);
}

std::vector<OwnedMotion> trial_motions(const ImpactArguments& arguments) {
  std::ifstream file(arguments.trials);
  if (!file) throw UsageError(arguments.trials + ": cannot be opened");
  std::vector<OwnedMotion> motions;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string where = fmt::format("{}, line {}", arguments.trials, number);
    const std::vector<double> n = parse_numbers(line, where);
    if (n.empty()) continue;
    if (n.size() != 24) throw UsageError(fmt::format("{}: expected 24 numbers, found {}", where, n.size()));
    const auto middle = n.begin() + 12;
    motions.push_back(motion_of(arguments, pose_of_numbers({n.begin(), middle}, where),
                                pose_of_numbers({middle, n.end()}, where)));
  }
  if (motions.empty()) throw UsageError(arguments.trials + ": holds no trial");
  return motions;
}

int run_trials(const ImpactArguments& arguments) {
  const FirstContactOptions options = options_of(arguments);
  const auto motions = trial_motions(arguments);
  const Shape a = loaded(arguments.mesh_a);
  const Shape b = loaded(arguments.mesh_b);
  std::vector<std::optional<Answer>> answers(motions.size());  // none: interrupted before
  const InterruptScope interrupts;
  std::mutex mutex;
  std::optional<Progress> progress(std::in_place, "trials", motions.size());
  parallel_blocks(motions.size(), 4, arguments.threads, [&](std::size_t begin, std::size_t end) {
    ContactSolver solver(a, b, options);
    for (std::size_t i = begin; i < end && !interrupted(); ++i)
      answers[i] = answered(solver, {a, motions[i]}, {b}, arguments);
    const std::lock_guard lock(mutex);
    progress->advance(end - begin);
  });
  progress.reset();
  std::size_t answered_count = 0, contacts = 0, undecided = 0;
  double sum = 0.0;
  for (const std::optional<Answer>& answer : answers) {
    if (!answer) continue;
    ++answered_count;
    if (answer->first.status == Status::Contact || answer->first.status == Status::OverlapAtStart) ++contacts;
    if (answer->first.status == Status::OutOfBudget) ++undecided;
    sum += answer->microseconds;
  }
  const bool stopped = answered_count < answers.size();
  const double mean = answered_count == 0 ? 0.0 : sum / static_cast<double>(answered_count);
  if (arguments.json) {
    nlohmann::json trials = nlohmann::json::array();
    for (const std::optional<Answer>& answer : answers)
      trials.push_back(answer ? json_of(*answer, arguments.all) : nlohmann::json());
    nlohmann::json value = {{"trials", trials},
                            {"summary", {{"contacts", contacts}, {"mean_microseconds", mean}}}};
    if (stopped) {
      value["interrupted"] = true;
      value["summary"]["answered"] = answered_count;
    }
    print_json(value);
  } else {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!answers[i]) continue;
      fmt::print("trial {}: ", i + 1);
      print_sentence(*answers[i]);
    }
    if (stopped) fmt::print("Interrupted: {} of {} trials answered.\n", answered_count, answers.size());
    fmt::print("{} trials, {} contacts, {:.1f} microseconds a trial.\n", answered_count, contacts, mean);
  }
  if (arguments.output.wanted()) {
    const auto [name_a, name_b] = names_of(arguments);
    const Body resting_a = {a}, resting_b = {b};
    Report report =
        rigid_scene_report({name_a, arguments.mesh_a, resting_a}, {name_b, arguments.mesh_b, resting_b});
    describe_question(arguments, a, b, report);
    report.answer = fmt::format("{} of {} trials touch.", contacts, answered_count);
    if (stopped)
      report.answer += fmt::format(" Interrupted: {} were not answered.", answers.size() - answered_count);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!answers[i]) continue;
      ResultRecord result = record_of(answers[i]->first);
      result.label = fmt::format("trial {}", i + 1);
      result.motion_a = record_of(*motions[i]);
      result.closest_approach = answers[i]->closest;
      result.microseconds = answers[i]->microseconds;
      report.results.push_back(std::move(result));
    }
    write_outputs(arguments.output, std::move(report), arguments.json ? stderr : stdout);
  }
  return exit_code({.touches = contacts + undecided > 0, .interrupted = stopped}, arguments.check);
}

}  // namespace

void add_impact_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("impact", "When do two moving meshes first touch, and where?");
  auto arguments = std::make_shared<ImpactArguments>();
  command->add_option("A", arguments->mesh_a, "Mesh of the first body (OBJ, STL, PLY, OFF...)")->required();
  command->add_option("B", arguments->mesh_b, "Mesh of the second body")->required();
  command->add_option("--to", arguments->to, std::string("End pose of A: ") + pose_help)->type_name("POSE");
  command->add_option("--from", arguments->from, "Start pose of A (default: identity)")->type_name("POSE");
  command->add_option("--to-b", arguments->to_b, "End pose of B (default: B stays)")->type_name("POSE");
  command->add_option("--from-b", arguments->from_b, "Start pose of B (default: identity)")
      ->type_name("POSE");
  command
      ->add_option("--motion", arguments->motion,
                   "Linear: the body's origin moves straight; screw: about one axis")
      ->check(CLI::IsMember({"linear", "screw"}));
  command
      ->add_option("--tolerance", arguments->tolerance,
                   "Distance that counts as touching (default: 1e-6 of the smaller body)")
      ->check(finite_at_least(0.0));
  command
      ->add_option("--minimum-distance", arguments->minimum_distance, "The first time they come this close")
      ->check(finite_at_least(0.0));
  command->add_flag("--all", arguments->all, "All contacts at that time");
  command->add_flag("--closest", arguments->closest,
                    "Trials: also the closest approach of those that do not touch");
  command->add_option("--method", arguments->method, "How to solve")
      ->check(CLI::IsMember({"advancement", "controlled", "interval", "screw"}));
  command->add_option("--budget", arguments->budget, "Most pairs to test (0 = no limit)")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--skip-initial", arguments->skip_initial,
                    "If they touch at the start, the first contact after they part");
  command
      ->add_option("--trials", arguments->trials,
                   "File of trials: 24 numbers a line, start and end pose of A; B is fixed")
      ->type_name("FILE");
  command->add_option("--threads", arguments->threads, "Threads for trials (0 = all cores)")
      ->check(CLI::Range(0, 4096));
  command->add_flag("--json", arguments->json, "Print JSON");
  add_check_option(*command, arguments->check);
  add_report_options(*command, arguments->output);
  command->footer(
      "Examples:\n"
      "  toccata impact A.obj B.obj --to \"0 0 -5\" --from \"0 0 5\"\n"
      "  toccata impact A.obj B.obj --to \"1 0 0 0 0 90\" --motion screw --json\n"
      "  toccata impact A.obj B.obj --trials trials.txt --threads 1 --json\n");
  command->callback([&run, arguments] {
    run = [arguments] { return arguments->trials.empty() ? run_one(*arguments) : run_trials(*arguments); };
  });
}

}  // namespace toccata::app
