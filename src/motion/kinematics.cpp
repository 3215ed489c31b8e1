#include "toccata/motion/kinematics.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "motion/kinematic_tree.hpp"
#include "motion/rotation.hpp"
#include "motion/tree_motion.hpp"

namespace toccata {
namespace {

// A rotation that takes z to the axis.
Matrix3 turned_to(const Vector3& axis) {
  const Vector3 z = axis.normalized();
  const Vector3 other = std::abs(z.x()) < 0.6 ? Vector3::UnitX() : Vector3::UnitY();
  const Vector3 y = z.cross(other).normalized();
  Matrix3 turn;
  turn.col(0) = y.cross(z);
  turn.col(1) = y;
  turn.col(2) = z;
  return nearest_rotation(turn);
}

class TreeBuilder {
 public:
  explicit TreeBuilder(const ArticulatedBody& body) : body_(body) {
    tree_.variables = variables_of(body);
    for (std::size_t i = 0; i < tree_.variables.size(); ++i) {
      if (tree_.variables[i].part == 0)
        first_variable_[tree_.variables[i].joint] = static_cast<std::int32_t>(i);
    }
    for (std::size_t i = 0; i < body.links.size(); ++i) links_[body.links[i].name] = i;
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      joints_[body.joints[j].name] = j;
      joints_of_[body.joints[j].parent].push_back(j);
    }
    tree_.frame_of_link.assign(body.links.size(), -1);
    tree_.pose_in_frame.assign(body.links.size(), {});
  }

  KinematicTree build() {
    std::vector<std::size_t> waiting = {static_cast<std::size_t>(root_of(body_))};
    while (!waiting.empty()) {
      const std::size_t link = waiting.back();
      waiting.pop_back();
      for (const std::size_t j : joints_of_[body_.links[link].name]) {
        const std::size_t child = links_.at(body_.joints[j].child);
        add(j, link, child);
        waiting.push_back(child);
      }
    }
    return std::move(tree_);
  }

 private:
  struct Source {
    std::int32_t variable = -1;
    double multiplier = 1.0;
    double offset = 0.0;
  };

  // Of a mimic, that of its master, or of that one's master.
  Source source_of(std::size_t joint) const {
    Source source;
    while (body_.joints[joint].mimic) {
      const JointMimic& mimic = *body_.joints[joint].mimic;
      source.offset += source.multiplier * mimic.offset;
      source.multiplier *= mimic.multiplier;
      joint = joints_.at(mimic.joint);
    }
    source.variable = first_variable_.at(static_cast<std::int32_t>(joint));
    return source;
  }

  // A frame below `at`, which becomes it.
  void push(FrameKind kind, const Source& source, const Matrix3& turn, std::int32_t& frame, Pose& at) {
    MovingFrame moving;
    moving.parent = frame;
    moving.kind = kind;
    moving.variable = source.variable;
    moving.multiplier = source.multiplier;
    moving.offset = source.offset;
    moving.origin = at * Pose(turn);
    moving.origin.rotation = nearest_rotation(moving.origin.rotation);
    tree_.frames.push_back(moving);
    frame = static_cast<std::int32_t>(tree_.frames.size()) - 1;
    at = Pose(Matrix3(turn.transpose()));
  }

  void add(std::size_t j, std::size_t link, std::size_t child) {
    const Joint& joint = body_.joints[j];
    std::int32_t frame = tree_.frame_of_link[link];
    Pose at =
        tree_.pose_in_frame[link] * Pose(nearest_rotation(joint.origin.rotation), joint.origin.translation);
    const auto variable = [&](int part) {
      Source source = source_of(j);
      source.variable += part;
      return source;
    };
    switch (joint.kind) {
      case JointKind::Fixed:
        break;
      case JointKind::Revolute:
      case JointKind::Continuous:
        push(FrameKind::Turn, source_of(j), turned_to(joint.axis), frame, at);
        break;
      case JointKind::Prismatic:
        push(FrameKind::Slide, source_of(j), turned_to(joint.axis), frame, at);
        break;
      case JointKind::Planar:
        push(FrameKind::Slide, variable(0), turned_to(Vector3::UnitX()), frame, at);
        push(FrameKind::Slide, variable(1), turned_to(Vector3::UnitY()), frame, at);
        push(FrameKind::Turn, variable(2), Matrix3::Identity(), frame, at);
        break;
      case JointKind::Floating:
        push(FrameKind::Slide, variable(0), turned_to(Vector3::UnitX()), frame, at);
        push(FrameKind::Slide, variable(1), turned_to(Vector3::UnitY()), frame, at);
        push(FrameKind::Slide, variable(2), Matrix3::Identity(), frame, at);
        push(FrameKind::Ball, variable(3), Matrix3::Identity(), frame, at);
        break;
    }
    at.rotation = nearest_rotation(at.rotation);
    tree_.frame_of_link[child] = frame;
    tree_.pose_in_frame[child] = at;
  }

