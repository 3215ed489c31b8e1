// Deforming meshes: the answer is checked, then timed. Prints tables and writes
// results/*.csv.
//   bench_deformable [--quick] [--results FOLDER]
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "deformable/base_tree.hpp"
#include "deformable/steps.hpp"

namespace toccata::bench {
namespace {

class Csv {
 public:
  Csv(const std::string& folder, const std::string& name, const std::string& header)
      : file_(std::fopen((folder + "/" + name).c_str(), "w")) {
    if (file_) fmt::print(file_, "{}\n", header);
  }
  ~Csv() {
    if (file_) std::fclose(file_);
  }
  Csv(const Csv&) = delete;
  Csv& operator=(const Csv&) = delete;
  template <typename... T>
  void row(fmt::format_string<T...> format, T&&... values) {
    const std::string line = fmt::format(format, std::forward<T>(values)...);
    if (file_) fmt::print(file_, "{}\n", line);
    fmt::print("{}\n", line);
  }

 private:
  std::FILE* file_;
};

std::vector<FeaturePair> pairs_of(const DeformableContacts& found) {
  std::vector<FeaturePair> pairs;
  for (const DeformableContact& c : found.contacts) pairs.push_back(c.pair);
  return pairs;
}

struct Timed {
  DeformableContacts found;  // of the fastest run
  double first_milliseconds = 0;
};

DeformableScene build(const Step& step, DeformableMethod method, int threads) {
  auto scene = DeformableScene::build(step.objects, {method, threads});
  if (!scene || !scene->update(step.t0, step.t1)) {
    fmt::print(stderr, "{}: cannot be built\n", step.name);
    std::exit(1);
  }
  return std::move(*scene);
}

Timed best_of(DeformableScene& scene, const Step& step, const DeformableOptions& options, int runs) {
  Timed best;
  for (int i = 0; i < runs; ++i) {
    if (!scene.update(step.t0, step.t1)) std::exit(1);
    DeformableContacts found = scene.all_contacts(options);
    if (i == 0 || found.stats.total_milliseconds < best.found.stats.total_milliseconds)
      best.found = std::move(found);
    const FirstContact first = scene.first_contact(options);
    if (i == 0 || first.stats.total_milliseconds < best.first_milliseconds) {
      best.first_milliseconds = first.stats.total_milliseconds;
    }
  }
  return best;
}

void query_table(const std::vector<Step>& steps, int runs, const std::string& folder) {
  fmt::print("\n# every contact of a step: methods and threads (ms, best of {})\n", runs);
  Csv csv(folder, "queries.csv",
          "scene,triangles,method,threads,update,cull,test,total,first_contact,"
          "contacts,elementary_tests,bytes_a_triangle");
  for (const Step& step : steps) {
    DeformableScene scene = build(step, DeformableMethod::Clusters, 1);
    const BaseResult base = run_base(step, scene);
    csv.row("{},{},base,1,{:.2f},{:.2f},{:.2f},{:.2f},,{},{},", step.name, step.triangles(),
            base.build_milliseconds, base.cull_milliseconds, base.test_milliseconds,
            base.build_milliseconds + base.cull_milliseconds + base.test_milliseconds, base.pairs.size(),
            base.elementary_tests);
    for (const auto& [name, method] : {std::pair{"clusters", DeformableMethod::Clusters},
                                       std::pair{"connectivity", DeformableMethod::Connectivity}}) {
      for (const int threads : {1, 2}) {
        DeformableScene contestant = build(step, method, threads);
        DeformableOptions options;
        options.threads = threads;
        const Timed best =
            best_of(contestant, step, options, method == DeformableMethod::Clusters ? runs : 2);
        if (pairs_of(best.found) != base.pairs) fmt::print("WRONG ANSWER: {} by {}\n", step.name, name);
        const DeformableStats& s = best.found.stats;
        std::int64_t tests = 0;
        for (const std::int64_t n : s.decided_by) tests += n;
        csv.row("{},{},{},{},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{},{},{:.0f}", step.name, step.triangles(),
                name, threads, s.update_milliseconds, s.cull_milliseconds, s.test_milliseconds,
                s.total_milliseconds, best.first_milliseconds, best.found.contacts.size(), tests,
                static_cast<double>(contestant.memory_bytes()) / static_cast<double>(step.triangles()));
      }
    }
  }
}

void stage_table(const std::vector<Step>& steps, const std::string& folder) {
  fmt::print("\n# what each stage leaves\n");
  Csv csv(folder, "stages.csv", "scene,method,stage,left");
  for (const Step& step : steps) {
    for (const auto& [name, method] : {std::pair{"clusters", DeformableMethod::Clusters},
                                       std::pair{"connectivity", DeformableMethod::Connectivity}}) {
      const DeformableScene scene = build(step, method, 0);
      for (const StageCount& s : scene.all_contacts().stats.stages) {
        csv.row("{},{},{},{}", step.name, name, s.name, s.count);
      }
    }
  }
  fmt::print("\n# Clusters with one stage switched off (one thread)\n");
  Csv off(folder, "stages_off.csv", "scene,off,total_ms,elementary_tests");
  const std::pair<const char*, bool DeformableStages::*> switches[] = {
      {"none", nullptr},
      {"relative_motion", &DeformableStages::relative_motion},
      {"tree", &DeformableStages::tree},
      {"spread_axes", &DeformableStages::spread_axes},
      {"feature_clip", &DeformableStages::feature_clip},
      {"row_axes", &DeformableStages::row_axes},
      {"pair_axes", &DeformableStages::pair_axes}};
  for (const Step& step : steps) {
    DeformableScene scene = build(step, DeformableMethod::Clusters, 1);
    std::vector<FeaturePair> truth;
    for (const auto& [name, member] : switches) {
      DeformableOptions options;
      options.threads = 1;
      if (member) options.stages.*member = false;
      const Timed best = best_of(scene, step, options, 2);
      if (!member) truth = pairs_of(best.found);
      if (pairs_of(best.found) != truth) fmt::print("WRONG ANSWER: {} without {}\n", step.name, name);
      std::int64_t tests = 0;
      for (const std::int64_t n : best.found.stats.decided_by) tests += n;
      off.row("{},{},{:.2f},{}", step.name, name, best.found.stats.total_milliseconds, tests);
    }
  }
}

void growth_table(bool quick, const std::string& folder) {
  fmt::print("\n# growth at constant density, one thread\n");
  Csv csv(folder, "growth.csv", "triangles,update_ms,total_ms,contacts,microseconds_a_triangle");
  for (int triangles = 1000; triangles <= (quick ? 64000 : 1024000); triangles *= 4) {
    const Step step = layered_cloth(triangles);
    DeformableScene scene = build(step, DeformableMethod::Clusters, 1);
    DeformableOptions options;
    options.threads = 1;
    const Timed best = best_of(scene, step, options, 3);
    const DeformableStats& s = best.found.stats;
    csv.row("{},{:.3f},{:.3f},{},{:.4f}", step.triangles(), s.update_milliseconds, s.total_milliseconds,
            best.found.contacts.size(), 1e3 * s.total_milliseconds / static_cast<double>(step.triangles()));
  }
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata::bench;
  bool quick = false;
  std::string folder = "benchmarks/deformable/results";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--quick") quick = true;
    if (argument == "--results" && i + 1 < argc) folder = argv[++i];
  }
  std::filesystem::create_directories(folder);
  std::vector<Step> steps;
  const std::string frames = std::string(TOCCATA_SHARED_DATA) + "/frames/";
  if (auto step = load_step("cloth-ball", frames + "cloth-ball/frames/cloth_ball92.ply",
                            frames + "cloth-ball/frames/cloth_ball93.ply")) {
    steps.push_back(std::move(*step));
  }
  if (auto step = load_step("cloth-funnel", frames + "cloth-funnel/frames/227.ply",
                            frames + "cloth-funnel/frames/228.ply")) {
    steps.push_back(std::move(*step));
  }
  steps.push_back(smooth_cloth(92000));
  steps.push_back(layered_cloth(20000));
  query_table(steps, quick ? 3 : 10, folder);
  stage_table(steps, folder);
  growth_table(quick, folder);
}
