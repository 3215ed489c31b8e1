#include "ccd/articulated/path_search.hpp"

#include <algorithm>
#include <cmath>

#include "ccd/search/convex_search.hpp"
#include "proximity/contact_of.hpp"
#include "proximity/piece_bracket.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::articulated {

using namespace search;

namespace {

constexpr double u = unit_roundoff;

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

// Fewer pairs than this are quicker asked one by one than told apart in shorter parts of the path.
constexpr std::size_t few_pairs = 2;
// More obstacles are looked up in their tree.
constexpr std::size_t few_obstacles = 24;
// Where a contact is looked for before any proof, as shares of a piece of the path: the middles of its parts,
// level by level.
constexpr struct {
  double share;
  int level;
} probes[] = {{0.5, 1}, {0.25, 2}, {0.75, 2}, {0.125, 3}, {0.375, 3}, {0.625, 3}, {0.875, 3}};
constexpr int probed_levels = 3;
// The direction of nearest points is what counts: they are found to this share of the distance only.
constexpr double rough_share = 0.05;
// What is known of an end of an edge serves this long.
constexpr double half_edge = 0.5;

// Not above the distance of a point from the box of an obstacle, less the rounding of lengths of this size.
double lower_gap(const SceneBody& obstacle, const Vector3& point) {
  if (obstacle.outline.is_plane()) {
    const Plane& plane = *obstacle.outline.shape.data().tree.plane;
    const Pose pose = obstacle.motion.pose(0.0);
    const Vector3 local =
        pose.rotation.transpose() * (point - pose.translation) - obstacle.outline.shape.data().center;
    return plane.height(local);
  }
  const Vector3 local = obstacle.axes.transpose() * (point - obstacle.middle);
  return (local.cwiseAbs() - obstacle.outline.box_half).cwiseMax(0.0).norm();
}

}  // namespace

void PathSearch::set_path(TreeMotion motion) {
  motion_ = std::move(motion);
  reset();
}

void PathSearch::set_edge(std::span<const double> start, std::span<const double> end) {
  motion_.set_straight(robot_.kinematics.shared(), start, end);
  reset();
}

void PathSearch::reset() {
  states_.reset(motion_);
  ends_ = {};
  body_motions_.clear();
  self_motions_.clear();
  body_motions_.resize(robot_.bodies.size());
  self_motions_.resize(robot_.self_pairs.size());
  stats_ = {};
  out_of_budget_at_ = 2.0;
}

ChainMotion& PathSearch::body_motion(std::int32_t body) {
  std::optional<ChainMotion>& motion = body_motions_[at(body)];
  if (!motion) {
    const RobotBody& b = robot_.bodies[at(body)];
    motion.emplace(states_, b.chain, b.outline.center);
  }
  return *motion;
}

ChainMotion& PathSearch::self_motion(std::int32_t pair) {
  std::optional<ChainMotion>& motion = self_motions_[at(pair)];
  if (!motion) {
    const SelfPair& p = robot_.self_pairs[at(pair)];
    motion.emplace(states_, p.chain, robot_.bodies[at(p.b)].outline.center);
  }
  return *motion;
}

PathSearch::Seen PathSearch::seen(const PathPair& pair) {
  Seen result;
  const Outline& own = robot_.bodies[at(pair.body)].outline;
  const Motion* moving = nullptr;
  const Motion* standing = &still_;
  if (pair.self) {
    moving = &self_motion(pair.other);
    result.outline[1] = &robot_.bodies[at(robot_.self_pairs[at(pair.other)].a)].outline;
  } else {
    const SceneBody& obstacle = robot_.obstacles[at(pair.other)];
    moving = &body_motion(pair.body);
    standing = &obstacle.motion;
    result.outline[1] = &obstacle.outline;
  }
  result.outline[0] = &own;
  result.shape[0] = {&own.shape.data(), moving};
  result.shape[1] = {&result.outline[1]->shape.data(), standing};
  result.hull[0] = {&own.outer(), moving};
  result.hull[1] = {&result.outline[1]->outer(), standing};
  result.has_hulls = own.hull || result.outline[1]->hull;
  return result;
}

