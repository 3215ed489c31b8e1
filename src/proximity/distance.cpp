// Best-first over pairs of boxes: the pair with the smallest lower bound is opened next, the larger box of
// the two against eight children at a time. The first pair of triangles whose distance is not above the
// smallest bound left is the closest.
#include "toccata/proximity/distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "hierarchy/box_kernel.hpp"
#include "proximity/prepared_mesh_data.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata {
namespace {

using namespace hierarchy;

struct BoxPair {
  float lower;  // >= 0
  BoxId a;
  BoxId b;
};

// Pairs by increasing lower bound, up to the width of a bucket: a thousand lists over [0, span), the last one
// for everything beyond. Within a list the pair that came last is first.
class PairQueue {
 public:
  explicit PairQueue(float span) : scale_(static_cast<float>(bucket_count) / span) { heads_.fill(-1); }

  void push(const BoxPair& pair) {
    const float place = pair.lower * scale_;
    const int bucket =
        place < static_cast<float>(bucket_count - 1) ? static_cast<int>(place) : bucket_count - 1;
    entries_.push_back({pair, heads_[bucket]});
    heads_[bucket] = static_cast<std::int32_t>(entries_.size() - 1);
    first_ = std::min(first_, bucket);
  }

  bool empty() {
    while (first_ < bucket_count && heads_[first_] < 0) ++first_;
    return first_ == bucket_count;
  }

  // precondition: !empty()
  BoxPair pop() {
    const Entry& entry = entries_[heads_[first_]];
    heads_[first_] = entry.next;
    return entry.pair;
  }

 private:
  static constexpr int bucket_count = 1024;
  struct Entry {
    BoxPair pair;
    std::int32_t next;
  };
  float scale_;
  int first_ = bucket_count;
  std::array<std::int32_t, bucket_count> heads_;
  std::vector<Entry> entries_;
};

class Search {
 public:
  Search(const PlacedMesh& a, const PlacedMesh& b, const DistanceOptions& options)
      : a_(a),
        b_(b),
        tree_a_(a.mesh.data().tree),
        tree_b_(b.mesh.data().tree),
        a_to_b_(between_trees(a, b)),
        b_to_a_(between_trees(b, a)),
        padding_(static_cast<float>(placement_error(a, b) * 1.01)),
        options_(options) {
    result_.distance = options.limit;
  }

