// toccata queries PATH...: answers collections of vertex-face and edge-edge queries and checks the answers
// where the files know them.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.hpp"
#include "ending.hpp"
#include "interrupt.hpp"
#include "query_files.hpp"
#include "report_options.hpp"
#include "terminal.hpp"
#include "toccata/io/query_io.hpp"

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
  LinearImpactOptions options;
  ReportOptions output;
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
  double seconds = 0;
  std::array<std::size_t, impact_stage_count> stages{};
  nlohmann::json times;  // with --times

  double ns_per_query() const { return queries == 0 ? 0.0 : 1e9 * seconds / static_cast<double>(queries); }
};

bool is_contact(const Impact& impact) {
  return impact.status == Status::Contact || impact.status == Status::OverlapAtStart;
}

nlohmann::json times_json(const LinearImpactBatchResult& result, std::size_t queries) {
  nlohmann::json times = nlohmann::json::array();
  std::size_t next = 0;
  for (std::size_t i = 0; i < queries; ++i) {
    if (next < result.indices.size() && result.indices[next] == i) {
      const Impact& impact = result.impacts[next++];
      times.push_back(
          {{"status", to_string(impact.status)}, {"lower", impact.lower}, {"upper", impact.upper}});
    } else {
      times.push_back({{"status", to_string(Status::Separated)}});
    }
  }
  return times;
}

Tally answer(const QueryFile& file, const LinearQueries& queries, const QueriesArguments& arguments) {
  const auto answer_all = file.kind == FeaturePairKind::VertexFace ? vertex_face_impacts : edge_edge_impacts;
  const LinearMotionBatch batch = queries.batch();
  Tally tally;
  tally.path = file.path;
  tally.kind = spelled(file.kind);
  tally.queries = queries.size();
  tally.seconds = std::numeric_limits<double>::infinity();
  LinearImpactBatchResult result;
  for (int i = 0; i < arguments.repeat && (i == 0 || !interrupted()); ++i) {
    const auto start = std::chrono::steady_clock::now();
    result = answer_all(batch, arguments.options, arguments.threads);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    tally.seconds = std::min(tally.seconds, taken.count());
  }
  for (const ImpactStage stage : result.stages) ++tally.stages[static_cast<std::size_t>(stage)];
  std::vector<bool> contact(queries.size(), false);
  for (std::size_t i = 0; i < result.indices.size(); ++i) {
    contact[result.indices[i]] = is_contact(result.impacts[i]);
    tally.contacts += is_contact(result.impacts[i]);
    tally.out_of_budget += result.impacts[i].status == Status::OutOfBudget;
  }
  tally.has_truth = !queries.truth.empty();
  for (std::size_t i = 0; i < queries.truth.size(); ++i) {
    tally.false_positives += contact[i] && queries.truth[i] == 0;
    tally.false_negatives += !contact[i] && queries.truth[i] == 1;
  }
  if (arguments.times) tally.times = times_json(result, queries.size());
  return tally;
}

Tally total_of(const std::vector<Tally>& files) {
  Tally total;
  total.path = "total";
  for (const Tally& file : files) {
    total.kind = total.kind.empty() || total.kind == file.kind ? file.kind : "mixed";
    total.queries += file.queries;
    total.contacts += file.contacts;
    total.out_of_budget += file.out_of_budget;
    total.has_truth = total.has_truth || file.has_truth;
    total.false_positives += file.false_positives;
    total.false_negatives += file.false_negatives;
    total.seconds += file.seconds;
    for (std::size_t i = 0; i < total.stages.size(); ++i) total.stages[i] += file.stages[i];
  }
  return total;
}

