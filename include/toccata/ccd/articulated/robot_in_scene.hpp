#pragma once
// A robot among obstacles, prepared once for all questions about its paths.
//
//   const ArticulatedBody arm;                       // load_urdf, say
//   const ObstacleScene room;                        // load_scene
//   const Expected<RobotInScene> robot = RobotInScene::build(arm, room);
//   if (!robot) std::puts(robot.error().message.c_str());
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/articulated_body.hpp"
#include "toccata/geometry/obstacle_scene.hpp"
#include "toccata/motion/kinematics.hpp"

namespace toccata {

// A link, or an obstacle, that others must keep away from.
struct Padding {
  std::string name;
  double distance = 0.0;
};

// Two of them that must keep this far apart, in any order.
struct PairPadding {
  std::string a;
  std::string b;
  double distance = 0.0;
};

struct RobotOptions {
  // Pairs whose contact does not matter, beside those of the scene: what an SRDF says.
  std::vector<AllowedPair> allowed = {};
  // Links with one joint between them may touch: most robots are drawn so that they do.
  bool adjacent_allowed = true;
  bool self_contact = true;            // look at pairs of links at all
  bool merge_links = true;             // what moves as one is one body, where it may touch the same others
  double padding = 0.0;                // a distance that counts as touching, for all pairs
  std::vector<Padding> paddings = {};  // of single links and obstacles, which add to it
  std::vector<PairPadding> pair_paddings = {};  // of pairs, which add to both
};

struct PairTableOptions;
struct PreparedRobot;  // private: src/ccd/articulated/prepared_robot.hpp

// Cheap to copy: copies share what never changes; safe to use from many threads.
// Links without a moving joint between them never touch each other. Meshes that are closed are full inside,
// as other kinds of shapes are; open ones are surfaces. The shapes of a link are placed in the frame of the
// joint that moves it, and their corners rounded to double once.
class RobotInScene {
 public:
  // Errors name the link, joint, obstacle or pair that is not all right. An allowed pair may name things that
  // are not there. About a microsecond per triangle, and as much for the hull of each link.
  static Expected<RobotInScene> build(const ArticulatedBody& robot, const ObstacleScene& scene = {},
                                      const RobotOptions& options = {});

  // The same robot in the same scene, holding these things and no others: each moves with its link, and may
  // touch it and the links it names. Errors name the thing. As quick as preparing the things themselves;
  // tables of pairs are not kept.
  Expected<RobotInScene> holding(std::span<const AttachedObject> objects) const;

  const Kinematics& kinematics() const;
  const ArticulatedBody& robot() const;
  const ObstacleScene& scene() const;
  // How many pairs of bodies are looked at: links, or links and obstacles. What moves as one counts as one.
  std::size_t pair_count() const;

  const PreparedRobot& data() const { return *data_; }

 private:
  friend RobotInScene with_pair_tables(const RobotInScene& robot, const PairTableOptions& options);
  explicit RobotInScene(std::shared_ptr<const PreparedRobot> data) : data_(std::move(data)) {}
  std::shared_ptr<const PreparedRobot> data_;
};

}  // namespace toccata
