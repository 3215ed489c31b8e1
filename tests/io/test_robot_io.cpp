#include "toccata/io/robot_io.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numbers>

#include "toccata/motion/kinematics.hpp"

namespace toccata {
namespace {

const std::string shared = std::string(TOCCATA_SHARED_DATA) + "/robots/";

constexpr const char* arm = R"(<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><collision><geometry><box size="1 2 3"/></geometry></collision></link>
  <link name="upper">
    <visual><geometry><mesh filename="package://nowhere/upper.dae"/></geometry></visual>
    <collision><origin xyz="0 0 0.5" rpy="0 0 1.5707963267948966"/><geometry><cylinder radius="0.1" length="1"/></geometry></collision>
    <collision><geometry><sphere radius="0.2"/></geometry></collision>
    <collision/>
  </link>
  <link name="finger"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/>
    <axis xyz="0 0 2"/><limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="grip" type="prismatic">
    <parent link="upper"/><child link="finger"/><limit lower="0" upper="1"/>
    <mimic joint="shoulder" multiplier="-2"/>
  </joint>
</robot>)";

TEST(Urdf, reads_links_joints_and_shapes) {
  const Expected<ArticulatedBody> body = parse_urdf(arm);
  ASSERT_TRUE(body) << body.error().message;
  EXPECT_EQ(body->name, "arm");
  ASSERT_EQ(body->links.size(), 3u);
  ASSERT_EQ(body->links[1].shapes.size(), 2u);  // what is for the eye, and what is empty, is not there
  EXPECT_EQ(std::get<Box>(body->links[0].shapes[0].geometry).size, Vector3(1, 2, 3));
  const CompoundPart& cylinder = body->links[1].shapes[0];
  EXPECT_EQ(std::get<Cylinder>(cylinder.geometry).height, 1.0);
  EXPECT_LT((cylinder.pose.rotation * Vector3::UnitX() - Vector3::UnitY()).norm(), 1e-15);
  ASSERT_EQ(body->joints.size(), 2u);
  EXPECT_LT((body->joints[0].origin.rotation * Vector3::UnitZ() - Vector3::UnitX()).norm(), 1e-15);
  EXPECT_EQ(body->joints[0].limits->upper, 2.0);
  EXPECT_EQ(body->joints[1].axis, Vector3::UnitX());  // unless given
  EXPECT_EQ(body->joints[1].mimic->multiplier, -2.0);
  EXPECT_EQ(variables_of(*body).size(), 1u);
}

std::string replaced(const std::string& text, const std::string& what, const std::string& with) {
  std::string result = text;
  const std::size_t at = result.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return result.replace(at, what.size(), with);
}

// The message says where in the file, and which link or joint.
TEST(Urdf, faults_are_told_with_their_place) {
  struct Case {
    const char* what;
    const char* with;
    const char* expected;
  };
  const Case cases[] = {
      {"<robot name=\"arm\">", "<robot name=\"arm\"", "is no XML"},
      {"size=\"1 2 3\"", "size=\"1 2\"", "line 3: size must be 3 finite numbers, found '1 2' (link 'base')"},
      {"size=\"1 2 3\"", "size=\"1 2 nan\"", "finite numbers"},
      {"size=\"1 2 3\"", "size=\"1 2 -3\"", "must not be negative"},
      {"radius=\"0.2\"", "", "line 7: <sphere> has no radius (link 'upper')"},
      {"<sphere radius=\"0.2\"/>", "<blob/>", "found <blob>"},
      {"<sphere radius=\"0.2\"/>", "<mesh filename=\"missing.obj\"/>", "there is no mesh"},
      {"<sphere radius=\"0.2\"/>", "<mesh filename=\"package://a/missing.obj\"/>", "--package-path"},
      {"<sphere radius=\"0.2\"/>", "<mesh filename=\"x.obj\" scale=\"1 0 1\"/>", "scale of a mesh"},
      {"type=\"revolute\"", "type=\"hinge\"", "there is no type of joint 'hinge' (joint 'shoulder')"},
      {"<parent link=\"base\"/>", "", "has no <parent>"},
      {"<child link=\"upper\"/>", "<child link=\"lower\"/>",
       "joint 'shoulder': there is no child link 'lower'"},
      {"<axis xyz=\"0 0 2\"/>", "<axis xyz=\"0 0 0\"/>", "joint 'shoulder': its axis"},
      {"<limit lower=\"-1\" upper=\"2\" effort=\"1\" velocity=\"1\"/>", "",
       "joint 'shoulder': a revolute joint needs limits"},
      {"joint=\"shoulder\"", "joint=\"elbow\"", "mimics joint 'elbow', which is not there"},
      {"joint=\"shoulder\"", "joint=\"grip\"", "mimics itself"},
      {"name=\"finger\"/>", "name=\"upper\"/>", "two links named 'upper'"},
      {"<robot name=\"arm\">", "<machine>", "is no XML"},
  };
  for (const Case& c : cases) {
    const Expected<ArticulatedBody> body = parse_urdf(replaced(arm, c.what, c.with), "arm.urdf");
    ASSERT_FALSE(body) << c.expected;
    EXPECT_NE(body.error().message.find(c.expected), std::string::npos)
        << body.error().message << " instead of " << c.expected;
    EXPECT_TRUE(body.error().message.starts_with("arm.urdf")) << body.error().message;
  }
}

// Depth, entities and size do no harm.
TEST(Urdf, hostile_files_are_refused) {
  std::string deep = "<robot>";
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  EXPECT_FALSE(parse_urdf(deep));
  const std::string bomb =
      "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><robot "
      "name=\"&b;\"/>";
  EXPECT_FALSE(parse_urdf(bomb));
  EXPECT_FALSE(parse_urdf(""));
  EXPECT_FALSE(parse_urdf(std::string_view("\0\0\0", 3)));
  EXPECT_FALSE(load_urdf("/no/such/file.urdf"));
}

TEST(Srdf, reads_pairs_groups_and_states) {
  const ArticulatedBody body = parse_urdf(arm).value();
  const Expected<RobotSemantics> found = parse_srdf(R"(<robot name="arm">
    <virtual_joint name="world_joint" type="planar" parent_frame="odom" child_link="base"/>
    <passive_joint name="grip"/>
    <group name="all"><group name="chain"/></group>
    <group name="chain"><chain base_link="base" tip_link="finger"/></group>
    <group_state name="home" group="chain"><joint name="shoulder" value="0.5"/></group_state>
    <disable_default_collisions link="finger"/>
    <enable_collisions link1="finger" link2="base"/>
    <disable_collisions link1="upper" link2="base" reason="Adjacent"/>
    <disable_collisions link1="upper" link2="ghost"/>
  </robot>)",
                                                    body);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->allowed.size(), 2u);
  EXPECT_EQ(found->allowed[0].a + " " + found->allowed[0].b, "base upper");
  EXPECT_EQ(found->allowed[1].a + " " + found->allowed[1].b, "finger upper");
  EXPECT_EQ(found->unknown, std::vector<std::string>{"ghost"});
  ASSERT_EQ(found->groups.size(), 2u);
  EXPECT_EQ(found->groups[0].joints, std::vector<std::string>{"shoulder"});  // the mimic follows
  EXPECT_EQ(found->groups[1].joints, std::vector<std::string>{"shoulder"});
  EXPECT_EQ(found->states[0].values[0].values, std::vector<double>{0.5});
  EXPECT_EQ(found->passive_joints, std::vector<std::string>{"grip"});
  const Expected<ArticulatedBody> mobile = with_virtual_joint(body, found->virtual_joints.at(0));
  ASSERT_TRUE(mobile);
  EXPECT_EQ(variables_of(*mobile).size(), 4u);
  EXPECT_EQ(variables_of(*mobile)[2].name, "world_joint/theta");
}

