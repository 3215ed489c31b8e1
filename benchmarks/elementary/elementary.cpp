// Elementary impact queries: the library's ways to ask against a plain floating cubic solver and pure exact
// arithmetic. Answers are checked before anything is timed.
//
//   elementary [--count N] [--rounds N] [--data DIR] [--csv FILE]
//   elementary --only NAME --count N      one contestant alone, unchecked: for a profiler
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "elementary/cubic_solver.hpp"
#include "elementary/simulation_queries.hpp"
#include "oracle/impact_oracle.hpp"
#include "oracle/public_queries.hpp"
#include "toccata/impact/linear_motion_columns.hpp"

namespace toccata {
namespace {

struct Settings {
  std::size_t count = 1000000;
  int rounds = 7;
  std::string only, data = TOCCATA_SHARED_DATA, csv;
};

// One set of queries, as structures and as columns.
struct QuerySet {
  std::string name;
  FeaturePairKind pair;
  std::vector<LinearMotion4> motions;
  LinearMotionColumns columns;
  std::vector<char> truth;  // of every query, once checked
};

QuerySet make_set(std::string name, FeaturePairKind pair, std::vector<LinearMotion4> motions) {
  LinearMotionColumns columns(motions);
  return {std::move(name), pair, std::move(motions), std::move(columns), {}};
}

// Answers all queries of a set; the number of contacts, and which ones if asked.
using Answer = std::function<std::size_t(const QuerySet&, std::vector<char>*)>;
struct Contestant {
  std::string name;
  Answer answer;
  std::size_t limit;  // at most so many queries are timed
};

template <typename Ask>
std::size_t one_by_one(const QuerySet& set, std::vector<char>* contacts, Ask&& ask) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < set.motions.size(); ++i) {
    const bool contact = ask(set.motions[i]);
    found += contact;
    if (contacts != nullptr) (*contacts)[i] = contact;
  }
  return found;
}

Answer single_call(bool boolean_only) {
  return [boolean_only](const QuerySet& set, std::vector<char>* contacts) {
    LinearImpactOptions options;
    options.boolean_only = boolean_only;
    if (set.pair == FeaturePairKind::VertexFace) {
      return one_by_one(set, contacts, [&](const LinearMotion4& m) {
        return vertex_face_impact(m, options).status != Status::Separated;
      });
    }
    return one_by_one(set, contacts, [&](const LinearMotion4& m) {
      return edge_edge_impact(m, options).status != Status::Separated;
    });
  };
}

Answer batch_call(bool boolean_only) {
  return [boolean_only](const QuerySet& set, std::vector<char>* contacts) {
    LinearImpactOptions options;
    options.boolean_only = boolean_only;
    const LinearImpactBatchResult result = set.pair == FeaturePairKind::VertexFace
                                               ? vertex_face_impacts(set.columns.batch(), options, 1)
                                               : edge_edge_impacts(set.columns.batch(), options, 1);
    if (contacts != nullptr) {
      for (std::uint32_t i : result.indices) (*contacts)[i] = 1;
    }
    return result.indices.size();
  };
}

std::size_t cubic_call(const QuerySet& set, std::vector<char>* contacts) {
  if (set.pair == FeaturePairKind::VertexFace) {
    return one_by_one(set, contacts, [](const LinearMotion4& m) { return cubic_vertex_face(m).has_value(); });
  }
  return one_by_one(set, contacts, [](const LinearMotion4& m) { return cubic_edge_edge(m).has_value(); });
}

std::size_t exact_call(const QuerySet& set, std::vector<char>* contacts) {
  return one_by_one(set, contacts,
                    [&](const LinearMotion4& m) { return oracle::features_touch(set.pair, m); });
}

std::vector<Contestant> contestants() {
  const std::size_t all = ~std::size_t(0);
  return {{"cubic", cubic_call, all},
          {"boolean", single_call(true), all},
          {"bracket", single_call(false), all},
          {"batch_boolean", batch_call(true), all},
          {"batch_bracket", batch_call(false), all},
          {"exact", exact_call, 4000}};
}

std::vector<QuerySet> simulation_sets(std::size_t count) {
  std::vector<QuerySet> sets;
  sets.push_back(make_set("simulation_vf", FeaturePairKind::VertexFace,
                          simulation_queries(FeaturePairKind::VertexFace, count, 1)));
  sets.push_back(make_set("simulation_ee", FeaturePairKind::EdgeEdge,
                          simulation_queries(FeaturePairKind::EdgeEdge, count, 2)));
  return sets;
}

