#include "ccd/rigid/screw/screw.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "ccd/rigid/screw/screw_equation.hpp"
#include "ccd/rigid/screw/screw_features.hpp"
#include "ccd/rigid/screw/screw_segment.hpp"
#include "ccd/search/triangle_advance.hpp"
#include "hierarchy/obb_tree.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/motion/relative_motion.hpp"

namespace toccata::screw {

using namespace search;
namespace {

constexpr double u = unit_roundoff;
// A segment's error is at most this share of the smaller body's size, and a short one's of the tolerance.
constexpr double segment_error_share = 1e-3;
constexpr double short_error_share = 0.125;
constexpr int most_short_segments = 256;
constexpr double helping_share = 0.9;       // of the error that halving a segment must leave at most
constexpr double longest_turn = 1.5;        // radians a segment
constexpr double shortest_segment = 1e-6;   // of the time, unless even that is too far for the motion
constexpr std::size_t cached_nodes = 2048;  // a power of two

ScrewBodies bodies_of(const SearchQuestion& question, const Motion& relative) {
  const ShapeData &a = *question.a.shape, &b = *question.b.shape;
  const Vector3 half = Vector3::Constant(a.radius);
  return {relative, a.center - half, a.center + half, a.center.norm() + a.radius, b.center.norm() + b.radius};
}

// Of the smaller body; of a point the larger one's counts.
double size_of(const SearchQuestion& question) {
  const double a = question.a.shape->radius, b = question.b.shape->radius;
  return std::max(std::min(a, b), 1e-3 * std::max(a, b));
}

// The bounds of tree nodes on one segment, computed when asked for.
class NodeBounds {
 public:
  NodeBounds(const hierarchy::VolumeTree<Obb>& tree, const MeshView& mesh) : tree_(tree), mesh_(mesh) {
    entries_.resize(cached_nodes);
  }

  // Growth of the bounds on this side.
  void start(const ScrewSegment& segment, const Pose& to_axis, double margin) {
    segment_ = &segment;
    to_axis_ = to_axis;
    margin_ = margin;
    ++round_;
  }

  const AxisBounds& of(std::int32_t node) {
    Entry& entry = entries_[static_cast<std::size_t>(node) % cached_nodes];
    if (entry.node == node && entry.round == round_) return entry.bounds;
    const Obb& box = tree_.nodes()[node].volume;
    entry = {node, round_, axis_bounds(*segment_, to_axis_, box.center, box.axes, box.half, margin_)};
    return entry.bounds;
  }

  TriangleBounds triangle(std::int32_t id) const {
    const Triangle corners = triangle_of(mesh_, static_cast<std::size_t>(id));
    return triangle_bounds(*segment_, transformed(to_axis_, corners), margin_);
  }

 private:
  struct Entry {
    std::int32_t node = -1;
    std::int64_t round = 0;
    AxisBounds bounds;
  };
  const hierarchy::VolumeTree<Obb>& tree_;
  const MeshView mesh_;
  const ScrewSegment* segment_ = nullptr;
  Pose to_axis_;
  double margin_ = 0.0;
  std::int64_t round_ = 0;
  std::vector<Entry> entries_;
};

struct Pending {
  double time;  // apart before it
  std::int32_t a;
  std::int32_t b;
  bool met;                                     // two triangles whose equations say they may meet now
  bool operator<(const Pending& other) const {  // the earliest on top
    if (time != other.time) return time > other.time;
    return a != other.a ? a > other.a : b > other.b;
  }
};

class ScrewSearch {
 public:
  ScrewSearch(const SearchQuestion& question)
      : question_(question),
        relative_(*question.a.motion, *question.b.motion),
        bodies_(bodies_of(question, relative_)),
        tree_a_(obb_tree_of(*question.a.shape).boxes),
        tree_b_(obb_tree_of(*question.b.shape).boxes),
        bounds_a_(tree_a_, question.a.shape->mesh),
        bounds_b_(tree_b_, question.b.shape->mesh),
        longest_error_(std::max(segment_error_share * size_of(question), question.tolerance)) {}

