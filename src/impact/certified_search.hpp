#pragma once
// The third stage of vertex-face and edge-edge impact: search in time, in double with error bounds. Every
// answer but Undecided is proven.
#include <cstdint>

namespace toccata::impact {

enum class Verdict : std::uint8_t { Separated, Contact, Undecided, OutOfBudget };

struct SearchResult {
  Verdict verdict = Verdict::Undecided;
  double lower = 0.0;  // of a contact: the first one is in [lower, upper]; else: proven free before lower
  double upper = 1.0;
  // Undecided only because the bracket is wider than promised: free before lower, and the features touch
  // wherever F vanishes in [lower, upper], which it does.
  bool only_wide = false;
  bool extended = false;  // a contact that took more digits than a double has
};

// Bernstein coefficients on [0, 1] and the errors of their polar values, all in the safe range.
struct SearchInput {
  double cubic[4];  // of F
  double cubic_error;
  double weights[4][3];  // of the weights; vertex-face has three
  double weight_error[4];
};

struct SearchOptions {
  bool edge_edge = false;
  bool boolean_only = false;
  double t_max = 1.0;
  std::int64_t budget = 0;  // subdivisions; 0 = none
};

SearchResult certified_search(const SearchInput& input, const SearchOptions& options);

}  // namespace toccata::impact
