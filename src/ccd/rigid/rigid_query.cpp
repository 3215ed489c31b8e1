#include "ccd/rigid/rigid_query.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ccd/rigid/controlled/controlled.hpp"
#include "ccd/rigid/field_skin.hpp"
#include "ccd/rigid/interval/interval.hpp"
#include "ccd/rigid/screw/screw.hpp"
#include "ccd/rigid/seen_motions.hpp"
#include "ccd/search/contact_exit.hpp"
#include "ccd/search/convex_search.hpp"
#include "ccd/search/piece_pair.hpp"
#include "proximity/contact_of.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::rigid {

using namespace search;

namespace {

int compared(double x, double y) {
  return x < y ? -1 : (x > y ? 1 : 0);
}

int compared(const Pose& a, const Pose& b) {
  for (int i = 0; i < 3; ++i) {
    if (const int c = compared(a.translation[i], b.translation[i])) return c;
  }
  for (int i = 0; i < 9; ++i) {
    if (const int c = compared(a.rotation(i / 3, i % 3), b.rotation(i / 3, i % 3))) return c;
  }
  return 0;
}

// An order of the two sides that does not depend on how they are named: it makes the answers symmetric.
bool is_reversed(const Shape& shape_a, const Motion& motion_a, const Shape& shape_b, const Motion& motion_b) {
  const ShapeData& a = shape_a.data();
  const ShapeData& b = shape_b.data();
  if (a.piece_count() != b.piece_count()) return a.piece_count() < b.piece_count();
  if (a.geometry.index() != b.geometry.index()) return a.geometry.index() < b.geometry.index();
  if (const int c = compared(a.radius, b.radius)) return c < 0;
  for (int i = 0; i < 3; ++i) {
    if (const int c = compared(a.center[i], b.center[i])) return c < 0;
  }
  if (const int c = compared(motion_a.pose(0.0), motion_b.pose(0.0))) return c < 0;
  if (const int c = compared(motion_a.pose(1.0), motion_b.pose(1.0))) return c < 0;
  return compared(motion_a.pose(0.5), motion_b.pose(0.5)) < 0;
}

// The first time after t at which the pair that touched is seen to pierce: probes further and further ahead.
double proven_upper(const RigidQuery& query, const MovingShape& a, const MovingShape& b,
                    const SearchAnswer& answer) {
  if (query.options.minimum_distance > 0.0) return 1.0;
  PairStates states(a, b);
  const auto pierces = [&](const PairState& state, const PiecePair& pair) {
    return PieceMoment(state, pair, 0.0).pierces(2.0 * state.gap_padding);
  };
  const PiecePair touched(a, answer.piece_a, b, answer.piece_b);
  // Who asks for a finer tolerance than usual gets a narrower bracket.
  constexpr double first_look = 2e-8, last_look = 1e-2;
  const double usual = resolved_tolerance(query.shape_a, query.shape_b);
  double ahead = first_look;
  while (query.tolerance < 0.5 * usual * (ahead / first_look) && ahead > 1e-13) ahead /= 6.0;
  for (; ahead < last_look; ahead *= 6.0) {
    const double t = answer.time + ahead;
    if (t >= 1.0) break;
    if (pierces(states.at(t, t), touched)) return t;
  }
  // A corner that meets an edge pierces only with some of the pieces at it: ask the others, near and far.
  QueryStats unused;
  for (const double probe : {1.2e-7, 2.6e-5}) {
    const double t = answer.time + probe;
    if (t >= 1.0) break;
    const PairState state = states.at(t, t);
    for (const NearestPieces& near : touching_pieces(at_rest(state, a, b), 0.0, 16, unused)) {
      if (pierces(state, PiecePair(a, near.piece_a, b, near.piece_b))) return t;
    }
  }
  return 1.0;
}

// The two sides of the contact.
void exchange_sides(Contact& c) {
  std::swap(c.point_a, c.point_b);
  std::swap(c.feature_a, c.feature_b);
  c.normal = -c.normal;
}

// Computed in the order that does not depend on names.
Contact named_contact(const RigidQuery& q, const FirstContactResult& at, bool reversed, std::int32_t id_a,
                      std::int32_t id_b) {
  if (!reversed) return contact_of(q.shape_a, at.pose_a, id_a, q.shape_b, at.pose_b, id_b);
  Contact contact = contact_of(q.shape_b, at.pose_b, id_b, q.shape_a, at.pose_a, id_a);
  exchange_sides(contact);
  return contact;
}

// What the search saw at the contact, told in the world.
Contact seen_contact(const MovingShape& a, const MovingShape& b, const Pose& pose_b,
                     const ConvexTouch& touch) {
  const Piece piece_a(*a.shape, 0), piece_b(*b.shape, 0);
  return world_contact(piece_a, 0, piece_b, 0, touch.nearest, touch.a_to_b,
                       {pose_b.rotation, pose_b.apply(b.shape->center)});
}

void fill_contacts(const RigidQuery& query, bool reversed, FirstContactResult& result) {
  result.contacts.assign(1, result.contact);
  if (!query.options.all_contacts) return;
  const MovingShape a{&query.shape_a.data(), &query.motion_a}, b{&query.shape_b.data(), &query.motion_b};
  const PairState state = PairStates(a, b).at(result.time, result.time);
  const auto pairs =
      pieces_within(at_rest(state, a, b), query.options.minimum_distance + query.tolerance, result.stats);
  result.contacts.clear();
  for (const NearestPieces& pair : pairs) {
    result.contacts.push_back(named_contact(query, result, reversed, pair.piece_a, pair.piece_b));
  }
  if (result.contacts.empty()) result.contacts = {result.contact};
}

// Two bodies that are within the minimum distance at the start: the search stopped at the first pair of
// pieces that showed it, the answer is about the closest one.
void look_at_start(const RigidQuery& query, bool reversed, FirstContactResult& result) {
  const PlacedShape a{query.shape_a, result.pose_a}, b{query.shape_b, result.pose_b};
  const DistanceResult nearest = reversed ? distance(b, a) : distance(a, b);
  result.contact = nearest.contact;
  if (reversed) exchange_sides(result.contact);
  result.stats += nearest.stats;
}

SearchAnswer searched_by(RigidMethod method, const SearchQuestion& question, SearchMemory& memory) {
  switch (method) {
    case RigidMethod::Controlled:
      return controlled::search_contact(question);
    case RigidMethod::Interval:
      return interval::search_contact(question);
    case RigidMethod::Screw:
      return screw::search_contact(question);
    case RigidMethod::Advancement:
      break;
  }
  return search_contact(question, memory);
}

// A contact of another method is where that method can step no further: at fine tolerances, or far from the
// origin, many tolerances before the bodies meet. What is before it is proven free, so that the default
// search goes on from there.
SearchAnswer searched(RigidMethod method, const SearchQuestion& question, SearchMemory& memory) {
  SearchAnswer answer = searched_by(method, question, memory);
  if (method == RigidMethod::Advancement || answer.ending != SearchAnswer::Ending::Contact) return answer;
  const PairState state = PairStates(question.a, question.b).at(answer.time, answer.time);
  const PiecePair pair(question.a, answer.piece_a, question.b, answer.piece_b);
  PieceMoment reached(state, pair, 0.0);
  if (reached.find_distance() <= question.distance + question.tolerance) return answer;
  SearchQuestion rest = question;
  rest.start = answer.time;
  rest.budget = budget_left(question.budget, answer.stats);
  SearchAnswer further = search_contact(rest, memory);
  further.stats += answer.stats;
  return further;
}

FirstContactResult solved(const RigidQuery& query, SearchMemory& memory, double begin) {
  const bool reversed = is_reversed(query.shape_a, query.motion_a, query.shape_b, query.motion_b);
  MovingShape a{&query.shape_a.data(), &query.motion_a};
  MovingShape b{&query.shape_b.data(), &query.motion_b};
  if (reversed) std::swap(a, b);
  const SeenMotions seen(a, b);
  SearchQuestion question = {
      seen.a,    seen.b, begin, 1.0, query.options.minimum_distance, query.tolerance, query.options.budget,
      query.stop};
  QueryStats looked;
  see_skin(question, looked);
  question.budget = budget_left(question.budget, looked);
  ConvexTouch touch;  // of bodies of one convex piece each
  SearchAnswer answer = is_convex_pair(*seen.a.shape, *seen.b.shape)
                            ? search_convex_contact(question, touch)
                            : searched(query.options.method, question, memory);
  FirstContactResult result;
  result.stats = answer.stats;
  result.stats += looked;
  result.time = result.lower = answer.time;
  result.pose_a = query.motion_a.pose(answer.time);
  result.pose_b = query.motion_b.pose(answer.time);
  if (answer.ending == SearchAnswer::Ending::OutOfBudget) {
    result.status = Status::OutOfBudget;
  } else if (answer.ending == SearchAnswer::Ending::Contact) {
    result.status = answer.time == 0.0 ? Status::OverlapAtStart : Status::Contact;
    if (answer.time == 0.0) {
      result.upper = 0.0;
    } else {
      result.upper = touch.upper < 1.0 ? touch.upper : proven_upper(query, seen.a, seen.b, answer);
    }
    if (touch.is_known && !seen.are_relative()) {
      result.contact = seen_contact(a, b, reversed ? result.pose_a : result.pose_b, touch);
      if (reversed) exchange_sides(result.contact);
    } else {
      if (reversed) std::swap(answer.piece_a, answer.piece_b);
      result.contact = named_contact(query, result, reversed, answer.piece_a, answer.piece_b);
    }
    if (answer.time == 0.0 && query.options.minimum_distance > 0.0) look_at_start(query, reversed, result);
    result.distance = result.contact.distance;
    fill_contacts(query, reversed, result);
  }
  return result;
}

// Still in the contact that was there at the start.
FirstContactResult out_of_budget_at(const RigidQuery& query, double time, const QueryStats& stats) {
  FirstContactResult ended;
  ended.apart_from = 1.0;
  ended.status = Status::OutOfBudget;
  ended.time = ended.lower = time;
  ended.pose_a = query.motion_a.pose(time);
  ended.pose_b = query.motion_b.pose(time);
  ended.stats = stats;
  return ended;
}

// AtStart::Skip: leaves the initial overlap behind, then asks again. Solids leave it through their surfaces:
// contacts on the way belong to the overlap as long as one is inside the other after them.
FirstContactResult after_initial_overlap(const RigidQuery& query, SearchMemory& memory,
                                         const FirstContactResult& start) {
  MovingShape a{&query.shape_a.data(), &query.motion_a};
  MovingShape b{&query.shape_b.data(), &query.motion_b};
  if (is_reversed(query.shape_a, query.motion_a, query.shape_b, query.motion_b)) std::swap(a, b);
  const SeenMotions seen(a, b);
  FirstContactResult result = start;
  result.apart_from = 1.0;
  const auto left = [&] { return budget_left(query.options.budget, result.stats); };
  const double reach = query.options.minimum_distance + query.tolerance;
  double t = 0.0;
  for (bool touching = start.inside == Inside::None;; touching = true) {
    if (touching) {
      const ContactExit exit = contact_exit(
          seen.a, seen.b, t, {reach, tolerances::exit_resolution, left(), query.stop}, result.stats);
      if (exit.out_of_budget) return out_of_budget_at(query, exit.lower, result.stats);
      if (exit.still_touching) return result;
      t = exit.upper;
    }
    if (inside_at(query, t) == Inside::None) break;
    const SearchAnswer answer = search_contact(
        {seen.a, seen.b, t, 1.0, query.options.minimum_distance, query.tolerance, left(), query.stop},
        memory);
    result.stats += answer.stats;
    if (answer.ending == SearchAnswer::Ending::OutOfBudget)
      return out_of_budget_at(query, answer.time, result.stats);
    if (answer.ending == SearchAnswer::Ending::Free) return result;
    t = answer.time;
  }
  const QueryStats before = result.stats;
  FirstContactOptions options = query.options;
  options.budget = left();
  result = solved({query, query.tolerance, options, query.stop}, memory, t);
  result.apart_from = t;
  result.stats += before;
  return result;
}

// One solid inside the other at the start: the contact is where their surfaces come closest.
FirstContactResult inside_at_start(const RigidQuery& query, Inside inside, const QueryStats& stats) {
  FirstContactResult result;
  result.status = Status::OverlapAtStart;
  result.inside = inside;
  result.time = result.lower = result.upper = 0.0;
  result.pose_a = query.motion_a.pose(0.0);
  result.pose_b = query.motion_b.pose(0.0);
  const DistanceResult nearest = distance({query.shape_a, result.pose_a}, {query.shape_b, result.pose_b});
  result.contact = nearest.contact;
  result.contacts = {nearest.contact};
  result.stats = stats;
  result.stats += nearest.stats;
  return result;
}

}  // namespace

FirstContactResult unanswered(const RigidQuery& query) {
  return out_of_budget_at(query, 0.0, {});
}

FirstContactResult failed(std::string failure) {
  FirstContactResult result;
  result.status = Status::Failed;
  result.time = result.lower = 0.0;
  result.failure = std::move(failure);
  return result;
}

FirstContactResult answered_from(double begin, const RigidQuery& query, SearchMemory& memory) {
  return solved(query, memory, begin);
}

FirstContactResult answered(const RigidQuery& query, SearchMemory& memory) {
  FirstContactResult result = solved(query, memory, 0.0);
  if (query.any_solid() && result.status != Status::OverlapAtStart) {
    const Inside inside = inside_at(query, 0.0);
    if (inside != Inside::None) result = inside_at_start(query, inside, result.stats);
  }
  if (result.status == Status::OverlapAtStart && query.options.at_start == AtStart::Skip)
    result = after_initial_overlap(query, memory, result);
  result.minimum_distance = query.options.minimum_distance;
  return result;
}

}  // namespace toccata::rigid
