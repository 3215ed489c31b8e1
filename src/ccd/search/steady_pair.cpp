#include "ccd/search/steady_pair.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rotation_defect.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::search {
namespace {

constexpr double u = unit_roundoff;
constexpr double infinite = std::numeric_limits<double>::infinity();

// Not below the length, at most 1.8 times it.
double length_above(const Vector3& x) {
  return std::abs(x.x()) + std::abs(x.y()) + std::abs(x.z());
}

// exp(-angle [axis]) n.
Vector3 turned_back(const Vector3& n, const Vector3& axis, double sine, double cosine) {
  return cosine * n - sine * axis.cross(n) + ((1.0 - cosine) * axis.dot(n)) * axis;
}

Matrix3 turn_of(const Vector3& axis, double sine, double cosine) {
  const Vector3 rest = (1.0 - cosine) * axis, across = sine * axis;
  Matrix3 m;
  m(0, 0) = cosine + rest.x() * axis.x();
  m(1, 1) = cosine + rest.y() * axis.y();
  m(2, 2) = cosine + rest.z() * axis.z();
  m(0, 1) = rest.x() * axis.y() - across.z();
  m(1, 0) = rest.x() * axis.y() + across.z();
  m(0, 2) = rest.x() * axis.z() + across.y();
  m(2, 0) = rest.x() * axis.z() - across.y();
  m(1, 2) = rest.y() * axis.z() - across.x();
  m(2, 1) = rest.y() * axis.z() + across.x();
  return m;
}

// As support() of the set; boxes, the most usual kind, without a call.
Support height_of(const ConvexSet& set, const Vector3& d) {
  if (set.core != Core::Box || set.is_placed) return support(set, d);
  Support s;
  s.point = {std::copysign(set.half.x(), d.x()), std::copysign(set.half.y(), d.y()),
             std::copysign(set.half.z(), d.z())};
  s.value = d.dot(s.point);
  return s;
}

}  // namespace

void SteadyPair::set_side(int number, const MovingShape& body, const Piece& piece, double start, double end,
                          const Pose& pose_b) {
  Side& side = side_[number];
  const Pose pose = number == 1 ? pose_b : body.motion->pose(start);
  const PoseError pose_error = body.motion->pose_error();
  const double radius = body.shape->radius, offset = length_above(body.shape->center);
  const Vector3 place = pose.apply(body.shape->center);
  const auto to_frame = pose_b.rotation.transpose();
  Vector3 middle = piece.middle();
  if (number == 1) {
    origin_ = place;  // and b is not turned against the frame
  } else {
    side.rotation.noalias() = to_frame * pose.rotation;
    side.center.noalias() = to_frame * (place - origin_);
    if (!middle.isZero(0.0)) middle = side.rotation * middle;
  }
  side.set = &piece.set();
  const double defect = rotation_defect(pose.rotation);
  const double place_error = pose_error.translation + pose_error.rotation * (offset + radius);
  error_ += place_error + 2.0 * defect * radius;
  angle_error_ += 2.0 * defect + 16.0 * u;
  double far = length_above(pose.translation) + offset;  // lengths of the world, which only places have
  side.ball = side.center + middle;
  side.ball_radius = piece.reach();
  side.arm = radius;
  if (!body.motion->is_fixed()) {
    const MotionExpansion e = body.motion->expansion(start, end);
    is_steady_ = is_steady_ && e.steady;
    side.velocity.noalias() = to_frame * e.velocity;
    const double spin = e.angular_velocity.norm();
    side.spins = spin > 0.0;
    if (side.spins) {
      const Vector3 lever = place - e.center;
      side.center = to_frame * (e.center - origin_);
      side.lever = to_frame * lever;
      side.axis = to_frame * (e.angular_velocity / spin);
      side.spin = spin * (1.0 + 8.0 * u);
      far += length_above(e.center);
      const double away = lever.norm();
      side.arm = (away + radius) * (1.0 + 8.0 * u);
      const Vector3 to_middle = side.lever + middle;
      side.ball = side.center;
      side.ball_radius = (to_middle.norm() + piece.reach()) * (1.0 + 8.0 * u);
      // Of the axis and the middle roundings are known to a dozen u of the arm.
      const double from_axis = side.axis.cross(to_middle).norm() + piece.reach() + 1e-12 * side.arm;
      side.acceleration = side.spin * side.spin * from_axis * (1.0 + 1e-12);
    }
    const double speed = length_above(e.velocity) + side.spin * side.arm;
    slack_ += e.speed_slack + e.spin_slack * side.arm +
              0.5 * span_ * (e.acceleration + e.spin_acceleration * side.arm) +
              (64.0 * u + 2.0 * defect) * speed;
    error_ += 8.0 * u * speed;  // times are right to 4 u
  }
  // Places 16 u of the world's lengths; turns and the heights about the centre that moves straight 64 u, and
  // 8 more for each radian; the frame is orthonormal to its defect.
  error_ += 16.0 * u * far + (64.0 * u + 4.0 * defect) * (1.0 + side.spin * span_) * side.arm;
}

