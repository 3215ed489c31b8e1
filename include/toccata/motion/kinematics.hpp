#pragma once
// Where the links of a robot are, and how they move along a path.
//
//   const ArticulatedBody arm;  // load_urdf, say
//   const Kinematics kinematics = Kinematics::build(arm).value();
//   const std::vector<Pose> poses = kinematics.link_poses(std::vector<double>(7, 0.0));
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/articulated_body.hpp"
#include "toccata/motion/joint_path.hpp"
#include "toccata/motion/motion.hpp"

namespace toccata {

struct KinematicTree;  // private: src/motion/kinematic_tree.hpp
class TreeMotion;      // private: src/motion/tree_motion.hpp

// The joints of a body, put in order for speed. Cheap to copy: copies share what never changes.
class Kinematics {
 public:
  // The error is that of failure_of(body).
  static Expected<Kinematics> build(const ArticulatedBody& body);

  const std::vector<JointVariable>& variables() const;
  int link_count() const;
  // Of every link in the frame of the root, in the order of the body's links. There must be one value per
  // variable; limits are not looked at.
  std::vector<Pose> link_poses(std::span<const double> values) const;
  // The first value that is beyond its joint's limits (by more than rounding), for a person; empty if none.
  std::string beyond_limits(std::span<const double> values) const;
  // Continuous joints go the shorter way round from way-point to way-point: whole turns are added to the
  // values of all but the first.
  void take_shorter_way(std::span<std::vector<double>> points) const;

  const KinematicTree& data() const { return *tree_; }
  const std::shared_ptr<const KinematicTree>& shared() const { return tree_; }

 private:
  explicit Kinematics(std::shared_ptr<const KinematicTree> tree) : tree_(std::move(tree)) {}
  std::shared_ptr<const KinematicTree> tree_;
};

// All links of a robot along a path.
class RobotMotion {
 public:
  // Errors: another number of variables than the robot has; a floating joint on a path that is not straight,
  // or its quaternion zero. Between way-points a floating joint turns evenly, along the shorter way.
  static Expected<RobotMotion> build(const Kinematics& kinematics, const JointPath& path);

  const std::shared_ptr<const TreeMotion>& shared() const { return motion_; }

 private:
  explicit RobotMotion(std::shared_ptr<const TreeMotion> motion) : motion_(std::move(motion)) {}
  std::shared_ptr<const TreeMotion> motion_;
};

// The motion of one link as another sees it, or the root: body coordinates are those of the link's frame, the
// world is the frame of the onlooker. Bounds come from the exact state at t and the next order of the joints
// between the two: docs/notes/articulated_bounds.md derives them, rounding included.
class LinkMotion final : public Motion {
 public:
  // Indices of links; -1: seen from the frame of the root. `reference`, in the link's frame, is the point
  // whose expansion is given: bounds are best for points near it.
  LinkMotion(const RobotMotion& robot, std::int32_t link, std::int32_t seen_from = -1,
             const Vector3& reference = Vector3::Zero());
  ~LinkMotion() override;
  LinkMotion(const LinkMotion&);
  LinkMotion& operator=(const LinkMotion&) = delete;

  Pose pose(double t) const override;
  PoseError pose_error() const override;
  MotionExpansion expansion(double t, double t_end) const override;
  double next_breakpoint(double t) const override;
  bool is_fixed() const override;

 private:
  struct Chain;
  std::unique_ptr<const Chain> chain_;
};

}  // namespace toccata
