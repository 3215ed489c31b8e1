// Best-first over pairs of boxes: the pair with the smallest lower bound is opened next, the larger box of
// the two against eight children at a time. The first pair of triangles whose distance is not above the
// smallest bound left is the closest. In between a pair is followed down to its triangles at once: a distance
// that is almost the smallest is what queries with an allowed error end by.
#include "toccata/proximity/distance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/bucket_queue.hpp"
#include "base/stop_watch.hpp"
#include "proximity/closed_pairs.hpp"
#include "proximity/contact_of.hpp"
#include "proximity/method_bracket.hpp"
#include "proximity/single_sets.hpp"
#include "proximity/tree_pair.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/proximity/pair_memory.hpp"

namespace toccata {

using namespace proximity;

namespace {

// Pairs of boxes, of a tenth of a microsecond each, between two looks at the watch.
constexpr int looks_at_watch = 64;
// One in so many pairs at least is opened for its own sake where no error is allowed: nearly all are to be
// opened sooner or later, whatever distance is known.
constexpr std::int64_t descents_if_exact = 16;

struct BoxPair {
  float lower;  // >= 0
  BoxId a;
  BoxId b;
};

// Pairs by increasing lower bound, up to the width of a bucket; the last bucket is for everything from `span`
// on.
class PairQueue {
 public:
  explicit PairQueue(float span) : scale_(static_cast<float>(bucket_count) / span) {}

  void push(const BoxPair& pair) {
    const float place = pair.lower * scale_;
    queue_.push(place < static_cast<float>(bucket_count - 1) ? static_cast<int>(place) : bucket_count - 1,
                pair);
  }
  bool empty() { return queue_.first() < 0; }
  // precondition: !empty()
  BoxPair pop() { return queue_.pop(queue_.first()); }

 private:
  static constexpr int bucket_count = BucketQueue<BoxPair>::bucket_count;
  float scale_;
  BucketQueue<BoxPair> queue_;
};

class Search {
 public:
  Search(const PlacedShape& a, const PlacedShape& b, const DistanceOptions& options, const StopWatch& watch)
      : a_(a),
        b_(b),
        trees_(a.shape.data(), b.shape.data(), BoxDistances(a, b, false)),
        options_(options),
        watch_(watch.or_null(), looks_at_watch) {
    result_.distance = options.limit;
    set_cutoff();
    only_triangles_ = a.shape.data().has_only_triangles() && b.shape.data().has_only_triangles();
    if (only_triangles_) return;
    a_to_b_ = between_trees(a, b);
    b_to_world_ = {b.pose.rotation, b.pose.apply(b.shape.data().center)};
    placement_error_ = pose_error(a, b);
  }

  // Stops early once a pair is at most `enough` apart.
  DistanceResult run(double enough) {
    if (trees_.empty()) return {};
    dive();
    PairQueue queue(static_cast<float>(std::min(result_.distance, 1e30)) + 1e-30f);
    while (true) {
      for (const BoxPair& pair : fresh_) queue.push(pair);
      fresh_.clear();
      if (queue.empty()) break;
      const BoxPair pair = queue.pop();
      if (found_ && result_.distance <= enough) {
        left_out_ = 0.0f;
        break;
      }
      if (watch_.is_over()) {
        left_out_ = std::min(left_out_, pair.lower);
        while (!queue.empty()) left_out_ = std::min(left_out_, queue.pop().lower);
        result_.stopped = true;
        break;
      }
      if (leave_out(pair.lower)) continue;
      if (is_time_to_descend()) {
        descend(pair);
      } else {
        open(pair);
      }
    }
    finish();
    return result_;
  }

 private:
  double cutoff() const {
    const double d = result_.distance;
    if (!found_) return d;
    return d - std::max(options_.relative_error * d, options_.absolute_error);
  }

  // As float, which is compared the same way: no float lies between the two.
  void set_cutoff() { float_cutoff_ = float_above(cutoff()); }

  bool leave_out(float lower) {
    if (lower < float_cutoff_) return false;
    left_out_ = std::min(left_out_, lower);
    return true;
  }

  // A distance cuts off most of the rest.
  void dive() {
    consider(trees_.opened_roots(result_.stats));
    if (fresh_.empty()) return;
    const BoxPair roots = fresh_.back();
    fresh_.pop_back();
    descend(roots);
  }

