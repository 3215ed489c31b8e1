#include "ccd/search/box_pair_step.hpp"

#include <algorithm>

#include "hierarchy/box_slabs.hpp"

namespace toccata::search {

double box_pair_step(const SearchQuestion& question, const PairAtTime& at, BoxId box_a, BoxId box_b,
                     double distance) {
  const hierarchy::WorldBox a = hierarchy::world_box(*question.a.shape, at.pose_a, box_a);
  const hierarchy::WorldBox b = hierarchy::world_box(*question.b.shape, at.pose_b, box_b);
  double step = 0.0;
  for (const hierarchy::Slab& slab : hierarchy::slabs_between(a, b)) {
    step = std::max(
        step, directed_step(at, slab.gap - distance - at.padding, slab.direction, {a.corners}, {b.corners}));
  }
  return step;
}

}  // namespace toccata::search
