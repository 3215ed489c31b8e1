// Tight-Inclusion (Wang et al. 2021): vertex-face and edge-edge, as its authors suggest it: tolerance 1e-6,
// at most 10^6 iterations, no minimum separation. Written to the public header tight_inclusion/ccd.hpp, which
// Debian does not have: not run by this project.
#include <tight_inclusion/ccd.hpp>

#include "protocol.hpp"

using namespace truth;

namespace {

ticcd::Vector3 point(const Json& p) {
  return {p[0].get<double>(), p[1].get<double>(), p[2].get<double>()};
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, {"vertex_face", "edge_edge"}, [&](const Json& given) -> std::function<Answer()> {
    const bool is_face = given["question"] == "vertex_face";
    std::array<ticcd::Vector3, 8> x;
    for (std::size_t i = 0; i < 4; ++i) {
      x[i] = point(given["t0"][i]);
      x[i + 4] = point(given["t1"][i]);
    }
    return [=] {
      const ticcd::Array3 single(-1, -1, -1);  // a query without a scene
      ticcd::Scalar time = 0, reached = 0;
      const auto ask = is_face ? ticcd::vertexFaceCCD : ticcd::edgeEdgeCCD;
      const bool meets =
          ask(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], single, 0, time, 1e-6, 1, 1'000'000, reached,
              ticcd::DEFAULT_NO_ZERO_TOI, ticcd::CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
      return meets ? Answer{true, static_cast<double>(time)} : Answer{};
    };
  });
}