  // Stops early once a pair is at most `enough` apart.
  DistanceResult run(double enough) {
    if (tree_a_.nodes.empty() || tree_b_.nodes.empty()) return {};
    dive();
    PairQueue queue(static_cast<float>(std::min(result_.distance, 1e30)) + 1e-30f);
    while (true) {
      for (const BoxPair& pair : fresh_) {
        if (!leave_out(pair.lower)) queue.push(pair);
      }
      fresh_.clear();
      if (queue.empty()) break;
      const BoxPair pair = queue.pop();
      if (found_ && result_.distance <= enough) {
        left_out_ = 0.0f;
        break;
      }
      if (!leave_out(pair.lower)) open(pair);
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

  const BoxNode& node_a(BoxId id) const { return tree_a_.nodes[id / box_width]; }
  const BoxNode& node_b(BoxId id) const { return tree_b_.nodes[id / box_width]; }

  static float size_of(const BoxNode& node, int slot) {
    return node.half[0][slot] + node.half[1][slot] + node.half[2][slot];
  }

  bool leave_out(float lower) {
    if (static_cast<double>(lower) < cutoff()) return false;
    left_out_ = std::min(left_out_, lower);
    return true;
  }

  void consider(float lower, BoxId a, BoxId b) {
    if (!leave_out(lower)) fresh_.push_back({std::max(0.0f, lower), a, b});
  }

  // Follows the nearest child down to a first pair of triangles: its distance cuts off most of the rest.
  void dive() {
    open_roots();
    std::size_t begin = 0;  // the children opened last
    while (!found_ && begin < fresh_.size()) {
      const auto nearest =
          std::min_element(fresh_.begin() + static_cast<std::ptrdiff_t>(begin), fresh_.end(),
                           [](const BoxPair& x, const BoxPair& y) { return x.lower < y.lower; });
      const BoxPair pair = *nearest;
      *nearest = fresh_.back();
      fresh_.pop_back();
      begin = fresh_.size();
      open(pair);
    }
  }

  void open_roots() {
    for (BoxId i = 0; i < static_cast<BoxId>(tree_a_.nodes[0].count); ++i) open_b(i, 0);
  }

  // Box `a` against the children of node `b`.
  void open_b(BoxId a, std::int32_t b) {
    const BoxNode& node = tree_b_.nodes[b];
    float lower[box_width];
    box_lower_distances(moved_box(node_a(a), static_cast<int>(a % box_width), a_to_b_), node, padding_, false,
                        lower);
    result_.stats.node_pairs += node.count;
    for (int slot = 0; slot < node.count; ++slot)
      consider(lower[slot], a, static_cast<BoxId>(b * box_width + slot));
  }

  void open_a(std::int32_t a, BoxId b) {
    const BoxNode& node = tree_a_.nodes[a];
    float lower[box_width];
    box_lower_distances(moved_box(node_b(b), static_cast<int>(b % box_width), b_to_a_), node, padding_, false,
                        lower);
    result_.stats.node_pairs += node.count;
    for (int slot = 0; slot < node.count; ++slot)
      consider(lower[slot], static_cast<BoxId>(a * box_width + slot), b);
  }

  void open(const BoxPair& pair) {
    const int slot_a = static_cast<int>(pair.a % box_width), slot_b = static_cast<int>(pair.b % box_width);
    const BoxNode &a = node_a(pair.a), &b = node_b(pair.b);
    const std::int32_t child_a = a.child[slot_a], child_b = b.child[slot_b];
    if (child_a < 0 && child_b < 0) {
      look_at(~child_a, ~child_b);
    } else if (child_b < 0 || (child_a >= 0 && size_of(a, slot_a) > size_of(b, slot_b))) {
      open_a(child_a, pair.b);
    } else {
      open_b(pair.a, child_b);
    }
  }

  void look_at(std::int32_t triangle_a, std::int32_t triangle_b) {
    ++result_.stats.triangle_pairs;
    const Triangle a = world_triangle(a_, triangle_a), b = world_triangle(b_, triangle_b);
    if (found_ && triangle_triangle_separation(a, b, direction_) >= result_.distance) return;
    const TriangleTriangleDistance d = triangle_triangle_distance(a, b, result_.distance);
    lower_ = std::min(lower_, d.lower_distance);
    if (!(d.distance < result_.distance) && (found_ || d.distance > result_.distance)) return;
    found_ = true;
    result_.distance = d.distance;
    direction_ = d.point_b - d.point_a;
    result_.contact = {d.point_a,  d.point_b,  Vector3::Zero(), d.distance,
                       triangle_a, triangle_b, d.feature_a,     d.feature_b};
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

  const PlacedMesh& a_;
  const PlacedMesh& b_;
  const BoxTree& tree_a_;
  const BoxTree& tree_b_;
  Pose a_to_b_;
  Pose b_to_a_;
  float padding_;
  DistanceOptions options_;
  std::vector<BoxPair> fresh_;  // not yet in the queue
  DistanceResult result_;
  bool found_ = false;
  float left_out_ = INFINITY;  // smallest bound of a pair that was never opened
  double lower_ = INFINITY;    // smallest proven distance of a pair of triangles looked at
  Vector3 direction_ = Vector3::Zero();
};

}  // namespace

DistanceResult distance(const PlacedMesh& a, const PlacedMesh& b, const DistanceOptions& options) {
  return Search(a, b, options).run(0.0);
}

WithinResult within(const PlacedMesh& a, const PlacedMesh& b, double d) {
  WithinResult result;
  if (!(d >= 0.0)) return result;
  DistanceOptions options;
  // The search keeps pairs strictly below its limit: the next double above d lets d itself count.
  options.limit = std::nextafter(d, INFINITY);
  const DistanceResult found = Search(a, b, options).run(d);
  result.within = found.distance <= d;
  result.contact = found.contact;
  result.stats = found.stats;
  return result;
}

}  // namespace toccata
