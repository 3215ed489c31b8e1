#include "toccata/ccd/articulated/robot_pairs.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "ccd/articulated/pair_table.hpp"
#include "effort.hpp"
#include "oracle/random_robot.hpp"
#include "scenes/robot_arm.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace {

using namespace oracle;

// Two bars and a ball at the end, as far as the elbow bends.
ArticulatedBody folding(double limit) {
  ArticulatedBody body;
  const Pose middle(Matrix3::Identity(), Vector3(0.5, 0, 0));
  const Box bar{Vector3(1, 0.1, 0.1)};
  body.links = {
      {"base", {}}, {"upper", {{bar, middle}}}, {"lower", {{bar, middle}}}, {"tip", {{Ball{0.05}, {}}}}};
  const auto joined = [](const char* name, JointKind kind, const char* parent, const char* child, double x) {
    Joint result{name, kind, parent, child};
    result.origin.translation.x() = x;
    result.axis = Vector3::UnitZ();
    return result;
  };
  body.joints = {joined("shoulder", JointKind::Continuous, "base", "upper", 0.0),
                 joined("elbow", JointKind::Revolute, "upper", "lower", 1.0),
                 joined("wrist", JointKind::Continuous, "lower", "tip", 1.0)};
  body.joints[1].limits = JointLimits{-limit, limit};
  return body;
}

std::map<std::pair<std::string, std::string>, LinkPair> by_name(const RobotPairsResult& found) {
  std::map<std::pair<std::string, std::string>, LinkPair> pairs;
  for (const LinkPair& pair : found.pairs) pairs[{pair.a, pair.b}] = pair;
  return pairs;
}

// Of links as they are.
double link_distance(const ArticulatedBody& body, const std::string& a, const std::string& b,
                     const std::vector<double>& values) {
  const std::vector<Pose> poses = Kinematics::build(body).value().link_poses(values);
  std::vector<PlacedShape> parts[2];
  for (std::size_t i = 0; i < body.links.size(); ++i) {
    for (const CompoundPart& part : body.links[i].shapes) {
      if (body.links[i].name == a) parts[0].emplace_back(Shape(part.geometry), poses[i] * part.pose);
      if (body.links[i].name == b) parts[1].emplace_back(Shape(part.geometry), poses[i] * part.pose);
    }
  }
  double least = 1e300;
  for (const PlacedShape& x : parts[0]) {
    for (const PlacedShape& y : parts[1]) least = std::min(least, distance(x, y).distance);
  }
  return least;
}

TEST(RobotPairs, of_a_folding_arm) {
  const auto free = by_name(robot_pairs(folding(2.0)));
  ASSERT_EQ(free.size(), 3u);
  EXPECT_EQ(free.at({"upper", "lower"}).kind, PairKind::Adjacent);
  EXPECT_EQ(free.at({"lower", "tip"}).kind, PairKind::Adjacent);
  const LinkPair& apart = free.at({"upper", "tip"});
  ASSERT_EQ(apart.kind, PairKind::AlwaysApart);
  // At the limit: the ball's centre is at (1 + cos 2, sin 2) from the shoulder.
  const double truth = std::sin(2.0) - 0.05 - 0.05;
  EXPECT_GT(apart.clearance, 0.0);
  EXPECT_LE(apart.clearance, truth);
  EXPECT_EQ(apart.variables, (std::vector<std::string>{"wrist", "elbow"}));
  const auto folded = by_name(robot_pairs(folding(3.1)));
  const LinkPair& some = folded.at({"upper", "tip"});
  ASSERT_EQ(some.kind, PairKind::Sometimes);
  EXPECT_EQ(link_distance(folding(3.1), "upper", "tip", some.touching), 0.0);
  EXPECT_GT(link_distance(folding(3.1), "upper", "tip", some.apart), 0.0);
  RobotPairsOptions little;
  little.budget = 1;
  EXPECT_EQ(by_name(robot_pairs(folding(2.0), little)).at({"upper", "tip"}).kind, PairKind::Undecided);
}

TEST(RobotPairs, always_touching_and_wrong_questions) {
  // The last link's ball sits in the first one's, whatever the joints do.
  ArticulatedBody body = folding(2.0);
  body.links[1].shapes = {{Ball{0.3}, Pose(Matrix3::Identity(), Vector3(1, 0, 0))}};
  body.links[2].shapes = {};
  body.joints[2].origin.translation.x() = 0.05;
  const auto found = by_name(robot_pairs(body));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.at({"upper", "tip"}).kind, PairKind::AlwaysTouching);
  body.joints.pop_back();
  EXPECT_NE(robot_pairs(body).failure, "");
  RobotPairsOptions none;
  none.budget = 0;
  EXPECT_NE(robot_pairs(folding(1.0), none).failure.find("budget"), std::string::npos);
}

