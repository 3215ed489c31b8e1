#include "ccd/rigid/advancement.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ccd/rigid/box_test.hpp"
#include "ccd/rigid/static_pair.hpp"
#include "ccd/rigid/triangle_steps.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata {
namespace {

// A pair whose test is this many buckets old is tested again before it is opened.
constexpr int stale_buckets = 8;
// Boxes proven apart for less than this share of the window also try their edge directions.
constexpr float near_share = 0.02F;
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
    state_ = states_.at(begin, smooth);
    float steps[box_width], gaps[box_width];
    test_boxes(state_, tree_, 0, 0, 0, {apart(), 0.0F, std::numeric_limits<float>::infinity()}, steps, gaps);
    return later(begin, steps[0]);
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
    window_end_ = end;
    limit_ = end;
    // The window is closed: contact exactly at its end counts, and is only dropped beyond it.
    found_ = false;
    near_step_ = near_share * static_cast<float>(end - begin);
    queue_.reset(begin, end);
    queue_.push(0, {begin, 0, 0, 0});
    int current = -1;
    for (int bucket = queue_.first(); bucket >= 0; bucket = queue_.first()) {
      if (beyond(queue_.begin_of(bucket))) return;
      if (bucket != current) {
        state_ = states_.at(queue_.begin_of(bucket), end);
        current = bucket;
      }
      if (q_.budget > 0 && work() >= q_.budget) {
        give_up(bucket);
        return;
      }
      const PendingPair pair = queue_.pop(bucket);
      if (!beyond(pair.time)) treat(pair, bucket);
    }
  }

  std::int64_t work() const { return answer_.stats.node_pairs + answer_.stats.triangle_pairs; }

  // Nothing at or after t can be the answer any more.
  bool beyond(double t) const { return found_ ? t >= limit_ : t > window_end_; }

  void give_up(int bucket) {
    double lower = limit_;
    queue_.for_each(bucket, [&](const PendingPair& pair) { lower = std::min(lower, pair.time); });
    answer_.ending = AdvancementAnswer::Ending::OutOfBudget;
    answer_.time = std::max(lower, queue_.begin_of(bucket));
    answer_.triangle_a = answer_.triangle_b = -1;
  }

  // Within this distance is not apart. At the start whoever would be accepted counts as touching, even if the
  // distance grows.
  double apart() const { return q_.distance + (state_.time == q_.begin ? q_.tolerance * target_share : 0.0); }

  BoxTestLimits limits() const { return {apart(), near_step_, rounded_up(limit_ - state_.time) + 1e-30F}; }

  void push(const PendingPair& pair, double time, int bucket) {
    if (beyond(time)) return;
    queue_.push(queue_.bucket_of(time), {time, pair.a, pair.b, bucket});
  }

  void treat(const PendingPair& pair, int bucket) {
    const std::int32_t child_a = child_of(*tree_[0], pair.a);
    const std::int32_t child_b = child_of(*tree_[1], pair.b);
    if (child_a < 0 && child_b < 0) {
      treat_triangles(pair, bucket, ~child_a, ~child_b);
      return;
    }
    const bool open_a =
        child_b < 0 || (child_a >= 0 && extent_of(*tree_[0], pair.a) >= extent_of(*tree_[1], pair.b));
    float steps[box_width], gaps[box_width];
    const int side = open_a ? 0 : 1;
    const BoxId opened = open_a ? pair.a : pair.b;
    const BoxId other = open_a ? pair.b : pair.a;
    if (bucket - pair.seen >= stale_buckets) {
      test_boxes(state_, tree_, side, opened / box_width, other, limits(), steps, gaps);
      answer_.stats.node_pairs += 1;
      const double time = std::max(pair.time, later(state_.time, steps[opened % box_width]));
      if (beyond(time)) return;
      const int next = queue_.bucket_of(time);
      if (next > bucket) {
        queue_.push(next, {time, pair.a, pair.b, bucket});
        return;
      }
    }
    const auto node = static_cast<BoxId>(open_a ? child_a : child_b);
    test_boxes(state_, tree_, side, node, other, limits(), steps, gaps);
    const std::int32_t count = tree_[side]->nodes[node].count;
    answer_.stats.node_pairs += count;
    const float enough = limits().enough;
    for (std::int32_t k = 0; k < count; ++k) {
      if (steps[k] > enough) continue;
      const double time = std::max(pair.time, later(state_.time, steps[k]));
      if (beyond(time)) continue;
      const BoxId id = node * box_width + static_cast<BoxId>(k);
      const int next = queue_.bucket_of(time);
      if (next == bucket) prefetch_below(*tree_[side], id);  // it is opened soon
      queue_.push(next,
                  open_a ? PendingPair{time, id, pair.b, bucket} : PendingPair{time, pair.a, id, bucket});
    }
  }

  static void prefetch_below(const BoxTree& tree, BoxId id) {
    const std::int32_t child = child_of(tree, id);
    if (child < 0) return;
    const char* const at = reinterpret_cast<const char*>(&tree.nodes[static_cast<std::size_t>(child)]);
    for (std::size_t offset = 0; offset < sizeof(BoxNode); offset += 64) __builtin_prefetch(at + offset);
  }

  void treat_triangles(const PendingPair& pair, int bucket, std::int32_t id_a, std::int32_t id_b) {
    ++answer_.stats.triangle_pairs;
    const auto a = corners_of(*q_.a.shape, id_a);
    const auto b = corners_of(*q_.b.shape, id_b);
    const double bucket_end = bucket + 1 < queue_.bucket_count ? queue_.begin_of(bucket + 1) : window_end_;
    const double target = q_.tolerance * target_share;
    const TriangleStep at_bucket = triangle_step(triangle_pair_state(state_, a, b), apart(), target,
                                                 state_.gap_padding, state_.rate_padding);
    double t = std::max(pair.time, later(state_.time, at_bucket.step));
    for (int round = 0;; ++round) {
      if (beyond(t)) return;
      if (t >= bucket_end && bucket_end < window_end_) {
        push(pair, t, bucket);
        return;
      }
      ++answer_.stats.steps;
      const PairState state = states_.at(t, window_end_);
      const TrianglePairState corners_now = triangle_pair_state(state, a, b);
      const TriangleStep along_features =
          triangle_step(corners_now, q_.distance, target, state.gap_padding, state.rate_padding);
      double step = along_features.step;
      // Far triangles that approach quickly need no nearest points.
      if (!along_features.is_far || (round >= 2 && step < 0.25 * (bucket_end - t))) {
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
        if (!(later(t, step) > t)) {
          // No double lies between here and the contact.
          accept(t, id_a, id_b);
          return;
        }
      }
      t = later(t, step);
    }
  }

  void accept(double t, std::int32_t id_a, std::int32_t id_b) {
    if (found_ && t >= limit_) return;
    found_ = true;
    limit_ = t;
    answer_.ending = AdvancementAnswer::Ending::Contact;
    answer_.time = t;
    answer_.triangle_a = id_a;
    answer_.triangle_b = id_b;
  }

  const AdvancementQuestion& q_;
  TimeQueue<PendingPair>& queue_;
  const BoxTree* tree_[2];
  PairStates states_;
  PairState state_;
  AdvancementAnswer answer_;
  double window_end_ = 1.0;
  double limit_ = 1.0;
  float near_step_ = 0.0F;
  bool found_ = false;
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
