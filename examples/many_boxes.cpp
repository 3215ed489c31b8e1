// Which of many boxes overlap, and what changes when one of them moves.
#include <toccata/broad_phase/broad_phase.hpp>

#include <cstdio>

int main() {
  using namespace toccata;
  const auto box_at = [](double x, double y) { return Aabb{{x, y, 0}, {x + 1, y + 1, 1}}; };

  BroadPhase bodies;
  for (int i = 0; i < 4; ++i) bodies.insert(box_at(1.5 * i, 0));  // 0 to 3, side by side
  const std::int32_t crate = bodies.insert(box_at(0.25, 0.5));
  const std::int32_t ground = bodies.insert({{-10, -10, -1}, {10, 10, 0}}, {.is_static = true});
  bodies.switch_off(crate, ground);
  bodies.step();
  std::printf("%zu boxes, %zu pairs\n", bodies.size(), bodies.pairs().size());

  bodies.update(crate, box_at(3.25, 0.5));  // over there
  const PairChanges& changes = bodies.step();
  for (const IndexPair& pair : changes.went) std::printf("went: %d and %d\n", pair.first, pair.second);
  for (const IndexPair& pair : changes.appeared)
    std::printf("appeared: %d and %d\n", pair.first, pair.second);
}
// Output:
// 6 boxes, 5 pairs
// went: 0 and 4
// appeared: 2 and 4
