// Does a mesh cross itself? A strip of triangles, flat and then folded over so that its ends cross.
#include <toccata/proximity/self_intersection.hpp>

#include <cmath>
#include <cstdio>

int main() {
  using namespace toccata;
  const int cells = 40;
  TriangleMesh strip;
  for (int i = 0; i <= cells; ++i) {
    strip.vertices.push_back({0.1 * i, 0, 0});
    strip.vertices.push_back({0.1 * i, 1, 0});
    if (i == 0) continue;
    const int a = 2 * i - 2;
    strip.faces.push_back({a, a + 2, a + 3});
    strip.faces.push_back({a, a + 3, a + 1});
  }
  const SelfIntersectionChecker checker(strip);  // keeps its tree for every later shape of the same mesh
  const SelfIntersectionResult flat = checker.check(strip.vertices);
  std::printf("flat: %zu pairs of faces, %lld tests of triangles\n", flat.pairs.size(),
              static_cast<long long>(flat.triangle_tests));

  std::vector<Vector3> loop = strip.vertices;  // a loop whose ends run through each other
  for (Vector3& p : loop) {
    const double angle = 2.0 * p.x() - 4.0;
    p = {0.5 * std::sin(angle), p.y(), 0.5 * std::cos(angle) + 0.02 * (p.x() - 2.0) * (p.x() - 2.0)};
  }
  const SelfIntersectionResult looped = checker.check(loop);
  std::printf("looped: %zu pairs of faces, the first %d and %d\n", looped.pairs.size(), looped.pairs[0][0],
              looped.pairs[0][1]);
}
// Output:
// flat: 0 pairs of faces, 0 tests of triangles
// looped: 3 pairs of faces, the first 8 and 70