  // Follows the child that is likely to be nearest down to a pair of triangles, and sees to it that this
  // takes half of the work at most.
  void descend(BoxPair pair) {
    const std::int64_t before = result_.stats.node_pairs;
    while (true) {
      const std::size_t begin = fresh_.size();
      const bool is_leaf = trees_.is_leaf(pair.a, pair.b);
      open(pair);
      if (is_leaf || begin == fresh_.size()) break;
      BoxPair& nearest = fresh_[likely_nearest(pair, begin)];
      pair = nearest;
      nearest = fresh_.back();
      fresh_.pop_back();
    }
    const bool is_exact = options_.relative_error <= 0.0 && options_.absolute_error <= 0.0;
    next_descent_ =
        result_.stats.node_pairs + (is_exact ? descents_if_exact : 1) * (result_.stats.node_pairs - before);
  }

  // Of the children of a pair, which are the last ones: by their bound, and by the distance of their middles,
  // since the bounds of large boxes say little.
  std::size_t likely_nearest(const BoxPair& parent, std::size_t begin) const {
    const bool opened_b = fresh_[begin].a == parent.a;
    const Vector3 other = opened_b ? middle_of(a_, parent.a) : middle_of(b_, parent.b);
    std::size_t nearest = begin;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = begin; i < fresh_.size(); ++i) {
      const Vector3 middle = opened_b ? middle_of(b_, fresh_[i].b) : middle_of(a_, fresh_[i].a);
      const double guess = static_cast<double>(fresh_[i].lower) + (middle - other).norm();
      if (!(guess < least)) continue;
      least = guess;
      nearest = i;
    }
    return nearest;
  }

  static Vector3 middle_of(const PlacedShape& placed, BoxId id) {
    const BoxNode& node = placed.shape.data().tree.node(id / box_width);
    const auto slot = id % box_width;
    Vector3 middle = placed.shape.data().center;
    for (int k = 0; k < 3; ++k)
      middle[k] += static_cast<double>(node.origin[k]) + static_cast<double>(node.center[k][slot]);
    return placed.pose.apply(middle);
  }

  bool is_time_to_descend() const { return result_.stats.node_pairs >= next_descent_; }

  // Which of the children are left out cannot be foreseen: all are written, and those left out overwritten.
  void consider(const OpenedPair& opened) {
    const std::size_t before = fresh_.size();
    fresh_.resize(before + box_width);
    BoxPair* next = fresh_.data() + before;
    const float cutoff = float_cutoff_;
    float left_out = left_out_;
    for (std::int32_t k = 0; k < opened.count; ++k) {
      const float lower = opened.bounds[k];
      const bool stays = lower < cutoff;
      *next = {std::max(0.0f, lower), opened.child_a(k), opened.child_b(k)};
      next += stays ? 1 : 0;
      left_out = std::min(left_out, stays ? INFINITY : lower);
    }
    left_out_ = left_out;
    fresh_.resize(static_cast<std::size_t>(next - fresh_.data()));
  }

  void open(const BoxPair& pair) {
    if (trees_.is_leaf(pair.a, pair.b)) {
      look_at(trees_.piece_a(pair.a), trees_.piece_b(pair.b));
    } else {
      consider(trees_.opened(pair.a, pair.b, result_.stats));
    }
  }

  // Flat: two triangles are placed by six products of a matrix and a vector, none of them a call.
  [[gnu::flatten]] void look_at(std::int32_t piece_a, std::int32_t piece_b) {
    ++result_.stats.piece_pairs;
    if (!only_triangles_) return look_at_pieces(piece_a, piece_b);
    look_at_triangles(piece_a, piece_a, piece_b, piece_b);
  }

  // Kept apart: the search through two meshes is to stay as small as it was without.
  [[gnu::noinline]] void look_at_pieces(std::int32_t piece_a, std::int32_t piece_b) {
    const Piece a(a_.shape.data(), piece_a), b(b_.shape.data(), piece_b);
    if (a.triangle() >= 0 && b.triangle() >= 0)
      return look_at_triangles(a.triangle(), piece_a, b.triangle(), piece_b);
    convex::ConvexLimits limits;
    limits.enough = result_.distance;
    const convex::ConvexDistance d = method_bracket(options_.method, {a_.shape.data(), piece_a, a}, a_to_b_,
                                                    {b_.shape.data(), piece_b, b}, nullptr, limits);
    lower_ = std::min(lower_, d.lower - placement_error_);
    const double found = is_touching(d) ? 0.0 : d.upper;
    if (!(found < result_.distance) && (found_ || found > result_.distance)) return;
    found_ = true;
    result_.distance = found;
    set_cutoff();
    result_.contact = world_contact(a, piece_a, b, piece_b, d, a_to_b_, b_to_world_);
    direction_ = result_.contact.normal;
    trees_.bounds().try_along(direction_);
  }