  SearchAnswer run() {
    answer_.time = question_.end;
    if (tree_a_.empty() || tree_b_.empty()) return answer_;
    double t = question_.start, length = 1.0;
    do {
      if (next_segment(t, length) && search()) return answer_;
      t = segment_.end;
    } while (t < question_.end);
    return answer_;
  }

 private:
  // The segment from t on: as long as its error allows, or as the whole pair is rejected on it. False if so.
  bool next_segment(double t, double& length) {
    const double limit = smooth_until(question_, t);
    const double spin = relative_.expansion(t, limit).angular_velocity.norm();
    if (spin > 0.0) length = std::min(length, longest_turn / spin);
    double longer_error = std::numeric_limits<double>::infinity();
    for (;; length *= 0.5) {
      const double end = t + length < limit ? t + length : limit;
      segment_ = screw_segment(bodies_, t, end);
      ++answer_.stats.steps;
      const bool apart = pair_rejected();
      // Rounding, far from the origin, is not less on a shorter segment.
      const bool helps = segment_.error < helping_share * longer_error;
      longer_error = segment_.error;
      const bool shortest = !helps || !(length > shortest_segment) || !(end > t);
      if (!apart && segment_.error > longest_error_ && !shortest) continue;
      length = std::min(2.0 * length, 1.0);
      return !apart;
    }
  }

  // Cylinder and sphere of the paper: a's centre on its helix against a ball of both radii about b's.
  bool pair_rejected() {
    const ShapeData &a = *question_.a.shape, &b = *question_.b.shape;
    const double reach = (a.radius + b.radius + question_.distance + segment_.error) * (1.0 + 8.0 * u);
    const AxisBounds point = axis_bounds(segment_, segment_.a_to_axis.apply(a.center), 0.0);
    const AxisBounds ball = axis_bounds(segment_, segment_.b_to_axis.apply(b.center), reach);
    return meeting_window(segment_, point, ball).empty();
  }

  static double margin_b(const ScrewSegment& segment) { return 128.0 * u * segment.scale; }

  bool search() {
    bounds_a_.start(segment_, segment_.a_to_axis, segment_.error + question_.distance);
    bounds_b_.start(segment_, segment_.b_to_axis, margin_b(segment_));
    short_.clear();
    const double ratio = segment_.error / (short_error_share * question_.tolerance);
    short_count_ = 1;
    while (short_count_ < most_short_segments && short_count_ * short_count_ < ratio) short_count_ *= 2;
    queue_ = {};
    push(segment_.begin, 0, 0);
    while (!queue_.empty()) {
      const Pending pending = queue_.top();
      queue_.pop();
      if (is_out_of_budget(question_, answer_.stats)) {
        answer_.ending = SearchAnswer::Ending::OutOfBudget;
        answer_.time = pending.time;
        return true;
      }
      const auto &node_a = tree_a_.nodes()[pending.a], &node_b = tree_b_.nodes()[pending.b];
      if (node_a.is_leaf() && node_b.is_leaf()) {
        if (leaf(pending, tree_a_.order()[node_a.first], tree_b_.order()[node_b.first])) return true;
      } else if (node_b.is_leaf() ||
                 (!node_a.is_leaf() && node_a.volume.half.sum() > node_b.volume.half.sum())) {
        push(pending.time, pending.a + 1, pending.b);
        push(pending.time, node_a.right, pending.b);
      } else {
        push(pending.time, pending.a, pending.b + 1);
        push(pending.time, pending.a, node_b.right);
      }
    }
    return false;
  }

  void push(double after, std::int32_t a, std::int32_t b) {
    ++answer_.stats.node_pairs;
    const MeetingWindow window = meeting_window(segment_, bounds_a_.of(a), bounds_b_.of(b));
    const double end = std::min(window.end, 1.0);
    if (window.begin > end || (end < 1.0 && segment_.time_at(end) < after - 1e-15)) return;
    queue_.push({std::max(after, segment_.time_at(window.begin)), a, b, false});
  }

