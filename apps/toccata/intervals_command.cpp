// toccata intervals A B: from when to when two moving bodies touch.
#include <fmt/core.h>

#include <chrono>
#include <memory>

#include "body_argument.hpp"
#include "command.hpp"
#include "csv_text.hpp"
#include "ending.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "moving_arguments.hpp"
#include "rigid_answer.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/io/query_report.hpp"

namespace toccata::app {
namespace {

struct IntervalsArguments : MovingArguments {
  double time_resolution = ContactIntervalsOptions{}.time_resolution;
};

void print_intervals_json(const ContactIntervalsResult& answer, const MovingPair& pair, double microseconds) {
  JsonObject json;
  json.add("status", to_string(answer.status));
  if (!answer.failure.empty()) json.add("failure", answer.failure);
  JsonList intervals;
  for (const ContactInterval& interval : answer.intervals) {
    JsonObject entry;
    entry.add("begin_lower", interval.begin_lower).add("begin_upper", interval.begin_upper);
    entry.add("end_lower", interval.end_lower).add("end_upper", interval.end_upper);
    add_poses(pair.a.motion->pose(interval.begin_lower), pair.b.motion->pose(interval.begin_lower), entry);
    intervals.add(entry);
  }
  json.add("intervals", intervals).add("proven_until", answer.proven_until);
  json.add("microseconds", microseconds).add("stats", stats_json(answer.stats));
  add_question(pair, json);
  print_json(json);
}

void print_intervals(const ContactIntervalsResult& answer) {
  fmt::print("{}\n", sentence(answer));
  if (answer.intervals.size() < 2) return;
  for (const ContactInterval& interval : answer.intervals) fmt::print("  {}\n", interval_text(interval));
}

int run_intervals(const IntervalsArguments& arguments) {
  if (!(arguments.time_resolution > 0.0))
    throw UsageError("--time-resolution: expected a share of the time above 0");
  const MovingPair pair = moving_pair(arguments, "intervals");
  ContactIntervalsOptions options;
  options.tolerance = arguments.tolerance;
  options.relative_tolerance = arguments.relative_tolerance;
  options.time_resolution = arguments.time_resolution;
  options.budget = arguments.budget;
  options.stop = stop_of(arguments);
  const InterruptScope interrupts;
  const auto start = std::chrono::steady_clock::now();
  const ContactIntervalsResult answer = contact_intervals(pair.body_a(), pair.body_b(), options);
  const double microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  if (arguments.json) {
    print_intervals_json(answer, pair, microseconds);
  } else if (arguments.csv) {
    fmt::print("begin_lower,begin_upper,end_lower,end_upper\n");
    for (const ContactInterval& interval : answer.intervals) {
      CsvLine line;
      line.add(interval.begin_lower)
          .add(interval.begin_upper)
          .add(interval.end_lower)
          .add(interval.end_upper)
          .print();
    }
  } else if (answer.status != Status::Failed) {
    print_intervals(answer);
  }
  if (arguments.output.wanted()) {
    Report report = contact_intervals_report(pair.a, pair.b, answer);
    describe_question(arguments, pair, report);
    report.timings = {{"query", 1e-3 * microseconds}};
    write_outputs(arguments.output, std::move(report), arguments.prints_sentences() ? stdout : stderr);
  }
  if (answer.status == Status::Failed) throw UsageError(answer.failure);
  if (arguments.csv && answer.status == Status::OutOfBudget)
    fmt::print(stderr, "toccata: {}\n", sentence(answer));
  return exit_code({.touches = answer.status != Status::Separated, .interrupted = interrupted()},
                   arguments.check);
}

}  // namespace

Command intervals_command() {
  const auto arguments = std::make_shared<IntervalsArguments>();
  Command command{.name = "intervals", .description = "From when to when do two moving bodies touch?"};
  add_moving_options(*arguments, command);
  command.options.push_back({.names = "--time-resolution",
                             .target = &arguments->time_resolution,
                             .help = "Gaps and contacts shorter than this share of the time may be merged",
                             .value = "SHARE",
                             .shows_default = true,
                             .least = 0.0,
                             .most = 1.0});
  add_answer_options(*arguments, command);
  command.footer =
      "Examples:\n"
      "  toccata intervals A.obj B.obj --from \"0 0 5\" --to \"0 0 -5\"\n"
      "  toccata intervals A.obj B.obj --turn \"0 0 1 720\" --csv > intervals.csv\n"
      "  toccata intervals A.obj B.obj --path poses.txt --json\n" +
      shapes_help();
  command.run = [arguments] { return run_intervals(*arguments); };
  return command;
}

}  // namespace toccata::app