std::vector<QuerySet> degenerate_sets(const std::string& data) {
  std::vector<LinearMotion4> faces, edges;
  std::vector<char> face_truth, edge_truth;
  for (const oracle::QuerySet& set : oracle::degenerate_queries(data + "/queries/nyu")) {
    const bool vf = set.pair == FeaturePairKind::VertexFace;
    (vf ? faces : edges).insert((vf ? faces : edges).end(), set.motions.begin(), set.motions.end());
    (vf ? face_truth : edge_truth)
        .insert((vf ? face_truth : edge_truth).end(), set.truth.begin(), set.truth.end());
  }
  if (faces.empty() && edges.empty()) return {};
  std::vector<QuerySet> sets;
  sets.push_back(make_set("degenerate_vf", FeaturePairKind::VertexFace, std::move(faces)));
  sets.push_back(make_set("degenerate_ee", FeaturePairKind::EdgeEdge, std::move(edges)));
  sets[0].truth = std::move(face_truth);
  sets[1].truth = std::move(edge_truth);
  return sets;
}

struct Row {
  std::string set, contestant;
  std::size_t queries = 0, contacts = 0, false_positives = 0, false_negatives = 0;
  double ns = 0, max_ns = 0, ratio = 0;
};

// The truth where it is not given: the library's Boolean, with the oracle's word on every query on which two
// contestants differ and on some thousand others.
void establish_truth(QuerySet& set, const std::vector<std::vector<char>>& answers) {
  const std::vector<char>& library = answers[1];
  const bool known = !set.truth.empty();
  if (!known) set.truth = library;
  const std::size_t stride = std::max<std::size_t>(1, set.motions.size() / 4000);
  for (std::size_t i = 0; i < set.motions.size(); ++i) {
    bool differ = false;
    for (const auto& answer : answers) differ = differ || (!answer.empty() && answer[i] != library[i]);
    if (!known && (differ || i % stride == 0)) {
      set.truth[i] = oracle::features_touch(set.pair, set.motions[i]);
    }
  }
}

// The processor time of this thread: all contestants run on one, and a busy machine does not count.
double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds(const std::function<void()>& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

std::vector<Row> run_set(QuerySet& set, const std::vector<Contestant>& all, int rounds) {
  std::vector<std::vector<char>> answers(all.size());
  std::vector<Row> rows(all.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all[c].limit < set.motions.size()) continue;
    answers[c].resize(set.motions.size());
    all[c].answer(set, &answers[c]);
  }
  establish_truth(set, answers);
  for (std::size_t c = 0; c < all.size(); ++c) {
    rows[c].set = set.name;
    rows[c].contestant = all[c].name;
    rows[c].queries = std::min(all[c].limit, set.motions.size());
    for (std::size_t i = 0; i < answers[c].size(); ++i) {
      rows[c].contacts += answers[c][i] != 0;
      rows[c].false_positives += answers[c][i] != 0 && set.truth[i] == 0;
      rows[c].false_negatives += answers[c][i] == 0 && set.truth[i] != 0;
    }
    if (all[c].name != "cubic" && rows[c].false_positives + rows[c].false_negatives > 0) {
      std::fprintf(stderr, "%s answers %s wrongly; nothing is timed\n", all[c].name.c_str(),
                   set.name.c_str());
      std::exit(1);
    }
  }
  // Rounds are interleaved, so that a slow moment of the machine meets every contestant.
  QuerySet some;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t c = 0; c < all.size(); ++c) {
      const bool limited = all[c].limit < set.motions.size();
      if (limited && round > 1) continue;
      if (limited && some.motions.empty()) {
        const auto first = set.motions.begin();
        some = make_set(set.name, set.pair, {first, first + static_cast<std::ptrdiff_t>(all[c].limit)});
      }
      const QuerySet& queries = limited ? some : set;
      const double ns = 1e9 * seconds([&] { rows[c].contacts = all[c].answer(queries, nullptr); }) /
                        static_cast<double>(queries.motions.size());
      rows[c].ns = round == 0 ? ns : std::min(rows[c].ns, ns);
    }
  }
  for (Row& row : rows) row.ratio = row.ns / rows[0].ns;
  return rows;
}

// The slowest query when asked alone, each the best of a few tries.
double slowest_query(const QuerySet& set, const Contestant& contestant, int tries) {
  double worst = 0;
  for (const LinearMotion4& motion : set.motions) {
    const QuerySet one = make_set(set.name, set.pair, {motion});
    double best = 1e9;
    for (int i = 0; i < tries; ++i) best = std::min(best, seconds([&] { contestant.answer(one, nullptr); }));
    worst = std::max(worst, best);
  }
  return 1e9 * worst;
}

