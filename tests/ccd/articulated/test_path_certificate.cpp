#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>

#include "effort.hpp"
#include "oracle/random_robot.hpp"
#include "scenes/robot_arm.hpp"
#include "toccata/ccd/articulated/certify_path.hpp"
#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/geometry/content_hash.hpp"
#include "toccata/io/certificate_json.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/verify_certificate.hpp"
#ifdef TOCCATA_WITH_URDF
#include "toccata/io/robot_io.hpp"
#include "toccata/io/scene_io.hpp"
#endif

namespace toccata {
namespace {

using namespace oracle;

const std::vector<AllowedPair> fingers = {{"left_finger", "right_finger"}};

RobotInScene arm_in_shelf() {
  RobotOptions options;
  options.allowed = fingers;
  return RobotInScene::build(scenes::robot_arm(), scenes::shelf(), options).value();
}

CertificateCheck verify(const PathCertificate& certificate, double minimum_distance = 0.0) {
  VerifyCertificateOptions options;
  options.allowed = fingers;
  options.minimum_distance = minimum_distance;
  return verify_certificate(scenes::robot_arm(), scenes::shelf(), scenes::free_reach(), certificate, options);
}

TEST(PathCertificate, a_free_path_is_certified_and_the_certificate_holds) {
  const RobotInScene robot = arm_in_shelf();
  const CertifiedPath found = certify_path(robot, scenes::free_reach());
  ASSERT_EQ(found.contact.status, Status::Separated);
  const CertificateCheck check = verify(found.certificate);
  EXPECT_TRUE(check.valid) << check.reason;
  EXPECT_EQ(check.clearance, found.certificate.clearance);
  EXPECT_EQ(check.pairs, static_cast<std::int64_t>(found.certificate.pairs.size()));
  const double truth = path_clearance(robot, scenes::free_reach()).distance;
  EXPECT_LT(found.certificate.clearance, truth);
  EXPECT_GT(found.certificate.clearance, 0.3 * truth);
  // With more of the distance written down it is longer and says more.
  CertifyPathOptions options;
  options.share = 0.9;
  options.threads = 1;
  const CertifiedPath finer = certify_path(robot, scenes::free_reach(), options);
  EXPECT_GT(finer.certificate.clearance, found.certificate.clearance);
  EXPECT_TRUE(verify(finer.certificate).valid) << verify(finer.certificate).reason;
  // The same whatever the number of threads.
  options.threads = 2;
  EXPECT_EQ(to_json(certify_path(robot, scenes::free_reach(), options).certificate),
            to_json(finer.certificate));
  // A distance that must be kept.
  options = {};
  options.minimum_distance = 0.9 * truth;
  const CertifiedPath apart = certify_path(robot, scenes::free_reach(), options);
  ASSERT_EQ(apart.contact.status, Status::Separated);
  EXPECT_TRUE(verify(apart.certificate, 0.9 * truth).valid);
  EXPECT_NE(verify(found.certificate, 0.9 * truth).reason.find("less than the"), std::string::npos);
}

TEST(PathCertificate, none_where_there_is_a_contact_or_a_wrong_question) {
  const RobotInScene robot = arm_in_shelf();
  const CertifiedPath touching = certify_path(robot, scenes::touching_reach());
  EXPECT_EQ(touching.contact.status, Status::Contact);
  EXPECT_TRUE(touching.certificate.pairs.empty());
  CertifyPathOptions options;
  options.share = 1.0;
  EXPECT_EQ(certify_path(robot, scenes::free_reach(), options).contact.status, Status::Failed);
  options = {};
  options.stop.token = StopToken::create();
  options.stop.token.request_stop();
  EXPECT_EQ(certify_path(robot, scenes::free_reach(), options).contact.status, Status::OutOfBudget);
  const std::vector<std::vector<double>> one = {{0.0}};
  EXPECT_EQ(certify_path(robot, JointPath::straight(one).value()).contact.status, Status::Failed);
}

// Whatever is changed, it is refused, and the reason says what is wrong.
TEST(PathCertificate, tampering_is_refused) {
  const PathCertificate whole = certify_path(arm_in_shelf(), scenes::free_reach()).certificate;
  const auto refused = [&](const char* expected, auto&& change) {
    PathCertificate changed = whole;
    change(changed);
    const CertificateCheck check = verify(changed);
    EXPECT_FALSE(check.valid) << expected;
    EXPECT_NE(check.reason.find(expected), std::string::npos) << check.reason;
  };
  refused("another robot", [](PathCertificate& c) { c.robot[3] ^= 1; });
  refused("another scene", [](PathCertificate& c) { c.scene.clear(); });
  refused("another path", [](PathCertificate& c) { c.path = c.robot; });
  refused("is missing", [](PathCertificate& c) { c.pairs.pop_back(); });
  refused("is missing", [](PathCertificate& c) { c.pairs.front().b = "nobody"; });
  refused("is there twice", [](PathCertificate& c) { c.pairs.push_back(c.pairs.front()); });
  refused("has no spans", [](PathCertificate& c) { c.pairs.front().spans.clear(); });
  refused("nothing is said of", [](PathCertificate& c) { c.pairs.front().spans.back().end = 0.999; });
  refused("nothing is said of", [](PathCertificate& c) { c.pairs.front().spans.front().begin = 0.01; });
  refused("runs from", [](PathCertificate& c) { c.pairs.front().spans.front().begin = -1.0; });
  refused("no distance above 0", [](PathCertificate& c) { c.pairs.front().spans.front().clearance = 0.0; });
  refused("no distance above 0",
          [](PathCertificate& c) { c.pairs.front().spans.front().clearance = std::nan(""); });
  refused("it says that the clearance is", [](PathCertificate& c) { c.clearance *= 1.001; });
  std::size_t several = 0;
  for (std::size_t i = 0; i < whole.pairs.size(); ++i) {
    // A little more than there is, in each pair.
    refused("less than the certificate says", [&](PathCertificate& c) {
      for (CertifiedSpan& span : c.pairs[i].spans) span.clearance *= 5.0;
    });
    if (whole.pairs[i].spans.size() < 3) continue;
    ++several;
    refused("nothing is said of",
            [&](PathCertificate& c) { c.pairs[i].spans.erase(c.pairs[i].spans.begin() + 1); });
  }
  EXPECT_GT(several, 0u);
  // Other things than those that it was made of.
  VerifyCertificateOptions options;
  options.allowed = fingers;
  ArticulatedBody longer = scenes::robot_arm();
  longer.joints.back().origin.translation.x() += 1e-9;
  EXPECT_NE(verify_certificate(longer, scenes::shelf(), scenes::free_reach(), whole, options)
                .reason.find("another robot"),
            std::string::npos);
  ObstacleScene moved = scenes::shelf();
  moved.obstacles.back().pose.translation.z() += 1e-9;
  EXPECT_NE(verify_certificate(scenes::robot_arm(), moved, scenes::free_reach(), whole, options)
                .reason.find("another scene"),
            std::string::npos);
  EXPECT_NE(verify_certificate(scenes::robot_arm(), scenes::shelf(), scenes::touching_reach(), whole, options)
                .reason.find("another path"),
            std::string::npos);
  // Who does not allow the fingers to touch misses their pair.
  EXPECT_NE(verify_certificate(scenes::robot_arm(), scenes::shelf(), scenes::free_reach(), whole)
                .reason.find("is missing"),
            std::string::npos);
  // A certificate of the right hashes for a path that touches does not help.
  PathCertificate forged = whole;
  forged.path = content_hash(scenes::touching_reach());
  const CertificateCheck check =
      verify_certificate(scenes::robot_arm(), scenes::shelf(), scenes::touching_reach(), forged, options);
  EXPECT_NE(check.reason.find("less than the certificate says"), std::string::npos) << check.reason;
}

TEST(PathCertificate, inside_at_the_start_is_refused) {
  ArticulatedBody body;
  body.links = {{"base", {}}, {"ball", {{Ball{0.1}, Pose(Matrix3::Identity(), Vector3(1, 0, 0))}}}};
  body.joints = {{"turn", JointKind::Continuous, "base", "ball"}};
  TriangleMesh cube;
  for (int i = 0; i < 8; ++i)
    cube.vertices.emplace_back((i & 1) - 0.5, ((i >> 1) & 1) - 0.5, ((i >> 2) & 1) - 0.5);
  cube.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  ObstacleScene scene;
  scene.obstacles = {{"cube", cube, Pose(Matrix3::Identity(), Vector3(1, 0, 0))}};
  const std::vector<std::vector<double>> points = {{0.0}, {0.01}};
  const JointPath path = JointPath::straight(points).value();
  EXPECT_EQ(certify_path(RobotInScene::build(body, scene).value(), path).contact.status,
            Status::OverlapAtStart);
  PathCertificate forged{"", content_hash(body), content_hash(scene), content_hash(path), 0.1, {}};
  forged.pairs = {{"ball", "cube", true, {{0.0, 1.0, 0.1}}}};
  const CertificateCheck check = verify_certificate(body, scene, path, forged);
  EXPECT_NE(check.reason.find("inside"), std::string::npos) << check.reason;
  scene.obstacles[0].pose.translation.z() = 2.0;
  const CertifiedPath above = certify_path(RobotInScene::build(body, scene).value(), path);
  ASSERT_EQ(above.contact.status, Status::Separated);
  EXPECT_TRUE(verify_certificate(body, scene, path, above.certificate).valid);
}

TEST(PathCertificate, is_read_back_as_written) {
  const PathCertificate certificate = certify_path(arm_in_shelf(), scenes::free_reach()).certificate;
  const std::string text = to_json(certificate);
  const Expected<PathCertificate> back = certificate_from_json(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), text);
  EXPECT_TRUE(verify(*back).valid);
  const std::pair<const char*, const char*> wrong[] = {
      {"", "not JSON"},
      {"[]", "format"},
      {R"({"format": "toccata-report", "version": 1})", "format"},
      {R"({"format": "toccata-certificate", "version": 2})", "version 2"},
      {R"({"format": "toccata-certificate", "version": 1})", "robot_name: is missing"},
      {R"({"format": "toccata-certificate", "version": 1, "robot_name": "", "robot": "", "scene": "",
           "path": "", "clearance": 1, "pairs": [{"a": "x", "b": "y", "with_scene": true, "spans": [[0, 1]]}]})",
       "pairs[0].spans[0]"},
      {R"({"format": "toccata-certificate", "version": 1, "robot_name": "", "robot": "", "scene": "",
           "path": "", "clearance": 1, "pairs": [{"a": "x", "with_scene": true}]})",
       "pairs[0].b"}};
  for (const auto& [content, expected] : wrong) {
    const Expected<PathCertificate> found = certificate_from_json(content);
    ASSERT_FALSE(found) << content;
    EXPECT_NE(found.error().message.find(expected), std::string::npos) << found.error().message;
  }
  EXPECT_FALSE(read_certificate("/nowhere/certificate.json"));
}

