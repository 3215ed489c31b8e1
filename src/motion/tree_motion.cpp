#include "motion/tree_motion.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "motion/rotation.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata {
namespace {

constexpr double u = unit_roundoff;
constexpr double above = 1.0 + 64.0 * u;

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

double largest_of(std::span<const double> coefficients, int derivative) {
  const PolynomialRange range = polynomial_range(coefficients, derivative);
  return std::max(std::abs(range.lower), std::abs(range.upper));
}

// The bounds of one frame over a piece that lasts `length` of the path's time.
void bound(FramePath& path, int degree, double length) {
  const double rate = 1.0 / length;
  const std::span<const double> c(path.c.data(), static_cast<std::size_t>(degree) + 1);
  path.largest = largest_of(c, 0) * above;
  path.first = degree == 1 ? std::abs(path.c[1]) * rate * above : largest_of(c, 1) * rate * above;
  path.second = largest_of(c, 2) * rate * rate * above;
  path.third = largest_of(c, 3) * rate * rate * rate * above;
}

Expected<Eigen::Quaterniond> unit_quaternion(std::span<const double> values) {
  Eigen::Quaterniond q(values[3], values[0], values[1], values[2]);
  const double largest = q.coeffs().cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) return Error{"a floating joint needs a quaternion that is not zero"};
  q.coeffs() /= largest;
  return q.normalized();
}

}  // namespace

// ---------------------------------------------------------------- a path of all frames

Expected<TreeMotion> TreeMotion::build(std::shared_ptr<const KinematicTree> tree, const JointPath& path) {
  if (path.variable_count() != static_cast<int>(tree->variables.size()))
    return Error{"the path has " + std::to_string(path.variable_count()) +
                 " values per way-point, but the robot has " + std::to_string(tree->variables.size()) +
                 " variables"};
  TreeMotion motion;
  motion.tree_ = std::move(tree);
  motion.degree_ = path.degree();
  motion.times_ = path.times();
  const std::vector<MovingFrame>& frames = motion.tree_->frames;
  const bool has_balls =
      std::any_of(frames.begin(), frames.end(), [](const auto& f) { return f.kind == FrameKind::Ball; });
  if (has_balls && path.degree() != 1)
    return Error{"a robot with a floating joint takes straight paths only: leave out velocities"};
  const std::size_t pieces = motion.times_.size() - 1;
  motion.paths_.resize(pieces * frames.size());
  if (has_balls) motion.balls_.resize(pieces * frames.size());
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const double length = motion.times_[piece + 1] - motion.times_[piece];
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const MovingFrame& frame = frames[f];
      FramePath& to = motion.paths_[piece * frames.size() + f];
      if (frame.kind == FrameKind::Ball) {
        std::array<double, 4> start{}, end{};
        for (int k = 0; k < 4; ++k) {
          const std::span<const double> c = path.coefficients(static_cast<int>(piece), frame.variable + k);
          start[static_cast<std::size_t>(k)] = c[0];
          end[static_cast<std::size_t>(k)] = c[0] + c[1];
        }
        const Expected<Eigen::Quaterniond> from = unit_quaternion(start), till = unit_quaternion(end);
        if (!from || !till) return (from ? till : from).error();
        BallPath& ball = motion.balls_[piece * frames.size() + f];
        ball.start = from->toRotationMatrix();
        const Vector3 turn = rotation_vector((from->inverse() * *till).toRotationMatrix());
        const double angle = turn.norm();
        if (angle > 0.0) ball.axis = turn / angle;
        to.c[1] = angle;
      } else {
        const std::span<const double> c = path.coefficients(static_cast<int>(piece), frame.variable);
        for (std::size_t k = 0; k < c.size(); ++k) to.c[k] = frame.multiplier * c[k];
        to.c[0] += frame.offset;
      }
      bound(to, motion.degree_, length);
    }
  }
  motion.set_bounds();
  return motion;
}

void TreeMotion::set_straight(std::shared_ptr<const KinematicTree> tree, std::span<const double> values_t0,
                              std::span<const double> values_t1) {
  if (tree_ != tree) tree_ = std::move(tree);
  degree_ = 1;
  times_.assign({0.0, 1.0});
  balls_.clear();
  paths_.assign(tree_->frames.size(), {});
  for (std::size_t f = 0; f < paths_.size(); ++f) {
    const MovingFrame& frame = tree_->frames[f];
    const double from = values_t0[at(frame.variable)], till = values_t1[at(frame.variable)];
    FramePath& path = paths_[f];
    path.c[0] = frame.multiplier * from + frame.offset;
    path.c[1] = frame.multiplier * (till - from);
    path.first = std::abs(path.c[1]) * above;
    path.largest = std::max(std::abs(path.c[0]), std::abs(path.c[0] + path.c[1])) * above;
  }
  set_bounds();
}

