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
// Both methods with one stage switched off, and with all.
void switch_table(const std::vector<Step>& steps, const std::string& csv);
// Time against the number of triangles at constant density, one thread.
void growth_table(int most_triangles, const std::string& csv);
// Time against the number of threads.
void threads_table(const std::vector<Step>& steps, const std::string& csv);
// How large orphan sets are (Tang et al., ICCD, Table I), and how many of them are left to be tested.
void orphan_table(const std::vector<Step>& steps, const std::string& csv);
// update_topology against rebuilding, by the number of triangles that changed.
void topology_table(const Step& step, const std::string& csv);

}  // namespace toccata::bench
