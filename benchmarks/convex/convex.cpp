// Distance, depth and first contact of convex pairs beside Bullet (double) and FCL: every answer is held
// against long-double truth, then all contestants of a row are timed in turn, the least of seven passes (who
// takes more than five seconds has one), each right after an untimed one of its own; `ns_after_others` is the
// least of the latter, when the other contestants have just had the cache. Prints CSV. usage: bench_convex
// [GROUP...] with GROUP one of pairs, wrong, apart, casts, orbit, mesh; all without.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "runner.hpp"

namespace toccata::bench {
namespace {

constexpr int passes = 7;

struct Verdict {
  std::size_t wrong = 0;   // off by more than the row's tolerance, or no number; of casts: late
  std::size_t missed = 0;  // overlaps said to be apart; contacts not seen; pairs not seen to be apart
  std::size_t early =
      0;  // of casts: a contact said before it is there by more than the tolerance, or where none is
  double worst = 0.0;  // error among the numbers
};

// Overlaps and gaps below this are neither.
constexpr double touching = 1e-12;

Verdict judged(const Row& row, const std::vector<double>& answers) {
  Verdict v;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const double truth = row.truth[i], answer = answers[i];
    if (row.question == Question::Cast) {
      if (std::isnan(answer))
        ++v.wrong;
      else if (truth <= 1.0 && answer > 1.0)
        ++v.missed;
      else if (truth <= 1.0 && answer > truth + row.tolerance)
        ++v.wrong;
      else if (answer < std::min(truth, 1.0) - row.tolerance || (truth > 1.0 && answer <= 1.0))
        ++v.early;
      continue;
    }
    if (row.question == Question::Apart) {  // wrong: overlaps said to be apart; missed: not seen to be
      if (answer > 0.0 && !(truth > 0.0)) ++v.wrong;
      if (!(answer > 0.0) && truth > touching) ++v.missed;
      continue;
    }
    const double error = std::abs(answer - truth);
    if (!(error <= row.tolerance)) ++v.wrong;
    if (row.question == Question::Depth && truth < -touching && !(answer < 0.0)) ++v.missed;
    if (error < 1e29) v.worst = std::max(v.worst, error);
  }
  return v;
}

std::string question_of(const Row& row) {
  if (row.question == Question::Cast) return "cast";
  if (row.question == Question::Apart) return "apart";
  return row.question == Question::Depth ? "depth" : "distance";
}

void print(const Row& row, const Contestant& contestant, const PassTimes& least, const Verdict& v) {
  const double ns = least.again;
  const std::string who = contestant.name();
  std::printf("%s,%s,\"%s\",%s,%zu,", question_of(row).c_str(), row.kind.c_str(), row.name.c_str(),
              who.c_str(), row.cases.size());
  if (ns < 0.0) {
    std::printf(",,,,,,1,\n");
  } else {
    std::printf("%.*f,%zu,%zu,%zu,%.1e,%zu,0,%.*f\n", ns < 100.0 ? 1 : 0, ns, v.wrong, v.missed, v.early,
                v.worst, contestant.bytes(), least.after_others < 100.0 ? 1 : 0, least.after_others);
  }
  std::fflush(stdout);
}

// False if Toccata was wrong.
bool contest(const Row& row) {
  std::vector<std::unique_ptr<Contestant>> all = question_contestants();
  for (auto& c : kernel_contestants()) all.push_back(std::move(c));
#ifdef TOCCATA_HAVE_BULLET
  for (auto& c : bullet_contestants()) all.push_back(std::move(c));
#endif
#ifdef TOCCATA_HAVE_FCL
  for (auto& c : fcl_contestants()) all.push_back(std::move(c));
#endif
  struct Entry {
    Contestant* contestant;
    std::unique_ptr<Runner> runner;
    Verdict verdict;
    PassTimes least;
  };
  std::vector<Entry> entries;
  std::vector<double> answers(row.cases.size());
  for (const auto& contestant : all) {
    if (!contestant->can_answer(row)) continue;
    entries.push_back({contestant.get(), runner_of(*contestant, row), {}, {}});
    Entry& entry = entries.back();
    std::fill(answers.begin(), answers.end(), std::nan(""));
    entry.least = entry.runner->pass(answers);
    entry.verdict = judged(row, answers);
  }
  for (int p = 1; p < passes; ++p) {
    for (Entry& entry : entries) {
      PassTimes& least = entry.least;
      const bool is_slow = least.again * static_cast<double>(row.cases.size()) > 5e9;
      if (least.again < 0.0 || is_slow) continue;
      const PassTimes times = entry.runner->pass(answers);
      least = {std::min(least.again, times.again), std::min(least.after_others, times.after_others)};
    }
  }
  bool is_right = true;
  for (const Entry& entry : entries) {
    const std::string who = entry.contestant->name();
    print(row, *entry.contestant, entry.least, entry.verdict);
    if (who.starts_with("Toccata") && entry.verdict.wrong + entry.verdict.missed > 0) is_right = false;
  }
  return is_right;
}

bool run(const std::string& group) {
  bool is_right = true;
  const auto add = [&](const Row& row) { is_right = contest(row) && is_right; };
  if (group == "pairs") {
    for (const char* kind : {"box", "capsule", "hull50"}) {
      for (const char* name : {"apart", "near", "micro", "touch", "pen3", "pen1", "warm"})
        add(pair_row(kind, name));
    }
    for (const char* kind : {"hull500", "hull5000"}) {
      for (const char* name : {"apart", "near", "warm"}) add(pair_row(kind, name));
    }
  } else if (group == "wrong") {
    add(pair_row("box", "log", 250000));
    add(pair_row("box", "penlog", 250000));
    add(pair_row("hull50", "log", 60000));
  } else if (group == "casts") {
    for (const char* kind : {"box", "hull50"}) {
      for (const char* name : {"translate", "turn40", "turn170", "full"}) add(cast_row(kind, name));
    }
    for (const char* name : {"rod40", "rod170"}) add(cast_row("rod", name));
  } else if (group == "apart") {
    add(apart_row());
  } else if (group == "orbit") {
    for (const char* body : {"fat", "plate", "long"}) {
      for (const double radius : {2.02, 3.0}) {
        for (const double step : {1.0, 5.0, 20.0, 60.0}) add(orbit_row(body, radius, step));
      }
    }
  } else if (group == "mesh") {
    for (const char* kind : {"box", "hull50"}) add(mesh_row(kind));
    add(field_row());
  } else {
    std::fprintf(stderr, "bench_convex: unknown group '%s' (pairs, wrong, apart, casts, orbit or mesh)\n",
                 group.c_str());
    return false;
  }
  return is_right;
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  std::vector<std::string> groups(argv + 1, argv + argc);
  if (groups.empty()) groups = {"pairs", "wrong", "apart", "casts", "orbit", "mesh"};
  std::puts("question,kind,row,contestant,cases,ns,wrong,missed,early,worst,bytes,aborted,ns_after_others");
  bool is_right = true;
  for (const std::string& group : groups) is_right = toccata::bench::run(group) && is_right;
  if (!is_right) std::fprintf(stderr, "bench_convex: an answer of Toccata is wrong\n");
  return is_right ? 0 : 1;
}
