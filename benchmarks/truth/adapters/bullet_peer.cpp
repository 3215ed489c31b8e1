// Bullet 3.24: distances of hulls (GJK and EPA, without margins), straight casts of them
// (btSubsimplexConvexCast), and the first contacts of a world's convex bodies as its continuous mode finds
// them, pair by pair (btContinuousConvexCollision). Bullet turns from pose to pose by the shorter way: long
// turns are asked in pieces.
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <memory>

#include "protocol.hpp"

using namespace truth;

namespace {

using Points = std::vector<std::array<double, 3>>;
using Hull = std::shared_ptr<btConvexHullShape>;

Hull hull_of(const Points& points) {
  auto hull = std::make_shared<btConvexHullShape>();
  for (const auto& p : points) hull->addPoint({p[0], p[1], p[2]}, false);
  hull->recalcLocalAabb();
  hull->setMargin(0);
  return hull;
}

double distance(const btConvexHullShape& a, const btTransform& place_a, const btConvexHullShape& b,
                const btTransform& place_b) {
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btGjkPairDetector detector(&a, &b, &simplex, &depth);
  btPointCollector found;
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = place_a;
  input.m_transformB = place_b;
  detector.getClosestPoints(input, found, nullptr);
  if (!found.m_hasResult) throw std::runtime_error("no result");
  return static_cast<double>(found.m_distance);
}

Answer distance(const btConvexHullShape& a, const btConvexHullShape& b) {
  const btTransform rest = btTransform::getIdentity();
  const double found = distance(a, rest, b, rest);
  return {found <= 0.0, -1.0, std::max(found, 0.0), {}};
}

btTransform transform_of(const RigidPose& pose) {
  const auto& r = pose.rotation;
  const auto& t = pose.translation;
  return btTransform({r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2]},
                     {t[0], t[1], t[2]});
}

struct MovingHull {
  Hull hull;
  Json motion;
};

// Negative where there is none.
double first_contact(const MovingHull& a, const MovingHull& b) {
  const int pieces = pieces_of_turn(a.motion, b.motion);
  for (int i = 0; i < pieces; ++i) {
    const double from = static_cast<double>(i) / pieces, to = static_cast<double>(i + 1) / pieces;
    const btTransform a0 = transform_of(pose_at(a.motion, from)), b0 = transform_of(pose_at(b.motion, from));
    const btTransform a1 = transform_of(pose_at(a.motion, to)), b1 = transform_of(pose_at(b.motion, to));
    if (distance(*a.hull, a0, *b.hull, b0) <= 0.0) return from;  // which the cast does not say of all
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btContinuousConvexCollision cast(a.hull.get(), b.hull.get(), &simplex, &depth);
    btConvexCast::CastResult result;
    if (cast.calcTimeOfImpact(a0, a1, b0, b1, result))
      return from + static_cast<double>(result.m_fraction) * (to - from);
  }
  return -1.0;
}

Answer events(const std::vector<MovingHull>& bodies) {
  Answer answer{true, -1.0, -1.0, {}};
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < bodies.size(); ++b) {
      const double time = first_contact(bodies[a], bodies[b]);
      if (time >= 0.0) answer.events.push_back({static_cast<int>(a), static_cast<int>(b), time});
    }
  }
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, Hull> meshes;
  const auto mesh = [&](const std::string& name) {
    Hull& found = meshes[name];
    if (!found) found = hull_of(read_off(name).vertices);
    return found;
  };
  return run(argc, argv, {"distance", "cast", "events"}, [&](const Json& given) -> std::function<Answer()> {
    if (given["question"] == "events") {
      std::vector<MovingHull> bodies;
      for (const Json& body : given["bodies"]) bodies.push_back({mesh(body["shape"]), body["motion"]});
      return [=] { return events(bodies); };
    }
    const auto a = hull_of(given["points_a"].get<Points>()), b = hull_of(given["points_b"].get<Points>());
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
      return Answer{true, static_cast<double>(result.m_fraction), -1.0, {}};
    };
  });
}