// Joints of every kind, paths of every degree, several shapes per link, things that links hold: what one says
// the other confirms.
TEST(PathCertificate, of_random_robots_hold) {
  Random random(41);
  int certified = 0;
  for (int trial = 0; trial < with_effort(120); ++trial) {
    RandomRobot robot = random_robot(random, 0.5);
    for (std::size_t i = 1; i < robot.body.links.size(); ++i) {
      for (int k = random.integer(0, 2); k > 0; --k) {
        const Pose pose = oracle::random_pose(random, 0.1);
        robot.body.links[i].shapes.push_back(k == 1 ? CompoundPart{Box{Vector3(0.1, 0.05, 0.05)}, pose}
                                                    : CompoundPart{Capsule{0.02, 0.1}, pose});
      }
    }
    ObstacleScene scene;
    for (int i = random.integer(0, 3); i > 0; --i) {
      const Pose pose = oracle::random_pose(random, 2.0);
      scene.obstacles.push_back(
          {i == 1 ? "wall" : "post",
           i == 1 ? Geometry(Box{Vector3(0.5, 0.01, 0.3)}) : Geometry(Cylinder{0.02, 0.6}), pose});
    }
    if (random.integer(0, 2) == 0)
      scene.attached = {
          {"tool", robot.body.links.back().name, {{Ball{0.03}, oracle::random_pose(random, 0.1)}}, {}}};
    const RobotInScene prepared = RobotInScene::build(robot.body, scene).value();
    const CertifiedPath found = certify_path(prepared, robot.path);
    if (found.contact.status != Status::Separated) continue;
    const CertificateCheck check = verify_certificate(robot.body, scene, robot.path, found.certificate);
    ASSERT_TRUE(check.valid) << trial << ": " << check.reason;
    ++certified;
    if (!found.certificate.pairs.empty()) {
      for (int i = 0; i <= 20; ++i)
        ASSERT_GE(state_clearance(prepared, robot.path.values(i / 20.0)).distance,
                  found.certificate.clearance);
    }
  }
  EXPECT_GT(certified, with_effort(20));
}

