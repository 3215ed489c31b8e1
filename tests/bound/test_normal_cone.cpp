#include "toccata/bound/normal_cone.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "toccata/base/random.hpp"

namespace toccata {
namespace {

// In long double, with room for the conversion: n . axis >= cosine |n||axis|.
bool holds(const NormalCone& cone, const Vector3& n) {
  long double dot = 0, nn = 0, aa = 0;
  for (int k = 0; k < 3; ++k) {
    const long double a = cone.axis[k];
    dot += a * n[k];
    nn += static_cast<long double>(n[k]) * n[k];
    aa += a * a;
  }
  return dot >= static_cast<long double>(cone.cosine) * std::sqrt(nn * aa);
}

TEST(NormalCone, holds_its_vectors_through_any_tree_of_merges) {
  Random random(11);
  int valid = 0, given_up = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Vector3 middle = random.on_sphere();
    const double spread = std::pow(10.0, random.uniform(-9.0, 0.2));
    std::vector<NormalCone> cones;
    std::vector<Vector3> all;
    for (int i = 0; i < 32; ++i) {
      std::vector<BoundedVector> vectors;
      for (int k = 0; k < 3; ++k) {
        const Vector3 v = std::pow(10.0, random.uniform(-3.0, 3.0)) * (middle + spread * random.in_box(1.0));
        vectors.push_back({v, 0.0});
        all.push_back(v);
      }
      cones.push_back(cone_of(vectors));
    }
    while (cones.size() > 1) {
      const NormalCone a = cones.back();
      cones.pop_back();
      NormalCone& b = cones[static_cast<std::size_t>(random.integer(0, static_cast<int>(cones.size()) - 1))];
      b = merge(a, b);
    }
    if (!cones[0].is_valid()) {
      ++given_up;
      EXPECT_GT(spread, 0.05);  // narrow bundles must not be lost
      continue;
    }
    ++valid;
    for (const Vector3& v : all) ASSERT_TRUE(holds(cones[0], v)) << "trial " << trial;
  }
  EXPECT_GT(valid, 1000);
  EXPECT_GT(given_up, 100);
}

TEST(NormalCone, gives_up_where_it_must) {
  const Vector3 x(1, 0, 0), y(0, 1, 0);
  EXPECT_FALSE(cone_of(std::vector<BoundedVector>{{x, 0.0}, {-x, 0.0}}).is_valid());
  EXPECT_FALSE(cone_of(std::vector<BoundedVector>{{Vector3::Zero(), 0.0}}).is_valid());
  EXPECT_FALSE(cone_of(std::vector<BoundedVector>{{x, 1e-7}}).is_valid());
  const NormalCone a = cone_of(std::vector<BoundedVector>{{x, 0.0}});
  const NormalCone b = cone_of(std::vector<BoundedVector>{{Vector3(-0.9, 0.1, 0.0), 0.0}});
  EXPECT_TRUE(a.is_valid());
  EXPECT_FALSE(merge(a, b).is_valid() && holds(merge(a, b), x) && merge(a, b).cosine > 0.1f);
  EXPECT_FALSE(merge(a, NormalCone()).is_valid());
  EXPECT_TRUE(merge(a, cone_of(std::vector<BoundedVector>{{y, 0.0}})).is_valid());
}

}  // namespace
}  // namespace toccata
