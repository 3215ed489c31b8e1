#include "ccd/rigid/advancement.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "ccd/rigid/box_pair_step.hpp"
#include "ccd/rigid/box_test.hpp"
#include "ccd/rigid/static_pair.hpp"
#include "ccd/rigid/triangle_steps.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata {
namespace {

// A group whose test is this many buckets old is tested again before any of it is opened.
constexpr int stale_buckets = 32;
// One state of the bodies serves this many buckets, at the begin of the first: earlier is safe, and what the
// buckets are finer for is the order of the search.
constexpr int buckets_a_state = 4;
// Boxes proven apart for less than this share of the window also try their edge directions.
constexpr float near_share = 0.05F;
// From so many pairs of triangles on, boxes are looked at in double precision before they are opened, as long
// as three in four of these looks, each as dear as opening a dozen pairs, spare what is inside.
constexpr std::int64_t usual_triangle_pairs = 1024;
constexpr int looks_a_trial = 16;
constexpr int least_spared = 12;
// Triangles advance until they are within this share of the tolerance.
constexpr double target_share = 0.125;

// Near contact the difference of the nearest points loses its direction to rounding; what their features fix
// of it does not: the normal of a face or of two edges, the plane across an edge.
Vector3 feature_direction(const TrianglePairState& pair, const TriangleTriangleDistance& d) {
  const auto edge = [](const std::array<Vector3, 3>& t, int i) {
    return Vector3(t[static_cast<std::size_t>((i + 1) % 3)] - t[static_cast<std::size_t>(i)]);
  };
  const Vector3 difference = d.point_b - d.point_a;
  Vector3 n = difference;
  const bool edge_a = d.feature_a.kind == FeatureKind::Edge, edge_b = d.feature_b.kind == FeatureKind::Edge;
  if (d.feature_a.kind == FeatureKind::Interior) {
    n = edge(pair.a, 0).cross(edge(pair.a, 1));
  } else if (d.feature_b.kind == FeatureKind::Interior) {
    n = edge(pair.b, 0).cross(edge(pair.b, 1));
  } else if (edge_a && edge_b) {
    n = edge(pair.a, d.feature_a.index).cross(edge(pair.b, d.feature_b.index));
  } else if (edge_a || edge_b) {
    const Vector3 e =
        (edge_a ? edge(pair.a, d.feature_a.index) : edge(pair.b, d.feature_b.index)).stableNormalized();
    n = difference.stableNormalized();
    for (int i = 0; i < 2; ++i) n -= n.dot(e) * e;
  }
  return n.dot(difference) < 0.0 ? Vector3(-n) : n;
}

class Search {
 public:
  Search(const AdvancementQuestion& question, AdvancementMemory& memory)
      : q_(question),
        queue_(memory.queue),
        tree_{&question.a.shape->tree, &question.b.shape->tree},
        states_(question.a, question.b) {}

  AdvancementAnswer run() {
    answer_.time = q_.end;
    if (tree_[0]->nodes.empty() || tree_[1]->nodes.empty()) return answer_;
    double begin = q_.begin;
    while (begin <= q_.end) {
      const double smooth =
          std::min({q_.end, q_.a.motion->next_breakpoint(begin), q_.b.motion->next_breakpoint(begin)});
      const double start = whole_boxes_meet(begin, smooth);
      const double end = std::min(smooth, start + window_length());
      if (start <= smooth) search_window(start, end);
      if (answer_.ending != AdvancementAnswer::Ending::Free) break;
      const double reached = start <= smooth ? end : smooth;
      if (reached >= q_.end) break;
      begin = reached;
    }
    return answer_;
  }

 private:
  // Until when the boxes of the whole bodies are apart, from `begin` on.
  double whole_boxes_meet(double begin, double smooth) {
    set_state(begin, smooth);
    PendingGroup whole = whole_bodies();
    test_boxes(box_state_, tree_, {apart(), 0.0F, 0.0F, std::numeric_limits<float>::max()}, whole);
    return later(begin, static_cast<double>(whole.earliest().when));
  }