double PathSearch::distance_of(const PathPair& pair, double distance) const {
  const double own = robot_.bodies[at(pair.body)].padding;
  const double other = pair.self ? robot_.bodies[at(robot_.self_pairs[at(pair.other)].a)].padding
                                 : robot_.obstacles[at(pair.other)].padding;
  double of_pair = 0.0;
  if (pair.self) {
    of_pair = robot_.self_pairs[at(pair.other)].padding;
  } else if (const auto& paddings = robot_.bodies[at(pair.body)].obstacle_paddings; !paddings.empty()) {
    of_pair = paddings[at(pair.other)];
  }
  return distance + robot_.padding + own + other + of_pair;
}

std::pair<std::string, std::string> PathSearch::names_of(const PathPair& pair, std::int32_t piece,
                                                         std::int32_t other_piece) const {
  const std::string& own = robot_.name_of(pair.body, piece);
  if (!pair.self) return {own, robot_.obstacles[at(pair.other)].name};
  return {robot_.name_of(robot_.self_pairs[at(pair.other)].a, other_piece), own};
}

std::array<Pose, 2> PathSearch::poses_at(const PathPair& pair, double t) {
  if (!pair.self) return {body_motion(pair.body).pose(t), robot_.obstacles[at(pair.other)].motion.pose(0.0)};
  return {body_motion(pair.body).pose(t), body_motion(robot_.self_pairs[at(pair.other)].a).pose(t)};
}

// ---------------------------------------------------------------- pairs that balls do not tell apart

PathSearch::BallState PathSearch::ball_of(std::int32_t body, double middle, double duration) {
  const RobotBody& b = robot_.bodies[at(body)];
  const ChainMotion& motion = body_motion(body);
  const PoseError error = motion.pose_error();
  const Vector3 center = motion.pose(middle).apply(b.outline.center);
  const double reach = b.outline.center.norm() + b.outline.radius;
  return {center, b.outline.radius + motion.travel(middle, duration) + error.translation +
                      error.rotation * reach + 64.0 * u * (reach + center.norm())};
}

// For the values that the variables between the two take from `begin` to `end`, within one piece.
bool PathSearch::is_apart_by_table(std::int32_t pair, double begin, double end, double distance) const {
  if (robot_.tables.empty() || robot_.tables[at(pair)].empty()) return false;
  const PairTable& table = robot_.tables[at(pair)];
  const int piece = motion_.piece_at(0.5 * (begin + end));
  const double start = motion_.begin_of(piece), length = motion_.end_of(piece) - start;
  const Interval s = (Interval(begin, end) - Interval(start)) / Interval(length);
  std::array<Interval, 2> values{};
  for (std::size_t i = 0; i < table.variables().size(); ++i) {
    const PairVariable& variable = table.variables()[i];
    const FramePath& path = motion_.path(piece, variable.frame);
    Interval value = 0.0;
    double sum = 0.0;
    for (std::size_t k = path.c.size(); k-- > 0;) {
      value = value * s + Interval(path.c[k]);
      sum += std::abs(path.c[k]);
    }
    // The path's own rounding, as in TreeMotion.
    const double slack = 64.0 * u * sum;
    values[i] = (value + Interval(-slack, slack) - Interval(variable.offset)) / Interval(variable.multiplier);
  }
  return table.lower_over({values.data(), table.variables().size()}) > distance;
}

