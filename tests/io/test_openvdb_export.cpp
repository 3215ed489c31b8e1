// Level sets as OpenVDB reads them back, against exact signed distances.
#include <gtest/gtest.h>
#include <openvdb/openvdb.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "scenes/torus_knot.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/io/openvdb_export.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata {
namespace {

std::string vdb_path(const char* name) {
  return (std::filesystem::temp_directory_path() /
          ("toccata_" + std::to_string(getpid()) + "_" + name + ".vdb"))
      .string();
}

openvdb::FloatGrid::Ptr read_back(const std::string& path) {
  openvdb::initialize();
  openvdb::io::File file(path);
  file.open();
  openvdb::FloatGrid::Ptr grid = openvdb::gridPtrCast<openvdb::FloatGrid>(file.readGrid("distance"));
  file.close();
  std::filesystem::remove(path);
  return grid;
}

// Every voxel around the mesh: values in the band, signs everywhere.
void check_level_set(const TriangleMesh& mesh, double voxel, double half_width) {
  const Shape shape(mesh);
  const DistanceField field = build_distance_field(shape, {.error = 0.2 * voxel}).value();
  const std::string path = vdb_path("level_set");
  const Expected<std::size_t> voxels = save_openvdb(path, field, {.voxel = voxel, .half_width = half_width});
  ASSERT_TRUE(voxels) << voxels.error().message;
  const openvdb::FloatGrid::Ptr grid = read_back(path);
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->activeVoxelCount(), *voxels);
  EXPECT_EQ(grid->getGridClass(), openvdb::GRID_LEVEL_SET);
  EXPECT_DOUBLE_EQ(grid->voxelSize()[0], voxel);
  EXPECT_EQ(grid->metaValue<double>("toccata_error"), field.error());
  const auto reach = static_cast<int>(std::ceil(1.3 * shape.size() / voxel));
  auto values = grid->getConstAccessor();
  std::size_t wrong_signs = 0, wrong_values = 0, active = 0;
  for (int x = -reach; x <= reach; x += 2) {
    for (int y = -reach; y <= reach; ++y) {
      for (int z = -reach; z <= reach; ++z) {
        const openvdb::Coord at(x, y, z);
        const double value = static_cast<double>(values.getValue(at));
        const SignedDistance truth = signed_distance(voxel * Vector3(x, y, z), shape);
        wrong_signs += value * truth.distance < 0.0 && truth.side != Containment::Crossing;
        active += values.isValueOn(at);
        if (values.isValueOn(at)) {
          wrong_values += std::abs(value - truth.distance) > field.error() * 1.0001 + 1e-6 * shape.size();
        } else {
          wrong_values += std::abs(std::abs(value) - half_width * voxel) > 1e-6;
          wrong_values += std::abs(truth.distance) < half_width * voxel - field.error();
        }
      }
    }
  }
  EXPECT_EQ(wrong_signs, 0u);
  EXPECT_EQ(wrong_values, 0u);
  EXPECT_GT(active, 100u);
}

TEST(OpenVdbExport, IsReadBackAsTheDistance) {
  check_level_set(display_mesh(Box{{1.0, 0.7, 0.9}}), 0.05, 3.0);
  scenes::TorusKnotOptions knot;
  knot.along = 60;
  knot.around = 8;
  check_level_set(scenes::torus_knot(knot), 0.11, 1.5);
  // Faces inwards, and away from the origin.
  TriangleMesh inward = display_mesh(Box{{0.5, 0.5, 0.5}});
  for (Face& f : inward.faces) std::swap(f[0], f[1]);
  check_level_set(inward, 0.09, 4.0);
}

TEST(OpenVdbExport, RefusesWhatCannotBe) {
  TriangleMesh open = display_mesh(Box{{0.5, 0.5, 0.5}});
  const DistanceField field = build_distance_field(Shape(open), {.error = 0.05}).value();
  open.faces.pop_back();
  const DistanceField without_sign = build_distance_field(Shape(open), {.error = 0.05}).value();
  const std::string path = vdb_path("refused");
  EXPECT_NE(save_openvdb(path, without_sign).error().message.find("closed"), std::string::npos);
  EXPECT_FALSE(save_openvdb(path, field, {.voxel = -1.0}));
  EXPECT_FALSE(save_openvdb(path, field, {.voxel = NAN}));
  EXPECT_FALSE(save_openvdb(path, field, {.voxel = 1e-9}));
  EXPECT_FALSE(save_openvdb(path, field, {.half_width = 1.0}));
  EXPECT_FALSE(save_openvdb("/nowhere/at/all.vdb", field));
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(save_openvdb(path, field));
  EXPECT_FALSE(save_openvdb(path, field, {.force = false}));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace toccata