SteadyPair::SteadyPair(const SearchQuestion& question, const ConvexPair& pair, double start, double end)
    : span_(end - start) {
  const Pose pose_b = question.b.motion->pose(start);
  set_side(1, question.b, pair.b, start, end, pose_b);
  if (!is_steady_) return;
  set_side(0, question.a, pair.a, start, end, pose_b);
  if (!is_steady_) return;
  between_ = side_[1].center - side_[0].center;
  velocity_ = side_[1].velocity - side_[0].velocity;
  const double separation =
      length_above(between_) + side_[0].arm + side_[1].arm + span_ * length_above(velocity_);
  error_ += (angle_error_ + 64.0 * u) * separation + support_error(*side_[0].set) +
            support_error(*side_[1].set) + 8.0 * u * (side_[0].set->radius + side_[1].set->radius);
  error_ *= 1.0 + 1e-12;
  slack_ *= 1.0 + 1e-12;
}

SteadyPair::Moment SteadyPair::at(double time) const {
  Moment m;
  m.time = time;
  for (int i = 0; i < 2; ++i) {
    if (!side_[i].spins) continue;
    const double angle = time * side_[i].spin;
    m.sine[i] = std::sin(angle);
    m.cosine[i] = std::cos(angle);
  }
  return m;
}

SteadyPair::Look SteadyPair::look_along(const Vector3& n, const Moment& m) const {
  const Side &a = side_[0], &b = side_[1];
  Look look;
  look.slope = n.dot(velocity_);
  look.gap = n.dot(between_) + m.time * look.slope - error_at(m.time);
  const Vector3 along_a = a.spins ? turned_back(n, a.axis, m.sine[0], m.cosine[0]) : n;
  const Support of_a = height_of(*a.set, a.rotation.transpose() * along_a);
  look.gap -= of_a.value + a.set->radius;
  if (a.spins) {
    look.gap -= along_a.dot(a.lever);
    look.slope -= a.spin * along_a.cross(a.axis).dot(a.lever + a.rotation * of_a.point);
  }
  const Vector3 along_b = b.spins ? turned_back(n, b.axis, m.sine[1], m.cosine[1]) : n;
  const Support of_b = height_of(*b.set, -along_b);
  look.gap -= of_b.value + b.set->radius;
  if (b.spins) {
    look.gap += along_b.dot(b.lever);
    look.slope += b.spin * along_b.cross(b.axis).dot(b.lever + of_b.point);
  }
  return look;
}

double SteadyPair::speed_along(const Vector3& n, const Vector3& point_a, const Vector3& point_b,
                               const Moment& m) const {
  const Side &a = side_[0], &b = side_[1];
  const Vector3 along = in_frame(n, m);
  double speed = along.dot(velocity_);
  // The center of b is at -lever of its coordinates; a's is `straight` behind it.
  if (b.spins) speed += b.spin * along.cross(b.axis).dot(in_frame(point_b + b.lever, m));
  if (a.spins) {
    const Vector3 straight = between_ + m.time * velocity_;
    speed -= a.spin * along.cross(a.axis).dot(in_frame(point_a + b.lever, m) + straight);
  }
  return speed;
}

double SteadyPair::acceleration_along(const Vector3& n) const {
  double sum = 0.0;
  for (const Side& side : side_) {
    if (side.spins)
      sum += side.acceleration * std::min(1.0, side.axis.cross(n).norm() + angle_error_ + 16.0 * u);
  }
  return sum * (1.0 + 8.0 * u);
}