  const ArticulatedBody& body_;
  KinematicTree tree_;
  std::unordered_map<std::int32_t, std::int32_t> first_variable_;  // by joint
  std::unordered_map<std::string, std::size_t> links_, joints_;
  std::unordered_map<std::string, std::vector<std::size_t>> joints_of_;  // by parent
};

}  // namespace

Expected<Kinematics> Kinematics::build(const ArticulatedBody& body) {
  if (auto failure = failure_of(body)) return Error{std::move(*failure)};
  return Kinematics(std::make_shared<const KinematicTree>(TreeBuilder(body).build()));
}

const std::vector<JointVariable>& Kinematics::variables() const {
  return tree_->variables;
}

int Kinematics::link_count() const {
  return static_cast<int>(tree_->frame_of_link.size());
}

std::vector<Pose> Kinematics::link_poses(std::span<const double> values) const {
  std::vector<Pose> frames;
  frames.reserve(tree_->frames.size());
  for (const MovingFrame& frame : tree_->frames) {
    Pose pose =
        frame.parent < 0 ? frame.origin : frames[static_cast<std::size_t>(frame.parent)] * frame.origin;
    const auto first = static_cast<std::size_t>(frame.variable);
    const double value = frame.multiplier * values[first] + frame.offset;
    if (frame.kind == FrameKind::Slide) {
      pose.translation += value * pose.rotation.col(2);
    } else if (frame.kind == FrameKind::Turn) {
      pose.rotation = pose.rotation * Eigen::AngleAxisd(value, Vector3::UnitZ()).toRotationMatrix();
    } else {
      const Eigen::Quaterniond turn(values[first + 3], values[first], values[first + 1], values[first + 2]);
      pose.rotation = pose.rotation * turn.normalized().toRotationMatrix();
    }
    frames.push_back(pose);
  }
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < tree_->frame_of_link.size(); ++i) {
    const std::int32_t frame = tree_->frame_of_link[i];
    poses.push_back(frame < 0 ? tree_->pose_in_frame[i]
                              : frames[static_cast<std::size_t>(frame)] * tree_->pose_in_frame[i]);
  }
  return poses;
}

std::string Kinematics::beyond_limits(std::span<const double> values) const {
  for (std::size_t i = 0; i < values.size() && i < tree_->variables.size(); ++i) {
    const JointVariable& variable = tree_->variables[i];
    if (!variable.limits) continue;
    const double slack = 1e-9 * (1.0 + std::abs(variable.limits->lower) + std::abs(variable.limits->upper));
    if (values[i] >= variable.limits->lower - slack && values[i] <= variable.limits->upper + slack) continue;
    return "joint '" + variable.name + "' is at " + std::to_string(values[i]) + ", beyond its limits " +
           std::to_string(variable.limits->lower) + " and " + std::to_string(variable.limits->upper);
  }
  return {};
}

void Kinematics::take_shorter_way(std::span<std::vector<double>> points) const {
  for (const MovingFrame& frame : tree_->frames) {
    const auto i = static_cast<std::size_t>(frame.variable);
    if (frame.kind != FrameKind::Turn || tree_->variables[i].limits) continue;
    for (std::size_t k = 1; k < points.size(); ++k) {
      const double turn = 2.0 * std::numbers::pi;
      points[k][i] -= turn * std::round((points[k][i] - points[k - 1][i]) / turn);
    }
  }
}

