#include "ccd/rigid/advancement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ccd/rigid/box_steps.hpp"
#include "ccd/rigid/triangle_steps.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata {
namespace {

// A pair whose test is this many buckets old is tested again before it is opened.
constexpr int stale_buckets = 4;
// Boxes proven apart for less than this share of the window also try their edge directions.
constexpr float near_share = 0.02F;
// Triangles advance until they are within this share of the tolerance.
constexpr double target_share = 0.125;

struct BoxCopy {
  Vector3 center;  // relative to the shape's centre
  Matrix3 axes;
  Vector3 half;
};

BoxCopy copy_of(const BoxTree& tree, BoxId id) {
  const BoxNode& node = tree.nodes[id / box_width];
  const auto slot = id % box_width;
  BoxCopy box;
  for (int i = 0; i < 3; ++i) {
    box.center[i] = static_cast<double>(node.origin[i]) + static_cast<double>(node.center[i][slot]);
    box.half[i] = node.half[i][slot];
    for (int k = 0; k < 3; ++k) box.axes(k, i) = node.axis[i][k][slot];
  }
  return box;
}

float largest_half(const BoxTree& tree, BoxId id) {
  const BoxNode& node = tree.nodes[id / box_width];
  const auto slot = id % box_width;
  return std::max({node.half[0][slot], node.half[1][slot], node.half[2][slot]});
}

std::int32_t child_of(const BoxTree& tree, BoxId id) {
  return tree.nodes[id / box_width].child[id % box_width];
}

float up(double x) {
  return static_cast<float>(x * (1.0 + 0x1p-20));
}

class Search {
 public:
  Search(const AdvancementQuestion& question, AdvancementMemory& memory)
      : q_(question), queue_(memory.queue), tree_{&question.a.shape->tree, &question.b.shape->tree} {}

  AdvancementAnswer run() {
    answer_.time = q_.end;
    if (tree_[0]->nodes.empty() || tree_[1]->nodes.empty()) return answer_;
    double begin = q_.begin;
    while (answer_.ending == AdvancementAnswer::Ending::Free && begin <= q_.end) {
      const double end =
          std::min({q_.end, q_.a.motion->next_breakpoint(begin), q_.b.motion->next_breakpoint(begin)});
      search_window(begin, end);
      if (end >= q_.end) break;
      begin = end;
    }
    return answer_;
  }

 private:
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
        state_ = pair_state(q_.a, q_.b, queue_.begin_of(bucket), end);
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
        child_b < 0 || (child_a >= 0 && largest_half(*tree_[0], pair.a) >= largest_half(*tree_[1], pair.b));
    alignas(32) float steps[box_width];
    const int side = open_a ? 0 : 1;
    const BoxId opened = open_a ? pair.a : pair.b;
    const BoxId other = open_a ? pair.b : pair.a;
    if (bucket - pair.seen >= stale_buckets) {
      test(side, opened / box_width, other, steps);
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
    test(side, node, other, steps);
    const std::int32_t count = tree_[side]->nodes[node].count;
    answer_.stats.node_pairs += count;
    for (std::int32_t k = 0; k < count; ++k) {
      const double time = std::max(pair.time, later(state_.time, steps[k]));
      const BoxId id = node * box_width + static_cast<BoxId>(k);
      push(open_a ? PendingPair{0, id, pair.b, 0} : PendingPair{0, pair.a, id, 0}, time, bucket);
    }
  }

