#include "toccata/elementary/orientation.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/gmp.hpp>
#include <cmath>

#include "toccata/base/random.hpp"

namespace toccata {
namespace {

using Rational = boost::multiprecision::mpq_rational;

int exact_orientation(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const auto sub = [](const Vector3& p, const Vector3& q) {
    return std::array<Rational, 3>{Rational(p.x()) - Rational(q.x()), Rational(p.y()) - Rational(q.y()),
                                   Rational(p.z()) - Rational(q.z())};
  };
  const auto u = sub(b, a), v = sub(c, a), w = sub(d, a);
  const Rational det = w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) +
                       w[2] * (u[0] * v[1] - u[1] * v[0]);
  return det.sign();
}

TEST(Orientation, agrees_with_rationals_near_zero_and_at_all_scales) {
  Random random(1);
  int zero = 0;
  for (int i = 0; i < 20000; ++i) {
    const double scale = std::ldexp(1.0, random.integer(-250, 250));
    const Vector3 a = scale * random.in_box(1.0), b = scale * random.in_box(1.0),
                  c = scale * random.in_box(1.0);
    Vector3 d = a + random.unit() * (b - a) + random.unit() * (c - a);
    if (i % 4 == 0) d = 0.5 * (a + b);
    if (i % 4 == 1) d.x() = std::nextafter(d.x(), scale);
    if (i % 4 == 2) d.z() *= random.unit() * 1e-200;
    const int truth = exact_orientation(a, b, c, d);
    zero += truth == 0 ? 1 : 0;
    ASSERT_EQ(orientation_3d(a, b, c, d), truth) << "trial " << i;
    ASSERT_EQ(orientation_3d(b, a, c, d), -truth) << "trial " << i;
    ASSERT_EQ(orientation_2d(a.head<2>(), b.head<2>(), d.head<2>()),
              exact_orientation({a.x(), a.y(), 0}, {b.x(), b.y(), 0}, {d.x(), d.y(), 0}, {a.x(), a.y(), 1.0}))
        << "trial " << i;
    ASSERT_EQ(line_side_3d(Vector3::Zero(), a, b, d), exact_orientation(Vector3::Zero(), b, d, a));
  }
  EXPECT_GT(zero, 10);
}

}  // namespace
}  // namespace toccata
