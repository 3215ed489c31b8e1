// Medial meshes there and back, and what is wrong with files that are none.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "toccata/io/medial_io.hpp"

namespace toccata {
namespace {

MedialMesh some_mesh() {
  MedialMesh mesh;
  mesh.centers = {{0.1, 1e-300, -3}, {1.0 / 3.0, 2, 3}, {4, 5, 1e17}, {7, 8, 9}};
  mesh.radii = {0.0, 0.7, std::nextafter(1.0, 2.0), 3.0};
  mesh.cones = {{0, 1}, {3, 2}};
  mesh.slabs = {{0, 1, 2}};
  return mesh;
}

TEST(MedialMesh, PrimitivesAreThoseThatNoOtherHolds) {
  MedialMesh mesh = some_mesh();
  mesh.centers.push_back({0, 0, 0});
  mesh.radii.push_back(1.0);
  mesh.slabs.push_back({2, 1, 0});  // the same again
  const std::vector<MedialPrimitive> expected = {{0, 1, 2}, {3, 2, -1}, {4, -1, -1}};
  EXPECT_EQ(medial_primitives(mesh), expected);
}

TEST(MedialMesh, FailuresNameWhatAndWhere) {
  const auto failure = [](auto&& change) {
    MedialMesh mesh = some_mesh();
    change(mesh);
    return failure_of(mesh).value_or("");
  };
  EXPECT_EQ(failure([](MedialMesh&) {}), "");
  EXPECT_NE(failure([](MedialMesh& m) { m.radii[2] = -1.0; }).find("ball 2"), std::string::npos);
  EXPECT_NE(failure([](MedialMesh& m) { m.centers[1].x() = NAN; }).find("ball 1"), std::string::npos);
  EXPECT_NE(failure([](MedialMesh& m) { m.cones[1] = {0, 4}; }).find("cone 1"), std::string::npos);
  EXPECT_NE(failure([](MedialMesh& m) { m.slabs[0] = {0, 1, 1}; }).find("twice"), std::string::npos);
  EXPECT_NE(failure([](MedialMesh& m) { m.radii.pop_back(); }).find("3 radii"), std::string::npos);
  EXPECT_NE(failure([](MedialMesh& m) { m = {}; }), "");
}

TEST(MedialIo, ReadsWhatItWrites) {
  const MedialMesh mesh = some_mesh();
  for (const MedialFormat format : {MedialFormat::Ma, MedialFormat::Json}) {
    const Expected<std::string> text = format_medial_mesh(mesh, format);
    ASSERT_TRUE(text);
    const Expected<MedialMesh> back =
        format == MedialFormat::Ma ? medial_mesh_from_ma(*text) : medial_mesh_from_json(*text);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->centers, mesh.centers);
    EXPECT_EQ(back->radii, mesh.radii);
    EXPECT_EQ(back->cones, mesh.cones);
    EXPECT_EQ(back->slabs, mesh.slabs);
  }
}

TEST(MedialIo, BallsForPlanners) {
  MedialMesh balls;
  balls.centers = {{1, 2, 3}};
  balls.radii = {0.5};
  EXPECT_NE(format_medial_mesh(balls, MedialFormat::Urdf)->find("<sphere radius=\"0.5\"/>"),
            std::string::npos);
  EXPECT_NE(format_medial_mesh(balls, MedialFormat::Yaml)->find("- center: [1, 2, 3]\n      radius: 0.5"),
            std::string::npos);
  EXPECT_FALSE(format_medial_mesh(some_mesh(), MedialFormat::Urdf));
}

TEST(MedialIo, SaysWhatIsWrong) {
  const auto ma = [](const char* text) {
    const Expected<MedialMesh> mesh = medial_mesh_from_ma(text, "x.ma");
    return mesh ? std::string() : mesh.error().message;
  };
  EXPECT_EQ(ma("2 1 0\nv 0 0 0 1\nv 1 0 0 0.5\ne 0 1\n"), "");
  EXPECT_NE(ma(""), "");
  EXPECT_NE(ma("1 0 0\nv 0 0 0\n").find("radius"), std::string::npos);
  EXPECT_NE(ma("1 0 0\nv 0 0 0 nan\n"), "");
  EXPECT_NE(ma("99999999999 0 0\nv 0 0 0 1\n"), "");
  EXPECT_NE(ma("1 1 0\nv 0 0 0 1\ne 0 1\n").find("cone 0"), std::string::npos);
  EXPECT_NE(ma("1 0 0\nw 0 0 0 1\n"), "");
  for (const char* text :
       {"", "{", "[]", "{\"format\": \"x\"}", "{\"format\": \"toccata-medial\", \"centers\": [[1, 2]]}",
        "{\"format\": \"toccata-medial\", \"centers\": [[1, 2, 3]]}", "{} x",
        "{\"format\": \"toccata-medial\", \"slabs\": [[0, 1, 1.5]]}"})
    EXPECT_FALSE(medial_mesh_from_json(text)) << text;
  EXPECT_FALSE(load_medial_mesh("nothing.ma"));
  EXPECT_FALSE(load_medial_mesh("nothing.stl"));
}

}  // namespace
}  // namespace toccata