// Obstacles near the ball of a body over the whole piece, by their tree; then all by their balls.
void PathSearch::collect(int piece, double distance, std::vector<Candidate>& candidates) {
  candidates.clear();
  memories_.clear();
  const double begin = motion_.begin_of(piece), end = motion_.end_of(piece);
  const double middle = 0.5 * (begin + end);
  const double duration = std::max(middle - begin, end - middle) * (1.0 + 8.0 * u);
  const bool many = robot_.obstacles.size() > few_obstacles;
  const bool ends_known = ends_[0] != nullptr && ends_[1] != nullptr && motion_.piece_count() == 1;
  for (std::size_t side = 0; ends_known && side < 2; ++side) {
    leaving_[side].clear();
    for (std::size_t i = 0; i < robot_.bodies.size(); ++i)
      leaving_[side].push_back(leaving(static_cast<std::int32_t>(i), side == 0 ? begin : end));
  }
  const auto add = [&](const PathPair& pair) {
    Candidate candidate{pair, begin, end};
    if (!ends_known || trim_by_ends(distance_of(pair, distance), candidate)) candidates.push_back(candidate);
  };
  for (std::size_t i = 0; i < robot_.bodies.size(); ++i) {
    const RobotBody& body = robot_.bodies[i];
    const auto number = static_cast<std::int32_t>(i);
    near_.clear();
    if (many) {
      const BallState ball = ball_of(number, middle, duration);
      const double room = ball.room + distance + robot_.padding + body.padding + robot_.largest_padding;
      robot_.tree.near(ball.center, room * (1.0 + 64.0 * u), [&](std::int32_t k) { near_.push_back(k); });
      std::sort(near_.begin(), near_.end());
    } else {
      for (std::size_t k = 0; k < robot_.obstacles.size(); ++k) near_.push_back(static_cast<std::int32_t>(k));
    }
    for (const std::int32_t k : near_) {
      if (body.may_meet[at(k)] != 0) add({number, k, false});
    }
  }
  for (std::size_t i = 0; i < robot_.self_pairs.size(); ++i)
    add({robot_.self_pairs[i].b, static_cast<std::int32_t>(i), true});
  split(0, begin, end, distance, candidates);
}

// Leaves those that balls at the middle do not keep apart all the time, each with the times that are left of
// it after halving it further.
void PathSearch::split(int depth, double begin, double end, double distance,
                       std::vector<Candidate>& candidates) {
  const double middle = 0.5 * (begin + end);
  const double duration = std::max(middle - begin, end - middle) * (1.0 + 8.0 * u);
  Part& part = parts_[static_cast<std::size_t>(depth)];
  std::vector<BallState>& balls = part.balls;
  balls.assign(robot_.bodies.size(), {Vector3::Zero(), -1.0});
  const auto ball_at = [&](std::int32_t body) -> const BallState& {
    BallState& ball = balls[at(body)];
    if (ball.room < 0.0) ball = ball_of(body, middle, duration);
    return ball;
  };
  const auto is_apart = [&](const Candidate& candidate) {
    const BallState& ball = ball_at(candidate.pair.body);
    const double apart = distance_of(candidate.pair, distance);
    ++stats_.node_pairs;
    if (!candidate.pair.self) {
      const SceneBody& obstacle = robot_.obstacles[at(candidate.pair.other)];
      const double rounding =
          64.0 * u * (obstacle.middle.norm() + obstacle.outline.box_half.norm() + ball.center.norm());
      return lower_gap(obstacle, ball.center) > (ball.room + apart + rounding) * (1.0 + 16.0 * u);
    }
    const SelfPair& pair = robot_.self_pairs[at(candidate.pair.other)];
    const BallState& other = ball_at(pair.a);
    const double gap = (ball.center - other.center).norm();
    const double radii = robot_.bodies[at(pair.a)].outline.radius + robot_.bodies[at(pair.b)].outline.radius;
    if (gap > (ball.room + other.room + apart) * (1.0 + 16.0 * u)) return true;
    if (is_apart_by_table(candidate.pair.other, begin, end, apart)) return true;
    if (!(gap > radii + apart)) return false;
    // What both have in common does not count: seen from one of them.
    const ChainMotion& relative = self_motion(candidate.pair.other);
    const PoseError error = relative.pose_error();
    const double reach = robot_.bodies[at(pair.b)].outline.center.norm() + radii;
    const double room = radii + relative.travel(middle, duration) + error.translation +
                        error.rotation * reach +
                        64.0 * u * (reach + ball.center.norm() + other.center.norm());
    return gap > (room + apart) * (1.0 + 16.0 * u);
  };
  std::erase_if(candidates, is_apart);
  if (probing_ != nullptr && depth < probed_levels && probe(middle, duration, candidates, balls)) return;
  if (depth >= most_halvings || candidates.size() <= few_pairs || !(begin < middle && middle < end)) return;
  std::vector<Candidate>(&halves)[2] = part.halves;
  for (int side = 0; side < 2; ++side) {
    const double from = side == 0 ? begin : middle, until = side == 0 ? middle : end;
    halves[side].clear();
    for (const Candidate& candidate : candidates) {
      Candidate half = candidate;
      half.from = std::max(candidate.from, from);
      half.until = std::min(candidate.until, until);
      if (half.from < half.until) halves[side].push_back(half);
    }
    split(depth + 1, from, until, distance, halves[side]);
    if (probed_) return;
  }
  // Both are in the order of `candidates`.
  const auto same = [](const Candidate& a, const Candidate& b) {
    return a.pair.body == b.pair.body && a.pair.other == b.pair.other && a.pair.self == b.pair.self;
  };
  std::size_t next[2] = {0, 0};
  std::size_t kept = 0;
  for (const Candidate& candidate : candidates) {
    Candidate merged = candidate;
    bool found = false;
    for (int side = 0; side < 2; ++side) {
      if (next[side] >= halves[side].size() || !same(halves[side][next[side]], candidate)) continue;
      const Candidate& half_of = halves[side][next[side]++];
      const int probed = found ? std::min(merged.probed, half_of.probed) : half_of.probed;
      if (!found) merged = half_of;
      merged.until = half_of.until;
      merged.probed = probed;
      found = true;
    }
    if (found) candidates[kept++] = merged;
  }
  candidates.resize(kept);
}

