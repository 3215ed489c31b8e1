// toccata queries PATH...: answers collections of vertex-face and edge-edge queries and checks the answers
// where the files know them.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "command.hpp"
#include "ending.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "pass_times.hpp"
#include "query_files.hpp"
#include "report_options.hpp"
#include "terminal.hpp"
#include "time_limit.hpp"
#include "toccata/io/query_io.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::app {
namespace {

struct QueriesArguments {
  std::vector<std::string> paths;
  std::string kind;
  bool json = false;
  bool check = false;
  bool times = false;
  int threads = 1;
  int repeat = 3;
  double seconds = 0;
  LinearImpactOptions options;
  ReportOptions output;
};

struct QueryTime {
  Status status = Status::Separated;
  double lower = 0, upper = 0;  // unless separated
};

// What is printed of a file, and of all.
struct Tally {
  std::string path;
  std::string kind;
  std::size_t queries = 0;
  std::size_t contacts = 0;
  std::size_t out_of_budget = 0;
  bool has_truth = false;
  std::size_t false_positives = 0;
  std::size_t false_negatives = 0;
  PassSummary passes;
  std::array<std::size_t, impact_stage_count> stages{};
  std::vector<QueryTime> times;  // with --times

  std::size_t answered = 0;  // of the queries, in these passes

  // By the clock, of the fastest pass.
  double ns_per_query() const {
    return answered == 0 ? 0.0 : 1e9 * passes.least.clock / static_cast<double>(answered);
  }
};

bool is_contact(const Impact& impact) {
  return impact.status == Status::Contact || impact.status == Status::OverlapAtStart;
}

std::vector<QueryTime> times_of(const LinearImpactBatchResult& result, std::size_t queries) {
  std::vector<QueryTime> times(queries);
  for (std::size_t i = 0; i < result.indices.size(); ++i) {
    const Impact& impact = result.impacts[i];
    times[result.indices[i]] = {impact.status, impact.lower, impact.upper};
  }
  return times;
}

Tally answer(const QueryFile& file, const LinearQueries& queries, const QueriesArguments& arguments,
             const TimeLimit& limit) {
  const auto answer_all = file.kind == FeaturePairKind::VertexFace ? vertex_face_impacts : edge_edge_impacts;
  const LinearMotionBatch batch = queries.batch();
  Tally tally;
  tally.path = file.path;
  tally.kind = spelled(file.kind);
  tally.queries = queries.size();
  tally.answered = queries.size();
  PassTimes passes;
  LinearImpactBatchResult result;
  for (int i = 0; i < arguments.repeat && (i == 0 || (!interrupted() && !limit.is_over())); ++i) {
    LinearImpactBatchResult found =
        passes.measure([&] { return answer_all(batch, arguments.options, arguments.threads, limit.stop()); });
    if (i > 0 && limit.is_over()) {  // cut short: an earlier one has all answers
      passes.forget_last();
      break;
    }
    result = std::move(found);
  }
  tally.passes = passes.summary();
  for (const ImpactStage stage : result.stages) ++tally.stages[static_cast<std::size_t>(stage)];
  std::vector<bool> contact(queries.size(), false), open(queries.size(), false);
  for (std::size_t i = 0; i < result.indices.size(); ++i) {
    contact[result.indices[i]] = is_contact(result.impacts[i]);
    open[result.indices[i]] = result.impacts[i].status == Status::OutOfBudget;
    tally.contacts += is_contact(result.impacts[i]);
    tally.out_of_budget += result.impacts[i].status == Status::OutOfBudget;
  }
  if (limit.is_over()) tally.answered -= tally.out_of_budget;
  tally.has_truth = !queries.truth.empty();
  for (std::size_t i = 0; i < queries.truth.size(); ++i) {
    tally.false_positives += contact[i] && queries.truth[i] == 0;
    tally.false_negatives += !contact[i] && !open[i] && queries.truth[i] == 1;
  }
  if (arguments.times) tally.times = times_of(result, queries.size());
  return tally;
}

Tally total_of(const std::vector<Tally>& files) {
  Tally total;
  total.path = "total";
  for (const Tally& file : files) {
    total.kind = total.kind.empty() || total.kind == file.kind ? file.kind : "mixed";
    total.queries += file.queries;
    total.answered += file.answered;
    total.contacts += file.contacts;
    total.out_of_budget += file.out_of_budget;
    total.has_truth = total.has_truth || file.has_truth;
    total.false_positives += file.false_positives;
    total.false_negatives += file.false_negatives;
    total.passes += file.passes;
    for (std::size_t i = 0; i < total.stages.size(); ++i) total.stages[i] += file.stages[i];
  }
  return total;
}

JsonList times_json(const std::vector<QueryTime>& times) {
  JsonList list;
  for (const QueryTime& time : times) {
    JsonObject entry;
    entry.add("status", to_string(time.status));
    if (time.status != Status::Separated) entry.add("lower", time.lower).add("upper", time.upper);
    list.add(entry);
  }
  return list;
}

JsonObject tally_json(const Tally& tally) {
  JsonObject stages;
  for (int i = 0; i < impact_stage_count; ++i)
    stages.add(to_string(static_cast<ImpactStage>(i)), tally.stages[static_cast<std::size_t>(i)]);
  JsonObject value;
  value.add("path", tally.path).add("kind", tally.kind);
  value.add("queries", tally.queries).add("contacts", tally.contacts);
  if (tally.has_truth) {
    value.add("false_positives", tally.false_positives).add("false_negatives", tally.false_negatives);
  } else {
    value.add("false_positives", nullptr).add("false_negatives", nullptr);
  }
  value.add("ns_per_query", tally.ns_per_query()).add("stages", stages);
  value.add("passes", pass_json(tally.passes));
  if (tally.out_of_budget > 0) value.add("out_of_budget", tally.out_of_budget);
  if (!tally.times.empty()) value.add("times", times_json(tally.times));
  return value;
}

std::string verdict(const Tally& tally) {
  if (!tally.has_truth) return "no truth given";
  const bool right = tally.false_positives == 0 && tally.false_negatives == 0;
  return styled(fmt::format("{}, {}", plural(tally.false_positives, "false positive"),
                            plural(tally.false_negatives, "false negative")),
                right ? Style::Good : Style::Bad);
}

std::string stages_text(const Tally& tally) {
  std::string text;
  for (int i = 0; i < impact_stage_count; ++i) {
    const std::size_t count = tally.stages[static_cast<std::size_t>(i)];
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(static_cast<ImpactStage>(i)),
                        with_thousands(count));
  }
  return text.empty() ? "none" : text;
}

