#pragma once
// The answer of an elementary time query: two features of constant size, points moving linearly.
#include <array>
#include <cstdint>
#include <string_view>

#include "toccata/base/status.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

// The stage that decided, in the order in which they are asked; Distance in place of all others.
enum class ImpactStage : std::uint8_t {
  Axis,       // a fixed axis separates the features during the whole motion
  Bernstein,  // the sign of the coplanarity cubic's Bernstein coefficients, in double with error bounds
  Start,      // the input as given: two vertices that coincide at t = 0; or it cannot be asked (Failed), or
              // was not, since its batch was stopped (OutOfBudget)
  Bisection,  // certified search in time (an enclosed root, or halving), in double with error bounds
  Extended,   // the same, and the bracket narrowed in arithmetic of two doubles
  Integer,    // exact integer coefficients; their signs and a certified root isolation sufficed
  Exact,      // exact zeros: common roots, coplanar motion, degenerate features
  Distance,   // with a minimum distance: certified steps along the gap
};
inline constexpr int impact_stage_count = 8;

constexpr std::string_view to_string(ImpactStage stage) {
  constexpr std::array<std::string_view, impact_stage_count> names = {
      "axis", "bernstein", "start", "bisection", "extended", "integer", "exact", "distance"};
  return names[static_cast<std::size_t>(stage)];
}

// Fields that hold, by status:
//   Separated       stage
//   Contact         everything
//   OverlapAtStart  everything, with time = lower = upper = 0
//   OutOfBudget     stage; lower = time: the motion is proven free on [0, lower)
//   Failed          stage (Start): a coordinate is not finite, or an option is out of its range; nothing is
//                   proven, time = lower = 0
// With boolean_only (see LinearImpactOptions) weights, point and normal do not hold.
struct Impact {
  Status status = Status::Separated;
  ImpactStage stage = ImpactStage::Axis;
  // = lower: never later than the true first contact
  double time = 1.0;
  // The true first time of contact is in [lower, upper]; with a minimum distance upper = lower.
  double lower = 1.0;
  double upper = 1.0;
  // Where the features meet, as weights of the four points, summing to one on each side:
  // vertex-face (1, w0, w1, w2), edge-edge (1-s, s, 1-r, r), vertex-edge (1, 1-s, s, 0),
  // vertex-vertex (1, 1, 0, 0).
  std::array<double, 4> weights = {0, 0, 0, 0};
  // World position of the contact at `time`.
  Vector3 point = Vector3::Zero();
  // Unit, from the first feature to the second; zero if undefined.
  Vector3 normal = Vector3::Zero();
};

}  // namespace toccata
