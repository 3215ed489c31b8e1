#include "ccd/deformable/clusters/cluster_kernels.hpp"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/clusters/tree_kernel.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "ccd/deformable/clusters/cluster_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {
namespace {

constexpr std::int32_t block_floats = box_planes * node_width;

// Which boxes of a block may meet the row, as bits.
template <bool Relative>
HWY_INLINE std::uint32_t meeting(const Row& row, const float* block) {
  std::uint32_t meets = 0;
  for (std::size_t s = 0; s < node_width; s += float_lanes) {
    const auto bits = mask_bits(hn::Not(separated_boxes<Relative>(row, block + s, node_width)));
    meets |= static_cast<std::uint32_t>(bits) << s;
  }
  return meets;
}

// The boxes of block a that may meet the box around block b, which is in the next level.
template <bool Relative>
HWY_INLINE std::uint32_t meeting_block(const KernelContext& context, const ClusterBoxes::Level& level,
                                       const float* a, std::int32_t block_b) {
  const auto& levels = context.boxes->levels;
  const auto above = static_cast<std::size_t>(&level - levels.data()) + 1;
  if (above >= levels.size()) return ~0u;
  const float* const around =
      levels[above].blocks.data() + block_b / node_width * block_floats + block_b % node_width;
  return meeting<Relative>(make_row<Relative>(around, node_width, context.thresholds.cardinal), a);
}

// One box of a against sixteen of b at a time. The order of floats on the cardinal axes is that of the exact
// coordinates; with a distance or a shortened step the row is grown (docs/notes/deformable_bounds.md).
template <bool Relative>
std::size_t expand(const KernelContext& context, const ClusterBoxes::Level& level, std::int32_t block_a,
                   std::int32_t block_b, IndexPair* out) {
  const float* a = level.blocks.data() + block_a * block_floats;
  const float* b = level.blocks.data() + block_b * block_floats;
  const std::int32_t rows = std::min(node_width, level.count - block_a * node_width);
  const std::int32_t columns = std::min(node_width, level.count - block_b * node_width);
  std::size_t written = 0;
  std::uint32_t left = rows < node_width ? (1u << rows) - 1 : (1u << node_width) - 1;
  if (block_a != block_b) left &= meeting_block<Relative>(context, level, a, block_b);
  for (; left != 0; left &= left - 1) {
    const std::int32_t i = std::countr_zero(left);
    std::uint32_t meets =
        meeting<Relative>(make_row<Relative>(a + i, node_width, context.thresholds.cardinal), b);
    // Slots beyond the last box are empty.
    if (columns < node_width) meets &= (1u << columns) - 1;
    // A block with itself: each pair once.
    if (block_a == block_b) meets &= ~0u << i;
    while (meets != 0) {
      const int j = std::countr_zero(meets);
      meets &= meets - 1;
      out[written++] = {block_a * node_width + i, block_b * node_width + j};
    }
  }
  return written;
}

template <bool Relative>
std::size_t keep_clusters(const KernelContext& context, IndexPair* pairs, std::size_t count) {
  std::size_t kept = 0;
  const float* spread = context.boxes->spread.data();
  const std::int32_t* order = context.boxes->order.data();
  for (std::size_t i = 0; i < count; ++i) {
    const IndexPair p = pairs[i];
    Extent a = load_extent(spread + 4 * spread_axis_count * order[p.first]);
    // Projections on these axes round: one side is grown by what both may be off.
    grow(a, context.thresholds.spread.data());
    const Extent b = load_extent(spread + 4 * spread_axis_count * order[p.second]);
    if (p.first != p.second && is_separated<Relative>(a, b)) continue;
    pairs[kept++] = p;
  }
  return kept;
}

}  // namespace

std::size_t expand_level_blocks(const KernelContext& context, const ClusterBoxes::Level& level,
                                std::int32_t block_a, std::int32_t block_b, IndexPair* out) {
  return context.stages.relative_motion ? expand<true>(context, level, block_a, block_b, out)
                                        : expand<false>(context, level, block_a, block_b, out);
}

std::size_t keep_cluster_pairs(const KernelContext& context, IndexPair* pairs, std::size_t count) {
  return context.stages.relative_motion ? keep_clusters<true>(context, pairs, count)
                                        : keep_clusters<false>(context, pairs, count);
}

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable::clusters {

HWY_EXPORT(expand_level_blocks);
HWY_EXPORT(keep_cluster_pairs);

std::size_t expand_blocks(const KernelContext& context, const ClusterBoxes::Level& level,
                          std::int32_t block_a, std::int32_t block_b, IndexPair* out) {
  return HWY_DYNAMIC_DISPATCH(expand_level_blocks)(context, level, block_a, block_b, out);
}

std::size_t keep_by_spread_axes(const KernelContext& context, IndexPair* pairs, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(keep_cluster_pairs)(context, pairs, count);
}

}  // namespace toccata::deformable::clusters
#endif
