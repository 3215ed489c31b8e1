#include "motion/interval_kinematics.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "motion/rotation.hpp"

namespace toccata {
namespace {

Interval widened(double x, double by) {
  return {next_down(x - by), next_up(x + by)};
}

// I cos + [axis] sin + axis axis' (1 - cos).
IntervalMatrix rotation_by(const IntervalVector& axis, const Interval& angle) {
  const Interval c = cos(angle), s = sin(angle), rest = Interval(1.0) - c;
  const auto& k = axis.x;
  IntervalMatrix m;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      m.rows[i].x[j] = rest * (i == j ? square(k[i]) : k[i] * k[j]) + (i == j ? c : Interval(0.0));
  }
  m.rows[0].x[1] -= s * k[2];
  m.rows[0].x[2] += s * k[1];
  m.rows[1].x[0] += s * k[2];
  m.rows[1].x[2] -= s * k[0];
  m.rows[2].x[0] -= s * k[1];
  m.rows[2].x[1] += s * k[0];
  return m;
}

IntervalVector unit(const Vector3& v) {
  // Scaled first, so that squares do not leave the range of doubles.
  const IntervalVector scaled = IntervalVector::of(v / v.cwiseAbs().maxCoeff());
  const Interval length = norm(scaled);
  return {{scaled.x[0] / length, scaled.x[1] / length, scaled.x[2] / length}};
}

std::optional<Eigen::Quaterniond> quaternion(const std::array<double, 4>& x) {
  Eigen::Quaterniond q(x[3], x[0], x[1], x[2]);
  const double largest = q.coeffs().cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) return {};
  q.coeffs() /= largest;
  return q.normalized();
}

// Entries of rotations that were rounded on their way: nearest_rotation leaves 16 roundings.
constexpr double matrix_slack = 32.0 * unit_roundoff;

}  // namespace

IntervalVector cross(const IntervalVector& a, const IntervalVector& b) {
  return {{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
           a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

Interval norm(const IntervalVector& v) {
  return sqrt(square(v.x[0]) + square(v.x[1]) + square(v.x[2]));
}

IntervalMatrix IntervalMatrix::of(const Matrix3& m, double slack) {
  IntervalMatrix result;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k)
      result.rows[static_cast<std::size_t>(i)].x[static_cast<std::size_t>(k)] =
          slack > 0.0 ? widened(m(i, k), slack) : Interval(m(i, k));
  }
  return result;
}

IntervalVector operator*(const IntervalMatrix& m, const IntervalVector& v) {
  IntervalVector result;
  for (std::size_t i = 0; i < 3; ++i)
    result.x[i] = m.rows[i].x[0] * v.x[0] + m.rows[i].x[1] * v.x[1] + m.rows[i].x[2] * v.x[2];
  return result;
}

IntervalMatrix operator*(const IntervalMatrix& a, const IntervalMatrix& b) {
  IntervalMatrix result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      result.rows[i].x[k] =
          a.rows[i].x[0] * b.rows[0].x[k] + a.rows[i].x[1] * b.rows[1].x[k] + a.rows[i].x[2] * b.rows[2].x[k];
  }
  return result;
}

