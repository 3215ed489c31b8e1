// toccata impact: when do two moving meshes first touch, one question or a batch of trials.
#include <fmt/core.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>

#include "command.hpp"
#include "ending.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "motion_argument.hpp"
#include "pose_argument.hpp"
#include "report_options.hpp"
#include "rigid_answer.hpp"
#include "terminal.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::app {
namespace {

struct ImpactArguments {
  std::string mesh_a, mesh_b;
  MotionArguments motion_a{.suffix = ""}, motion_b{.suffix = "-b"};
  std::string motion = "linear";
  std::string quaternion = "wxyz";
  std::optional<double> tolerance;
  double relative_tolerance = FirstContactOptions{}.relative_tolerance;
  double minimum_distance = FirstContactOptions{}.minimum_distance;
  bool solid = false;
  bool surface = false;
  bool all = false;
  bool closest = false;
  bool json = false;
  bool check = false;
  std::string method{to_string(FirstContactOptions{}.method)};
  std::int64_t budget = FirstContactOptions{}.budget;
  bool skip_initial = false;
  std::string trials;
  int threads = FirstContactOptions{}.threads;
  ReportOptions output;
};

constexpr RigidMethod rigid_methods[] = {RigidMethod::Advancement, RigidMethod::Controlled,
                                         RigidMethod::Interval, RigidMethod::Screw};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const RigidMethod method : rigid_methods) names.emplace_back(to_string(method));
  return names;
}

MotionReading reading_of(const ImpactArguments& arguments) {
  return {.screw = arguments.motion == "screw", .quaternion = arguments.quaternion};
}

FirstContactOptions options_of(const ImpactArguments& arguments) {
  FirstContactOptions options;
  if (arguments.tolerance && !(*arguments.tolerance > 0.0))
    throw UsageError("--tolerance: expected a distance above 0");
  if (!(arguments.relative_tolerance > 0.0))
    throw UsageError("--relative-tolerance: expected a share above 0");
  options.tolerance = arguments.tolerance;
  options.relative_tolerance = arguments.relative_tolerance;
  options.minimum_distance = arguments.minimum_distance;
  options.all_contacts = arguments.all;
  options.budget = arguments.budget;
  for (const RigidMethod method : rigid_methods) {
    if (arguments.method == to_string(method)) options.method = method;
  }
  if (arguments.skip_initial) options.at_start = AtStart::Skip;
  return options;
}

// One answer, and what it was asked of.
struct Asked {
  FirstContactResult first;
  std::optional<ClosestApproachResult> closest;
  double microseconds = 0.0;
};

bool touches(const FirstContactResult& answer) {
  return answer.status == Status::Contact || answer.status == Status::OverlapAtStart;
}

std::string sentence_of(const Asked& asked, const BodyNames& names) {
  return asked.closest ? sentence(asked.first, *asked.closest, names) : sentence(asked.first, names);
}

JsonObject json_of(const Asked& asked, const MeshPair& meshes, bool all) {
  const FirstContactResult& r = asked.first;
  const bool apart = asked.closest && asked.closest->status == Status::Separated;
  JsonObject json;
  json.add("status", to_string(r.status));
  if (r.inside != Inside::None) json.add("inside", to_string(r.inside));
  if (!r.failure.empty()) json.add("failure", r.failure);
  json.add("time", r.time).add("lower", r.lower).add("upper", r.upper);
  add_contact(record_of(apart ? asked.closest->contact : r.contact, meshes), json);
  if (touches(r)) {
    json.add("distance", r.distance);
  } else if (apart) {
    json.add("distance", asked.closest->distance);
  } else {
    json.add("distance", nullptr);
  }
  json.add("microseconds", asked.microseconds).add("stats", stats_json(r.stats));
  if (apart)
    json.add("closest_time", asked.closest->time).add("closest_lower", asked.closest->lower_distance);
  if (all && touches(r)) {
    JsonList contacts;
    for (const Contact& c : r.contacts) {
      JsonObject contact;
      add_contact(record_of(c, meshes), contact);
      contacts.add(contact.add("distance", c.distance));
    }
    json.add("contacts", contacts);
  }
  return json;
}

void print_answer(const Asked& asked, const MeshPair& meshes, const BodyNames& names) {
  fmt::print("{}\n", sentence_of(asked, names));
  if (!touches(asked.first)) return;
  for (const Contact& c : asked.first.contacts)
    fmt::print("  {}\n", contact_text(record_of(c, meshes), names));
}