void print_times(const Tally& tally) {
  for (std::size_t i = 0; i < tally.times.size(); ++i) {
    const QueryTime& time = tally.times[i];
    if (time.status == Status::Separated) {
      fmt::print("  query {}: {}\n", i, to_string(time.status));
    } else {
      fmt::print("  query {}: {}, [{:.17g}, {:.17g}]\n", i, to_string(time.status), time.lower, time.upper);
    }
  }
}

void print_tallies(const std::vector<Tally>& files, const Tally& total) {
  for (const Tally& file : files) {
    fmt::print("{} ({})\n", styled(file.path, Style::Bold), file.kind);
    fmt::print("  {}, {}; {}; {:.0f} ns per query; decided by {}\n", plural(file.queries, "query"),
               plural(file.contacts, "contact"), verdict(file), file.ns_per_query(), stages_text(file));
    if (file.out_of_budget > 0) fmt::print("  {} out of budget\n", plural(file.out_of_budget, "query"));
    print_times(file);
  }
  fmt::print("{}: {} in {}, {}; {}; {:.0f} ns per query; decided by {}\n", styled("total", Style::Bold),
             plural(total.queries, "query"), plural(files.size(), "file"), plural(total.contacts, "contact"),
             verdict(total), total.ns_per_query(), stages_text(total));
  if (total.passes.passes > 1) fmt::print("{}\n", pass_sentence(total.passes));
}

// What each stage left undecided, in the order of the pipeline.
Report queries_report(const std::vector<Tally>& files, const Tally& total,
                      const QueriesArguments& arguments) {
  Report report;
  report.query = "elementary";
  report.title = fmt::format("{} queries", total.kind);
  report.answer = fmt::format("{}, {}", plural(total.queries, "query"), plural(total.contacts, "contact"));
  if (total.has_truth) {
    report.answer += fmt::format(": {}, {}", plural(total.false_positives, "false positive"),
                                 plural(total.false_negatives, "false negative"));
  }
  report.answer += fmt::format(", {:.0f} ns per query.", total.ns_per_query());
  std::uint64_t left = total.queries;
  report.stages.push_back({"all queries", left, {}});
  for (int i = 0; i < impact_stage_count; ++i) {
    left -= total.stages[static_cast<std::size_t>(i)];
    report.stages.push_back({fmt::format("after {}", to_string(static_cast<ImpactStage>(i))), left, {}});
  }
  report.counts = {{"files", files.size()}, {"queries", total.queries}, {"contacts", total.contacts}};
  report.timings = {{"total", 1e3 * total.passes.least.clock}};
  report.options = {{"threads", std::to_string(arguments.threads)}};
  return report;
}

