#include "ccd/search/steady_search.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ccd/search/moving_boxes.hpp"
#include "ccd/search/straight_boxes.hpp"
#include "ccd/search/straight_cast.hpp"
#include "ccd/search/touching_corners.hpp"
#include "ccd/search/turning_boxes.hpp"
#include "proximity/piece_bracket.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::search {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// A gap of this share of the tolerance ends the search; half of it is what steps aim at.
constexpr double target_share = 0.125;
// Looks for nearest points, and along one direction.
constexpr int most_steps = 100;
constexpr int most_looks = 4;
constexpr int most_guesses = 6;
// Edges whose product is shorter than their lengths by more tell no direction.
constexpr double most_longer = 100.0;
// Of what steps aim at: so near to it the time of a touch is good enough.
constexpr double near_share = 0.75;
// A direction is followed until its gap is this share of what it was.
constexpr double followed_share = 0.1;
// Far apart, nearest points are found to this share of the distance only: the direction is what counts.
constexpr double rough_share = 0.05;
// In radians: more is for those who look at all angles at once.
constexpr double many_turns = 12.0;
// Of the time in which the gap should be used up: when the pieces are looked for in each other.
constexpr double looks_ahead[] = {1.0625, 2.0, 16.0};

class Steadily {
 public:
  Steadily(const SearchQuestion& question, const ConvexPair& pair, double start, double end,
           std::int64_t most, ConvexTouch& touch)
      : q_(question),
        pair_(pair),
        touch_(touch),
        steady_(question, pair, start, end),
        start_(start),
        most_(most),
        at_start_(start == question.start),
        target_(question.distance + target_share * question.tolerance),
        aim_(question.distance + 0.5 * target_share * question.tolerance),
        aim_core_(aim_ + pair.a.set().radius + pair.b.set().radius) {}

  SteadyAnswer run() {
    if (!steady_.is_steady() || steady_.spin() * steady_.span() > many_turns) return unfinished();
    const bool are_boxes = is_box(pair_.a) && is_box(pair_.b) && aim_core_ == aim_ && q_.distance == 0.0;
    BoxesAnswer boxes;
    if (are_boxes && !steady_.turns()) {
      boxes = cast_boxes();
    } else if (!move_to(steady_.balls_meet(target_))) {
      return free();
    } else if (are_boxes) {
      boxes = follow_boxes();
    } else if (!steady_.turns()) {
      if (!follow_ray()) return free();
      if (is_touched()) return contact();
    }
    if (boxes.ending == BoxesAnswer::Ending::Free) return free();
    if (boxes.ending == BoxesAnswer::Ending::Contact && is_touched(boxes)) return contact(boxes);
    move_to(boxes.time);
    while (answer_.steps < most_steps) {
      if (answer_.steps > 0 && answer_.steps >= most_) {
        answer_.ending = SteadyAnswer::Ending::OutOfBudget;
        answer_.time = time();
        return answer_;
      }
      ++answer_.steps;
      steady_.set_a_to_b(moment_, touch_.a_to_b);
      touch_.nearest = proximity::piece_bracket(pair_.a, touch_.a_to_b, pair_.b, &pair_.memory, limits());
      if (touch_.nearest.upper + steady_.error_at(moment_.time) <= target_) return contact();
      if (!(touch_.nearest.lower > 0.0)) break;
      const double before = moment_.time;
      corners_ = touching_corners(pair_.a.set(), pair_.b.set(), touch_.nearest.features);
      if (corners_.are_known && follow_corners()) return contact();
      if (moment_.time == before && !follow(steady_.in_frame(touch_.nearest.direction, moment_)))
        return free();
      if (!(moment_.time > before)) break;
    }
    return unfinished();
  }

 private:
  static bool is_box(const Piece& piece) { return piece.set().core == Core::Box && !piece.set().is_placed; }

  double time() const { return start_ + moment_.time; }