  // True when this pair is the answer.
  bool leaf(const Pending& p, std::int32_t a, std::int32_t b) {
    // What is pending from the question's begin on was never seen apart.
    if (!p.met && p.time > question_.start) {
      ++answer_.stats.piece_pairs;
      again(p, meeting_from(p.time, a, b));
      return false;
    }
    const PairAtTime at(question_, p.time, segment_.end);
    const TriangleAdvance advance = triangle_advance(question_, at, a, b);
    ++answer_.stats.steps;
    const double stepped = later(p.time, advance.step);
    // No provable step: closer than rounding can tell, which counts as contact.
    if (advance.distance <= question_.distance + question_.tolerance ||
        (!(stepped > p.time) && p.time < segment_.end)) {
      answer_.ending = SearchAnswer::Ending::Contact;
      answer_.time = p.time;
      answer_.piece_a = a;
      answer_.piece_b = b;
      return true;
    }
    if (stepped < segment_.end) again(p, std::max(stepped, refined_meeting_from(p.time, a, b)));
    return false;
  }

  void again(const Pending& p, double time) {
    if (time <= segment_.end) queue_.push({time, p.a, p.b, true});
  }

  // Times from which the triangles, apart at t, may meet; beyond the segment if never on it.
  double meeting_from(double t, std::int32_t a, std::int32_t b) {
    const double s = first_meeting(segment_, bounds_a_.triangle(a), bounds_b_.triangle(b),
                                   segment_.share_at(t), question_.distance, answer_.stats);
    return s > 1.0 ? no_root : std::max(t, segment_.time_at(s));
  }

  double refined_meeting_from(double t, std::int32_t a, std::int32_t b) {
    const ScrewSegment& s = short_segment_at(t);
    const Triangle corners_a = triangle_of(question_.a.shape->mesh, static_cast<std::size_t>(a));
    const Triangle corners_b = triangle_of(question_.b.shape->mesh, static_cast<std::size_t>(b));
    const double root = first_meeting(
        s, triangle_bounds(s, transformed(s.a_to_axis, corners_a), s.error + question_.distance),
        triangle_bounds(s, transformed(s.b_to_axis, corners_b), margin_b(s)), s.share_at(t),
        question_.distance, answer_.stats);
    if (root <= 1.0) return std::max(t, s.time_at(root));
    return s.end < segment_.end ? meeting_from(s.end, a, b) : no_root;
  }

  const ScrewSegment& short_segment_at(double t) {
    const double length = (segment_.end - segment_.begin) / short_count_;
    int index = length > 0.0 ? static_cast<int>((t - segment_.begin) / length) : 0;
    index = std::clamp(index, 0, short_count_ - 1);
    const auto edge = [&](int i) { return i == short_count_ ? segment_.end : segment_.begin + i * length; };
    while (index > 0 && edge(index) > t) --index;
    while (index + 1 < short_count_ && edge(index + 1) <= t) ++index;
    const auto found = short_.find(index);
    if (found != short_.end()) return found->second;
    return short_.emplace(index, screw_segment(bodies_, edge(index), edge(index + 1))).first->second;
  }

  const SearchQuestion& question_;
  RelativeMotion relative_;
  ScrewBodies bodies_;
  const hierarchy::VolumeTree<Obb>& tree_a_;
  const hierarchy::VolumeTree<Obb>& tree_b_;
  NodeBounds bounds_a_;
  NodeBounds bounds_b_;
  double longest_error_;
  ScrewSegment segment_;
  int short_count_ = 1;  // short segments in segment_
  std::map<int, ScrewSegment> short_;
  std::priority_queue<Pending> queue_;
  SearchAnswer answer_;
};

}  // namespace

SearchAnswer search_contact(const SearchQuestion& question) {
  if (!question.a.motion->is_fixed() || question.b.motion->is_fixed()) return ScrewSearch(question).run();
  // Seen from the body that stands still the motion is simpler.
  SearchQuestion turned = question;
  std::swap(turned.a, turned.b);
  SearchAnswer answer = ScrewSearch(turned).run();
  std::swap(answer.piece_a, answer.piece_b);
  return answer;
}

}  // namespace toccata::screw
