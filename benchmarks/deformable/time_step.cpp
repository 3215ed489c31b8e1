// One step, warm, best of n, one question: for profilers and for comparing two builds by processor time.
//   time_deformable [cloth-ball|cloth-funnel|smooth|layered] [all|first|boolean|update] [RUNS] [THREADS]
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>

#include "deformable/steps.hpp"

namespace toccata::bench {
namespace {

double wall_milliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double processor_milliseconds() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::optional<Step> step_named(const std::string& name) {
  const std::string frames = std::string(TOCCATA_SHARED_DATA) + "/frames/";
  if (name == "smooth") return smooth_cloth(92000);
  if (name == "layered") return layered_cloth(20000);
  if (name == "cloth-funnel") {
    return load_step(name, frames + "cloth-funnel/frames/227.ply", frames + "cloth-funnel/frames/228.ply");
  }
  return load_step(name, frames + "cloth-ball/frames/cloth_ball92.ply",
                   frames + "cloth-ball/frames/cloth_ball93.ply");
}

int run(const std::string& name, const std::string& question, int runs, int threads) {
  const auto step = step_named(name);
  if (!step) return 2;
  auto scene = DeformableScene::build(step->objects, {DeformableMethod::Clusters, threads});
  if (!scene) return 2;
  DeformableOptions options;
  options.threads = threads;
  options.boolean_only = question == "boolean";
  double best_update = 1e300, best_query = 1e300, best_processor = 1e300;
  DeformableStats stats;
  std::size_t contacts = 0;
  for (int i = 0; i < runs; ++i) {
    const double start = wall_milliseconds(), used = processor_milliseconds();
    if (!scene->update(step->t0, step->t1)) return 2;
    const double updated = wall_milliseconds();
    DeformableStats now;
    if (question == "first") {
      now = scene->safe_step(options).stats;
    } else if (question != "update") {
      auto found = scene->all_contacts(options);
      contacts = found.contacts.size();
      now = std::move(found.stats);
    }
    const double end = wall_milliseconds();
    best_update = std::min(best_update, updated - start);
    best_processor = std::min(best_processor, processor_milliseconds() - used);
    if (end - updated < best_query) {
      best_query = end - updated;
      stats = std::move(now);
    }
  }
  fmt::print(
      "{} {}: update {:.2f} ms, query {:.2f} ms (cull {:.2f}, test {:.2f}), processor {:.2f} ms, "
      "{} contacts, {:.0f} bytes per triangle\n",
      name, question, best_update, best_query, stats.cull_milliseconds, stats.test_milliseconds,
      best_processor, contacts,
      static_cast<double>(scene->memory_bytes()) / static_cast<double>(step->triangles()));
  for (const StageCount& s : stats.stages) fmt::print("  {:<28}{:>10}\n", s.name, s.count);
  for (int i = 0; i < impact_stage_count; ++i) {
    fmt::print("  decided by {:<17}{:>10}\n", to_string(static_cast<ImpactStage>(i)),
               stats.decided_by[static_cast<std::size_t>(i)]);
  }
  return 0;
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  const auto argument = [&](int i, const char* otherwise) {
    return std::string(i < argc ? argv[i] : otherwise);
  };
  return toccata::bench::run(argument(1, "cloth-ball"), argument(2, "all"), std::stoi(argument(3, "10")),
                             std::stoi(argument(4, "1")));
}