Expected<RobotMotion> RobotMotion::build(const Kinematics& kinematics, const JointPath& path) {
  Expected<TreeMotion> motion = TreeMotion::build(kinematics.shared(), path);
  if (!motion) return motion.error();
  return RobotMotion(std::make_shared<const TreeMotion>(std::move(*motion)));
}

// ---------------------------------------------------------------- one link as another sees it

// Body and onlooker are links, which stand at fixed poses in frames: from frame to frame by a ChainMotion,
// and then into the coordinates of links.
struct LinkMotion::Chain {
  std::shared_ptr<const TreeMotion> motion;
  FrameChain chain;
  Pose link;           // in its frame
  Pose from_onlooker;  // the onlooker's frame to the onlooking link
  Vector3 reference;   // in the frame of the link's frame
  PoseError error = {};
  bool fixed = false;

  template <typename Ask>
  auto ask(Ask&& question) const {
    TreeStates states;
    states.reset(*motion);
    return question(ChainMotion(states, chain, reference));
  }
};

LinkMotion::LinkMotion(const RobotMotion& robot, std::int32_t link, std::int32_t seen_from,
                       const Vector3& reference) {
  const KinematicTree& tree = robot.shared()->tree();
  const auto i = static_cast<std::size_t>(link);
  const Pose onlooker = seen_from < 0 ? Pose() : tree.pose_in_frame[static_cast<std::size_t>(seen_from)];
  auto chain = std::make_unique<Chain>(
      Chain{robot.shared(),
            FrameChain(tree, seen_from < 0 ? -1 : tree.frame_of_link[static_cast<std::size_t>(seen_from)],
                       tree.frame_of_link[i]),
            tree.pose_in_frame[i], onlooker.inverse(), tree.pose_in_frame[i].apply(reference)});
  chain->ask([&](const ChainMotion& motion) {
    const PoseError inner = motion.pose_error();
    chain->fixed = motion.is_fixed();
    // Two more products of poses, whose rotations are such to 16 roundings.
    const double lengths = chain->link.translation.norm() + onlooker.translation.norm() +
                           (chain->chain.to < 0 ? 0.0 : chain->motion->reach(chain->chain.to)) +
                           (chain->chain.from < 0 ? 0.0 : chain->motion->reach(chain->chain.from));
    chain->error.rotation = (inner.rotation + 64.0 * unit_roundoff) * (1.0 + 64.0 * unit_roundoff);
    chain->error.translation = (inner.translation + inner.rotation * chain->link.translation.norm() +
                                128.0 * unit_roundoff * lengths) *
                               (1.0 + 64.0 * unit_roundoff);
  });
  chain_ = std::move(chain);
}

LinkMotion::~LinkMotion() = default;
LinkMotion::LinkMotion(const LinkMotion& other)
    : Motion(), chain_(std::make_unique<const Chain>(*other.chain_)) {}

Pose LinkMotion::pose(double t) const {
  return chain_->ask(
      [&](const ChainMotion& motion) { return chain_->from_onlooker * (motion.pose(t) * chain_->link); });
}

PoseError LinkMotion::pose_error() const {
  return chain_->error;
}

MotionExpansion LinkMotion::expansion(double t, double t_end) const {
  MotionExpansion e = chain_->ask([&](const ChainMotion& motion) { return motion.expansion(t, t_end); });
  const Pose& to = chain_->from_onlooker;
  const double spin = e.angular_velocity.norm(), speed = e.velocity.norm();
  // Turned into the onlooker's axes: 64 roundings, and the centre misplaced by as many.
  const double share = 64.0 * unit_roundoff;
  const double misplaced = share * (e.center.norm() + to.translation.norm());
  e.speed_slack += share * speed + (spin + e.spin_slack) * misplaced;
  e.spin_slack += share * spin;
  e.acceleration += (e.spin_acceleration + e.axial_acceleration) * misplaced;
  e.spin_acceleration += share * e.axial_acceleration;
  e.center = to.apply(e.center);
  e.velocity = to.rotation * e.velocity;
  e.angular_velocity = to.rotation * e.angular_velocity;
  return e;
}

double LinkMotion::next_breakpoint(double t) const {
  return chain_->motion->end_of(chain_->motion->piece_at(t));
}

bool LinkMotion::is_fixed() const {
  return chain_->fixed;
}

}  // namespace toccata
