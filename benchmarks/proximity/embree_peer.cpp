#include <embree3/rtcore.h>

#include <limits>

#include "peer.hpp"

namespace toccata::bench {
namespace {

class Embree final : public RayPeer {
 public:
  explicit Embree(const TriangleMesh& mesh)
      : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_)) {
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* points = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                               RTC_FORMAT_FLOAT3, 12, mesh.vertices.size()));
    for (const Vector3& v : mesh.vertices) {
      for (int k = 0; k < 3; ++k) *points++ = static_cast<float>(v[k]);
    }
    auto* faces = static_cast<unsigned*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, mesh.faces.size()));
    for (const Face& f : mesh.faces) {
      for (int k = 0; k < 3; ++k) *faces++ = static_cast<unsigned>(f[k]);
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  ~Embree() override {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }

  double cast(const Vector3& origin, const Vector3& direction) override {
    RTCRayHit ray = {};
    ray.ray.org_x = static_cast<float>(origin.x());
    ray.ray.org_y = static_cast<float>(origin.y());
    ray.ray.org_z = static_cast<float>(origin.z());
    ray.ray.dir_x = static_cast<float>(direction.x());
    ray.ray.dir_y = static_cast<float>(direction.y());
    ray.ray.dir_z = static_cast<float>(direction.z());
    ray.ray.tfar = std::numeric_limits<float>::infinity();
    ray.ray.mask = ~0U;
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene_, &context, &ray);
    return ray.hit.geomID == RTC_INVALID_GEOMETRY_ID ? std::numeric_limits<double>::infinity()
                                                     : static_cast<double>(ray.ray.tfar);
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

}  // namespace

std::unique_ptr<RayPeer> embree_peer(const TriangleMesh& mesh) {
  return std::make_unique<Embree>(mesh);
}

}  // namespace toccata::bench
