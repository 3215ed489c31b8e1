// Deforming meshes: the answers are checked, then timed.
//   bench_deformable CSV
// writes the main table to CSV and the others beside it, as <name>_stages.csv, <name>_switches.csv and
// <name>_growth.csv.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "deformable/tables.hpp"

int main(int argc, char** argv) {
  using namespace toccata::bench;
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_deformable CSV\n");
    return 2;
  }
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
  query_table(steps, csv);
  stage_table(steps, name + "_stages.csv");
  switch_table(
      {steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(4, steps.size()))},
      name + "_switches.csv");
  growth_table(1024000, name + "_growth.csv");
}