TEST(Srdf, faults_are_told_with_their_place) {
  const ArticulatedBody body = parse_urdf(arm).value();
  const auto message = [&](const std::string& content) {
    const auto found = parse_srdf("<robot>\n" + content + "</robot>", body, "arm.srdf");
    return found ? std::string() : found.error().message;
  };
  EXPECT_NE(message("<disable_collisions link1=\"a\"/>")
                .find("arm.srdf, line 2: <disable_collisions> has no link2"),
            std::string::npos);
  EXPECT_NE(message("<group name=\"g\"><group name=\"h\"/></group>").find("there is no group 'h'"),
            std::string::npos);
  EXPECT_NE(message("<group name=\"g\"><chain base_link=\"finger\" tip_link=\"base\"/></group>")
                .find("not on the way"),
            std::string::npos);
  EXPECT_NE(message("<virtual_joint name=\"v\" type=\"ball\" parent_frame=\"w\" child_link=\"base\"/>")
                .find("'ball'"),
            std::string::npos);
  EXPECT_EQ(message("<group name=\"g\"><group name=\"g\"/></group>"), "");  // names itself: nothing in it
}

// The four robots: counts as their makers give them.
TEST(Urdf, reads_the_robots) {
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no shared data";
  const auto load = [](const std::string& path) {
    Expected<ArticulatedBody> body = load_urdf(shared + path);
    EXPECT_TRUE(body) << body.error().message;
    return body ? *body : ArticulatedBody();
  };
  const ArticulatedBody panda = load("panda/panda.urdf");
  EXPECT_EQ(panda.links.size(), 13u);
  EXPECT_EQ(variables_of(panda).size(), 7u);
  std::size_t triangles = 0;
  for (const Link& link : panda.links) {
    for (const CompoundPart& part : link.shapes) {
      if (const auto* mesh = std::get_if<TriangleMesh>(&part.geometry)) triangles += mesh->faces.size();
    }
  }
  EXPECT_GE(triangles, 3472u);
  const auto semantics = load_srdf(shared + "panda/panda.srdf", panda);
  ASSERT_TRUE(semantics) << semantics.error().message;
  EXPECT_EQ(semantics->allowed.size(), 34u);
  EXPECT_EQ(semantics->virtual_joints.at(0).kind, JointKind::Floating);
  EXPECT_EQ(semantics->groups.at(0).joints.size(), 7u);
  const ArticulatedBody ur5 = load("ur5/ur5_robot.urdf");
  EXPECT_EQ(variables_of(ur5).size(), 6u);
  const ArticulatedBody pr2 = load("pr2/urdf/pr2.urdf");
  EXPECT_EQ(pr2.links.size(), 82u);
  const auto whole = load_srdf(shared + "pr2/srdf/pr2.srdf", pr2);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->virtual_joints.at(0).kind, JointKind::Planar);
  EXPECT_GT(whole->allowed.size(), 1000u);
  const ArticulatedBody humanoid = load("simple_humanoid/urdf/simple_humanoid.urdf");
  EXPECT_GT(variables_of(humanoid).size(), 20u);
}

}  // namespace
}  // namespace toccata
