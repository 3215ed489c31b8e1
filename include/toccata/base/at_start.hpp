#pragma once
// What a time query does with shapes that already touch at t = 0.
#include <string_view>

namespace toccata {

enum class AtStart {
  Report,  // status OverlapAtStart, time 0
  // Rigid bodies: look for the first contact after they have come apart (seen to
  // tolerances::exit_resolution of the time); if they never do: as Report.
  // Deforming scenes: a pair of features that touches at t = 0 is no contact of this step, whatever it does
  // later.
  Skip,
};

constexpr std::string_view to_string(AtStart at_start) {
  return at_start == AtStart::Skip ? "skip" : "report";
}

}  // namespace toccata
