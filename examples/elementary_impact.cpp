// The smallest question: a vertex and a face, two edges, all points on straight lines. Exact.
#include <toccata/impact/linear_impact.hpp>
#include <toccata/impact/linear_motion_columns.hpp>

#include <cstdio>

int main() {
  using namespace toccata;
  LinearMotion4 motion;  // v, f0, f1, f2 at t = 0 and t = 1
  motion.t0 = {{{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  motion.t1 = {{{0.25, 0.25, -2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  const Impact one = vertex_face_impact(motion);
  std::printf("%s at t = %.9f, weights of the corners %.2f %.2f %.2f\n", to_string(one.status).data(),
              one.time, one.weights[1], one.weights[2], one.weights[3]);

  // A thousand such queries at once, coordinate by coordinate: the vertex falls beside the face more and
  // more.
  LinearMotionColumns queries(1000);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    motion.t0[0][0] = motion.t1[0][0] = 0.001 * static_cast<double>(q);
    queries.set(q, motion);
  }
  const LinearImpactBatchResult many = vertex_face_impacts(queries.batch());
  std::printf("%zu of %zu touch, the last one is query %u\n", many.indices.size(), queries.size(),
              many.indices.back());
}
// Output:
// contact at t = 0.333333333, weights of the corners 0.50 0.25 0.25
// 751 of 1000 touch, the last one is query 750
