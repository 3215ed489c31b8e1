#include <embree3/rtcore.h>

#include <cmath>
#include <limits>

#include "peers.hpp"
#include "toccata/elementary/point_triangle.hpp"

namespace toccata::bench {
namespace {

class Embree final : public DistancePeer {
 public:
  explicit Embree(const TriangleMesh& mesh) : mesh_(mesh), device_(rtcNewDevice("threads=1")) {
    scene_ = rtcNewScene(device_);
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, mesh.vertices.size()));
    for (const Vector3& v : mesh.vertices) {
      for (int k = 0; k < 3; ++k) *vertices++ = static_cast<float>(v[k]);
    }
    auto* faces = static_cast<unsigned*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, mesh.faces.size()));
    for (const Face& f : mesh.faces) {
      for (int k = 0; k < 3; ++k) *faces++ = static_cast<unsigned>(f[static_cast<std::size_t>(k)]);
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
  void distances(std::span<const Vector3> points, std::span<double> found) const override {
    for (std::size_t i = 0; i < points.size(); ++i) {
      Asked asked{&mesh_, points[i], std::numeric_limits<double>::infinity()};
      RTCPointQuery query;
      query.x = static_cast<float>(points[i].x());
      query.y = static_cast<float>(points[i].y());
      query.z = static_cast<float>(points[i].z());
      query.time = 0.0F;
      query.radius = std::numeric_limits<float>::infinity();
      RTCPointQueryContext context;
      rtcInitPointQueryContext(&context);
      rtcPointQuery(scene_, &query, &context, &nearer, &asked);
      found[i] = std::sqrt(asked.squared);
    }
  }

 private:
  struct Asked {
    const TriangleMesh* mesh;
    Vector3 point;
    double squared;
  };
  static bool nearer(RTCPointQueryFunctionArguments* arguments) {
    auto& asked = *static_cast<Asked*>(arguments->userPtr);
    const PointTriangleDistance d =
        point_triangle_distance(asked.point, triangle_of(*asked.mesh, arguments->primID));
    if (d.squared_distance >= asked.squared) return false;
    asked.squared = d.squared_distance;
    arguments->query->radius = static_cast<float>(std::sqrt(asked.squared));
    return true;
  }

  const TriangleMesh& mesh_;
  RTCDevice device_;
  RTCScene scene_;
};

}  // namespace

std::unique_ptr<DistancePeer> embree_peer(const TriangleMesh& mesh) {
  return std::make_unique<Embree>(mesh);
}

}  // namespace toccata::bench