#ifdef TOCCATA_WITH_URDF
TEST(PathCertificate, of_the_panda_among_rods) {
  const std::string shared = std::string(TOCCATA_SHARED_DATA) + "/robots/";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no shared data";
  const ArticulatedBody body = load_urdf(shared + "panda/panda.urdf").value();
  const std::vector<AllowedPair> allowed = load_srdf(shared + "panda/panda.srdf", body).value().allowed;
  const Expected<ObstacleScene> scene = load_scene(shared + "thin_rods/thin_1.txt");
  ASSERT_TRUE(scene) << scene.error().message;
  RobotOptions options;
  options.allowed = allowed;
  const RobotInScene robot = RobotInScene::build(body, *scene, options).value();
  VerifyCertificateOptions verifying;
  verifying.allowed = allowed;
  Random random(5);
  int certified = 0;
  for (int trial = 0; trial < with_effort(6); ++trial) {
    std::vector<std::vector<double>> points(2);
    for (const JointVariable& variable : robot.kinematics().variables()) {
      points[0].push_back(random.uniform(variable.limits->lower, variable.limits->upper));
      points[1].push_back(points[0].back() + random.uniform(-0.2, 0.2));
    }
    const JointPath path = JointPath::straight(points).value();
    const CertifiedPath found = certify_path(robot, path);
    if (found.contact.status != Status::Separated) continue;
    const CertificateCheck check = verify_certificate(body, *scene, path, found.certificate, verifying);
    ASSERT_TRUE(check.valid) << check.reason;
    ++certified;
  }
  EXPECT_GT(certified, 0);
}
#endif

}  // namespace
}  // namespace toccata
