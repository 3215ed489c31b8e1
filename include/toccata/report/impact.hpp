#pragma once
// The answer of an elementary time query: two features of constant size, points moving linearly.
#include <array>
#include <cstdint>
#include <string_view>

#include "toccata/base/status.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

// The stage that decided, cheapest first.
enum class ImpactStage : std::uint8_t {
  Axis,       // a fixed axis separates the features during the whole motion
  Bernstein,  // the sign of the coplanarity cubic's Bernstein coefficients, in double with error bounds
  Bisection,  // certified bisection in time, in double with error bounds
  Extended,   // exact integer coefficients; their signs and a certified root isolation sufficed
  Exact,      // exact zeros: common roots, coplanar motion, degenerate features
};
inline constexpr int impact_stage_count = 5;

constexpr std::string_view to_string(ImpactStage stage) {
  constexpr std::array<std::string_view, impact_stage_count> names = {"axis", "bernstein", "bisection",
                                                                      "extended", "exact"};
  return names[static_cast<std::size_t>(stage)];
}

// Fields that hold, by status:
//   Separated       stage
//   Contact         everything
//   OverlapAtStart  everything, with time = lower = upper = 0
//   OutOfBudget     stage; lower = time: the motion is proven free on [0, lower)
struct Impact {
  Status status = Status::Separated;
  ImpactStage stage = ImpactStage::Axis;
  double time = 1.0;   // = lower: never later than the true first contact
  double lower = 1.0;  // the true first time of contact is in [lower, upper]
  double upper = 1.0;  // (with a minimum distance: upper = lower)
  // Where the features meet, as weights of the four points, summing to one on each side:
  // vertex-face (1, w0, w1, w2), edge-edge (1-s, s, 1-r, r), vertex-edge (1, 1-s, s, 0),
  // vertex-vertex (1, 1, 0, 0).
  std::array<double, 4> weights = {0, 0, 0, 0};
  Vector3 point = Vector3::Zero();   // world position of the contact at `time`
  Vector3 normal = Vector3::Zero();  // unit, from the first feature to the second; zero if undefined
};

}  // namespace toccata
