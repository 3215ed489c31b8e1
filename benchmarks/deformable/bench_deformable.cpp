// Deforming meshes: the answers are checked, then timed.
//   bench_deformable CSV
// writes the main table to CSV and the others beside it, as <name>_<table>.csv. With names of tables
//   bench_deformable CSV orphans topology
// it writes only those: steps, stages, switches, growth, threads, orphans, topology.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "deformable/tables.hpp"

int main(int argc, char** argv) {
  using namespace toccata::bench;
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_deformable CSV [TABLE...]\n");
    return 2;
  }
  const std::vector<std::string> tables(argv + 2, argv + argc);
  const auto wanted = [&](const char* table) {
    return tables.empty() || std::find(tables.begin(), tables.end(), table) != tables.end();
  };
  const std::string csv = argv[1];
  const std::string name = csv.substr(0, csv.rfind(".csv"));
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
  steps.push_back(scene_step("cloth-ball", 20000, 40));
  steps.push_back(scene_step("skirt", 20000, 40));
  steps.push_back(scene_step("balls", 34000, 40));
  steps.push_back(scene_step("letters", 5000, 40));
  steps.push_back(scene_step("breaking", 60000, 30));
  steps.push_back(scene_step("ruffles", 20000, 40));
  const std::vector<Step> some = {
      steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(4, steps.size()))};
  if (wanted("steps")) query_table(steps, csv);
  if (wanted("stages")) stage_table(steps, name + "_stages.csv");
  if (wanted("orphans")) orphan_table(steps, name + "_orphans.csv");
  if (wanted("topology")) topology_table(steps.front(), name + "_topology.csv");
  if (wanted("switches")) switch_table(some, name + "_switches.csv");
  if (wanted("threads")) threads_table(some, name + "_threads.csv");
  if (wanted("growth")) growth_table(1024000, name + "_growth.csv");
}
