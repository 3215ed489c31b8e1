#pragma once
// Links of a robot along a path in interval arithmetic: where a link is and how fast it moves at every moment
// of a span of time, rounding included. Written from the joints as they are given, without the frames and the
// bounds of tree_motion.hpp, so that it can be a second opinion on them (Redon et al. 2004 enclose links this
// way). Enclosures grow with the span; those of a moment are a few roundings wide.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/base/interval.hpp"
#include "toccata/base/pose.hpp"
#include "toccata/geometry/articulated_body.hpp"
#include "toccata/motion/joint_path.hpp"

namespace toccata {

struct IntervalVector {
  std::array<Interval, 3> x = {};

  static IntervalVector of(const Vector3& v) { return {{v.x(), v.y(), v.z()}}; }
  friend IntervalVector operator+(const IntervalVector& a, const IntervalVector& b) {
    return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}};
  }
  friend IntervalVector operator-(const IntervalVector& a, const IntervalVector& b) {
    return {{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
  }
  friend IntervalVector operator*(const Interval& s, const IntervalVector& v) {
    return {{s * v.x[0], s * v.x[1], s * v.x[2]}};
  }
};
IntervalVector cross(const IntervalVector& a, const IntervalVector& b);
Interval norm(const IntervalVector& v);

struct IntervalMatrix {
  std::array<IntervalVector, 3> rows = {};

  // Every entry off by no more than `slack`.
  static IntervalMatrix of(const Matrix3& m, double slack = 0.0);
  friend IntervalVector operator*(const IntervalMatrix& m, const IntervalVector& v);
  friend IntervalMatrix operator*(const IntervalMatrix& a, const IntervalMatrix& b);
};

// A link over a span of time, in the frame of one of its ancestors.
struct IntervalFrame {
  IntervalMatrix rotation = IntervalMatrix::of(Matrix3::Identity());
  IntervalVector place = {};
  IntervalVector velocity = {};  // of its place, by the time of the path
  IntervalVector spin = {};
};

class IntervalKinematics {
 public:
  // Errors: those of failure_of(robot), and a path that is not one of its own.
  static Expected<IntervalKinematics> build(const ArticulatedBody& robot, const JointPath& path);

  // Indices of links.
  std::int32_t root() const { return root_; }
  std::int32_t common_ancestor(std::int32_t a, std::int32_t b) const;
  // How many joints that are not fixed lie between the two.
  int joints_between(std::int32_t a, std::int32_t b) const;
  // precondition: the link is `ancestor` or hangs on it; begin <= end are of one piece of the path
  IntervalFrame frame(std::int32_t link, std::int32_t ancestor, int piece, double begin, double end) const;

 private:
  struct JointData {
    JointKind kind = JointKind::Fixed;
    std::int32_t parent = -1;  // link
    IntervalMatrix rotation;   // of the origin
    IntervalVector place;
    IntervalVector axis;        // of length one
    std::int32_t variable = 0;  // the first of its own, or of the joint it follows
    Interval multiplier = 1.0;
    Interval offset = 0.0;
  };
  // A floating joint over one piece: from `start` on, it turns by an angle about an axis.
  struct Turn {
    Matrix3 start = Matrix3::Identity();
    Vector3 axis = Vector3::UnitZ();
    double angle = 0.0;
  };
  struct Value {
    Interval value;
    Interval rate;  // by the time of the path
  };
  Value value_of(int piece, std::int32_t variable, const Interval& s) const;
  void slide(IntervalFrame& frame, const IntervalVector& axis, const Value& value) const;

  JointPath path_;
  std::int32_t root_ = 0;
  std::vector<std::int32_t> joint_of_link_;  // the joint whose child it is; -1: the root
  std::vector<JointData> joints_;
  std::vector<std::vector<Turn>> turns_;  // by joint, then by piece; of floating joints

  explicit IntervalKinematics(JointPath path) : path_(std::move(path)) {}
};

}  // namespace toccata