class ImpactQuery {
 public:
  explicit ImpactQuery(const ImpactArguments& arguments)
      : arguments_(arguments),
        options_(options_of(arguments)),
        names_(names_of(arguments.mesh_a, arguments.mesh_b)) {}

  int run_one() {
    if (!arguments_.motion_a.moves() && !arguments_.motion_b.moves()) {
      throw UsageError(
          "impact: give the end pose with --to, or --turn, --velocity or --path, or a batch with --trials");
    }
    const MotionReading reading = reading_of(arguments_);
    const OwnedMotion motion_a = motion_of_arguments(arguments_.motion_a, reading);
    const OwnedMotion motion_b = motion_of_arguments(arguments_.motion_b, reading);
    load();
    a_->motion = motion_a;
    b_->motion = motion_b;
    const Body a = body(*a_, a_->motion), b = body(*b_, b_->motion);
    Asked asked = answered(a, b, nullptr);
    if (asked.first.status == Status::Separated) asked.closest = closest_approach(a, b, closest_options());
    if (arguments_.json) {
      print_json(json_of(asked, meshes(), arguments_.all)
                     .add("motion_a", motion_json(record_of(*a_->motion)))
                     .add("motion_b", motion_json(record_of(*b_->motion)))
                     .add("solid_a", a_->solid)
                     .add("solid_b", b_->solid));
    } else if (asked.first.status != Status::Failed) {
      print_answer(asked, meshes(), names_);
    }
    if (arguments_.output.wanted()) report_one(asked, a, b);
    // What was wrong goes to stderr, with the exit code of bad input.
    if (asked.first.status == Status::Failed) throw UsageError(asked.first.failure);
    return exit_code({.touches = asked.first.status != Status::Separated}, arguments_.check);
  }