// ---------------------------------------------------------------- what is known of the ends

// Of the bodies in these balls at least, less than zero where they overlap.
double PathSearch::ball_gap(const PathPair& pair, const BallState& ball, const BallState& other) const {
  if (pair.self) return (ball.center - other.center).norm() * (1.0 - 16.0 * u) - ball.room - other.room;
  const SceneBody& obstacle = robot_.obstacles[at(pair.other)];
  const double rounding =
      64.0 * u * (obstacle.middle.norm() + obstacle.outline.box_half.norm() + ball.center.norm());
  return lower_gap(obstacle, ball.center) * (1.0 - 16.0 * u) - ball.room - rounding;
}

void PathSearch::put_clearances(std::span<float> to) {
  // Farther than this hulls tell little more than balls.
  constexpr double near_share_of_radius = 0.5;
  std::vector<BallState> balls;
  for (std::size_t i = 0; i < robot_.bodies.size(); ++i)
    balls.push_back(ball_of(static_cast<std::int32_t>(i), 0.0, 0.0));
  const auto clearance_of = [&](const PathPair& pair, const BallState& other) {
    double gap = ball_gap(pair, balls[at(pair.body)], other);
    if (gap < near_share_of_radius * robot_.bodies[at(pair.body)].outline.radius) {
      const Seen both = seen(pair);
      const ShapeData &a = *both.hull[0].shape, &b = *both.hull[1].shape;
      if (is_convex_pair(a, b) && !a.is_half_space() && !b.is_half_space()) {
        PairStates states(both.hull[0], both.hull[1]);
        PairState state;
        states.set_from_b(0.0, 0.0, state);
        convex::ConvexLimits limits;
        limits.relative_error = rough_share;
        limits.within = 0.0;
        const convex::ConvexDistance nearest =
            proximity::piece_bracket(Piece(a, 0), Pose(state.view[1].rotation, state.view[1].translation),
                                     Piece(b, 0), nullptr, limits);
        gap = std::max(gap, nearest.lower - state.gap_padding);
      }
    }
    const auto rounded = static_cast<float>(std::max(0.0, gap));
    return static_cast<double>(rounded) > gap
               ? std::nextafter(rounded, -std::numeric_limits<float>::infinity())
               : rounded;
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < robot_.bodies.size(); ++i) {
    for (std::size_t k = 0; k < robot_.obstacles.size(); ++k, ++next) {
      const PathPair pair{static_cast<std::int32_t>(i), static_cast<std::int32_t>(k), false};
      to[next] = robot_.bodies[i].may_meet[k] != 0 ? clearance_of(pair, {}) : 0.0F;
    }
  }
  for (std::size_t i = 0; i < robot_.self_pairs.size(); ++i, ++next) {
    const SelfPair& pair = robot_.self_pairs[i];
    to[next] = clearance_of({pair.b, static_cast<std::int32_t>(i), true}, balls[at(pair.a)]);
  }
}

