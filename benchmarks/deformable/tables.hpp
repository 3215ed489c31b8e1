#pragma once
// The tables of the deformable benchmark, each a CSV file. Answers are checked before anything is timed; a
// wrong one ends the program.
#include <string>
#include <vector>

#include "deformable/steps.hpp"

namespace toccata::bench {

// Every contact and the first one, by method and by number of threads, with the base implementation.
void query_table(const std::vector<Step>& steps, const std::string& csv);
// What each stage leaves, orphan sets included.
void stage_table(const std::vector<Step>& steps, const std::string& csv);
// Clusters with one stage switched off.
void switch_table(const std::vector<Step>& steps, const std::string& csv);
// Time against the number of triangles at constant density, one thread.
void growth_table(int most_triangles, const std::string& csv);

}  // namespace toccata::bench