// Errors, per frame: of the value by 64 roundings of its coefficients, which holds that of the time within
// the piece, too; of the rotation by 64 more for three products of matrices, sine and cosine, and an origin
// that is a rotation up to 16; of the place by what the parent's rotation is off, and 16 of all lengths.
void TreeMotion::set_bounds() {
  const std::size_t count = tree_->frames.size();
  lengths_.assign(count, 0.0);
  reaches_.assign(count, 0.0);
  errors_.assign(count, {});
  for (std::size_t f = 0; f < count; ++f) {
    const MovingFrame& frame = tree_->frames[f];
    double largest = 0.0, coefficients = 0.0;
    for (std::size_t piece = 0; piece + 1 < times_.size(); ++piece) {
      const FramePath& path = paths_[piece * count + f];
      largest = std::max(largest, path.largest);
      double sum = 0.0;
      for (const double c : path.c) sum += std::abs(c);
      coefficients = std::max(coefficients, sum);
    }
    const double value_error = 64.0 * u * coefficients;
    const bool slides = frame.kind == FrameKind::Slide;
    lengths_[f] = (frame.origin.translation.norm() + (slides ? largest : 0.0)) * above;
    const PoseError parent = frame.parent < 0 ? PoseError() : errors_[at(frame.parent)];
    reaches_[f] = ((frame.parent < 0 ? 0.0 : reaches_[at(frame.parent)]) + lengths_[f]) * above;
    errors_[f].rotation = (parent.rotation + 128.0 * u + (slides ? 0.0 : value_error)) * above;
    errors_[f].translation = (parent.translation + parent.rotation * lengths_[f] + 32.0 * u * reaches_[f] +
                              (slides ? value_error : 0.0)) *
                             above;
  }
}

int TreeMotion::piece_at(double t) const {
  if (times_.size() == 2) return 0;
  const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  return static_cast<int>(after - times_.begin()) - 1;
}

void TreeMotion::set_state(int piece, double t, std::int32_t frame, const FrameState* parent,
                           FrameState& state) const {
  const MovingFrame& f = tree_->frames[at(frame)];
  const FramePath& path = this->path(piece, frame);
  const double begin = begin_of(piece), rate = 1.0 / (end_of(piece) - begin);
  const double s = std::clamp((t - begin) * rate, 0.0, 1.0);
  double value = 0.0;
  if (degree_ == 1) {
    value = path.c[0] + s * path.c[1];
    state.first = path.c[1] * rate;
    state.second = 0.0;
  } else {
    double first = 0.0, second = 0.0;  // second: half of it
    for (std::size_t k = static_cast<std::size_t>(degree_) + 1; k-- > 0;) {
      second = second * s + first;
      first = first * s + value;
      value = value * s + path.c[k];
    }
    state.first = first * rate;
    state.second = 2.0 * second * rate * rate;
  }
  Matrix3 origin = f.origin.rotation;
  Vector3 way = f.origin.translation;  // from the parent's place
  if (parent != nullptr) {
    origin.noalias() = parent->rotation * f.origin.rotation;
    way = parent->rotation * f.origin.translation;
  }
  switch (f.kind) {
    case FrameKind::Turn: {
      const double sine = std::sin(value), cosine = std::cos(value);
      state.rotation.col(0) = cosine * origin.col(0) + sine * origin.col(1);
      state.rotation.col(1) = cosine * origin.col(1) - sine * origin.col(0);
      state.rotation.col(2) = origin.col(2);
      state.axis = origin.col(2);
      break;
    }
    case FrameKind::Slide:
      state.rotation = origin;
      state.axis = origin.col(2);
      way += value * state.axis;
      break;
    case FrameKind::Ball: {
      const BallPath& ball = balls_[static_cast<std::size_t>(piece) * tree_->frames.size() + at(frame)];
      const Matrix3 start = origin * ball.start;
      state.rotation = start * rotation_about(ball.axis, value);
      state.axis = start * ball.axis;
      break;
    }
  }
  const Vector3 moved = state.first * state.axis, second = state.second * state.axis;
  if (parent == nullptr) {
    const bool slides = f.kind == FrameKind::Slide;
    state.place = way;
    state.velocity = slides ? moved : Vector3(Vector3::Zero());
    state.acceleration = slides ? second : Vector3(Vector3::Zero());
    state.spin = slides ? Vector3(Vector3::Zero()) : moved;
    state.turning = slides ? Vector3(Vector3::Zero()) : second;
    return;
  }
  const Vector3 swung = parent->spin.cross(way), coriolis = parent->spin.cross(moved);
  state.place = parent->place + way;
  state.velocity = parent->velocity + swung;
  state.acceleration = parent->acceleration + parent->turning.cross(way) + parent->spin.cross(swung);
  state.spin = parent->spin;
  state.turning = parent->turning;
  if (f.kind == FrameKind::Slide) {
    state.velocity += moved;
    state.acceleration += second + 2.0 * coriolis;
  } else {
    state.turning += second + coriolis;
    state.spin += moved;
  }
}

