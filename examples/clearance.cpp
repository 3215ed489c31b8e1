// How close do two bodies come on the way, and when do they touch? A ball-like body passes a gate twice.
#include <toccata/toccata.hpp>

#include <cstdio>

#include "box.hpp"

int main() {
  using namespace toccata;
  const Shape cube(box(0.8, 0.8, 0.8));
  const Shape gate(box(0.2, 3, 3));
  const RigidMotion rest;
  const auto from_to = [](double y) {
    return RigidMotion({Matrix3::Identity(), {-2, y, 0}}, {Matrix3::Identity(), {2, y, 0}});
  };

  const ClosestApproachResult past = closest_approach({cube, from_to(2.0)}, {gate, rest});
  std::printf("%s, %.4f apart at the closest, proven to be no less than %.4f\n",
              to_string(past.status).data(), past.distance, past.lower_distance);

  const ContactIntervalsResult through = contact_intervals({cube, from_to(0.0)}, {gate, rest});
  for (const ContactInterval& i : through.intervals) {
    std::printf("they touch from t = %.4f to t = %.4f\n", i.begin_lower, i.end_upper);
  }
}
// Output:
// separated, 0.1000 apart at the closest, proven to be no less than 0.1000
// they touch from t = 0.3750 to t = 0.6250