  // Eight boxes of one side against one of the other.
  void test(int side, BoxId node_index, BoxId other, float* steps) const {
    const BoxNode& node = tree_[side]->nodes[node_index];
    const BoxCopy box = copy_of(*tree_[1 - side], other);
    const FrameView& view = state_.view[side];
    const TurnBound& turn = state_.turn[side];
    const TurnBound& other_turn = state_.turn[1 - side];
    const Vector3 origin(node.origin[0], node.origin[1], node.origin[2]);
    const Vector3 place = view.rotation * box.center + view.translation;
    const Vector3 center = place - origin;
    const Matrix3 axes = view.rotation * box.axes;
    const Vector3 own = view.own.at(origin);
    const Vector3 theirs = view.other.at(place);
    const Vector3 velocity = own - theirs;
    const double extent = box.half.sum();
    double acceleration = state_.acceleration;
    if (other_turn.spins) {
      acceleration +=
          other_turn.rate * (theirs - view.other.drift).norm() + other_turn.axial * box.half.norm();
    }
    BoxStepsInput in;
    for (int k = 0; k < 3; ++k) {
      in.center[k] = static_cast<float>(center[k]);
      for (int i = 0; i < 3; ++i) in.axis[i][k] = static_cast<float>(axes(k, i));
      in.half[k] = static_cast<float>(box.half[k]);
      in.velocity[k] = static_cast<float>(velocity[k]);
      in.spin[k] = static_cast<float>(view.own.spin[k]);
      in.other_spin[k] = static_cast<float>(view.other.spin[k]);
      in.turning[k] = static_cast<float>(own[k] - view.own.drift[k]);
    }
    constexpr double u = 0x1p-24;
    in.turn_rate = up(turn.rate);
    in.axial = up(turn.axial);
    in.acceleration = up(acceleration * (1.0 + 0x1p-18)) + 1e-30F;
    in.gap_padding = up(16.0 * u * (center.norm() + node.reach + extent) + state_.gap_padding + q_.distance);
    const double spin = turn.spins ? view.own.spin.norm() : 0.0;
    const double other_spin = other_turn.spins ? view.other.spin.norm() : 0.0;
    in.rate_padding =
        up(32.0 * u * (velocity.norm() + spin * node.reach + other_spin * extent) + state_.rate_padding);
    in.near_step = near_step_;
    in.spins = turn.spins;
    in.other_spins = other_turn.spins;
    float gaps[box_width];
    box_steps(node, in, steps, gaps);
  }

  std::array<Vector3, 3> corners(const RigidShapeData& shape, std::int32_t triangle) const {
    const Face& f = shape.mesh.faces[static_cast<std::size_t>(triangle)];
    return {shape.mesh.vertices[static_cast<std::size_t>(f[0])] - shape.center,
            shape.mesh.vertices[static_cast<std::size_t>(f[1])] - shape.center,
            shape.mesh.vertices[static_cast<std::size_t>(f[2])] - shape.center};
  }

  void treat_triangles(const PendingPair& pair, int bucket, std::int32_t id_a, std::int32_t id_b) {
    ++answer_.stats.triangle_pairs;
    const auto a = corners(*q_.a.shape, id_a);
    const auto b = corners(*q_.b.shape, id_b);
    const double bucket_end = bucket + 1 < queue_.bucket_count ? queue_.begin_of(bucket + 1) : window_end_;
    const float at_bucket = triangle_step(triangle_pair_state(state_, a, b), q_.distance, state_.gap_padding,
                                          state_.rate_padding);
    double t = std::max(pair.time, later(state_.time, at_bucket));
    for (int round = 0;; ++round) {
      if (beyond(t)) return;
      if (t >= bucket_end && bucket_end < window_end_) {
        push(pair, t, bucket);
        return;
      }
      ++answer_.stats.steps;
      const PairState state = pair_state(q_.a, q_.b, t, window_end_);
      const TrianglePairState corners_now = triangle_pair_state(state, a, b);
      double step = triangle_step(corners_now, q_.distance, state.gap_padding, state.rate_padding);
      const double gap_left = bucket_end - t;
      if (step < 0.25 * gap_left || step == 0.0) {
        const TriangleTriangleDistance d = triangle_triangle_distance(corners_now.a, corners_now.b);
        const double upper = d.distance + 2.0 * state.gap_padding;
        const double enough = q_.distance + q_.tolerance * (round < 16 ? target_share : 1.0);
        if (upper <= enough) {
          accept(t, id_a, id_b);
          return;
        }
        step = std::max(step, triangle_step_along(corners_now, d.point_b - d.point_a, q_.distance,
                                                  state.gap_padding, state.rate_padding));
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