int run_queries(const QueriesArguments& arguments) {
  std::optional<FeaturePairKind> kind;
  for (const FeaturePairKind known : {FeaturePairKind::VertexFace, FeaturePairKind::EdgeEdge}) {
    if (arguments.kind == spelled(known)) kind = known;
  }
  const std::vector<QueryFile> files = find_query_files(arguments.paths, kind);
  std::vector<Tally> tallies;
  const TimeLimit limit(arguments.seconds);
  {
    const InterruptScope interrupts;
    Progress progress("files", files.size());
    for (const QueryFile& file : files) {
      if (interrupted() || limit.is_over()) break;
      const Expected<LinearQueries> queries = load_linear_queries(file.path);
      if (!queries) throw UsageError(queries.error().message);
      tallies.push_back(answer(file, *queries, arguments, limit));
      progress.advance();
    }
  }
  const Tally total = total_of(tallies);
  const bool stopped = tallies.size() < files.size();
  if (arguments.json) {
    JsonList list;
    for (const Tally& tally : tallies) list.add(tally_json(tally));
    JsonObject value;
    value.add("files", list).add("total", tally_json(total));
    if (stopped) value.add(interrupted() ? "interrupted" : "out_of_time", true);
    print_json(value);
  } else {
    print_tallies(tallies, total);
    if (stopped)
      fmt::print("{}: {} of {} answered.\n", interrupted() ? "Interrupted" : "Out of time", tallies.size(),
                 plural(files.size(), "file"));
  }
  if (arguments.output.wanted()) {
    write_outputs(arguments.output, queries_report(tallies, total, arguments),
                  arguments.json ? stderr : stdout);
  }
  return exit_code({.touches = total.contacts + total.out_of_budget > 0 || stopped,
                    .interrupted = stopped && interrupted()},
                   arguments.check);
}

}  // namespace

Command queries_command() {
  const auto arguments = std::make_shared<QueriesArguments>();
  Command command{.name = "queries", .description = "Answer files of vertex-face and edge-edge queries"};
  command.options = {
      {.names = "PATH",
       .target = &arguments->paths,
       .help = "CSV files, or folders searched for them",
       .required = true},
      {.names = "--kind",
       .target = &arguments->kind,
       .help = "What the files hold, where their names do not tell",
       .choices = {spelled(FeaturePairKind::VertexFace), spelled(FeaturePairKind::EdgeEdge)}},
      {.names = "--json", .target = &arguments->json, .help = "Print one JSON object"},
      {.names = "--times",
       .target = &arguments->times,
       .help = "Also print the bracket of each query's first contact"},
      {.names = "--boolean", .target = &arguments->options.boolean_only, .help = "Decide whether, not when"},
      {.names = "--minimum-distance",
       .target = &arguments->options.minimum_distance,
       .help = "Ask for coming this close instead",
       .least = 0.0},
      {.names = "--threads",
       .target = &arguments->threads,
       .help = "Number of threads, 0 = all cores",
       .shows_default = true,
       .least = 0.0,
       .most = 4096.0},
      repeat_option(arguments->repeat),
      seconds_option(arguments->seconds),
      check_option(arguments->check)};
  add_report_options(arguments->output, command, [arguments] {
    std::vector<std::string> files;
    for (const QueryFile& file : find_query_files(arguments->paths, FeaturePairKind::VertexFace))
      files.push_back(file.path);
    return files;
  });
  command.footer =
      "A file has 8 rows per query (4 points at t = 0, then at t = 1) of 6 or 7 whole numbers: x, y, z as\n"
      "numerator and denominator, and the truth (0 or 1) if known. Names or folders with vertex-face or vf,\n"
      "edge-edge or ee tell the kind. The time per query is that of the\n"
      "fastest pass by the clock and excludes reading.\n\n"
      "Examples:\n"
      "  toccata queries data/nyu\n"
      "  toccata queries --kind edge-edge --times a.csv\n"
      "  toccata queries --json data | python3 -m json.tool\n";
  command.run = [arguments] { return run_queries(*arguments); };
  return command;
}

}  // namespace toccata::app
