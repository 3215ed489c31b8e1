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

using convex::plain;
using convex::vector;
using convex::Xyz;

// Not below the length, at most 1.8 times it.
double length_above(const Xyz& x) {
  return std::abs(x.x) + std::abs(x.y) + std::abs(x.z);
}

double length_of(const Xyz& x) {
  return std::sqrt(dot(x, x));
}

Xyz combined(const Xyz (&column)[3], const Xyz& v) {
  return v.x * column[0] + v.y * column[1] + v.z * column[2];
}
Xyz along_columns(const Xyz (&column)[3], const Xyz& v) {
  return {dot(column[0], v), dot(column[1], v), dot(column[2], v)};
}

// exp(-angle [axis]) n.
Xyz turned_back(const Xyz& n, const Xyz& axis, double sine, double cosine) {
  return cosine * n - sine * cross(axis, n) + ((1.0 - cosine) * dot(axis, n)) * axis;
}

Matrix3 turn_of(const Xyz& axis, double sine, double cosine) {
  const Xyz rest = (1.0 - cosine) * axis, across = sine * axis;
  Matrix3 m;
  m(0, 0) = cosine + rest.x * axis.x;
  m(1, 1) = cosine + rest.y * axis.y;
  m(2, 2) = cosine + rest.z * axis.z;
  m(0, 1) = rest.x * axis.y - across.z;
  m(1, 0) = rest.x * axis.y + across.z;
  m(0, 2) = rest.x * axis.z + across.y;
  m(2, 0) = rest.x * axis.z - across.y;
  m(1, 2) = rest.y * axis.z - across.x;
  m(2, 1) = rest.y * axis.z + across.x;
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
  const Xyz of_shape = plain(body.shape->center);
  const double radius = body.shape->radius, offset = length_above(of_shape);
  const Xyz place = applied(pose, of_shape);
  const Xyz frame[3] = {plain(pose_b.rotation.col(0)), plain(pose_b.rotation.col(1)),
                        plain(pose_b.rotation.col(2))};
  const auto in_frame = [&frame](const Xyz& v) { return along_columns(frame, v); };
  Xyz middle = plain(piece.middle());
  if (number == 1) {
    origin_ = place;  // and b is not turned against the frame
    side.column[0] = {1.0, 0.0, 0.0};
    side.column[1] = {0.0, 1.0, 0.0};
    side.column[2] = {0.0, 0.0, 1.0};
    side.center = {};
  } else {
    for (int i = 0; i < 3; ++i) side.column[i] = in_frame(plain(pose.rotation.col(i)));
    side.center = in_frame(place - origin_);
    middle = combined(side.column, middle);
  }
  side.set = &piece.set();
  side.velocity = side.lever = side.axis = {};
  side.spin = side.acceleration = 0.0;
  side.spins = false;
  const double defect = rotation_defect(pose.rotation);
  const double place_error = pose_error.translation + pose_error.rotation * (offset + radius);
  error_ += place_error + 2.0 * defect * radius;
  angle_error_ += 2.0 * defect + 16.0 * u;
  // Lengths of the world, which only places have.
  double far = length_above(plain(pose.translation)) + offset;
  side.ball = side.center + middle;
  side.ball_radius = piece.reach();
  side.arm = radius;
  if (!body.motion->is_fixed()) {
    const MotionExpansion e = body.motion->expansion(start, end);
    is_steady_ = is_steady_ && e.steady;
    side.velocity = in_frame(plain(e.velocity));
    const Xyz turning = plain(e.angular_velocity);
    const double spin = length_of(turning);
    side.spins = spin > 0.0;
    if (side.spins) {
      const Xyz center = plain(e.center), lever = place - center;
      side.center = in_frame(center - origin_);
      side.lever = in_frame(lever);
      side.axis = in_frame({turning.x / spin, turning.y / spin, turning.z / spin});
      side.spin = spin * (1.0 + 8.0 * u);
      far += length_above(center);
      const double away = length_of(lever);
      side.arm = (away + radius) * (1.0 + 8.0 * u);
      const Xyz to_middle = side.lever + middle;
      side.ball = side.center;
      side.ball_radius = (length_of(to_middle) + piece.reach()) * (1.0 + 8.0 * u);
      // Of the axis and the middle roundings are known to a dozen u of the arm.
      const double from_axis = length_of(cross(side.axis, to_middle)) + piece.reach() + 1e-12 * side.arm;
      side.acceleration = side.spin * side.spin * from_axis * (1.0 + 1e-12);
    }
    const double speed = length_above(plain(e.velocity)) + side.spin * side.arm;
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

SteadyPair::Look SteadyPair::look_along(const Vector3& direction, const Moment& m) const {
  const Side &a = side_[0], &b = side_[1];
  const Xyz n = plain(direction);
  Look look;
  look.slope = dot(n, velocity_);
  look.gap = dot(n, between_) + m.time * look.slope - error_at(m.time);
  const Xyz along_a = a.spins ? turned_back(n, a.axis, m.sine[0], m.cosine[0]) : n;
  const Support of_a = height_of(*a.set, vector(along_columns(a.column, along_a)));
  look.gap -= of_a.value + a.set->radius;
  if (a.spins) {
    look.gap -= dot(along_a, a.lever);
    look.slope -= a.spin * dot(cross(along_a, a.axis), a.lever + combined(a.column, plain(of_a.point)));
  }
  const Xyz along_b = b.spins ? turned_back(n, b.axis, m.sine[1], m.cosine[1]) : n;
  const Support of_b = height_of(*b.set, vector(-along_b));
  look.gap -= of_b.value + b.set->radius;
  if (b.spins) {
    look.gap += dot(along_b, b.lever);
    look.slope += b.spin * dot(cross(along_b, b.axis), b.lever + plain(of_b.point));
  }
  return look;
}

double SteadyPair::speed_along(const Vector3& n, const Vector3& point_a, const Vector3& point_b,
                               const Moment& m) const {
  const Side &a = side_[0], &b = side_[1];
  const Xyz along = plain(in_frame(n, m));
  double speed = dot(along, velocity_);
  // The center of b is at -lever of its coordinates; a's is `straight` behind it.
  const auto from_center = [&](const Vector3& point) {
    return plain(in_frame(vector(plain(point) + b.lever), m));
  };
  if (b.spins) speed += b.spin * dot(cross(along, b.axis), from_center(point_b));
  if (a.spins) {
    const Xyz straight = between_ + m.time * velocity_;
    speed -= a.spin * dot(cross(along, a.axis), from_center(point_a) + straight);
  }
  return speed;
}

double SteadyPair::acceleration_along(const Vector3& n) const {
  double sum = 0.0;
  for (const Side& side : side_) {
    if (side.spins)
      sum +=
          side.acceleration * std::min(1.0, length_of(cross(side.axis, plain(n))) + angle_error_ + 16.0 * u);
  }
  return sum * (1.0 + 8.0 * u);
}

Vector3 SteadyPair::at_start(int side, const Vector3& n, const Moment& m) const {
  const Side& s = side_[side];
  return s.spins ? vector(turned_back(plain(n), s.axis, m.sine[side], m.cosine[side])) : n;
}

Vector3 SteadyPair::turned(int side, const Vector3& at_start, const Moment& m) const {
  const Side& s = side_[side];
  return s.spins ? vector(turned_back(plain(at_start), s.axis, -m.sine[side], m.cosine[side])) : at_start;
}

double SteadyPair::acceleration_turning(int number, const Vector3& n, double from, double to) const {
  const Side &own = side_[number], &other = side_[1 - number];
  if (!own.spins) return acceleration_along(n);
  // Of n(s) . r(s), n turning with `own` and r from its center to a point of the other: n'' . r + 2 n' . r' +
  // n . r''.
  const double across = std::min(1.0, length_of(cross(own.axis, plain(n))) + angle_error_ + 16.0 * u);
  const double apart = farthest_centers(from, to);
  const double speed = length_of(velocity_) + other.spin * other.arm;
  return (own.spin * across * (own.spin * (apart + other.arm) + 2.0 * speed) + other.acceleration) *
         (1.0 + 1e-12);
}

double SteadyPair::acceleration_across(double from, double to) const {
  // m'' . r + 2 m' . r' + m . r'', with |m'| and |m''| at most the spins of both and their square.
  const Side &a = side_[0], &b = side_[1];
  const double spin = a.spin + b.spin;
  const double apart = farthest_centers(from, to) + a.arm + b.arm;
  const double speed = length_of(velocity_) + a.spin * a.arm + b.spin * b.arm;
  return (spin * (spin * apart + 2.0 * speed) + a.acceleration + b.acceleration) * (1.0 + 1e-12);
}

// Along a straight way they are farthest apart at an end.
double SteadyPair::farthest_centers(double from, double to) const {
  const Xyz first = between_ + from * velocity_, last = between_ + to * velocity_;
  return std::sqrt(std::max(dot(first, first), dot(last, last)));
}

void SteadyPair::set_a_to_b(const Moment& m, Pose& pose) const {
  const Side &a = side_[0], &b = side_[1];
  Xyz column[3] = {a.column[0], a.column[1], a.column[2]};
  Xyz place = -(between_ + m.time * velocity_);  // of a's center, seen from b's
  const auto turn_all = [&column](const Xyz& axis, double sine, double cosine) {
    const Matrix3 turn = turn_of(axis, sine, cosine);
    for (Xyz& c : column) c = convex::turned(turn, c);
    return turn;
  };
  if (a.spins) place = convex::turned(turn_all(a.axis, m.sine[0], m.cosine[0]), a.lever) + place;
  if (b.spins) place = convex::turned(turn_all(b.axis, -m.sine[1], m.cosine[1]), place) - b.lever;
  for (int i = 0; i < 3; ++i) {
    pose.rotation(0, i) = column[i].x;
    pose.rotation(1, i) = column[i].y;
    pose.rotation(2, i) = column[i].z;
  }
  pose.translation.x() = place.x;
  pose.translation.y() = place.y;
  pose.translation.z() = place.z;
}

Vector3 SteadyPair::in_frame(const Vector3& direction, const Moment& m) const {
  return turned(1, direction, m);
}

double SteadyPair::balls_meet(double distance) const {
  const Xyz apart = side_[1].ball - side_[0].ball;
  const double reach = side_[0].ball_radius + side_[1].ball_radius + distance + error_at(span_);
  // |apart + s velocity| = reach. What rounding spoils of squares is far below 1e-14 of them.
  const double squared = dot(apart, apart), speed = dot(velocity_, velocity_);
  const double c = squared - reach * reach - 1e-14 * (squared + speed);
  if (!(c > 0.0)) return 0.0;
  const double b = dot(apart, velocity_);
  const double root = b * b - speed * c;
  if (!(b < 0.0) || !(root >= 0.0)) return infinite;
  const double time = c / (std::sqrt(root) - b) * (1.0 - 1e-14);
  return time > span_ ? infinite : time;
}

double SteadyPair::balls_part(double distance) const {
  const Xyz apart = side_[1].ball - side_[0].ball;
  const double reach = side_[0].ball_radius + side_[1].ball_radius + distance + error_at(span_);
  const double squared = dot(apart, apart), speed = dot(velocity_, velocity_);
  const double c = squared - reach * reach - 1e-14 * (squared + speed);
  const double b = dot(apart, velocity_);
  const double root = b * b - speed * c;
  if (!(root >= 0.0)) return infinite;
  const double time = (std::sqrt(root) - b) / speed * (1.0 + 1e-14);
  return time >= 0.0 ? time : infinite;
}

double SteadyPair::centers_within(double distance) const {
  const Xyz apart = side_[1].ball - side_[0].ball;
  const double b = dot(apart, velocity_), c = dot(apart, apart) - distance * distance;
  const double root = b * b - dot(velocity_, velocity_) * c;
  return b < 0.0 && root >= 0.0 ? c / (std::sqrt(root) - b) : infinite;
}

double SteadyPair::box_error(const Vector3& half_a, const Vector3& half_b) const {
  const double lengths = length_above(plain(half_a)) + length_above(plain(half_b)) + length_above(between_) +
                         span_ * length_above(velocity_) + length_above(side_[0].lever) +
                         length_above(side_[1].lever);
  // Places, and what axes that turn with the boxes are off by; the latter and all sums 256 u of the lengths.
  return 4.0 * error_at(span_) + 256.0 * u * (1.0 + spin() * span_) * lengths;
}

void SteadyPair::set_motion(const Vector3& half_a, const Vector3& half_b, double from, double to,
                            BoxMotion& motion) const {
  const Side &a = side_[0], &b = side_[1];
  const auto copy = [](const Xyz& x, double* place) { place[0] = x.x, place[1] = x.y, place[2] = x.z; };
  copy(plain(half_a), motion.half_a);
  copy(plain(half_b), motion.half_b);
  copy(between_, motion.between);
  copy(velocity_, motion.velocity);
  for (int i = 0; i < 3; ++i) copy(a.column[i], motion.rotation[i]);
  for (int i = 0; i < 2; ++i) {
    copy(side_[i].axis, motion.axis[i]);
    copy(side_[i].lever, motion.lever[i]);
    motion.spin[i] = side_[i].spins ? side_[i].spin : 0.0;
  }
  motion.error = box_error(half_a, half_b);
  // Half of what acceleration_turning() and acceleration_across() bound. Across three normals that are
  // orthonormal to the error of angles an axis has the lengths of its other coordinates.
  const double apart = farthest_centers(from, to), speed = length_of(velocity_);
  const double more = 0.5 * (1.0 + 2e-12), off = 2.0 * angle_error_ + 16.0 * u;
  const auto set_faces = [&](const Side& own, const Side& other, const Xyz(&normals)[3], double* bend) {
    const Side& turning = own.spins ? own : other;
    const Xyz along = along_columns(normals, turning.axis);
    const double squares[3] = {along.x * along.x, along.y * along.y, along.z * along.z};
    double least = other.acceleration, most = 0.0;
    if (own.spins) {
      most = own.spin * (own.spin * (apart + other.arm) + 2.0 * (speed + other.spin * other.arm));
    } else {
      most = other.acceleration;
      least = 0.0;
    }
    for (int i = 0; i < 3; ++i) {
      const double across = std::min(1.0, std::sqrt(squares[(i + 1) % 3] + squares[(i + 2) % 3]) + off);
      bend[i] = more * (most * across + least);
    }
  };
  set_faces(b, a, b.column, motion.bend);
  set_faces(a, b, a.column, motion.bend + 3);
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