Vector3 SteadyPair::at_start(int side, const Vector3& n, const Moment& m) const {
  const Side& s = side_[side];
  return s.spins ? turned_back(n, s.axis, m.sine[side], m.cosine[side]) : n;
}

Vector3 SteadyPair::turned(int side, const Vector3& at_start, const Moment& m) const {
  const Side& s = side_[side];
  return s.spins ? turned_back(at_start, s.axis, -m.sine[side], m.cosine[side]) : at_start;
}

double SteadyPair::acceleration_turning(int number, const Vector3& n, double from, double to) const {
  const Side &own = side_[number], &other = side_[1 - number];
  if (!own.spins) return acceleration_along(n);
  // Of n(s) . r(s), n turning with `own` and r from its center to a point of the other: n'' . r + 2 n' . r' +
  // n . r''.
  const double across = std::min(1.0, own.axis.cross(n).norm() + angle_error_ + 16.0 * u);
  const double apart = farthest_centers(from, to);
  const double speed = velocity_.norm() + other.spin * other.arm;
  return (own.spin * across * (own.spin * (apart + other.arm) + 2.0 * speed) + other.acceleration) *
         (1.0 + 1e-12);
}

double SteadyPair::acceleration_across(double from, double to) const {
  // m'' . r + 2 m' . r' + m . r'', with |m'| and |m''| at most the spins of both and their square.
  const Side &a = side_[0], &b = side_[1];
  const double spin = a.spin + b.spin;
  const double apart = farthest_centers(from, to) + a.arm + b.arm;
  const double speed = velocity_.norm() + a.spin * a.arm + b.spin * b.arm;
  return (spin * (spin * apart + 2.0 * speed) + a.acceleration + b.acceleration) * (1.0 + 1e-12);
}

// Along a straight way they are farthest apart at an end.
double SteadyPair::farthest_centers(double from, double to) const {
  return std::sqrt(
      std::max((between_ + from * velocity_).squaredNorm(), (between_ + to * velocity_).squaredNorm()));
}

Pose SteadyPair::a_to_b(const Moment& m) const {
  const Side &a = side_[0], &b = side_[1];
  Pose pose;
  const Vector3 straight = between_ + m.time * velocity_;  // from a's center to b's
  if (a.spins) {
    const Matrix3 turn = turn_of(a.axis, m.sine[0], m.cosine[0]);
    pose.rotation.noalias() = turn * a.rotation;
    pose.translation = turn * a.lever - straight;
  } else {
    pose.rotation = a.rotation;
    pose.translation = -straight;
  }
  if (b.spins) {
    const Matrix3 back = turn_of(b.axis, -m.sine[1], m.cosine[1]);
    const Matrix3 turned = back * pose.rotation;
    pose.rotation = turned;
    const Vector3 shift = back * pose.translation - b.lever;
    pose.translation = shift;
  }
  return pose;
}

Vector3 SteadyPair::in_frame(const Vector3& direction, const Moment& m) const {
  const Side& b = side_[1];
  return b.spins ? turned_back(direction, b.axis, -m.sine[1], m.cosine[1]) : direction;
}

double SteadyPair::balls_meet(double distance) const {
  const Vector3 apart = side_[1].ball - side_[0].ball;
  const double reach = side_[0].ball_radius + side_[1].ball_radius + distance + error_at(span_);
  // |apart + s velocity| = reach. What rounding spoils of squares is far below 1e-14 of them.
  const double squared = apart.squaredNorm(), speed = velocity_.squaredNorm();
  const double c = squared - reach * reach - 1e-14 * (squared + speed);
  if (!(c > 0.0)) return 0.0;
  const double b = apart.dot(velocity_);
  const double root = b * b - speed * c;
  if (!(b < 0.0) || !(root >= 0.0)) return infinite;
  const double time = c / (std::sqrt(root) - b) * (1.0 - 1e-14);
  return time > span_ ? infinite : time;
}

double SteadyPair::balls_part(double distance) const {
  const Vector3 apart = side_[1].ball - side_[0].ball;
  const double reach = side_[0].ball_radius + side_[1].ball_radius + distance + error_at(span_);
  const double squared = apart.squaredNorm(), speed = velocity_.squaredNorm();
  const double c = squared - reach * reach - 1e-14 * (squared + speed);
  const double b = apart.dot(velocity_);
  const double root = b * b - speed * c;
  if (!(root >= 0.0)) return infinite;
  const double time = (std::sqrt(root) - b) / speed * (1.0 + 1e-14);
  return time >= 0.0 ? time : infinite;
}

