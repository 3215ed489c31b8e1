// libccd 2.1: do two convex hulls meet? ccdGJKIntersect, at rest. It gives no distances and no times.
#include <ccd/ccd.h>

#include <memory>

#include "protocol.hpp"

using namespace truth;

namespace {

using Points = std::vector<std::array<double, 3>>;

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
  const Points& points = *static_cast<const Points*>(object);
  const double *d = direction->v, *best = nullptr;
  double most = 0.0;
  for (const auto& p : points) {
    const double height = d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
    if (best == nullptr || height > most) {
      best = p.data();
      most = height;
    }
  }
  ccdVec3Set(point, best[0], best[1], best[2]);
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, {"distance"}, [&](const Json& given) -> std::function<Answer()> {
    const auto a = std::make_shared<Points>(given["points_a"].get<Points>());
    const auto b = std::make_shared<Points>(given["points_b"].get<Points>());
    return [=] {
      ccd_t ccd;
      CCD_INIT(&ccd);
      ccd.support1 = ccd.support2 = support;
      ccd.max_iterations = 100;
      return Answer{ccdGJKIntersect(a.get(), b.get(), &ccd) != 0};
    };
  });
}