void print_stages(const QuerySet& set) {
  const auto result = set.pair == FeaturePairKind::VertexFace ? vertex_face_impacts(set.columns.batch())
                                                              : edge_edge_impacts(set.columns.batch());
  std::array<std::size_t, impact_stage_count> counts{};
  for (ImpactStage stage : result.stages) ++counts[static_cast<std::size_t>(stage)];
  std::printf("%-14s decided by", set.name.c_str());
  for (int i = 0; i < impact_stage_count; ++i) {
    const double share = 100.0 * static_cast<double>(counts[static_cast<std::size_t>(i)]) /
                         static_cast<double>(set.motions.size());
    std::printf("  %s %.4g%%", std::string(to_string(static_cast<ImpactStage>(i))).c_str(), share);
  }
  std::printf("\n");
}

void print_table(const std::vector<Row>& rows) {
  std::printf("%-14s %-14s %9s %9s %5s %5s %12s %8s %12s\n", "set", "contestant", "queries", "contacts", "FP",
              "FN", "ns/query", "/cubic", "slowest, us");
  for (const Row& r : rows) {
    std::printf("%-14s %-14s %9zu %9zu %5zu %5zu %12.1f %8.2f ", r.set.c_str(), r.contestant.c_str(),
                r.queries, r.contacts, r.false_positives, r.false_negatives, r.ns, r.ratio);
    if (r.max_ns > 0) {
      std::printf("%12.1f\n", r.max_ns / 1000);
    } else {
      std::printf("%12s\n", "-");
    }
  }
}

void write_csv(const std::string& path, const std::vector<Row>& rows) {
  std::FILE* out = std::fopen(path.c_str(), "w");
  if (out == nullptr) {
    std::fprintf(stderr, "cannot write %s\n", path.c_str());
    std::exit(2);
  }
  std::fprintf(out,
               "set,contestant,queries,contacts,false_positives,false_negatives,ns_per_query,ratio_to_cubic,"
               "slowest_ns\n");
  for (const Row& r : rows) {
    std::fprintf(out, "%s,%s,%zu,%zu,%zu,%zu,%.2f,%.3f,%.0f\n", r.set.c_str(), r.contestant.c_str(),
                 r.queries, r.contacts, r.false_positives, r.false_negatives, r.ns, r.ratio, r.max_ns);
  }
  std::fclose(out);
}

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (option == "--count")
      settings.count = static_cast<std::size_t>(std::atoll(value.c_str()));
    else if (option == "--rounds")
      settings.rounds = std::atoi(value.c_str());
    else if (option == "--only")
      settings.only = value;
    else if (option == "--data")
      settings.data = value;
    else if (option == "--csv")
      settings.csv = value;
    else {
      std::fprintf(stderr,
                   "usage: elementary [--count N] [--rounds N] [--data DIR] [--csv FILE] [--only NAME]\n");
      std::exit(2);
    }
  }
  return settings;
}

int run_alone(const Settings& settings) {
  for (const Contestant& contestant : contestants()) {
    if (contestant.name != settings.only) continue;
    for (const QuerySet& set : simulation_sets(settings.count)) {
      std::printf("%s %s: %zu contacts\n", contestant.name.c_str(), set.name.c_str(),
                  contestant.answer(set, nullptr));
    }
    return 0;
  }
  std::fprintf(stderr, "no contestant is called %s\n", settings.only.c_str());
  return 2;
}

int run(const Settings& settings) {
  if (!settings.only.empty()) return run_alone(settings);
  const std::vector<Contestant> all = contestants();
  std::vector<Row> rows;
  for (QuerySet& set : simulation_sets(settings.count)) {
    print_stages(set);
    for (Row& row : run_set(set, all, settings.rounds)) rows.push_back(row);
  }
  for (QuerySet& set : degenerate_sets(settings.data)) {
    print_stages(set);
    std::vector<Row> more = run_set(set, all, 3 * settings.rounds);
    for (std::size_t c = 0; c < all.size(); ++c) {
      const bool single = all[c].name == "cubic" || all[c].name == "boolean" || all[c].name == "bracket";
      if (single) more[c].max_ns = slowest_query(set, all[c], 5);
      rows.push_back(more[c]);
    }
  }
  print_table(rows);
  if (!settings.csv.empty()) write_csv(settings.csv, rows);
  return 0;
}

}  // namespace
}  // namespace toccata

int main(int argc, char** argv) {
  return toccata::run(toccata::parse(argc, argv));
}