  SteadyAnswer unfinished() {
    answer_.time = time();
    return answer_;
  }
  SteadyAnswer free() {
    answer_.ending = SteadyAnswer::Ending::Free;
    return answer_;
  }

  // False: that is beyond the end.
  bool move_to(double time) {
    if (!(time <= steady_.span())) return false;
    // A time of the question's, so that what is said of one is said of the other.
    const double rounded = (start_ + time) - start_;
    if (rounded > moment_.time) moment_ = steady_.at(rounded);
    return true;
  }

  SteadyAnswer contact() {
    answer_.ending = SteadyAnswer::Ending::Contact;
    answer_.time = time();
    if (!is_polytope(pair_.a.set()) || !is_polytope(pair_.b.set()))
      touch_.nearest = proximity::piece_bracket(pair_.a, touch_.a_to_b, pair_.b, &pair_.memory);
    const bool are_apart = touch_.nearest.lower > 0.0;
    touch_.is_known = are_apart || touch_.nearest.meets;
    if (are_apart && !(at_start_ && moment_.time == 0.0) && q_.distance == 0.0) find_upper();
    return answer_;
  }

  // The nearest corners tell when they would touch, and along which direction: as far as that direction
  // proves. True: they touch.
  bool follow_corners() {
    const convex::ConvexDistance& nearest = touch_.nearest;
    plane_ = touching_plane(corners_, touch_.a_to_b, nearest.direction);
    if (!(plane_.gap > aim_core_)) return false;
    const Vector3 now = plane_.normal;
    // The time as a function of the gap: through what is known now with its slope, then through the last
    // three.
    double t0 = moment_.time, gap0 = plane_.gap - aim_core_, gap_before = gap0;
    double time_per_gap = 1.0 / steady_.speed_along(now, nearest.point_a, nearest.point_b, moment_);
    double bend = 0.0;
    SteadyPair::Moment then;
    Pose a_to_b;
    for (int i = 0;; ++i) {
      if (i == most_guesses || !(time_per_gap < 0.0)) return false;
      const double straight = -gap0 * time_per_gap, bent = gap0 * gap_before * bend;
      const double t1 = t0 + straight + (std::abs(bent) <= 0.5 * std::abs(straight) ? bent : 0.0);
      if (!(t1 > moment_.time && t1 < steady_.span())) return false;
      then = steady_.at((start_ + t1) - start_);
      steady_.set_a_to_b(then, a_to_b);
      plane_ = touching_plane(corners_, a_to_b, now);
      const double gap1 = plane_.gap - aim_core_;
      if (std::abs(gap1) <= near_share * (aim_ - q_.distance)) break;
      if (then.time == t0) return false;
      const double secant = (then.time - t0) / (gap1 - gap0);
      bend = (secant - time_per_gap) / (gap1 - gap_before);
      time_per_gap = secant;
      t0 = then.time;
      gap_before = gap0;
      gap0 = gap1;
    }
    if (!follow_plane(plane_, then)) return false;
    touch_.a_to_b = a_to_b;
    return is_touched();
  }

