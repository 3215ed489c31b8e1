#include "toccata/geometry/articulated_body.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace toccata {
namespace {

Joint joint(const std::string& name, JointKind kind, const std::string& parent, const std::string& child) {
  Joint result;
  result.name = name;
  result.kind = kind;
  result.parent = parent;
  result.child = child;
  result.limits = JointLimits{-1.0, 1.0};
  return result;
}

// base - a - b, and c beside b.
ArticulatedBody small_robot() {
  ArticulatedBody body;
  body.name = "small";
  for (const char* name : {"base", "a", "b", "c"}) body.links.push_back({name, {{Box{}, {}}}});
  body.joints = {joint("one", JointKind::Revolute, "base", "a"), joint("two", JointKind::Prismatic, "a", "b"),
                 joint("three", JointKind::Continuous, "a", "c")};
  return body;
}

TEST(ArticulatedBody, a_tree_is_all_right) {
  EXPECT_EQ(failure_of(small_robot()), std::nullopt);
  EXPECT_EQ(root_of(small_robot()), 0);
  ArticulatedBody one;
  one.links.push_back({"alone", {}});
  EXPECT_EQ(failure_of(one), std::nullopt);
}

// Each fault is told with the name of its link or joint.
TEST(ArticulatedBody, faults_are_named) {
  struct Case {
    const char* expected;
    std::function<void(ArticulatedBody&)> spoil;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Case cases[] = {
      {"there are no links", [](auto& b) { b.links.clear(); }},
      {"two links named 'a'",
       [](auto& b) {
         b.links.push_back({"a", {}});
       }},
      {"two joints named 'one'", [](auto& b) { b.joints[1].name = "one"; }},
      {"link 4 has no name",
       [](auto& b) {
         b.links.push_back({"", {}});
       }},
      {"joint 'two': there is no parent link 'x'", [](auto& b) { b.joints[1].parent = "x"; }},
      {"joint 'two': there is no child link 'x'", [](auto& b) { b.joints[1].child = "x"; }},
      {"joint 'one' joins link 'a' to itself", [](auto& b) { b.joints[0].parent = "a"; }},
      {"two roots, links 'base' and 'c'", [](auto& b) { b.joints.pop_back(); }},
      {"link 'b' has two parents: joints 'two' and 'three'", [](auto& b) { b.joints[2].child = "b"; }},
      {"no link is the root: link",
       [](auto& b) { b.joints.push_back(joint("back", JointKind::Fixed, "b", "base")); }},
      {"is in a loop of joints",
       [](auto& b) {
         b.joints[0].parent = "b";  // a and b hold each other
         b.joints.erase(b.joints.begin() + 2);
         b.links.pop_back();
       }},
      {"joint 'one': its axis", [](auto& b) { b.joints[0].axis.setZero(); }},
      {"joint 'one': its axis", [nan](auto& b) { b.joints[0].axis.x() = nan; }},
      {"joint 'two': a prismatic joint needs limits", [](auto& b) { b.joints[1].limits.reset(); }},
      {"joint 'two': its lower limit",
       [](auto& b) {
         b.joints[1].limits = JointLimits{1.0, -1.0};
       }},
      {"joint 'one': its rotation", [](auto& b) { b.joints[0].origin.rotation *= 2.0; }},
      {"joint 'one': its place", [nan](auto& b) { b.joints[0].origin.translation.x() = nan; }},
      {"joint 'one' mimics joint 'x', which is not there", [](auto& b) { b.joints[0].mimic = {"x"}; }},
      {"mimics itself",
       [](auto& b) {
         b.joints[0].mimic = {"two"};
         b.joints[1].mimic = {"one"};
       }},
      {"joint 'one' mimics itself", [](auto& b) { b.joints[0].mimic = {"one"}; }},
      {"joint 'one': multiplier",
       [nan](auto& b) {
         b.joints[0].mimic = {"two", nan};
       }},
      {"which is planar",
       [](auto& b) {
         b.joints[1].kind = JointKind::Planar;
         b.joints[0].mimic = {"two"};
       }},
      {"link 'b', shape 0", [](auto& b) { b.links[2].shapes[0].geometry = Ball{-1.0}; }},
      {"link 'b', shape 0: a link cannot be a half space",
       [](auto& b) { b.links[2].shapes[0].geometry = HalfSpace{}; }},
  };
  for (const Case& c : cases) {
    ArticulatedBody body = small_robot();
    c.spoil(body);
    const auto failure = failure_of(body);
    ASSERT_TRUE(failure) << c.expected;
    EXPECT_NE(failure->find(c.expected), std::string::npos) << *failure << " instead of " << c.expected;
  }
}

TEST(ArticulatedBody, variables_are_those_of_joints_that_lead) {
  ArticulatedBody body = small_robot();
  body.joints[0].kind = JointKind::Floating;
  body.joints[1].mimic = JointMimic{"three", -2.0, 0.5};
  ASSERT_EQ(failure_of(body), std::nullopt);
  const auto variables = variables_of(body);
  ASSERT_EQ(variables.size(), 8u);
  EXPECT_EQ(variables[0].name, "one/x");
  EXPECT_EQ(variables[6].name, "one/qw");
  EXPECT_EQ(variables[7].name, "three");
  EXPECT_FALSE(variables[7].limits);
  EXPECT_EQ(variables[7].joint, 2);
}

// Mimics of mimics, named before their masters, with any multiplier, are all right.
TEST(ArticulatedBody, chains_of_mimics) {
  ArticulatedBody body = small_robot();
  body.joints[0].mimic = JointMimic{"two", 0.0, 1.0};
  body.joints[1].mimic = JointMimic{"three", -1.0, 0.0};
  EXPECT_EQ(failure_of(body), std::nullopt);
  EXPECT_EQ(variables_of(body).size(), 1u);
}

}  // namespace
}  // namespace toccata
