// coal 3 (once hpp-fcl): distances of convex hulls. Written to its public headers, with qhull, which Debian
// does not have: not run by this project.
#include <coal/distance.h>
#include <coal/shape/convex.h>

#include <memory>

#include "protocol.hpp"

using namespace truth;

namespace {

std::shared_ptr<coal::ConvexBase> hull_of(const Json& points) {
  auto places = std::make_shared<std::vector<coal::Vec3s>>();
  for (const Json& p : points)
    places->emplace_back(p[0].get<double>(), p[1].get<double>(), p[2].get<double>());
  const auto count = static_cast<unsigned int>(places->size());
  return std::shared_ptr<coal::ConvexBase>(coal::ConvexBase::convexHull(places, count, true));
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, {"distance"}, [&](const Json& given) -> std::function<Answer()> {
    const auto a = hull_of(given["points_a"]), b = hull_of(given["points_b"]);
    return [=] {
      const coal::DistanceRequest request;
      coal::DistanceResult result;
      const coal::Transform3s rest = coal::Transform3s::Identity();
      const double distance = coal::distance(a.get(), rest, b.get(), rest, request, result);
      return Answer{distance <= 0.0, -1.0, std::max(distance, 0.0)};
    };
  });
}
