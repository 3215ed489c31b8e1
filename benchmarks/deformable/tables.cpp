#include "deformable/tables.hpp"

#include <algorithm>
#include <ctime>
#include <span>
#include <thread>

#include "deformable/base_tree.hpp"
#include "deformable/csv.hpp"

namespace toccata::bench {
namespace {

struct Timed {
  DeformableContacts found;  // of the fastest run
  double update = 1e300, first = 1e300;
  double processor = 1e300;  // time of all processors for update and all contacts
};

// Warm: the structures are there, update refits them.
Timed best_of(DeformableScene& scene, const Step& step, const DeformableOptions& options, int runs,
              bool with_first) {
  Timed best;
  for (int i = 0; i < runs; ++i) {
    const std::clock_t start = std::clock();
    const auto updated = scene.update(step.t0, step.t1);
    if (!updated) std::exit(2);
    best.update = std::min(best.update, updated->milliseconds);
    DeformableContacts found = scene.all_contacts(options);
    best.processor =
        std::min(best.processor, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    if (i == 0 || found.stats.total_milliseconds < best.found.stats.total_milliseconds) {
      best.found = std::move(found);
    }
    if (with_first) best.first = std::min(best.first, scene.safe_step(options).stats.total_milliseconds);
  }
  return best;
}

}  // namespace

void query_table(const std::vector<Step>& steps, const std::string& path) {
  Csv csv(path,
          "scene,triangles,method,threads,update,cull,test,total,first_contact,contacts,elementary_tests,"
          "bytes_per_triangle,processor");
  for (const Step& step : steps) {
    const BaseResult base = run_base(step, build(step, DeformableMethod::Clusters, 1));
    csv.row("{},{},base,1,{:.2f},{:.2f},{:.2f},{:.2f},,{},{},,", step.name, step.triangles(),
            base.build_milliseconds, base.cull_milliseconds, base.test_milliseconds,
            base.build_milliseconds + base.cull_milliseconds + base.test_milliseconds, base.pairs.size(),
            base.elementary_tests);
    for (const auto& [name, method] : methods) {
      for (const int threads : {1, 2}) {
        DeformableScene scene = build(step, method, threads);
        DeformableOptions options;
        options.threads = threads;
        check(pairs_of(scene.all_contacts(options)) == base.pairs, step.name, name);
        const Timed best = best_of(scene, step, options, method == DeformableMethod::Clusters ? 15 : 2, true);
        const DeformableStats& s = best.found.stats;
        csv.row("{},{},{},{},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{},{},{:.0f},{:.2f}", step.name,
                step.triangles(), name, threads, best.update, s.cull_milliseconds, s.test_milliseconds,
                s.total_milliseconds, best.first, best.found.contacts.size(), tests_of(s),
                static_cast<double>(scene.memory_bytes()) / static_cast<double>(step.triangles()),
                best.processor);
      }
    }
  }
}

void stage_table(const std::vector<Step>& steps, const std::string& path) {
  Csv csv(path, "scene,method,stage,left");
  for (const Step& step : steps) {
    for (const auto& [name, method] : methods) {
      const DeformableStats stats = build(step, method, 0).all_contacts().stats;
      for (const StageCount& s : stats.stages) csv.row("{},{},{},{}", step.name, name, s.name, s.count);
      for (int i = 0; i < impact_stage_count; ++i) {
        csv.row("{},{},decided_by_{},{}", step.name, name, to_string(static_cast<ImpactStage>(i)),
                stats.decided_by[static_cast<std::size_t>(i)]);
      }
    }
  }
}

namespace {

using Switch = std::pair<const char*, bool DeformableStages::*>;

constexpr Switch cluster_switches[] = {{"none", nullptr},
                                       {"relative_motion", &DeformableStages::relative_motion},
                                       {"tree", &DeformableStages::tree},
                                       {"spread_axes", &DeformableStages::spread_axes},
                                       {"feature_clip", &DeformableStages::feature_clip},
                                       {"row_axes", &DeformableStages::row_axes},
                                       {"pair_axes", &DeformableStages::pair_axes},
                                       {"coplanarity", &DeformableStages::coplanarity}};
constexpr Switch connectivity_switches[] = {
    {"none", nullptr},
    {"relative_motion", &DeformableStages::relative_motion},
    {"normal_cones", &DeformableStages::normal_cones},
    {"representative_triangles", &DeformableStages::representative_triangles},
    {"orphan_sets", &DeformableStages::orphan_sets},
    {"restructuring", &DeformableStages::restructuring}};

void switch_rows(Csv& csv, const Step& step, const char* method, DeformableScene& scene,
                 std::span<const Switch> switches) {
  std::vector<FeaturePair> truth;
  const auto row = [&](const char* off, const DeformableStages& stages) {
    DeformableOptions options;
    options.threads = 1;
    options.stages = stages;
    const Timed best = best_of(scene, step, options, 3, false);
    if (truth.empty()) truth = pairs_of(best.found);
    check(pairs_of(best.found) == truth, step.name, off);
    csv.row("{},{},{},{:.2f},{}", step.name, method, off, best.found.stats.total_milliseconds,
            tests_of(best.found.stats));
  };
  DeformableStages all_off;
  for (const auto& [off, member] : switches) {
    DeformableStages stages;
    if (member) stages.*member = all_off.*member = false;
    row(off, stages);
  }
  row("all", all_off);
}

}  // namespace

void switch_table(const std::vector<Step>& steps, const std::string& path) {
  Csv csv(path, "scene,method,off,total,elementary_tests");
  for (const Step& step : steps) {
    DeformableScene clusters = build(step, DeformableMethod::Clusters, 1);
    switch_rows(csv, step, "clusters", clusters, cluster_switches);
    DeformableScene connectivity = build(step, DeformableMethod::Connectivity, 1);
    switch_rows(csv, step, "connectivity", connectivity, connectivity_switches);
  }
}

void threads_table(const std::vector<Step>& steps, const std::string& path) {
  Csv csv(path, "scene,method,threads,total,speedup");
  const int most = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
  for (const Step& step : steps) {
    for (const auto& [name, method] : methods) {
      double alone = 0;
      for (int threads = 1; threads <= most;
           threads = threads < most ? std::min(2 * threads, most) : most + 1) {
        DeformableScene scene = build(step, method, threads);
        DeformableOptions options;
        options.threads = threads;
        const double total = best_of(scene, step, options, 5, false).found.stats.total_milliseconds;
        if (threads == 1) alone = total;
        csv.row("{},{},{},{:.2f},{:.2f}", step.name, name, threads, total, alone / total);
      }
    }
  }
}

void growth_table(int most_triangles, const std::string& path) {
  Csv csv(path, "triangles,update,total,contacts,microseconds_per_triangle");
  for (int triangles = 1000; triangles <= most_triangles; triangles *= 4) {
    const Step step = layered_cloth(triangles);
    DeformableScene scene = build(step, DeformableMethod::Clusters, 1);
    DeformableOptions options;
    options.threads = 1;
    const Timed best = best_of(scene, step, options, triangles < 100000 ? 10 : 3, false);
    const double total = best.found.stats.total_milliseconds;
    csv.row("{},{:.3f},{:.3f},{},{:.4f}", step.triangles(), best.update, total, best.found.contacts.size(),
            1e3 * total / static_cast<double>(step.triangles()));
  }
}

}  // namespace toccata::bench
