#include "toccata/io/scene_io.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace toccata {
namespace {

TEST(SceneIo, reads_a_planning_scene) {
  const Expected<ObstacleScene> scene = parse_scene_yaml(R"(
robot_model_name: arm
robot_state:
  attached_collision_objects:
    - link_name: hand
      touch_links: [finger]
      object: {id: cup, primitives: [{type: cylinder, dimensions: [0.1, 0.03]}], primitive_poses: [{position: [0, 0, 0.1], orientation: [0, 0, 0, 1]}]}
allowed_collision_matrix:
  entry_names: [a, b, c]
  entry_values:
    - [true, true, false]
    - [true, true, false]
    - [false, false, true]
world:
  collision_objects:
    - id: table
      pose: {position: [1, 0, 0], orientation: [0, 0, 0.7071067811865476, 0.7071067811865476]}
      primitives:
        - {type: box, dimensions: [1, 2, 3]}
        - {type: SPHERE, dimensions: [0.5]}
      primitive_poses:
        - {position: {x: 1, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 2}}
        - {position: [0, 0, 0]}
    - id: plane
      planes: [{coef: [0, 0, 1, -0.5]}]
    - id: wedge
      meshes: [{vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]}]
)");
  ASSERT_TRUE(scene) << scene.error().message;
  ASSERT_EQ(scene->obstacles.size(), 4u);
  EXPECT_EQ(std::get<Box>(scene->obstacles[0].geometry).size, Vector3(1, 2, 3));
  EXPECT_LT((scene->obstacles[0].pose.translation - Vector3(1, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(std::get<Ball>(scene->obstacles[1].geometry).radius, 0.5);
  EXPECT_EQ(std::get<HalfSpace>(scene->obstacles[2].geometry).offset, 0.5);
  EXPECT_EQ(std::get<TriangleMesh>(scene->obstacles[3].geometry).faces.size(), 1u);
  ASSERT_EQ(scene->allowed.size(), 1u);
  EXPECT_EQ(scene->allowed[0].a + scene->allowed[0].b, "ab");
  ASSERT_EQ(scene->attached.size(), 1u);
  EXPECT_EQ(scene->attached[0].link, "hand");
  EXPECT_EQ(std::get<Cylinder>(scene->attached[0].shapes[0].geometry).height, 0.1);
  EXPECT_EQ(scene->attached[0].touch_links, std::vector<std::string>{"finger"});
}

TEST(SceneIo, reads_a_list) {
  const Expected<ObstacleScene> scene = parse_scene_list(
      "# rods\nbox 1 2 3  4 5 6  0 0 0 1\n\ncyl 2 0.5  0 0 0  0 0 0 3 # long\nball 1 0 0 0 0 0 0 1\n");
  ASSERT_TRUE(scene) << scene.error().message;
  ASSERT_EQ(scene->obstacles.size(), 3u);
  EXPECT_EQ(scene->obstacles[0].pose.translation, Vector3(4, 5, 6));
  EXPECT_EQ(std::get<Cylinder>(scene->obstacles[1].geometry).radius, 0.5);
  EXPECT_EQ(std::get<Cylinder>(scene->obstacles[1].geometry).height, 2.0);
  EXPECT_EQ(scene->obstacles[2].name, "obstacle 3");
}

TEST(SceneIo, faults_are_told_with_their_place) {
  const auto listed = [](const std::string& content) {
    const auto scene = parse_scene_list(content, "rods.txt");
    return scene ? std::string() : scene.error().message;
  };
  EXPECT_NE(listed("\nbox 1 2 3 0 0 0 0 0 1\n").find("rods.txt, line 2: expected 10 finite numbers"),
            std::string::npos);
  EXPECT_NE(listed("blob 1").find("found 'blob'"), std::string::npos);
  EXPECT_NE(listed("box 1 2 3 0 0 0 0 0 0 0").find("must not be zero"), std::string::npos);
  EXPECT_NE(listed("box 1 2 -3 0 0 0 0 0 0 1").find("line 1"), std::string::npos);
  EXPECT_NE(listed("box 1 2 inf 0 0 0 0 0 0 1").find("finite"), std::string::npos);
  const auto yaml = [](const std::string& content) {
    const auto scene = parse_scene_yaml(content, "room.yaml");
    return scene ? std::string() : scene.error().message;
  };
  EXPECT_NE(yaml("[1, 2").find("room.yaml"), std::string::npos);
  EXPECT_NE(yaml("7").find("expected a planning scene"), std::string::npos);
  EXPECT_NE(yaml("other: 1").find("no `world`"), std::string::npos);
  EXPECT_NE(yaml("world: {collision_objects: [{primitives: []}]}").find("needs an `id`"), std::string::npos);
  EXPECT_NE(yaml("world:\n collision_objects:\n  - id: a\n    primitives: [{type: box, dimensions: [1, "
                 "2]}]\n    primitive_poses: [{}]")
                .find("room.yaml, line 4: the dimensions of a box are 3"),
            std::string::npos);
  EXPECT_NE(yaml("world: {collision_objects: [{id: a, primitives: [{type: box, dimensions: [1, 2, .nan]}]}]}")
                .find("finite"),
            std::string::npos);
  EXPECT_NE(yaml("world: {collision_objects: [{id: a, primitives: [{type: torus, dimensions: [1]}]}]}")
                .find("'torus'"),
            std::string::npos);
  EXPECT_NE(yaml("world: {collision_objects: [{id: a, primitives: [], primitive_poses: [{}]}]}")
                .find("0 primitives and 1"),
            std::string::npos);
  EXPECT_FALSE(load_scene("/no/such.yaml"));
  std::string deep = "world: ";
  for (int i = 0; i < 100000; ++i) deep += "[";
  EXPECT_NE(yaml(deep), "");
}

TEST(SceneIo, reads_the_thin_rods) {
  const std::string path = std::string(TOCCATA_SHARED_DATA) + "/robots/thin_rods/thin_1.txt";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data";
  const Expected<ObstacleScene> scene = load_scene(path);
  ASSERT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(scene->obstacles.size(), 24u);
}

}  // namespace
}  // namespace toccata
