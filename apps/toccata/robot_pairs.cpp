// toccata robot pairs: which links can touch at all?
#ifdef TOCCATA_WITH_URDF
#include <fmt/core.h>

#include <algorithm>

#include "ending.hpp"
#include "interrupt.hpp"
#include "robot_arguments.hpp"
#include "terminal.hpp"
#include "toccata/ccd/articulated/robot_pairs.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::app {

// Which of its links can touch each other, and what the SRDF says of them.
int tell_pairs(const RobotArguments& arguments, const LoadedRobot& loaded) {
  const InterruptScope interrupts;
  RobotPairsOptions options;
  options.threads = arguments.threads;
  options.budget = arguments.budget;
  options.stop = {.token = interrupt_token(), .seconds = arguments.seconds};
  const RobotPairsResult found = robot_pairs(loaded.body, options);
  if (!found.failure.empty()) throw UsageError(found.failure);
  const auto is_allowed = [&](const LinkPair& pair) {
    return std::any_of(loaded.allowed.begin(), loaded.allowed.end(), [&](const AllowedPair& known) {
      return (known.a == pair.a && known.b == pair.b) || (known.a == pair.b && known.b == pair.a);
    });
  };
  JsonList list;
  std::size_t doubtful = 0;
  for (const LinkPair& pair : found.pairs) {
    const bool allowed = is_allowed(pair);
    const bool doubt = allowed && pair.kind == PairKind::Sometimes;
    doubtful += doubt ? 1 : 0;
    if (arguments.json) {
      JsonObject json;
      json.add("a", pair.a).add("b", pair.b).add("kind", to_string(pair.kind));
      json.add("variables", json_list(pair.variables)).add("clearance", pair.clearance);
      JsonList apart, touching;
      for (const double value : pair.apart) apart.add(value);
      for (const double value : pair.touching) touching.add(value);
      json.add("apart", apart).add("touching", touching).add("cells", pair.cells).add("allowed", allowed);
      list.add(json);
      continue;
    }
    fmt::print("{} and {}: {}{}{}\n", pair.a, pair.b, to_string(pair.kind),
               pair.kind == PairKind::AlwaysApart ? fmt::format(" by at least {:.6g}", pair.clearance) : "",
               allowed ? (doubt ? ", but allowed" : ", allowed") : "");
  }
  if (arguments.json) {
    print_json(JsonObject().add("pairs", list).add("microseconds", found.microseconds));
  } else {
    fmt::print("{} in {}.\n", plural(found.pairs.size(), "pair"), duration_text(1e-6 * found.microseconds));
    if (doubtful > 0)
      fmt::print("Note: the SRDF allows {} that can touch without being adjacent.\n",
                 plural(doubtful, "pair"));
  }
  return exit_code({.touches = doubtful > 0, .interrupted = interrupted()}, arguments.check);
}

}  // namespace toccata::app
#endif
