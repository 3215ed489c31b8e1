#include "motion_argument.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "number_rows.hpp"
#include "pose_argument.hpp"
#include "toccata/io/numpy_io.hpp"

namespace toccata::app {
namespace {

constexpr double radians_per_degree = std::numbers::pi / 180.0;

// The way to ask for what two poses cannot say.
constexpr const char* way_out = "say the turn with --turn, or the poses on the way with --path";

// One axis, up to the rounding of decimal fractions.
bool are_parallel(const Vector3& a, const Vector3& b) {
  return a.cross(b).norm() <= 1e-12 * a.norm() * b.norm();
}

// `degrees` about a direction while the origin gets from `from` by `displacement`, about one axis in space.
ScrewMotion turning_screw(const Pose& from, const Vector3& displacement, const Vector3& degrees,
                          const std::string& where) {
  const double angle = degrees.norm() * radians_per_degree;
  const Vector3 axis = degrees.normalized();
  const double slide = axis.dot(displacement);
  const Vector3 across = displacement - slide * axis;
  const double half_sine = std::sin(0.5 * angle);
  Vector3 center = from.translation;
  if (across.norm() > 1e-12 * displacement.norm()) {
    if (!(std::abs(half_sine) > 1e-6)) {
      throw UsageError(where +
                       ": a screw of whole turns cannot move the body across its axis; use --motion linear");
    }
    center += 0.5 * across + (0.5 * std::cos(0.5 * angle) / half_sine) * axis.cross(across);
  }
  return ScrewMotion(from, axis, center, angle, slide);
}

PiecewiseMotion::Segment turning_motion(const Pose& from, const Vector3& displacement, const Vector3& degrees,
                                        const MotionReading& reading, const std::string& where) {
  if (reading.screw && degrees.norm() > 0.0) return turning_screw(from, displacement, degrees, where);
  return RigidMotion::with_velocity(from, displacement, degrees * radians_per_degree);
}

PiecewiseMotion::Segment shorter_motion(const Pose& from, const Pose& to, bool screw) {
  if (screw) return ScrewMotion(from, to);
  return RigidMotion(from, to);
}

// Below half a turn the shorter rotation is the one that was typed.
PiecewiseMotion::Segment typed_motion(const TypedPose& from, const TypedPose& to,
                                      const MotionReading& reading, const std::string& where) {
  if (from.turn && to.turn && are_parallel(*from.turn, *to.turn)) {
    const Vector3 turn = *to.turn - *from.turn;
    if (turn.norm() < 180.0) return shorter_motion(from.pose, to.pose, reading.screw);
    return turning_motion(from.pose, to.pose.translation - from.pose.translation, turn, reading, where);
  }
  for (const TypedPose* end : {&from, &to}) {
    if (!end->turn || end->turn->norm() < 180.0) continue;
    throw UsageError(
        fmt::format("{}: a rotation of {:.6g} degrees needs a rotation vector about the same axis at the "
                    "other end, or none; {}",
                    where, end->turn->norm(), way_out));
  }
  return shorter_motion(from.pose, to.pose, reading.screw);
}

OwnedMotion owned(PiecewiseMotion::Segment segment) {
  return std::visit([](auto&& motion) { return OwnedMotion(std::move(motion)); }, std::move(segment));
}

struct TimedLine {
  double time = 0.0;
  TypedPose typed;
  std::string where;
};

TimedLine timed_line(double time, std::span<const double> pose, const std::string& where,
                     const MotionReading& reading) {
  return {time,
          typed_pose_of({pose.begin(), pose.end()}, where + " (a time, then a pose)", reading.quaternion),
          where};
}

// Poses without times are equally far apart in time.
std::vector<TimedLine> untimed_lines(const NumberRows& table, const MotionReading& reading) {
  std::vector<TimedLine> lines;
  for (const NumberRow& row : table.rows) {
    const auto time = static_cast<double>(lines.size());
    lines.push_back({time, typed_pose_of(row.numbers, row.where, reading.quaternion), row.where});
  }
  return lines;
}

std::vector<TimedLine> timed_lines(const NumberRows& table, const MotionReading& reading) {
  std::vector<TimedLine> lines;
  for (const NumberRow& row : table.rows)
    lines.push_back(timed_line(row.numbers.front(), std::span(row.numbers).subspan(1), row.where, reading));
  return lines;
}

// Of an .npz: the array `poses`, and `times` where it has them. Of an .npy: 4x4 matrices, or rows as in text.
std::vector<TimedLine> lines_of_arrays(const std::string& path, const MotionReading& reading) {
  constexpr std::string_view wanted[] = {"poses", "times"};
  const Expected<std::vector<NamedArray>> arrays = load_numpy(path, wanted);
  if (!arrays) throw UsageError(arrays.error().message);
  const NumpyArray* times = nullptr;
  for (const NamedArray& named : *arrays) {
    if (named.name == "times") times = &named.array;
  }
  constexpr std::string_view poses_only[] = {"poses"};
  const NumberRows table = read_array_rows(path, poses_only).front();
  if (!times) {
    const bool timed = table.name.empty() && table.dimensions == 2;
    return timed ? timed_lines(table, reading) : untimed_lines(table, reading);
  }
  if (times->values.size() != table.rows.size()) {
    throw UsageError(
        fmt::format("{}: has {} times and {} poses", path, times->values.size(), table.rows.size()));
  }
  std::vector<TimedLine> lines = untimed_lines(table, reading);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].time = times->values[i];
    if (!std::isfinite(lines[i].time)) throw UsageError(lines[i].where + ": its time is not finite");
  }
  return lines;
}