// ---------------------------------------------------------------- states

void TreeStates::reset(const TreeMotion& motion) {
  motion_ = &motion;
  for (Slot& slot : slots_) {
    slot.time = std::numeric_limits<double>::quiet_NaN();
    slot.states.resize(motion.tree().frames.size());
    slot.known.resize(motion.tree().frames.size());
  }
}

TreeStates::Slot& TreeStates::slot_at(double t) {
  if (slots_[last_].time == t) return slots_[last_];
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].time == t) {
      last_ = i;
      return slots_[i];
    }
  }
  last_ = next_;
  next_ = (next_ + 1) % slots_.size();
  Slot& slot = slots_[last_];
  slot.time = t;
  slot.piece = motion_->piece_at(t);
  std::fill(slot.known.begin(), slot.known.end(), char{0});
  return slot;
}

const FrameState& TreeStates::frame(double t, std::int32_t frame) {
  return state_in(slot_at(t), frame);
}

const FrameState& TreeStates::state_in(Slot& slot, std::int32_t frame) {
  FrameState& state = slot.states[at(frame)];
  if (slot.known[at(frame)] != 0) return state;
  // Not by recursion: a chain may be long. The ancestors that are not known yet, root first.
  std::int32_t first = frame;
  while (true) {
    const std::int32_t parent = motion_->tree().frames[at(first)].parent;
    if (parent < 0 || slot.known[at(parent)] != 0) break;
    first = parent;
  }
  while (true) {
    const std::int32_t parent = motion_->tree().frames[at(first)].parent;
    motion_->set_state(slot.piece, slot.time, first, parent < 0 ? nullptr : &slot.states[at(parent)],
                       slot.states[at(first)]);
    slot.known[at(first)] = 1;
    if (first == frame) return state;
    // Down again: the ancestor of `frame` whose parent is `first`.
    std::int32_t below = frame;
    while (motion_->tree().frames[at(below)].parent != first)
      below = motion_->tree().frames[at(below)].parent;
    first = below;
  }
}

// ---------------------------------------------------------------- chains

FrameChain::FrameChain(const KinematicTree& tree, std::int32_t from_frame, std::int32_t to_frame)
    : from(from_frame), to(to_frame) {
  const auto ancestors = [&](std::int32_t frame) {
    std::vector<std::int32_t> list;
    for (; frame >= 0; frame = tree.frames[at(frame)].parent) list.push_back(frame);
    return list;
  };
  std::vector<std::int32_t> up = ancestors(from), down = ancestors(to);
  while (!up.empty() && !down.empty() && up.back() == down.back()) {
    up.pop_back();
    down.pop_back();
  }
  std::reverse(down.begin(), down.end());
  const auto origin = [&](std::int32_t f) -> const Vector3& { return tree.frames[at(f)].origin.translation; };
  const auto slide = [&](std::int32_t f) { return tree.frames[at(f)].kind == FrameKind::Slide ? f : -1; };
  for (std::size_t i = 0; i < up.size(); ++i) {
    Step step{up[i], -1.0, slide(up[i]) >= 0};
    if (i > 0) {
      step.way = origin(up[i - 1]).norm();
      step.slide_a = slide(up[i - 1]);
    }
    steps.push_back(step);
  }
  for (std::size_t i = 0; i < down.size(); ++i) {
    Step step{down[i], 1.0, slide(down[i]) >= 0};
    step.slide_a = slide(down[i]);
    if (i > 0) {
      step.way = origin(down[i]).norm();
    } else if (!up.empty()) {
      step.way = (origin(down[i]) - origin(up.back())).norm();
      step.slide_b = slide(up.back());
    }
    steps.push_back(step);
  }
  if (down.empty() && !up.empty()) {
    end = origin(up.back());
    end_slide = slide(up.back());
  }
}

