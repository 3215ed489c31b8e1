// One step, warm, best of n, one question: for profilers and for comparing two builds by processor time.
//   time_deformable [cloth-ball|cloth-funnel|smooth|layered|rolled|rods] [all|first|boolean|update|near|cold]
//   [RUNS] [THREADS]
//                   [DISTANCE]
// near: every pair that comes within DISTANCE of the size of the scene (0.001 if not given). cold: all
// contacts of the first step of a new scene, which is part of the update.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

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
  if (name == "rolled") return rolled_sheet(92000);
  if (name == "rods") return twisted_rods(92000);
  if (name == "cloth-funnel") {
    return load_step(name, frames + "cloth-funnel/frames/227.ply", frames + "cloth-funnel/frames/228.ply");
  }
  return load_step(name, frames + "cloth-ball/frames/cloth_ball92.ply",
                   frames + "cloth-ball/frames/cloth_ball93.ply");
}

double size_of(const Step& step) {
  Vector3 lower = step.t0.front(), upper = lower;
  for (const Vector3& p : step.t0) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  return (upper - lower).norm();
}

// Of pairs, times and places, in their order: two builds give the same answers where it is the same.
std::uint64_t digest_of(const std::vector<DeformableContact>& contacts) {
  std::uint64_t digest = 1469598103934665603U;
  const auto take = [&](std::uint64_t word) { digest = (digest ^ word) * 1099511628211U; };
  for (const DeformableContact& c : contacts) {
    take(static_cast<std::uint64_t>(c.pair.kind));
    take(static_cast<std::uint64_t>(c.pair.first) << 32U | static_cast<std::uint64_t>(c.pair.second));
    take(static_cast<std::uint64_t>(c.impact.status));
    for (const double x : {c.impact.lower, c.impact.upper, c.impact.point[0], c.impact.normal[0]})
      take(std::bit_cast<std::uint64_t>(x));
  }
  return digest;
}

int run(const std::string& name, const std::string& question, int runs, int threads, double distance) {
  const auto step = step_named(name);
  if (!step) return 2;
  auto scene = DeformableScene::build(step->objects, {DeformableMethod::Clusters, threads});
  if (!scene) return 2;
  DeformableOptions options;
  options.threads = threads;
  options.boolean_only = question == "boolean";
  if (question == "near") options.minimum_distance = distance * size_of(*step);
  double best_update = 1e300, best_query = 1e300, best_processor = 1e300;
  DeformableStats stats;
  std::size_t contacts = 0;
  std::uint64_t digest = 0;
  for (int i = 0; i < runs; ++i) {
    const double start = wall_milliseconds(), used = processor_milliseconds();
    if (question == "cold")
      scene = DeformableScene::build(step->objects, {DeformableMethod::Clusters, threads});
    if (!scene->update(step->t0, step->t1)) return 2;
    const double updated = wall_milliseconds();
    DeformableStats now;
    if (question == "first") {
      now = scene->safe_step(options).stats;
    } else if (question != "update") {
      auto found = scene->all_contacts(options);
      contacts = found.contacts.size();
      if (i + 1 == runs) digest = digest_of(found.contacts);
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
      "{} contacts ({:016x}), {:.0f} bytes per triangle\n",
      name, question, best_update, best_query, stats.cull_milliseconds, stats.test_milliseconds,
      best_processor, contacts, digest,
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
                             std::stoi(argument(4, "1")), std::stod(argument(5, "0.001")));
}