  static PendingGroup untested() {
    PendingGroup group;
    group.when.fill(0.0F);
    return group;
  }

  static PendingGroup whole_bodies() {
    PendingGroup group;
    group.when.fill(PendingGroup::never);
    group.set(0, 0.0F);
    return group;
  }

  // A bucket of a window should see a small turn and a short way, or its boxes could not be told apart.
  double window_length() const {
    const double larger = std::max(q_.a.shape->radius, q_.b.shape->radius);
    const double smaller = std::max(std::min(q_.a.shape->radius, q_.b.shape->radius), 0.05 * larger);
    const double spin = state_.turn[0].spin + state_.turn[1].spin;
    const double speed = (state_.view[0].own.velocity - state_.view[0].other.velocity).norm();
    double length = 1.0;
    if (spin > 0.0) length = std::min(length, 4.0 / spin);
    if (speed > 0.0) length = std::min(length, 16.0 * smaller / speed);
    return std::max(length, 1e-6);
  }

  void search_window(double begin, double end) {
    window_begin_ = begin;
    window_end_ = end;
    limit_ = end;
    // The window is closed: contact exactly at its end counts, and is only dropped beyond it.
    found_ = false;
    near_step_ = near_share * static_cast<float>(end - begin);
    queue_.reset(begin, end);
    set_latest();
    queue_.push(0, whole_bodies());
    bucket_ = first_bucket_ = -buckets_a_state;
    for (int bucket = queue_.first(); bucket >= 0; bucket = queue_.first()) {
      if (beyond(queue_.begin_of(bucket))) return;
      bucket_ = bucket;
      if (bucket >= first_bucket_ + buckets_a_state) {
        first_bucket_ = bucket - bucket % buckets_a_state;
        set_state(queue_.begin_of(first_bucket_), end);
        now_ = queue_.offset_of(first_bucket_);
      }
      treat(queue_.pop(bucket));
      if (answer_.ending == AdvancementAnswer::Ending::OutOfBudget) return;
    }
  }

  void set_state(double t, double end) {
    states_.set(t, end, state_);
    box_state_.set(state_);
  }

  // Nothing at or after t can be the answer any more.
  bool beyond(double t) const { return found_ ? t >= limit_ : t > window_end_; }

  void give_up() {
    answer_.ending = AdvancementAnswer::Ending::OutOfBudget;
    answer_.time = queue_.begin_of(bucket_);
    answer_.triangle_a = answer_.triangle_b = -1;
  }

  // Within this distance is not apart. At the start whoever would be accepted counts as touching, even if the
  // distance grows.
  double apart() const { return q_.distance + (state_.time == q_.begin ? q_.tolerance * target_share : 0.0); }

  bool is_out_of_budget() const { return q_.budget > 0 && work_of(answer_.stats) >= q_.budget; }

  // A group of this bucket: tested again if its times are old, else opened at its earliest child, and so on
  // down to the triangles as long as there is a child due in this bucket.
  void treat(PendingGroup group) {
    if (is_out_of_budget()) return give_up();
    if (bucket_ - group.seen >= stale_buckets) test(group);
    for (DueChild child = group.earliest(); child.when <= latest_; child = group.earliest()) {
      const int due = queue_.bucket_of(child.when);
      if (due > bucket_) {
        queue_.push(due, group);
        return;
      }
      const int side = group.side;
      const BoxId own = group.node * box_width + child.slot(), other = group.other;
      const bool opens_boxes = find_larger(side, own, other);
      group.when[child.slot()] = PendingGroup::never;
      push(group);
      if (!opens_boxes) {
        treat_triangles(side, own, other);
        return;
      }
      if (looks_closely() && stays_apart(side, own, other)) return;
      if (is_out_of_budget()) return give_up();
      group = larger_;
      test(group);
    }
  }

