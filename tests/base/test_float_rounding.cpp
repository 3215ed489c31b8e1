// The library's flags must keep the rounding of doubles to float. g++ 12.2 at -O2 and -O3 loses it in the
// loop below when its straight-line vectoriser is on, and the same in Eigen's cast<float>().cast<double>().
#include <gtest/gtest.h>

#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata {
namespace {

struct Point {
  double x, y, z;
};

__attribute__((noinline)) void round_points(std::vector<Point>& points) {
  for (Point& p : points) {
    p.x = static_cast<double>(static_cast<float>(p.x));
    p.y = static_cast<double>(static_cast<float>(p.y));
    p.z = static_cast<double>(static_cast<float>(p.z));
  }
}

__attribute__((noinline)) void round_vectors(std::vector<Vector3>& vectors) {
  for (Vector3& v : vectors) v = v.cast<float>().cast<double>();
}

TEST(FloatRounding, is_kept_by_the_optimiser) {
  volatile double source = 0.1;
  const double given = source;
  volatile float narrow = static_cast<float>(given);
  const double rounded = narrow;
  ASSERT_NE(given, rounded);
  std::vector<Point> points(5, Point{given, given, given});
  round_points(points);
  std::vector<Vector3> vectors(5, Vector3::Constant(given));
  round_vectors(vectors);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].x, rounded);
    EXPECT_EQ(points[i].y, rounded);
    EXPECT_EQ(points[i].z, rounded);
    EXPECT_EQ(vectors[i], Vector3::Constant(rounded));
  }
}

}  // namespace
}  // namespace toccata
