// Medial proxies: the paper's tables and figures with bodies of libcgal-demo and of scenes. Prints CSV.
//   bench_medial proxies|scenes|quality|times|trees|speed FOLDER_OF_MESHES
//   bench_medial links FOLDER_OF_LINKS ERROR            spheres of a robot's links, and a lower bound
//   bench_medial check MOTIONS STEPS SEED               outer <= truth <= inner; fails if any is violated
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "groups.hpp"

int main(int argc, char** argv) {
  using namespace toccata::bench;
  const std::string_view group = argc > 2 ? argv[1] : "";
  const std::string folder = argc > 2 ? argv[2] : "";
  if (group == "proxies") return measure_proxies(folder);
  if (group == "scenes") return measure_scenes(folder);
  if (group == "quality") return measure_quality(folder);
  if (group == "times") return measure_times(folder);
  if (group == "trees") return measure_trees(folder);
  if (group == "speed") return measure_speed(folder);
  if (group == "links" && argc > 3) return measure_links(folder, std::atof(argv[3]));
  if (group == "check" && argc > 4)
    return check_times(std::atoi(argv[2]), std::atoi(argv[3]),
                       static_cast<std::uint64_t>(std::atoll(argv[4])));
  std::fprintf(stderr, "usage: bench_medial proxies|scenes|quality|times|trees|speed FOLDER\n");
  return 2;
}