PathSearch::Leaving PathSearch::leaving(std::int32_t body, double t) {
  const Outline& outline = robot_.bodies[at(body)].outline;
  const ChainMotion& motion = body_motion(body);
  if (motion.is_fixed()) return {};
  const MotionExpansion e = motion.expansion(t, t + half_edge);
  const PoseError error = motion.pose_error();
  const Vector3 lever = motion.pose(t).apply(outline.center) - e.center;
  const double spin = e.angular_velocity.norm() + e.spin_slack;
  const double reach = outline.center.norm() + outline.radius;
  const double misplaced = error.translation + error.rotation * reach;
  const double arm = lever.norm() + outline.radius + misplaced;
  Leaving result;
  result.speed = (e.velocity + e.angular_velocity.cross(lever)).norm() + e.speed_slack +
                 spin * (outline.radius + misplaced) + 64.0 * u * (e.velocity.norm() + spin * arm);
  result.acceleration = e.acceleration + (e.spin_acceleration + e.axial_acceleration) * arm;
  result.slack = 2.0 * misplaced;
  return result;
}

// After its start for as long as its distance there lasts, before its end as well.
bool PathSearch::trim_by_ends(double distance, Candidate& candidate) const {
  const PathPair& pair = candidate.pair;
  const std::size_t self = robot_.bodies.size() * robot_.obstacles.size();
  const std::size_t number =
      pair.self ? self + at(pair.other) : at(pair.body) * robot_.obstacles.size() + at(pair.other);
  double steps[2];
  for (std::size_t side = 0; side < 2; ++side) {
    Leaving moved = leaving_[side][at(pair.body)];
    if (pair.self) {
      const Leaving& other = leaving_[side][at(robot_.self_pairs[at(pair.other)].a)];
      moved.speed += other.speed;
      moved.acceleration += other.acceleration;
      moved.slack += other.slack;
    }
    const double gap = static_cast<double>(ends_[side][number]) - (distance + moved.slack) * (1.0 + 8.0 * u);
    constexpr double above = 1.0 + 1e-12;
    steps[side] =
        gap > 0.0
            ? std::min(half_edge, conservative_step(gap, moved.speed * above, moved.acceleration * above))
            : 0.0;
  }
  if (steps[0] >= half_edge && steps[1] >= half_edge) return false;
  candidate.from = steps[0];
  candidate.until = std::min(1.0, std::nextafter(1.0 - steps[1], 2.0));
  return true;
}

// ---------------------------------------------------------------- the queue

PathContactResult PathSearch::first_contact(const PathLimits& limits) {
  return search_pieces(limits, false);
}

PathContactResult PathSearch::any_contact(const PathLimits& limits) {
  return search_pieces(limits, true);
}

PathContactResult PathSearch::search_pieces(const PathLimits& limits, bool any) {
  for (int piece = 0; piece < motion_.piece_count(); ++piece) {
    PathContactResult result = search_piece(piece, limits, any);
    if (result.status != Status::Separated) return result;
  }
  PathContactResult result;
  result.stats = stats_;
  return result;
}

