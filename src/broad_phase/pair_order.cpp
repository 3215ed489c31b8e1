#include "broad_phase/pair_order.hpp"

#include <algorithm>
#include <numeric>

namespace toccata::broad_phase {

// By counting, into the places of each first; then the few of each are sorted.
void sort_pairs(std::vector<IndexPair>& pairs, std::size_t count) {
  if (pairs.size() < 64 || pairs.size() < count / 64) {
    std::sort(pairs.begin(), pairs.end());
    return;
  }
  std::vector<std::uint32_t> begin(count + 2, 0);
  for (const IndexPair& pair : pairs) ++begin[static_cast<std::size_t>(pair.first) + 2];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<IndexPair> sorted(pairs.size());
  for (const IndexPair& pair : pairs) sorted[begin[static_cast<std::size_t>(pair.first) + 1]++] = pair;
  for (std::size_t first = 0; first < count; ++first) {
    if (begin[first + 1] - begin[first] > 1)
      std::sort(sorted.begin() + begin[first], sorted.begin() + begin[first + 1]);
  }
  pairs = std::move(sorted);
}

}  // namespace toccata::broad_phase