  // Along the normal of the corners' plane until that moment, or as far as it is proven: the normal of a face
  // turns with its body, that of two edges with both. True: until then.
  bool follow_plane(const TouchingPlane& plane, const SteadyPair::Moment& then) {
    const Vector3 n = steady_.in_frame(plane.normal, then);
    const TouchingCorners::Kind kind = corners_.kind();
    const int carrier = kind == TouchingCorners::Kind::FaceOfA ? 0 : 1;
    const bool is_face = kind == TouchingCorners::Kind::FaceOfA || kind == TouchingCorners::Kind::FaceOfB;
    if (is_face && steady_.spins(carrier)) {
      const Vector3 carried = steady_.at_start(carrier, n, then);
      const double bend = steady_.acceleration_turning(carrier, n, moment_.time, then.time);
      return follow_chords(then, bend, [&](const SteadyPair::Moment& m) {
        return steady_.look_along(steady_.turned(carrier, carried, m), m).gap - steady_.error_at(m.time);
      });
    }
    // Along a normal that is not of unit length only "apart" can be told, not how far.
    const double longer = plane.sides / plane.area;
    if (kind == TouchingCorners::Kind::Edges && steady_.turns() && q_.distance == 0.0 &&
        longer < most_longer) {
      const double bend = longer * steady_.acceleration_across(moment_.time, then.time);
      return follow_chords(then, bend, [&](const SteadyPair::Moment& m) {
        const TouchingPlane there = touching_plane(corners_, steady_.a_to_b(m), plane.normal);
        if (!(there.area > 0.0)) return -infinite;
        // The product of the edges is right to 8 u of their lengths.
        return steady_.look_along(steady_.in_frame(there.normal, m), m).gap * (there.area / plane.area) -
               2.0 * longer * steady_.error_at(m.time);
      });
    }
    return follow_chords(then, steady_.acceleration_along(n),
                         [&](const SteadyPair::Moment& m) { return steady_.look_along(n, m).gap; });
  }

  template <typename GapAt>
  bool follow_chords(const SteadyPair::Moment& then, double bend, GapAt&& gap_at) {
    followed_gap_ = infinite;
    double gap = gap_at(moment_);
    const bool is_first = at_start_ && moment_.time == 0.0;
    if (!(gap > (is_first ? target_ : q_.distance))) return false;
    const double last = gap_at(then);
    for (int look = 0; look < most_looks; ++look) {
      const double h = then.time - moment_.time;
      const double proven = proven_part(gap - q_.distance, last - q_.distance, bend, h);
      if (proven >= h) {
        moment_ = then;
        followed_gap_ = proven_gap_ = last;
        return true;
      }
      const double before = moment_.time;
      move_to(before + proven);
      if (!(proven > 0.125 * h) || !(moment_.time > before)) return false;
      gap = gap_at(moment_);
      if (!(gap > q_.distance)) return false;
    }
    return false;
  }

  // What is about to be accepted is looked at as closely as it gets: it is what will be reported. Curved
  // pieces take long for that: they are looked at so only when they are accepted.
  convex::ConvexLimits limits() const {
    convex::ConvexLimits limits;
    if (followed_gap_ > 2.0 * target_ || !is_polytope(pair_.a.set()) || !is_polytope(pair_.b.set()))
      limits.relative_error = rough_share;
    if (!is_polytope(pair_.a.set()) || !is_polytope(pair_.b.set()))
      limits.absolute_error = 0.5 * (aim_ - q_.distance);
    return limits;
  }

  // Sets that do not turn: one direction tells all, where it is found. False: apart until the end.
  bool follow_ray() {
    const ConvexSet &a = pair_.a.set(), &b = pair_.b.set();
    if (a.is_placed || b.is_placed) return true;
    steady_.set_a_to_b(moment_, touch_.a_to_b);
    if (is_box(pair_.a) && is_box(pair_.b)) {
      const StraightBoxesAnswer found = cast_straight(straight_boxes());
      if (found.axis < 0) return true;
      const BoxAxis axis = box_axis(found.axis, touch_.a_to_b);
      if (axis.normal.isZero(0.0)) return true;
      if (!follow(axis.normal)) return false;
      steady_.set_a_to_b(moment_, touch_.a_to_b);
      corners_ = corners_along(a.half, b.half, touch_.a_to_b, axis);
      plane_.normal = axis.normal;
      return true;
    }
    StraightCast cast;
    if (are_balls_or_capsules(a, b)) {
      cast = capsule_cast(a, touch_.a_to_b, b, steady_.velocity(), aim_);
    } else if (is_polytope(a) && is_polytope(b) && a.radius + b.radius + q_.distance == 0.0) {
      cast = polytope_cast(a, touch_.a_to_b, b, steady_.velocity(), steady_.span() - moment_.time);
    }
    if (cast.normal.isZero(0.0)) return true;
    if (!follow(cast.normal)) return false;
    steady_.set_a_to_b(moment_, touch_.a_to_b);
    corners_ = cast.corners;
    plane_.normal = cast.normal;
    return true;
  }