ChainMotion::ChainMotion(TreeStates& states, const FrameChain& chain, const Vector3& reference)
    : states_(states), chain_(chain), reference_(reference) {
  const TreeMotion& motion = states.motion();
  for (const FrameChain::Step& step : chain.steps) {
    for (int piece = 0; fixed_ && piece < motion.piece_count(); ++piece)
      fixed_ = !(motion.path(piece, step.frame).first > 0.0);
  }
  const PoseError a = chain.from < 0 ? PoseError() : motion.error(chain.from);
  const PoseError b = chain.to < 0 ? PoseError() : motion.error(chain.to);
  error_ = b;
  if (chain.from >= 0) {
    const double lengths = motion.reach(chain.from) + (chain.to < 0 ? 0.0 : motion.reach(chain.to));
    error_.rotation = (3.0 * a.rotation + b.rotation + 32.0 * u) * above;
    error_.translation = (a.translation + b.translation + (3.0 * a.rotation + 32.0 * u) * lengths) * above;
  }
  share_ = 2.0 * (a.rotation + b.rotation) + 64.0 * u * static_cast<double>(chain.steps.size() + 2);
}

Pose ChainMotion::pose(double t) const {
  Pose pose;
  if (chain_.to >= 0) {
    const FrameState& to = states_.frame(t, chain_.to);
    pose = {to.rotation, to.place};
  }
  if (chain_.from < 0) return pose;
  const FrameState& from = states_.frame(t, chain_.from);
  return Pose(from.rotation, from.place).inverse() * pose;
}

double ChainMotion::next_breakpoint(double t) const {
  return states_.motion().end_of(states_.motion().piece_at(t));
}

ChainMotion::Bounds ChainMotion::bounds_of(int piece) const {
  const TreeMotion& motion = states_.motion();
  Bounds b;
  const auto slide = [&](std::int32_t frame) { return frame < 0 ? 0.0 : motion.path(piece, frame).largest; };
  // A stiff way of this length on the body reached so far: it is swung by the spin and its derivatives.
  const auto swing = [&](double length) {
    b.speed += b.spin * length;
    b.acceleration += (b.turning + b.spin * b.spin) * length;
    b.jerk += (b.turning_rate + 3.0 * b.spin * b.turning + b.spin * b.spin * b.spin) * length;
  };
  for (std::size_t i = 0; i < chain_.steps.size(); ++i) {
    const FrameChain::Step& step = chain_.steps[i];
    const FramePath& path = motion.path(piece, step.frame);
    if (b.spin > 0.0) swing(step.way + slide(step.slide_a) + slide(step.slide_b));
    if (!(path.first > 0.0)) continue;
    ++b.moving;
    b.mover = static_cast<std::int32_t>(i);
    const double centripetal = b.turning + b.spin * b.spin;
    if (step.slides) {
      b.speed += path.first;
      b.acceleration += 2.0 * b.spin * path.first + path.second;
      b.jerk += 3.0 * centripetal * path.first + 3.0 * b.spin * path.second + path.third;
    } else {
      b.turning_rate += path.third + 2.0 * path.second * b.spin + centripetal * path.first;
      b.turning += path.second + b.spin * path.first;
      b.spin += path.first;
    }
  }
  if (b.spin > 0.0) swing((reference_ - chain_.end).norm() + slide(chain_.end_slide));
  // Sums of a few dozen positive terms of a few factors each.
  constexpr double sums = 1.0 + 1e-12;
  b.speed *= sums;
  b.acceleration *= sums;
  b.jerk *= sums;
  b.spin *= sums;
  b.turning *= sums;
  b.turning_rate *= sums;
  return b;
}

const ChainMotion::Bounds& ChainMotion::bounds_at(int piece) const {
  if (bounded_piece_ != piece) {
    bounds_ = bounds_of(piece);
    bounded_piece_ = piece;
  }
  return bounds_;
}

ChainMotion::State ChainMotion::state_at(double t) const {
  State s;
  if (chain_.from < 0 && chain_.to >= 0) {
    // One pass over the tree has it already.
    const FrameState& to = states_.frame(t, chain_.to);
    const Vector3 arm = to.rotation * reference_, swung = to.spin.cross(arm);
    s.center = to.place + arm;
    s.velocity = to.velocity + swung;
    s.acceleration = to.acceleration + to.turning.cross(arm) + to.spin.cross(swung);
    s.spin = to.spin;
    s.turning = to.turning;
    return s;
  }
  Vector3 place = Vector3::Zero();
  // To another point of the body reached so far.
  const auto move_to = [&](const Vector3& next) {
    const Vector3 way = next - place, swung = s.spin.cross(way);
    s.velocity += swung;
    s.acceleration += s.turning.cross(way) + s.spin.cross(swung);
    place = next;
  };
  bool started = false;
  for (const FrameChain::Step& step : chain_.steps) {
    const FrameState& frame = states_.frame(t, step.frame);
    if (started) {
      move_to(frame.place);
    } else {
      place = frame.place;
    }
    const Vector3 rate = step.sign * frame.first * frame.axis, second = step.sign * frame.second * frame.axis;
    if (step.slides) {
      s.velocity += rate;
      s.acceleration += second + 2.0 * s.spin.cross(rate);
    } else {
      s.turning += second + s.spin.cross(rate);
      s.spin += rate;
    }
    started = true;
  }
  s.center = reference_;
  if (chain_.to >= 0) {
    const FrameState& to = states_.frame(t, chain_.to);
    s.center = to.place + to.rotation * reference_;
  }
  if (started) move_to(s.center);
  return s;
}

