#include "toccata/io/assimp_import.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "toccata/io/mesh_io.hpp"

namespace toccata {
namespace {

namespace fs = std::filesystem;

class AssimpFiles : public testing::Test {
 protected:
  AssimpFiles() : folder_(fs::temp_directory_path() / ("toccata_assimp_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~AssimpFiles() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return (folder_ / name).string();
  }

 private:
  fs::path folder_;
};

// A quadrilateral in Collada, moved by its node.
constexpr const char* collada = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>0 0 5</translate><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";

TEST_F(AssimpFiles, other_formats_come_through_the_importer) {
  const std::string path = write("square.dae", collada);
  EXPECT_FALSE(load_mesh(path));
  const Expected<TriangleMesh> mesh = load_mesh(path, {.importer = import_with_assimp});
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->vertices.size(), 4u);
  EXPECT_EQ(mesh->faces.size(), 2u);
  for (const Vector3& p : mesh->vertices) EXPECT_EQ(p.z(), 5.0);
}

TEST_F(AssimpFiles, nonsense_is_an_error_with_the_name_of_the_file) {
  const std::string path = write("bad.dae", "hello");
  const Expected<TriangleMesh> mesh = load_mesh(path, {.importer = import_with_assimp});
  ASSERT_FALSE(mesh);
  EXPECT_NE(mesh.error().message.find(path + ": Assimp cannot read it"), std::string::npos);
}

}  // namespace
}  // namespace toccata
