#include "elementary/simulation_queries.hpp"

#include "toccata/base/random.hpp"

namespace toccata {
namespace {

// The boxes that the two sides sweep; the first side has `split` points.
bool swept_boxes_overlap(const LinearMotion4& motion, std::size_t split) {
  for (int axis = 0; axis < 3; ++axis) {
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (std::size_t i = 0; i < 4; ++i) {
      const int side = i < split ? 0 : 1;
      for (const auto* end : {&motion.t0, &motion.t1}) {
        low[side] = std::min(low[side], (*end)[i][axis]);
        high[side] = std::max(high[side], (*end)[i][axis]);
      }
    }
    if (low[0] > high[1] || low[1] > high[0]) return false;
  }
  return true;
}

LinearMotion4 candidate(Random& random, FeaturePairKind pair) {
  LinearMotion4 motion;
  const Vector3 centre = random.in_box(10.0);
  const Vector3 offset = random.in_box(1.0);
  // A vertex or edge near a triangle or edge with sides of about one.
  if (pair == FeaturePairKind::VertexFace) {
    motion.t0[0] = centre + offset;
    for (std::size_t i = 1; i < 4; ++i) motion.t0[i] = centre + 0.6 * random.on_sphere();
  } else {
    const Vector3 a = random.uniform(0.3, 0.6) * random.on_sphere();
    const Vector3 b = random.uniform(0.3, 0.6) * random.on_sphere();
    motion.t0 = {centre + offset - a, centre + offset + a, centre - b, centre + b};
  }
  const Vector3 common = random.in_box(0.2);
  const std::size_t split = pair == FeaturePairKind::VertexFace ? 1 : 2;
  const Vector3 approach = random.in_box(0.15);
  for (std::size_t i = 0; i < 4; ++i) {
    motion.t1[i] = motion.t0[i] + common + random.in_box(0.03);
    if (i < split) motion.t1[i] += approach;
  }
  return motion;
}

}  // namespace

std::vector<LinearMotion4> simulation_queries(FeaturePairKind pair, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<LinearMotion4> motions;
  motions.reserve(count);
  const std::size_t split = pair == FeaturePairKind::VertexFace ? 1 : 2;
  while (motions.size() < count) {
    const LinearMotion4 motion = candidate(random, pair);
    if (swept_boxes_overlap(motion, split)) motions.push_back(motion);
  }
  return motions;
}

}  // namespace toccata