// What is called apart is so for random values, with the clearance; the same whatever the number of threads.
TEST(RobotPairs, holds_for_random_values) {
  const ArticulatedBody arm = scenes::robot_arm();
  RobotPairsOptions options;
  options.budget = 2000;
  options.threads = 2;
  const RobotPairsResult found = robot_pairs(arm, options);
  options.threads = 1;
  const RobotPairsResult alone = robot_pairs(arm, options);
  ASSERT_EQ(found.pairs.size(), alone.pairs.size());
  const std::vector<JointVariable> variables = variables_of(arm);
  Random random(7);
  int apart = 0, sometimes = 0;
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    const LinkPair& pair = found.pairs[i];
    EXPECT_EQ(pair.kind, alone.pairs[i].kind);
    EXPECT_EQ(pair.clearance, alone.pairs[i].clearance);
    if (pair.kind == PairKind::Sometimes) {
      ++sometimes;
      EXPECT_EQ(link_distance(arm, pair.a, pair.b, pair.touching), 0.0) << pair.a << " " << pair.b;
      EXPECT_GT(link_distance(arm, pair.a, pair.b, pair.apart), 0.0) << pair.a << " " << pair.b;
    }
    if (pair.kind != PairKind::AlwaysApart) continue;
    ++apart;
    for (int k = 0; k < with_effort(20); ++k) {
      std::vector<double> values;
      for (const JointVariable& variable : variables) {
        const JointLimits limits = variable.limits.value_or(JointLimits{-4.0, 4.0});
        values.push_back(random.uniform(limits.lower, limits.upper));
      }
      ASSERT_GE(link_distance(arm, pair.a, pair.b, values), pair.clearance) << pair.a << " " << pair.b;
    }
  }
  EXPECT_GT(apart + sometimes, 2);
}

// A table of the distance of a point on a circle from a wall: the lower bound holds, wraps, and is not slack.
TEST(PairTable, holds_over_ranges_and_wraps) {
  using namespace articulated;
  const auto distance_at = [](double a, double b) { return 3.0 + std::cos(a) + 0.5 * b; };
  PairVariable turn{0,    0,  1.0, 0.0, {-std::numbers::pi * (1 + 1e-12), std::numbers::pi * (1 + 1e-12)},
                    true, 1.0};
  PairVariable slide{1, 1, 1.0, 0.0, {-1.0, 1.0}, false, 0.5};
  PairTable table;
  PairTable::Limits limits;
  limits.share = 0.9;
  const PairVariable both[] = {turn, slide};
  table.build(both, limits, [&](std::span<const double> at) {
    return PairTable::Look{distance_at(at[0], at[1]), false, 0.0};
  });
  Random random(9);
  double tightest = 1e9;
  for (int trial = 0; trial < 2000; ++trial) {
    const double a = random.uniform(-20, 20), b = random.uniform(-1, 1);
    const double width = random.uniform(0, trial % 10 == 0 ? 8.0 : 1.0);
    const Interval ranges[] = {{a, a + width}, {b, std::min(1.0, b + 0.2)}};
    const double lower = table.lower_over(ranges);
    double least = 1e9;
    for (int k = 0; k <= 40; ++k) least = std::min(least, distance_at(a + width * k / 40, b));
    ASSERT_LE(lower, least + 1e-9);
    ASSERT_GT(lower, 0.0);
    tightest = std::min(tightest, least - lower);
  }
  EXPECT_LT(tightest, 0.3);
  const Interval beyond[] = {{0.0, 1.0}, {0.5, 1.5}};
  EXPECT_EQ(table.lower_over(beyond), 0.0);
}

// With tables and without: the same answers, for less work.
TEST(PairTable, changes_no_answer) {
  Random random(51);
  int contacts = 0, free = 0;
  std::int64_t with_work = 0, work = 0;
  for (int trial = 0; trial < with_effort(25); ++trial) {
    RandomRobot robot = random_robot(random, 0.3);
    for (std::size_t i = 1; i < robot.body.links.size(); ++i)
      robot.body.links[i].shapes.push_back({Box{Vector3(0.2, 0.05, 0.05)}, oracle::random_pose(random, 0.1)});
    const RobotInScene plain = RobotInScene::build(robot.body).value();
    const RobotInScene tables = with_pair_tables(plain, {.budget = 300, .threads = 1});
    const PathContactResult a = path_contact(plain, robot.path), b = path_contact(tables, robot.path);
    ASSERT_EQ(a.status, b.status) << trial;
    ASSERT_NEAR(a.time, b.time, 1e-4) << trial;  // searches may start at other moments
    ++(a.status == Status::Separated ? free : contacts);
  }
  EXPECT_GT(contacts, 0);
  EXPECT_GT(free, 0);
  const RobotInScene plain = RobotInScene::build(folding(2.0)).value();
  const RobotInScene tables = with_pair_tables(plain);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<double> start = {0, random.uniform(-2, 2), 0}, end = {1, random.uniform(-2, 2), 1};
    const JointEdge edges[] = {{start, end}};
    const PathContactResult a = edge_contacts(plain, edges).front(), b = edge_contacts(tables, edges).front();
    ASSERT_EQ(a.status, b.status);
    work += a.stats.node_pairs + a.stats.piece_pairs;
    with_work += b.stats.node_pairs + b.stats.piece_pairs;
  }
  EXPECT_LT(with_work, work);
}

}  // namespace
}  // namespace toccata
