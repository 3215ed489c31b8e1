#include "toccata/broad_phase/overlapping_pairs.hpp"

#include <algorithm>
#include <numeric>

#include "broad_phase/box_columns.hpp"
#include "broad_phase/pair_tree.hpp"
#include "broad_phase/row_pairs.hpp"
#include "broad_phase/sweep_pairs.hpp"

namespace toccata {
namespace {

// By first, then by second: first into the places that counting gives, then the few of each first.
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

}  // namespace

std::vector<IndexPair> overlapping_pairs(std::span<const Aabb> boxes,
                                         const OverlappingPairsOptions& options) {
  std::vector<std::int32_t> ids;
  ids.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!broad_phase::is_empty(boxes[i])) ids.push_back(static_cast<std::int32_t>(i));
  }
  std::vector<IndexPair> pairs;
  switch (options.method) {
    case PairMethod::Rows:
      broad_phase::RowPairs().find(boxes, ids, options.threads, pairs);
      break;
    case PairMethod::Sweep:
      broad_phase::sweep_pairs(boxes, ids, pairs);
      break;
    case PairMethod::Tree: {
      broad_phase::PairTree tree;
      tree.build(boxes, ids);
      tree.pairs(boxes, options.threads, pairs);
      break;
    }
  }
  sort_pairs(pairs, boxes.size());
  return pairs;
}

}  // namespace toccata
