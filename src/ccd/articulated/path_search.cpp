#include "ccd/articulated/path_search.hpp"

#include <algorithm>

#include "ccd/articulated/path_parts.hpp"
#include "proximity/contact_of.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::articulated {

using namespace search;

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
  const bool contact = answer.ending == SearchAnswer::Ending::Contact;
  // One inside the other is so from the start on, whether it comes out later or not; the hulls met there.
  if (next.time == 0.0 && !hulls && !(contact && answer.time == 0.0)) {
    const Inside inside = inside_at(candidate.pair, 0.0);
    if (inside != Inside::None) {
      queue_.push({0.0, 2, next.candidate, -1, -1, inside});
      return;
    }
  }
  if (!contact) return;
  queue_.push({answer.time, hulls ? 1 : 2, next.candidate, answer.piece_a, answer.piece_b});
  if (hulls) met_.push_back({answer.time, 1, next.candidate});
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

}  // namespace toccata::articulated
