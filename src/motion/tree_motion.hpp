#pragma once
// A tree of frames along a path: values of all frames and bounds on their derivatives, piece by piece; their
// places at a time; and one frame as another sees it. docs/notes/articulated_bounds.md derives the bounds.
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "motion/kinematic_tree.hpp"
#include "toccata/base/expected.hpp"
#include "toccata/motion/joint_path.hpp"
#include "toccata/motion/motion.hpp"

namespace toccata {

// One frame over one piece of the path.
struct FramePath {
  std::array<double, 6> c = {};  // value = c[0] + c[1] s + ..., s from 0 to 1 within the piece
  // At most: of the value's derivatives by the time of the path, and of the value itself.
  double first = 0.0;
  double second = 0.0;
  double third = 0.0;
  double largest = 0.0;
};

// Of a Ball over one piece: it turns by the value about `axis`, from `start` on.
struct BallPath {
  Matrix3 start = Matrix3::Identity();
  Vector3 axis = Vector3::UnitZ();
};

// A frame at one time, in the root's frame.
struct FrameState {
  Matrix3 rotation = Matrix3::Identity();
  Vector3 place = Vector3::Zero();
  Vector3 axis = Vector3::UnitZ();
  double first = 0.0;  // derivatives of its value by the time of the path
  double second = 0.0;
  // Of the frame's own body, at its place: see State.
  Vector3 velocity = Vector3::Zero();
  Vector3 acceleration = Vector3::Zero();
  Vector3 spin = Vector3::Zero();
  Vector3 turning = Vector3::Zero();
};

class TreeMotion {
 public:
  TreeMotion() = default;
  static Expected<TreeMotion> build(std::shared_ptr<const KinematicTree> tree, const JointPath& path);
  // A straight piece from values to values, in the memory that is there already; no Ball in the tree.
  void set_straight(std::shared_ptr<const KinematicTree> tree, std::span<const double> values_t0,
                    std::span<const double> values_t1);

  const KinematicTree& tree() const { return *tree_; }
  int piece_count() const { return static_cast<int>(times_.size()) - 1; }
  double begin_of(int piece) const { return times_[static_cast<std::size_t>(piece)]; }
  double end_of(int piece) const { return times_[static_cast<std::size_t>(piece) + 1]; }
  int piece_at(double t) const;  // the later one between two

  const FramePath& path(int piece, std::int32_t frame) const {
    return paths_[static_cast<std::size_t>(piece) * tree_->frames.size() + static_cast<std::size_t>(frame)];
  }
  // At most, over the whole path: from the frame's place to its parent's.
  double length(std::int32_t frame) const { return lengths_[static_cast<std::size_t>(frame)]; }
  // How far pose and true pose of a frame may differ, seen from the root.
  const PoseError& error(std::int32_t frame) const { return errors_[static_cast<std::size_t>(frame)]; }
  // At most: of the frame's place from the root's origin.
  double reach(std::int32_t frame) const { return reaches_[static_cast<std::size_t>(frame)]; }

  // precondition: parent is the state of the frame's parent at t, or null if it has none
  void set_state(int piece, double t, std::int32_t frame, const FrameState* parent, FrameState& state) const;

 private:
  void set_bounds();

  std::shared_ptr<const KinematicTree> tree_;
  int degree_ = 1;
  std::vector<double> times_ = {0.0, 1.0};
  std::vector<FramePath> paths_;  // by piece, then by frame
  std::vector<BallPath> balls_;   // the same where there are Balls, else empty
  std::vector<double> lengths_, reaches_;
  std::vector<PoseError> errors_;
};

// Frames at the few times that were asked for last. One thread.
class TreeStates {
 public:
  // The motion must outlive this object, or its next reset.
  void reset(const TreeMotion& motion);

  const TreeMotion& motion() const { return *motion_; }
  const FrameState& frame(double t, std::int32_t frame);

 private:
  struct Slot {
    double time = std::numeric_limits<double>::quiet_NaN();
    int piece = 0;
    std::vector<FrameState> states;
    std::vector<char> known;
  };
  Slot& slot_at(double t);
  const FrameState& state_in(Slot& slot, std::int32_t frame);

  const TreeMotion* motion_ = nullptr;
  std::array<Slot, 8> slots_;
  std::size_t last_ = 0;
  std::size_t next_ = 0;
};

// The joints between two frames, from the onlooker to the one looked at.
struct FrameChain {
  struct Step {
    std::int32_t frame = -1;
    double sign = 1.0;  // -1: passed from the child to its parent
    bool slides = false;
    double way = 0.0;                         // from the joint before to this one, at value 0 of slides
    std::int32_t slide_a = -1, slide_b = -1;  // frames whose slides add to that, or -1
  };
  FrameChain(const KinematicTree& tree, std::int32_t from, std::int32_t to);

  std::int32_t from = -1;  // -1: the root's frame
  std::int32_t to = -1;
  std::vector<Step> steps;
  // From the last joint to a point of the frame looked at: its place relative to `end` there, plus the slide.
  Vector3 end = Vector3::Zero();
  std::int32_t end_slide = -1;
};

// The motion of one frame as another sees it. Body coordinates are those of the frame looked at.
class ChainMotion final : public Motion {
 public:
  // All must outlive this object; the states are of one thread. `reference`: the body's point whose expansion
  // is given.
  ChainMotion(TreeStates& states, const FrameChain& chain, const Vector3& reference);

  Pose pose(double t) const override;
  PoseError pose_error() const override { return error_; }
  MotionExpansion expansion(double t, double t_end) const override;
  double next_breakpoint(double t) const override;
  bool is_fixed() const override { return fixed_; }

  // How far the reference gets from where it is at t, at most, within `duration` before or after, and within
  // the piece of the path at t.
  double travel(double t, double duration) const;

 private:
  // Upper bounds over one piece: of the reference's speed, acceleration and jerk, of the spin and its two
  // derivatives.
  struct Bounds {
    double speed = 0.0;
    double acceleration = 0.0;
    double jerk = 0.0;
    double spin = 0.0;
    double turning = 0.0;
    double turning_rate = 0.0;
    int moving = 0;           // how many joints move
    std::int32_t mover = -1;  // the last of them, as a step
  };
  // At one time, in the root's axes, relative to the onlooker.
  struct State {
    Vector3 velocity = Vector3::Zero();
    Vector3 acceleration = Vector3::Zero();
    Vector3 spin = Vector3::Zero();
    Vector3 turning = Vector3::Zero();
    Vector3 center = Vector3::Zero();
  };
  Bounds bounds_of(int piece) const;
  const Bounds& bounds_at(int piece) const;
  State state_at(double t) const;
  Vector3 seen(double t, const Vector3& direction) const;

  TreeStates& states_;
  const FrameChain& chain_;
  Vector3 reference_;
  PoseError error_;
  bool fixed_ = true;
  double share_ = 0.0;  // relative rounding of velocities and accelerations
  mutable int bounded_piece_ = -1;
  mutable Bounds bounds_;
};

}  // namespace toccata