nlohmann::json to_json(const Tally& tally) {
  nlohmann::json stages = nlohmann::json::object();
  for (int i = 0; i < impact_stage_count; ++i) {
    stages[std::string(to_string(static_cast<ImpactStage>(i)))] = tally.stages[static_cast<std::size_t>(i)];
  }
  nlohmann::json value = {{"path", tally.path},
                          {"kind", tally.kind},
                          {"queries", tally.queries},
                          {"contacts", tally.contacts},
                          {"false_positives", nullptr},
                          {"false_negatives", nullptr},
                          {"ns_per_query", tally.ns_per_query()},
                          {"stages", stages}};
  if (tally.has_truth) {
    value["false_positives"] = tally.false_positives;
    value["false_negatives"] = tally.false_negatives;
  }
  if (tally.out_of_budget > 0) value["out_of_budget"] = tally.out_of_budget;
  if (!tally.times.is_null()) value["times"] = tally.times;
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
    const nlohmann::json& time = tally.times[i];
    const std::string status = time["status"];
    if (time.contains("lower")) {
      fmt::print("  query {}: {}, [{:.17g}, {:.17g}]\n", i, status, time["lower"].get<double>(),
                 time["upper"].get<double>());
    } else {
      fmt::print("  query {}: {}\n", i, status);
    }
  }
}

void print_text(const std::vector<Tally>& files, const Tally& total) {
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
}

// What each stage left undecided, in the order of the pipeline.
Report report_of(const std::vector<Tally>& files, const Tally& total, const QueriesArguments& arguments) {
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
  report.timings = {{"total", 1e3 * total.seconds}};
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
  {
    const InterruptScope interrupts;
    Progress progress("files", files.size());
    for (const QueryFile& file : files) {
      if (interrupted()) break;
      const Expected<LinearQueries> queries = load_linear_queries(file.path);
      if (!queries) throw UsageError(queries.error().message);
      tallies.push_back(answer(file, *queries, arguments));
      progress.advance();
    }
  }
  const Tally total = total_of(tallies);
  const bool stopped = tallies.size() < files.size();
  if (arguments.json) {
    nlohmann::json value = {{"files", nlohmann::json::array()}, {"total", to_json(total)}};
    for (const Tally& tally : tallies) value["files"].push_back(to_json(tally));
    if (stopped) value["interrupted"] = true;
    print_json(value);
  } else {
    print_text(tallies, total);
    if (stopped)
      fmt::print("Interrupted: {} of {} answered.\n", tallies.size(), plural(files.size(), "file"));
  }
  if (arguments.output.wanted()) {
    write_outputs(arguments.output, report_of(tallies, total, arguments), arguments.json ? stderr : stdout);
  }
  return exit_code({.touches = total.contacts + total.out_of_budget > 0, .interrupted = stopped},
                   arguments.check);
}

}  // namespace

void add_queries_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("queries", "Answer files of vertex-face and edge-edge queries");
  auto arguments = std::make_shared<QueriesArguments>();
  command->add_option("PATH", arguments->paths, "CSV files, or folders searched for them")->required();
  command->add_option("--kind", arguments->kind, "What the files hold, where their names do not tell")
      ->check(CLI::IsMember({spelled(FeaturePairKind::VertexFace), spelled(FeaturePairKind::EdgeEdge)}));
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->add_flag("--times", arguments->times, "Also print the bracket of each query's first contact");
  command->add_flag("--boolean", arguments->options.boolean_only, "Decide whether, not when");
  command
      ->add_option("--minimum-distance", arguments->options.minimum_distance,
                   "Ask for coming this close instead")
      ->check(finite_at_least(0));
  command->add_option("--threads", arguments->threads, "Number of threads, 0 = all cores")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command->add_option("--repeat", arguments->repeat, "Answer so often; the fastest time counts")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_check_option(*command, arguments->check);
  add_report_options(*command, arguments->output);
  command->footer(
      "A file has 8 rows per query (4 points at t = 0, then at t = 1) of 6 or 7 whole numbers: x, y, z as\n"
      "numerator and denominator, and the truth (0 or 1) if known. Names or folders with vertex-face or vf,\n"
      "edge-edge or ee tell the kind. The time per query excludes reading.\n\n"
      "Examples:\n"
      "  toccata queries data/nyu\n"
      "  toccata queries --kind edge-edge --times a.csv\n"
      "  toccata queries --json data | python3 -m json.tool\n");
  command->callback([arguments, &run] { run = [arguments] { return run_queries(*arguments); }; });
}

}  // namespace toccata::app
