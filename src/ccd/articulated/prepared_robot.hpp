#pragma once
// A robot and its obstacles as searches see them: what moves as one is one body, with a hull around it.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ccd/articulated/obstacle_tree.hpp"
#include "ccd/articulated/pair_table.hpp"
#include "hierarchy/shape_data.hpp"
#include "motion/tree_motion.hpp"
#include "toccata/ccd/articulated/robot_in_scene.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {

namespace articulated {

class SearchPool;  // search_pool.hpp

// A shape with what is cheaper to ask first.
struct Outline {
  Shape shape;
  std::optional<Shape> hull = {};  // holds the shape; none where the shape is convex itself
  bool closed = false;             // a mesh that is full inside, though its pieces are not
  // A box that holds it, in body coordinates.
  Vector3 box_center = Vector3::Zero();
  Vector3 box_half = Vector3::Zero();
  Vector3 center = Vector3::Zero();  // of a ball that holds it
  double radius = 0.0;
  // A point of every part that hangs together: where none of them is inside another shape, nothing is.
  std::vector<Vector3> witnesses = {};

  const ShapeData& outer() const { return hull ? hull->data() : shape.data(); }
  bool is_plane() const { return shape.data().is_half_space(); }
};

// Fills all but the shape.
Outline outline_of(Shape shape);

struct RobotBody {
  std::int32_t frame = -1;
  Outline outline;    // in coordinates of the frame
  std::string robot;  // Link::robot
  double padding = 0.0;
  std::vector<double> obstacle_paddings;   // by obstacle, of the pair with it; empty: none
  std::vector<std::string> names;          // of its links and of what they hold
  std::vector<std::int32_t> first_pieces;  // of each, and then how many pieces there are
  std::vector<char> may_meet;              // by obstacle: it must not touch that one
  std::size_t obstacles = 0;               // how many of them
  FrameChain chain;                        // from the root
};

struct SceneBody {
  std::string name;
  Outline outline;
  double padding = 0.0;
  RigidMotion motion;  // stands still
  // The box that holds it, in the world.
  Matrix3 axes = Matrix3::Identity();
  Vector3 middle = Vector3::Zero();
};

// Two bodies of the robot, seen from the first.
struct SelfPair {
  std::int32_t a = -1;
  std::int32_t b = -1;
  FrameChain chain;
  double padding = 0.0;  // of this pair, beside those of both
};

// What RobotOptions::pair_paddings say of two names.
double padding_of_pair(const RobotOptions& options, const std::string& a, const std::string& b);

}  // namespace articulated

struct PreparedRobot {
  ArticulatedBody robot;
  ObstacleScene scene;
  Kinematics kinematics;
  RobotOptions options = {};
  double padding = 0.0;
  std::vector<articulated::RobotBody> bodies = {};
  std::vector<articulated::SceneBody> obstacles = {};
  std::vector<articulated::SelfPair> self_pairs = {};
  std::vector<articulated::PairTable> tables = {};         // by self pair, some empty; or none at all
  articulated::ObstacleTree tree = {};                     // of the obstacles
  double largest_padding = 0.0;                            // of any obstacle
  double size = 0.0;                                       // of the largest link
  bool has_balls = false;                                  // frames that turn by a quaternion
  std::shared_ptr<articulated::SearchPool> searches = {};  // of this robot alone

  const std::string& name_of(std::int32_t body, std::int32_t piece) const;
};

}  // namespace toccata
