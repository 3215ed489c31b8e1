// toccata impact: when do two moving shapes first touch, one question or a batch of trials.
#include <fmt/core.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include "body_argument.hpp"
#include "command.hpp"
#include "csv_text.hpp"
#include "ending.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "moving_arguments.hpp"
#include "pass_times.hpp"
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
#include "trial_file.hpp"

namespace toccata::app {
namespace {

struct ImpactArguments : MovingArguments {
  double minimum_distance = FirstContactOptions{}.minimum_distance;
  bool all = false;
  bool closest = false;
  std::string method{to_string(FirstContactOptions{}.method)};
  bool skip_initial = false;
  std::string trials;
  int threads = FirstContactOptions{}.threads;
  int repeat = 1;
};

constexpr RigidMethod rigid_methods[] = {RigidMethod::Advancement, RigidMethod::Controlled,
                                         RigidMethod::Interval, RigidMethod::Screw};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const RigidMethod method : rigid_methods) names.emplace_back(to_string(method));
  return names;
}

FirstContactOptions options_of(const ImpactArguments& arguments) {
  FirstContactOptions options;
  options.tolerance = arguments.tolerance;
  options.relative_tolerance = arguments.relative_tolerance;
  options.minimum_distance = arguments.minimum_distance;
  options.all_contacts = arguments.all;
  options.budget = arguments.budget;
  options.stop = stop_of(arguments);
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
  if (r.minimum_distance > 0.0) json.add("minimum_distance", r.minimum_distance);
  if (r.apart_from > 0.0) json.add("apart_from", r.apart_from);
  add_contact(record_of(apart ? asked.closest->contact : r.contact, meshes), json);
  if (touches(r)) {
    json.add("distance", r.distance);
  } else if (apart) {
    json.add("distance", asked.closest->distance);
  } else {
    json.add("distance", nullptr);
  }
  if (r.status != Status::Failed) add_poses(r.pose_a, r.pose_b, json);
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

void print_table_head() {
  fmt::print(
      "trial,status,inside,time,lower,upper,distance,point_a_x,point_a_y,point_a_z,point_b_x,point_b_y,point_"
      "b_z,"
      "normal_x,normal_y,normal_z,triangle_a,triangle_b,feature_a,feature_b,apart_from,closest_time,closest_"
      "lower,"
      "microseconds,failure\n");
}

// Cells that hold nothing for the answer are empty. Of bodies that stay apart, the place and distance are
// those of the closest approach, where that was asked for.
void print_table_line(std::size_t trial, const std::optional<Asked>& asked, const MeshPair& meshes) {
  CsvLine line;
  line.add(trial);
  if (!asked) return line.add("not_answered").skip(23).print();
  const FirstContactResult& r = asked->first;
  const bool apart = asked->closest && asked->closest->status == Status::Separated;
  line.add(to_string(r.status)).add(r.inside == Inside::None ? "" : to_string(r.inside));
  line.add(r.time).add(r.lower).add(r.upper);
  if (touches(r) || apart) {
    const ContactRecord record = record_of(apart ? asked->closest->contact : r.contact, meshes);
    line.add(apart ? asked->closest->distance : r.distance);
    line.add(record.contact.point_a).add(record.contact.point_b).add(record.contact.normal);
    add_features(record, line);
  } else {
    line.skip(14);
  }
  r.apart_from > 0.0 ? line.add(r.apart_from) : line.skip();
  apart ? line.add(asked->closest->time).add(asked->closest->lower_distance) : line.skip(2);
  line.add(asked->microseconds).add(r.failure).print();
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
      : arguments_(arguments), options_(options_of(arguments)) {}

  int run_one() {
    pair_.emplace(moving_pair(arguments_, "impact"));
    const Body a = pair_->body_a(), b = pair_->body_b();
    const InterruptScope interrupts;
    Asked asked = passes_.measure([&] { return answered(a, b, nullptr); });
    while (asks_again()) passes_.measure([&] { return answered(a, b, nullptr); });
    if (asked.first.status == Status::Separated) asked.closest = closest_approach(a, b, closest_options());
    if (arguments_.json) {
      JsonObject json = json_of(asked, pair_->meshes(), arguments_.all);
      add_question(*pair_, json);
      if (arguments_.repeat > 1) json.add("passes", pass_json(passes_.summary()));
      print_json(json);
    } else if (arguments_.csv) {
      print_table_head();
      print_table_line(0, asked, pair_->meshes());
    } else if (asked.first.status != Status::Failed) {
      print_answer(asked, pair_->meshes(), pair_->names());
      print_passes();
    }
    if (arguments_.output.wanted()) report_one(asked, a, b);
    // What was wrong goes to stderr, with the exit code of bad input.
    if (asked.first.status == Status::Failed) throw UsageError(asked.first.failure);
    return exit_code({.touches = asked.first.status != Status::Separated, .interrupted = interrupted()},
                     arguments_.check);
  }

  int run_trials() {
    if (const std::string given = arguments_.motion_a.first_given(); !given.empty()) {
      throw UsageError(given + " and --trials cannot be given together: each trial has its own poses of A");
    }
    trials_ = read_trials(arguments_.trials, reading_of(arguments_));
    const std::string given_b = arguments_.motion_b.first_given();
    if (trials_.front().motion_b && !given_b.empty()) {
      throw UsageError(
          fmt::format("{} and the poses of B in {} cannot be given together", given_b, arguments_.trials));
    }
    pair_.emplace(pair_with_motion_of_b(arguments_));
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
    } else if (arguments_.csv) {
      print_table_head();
      for (std::size_t i = 0; i < answers.size(); ++i) print_table_line(i, answers[i], pair_->meshes());
    } else {
      for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!answers[i]) continue;
        fmt::print("{}: ", trial_label(i));
        print_answer(*answers[i], pair_->meshes(), pair_->names());
      }
      fmt::print("{}\n{:.1f} microseconds per trial.\n", sentence(counts), mean);
      print_passes();
    }
    if (arguments_.output.wanted()) report_trials(answers, counts);
    const bool whole = counts.answered == counts.asked;
    return exit_code({.touches = counts.touching + counts.undecided + counts.failed > 0 || !whole,
                      .interrupted = interrupted() && !whole},
                     arguments_.check);
  }

 private:
  void demand_closed() const {
    for (const ReportBody* body : {&pair_->a, &pair_->b}) {
      const std::optional<std::string> open = body->shape.open_edges();
      if (open) throw UsageError(fmt::format("--solid: the mesh {} is not closed: {}", body->source, *open));
    }
  }

  ClosestApproachOptions closest_options() const {
    ClosestApproachOptions options;
    options.tolerance = options_.tolerance;
    options.relative_tolerance = options_.relative_tolerance;
    options.stop = options_.stop;
    return options;
  }

  // With --repeat, until Ctrl-C or the end of the seconds.
  bool asks_again() const {
    const bool in_time = arguments_.seconds == 0.0 || passes_.taken() < arguments_.seconds;
    return passes_.count() < arguments_.repeat && !interrupted() && in_time;
  }

  void print_passes() const {
    if (arguments_.repeat > 1) fmt::print("{}\n", pass_sentence(passes_.summary()));
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

  const OwnedMotion& motion_of_b(const Trial& trial) const {
    return trial.motion_b ? *trial.motion_b : pair_->b.motion;
  }

  // Those of the first pass.
  std::vector<std::optional<Asked>> answer_trials() {
    const InterruptScope interrupts;
    std::vector<std::optional<Asked>> answers = passes_.measure([&] { return one_pass(); });
    while (asks_again()) {
      passes_.measure([&] { return one_pass(); });
      if (interrupted()) passes_.forget_last();
    }
    return answers;
  }

  // None where Ctrl-C, or the end of the seconds, came before.
  std::vector<std::optional<Asked>> one_pass() const {
    std::vector<std::optional<Asked>> answers(trials_.size());
    const auto start = std::chrono::steady_clock::now();
    const auto stopped = [&] {
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      return interrupted() || (arguments_.seconds > 0.0 && taken.count() > arguments_.seconds);
    };
    std::mutex mutex;
    Progress progress("trials", trials_.size());
    parallel_blocks(trials_.size(), 4, arguments_.threads, [&](std::size_t begin, std::size_t end) {
      Body a = pair_->body_a(), b = pair_->body_b();
      ContactSolver solver(Body{a.shape, {}, a.solid}, Body{b.shape, {}, b.solid}, options_);
      for (std::size_t i = begin; i < end && !stopped(); ++i) {
        a.motion = trials_[i].motion_a;
        b.motion = motion_of_b(trials_[i]);
        Asked asked = answered(a, b, &solver);
        if (asked.first.status == Status::OutOfBudget && stopped()) break;  // it was not the budget
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
        trials.add(json_of(*asked, pair_->meshes(), arguments_.all));
      } else {
        trials.add(nullptr);
      }
    }
    JsonObject summary;
    summary.add("contacts", counts.touching).add("mean_microseconds", mean);
    if (arguments_.repeat > 1) summary.add("passes", pass_json(passes_.summary()));
    const bool stopped = counts.answered < counts.asked;
    if (stopped) summary.add("answered", counts.answered);
    JsonObject value;
    value.add("trials", trials).add("summary", summary);
    if (stopped) value.add("interrupted", true);
    print_json(value);
  }

  void finish_report(Report report) const {
    report.method = arguments_.method;
    if (arguments_.minimum_distance > 0.0)
      report.options.emplace_back("minimum distance", fmt::format("{:.6g}", arguments_.minimum_distance));
    if (arguments_.skip_initial) report.options.emplace_back("contact at the start", "skipped");
    write_outputs(arguments_.output, std::move(report), arguments_.prints_sentences() ? stdout : stderr);
  }

  void report_one(const Asked& asked, const Body& a, const Body& b) const {
    FirstContactExtras extras{.closest = asked.closest};
    if (touches(asked.first) && asked.first.minimum_distance == 0.0) {
      extras.intervals = contact_intervals(a, b,
                                           {.tolerance = options_.tolerance,
                                            .relative_tolerance = options_.relative_tolerance,
                                            .time_resolution = 1e-4})
                             .intervals;
    }
    Report report = first_contact_report(pair_->a, pair_->b, asked.first, extras);
    describe_question(arguments_, *pair_, report);
    report.timings = {{"query", 1e-3 * asked.microseconds}};
    finish_report(std::move(report));
  }

  void report_trials(std::vector<std::optional<Asked>>& answers, const TrialCounts& counts) const {
    std::vector<TrialAnswer> shown;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!answers[i]) continue;
      shown.push_back({.index = i,
                       .answer = std::move(answers[i]->first),
                       .motion_a = trials_[i].motion_a,
                       .motion_b = motion_of_b(trials_[i]),
                       .closest = std::move(answers[i]->closest),
                       .microseconds = answers[i]->microseconds});
    }
    Report report = trials_report(pair_->a, pair_->b, shown, counts);
    describe_question(arguments_, *pair_, report);
    // Each trial has motions of its own.
    std::erase_if(report.options, [&](const auto& option) {
      return option.first == "motion of " + pair_->a.name ||
             (trials_.front().motion_b && option.first == "motion of " + pair_->b.name);
    });
    report.options.emplace_back("motion", arguments_.motion);
    finish_report(std::move(report));
  }

  const ImpactArguments& arguments_;
  FirstContactOptions options_;
  std::optional<MovingPair> pair_;
  std::vector<Trial> trials_;
  PassTimes passes_;
};

}  // namespace