  // Boxes where they are now.
  StraightBoxes straight_boxes() const {
    const Vector3 &half_a = pair_.a.set().half, &half_b = pair_.b.set().half;
    StraightBoxes boxes;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) boxes.edge[i][k] = touch_.a_to_b.rotation(k, i);
      boxes.middle[i] = touch_.a_to_b.translation[i];
      boxes.velocity[i] = -steady_.velocity()[i];
      boxes.half_a[i] = half_a[i];
      boxes.half_b[i] = half_b[i];
    }
    boxes.error = steady_.box_error(half_a, half_b);
    boxes.aim = aim_core_;
    boxes.span = steady_.span() - moment_.time;
    return boxes;
  }

  // Boxes that do not turn, by all axes at once.
  BoxesAnswer cast_boxes() {
    steady_.set_a_to_b(moment_, touch_.a_to_b);
    const StraightBoxes boxes = straight_boxes();
    const StraightBoxesAnswer found = cast_straight(boxes);
    BoxesAnswer answer;
    if (found.axis < 0 || !(found.gap_at_start > (at_start_ ? target_ : 0.0)) || !(found.gap > 0.0))
      return answer;
    answer.time = found.until;
    answer.ending = found.until < boxes.span ? BoxesAnswer::Ending::Contact : BoxesAnswer::Ending::Free;
    answer.axis = found.axis;
    answer.gap = found.gap;
    answer.a_to_b = touch_.a_to_b;
    for (int k = 0; k < 3; ++k) answer.a_to_b.translation[k] += found.until * boxes.velocity[k];
    answer.error = boxes.error;
    if (found.overlap) answer.upper = found.after;
    return answer;
  }

  // Boxes that turn, by their fifteen axes.
  BoxesAnswer follow_boxes() {
    const BoxesAnswer found =
        follow_turning_boxes(steady_, pair_.a.set().half, pair_.b.set().half, moment_.time,
                             at_start_ && moment_.time == 0.0, target_, most_);
    answer_.steps += found.steps;
    return found;
  }

  // What the axis is across is what touches at that time.
  bool is_touched(const BoxesAnswer& found) {
    touch_.a_to_b = found.a_to_b;
    return touching_boxes(pair_.a.set(), touch_.a_to_b, pair_.b.set(), found.axis, found.gap,
                          touch_.nearest) &&
           touch_.nearest.upper + found.error <= target_;
  }

  SteadyAnswer contact(const BoxesAnswer& found) {
    const double time = start_ + found.time, upper = start_ + found.upper;
    answer_.ending = SteadyAnswer::Ending::Contact;
    answer_.time = time;
    touch_.is_known = true;
    if (found.upper < steady_.span() && upper > time) {
      touch_.upper = upper;
    } else {
      move_to(found.time);
      find_upper();
    }
    return answer_;
  }

  // The corners are, along the normal of their plane, what touches now: then they are the answer.
  bool is_touched() {
    if (!corners_.are_known || !touching_points(pair_.a.set(), pair_.b.set(), corners_, touch_.a_to_b, plane_,
                                                proven_gap_, touch_.nearest))
      return false;
    is_by_corners_ = touch_.nearest.upper + steady_.error_at(moment_.time) <= target_;
    return is_by_corners_;
  }

  // As far as the gap along n proves them apart. False: until the end.
  bool follow(const Vector3& n) {
    SteadyPair::Look now = steady_.look_along(n, moment_);
    const bool is_first = at_start_ && moment_.time == 0.0;
    if (!(now.gap > (is_first ? target_ : q_.distance))) return true;
    followed_gap_ = now.gap;
    const double bend = steady_.acceleration_along(n);
    const double enough = std::max(target_, followed_share * now.gap);
    for (int look = 0; look < most_looks; ++look) {
      const double left = steady_.span() - moment_.time;
      double h = now.slope < 0.0 ? std::max(now.gap - aim_, 0.0) / -now.slope : infinite;
      if (bend == 0.0 && !steady_.turns()) {
        // Straight lines: the root is exact, up to what the error of the gap covers.
        followed_gap_ = proven_gap_ = aim_;
        return move_to(moment_.time + h);
      }
      h = std::min(h, left);
      if (!(h > 0.0)) return true;
      const SteadyPair::Moment next = steady_.at(moment_.time + h);
      const SteadyPair::Look there = steady_.look_along(n, next);
      const double proven = proven_part(now.gap - q_.distance, there.gap - q_.distance, bend, h);
      if (proven < h) {
        followed_gap_ = std::max(aim_, now.gap + (there.gap - now.gap) * (proven / h));
        return move_to(moment_.time + proven);
      }
      if (h >= left) return false;
      moment_ = next;
      now = there;
      followed_gap_ = now.gap;
      if (now.gap <= enough) return true;
    }
    return true;
  }

  // The pieces are in each other as soon as the gap is used up, if it is at the speed of now.
  void find_upper() {
    const convex::ConvexDistance& nearest = touch_.nearest;
    const double speed = -steady_.speed_along(nearest.direction, nearest.point_a, nearest.point_b, moment_);
    if (!(speed > 0.0)) return;
    const ConvexSet &a = pair_.a.set(), &b = pair_.b.set();
    const bool is_round = a.radius + b.radius > 0.0;
    if (is_round && (a.is_placed || b.is_placed)) return;
    const bool are_boxes = !is_round && is_box(pair_.a) && is_box(pair_.b);
    if (!is_round && !is_by_corners_) corners_ = touching_corners(a, b, nearest.features);
    if (!is_round && !are_boxes && !corners_.are_known) return;
    Vector3 core_a = Vector3::Zero(), core_b = Vector3::Zero();
    if (is_round || are_boxes) {
      const Pose& at = touch_.a_to_b;
      core_a = at.rotation.transpose() * (nearest.point_a - a.radius * nearest.direction - at.translation);
      core_b = nearest.point_b + b.radius * nearest.direction;
    }
    for (const double share : looks_ahead) {
      const double ahead = (nearest.upper + 8.0 * steady_.error_at(moment_.time)) / speed * share;
      const double upper = start_ + (moment_.time + ahead);
      if (!(upper < start_ + steady_.span())) return;
      const SteadyPair::Moment then = steady_.at(upper - start_);
      const Pose a_to_b = steady_.a_to_b(then);
      const double margin = steady_.error_at(then.time);
      const bool overlap =
          is_round
              ? surely_overlap(a, a_to_b, b, core_a, core_b, margin)
              : (are_boxes && surely_overlap(a.half, a_to_b, b.half, core_a, core_b, margin)) ||
                    (corners_.are_known && surely_overlap(a, a_to_b, b, corners_, nearest.direction, margin));
      if (!overlap) continue;
      touch_.upper = upper;
      return;
    }
  }

  const SearchQuestion& q_;
  const ConvexPair& pair_;
  ConvexTouch& touch_;
  SteadyPair steady_;
  double start_;
  std::int64_t most_;
  bool at_start_;
  double target_, aim_;
  double aim_core_;  // of the cores
  TouchingCorners corners_;
  TouchingPlane plane_;         // of them
  bool is_by_corners_ = false;  // the nearest points are theirs
  double proven_gap_ = 0.0;     // along the direction followed last, where it ended
  SteadyPair::Moment moment_;
  double followed_gap_ = infinite;  // what the last direction leaves of its gap, as far as it is known
  SteadyAnswer answer_;
};

}  // namespace

SteadyAnswer search_steadily(const SearchQuestion& question, const ConvexPair& pair, double start, double end,
                             std::int64_t most, ConvexTouch& touch) {
  return Steadily(question, pair, start, end, most, touch).run();
}

}  // namespace toccata::search