double SteadyPair::centers_within(double distance) const {
  const Vector3 apart = side_[1].ball - side_[0].ball;
  const double b = apart.dot(velocity_), c = apart.squaredNorm() - distance * distance;
  const double root = b * b - velocity_.squaredNorm() * c;
  return b < 0.0 && root >= 0.0 ? c / (std::sqrt(root) - b) : infinite;
}

double SteadyPair::box_error(const Vector3& half_a, const Vector3& half_b) const {
  const double lengths = length_above(half_a) + length_above(half_b) + length_above(between_) +
                         span_ * length_above(velocity_) + length_above(side_[0].lever) +
                         length_above(side_[1].lever);
  // Places, and what axes that turn with the boxes are off by; the latter and all sums 256 u of the lengths.
  return 4.0 * error_at(span_) + 256.0 * u * (1.0 + spin() * span_) * lengths;
}

void SteadyPair::set_motion(const Vector3& half_a, const Vector3& half_b, double from, double to,
                            BoxMotion& motion) const {
  const Side &a = side_[0], &b = side_[1];
  const auto copy = [](const Vector3& x, double* place) { std::copy(x.data(), x.data() + 3, place); };
  copy(half_a, motion.half_a);
  copy(half_b, motion.half_b);
  copy(between_, motion.between);
  copy(velocity_, motion.velocity);
  std::copy(a.rotation.data(), a.rotation.data() + 9, &motion.rotation[0][0]);
  for (int i = 0; i < 2; ++i) {
    copy(side_[i].axis, motion.axis[i]);
    copy(side_[i].lever, motion.lever[i]);
    motion.spin[i] = side_[i].spins ? side_[i].spin : 0.0;
  }
  motion.error = box_error(half_a, half_b);
  // Half of what acceleration_turning() and acceleration_across() bound. Across three normals that are
  // orthonormal to the error of angles an axis has the lengths of its other coordinates.
  const double apart = farthest_centers(from, to), speed = velocity_.norm();
  const double more = 0.5 * (1.0 + 2e-12), off = 2.0 * angle_error_ + 16.0 * u;
  const auto set_faces = [&](const Side& own, const Side& other, const Matrix3& normals, double* bend) {
    const Side& turning = own.spins ? own : other;
    const Vector3 along = (normals.transpose() * turning.axis).cwiseAbs2();
    double least = other.acceleration, most = 0.0;
    if (own.spins) {
      most = own.spin * (own.spin * (apart + other.arm) + 2.0 * (speed + other.spin * other.arm));
    } else {
      most = other.acceleration;
      least = 0.0;
    }
    for (int i = 0; i < 3; ++i) {
      const double across = std::min(1.0, std::sqrt(along[(i + 1) % 3] + along[(i + 2) % 3]) + off);
      bend[i] = more * (most * across + least);
    }
  };
  set_faces(b, a, Matrix3::Identity(), motion.bend);
  set_faces(a, b, a.rotation, motion.bend + 3);
  const double turn = a.spin + b.spin;
  const double across =
      more * (turn * (turn * (apart + a.arm + b.arm) + 2.0 * (speed + a.spin * a.arm + b.spin * b.arm)) +
              a.acceleration + b.acceleration);
  std::fill(motion.bend + 6, motion.bend + box_axis_count, across);
}

double proven_part(double gap0, double gap1, double acceleration, double h) {
  // gap0 - b x + bend x^2 with x from 0 to 1. Its values are right to 8 u of its terms.
  const double bend = 0.5 * acceleration * h * h;
  const double rounding = 8.0 * u * (gap0 + std::abs(gap1) + bend);
  const double from = gap0 - rounding, b = gap0 - gap1 + bend;
  if (!(from > 0.0)) return 0.0;
  if (!(b > 0.0)) return h;
  const double root = b * b - 4.0 * bend * from;
  if (root < 0.0) return h;
  const double x = 2.0 * from / (b + std::sqrt(root));
  return x < 1.0 ? x * h * (1.0 - 16.0 * u) : h;
}

}  // namespace toccata::search