  bool looks_closely() const { return answer_.stats.triangle_pairs >= close_looks_from_; }

  // In double precision, beyond the present state; the pair is put aside until then.
  bool stays_apart(int side, BoxId own, BoxId other) {
    if (!close_state_ || close_state_->t != state_.time) close_state_.emplace(q_, state_.time, window_end_);
    const double step =
        box_pair_step(q_, *close_state_, side == 0 ? own : other, side == 0 ? other : own, apart());
    const double t = later(state_.time, step);
    const bool apart_now = beyond(t) || t >= state_end();
    if (apart_now && !beyond(t)) push_later(t, side, own, other);
    ++close_looks_;
    if (apart_now) ++close_proofs_;
    if (close_looks_ == looks_a_trial) {
      if (close_proofs_ < least_spared) close_looks_from_ = 4 * answer_.stats.triangle_pairs;
      close_looks_ = close_proofs_ = 0;
    }
    return apart_now;
  }

  // Until when the present state serves.
  double state_end() const {
    const int next = first_bucket_ + buckets_a_state;
    return next < queue_.bucket_count ? queue_.begin_of(next) : window_end_;
  }

  // Tests what is left of the group, at the present state.
  void test(PendingGroup& group) {
    test_boxes(box_state_, tree_, {apart(), near_step_, now_, latest_}, group);
    answer_.stats.node_pairs += tree_[group.side]->nodes[group.node].count;
    group.seen = static_cast<std::int16_t>(bucket_);
  }

  void set_latest() { latest_ = rounded_up(limit_ - window_begin_) + 1e-30F; }

  void push(const PendingGroup& group) {
    const DueChild child = group.earliest();
    if (child.when <= latest_) queue_.push(std::max(bucket_, queue_.bucket_of(child.when)), group);
  }

  // The larger of two boxes is to be replaced by its children. False: both hold one triangle.
  bool find_larger(int side, BoxId own, BoxId other) {
    const std::int32_t child = child_of(*tree_[side], own);
    const std::int32_t other_child = child_of(*tree_[1 - side], other);
    if (child < 0 && other_child < 0) return false;
    const bool open_own =
        other_child < 0 || (child >= 0 && extent_of(*tree_[side], own) >= extent_of(*tree_[1 - side], other));
    larger_.side = static_cast<std::int16_t>(open_own ? side : 1 - side);
    larger_.node = static_cast<BoxId>(open_own ? child : other_child);
    larger_.other = open_own ? other : own;
    prefetch(tree_[larger_.side]->nodes[larger_.node]);
    return true;
  }

  static void prefetch(const BoxNode& node) {
    const auto* begin = reinterpret_cast<const char*>(&node);
    for (std::size_t at = 0; at < sizeof(BoxNode); at += 64) __builtin_prefetch(begin + at);
  }