  // Numbers of the triangles in their meshes, and as pieces of their shapes. Inlined for both callers: a
  // tenth of the time of two meshes.
  [[gnu::always_inline]] void look_at_triangles(std::int32_t triangle_a, std::int32_t piece_a,
                                                std::int32_t triangle_b, std::int32_t piece_b) {
    const Triangle a = world_triangle(a_, triangle_a), b = world_triangle(b_, triangle_b);
    if (found_ && triangle_triangle_separation(a, b, direction_) >= result_.distance) return;
    const TriangleTriangleDistance d = triangle_triangle_distance(a, b, result_.distance);
    lower_ = std::min(lower_, d.lower_distance);
    if (!(d.distance < result_.distance) && (found_ || d.distance > result_.distance)) return;
    found_ = true;
    result_.distance = d.distance;
    set_cutoff();
    direction_ = d.point_b - d.point_a;
    trees_.bounds().try_along(direction_);
    result_.contact = {d.point_a, d.point_b, Vector3::Zero(), d.distance, d.feature_a, d.feature_b};
    result_.contact.feature_a.part = piece_a;
    result_.contact.feature_b.part = piece_b;
  }

  void finish() {
    const double proven = std::min(static_cast<double>(left_out_), lower_);
    if (!found_) {
      result_.lower_distance = std::max(0.0, proven);
      result_.distance = std::numeric_limits<double>::infinity();
      return;
    }
    result_.lower_distance = std::clamp(proven, 0.0, result_.distance);
    const double length = direction_.norm();
    if (length > 0.0) result_.contact.normal = direction_ / length;
  }

  const PlacedShape& a_;
  const PlacedShape& b_;
  TreePair<BoxDistances> trees_;
  DistanceOptions options_;
  SparseLook watch_;
  std::vector<BoxPair> fresh_;  // not yet in the queue
  DistanceResult result_;
  bool only_triangles_ = true;
  // Of pieces of other kinds:
  Pose a_to_b_;
  Pose b_to_world_;
  double placement_error_ = 0.0;
  bool found_ = false;
  std::int64_t next_descent_ = 0;  // when so many pairs of boxes have been looked at
  float float_cutoff_ = INFINITY;
  float left_out_ = INFINITY;  // smallest bound of a pair that was never opened
  double lower_ = INFINITY;    // smallest proven distance of a pair of triangles looked at
  Vector3 direction_ = Vector3::Zero();
};

convex::ConvexLimits limits_of(const DistanceOptions& options) {
  convex::ConvexLimits limits;
  limits.relative_error = options.relative_error;
  limits.absolute_error = options.absolute_error;
  limits.enough = options.limit;
  return limits;
}

// From the bracket of two pieces, which are all there are.
[[gnu::noinline]] void tell_pieces(const PlacedShape& a, const Piece& piece_a, const PlacedShape& b,
                                   const Piece& piece_b, const Pose& a_to_b, const DistanceOptions& options,
                                   convex::ConvexDistance& d, DistanceResult& result) {
  // Errors that are allowed are none about whether they meet.
  if (is_touching(d) && !d.meets && (options.absolute_error > 0.0 || options.relative_error > 0.0))
    d = piece_bracket(piece_a, a_to_b, piece_b);
  result.stats.piece_pairs = 1;
  result.lower_distance = std::max(0.0, d.lower - pose_error(a, b));
  const double found = is_touching(d) ? 0.0 : d.upper;
  if (found > options.limit) return;
  result.distance = found;
  result.contact = world_contact(piece_a, 0, piece_b, 0, d, a_to_b,
                                 {b.pose.rotation, b.pose.apply(b.shape.data().center)});
}

// No tree is needed.
DistanceResult of_single_pieces(const PlacedShape& a, const PlacedShape& b, const DistanceOptions& options,
                                convex::ConvexMemory* memory = nullptr) {
  const Piece piece_a(a.shape.data(), 0), piece_b(b.shape.data(), 0);
  const Pose a_to_b = between_trees(a, b);
  convex::ConvexDistance d = method_bracket(options.method, {a.shape.data(), 0, piece_a}, a_to_b,
                                            {b.shape.data(), 0, piece_b}, memory, limits_of(options));
  DistanceResult result;
  tell_pieces(a, piece_a, b, piece_b, a_to_b, options, d, result);
  return result;
}

bool are_single_sets(const ShapeData& a, const ShapeData& b) {
  return a.only_set != nullptr && b.only_set != nullptr;
}

// The same without the detour of pieces, which took as long as a warm walk: pieces are asked for only where
// the sets meet.
DistanceResult of_single_sets(const PlacedShape& a, const PlacedShape& b, const DistanceOptions& options,
                              convex::ConvexMemory* memory = nullptr) {
  const ShapeData &shape_a = a.shape.data(), &shape_b = b.shape.data();
  const Pose a_to_b = between_trees(shape_a, a.pose, shape_b, b.pose);
  convex::ConvexDistance d =
      method_bracket(options.method, shape_a, a_to_b, shape_b, memory, limits_of(options));
  DistanceResult result;
  if (is_touching(d)) {
    tell_pieces(a, Piece(shape_a, 0), b, Piece(shape_b, 0), a_to_b, options, d, result);
    return result;
  }
  tell_sets_apart(a, b, d, options.limit, result);
  return result;
}

// What is remembered of a pair, as far as it can be of this one.
convex::ConvexMemory known_of(const PairMemory& memory, const ShapeData& a, const ShapeData& b) {
  convex::ConvexMemory known;
  const double length = memory.direction.norm();
  if (length > 0.5 && length < 2.0) known.direction = memory.direction;
  if (memory.count < 1 || memory.count > 4 || a.sets.size() != 1 || b.sets.size() != 1) return known;
  const std::int32_t corners_a = corner_count(a.sets.front().set),
                     corners_b = corner_count(b.sets.front().set);
  for (std::size_t i = 0; i < static_cast<std::size_t>(memory.count); ++i) {
    const std::int32_t vertex_a = memory.vertex_a[i], vertex_b = memory.vertex_b[i];
    if (vertex_a < 0 || vertex_a >= corners_a || vertex_b < 0 || vertex_b >= corners_b) return known;
  }
  known.features = {memory.count, memory.vertex_a, memory.vertex_b};
  return known;
}

[[gnu::noinline]] DistanceResult distance_by_search(const PlacedShape& a, const PlacedShape& b,
                                                    const DistanceOptions& options) {
  if (are_single_sets(a.shape.data(), b.shape.data())) return of_single_sets(a, b, options);
  if (are_single_pieces(a.shape.data(), b.shape.data())) return of_single_pieces(a, b, options);
  const StopWatch watch(options.stop);
  return Search(a, b, options, watch).run(0.0);
}

bool may_have_closed_form(const PlacedShape& a, const PlacedShape& b, ConvexMethod method) {
  const ClosedForm form = a.shape.data().closed.form;
  return method == ConvexMethod::Gjk && form != ClosedForm::None && form == b.shape.data().closed.form;
}

// Apart from the others, so that each answer is written in its place and copied by none.
DistanceResult closed_or_searched(const PlacedShape& a, const PlacedShape& b,
                                  const DistanceOptions& options) {
  DistanceResult result;
  if (!closed_distance(a, b, options.limit, result)) result = distance_by_search(a, b, options);
  return result;
}

DistanceResult of_remembered_pieces(const PlacedShape& a, const PlacedShape& b, PairMemory& memory,
                                    const DistanceOptions& options) {
  convex::ConvexMemory known = known_of(memory, a.shape.data(), b.shape.data());
  DistanceResult result = are_single_sets(a.shape.data(), b.shape.data())
                              ? of_single_sets(a, b, options, &known)
                              : of_single_pieces(a, b, options, &known);
  memory = {known.features.count, known.features.vertex_a, known.features.vertex_b, known.direction};
  return result;
}

DistanceResult closed_or_remembered(const PlacedShape& a, const PlacedShape& b, PairMemory& memory,
                                    const DistanceOptions& options) {
  DistanceResult result;
  if (!closed_distance(a, b, options.limit, result)) result = of_remembered_pieces(a, b, memory, options);
  return result;
}

}  // namespace

