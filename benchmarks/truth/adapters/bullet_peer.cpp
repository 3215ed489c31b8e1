// Bullet 3.24: distances of hulls (GJK and EPA, without margins) and straight casts of them
// (btSubsimplexConvexCast).
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <memory>

#include "protocol.hpp"

using namespace truth;

namespace {

std::shared_ptr<btConvexHullShape> hull_of(const Json& points) {
  auto hull = std::make_shared<btConvexHullShape>();
  for (const Json& p : points)
    hull->addPoint({p[0].get<btScalar>(), p[1].get<btScalar>(), p[2].get<btScalar>()}, false);
  hull->recalcLocalAabb();
  hull->setMargin(0);
  return hull;
}

Answer distance(const btConvexHullShape& a, const btConvexHullShape& b) {
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btGjkPairDetector detector(&a, &b, &simplex, &depth);
  btPointCollector found;
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = input.m_transformB = btTransform::getIdentity();
  detector.getClosestPoints(input, found, nullptr);
  if (!found.m_hasResult) throw std::runtime_error("no result");
  const bool meets = found.m_distance <= 0;
  return {meets, -1.0, meets ? 0.0 : static_cast<double>(found.m_distance)};
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, {"distance", "cast"}, [&](const Json& given) -> std::function<Answer()> {
    const auto a = hull_of(given["points_a"]), b = hull_of(given["points_b"]);
    if (given["question"] == "distance") return [=] { return distance(*a, *b); };
    const Json move = given["move"];
    const btVector3 way(move[0].get<btScalar>(), move[1].get<btScalar>(), move[2].get<btScalar>());
    return [=] {
      btVoronoiSimplexSolver simplex;
      btSubsimplexConvexCast cast(a.get(), b.get(), &simplex);
      btConvexCast::CastResult result;
      btTransform start = btTransform::getIdentity(), end = start;
      end.setOrigin(way);
      const btTransform rest = btTransform::getIdentity();
      if (!cast.calcTimeOfImpact(start, end, rest, rest, result)) return Answer{};
      return Answer{true, static_cast<double>(result.m_fraction)};
    };
  });
}