Expected<IntervalKinematics> IntervalKinematics::build(const ArticulatedBody& robot, const JointPath& path) {
  if (auto failure = failure_of(robot)) return Error{std::move(*failure)};
  const std::vector<JointVariable> variables = variables_of(robot);
  if (path.variable_count() != static_cast<int>(variables.size()))
    return Error{"the path has " + std::to_string(path.variable_count()) +
                 " values per way-point, but the robot has " + std::to_string(variables.size()) +
                 " variables"};
  IntervalKinematics result(path);
  result.root_ = root_of(robot);
  std::map<std::string, std::int32_t> links, joints;
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    links[robot.links[i].name] = static_cast<std::int32_t>(i);
  for (std::size_t i = 0; i < robot.joints.size(); ++i)
    joints[robot.joints[i].name] = static_cast<std::int32_t>(i);
  std::map<std::int32_t, std::int32_t> first_variable;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].part == 0) first_variable[variables[i].joint] = static_cast<std::int32_t>(i);
  }
  result.joint_of_link_.assign(robot.links.size(), -1);
  result.turns_.resize(robot.joints.size());
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const Joint& joint = robot.joints[i];
    JointData data;
    data.kind = joint.kind;
    data.parent = links.at(joint.parent);
    data.rotation = IntervalMatrix::of(nearest_rotation(joint.origin.rotation), matrix_slack);
    data.place = IntervalVector::of(joint.origin.translation);
    if (joint.axis.cwiseAbs().maxCoeff() > 0.0) data.axis = unit(joint.axis);
    if (joint.kind != JointKind::Fixed) {
      std::size_t source = i;
      while (robot.joints[source].mimic) {
        const JointMimic& mimic = *robot.joints[source].mimic;
        data.offset += data.multiplier * Interval(mimic.offset);
        data.multiplier *= Interval(mimic.multiplier);
        source = static_cast<std::size_t>(joints.at(mimic.joint));
      }
      data.variable = first_variable.at(static_cast<std::int32_t>(source));
    }
    if (joint.kind == JointKind::Floating) {
      if (path.degree() != 1)
        return Error{"a robot with a floating joint takes straight paths only: leave out velocities"};
      for (int piece = 0; piece < path.piece_count(); ++piece) {
        std::array<double, 4> from{}, till{};
        for (int k = 0; k < 4; ++k) {
          const std::span<const double> c = path.coefficients(piece, data.variable + 3 + k);
          from[static_cast<std::size_t>(k)] = c[0];
          till[static_cast<std::size_t>(k)] = c[0] + c[1];
        }
        const auto start = quaternion(from), end = quaternion(till);
        if (!start || !end) return Error{"a floating joint needs a quaternion that is not zero"};
        Turn turn{start->toRotationMatrix()};
        const Vector3 vector = rotation_vector((start->inverse() * *end).toRotationMatrix());
        turn.angle = vector.norm();
        if (turn.angle > 0.0) turn.axis = vector / turn.angle;
        result.turns_[i].push_back(turn);
      }
    }
    result.joints_.push_back(data);
    result.joint_of_link_[static_cast<std::size_t>(links.at(joint.child))] = static_cast<std::int32_t>(i);
  }
  return result;
}

std::int32_t IntervalKinematics::common_ancestor(std::int32_t a, std::int32_t b) const {
  const auto above = [&](std::int32_t link) {
    std::vector<std::int32_t> list = {link};
    while (joint_of_link_[static_cast<std::size_t>(list.back())] >= 0)
      list.push_back(
          joints_[static_cast<std::size_t>(joint_of_link_[static_cast<std::size_t>(list.back())])].parent);
    return list;
  };
  const std::vector<std::int32_t> of_a = above(a), of_b = above(b);
  for (const std::int32_t link : of_a) {
    if (std::find(of_b.begin(), of_b.end(), link) != of_b.end()) return link;
  }
  return root_;
}

int IntervalKinematics::joints_between(std::int32_t a, std::int32_t b) const {
  const std::int32_t top = common_ancestor(a, b);
  int count = 0;
  for (std::int32_t link : {a, b}) {
    while (link != top) {
      const JointData& joint =
          joints_[static_cast<std::size_t>(joint_of_link_[static_cast<std::size_t>(link)])];
      count += joint.kind == JointKind::Fixed ? 0 : 1;
      link = joint.parent;
    }
  }
  return count;
}

