// Jolt 5: straight casts of convex hulls, without convex radius. Written to its public headers, which Debian
// does not have: not run by this project. Jolt computes in single precision.
#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Physics/Collision/CollisionCollectorImpl.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/ShapeCast.h>
#include <Jolt/RegisterTypes.h>

#include "protocol.hpp"

using namespace truth;

namespace {

JPH::ShapeRefC hull_of(const Json& points) {
  JPH::Array<JPH::Vec3> places;
  for (const Json& p : points) places.emplace_back(p[0].get<float>(), p[1].get<float>(), p[2].get<float>());
  const JPH::ConvexHullShapeSettings settings(places, 0.0F);
  const JPH::ShapeSettings::ShapeResult result = settings.Create();
  if (result.HasError()) throw std::runtime_error(result.GetError().c_str());
  return result.Get();
}

}  // namespace

int main(int argc, char** argv) {
  JPH::RegisterDefaultAllocator();
  JPH::Factory::sInstance = new JPH::Factory();
  JPH::RegisterTypes();
  const int code = run(argc, argv, {"cast"}, [&](const Json& given) -> std::function<Answer()> {
    const JPH::ShapeRefC a = hull_of(given["points_a"]), b = hull_of(given["points_b"]);
    const Json move = given["move"];
    const JPH::Vec3 way(move[0].get<float>(), move[1].get<float>(), move[2].get<float>());
    return [=] {
      const JPH::Vec3 scale = JPH::Vec3::sReplicate(1.0F);
      const JPH::Mat44 start = JPH::Mat44::sTranslation(a->GetCenterOfMass());
      const JPH::Mat44 rest = JPH::Mat44::sTranslation(b->GetCenterOfMass());
      JPH::ShapeCastSettings settings;
      settings.mBackFaceModeConvex = JPH::EBackFaceMode::CollideWithBackFaces;
      JPH::ClosestHitCollisionCollector<JPH::CastShapeCollector> found;
      JPH::CollisionDispatch::sCastShapeVsShapeWorldSpace({a, scale, start, way}, settings, b, scale, {},
                                                          rest, {}, {}, found);
      return found.HadHit() ? Answer{true, static_cast<double>(found.mHit.mFraction)} : Answer{};
    };
  });
  JPH::UnregisterTypes();
  delete JPH::Factory::sInstance;
  JPH::Factory::sInstance = nullptr;
  return code;
}