  void treat_triangles(int side, BoxId own, BoxId other) {
    const std::int32_t id_a = ~child_of(*tree_[0], side == 0 ? own : other);
    const std::int32_t id_b = ~child_of(*tree_[1], side == 0 ? other : own);
    ++answer_.stats.triangle_pairs;
    const auto a = corners_of(*q_.a.shape, id_a);
    const auto b = corners_of(*q_.b.shape, id_b);
    const double state_end = this->state_end();
    const double target = q_.tolerance * target_share;
    const TriangleStep at_bucket = triangle_step(triangle_pair_state(state_, a, b), apart(), target,
                                                 state_.gap_padding, state_.rate_padding);
    double t = later(state_.time, at_bucket.step);
    for (int round = 0;; ++round) {
      if (beyond(t)) return;
      if (t >= state_end && state_end < window_end_) {
        push_later(t, side, own, other);
        return;
      }
      ++answer_.stats.steps;
      if (round > 0 && is_out_of_budget()) return give_up();
      PairState& state = moment_;
      states_.set_from_b(t, window_end_, state);
      const TrianglePairState corners_now = triangle_pair_state(state, a, b);
      const TriangleStep along_features =
          triangle_step(corners_now, q_.distance, target, state.gap_padding, state.rate_padding);
      double step = along_features.step;
      // Far triangles that approach quickly need no nearest points.
      if (!along_features.is_far || (round >= 2 && step < 0.25 * (state_end - t))) {
        const TriangleTriangleDistance d = triangle_triangle_distance(corners_now.a, corners_now.b);
        const double upper = d.distance + 2.0 * state.gap_padding;
        if (upper <= q_.distance + (round < 16 ? target : q_.tolerance)) {
          accept(t, id_a, id_b);
          return;
        }
        for (const Vector3& direction : {Vector3(d.point_b - d.point_a), feature_direction(corners_now, d)}) {
          step = std::max(step, triangle_step_along(corners_now, direction, q_.distance, state.gap_padding,
                                                    state.rate_padding));
        }
        // What turns in place comes no nearer along its axis.
        if (step < 0.5 * (window_end_ - t)) {
          for (const TrianglePairState::Turn& turn : corners_now.turn) {
            if (turn.acceleration == 0.0) continue;
            const bool ahead = turn.axis.dot(d.point_b - d.point_a) >= 0.0;
            step = std::max(step, triangle_step_along(corners_now, ahead ? turn.axis : Vector3(-turn.axis),
                                                      q_.distance, state.gap_padding, state.rate_padding));
          }
        }
        if (!(later(t, step) > t)) {
          // No double lies between here and the contact.
          accept(t, id_a, id_b);
          return;
        }
      }
      t = later(t, step);
    }
  }

  // Two boxes, or two triangles, proven apart until t, which is beyond this state.
  void push_later(double t, int side, BoxId own, BoxId other) {
    PendingGroup group;
    group.when.fill(PendingGroup::never);
    const auto offset = static_cast<float>((t - window_begin_) * (1.0 - 0x1p-19));
    group.set(own % box_width, offset);
    group.side = static_cast<std::int16_t>(side);
    group.node = own / box_width;
    group.other = other;
    const int next = std::max(first_bucket_ + buckets_a_state, queue_.bucket_of(offset));
    group.seen = static_cast<std::int16_t>(next);  // boxes would tell less
    queue_.push(next, group);
  }

  void accept(double t, std::int32_t id_a, std::int32_t id_b) {
    if (found_ && t >= limit_) return;
    found_ = true;
    limit_ = t;
    set_latest();
    answer_.ending = AdvancementAnswer::Ending::Contact;
    answer_.time = t;
    answer_.triangle_a = id_a;
    answer_.triangle_b = id_b;
  }

  const AdvancementQuestion& q_;
  TimeQueue<PendingGroup>& queue_;
  const BoxTree* tree_[2];
  PairStates states_;
  PairState state_;  // at the begin of first_bucket_
  BoxTestState box_state_;
  PairState moment_;  // in between, for triangles
  PendingGroup larger_ = untested();
  int bucket_ = 0;
  int first_bucket_ = 0;
  float now_ = 0.0F;     // of state_, from the begin of the window, not after it
  float latest_ = 0.0F;  // what still matters, the same way, not before it
  double window_begin_ = 0.0;
  AdvancementAnswer answer_;
  double window_end_ = 1.0;
  double limit_ = 1.0;
  float near_step_ = 0.0F;
  bool found_ = false;
  std::optional<PairAtTime> close_state_;  // state_ for looks in double precision
  std::int64_t close_looks_from_ = usual_triangle_pairs;
  int close_looks_ = 0;
  int close_proofs_ = 0;
};

}  // namespace

double later(double t, double step) {
  const double sum = t + step;
  return sum - t > step ? std::nextafter(sum, -std::numeric_limits<double>::infinity()) : sum;
}

AdvancementAnswer advance_to_contact(const AdvancementQuestion& question, AdvancementMemory& memory) {
  return Search(question, memory).run();
}

}  // namespace toccata