DistanceResult distance(const PlacedShape& a, const PlacedShape& b, const DistanceOptions& options) {
  if (may_have_closed_form(a, b, options.method)) return closed_or_searched(a, b, options);
  return distance_by_search(a, b, options);
}

DistanceResult distance(const PlacedShape& a, const PlacedShape& b, PairMemory& memory,
                        const DistanceOptions& options) {
  if (!are_single_pieces(a.shape.data(), b.shape.data())) return distance(a, b, options);
  if (may_have_closed_form(a, b, options.method)) return closed_or_remembered(a, b, memory, options);
  return of_remembered_pieces(a, b, memory, options);
}

WithinResult within(const PlacedShape& a, const PlacedShape& b, double d, const Stop& stop) {
  WithinResult result;
  if (!(d >= 0.0)) return result;
  DistanceOptions options;
  // The search keeps pairs strictly below its limit: the next double above d lets d itself count.
  options.limit = std::nextafter(d, INFINITY);
  const StopWatch watch(stop);
  const DistanceResult found = are_single_pieces(a.shape.data(), b.shape.data())
                                   ? distance(a, b, options)
                                   : Search(a, b, options, watch).run(d);
  result.stopped = found.stopped && !(found.distance <= d);
  result.within = found.distance <= d || result.stopped;
  result.contact = found.contact;
  result.stats = found.stats;
  return result;
}

}  // namespace toccata
