#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/MeshToVolume.h>

#include "peers.hpp"

namespace toccata::bench {
namespace {

class OpenVdb final : public DistancePeer {
 public:
  OpenVdb(const TriangleMesh& mesh, int voxels, double band) {
    openvdb::initialize();
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    Vector3 low = mesh.vertices[0], high = low;
    for (const Vector3& v : mesh.vertices) {
      points.emplace_back(v.x(), v.y(), v.z());
      low = low.cwiseMin(v);
      high = high.cwiseMax(v);
    }
    for (const Face& f : mesh.faces) triangles.emplace_back(f[0], f[1], f[2]);
    const double voxel = (high - low).maxCoeff() / voxels;
    transform_ = openvdb::math::Transform::createLinearTransform(voxel);
    const auto width = static_cast<float>(band / voxel);
    grid_ = openvdb::tools::meshToSignedDistanceField<openvdb::FloatGrid>(*transform_, points, triangles, {},
                                                                          width, width);
  }
  void distances(std::span<const Vector3> points, std::span<double> found) const override {
    auto accessor = grid_->getConstAccessor();
    const openvdb::tools::GridSampler<openvdb::FloatGrid::ConstAccessor, openvdb::tools::BoxSampler> sampler(
        accessor, grid_->transform());
    for (std::size_t i = 0; i < points.size(); ++i)
      found[i] = sampler.wsSample(openvdb::Vec3d(points[i].x(), points[i].y(), points[i].z()));
  }
  std::size_t memory_bytes() const override { return grid_->memUsage(); }

 private:
  openvdb::math::Transform::Ptr transform_;
  openvdb::FloatGrid::Ptr grid_;
};

}  // namespace

std::unique_ptr<DistancePeer> openvdb_peer(const TriangleMesh& mesh, int voxels, double band) {
  return std::make_unique<OpenVdb>(mesh, voxels, band);
}

}  // namespace toccata::bench