std::vector<TimedLine> read_path(const std::string& file_name, const MotionReading& reading) {
  std::vector<TimedLine> lines = is_numpy_file(file_name) ? lines_of_arrays(file_name, reading)
                                                          : timed_lines(read_text_rows(file_name), reading);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].time > lines[i - 1].time) continue;
    throw UsageError(fmt::format("{}: times must increase: {} comes after {}", lines[i].where, lines[i].time,
                                 lines[i - 1].time));
  }
  if (lines.size() < 2) throw UsageError(file_name + ": a path needs two poses or more, each with its time");
  return lines;
}

// Times are stretched to [0, 1].
OwnedMotion motion_along(const std::string& file_name, const MotionReading& reading) {
  const std::vector<TimedLine> lines = read_path(file_name, reading);
  const double first = lines.front().time, last = lines.back().time;
  std::vector<double> times;
  std::vector<PiecewiseMotion::Segment> segments;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    times.push_back(i + 1 == lines.size() ? 1.0 : (lines[i].time - first) / (last - first));
    if (i > 0) segments.push_back(typed_motion(lines[i - 1].typed, lines[i].typed, reading, lines[i].where));
  }
  Expected<PiecewiseMotion> motion = PiecewiseMotion::joined(std::move(times), std::move(segments));
  if (!motion) throw UsageError(file_name + ": " + motion.error().message);
  return std::move(*motion);
}

Vector3 parse_turn(const std::string& text, const std::string& where) {
  const std::vector<double> n = parse_numbers(text, where);
  if (n.size() != 4) {
    throw UsageError(fmt::format("{}: expected an axis and degrees, 4 numbers (\"0 0 1 190\"), found {}",
                                 where, n.size()));
  }
  const Vector3 axis(n[0], n[1], n[2]);
  const double length = axis.stableNorm();
  if (!(length > 0.0)) throw UsageError(where + ": the axis is zero");
  return axis / length * n[3];
}

void refuse_both(const MotionArguments& arguments, const char* one, const std::string& one_value,
                 const char* other, const std::string& other_value) {
  if (one_value.empty() || other_value.empty()) return;
  throw UsageError(fmt::format("{0}{2} and {1}{2} cannot be given together", one, other, arguments.suffix));
}

struct MotionDescription {
  JsonObject operator()(const FixedMotionRecord&) const { return JsonObject().add("type", "fixed"); }
  JsonObject operator()(const LinearMotionRecord& m) const {
    const double angle = m.angular_velocity.norm();
    const Vector3 axis = angle > 0.0 ? Vector3(m.angular_velocity / angle) : Vector3::UnitZ();
    return JsonObject()
        .add("type", "linear")
        .add("displacement", m.displacement)
        .add("axis", axis)
        .add("degrees", angle / radians_per_degree);
  }
  JsonObject operator()(const ScrewMotionRecord& m) const {
    return JsonObject()
        .add("type", "screw")
        .add("advance", m.axis.dot(m.velocity))
        .add("axis", m.axis)
        .add("degrees", m.angle / radians_per_degree);
  }
  JsonObject operator()(const SampledMotionRecord& m) const {
    return JsonObject().add("type", "sampled").add("poses", m.times.size());
  }
  JsonObject operator()(const PiecewiseMotionRecord& m) const {
    JsonList segments, times;
    for (const double time : m.times) times.add(time);
    for (const MotionSegmentRecord& segment : m.segments) segments.add(std::visit(*this, segment));
    return JsonObject().add("type", "piecewise").add("times", times).add("segments", segments);
  }
};

