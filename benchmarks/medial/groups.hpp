#pragma once
// What bench_medial measures: each group prints CSV, its first line the names of the columns.
#include <cstdint>
#include <string>

namespace toccata::bench {

// Certified errors of proxies by number of balls and of primitives (the paper's Table 3), with build times.
int measure_proxies(const std::string& folder);
// Multi-bodies on pillars, two dragons, rings on a spider (Tables 1 and 2): with boxes and without.
int measure_scenes(const std::string& folder);
// Error and time against the number of balls (Table 4).
int measure_quality(const std::string& folder);
// How much sooner proxies touch than triangles, over speed and spin (Figure 11).
int measure_times(const std::string& folder);
// Proxies against trees of boxes over triangles of growing meshes (Figure 13), and against all triangles.
int measure_trees(const std::string& folder);
// First contact of small proxies against that of the triangles.
int measure_speed(const std::string& folder);
// Spheres of a robot's links, and how many there must be at least.
int measure_links(const std::string& folder, double error);
// outer <= truth <= inner: rigid motions and deforming steps. Returns 1 if any is violated.
int check_times(int rigid, int deforming, std::uint64_t seed);

}  // namespace toccata::bench