// By the mean value: at the middle of s, and from there by the derivative over all of s. Coefficients were
// rounded when the path was built, a dozen times at most.
IntervalKinematics::Value IntervalKinematics::value_of(int piece, std::int32_t variable,
                                                       const Interval& s) const {
  const std::span<const double> c = path_.coefficients(piece, variable);
  double sum = 0.0;
  for (const double x : c) sum += std::abs(x);
  const double slack = c[1] == 0.0 && c.size() == 2 ? 0.0 : 64.0 * unit_roundoff * sum;
  const double middle = s.middle();
  Interval at_middle = 0.0, slope = 0.0;
  for (std::size_t k = c.size(); k-- > 0;) {
    at_middle = at_middle * Interval(middle) + Interval(c[k]);
    if (k > 0) slope = slope * s + Interval(static_cast<double>(k)) * Interval(c[k]);
  }
  if (slack > 0.0) {
    at_middle += Interval(-slack, slack);
    slope += Interval(-8.0 * slack, 8.0 * slack);
  }
  const auto i = static_cast<std::size_t>(piece);
  const Interval length = Interval(path_.times()[i + 1]) - Interval(path_.times()[i]);
  return {at_middle + slope * (s - Interval(middle)), slope / length};
}

void IntervalKinematics::slide(IntervalFrame& frame, const IntervalVector& axis, const Value& value) const {
  const IntervalVector along = frame.rotation * axis, way = value.value * along;
  frame.place = frame.place + way;
  frame.velocity = frame.velocity + cross(frame.spin, way) + value.rate * along;
}

IntervalFrame IntervalKinematics::frame(std::int32_t link, std::int32_t ancestor, int piece, double begin,
                                        double end) const {
  std::vector<std::int32_t> way;  // joints, from the link up
  while (link != ancestor) {
    way.push_back(joint_of_link_[static_cast<std::size_t>(link)]);
    link = joints_[static_cast<std::size_t>(way.back())].parent;
  }
  const auto p = static_cast<std::size_t>(piece);
  const Interval start = path_.times()[p], length = Interval(path_.times()[p + 1]) - start;
  Interval s = (Interval(begin, end) - start) / length;
  s = {std::clamp(s.lower, 0.0, 1.0), std::clamp(s.upper, 0.0, 1.0)};
  IntervalFrame frame;
  const auto turn_by = [&](const IntervalVector& axis, const Interval& angle, const Interval& rate) {
    frame.spin = frame.spin + rate * (frame.rotation * axis);
    frame.rotation = frame.rotation * rotation_by(axis, angle);
  };
  const IntervalVector axes[] = {IntervalVector::of(Vector3::UnitX()), IntervalVector::of(Vector3::UnitY()),
                                 IntervalVector::of(Vector3::UnitZ())};
  for (auto next = way.rbegin(); next != way.rend(); ++next) {
    const JointData& joint = joints_[static_cast<std::size_t>(*next)];
    const IntervalVector arm = frame.rotation * joint.place;
    frame.place = frame.place + arm;
    frame.velocity = frame.velocity + cross(frame.spin, arm);
    frame.rotation = frame.rotation * joint.rotation;
    const auto value = [&](int part) {
      Value found = value_of(piece, joint.variable + part, s);
      found.value = joint.multiplier * found.value + joint.offset;
      found.rate = joint.multiplier * found.rate;
      return found;
    };
    switch (joint.kind) {
      case JointKind::Fixed:
        break;
      case JointKind::Revolute:
      case JointKind::Continuous: {
        const Value turned = value(0);
        turn_by(joint.axis, turned.value, turned.rate);
        break;
      }
      case JointKind::Prismatic:
        slide(frame, joint.axis, value(0));
        break;
      case JointKind::Planar: {
        slide(frame, axes[0], value(0));
        slide(frame, axes[1], value(1));
        const Value turned = value(2);
        turn_by(axes[2], turned.value, turned.rate);
        break;
      }
      case JointKind::Floating: {
        for (int k = 0; k < 3; ++k) slide(frame, axes[static_cast<std::size_t>(k)], value(k));
        const Turn& turn = turns_[static_cast<std::size_t>(*next)][p];
        frame.rotation = frame.rotation * IntervalMatrix::of(turn.start, matrix_slack);
        IntervalVector axis;
        for (int k = 0; k < 3; ++k) axis.x[static_cast<std::size_t>(k)] = widened(turn.axis[k], matrix_slack);
        const Interval angle = widened(turn.angle, matrix_slack * (1.0 + turn.angle));
        turn_by(axis, s * angle, angle / length);
        break;
      }
    }
  }
  return frame;
}

}  // namespace toccata