std::string turning_text(const char* kind, const Vector3& axis, double radians) {
  if (radians == 0.0) return kind;
  return fmt::format("{}, turning by {:.6g} degrees about {:.4g} {:.4g} {:.4g}", kind,
                     radians / radians_per_degree, axis.x() + 0.0, axis.y() + 0.0, axis.z() + 0.0);  // no -0
}

}  // namespace

std::string MotionArguments::first_given() const {
  for (const auto& [name, value] :
       {std::pair("--from", &from), std::pair("--to", &to), std::pair("--turn", &turn),
        std::pair("--velocity", &velocity), std::pair("--path", &path)}) {
    if (!value->empty()) return name + suffix;
  }
  return {};
}

void add_motion_options(MotionArguments& arguments, const std::string& body, Command& command) {
  const std::string& s = arguments.suffix;
  const auto add = [&](const char* name, std::string& target, const std::string& help, const char* value) {
    command.options.push_back({.names = name + s, .target = &target, .help = help, .value = value});
  };
  add("--to", arguments.to,
      "End pose of " + body + (s.empty() ? std::string(": ") + pose_help : " (default: it stays)"), "POSE");
  add("--from", arguments.from, "Start pose of " + body + " (default: identity)", "POSE");
  add("--turn", arguments.turn,
      body +
          " turns about an axis through its origin, any number of turns: 'ax ay az DEGREES', in world "
          "coordinates",
      "TURN");
  add("--velocity", arguments.velocity,
      "How far " + body + " gets over the motion: 'x y z', instead of --to" + s, "VECTOR");
  add("--path", arguments.path,
      body +
          " moves from pose to pose: a file of lines, each a time and a pose, or an array of numpy; times "
          "are "
          "stretched to [0, 1]",
      "FILE");
}

OwnedMotion motion_between(const Pose& from, const Pose& to, bool screw) {
  return owned(shorter_motion(from, to, screw));
}

OwnedMotion motion_of_arguments(const MotionArguments& arguments, const MotionReading& reading) {
  const auto& [s, from_text, to_text, turn_text, velocity_text, path] = arguments;
  refuse_both(arguments, "--path", path, "--from", from_text);
  refuse_both(arguments, "--path", path, "--to", to_text);
  refuse_both(arguments, "--path", path, "--turn", turn_text);
  refuse_both(arguments, "--path", path, "--velocity", velocity_text);
  refuse_both(arguments, "--velocity", velocity_text, "--to", to_text);
  if (!path.empty()) return motion_along(path, reading);

  TypedPose from{.pose = {}, .turn = Vector3::Zero().eval()};
  if (!from_text.empty()) from = parse_typed_pose(from_text, "--from" + s, reading.quaternion);
  TypedPose to = from;
  if (!to_text.empty()) to = parse_typed_pose(to_text, "--to" + s, reading.quaternion);
  if (turn_text.empty() && velocity_text.empty()) return owned(typed_motion(from, to, reading, "--to" + s));

  Vector3 displacement = to.pose.translation - from.pose.translation;
  if (!velocity_text.empty()) displacement = parse_vector(velocity_text, "--velocity" + s);
  Vector3 turn = Vector3::Zero();
  if (!turn_text.empty()) {
    if (!to_text.empty() && parse_numbers(to_text, "--to" + s).size() != 3) {
      throw UsageError(fmt::format(
          "--turn{0} and a rotation in --to{0} cannot be given together: with --turn{0}, --to{0} is 'x y z'",
          s));
    }
    turn = parse_turn(turn_text, "--turn" + s);
  }
  return owned(turning_motion(from.pose, displacement, turn, reading, "--turn" + s));
}

std::string motion_text(const MotionRecord& motion) {
  if (const auto* m = std::get_if<LinearMotionRecord>(&motion)) {
    const double angle = m->angular_velocity.norm();
    return turning_text("linear", angle > 0.0 ? Vector3(m->angular_velocity / angle) : Vector3::UnitZ(),
                        angle);
  }
  if (const auto* m = std::get_if<ScrewMotionRecord>(&motion))
    return turning_text("screw", m->axis, m->angle);
  if (const auto* m = std::get_if<PiecewiseMotionRecord>(&motion))
    return fmt::format("through {} poses", m->times.size());
  return "at rest";
}

JsonObject motion_json(const MotionRecord& motion) {
  return std::visit(MotionDescription{}, motion);
}

}  // namespace toccata::app