  int run_trials() {
    if (const std::string given = arguments_.motion_a.first_given(); !given.empty()) {
      throw UsageError(given + " and --trials cannot be given together: each trial has its own poses of A");
    }
    const OwnedMotion motion_b = motion_of_arguments(arguments_.motion_b, reading_of(arguments_));
    read_trials();
    load();
    b_->motion = motion_b;
    if (arguments_.solid) demand_closed();
    std::vector<std::optional<Asked>> answers = answer_trials();
    TrialCounts counts{.asked = answers.size()};
    double microseconds = 0.0;
    for (const std::optional<Asked>& asked : answers) {
      if (!asked) continue;
      counts.add(asked->first);
      microseconds += asked->microseconds;
    }
    const double mean = counts.answered == 0 ? 0.0 : microseconds / static_cast<double>(counts.answered);
    if (arguments_.json) {
      print_trials_json(answers, counts, mean);
    } else {
      for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!answers[i]) continue;
        fmt::print("{}: ", trial_label(i));
        print_answer(*answers[i], meshes(), names_);
      }
      fmt::print("{}\n{:.1f} microseconds per trial.\n", sentence(counts), mean);
    }
    if (arguments_.output.wanted()) report_trials(answers, counts);
    return exit_code({.touches = counts.touching + counts.undecided + counts.failed > 0,
                      .interrupted = counts.answered < counts.asked},
                     arguments_.check);
  }

 private:
  void load() {
    auto [a, b] = load_bodies(arguments_.mesh_a, arguments_.mesh_b);
    // What encloses a volume is taken to be full, unless told otherwise.
    a.solid = arguments_.solid || (!arguments_.surface && a.shape.is_closed());
    b.solid = arguments_.solid || (!arguments_.surface && b.shape.is_closed());
    a_.emplace(std::move(a));
    b_.emplace(std::move(b));
  }

  void demand_closed() const {
    for (const ReportBody* body : {&*a_, &*b_}) {
      const std::optional<std::string> open = body->shape.open_edges();
      if (open) throw UsageError(fmt::format("--solid: the mesh {} is not closed: {}", body->source, *open));
    }
  }

  static Body body(const ReportBody& named, const OwnedMotion& motion) {
    return {named.shape, motion, named.solid};
  }
  MeshPair meshes() const { return {&a_->shape.mesh(), &b_->shape.mesh()}; }

  ClosestApproachOptions closest_options() const {
    return {.tolerance = options_.tolerance, .relative_tolerance = options_.relative_tolerance};
  }

  // By the solver, if there is one: it remembers the trial before.
  Asked answered(const Body& a, const Body& b, ContactSolver* solver) const {
    Asked asked;
    const auto start = std::chrono::steady_clock::now();
    asked.first = solver ? solver->first_contact(*a.motion, *b.motion) : first_contact(a, b, options_);
    asked.microseconds =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    return asked;
  }

  void read_trials() {
    std::ifstream file(arguments_.trials);
    if (!file) throw UsageError(arguments_.trials + ": cannot be opened");
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      const std::string where = fmt::format("{}, line {}", arguments_.trials, number);
      const std::vector<double> n = parse_numbers(line, where);
      if (n.empty()) continue;
      if (n.size() != 24) throw UsageError(fmt::format("{}: expected 24 numbers, found {}", where, n.size()));
      const auto middle = n.begin() + 12;
      motions_.push_back(motion_between(pose_of_numbers({n.begin(), middle}, where),
                                        pose_of_numbers({middle, n.end()}, where),
                                        arguments_.motion == "screw"));
    }
    if (motions_.empty()) throw UsageError(arguments_.trials + ": holds no trial");
  }

  // None where Ctrl-C came before.
  std::vector<std::optional<Asked>> answer_trials() const {
    std::vector<std::optional<Asked>> answers(motions_.size());
    const InterruptScope interrupts;
    std::mutex mutex;
    Progress progress("trials", motions_.size());
    parallel_blocks(motions_.size(), 4, arguments_.threads, [&](std::size_t begin, std::size_t end) {
      ContactSolver solver(body(*a_, {}), body(*b_, {}), options_);
      for (std::size_t i = begin; i < end && !interrupted(); ++i) {
        const Body a = body(*a_, motions_[i]), b = body(*b_, b_->motion);
        Asked asked = answered(a, b, &solver);
        if (arguments_.closest && asked.first.status == Status::Separated)
          asked.closest = closest_approach(a, b, closest_options());
        answers[i] = std::move(asked);
      }
      const std::lock_guard lock(mutex);
      progress.advance(end - begin);
    });
    return answers;
  }

  void print_trials_json(const std::vector<std::optional<Asked>>& answers, const TrialCounts& counts,
                         double mean) const {
    JsonList trials;
    for (const std::optional<Asked>& asked : answers) {
      if (asked) {
        trials.add(json_of(*asked, meshes(), arguments_.all));
      } else {
        trials.add(nullptr);
      }
    }
    JsonObject summary;
    summary.add("contacts", counts.touching).add("mean_microseconds", mean);
    const bool stopped = counts.answered < counts.asked;
    if (stopped) summary.add("answered", counts.answered);
    JsonObject value;
    value.add("trials", trials).add("summary", summary);
    if (stopped) value.add("interrupted", true);
    print_json(value);
  }

  void describe_question(Report& report) const {
    report.method = arguments_.method;
    const double tolerance =
        resolved_tolerance(a_->shape, b_->shape, options_.tolerance, options_.relative_tolerance);
    report.options = {{"tolerance", fmt::format("{:.3g}", tolerance)}};
    if (motions_.empty()) {
      report.options.emplace_back("motion of " + names_.a, motion_text(record_of(*a_->motion)));
    } else {
      report.options.emplace_back("motion", arguments_.motion);
    }
    report.options.emplace_back("motion of " + names_.b, motion_text(record_of(*b_->motion)));
    const auto kind = [](const ReportBody& body) { return body.solid ? "solid" : "surface"; };
    report.options.emplace_back("bodies",
                                a_->solid == b_->solid
                                    ? std::string(kind(*a_))
                                    : fmt::format("{} {}, {} {}", names_.a, kind(*a_), names_.b, kind(*b_)));
    if (arguments_.minimum_distance > 0.0)
      report.options.emplace_back("minimum distance", fmt::format("{:.6g}", arguments_.minimum_distance));
  }

  void report_one(const Asked& asked, const Body& a, const Body& b) const {
    FirstContactExtras extras{.closest = asked.closest};
    if (touches(asked.first)) {
      extras.intervals = contact_intervals(a, b,
                                           {.tolerance = options_.tolerance,
                                            .relative_tolerance = options_.relative_tolerance,
                                            .time_resolution = 1e-4})
                             .intervals;
    }
    Report report = first_contact_report(*a_, *b_, asked.first, extras);
    describe_question(report);
    report.timings = {{"query", 1e-3 * asked.microseconds}};
    write_outputs(arguments_.output, std::move(report), arguments_.json ? stderr : stdout);
  }

  void report_trials(std::vector<std::optional<Asked>>& answers, const TrialCounts& counts) const {
    std::vector<TrialAnswer> trials;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!answers[i]) continue;
      trials.push_back({.index = i,
                        .answer = std::move(answers[i]->first),
                        .motion_a = motions_[i],
                        .motion_b = b_->motion,
                        .closest = std::move(answers[i]->closest),
                        .microseconds = answers[i]->microseconds});
    }
    Report report = trials_report(*a_, *b_, trials, counts);
    describe_question(report);
    write_outputs(arguments_.output, std::move(report), arguments_.json ? stderr : stdout);
  }

  const ImpactArguments& arguments_;
  FirstContactOptions options_;
  BodyNames names_;
  std::optional<ReportBody> a_, b_;
  std::vector<OwnedMotion> motions_;  // of A, one per trial
};

}  // namespace

