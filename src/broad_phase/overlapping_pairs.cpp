#include "toccata/broad_phase/overlapping_pairs.hpp"

#include "broad_phase/box_columns.hpp"
#include "broad_phase/pair_order.hpp"
#include "broad_phase/pair_tree.hpp"
#include "broad_phase/row_pairs.hpp"
#include "broad_phase/sweep_pairs.hpp"

namespace toccata {

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
  broad_phase::sort_pairs(pairs, boxes.size());
  return pairs;
}

}  // namespace toccata
