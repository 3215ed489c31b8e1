// Any contact, for planners: looks at a few moments of a path before the proof that there is none.
#include <cmath>

#include "ccd/articulated/path_parts.hpp"
#include "ccd/search/convex_search.hpp"
#include "proximity/piece_bracket.hpp"

namespace toccata::articulated {

using namespace search;

namespace {

constexpr double u = unit_roundoff;

// Where a contact is looked for before any proof, as shares of a piece of the path: the middles of its parts,
// level by level.
constexpr struct {
  double share;
  int level;
} probes[] = {{0.5, 1}, {0.25, 2}, {0.75, 2}, {0.125, 3}, {0.375, 3}, {0.625, 3}, {0.875, 3}};
// Most pairs of boxes and pieces of one look.
constexpr std::int64_t probe_budget = 2000;

}  // namespace

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
      Candidate& candidate = candidates_[met.candidate];
      if (level > candidate.probed && met.time <= t && t <= candidate.until &&
          contact_at(t, candidate, limits, result))
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
      if (!contact_at(t, candidate, *probing_, result)) continue;
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

// Two that touch at t are mostly found at once; fine surfaces that are hardly apart take as long at a moment
// as over the whole path, and are left to that.
bool PathSearch::contact_at(double t, Candidate& candidate, const PathLimits& limits,
                            PathContactResult& result) {
  if (candidate.hard) return false;
  const PathPair& pair = candidate.pair;
  const Seen both = seen(pair);
  const SearchAnswer answer =
      search_contact({both.shape[0], both.shape[1], t, t, distance_of(pair, limits.distance),
                      limits.tolerance, probe_budget, limits.stop},
                     memory_);
  stats_ += answer.stats;
  candidate.hard = answer.ending == SearchAnswer::Ending::OutOfBudget;
  if (answer.ending != SearchAnswer::Ending::Contact) return false;
  result.status = t == 0.0 ? Status::OverlapAtStart : Status::Contact;
  result.time = result.upper = t;
  result.lower = 0.0;
  fill_contact(pair, t, answer.piece_a, answer.piece_b, result);
  result.stats = stats_;
  return true;
}

}  // namespace toccata::articulated