Command impact_command() {
  const auto arguments = std::make_shared<ImpactArguments>();
  Command command{.name = "impact", .description = "When do two moving shapes first touch, and where?"};
  add_moving_options(*arguments, command);
  const std::vector<Option> others = {
      {.names = "--minimum-distance",
       .target = &arguments->minimum_distance,
       .help = "The first time they come this close",
       .value = "LENGTH",
       .least = 0.0},
      {.names = "--all", .target = &arguments->all, .help = "All contacts at that time"},
      {.names = "--closest",
       .target = &arguments->closest,
       .help = "Trials: also the closest approach of those that do not touch"},
      {.names = "--method",
       .target = &arguments->method,
       .help = "How to solve; other than advancement: meshes only",
       .choices = method_names()},
      {.names = "--skip-initial",
       .target = &arguments->skip_initial,
       .help = "If they touch at the start, the first contact after they part"},
      {.names = "--trials",
       .target = &arguments->trials,
       .help = "File of trials, text or numpy: start and end pose of A, and of B if it moves too",
       .value = "FILE"},
      {.names = "--threads",
       .target = &arguments->threads,
       .help = "Threads for trials (0 = all cores)",
       .value = "NUMBER",
       .least = 0.0,
       .most = 4096.0},
      repeat_option(arguments->repeat)};
  command.options.insert(command.options.end(), others.begin(), others.end());
  add_answer_options(*arguments, command,
                     [arguments] { return std::vector<std::string>{arguments->trials}; });
  command.footer =
      "Examples:\n"
      "  toccata impact A.obj B.obj --to \"0 0 -5\" --from \"0 0 5\"\n"
      "  toccata impact A.obj B.obj --to \"1 0 0 0 0 90\" --motion screw --json\n"
      "  toccata impact A.obj B.obj --to \"0 0 1\" --check || echo 'inside, or in the way'\n"
      "  toccata impact A.obj B.obj --turn \"0 0 1 720\" --velocity \"0 0 0.5\"\n"
      "  toccata impact A.obj B.obj --path poses.txt\n"
      "  toccata impact A.obj B.obj --trials trials.txt --threads 1 --json\n"
      "  toccata impact A.obj B.obj --trials trials.npy --closest --csv > answers.csv\n"
      "  toccata impact box:1,2,3 halfspace:0,0,1,0 --from \"0 0 5\" --to \"0 0 0 0 90 0\"\n" +
      shapes_help();
  command.run = [arguments] {
    ImpactQuery impact(*arguments);
    return arguments->trials.empty() ? impact.run_one() : impact.run_trials();
  };
  return command;
}

}  // namespace toccata::app