PathContactResult PathSearch::search_piece(int piece, const PathLimits& limits, bool any) {
  probed_.reset();
  probing_ = any ? &limits : nullptr;
  // Touching counts from the tolerance on: who is told apart here would not have been reported.
  collect(piece, limits.distance + limits.tolerance, candidates_);
  probing_ = nullptr;
  if (probed_) return std::move(*probed_);
  while (!queue_.empty()) queue_.pop();
  met_.clear();
  if (any) {
    PathContactResult result;
    if (find_any(piece, limits, result)) return result;
  } else {
    for (std::size_t i = 0; i < candidates_.size(); ++i) queue_.push({candidates_[i].from, 0, i});
  }
  while (!queue_.empty()) {
    const Waiting next = queue_.top();
    queue_.pop();
    if (next.stage == 2) return told(next);
    if ((limits.budget > 0 && work_of(stats_) >= limits.budget) ||
        (limits.stop != nullptr && limits.stop->is_over()) || out_of_budget_at_ <= next.time) {
      PathContactResult result;
      result.status = Status::OutOfBudget;
      result.time = result.lower = std::min(next.time, out_of_budget_at_);
      result.stats = stats_;
      return result;
    }
    look(next, limits, motion_.end_of(piece));
  }
  return {};
}

// One stage of a pair: it goes back to the queue, or is done.
void PathSearch::look(const Waiting& next, const PathLimits& limits, double end) {
  const Candidate& candidate = candidates_[next.candidate];
  const Seen both = seen(candidate.pair);
  const double until = std::min(candidate.until, end);
  if (!(next.time <= until)) return;
  SearchQuestion question;
  question.start = next.time;
  question.end = until;
  question.distance = distance_of(candidate.pair, limits.distance);
  question.tolerance = limits.tolerance;
  question.budget = budget_left(limits.budget, stats_);
  question.stop = limits.stop;
  const bool hulls = next.stage == 0 && both.has_hulls;
  question.a = hulls ? both.hull[0] : both.shape[0];
  question.b = hulls ? both.hull[1] : both.shape[1];
  const SearchAnswer answer = search_contact(question, memory_);
  stats_ += answer.stats;
  if (answer.ending == SearchAnswer::Ending::OutOfBudget) {
    out_of_budget_at_ = std::min(out_of_budget_at_, answer.time);
    queue_.push({answer.time, next.stage, next.candidate});
    return;
  }
  if (answer.ending == SearchAnswer::Ending::Contact) {
    queue_.push({answer.time, hulls ? 1 : 2, next.candidate, answer.piece_a, answer.piece_b});
    if (hulls) met_.push_back({answer.time, 1, next.candidate});
    return;
  }
  // Apart all the way; but one inside the other is so from the start on, and then its hull met the other's.
  if (next.time == 0.0 && !hulls) {
    const Inside inside = inside_at(candidate.pair, 0.0);
    if (inside != Inside::None) queue_.push({0.0, 2, next.candidate, -1, -1, inside});
  }
}

// Most pairs whose hulls meet are told by the box of the one that is closed: no witness of the other is in
// it.
Inside PathSearch::inside_at(const PathPair& pair, double t) {
  const Seen both = seen(pair);
  if (!both.outline[0]->closed && !both.outline[1]->closed) return Inside::None;
  const std::array<Pose, 2> poses = poses_at(pair, t);
  const auto is_inside = [&](std::size_t inner, std::size_t outer) {
    const Outline& around = *both.outline[outer];
    if (!around.closed) return false;
    const Vector3 room = around.box_half * (1.0 + 1e-9) + Vector3::Constant(1e-9 * around.radius);
    for (const Vector3& witness : both.outline[inner]->witnesses) {
      const Vector3 point = poses[inner].apply(witness);
      const Vector3 local = poses[outer].rotation.transpose() * (point - poses[outer].translation);
      if (((local - around.box_center).cwiseAbs().array() > room.array()).any()) continue;
      const Containment found = point_containment(point, {around.shape, poses[outer]});
      if (found == Containment::Inside || found == Containment::Crossing) return true;
    }
    return false;
  };
  const bool swapped = pair.self;  // the other one is named first then
  if (is_inside(0, 1)) return swapped ? Inside::SecondInFirst : Inside::FirstInSecond;
  if (is_inside(1, 0)) return swapped ? Inside::FirstInSecond : Inside::SecondInFirst;
  return Inside::None;
}

