#pragma once
// The answer to "which links of a robot can ever touch each other".
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toccata {

enum class PairKind {
  Adjacent,        // one joint between them: most robots are drawn so that they touch
  AlwaysApart,     // proven: for all values within the limits
  AlwaysTouching,  // proven, the same way; of shapes that are no meshes
  Sometimes,       // values are known for which they touch, and others for which they do not
  Undecided,       // not proven within the budget
};

constexpr std::string_view to_string(PairKind kind) {
  switch (kind) {
    case PairKind::Adjacent:
      return "adjacent";
    case PairKind::AlwaysApart:
      return "always_apart";
    case PairKind::AlwaysTouching:
      return "always_touching";
    case PairKind::Sometimes:
      return "sometimes";
    case PairKind::Undecided:
      return "undecided";
  }
  return "unknown";
}

// Fields that hold, by kind: names and variables always; clearance if AlwaysApart; of the values what was
// found, always so if Sometimes.
struct LinkPair {
  std::string a;
  std::string b;
  PairKind kind = PairKind::Undecided;
  std::vector<std::string> variables = {};  // that the place of one as the other sees it depends on
  double clearance = 0.0;                   // never closer: proven
  std::vector<double> apart = {};           // values of all variables for which they are apart
  std::vector<double> touching = {};        // for which they touch
  std::int64_t cells = 0;                   // into which the values were divided
};

struct RobotPairsResult {
  std::vector<LinkPair> pairs;  // of all links with shapes that a joint can move against each other
  std::string failure;          // what was wrong with the question; then there are no pairs
  double microseconds = 0.0;    // that the answer took, by the clock
};

}  // namespace toccata