Command impact_command() {
  const auto arguments = std::make_shared<ImpactArguments>();
  Command command{.name = "impact", .description = "When do two moving meshes first touch, and where?"};
  command.options = {
      {.names = "A",
       .target = &arguments->mesh_a,
       .help = "Mesh of the first body (OBJ, STL, PLY, OFF...)",
       .required = true},
      {.names = "B", .target = &arguments->mesh_b, .help = "Mesh of the second body", .required = true}};
  add_motion_options(arguments->motion_a, "A", command);
  add_motion_options(arguments->motion_b, "B", command);
  const std::vector<Option> others = {
      {.names = "--motion",
       .target = &arguments->motion,
       .help = "Linear: the body's origin moves straight; screw: about one axis",
       .choices = {"linear", "screw"}},
      quaternion_option(arguments->quaternion),
      {.names = "--solid",
       .target = &arguments->solid,
       .help = "Both bodies are full, so that their meshes must be closed (default: those that are)"},
      {.names = "--surface",
       .target = &arguments->surface,
       .help = "Both bodies are surfaces: one inside the other is apart from it",
       .excludes = "--solid"},
      {.names = "--tolerance",
       .target = &arguments->tolerance,
       .help = "Distance that counts as touching (default: by --relative-tolerance)",
       .least = 0.0},
      {.names = "--relative-tolerance",
       .target = &arguments->relative_tolerance,
       .help = "The same as a share of the smaller body's size",
       .shows_default = true,
       .least = 0.0},
      {.names = "--minimum-distance",
       .target = &arguments->minimum_distance,
       .help = "The first time they come this close",
       .least = 0.0},
      {.names = "--all", .target = &arguments->all, .help = "All contacts at that time"},
      {.names = "--closest",
       .target = &arguments->closest,
       .help = "Trials: also the closest approach of those that do not touch"},
      {.names = "--method", .target = &arguments->method, .help = "How to solve", .choices = method_names()},
      {.names = "--budget",
       .target = &arguments->budget,
       .help = "Most pairs to test (0 = no limit)",
       .least = 0.0},
      {.names = "--skip-initial",
       .target = &arguments->skip_initial,
       .help = "If they touch at the start, the first contact after they part"},
      {.names = "--trials",
       .target = &arguments->trials,
       .help = "File of trials: 24 numbers per line, start and end pose of A",
       .value = "FILE"},
      {.names = "--threads",
       .target = &arguments->threads,
       .help = "Threads for trials (0 = all cores)",
       .least = 0.0,
       .most = 4096.0},
      {.names = "--json", .target = &arguments->json, .help = "Print JSON"},
      check_option(arguments->check)};
  command.options.insert(command.options.end(), others.begin(), others.end());
  add_report_options(arguments->output, command, [arguments] {
    return std::vector<std::string>{arguments->mesh_a, arguments->mesh_b, arguments->trials,
                                    arguments->motion_a.path, arguments->motion_b.path};
  });
  command.footer =
      "Examples:\n"
      "  toccata impact A.obj B.obj --to \"0 0 -5\" --from \"0 0 5\"\n"
      "  toccata impact A.obj B.obj --to \"1 0 0 0 0 90\" --motion screw --json\n"
      "  toccata impact A.obj B.obj --to \"0 0 1\" --check || echo 'inside, or in the way'\n"
      "  toccata impact A.obj B.obj --turn \"0 0 1 720\" --velocity \"0 0 0.5\"\n"
      "  toccata impact A.obj B.obj --path poses.txt\n"
      "  toccata impact A.obj B.obj --trials trials.txt --threads 1 --json\n";
  command.run = [arguments] {
    ImpactQuery impact(*arguments);
    return arguments->trials.empty() ? impact.run_one() : impact.run_trials();
  };
  return command;
}

}  // namespace toccata::app