PathContactResult PathSearch::told(const Waiting& found) {
  PathContactResult result;
  result.status = found.time == 0.0 ? Status::OverlapAtStart : Status::Contact;
  result.time = result.lower = found.time;
  result.upper = found.time == 0.0 ? 0.0 : 1.0;
  result.inside = found.inside;
  fill_contact(candidates_[found.candidate].pair, found.time, found.piece, found.other_piece, result);
  result.stats = stats_;
  return result;
}

// Pieces -1: where the surfaces come closest.
void PathSearch::fill_contact(const PathPair& pair, double t, std::int32_t piece, std::int32_t other_piece,
                              PathContactResult& result) {
  const Seen both = seen(pair);
  const std::array<Pose, 2> poses = poses_at(pair, t);
  // The first one named is the one of the scene's partner, or the first link of a pair.
  const int first = pair.self ? 1 : 0, second = 1 - first;
  const std::int32_t pieces[2] = {piece, other_piece};
  if (piece < 0) {
    result.contact = distance({both.outline[first]->shape, poses[static_cast<std::size_t>(first)]},
                              {both.outline[second]->shape, poses[static_cast<std::size_t>(second)]})
                         .contact;
    result.distance = 0.0;
  } else {
    result.contact = proximity::contact_of(both.outline[first]->shape, poses[static_cast<std::size_t>(first)],
                                           pieces[first], both.outline[second]->shape,
                                           poses[static_cast<std::size_t>(second)], pieces[second]);
    result.distance = result.contact.distance;
  }
  const auto [a, b] = names_of(pair, std::max(0, piece), std::max(0, other_piece));
  result.link_a = a;
  result.link_b = b;
  result.with_scene = !pair.self;
}

// ---------------------------------------------------------------- any contact

// Hulls first, in any order; of those that meet, the bodies at a few moments. What is left is in the queue.
bool PathSearch::find_any(int piece, const PathLimits& limits, PathContactResult& result) {
  met_.clear();
  const double begin = motion_.begin_of(piece), end = motion_.end_of(piece);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    look({candidates_[i].from, 0, i}, limits, end);
    if (queue_.empty() || queue_.top().stage != 2) continue;
    result = told(queue_.top());
    result.lower = 0.0;  // other pairs may touch before
    result.upper = result.time;
    return true;
  }
  for (const auto& [share, level] : probes) {
    const double t = begin + share * (end - begin);
    for (const Waiting& met : met_) {
      const Candidate& candidate = candidates_[met.candidate];
      if (level > candidate.probed && met.time <= t && t <= candidate.until &&
          contact_at(t, candidate.pair, limits, result))
        return true;
    }
  }
  return false;
}

// Looks at the hulls of all at t, where the balls are. Pairs that are thereby apart for `duration` before and
// after leave; true: two touch at t, and the result is kept. The last link is the likeliest to meet something
// of the scene; links that are always near each other come last.
bool PathSearch::probe(double t, double duration, std::vector<Candidate>& candidates,
                       const std::vector<BallState>& balls) {
  const auto are_near = [&](const PathPair& pair, double distance) {
    const double radius = robot_.bodies[at(pair.body)].outline.radius;
    const Vector3& center = balls[at(pair.body)].center;
    if (!pair.self) return lower_gap(robot_.obstacles[at(pair.other)], center) <= radius + distance;
    const std::int32_t other = robot_.self_pairs[at(pair.other)].a;
    return (center - balls[at(other)].center).norm() <=
           radius + robot_.bodies[at(other)].outline.radius + distance;
  };
  constexpr int left = -1;
  for (const bool self : {false, true}) {
    for (std::size_t i = candidates.size(); i-- > 0;) {
      Candidate& candidate = candidates[i];
      const PathPair pair = candidate.pair;
      if (pair.self != self) continue;
      const double distance = distance_of(pair, probing_->distance);
      // Over the whole path nearest points prove next to nothing.
      const bool near = are_near(pair, distance);
      ++candidate.probed;
      if (!near && candidate.probed == 1) continue;
      const Hulls hulls = look_at_hulls(candidate, t, duration, distance + probing_->tolerance);
      if (hulls == Hulls::Apart) candidate.probed = left;
      if (hulls != Hulls::Meet || !near) continue;
      PathContactResult result;
      if (!contact_at(t, pair, *probing_, result)) continue;
      probed_ = std::move(result);
      return true;
    }
  }
  std::erase_if(candidates, [](const Candidate& candidate) { return candidate.probed == left; });
  return false;
}