// From the root's axes to the onlooker's.
Vector3 ChainMotion::seen(double t, const Vector3& direction) const {
  if (chain_.from < 0) return direction;
  return states_.frame(t, chain_.from).rotation.transpose() * direction;
}

MotionExpansion ChainMotion::expansion(double t, double t_end) const {
  const TreeMotion& motion = states_.motion();
  const int piece = motion.piece_at(t);
  const Bounds& b = bounds_at(piece);
  MotionExpansion e;
  if (b.moving == 0) {
    e.center = pose(t).apply(reference_);
    e.steady = true;
    return e;
  }
  const double misplaced = error_.translation + error_.rotation * reference_.norm();
  const bool even = b.moving == 1 && !(motion.path(piece, chain_.steps[at(b.mover)].frame).second > 0.0);
  if (even) {
    // One joint, at a constant rate: a rotation about its axis, or a straight way.
    const FrameChain::Step& step = chain_.steps[at(b.mover)];
    const FrameState& frame = states_.frame(t, step.frame);
    const Vector3 rate = seen(t, step.sign * frame.first * frame.axis);
    e.steady = true;
    if (step.slides) {
      e.center = pose(t).apply(reference_);
      e.velocity = rate;
      e.speed_slack = share_ * b.speed;
      return e;
    }
    Vector3 center = frame.place;
    if (chain_.from >= 0) {
      const FrameState& from = states_.frame(t, chain_.from);
      center = from.rotation.transpose() * (frame.place - from.place);
    }
    e.center = center;
    e.angular_velocity = rate;
    e.spin_slack = share_ * b.spin;
    // The centre is off the axis by as much as places are off.
    e.speed_slack = 2.0 * b.spin * misplaced + share_ * b.spin * motion.reach(step.frame);
    e.axial_acceleration = b.spin * b.spin;
    e.acceleration = b.spin * b.spin * (2.0 * misplaced + share_ * motion.reach(step.frame));
    e.spin_acceleration = share_ * b.spin * b.spin;
    return e;
  }
  const State s = state_at(t);
  e.center = chain_.from < 0 ? s.center : pose(t).apply(reference_);
  e.velocity = seen(t, s.velocity);
  e.angular_velocity = seen(t, s.spin);
  e.speed_slack = share_ * b.speed + 2.0 * b.spin * misplaced;
  e.spin_slack = share_ * b.spin;
  // The exact state now plus a third of the next order: the second integral of s J is delta^3 J / 6.
  const double third = (t_end - t) / 3.0;
  const double centripetal = b.turning + b.spin * b.spin;
  const double next = b.turning_rate + 3.0 * b.spin * b.turning + b.spin * b.spin * b.spin;
  e.acceleration = std::min(b.acceleration, s.acceleration.norm() + third * b.jerk) +
                   share_ * b.acceleration + 2.0 * centripetal * misplaced;
  const double spin = s.spin.norm();
  const double turning = s.turning.norm() + third * next;
  if (turning + spin * spin < centripetal) {
    e.spin_acceleration = turning + share_ * centripetal;
    e.axial_acceleration = spin * spin * above;
  } else {
    e.spin_acceleration = centripetal;
  }
  e.acceleration *= above;
  e.spin_acceleration *= above;
  return e;
}

double ChainMotion::travel(double t, double duration) const {
  const Bounds& b = bounds_at(states_.motion().piece_at(t));
  if (b.moving == 0) return 0.0;
  const State s = state_at(t);
  const double first = s.velocity.norm() + share_ * b.speed;
  const double second =
      std::min(b.acceleration, s.acceleration.norm() + share_ * b.acceleration + duration / 3.0 * b.jerk);
  return std::min(duration * b.speed, duration * (first + 0.5 * duration * second)) * above;
}

}  // namespace toccata
