#pragma once
// The third stage of vertex-face and edge-edge impact: search in time, in double with error bounds. Every
// answer but Undecided is proven.
#include <cstdint>

namespace toccata::impact_filter {

enum class Verdict : std::uint8_t { Separated, Contact, Undecided, OutOfBudget };

struct SearchResult {
  Verdict verdict = Verdict::Undecided;
  double lower = 0.0;  // of a contact: the first one is in [lower, upper]; else: proven free before lower
  double upper = 1.0;
};

// The motion relative to one vertex in plain doubles, notation of exact_impact.hpp: [end][axis].
struct SearchInput {
  double a[2][3], b[2][3], c[2][3];
  double cubic[4];      // homogeneous coefficients of F
  double magnitude[3];  // of all components, by axis; all in the safe range
};

struct SearchOptions {
  bool edge_edge = false;
  bool boolean_only = false;
  double t_max = 1.0;
  std::int64_t budget = 0;  // subdivisions; 0 = none
};

SearchResult certified_search(const SearchInput& input, const SearchOptions& options);

}  // namespace toccata::impact_filter