// Apart: by more than the distance from t - duration to t + duration. Along the direction n of the nearest
// points no point of the moving body gets farther from where it is at t than
//   h (|n . v| + |n x w| r + padding) + h^2/2 K
// with v of its centre, w its spin, r its radius and K as in ConvexMoment; what expansions of chains say of
// later times they say of earlier ones as well, since they stand on bounds over the whole piece.
PathSearch::Hulls PathSearch::look_at_hulls(Candidate& candidate, double t, double duration,
                                            double distance) {
  const Seen both = seen(candidate.pair);
  const ShapeData &a = *both.hull[0].shape, &b = *both.hull[1].shape;
  if (!is_convex_pair(a, b) || a.is_half_space() || b.is_half_space()) return Hulls::Meet;
  PairStates states(both.hull[0], both.hull[1]);
  PairState state;
  states.set_from_b(t, t + duration, state);
  const FrameView& view = state.view[1];
  if (candidate.memory < 0) {
    candidate.memory = static_cast<int>(memories_.size());
    memories_.emplace_back();
  }
  const double spin = view.other.spin.norm(), radius = a.radius * (1.0 + 8.0 * u);
  double acceleration = state.acceleration;
  if (state.turn[0].spins)
    acceleration +=
        state.turn[0].rate * ((view.other.velocity - view.other.drift).norm() + state.turn[0].spin * radius);
  const double bend = 0.5 * duration * duration * acceleration;
  convex::ConvexLimits limits;
  limits.relative_error = rough_share;
  limits.within = distance;
  limits.enough = distance + state.gap_padding + bend +
                  duration * (view.other.velocity.norm() + spin * radius + state.rate_padding);
  const convex::ConvexDistance nearest =
      proximity::piece_bracket(Piece(a, 0), Pose(view.rotation, view.translation), Piece(b, 0),
                               &memories_[static_cast<std::size_t>(candidate.memory)], limits);
  ++stats_.steps;
  const double gap = nearest.lower - state.gap_padding - distance;
  if (!(gap > 0.0)) return Hulls::Meet;
  const Vector3& n = nearest.direction;
  const double rate = std::abs(n.dot(view.other.velocity)) + n.cross(view.other.spin).norm() * radius +
                      state.rate_padding + 64.0 * u * (view.other.velocity.norm() + spin * radius);
  return gap > (duration * rate + bend) * (1.0 + 1e-12) ? Hulls::Apart : Hulls::ApartNow;
}

bool PathSearch::contact_at(double t, const PathPair& pair, const PathLimits& limits,
                            PathContactResult& result) {
  const Seen both = seen(pair);
  const SearchAnswer answer =
      search_contact({both.shape[0], both.shape[1], t, t, distance_of(pair, limits.distance),
                      limits.tolerance, 0, limits.stop},
                     memory_);
  stats_ += answer.stats;
  if (answer.ending != SearchAnswer::Ending::Contact) return false;
  result.status = t == 0.0 ? Status::OverlapAtStart : Status::Contact;
  result.time = result.upper = t;
  result.lower = 0.0;
  fill_contact(pair, t, answer.piece_a, answer.piece_b, result);
  result.stats = stats_;
  return true;
}

}  // namespace toccata::articulated
