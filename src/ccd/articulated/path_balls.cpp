// Which pairs of bodies may touch on a piece of a path: those that balls about them, at the middles of ever
// shorter parts, do not tell apart.
#include <algorithm>
#include <cmath>

#include "ccd/articulated/path_parts.hpp"

namespace toccata::articulated {
namespace {

constexpr double u = unit_roundoff;

// Fewer pairs than this are quicker asked one by one than told apart in shorter parts of the path.
constexpr std::size_t few_pairs = 2;
// More obstacles are looked up in their tree.
constexpr std::size_t few_obstacles = 24;

}  // namespace

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
      merged.hard = merged.hard || half_of.hard;
      found = true;
    }
    if (found) candidates[kept++] = merged;
  }
  candidates.resize(kept);
}

}  // namespace toccata::articulated
