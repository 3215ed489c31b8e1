#include "ccd/rigid/interval/interval.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "bound/box_gap.hpp"
#include "ccd/rigid/interval/subdivision.hpp"
#include "hierarchy/obb_tree.hpp"
#include "motion/body_over_span.hpp"

namespace toccata::interval {

using namespace search;
namespace {

// Of reaches along axes orthonormal to 1e-13.
constexpr double box_slack = 1e-12;
constexpr double worth_asking = 0.75;  // gaps below this share of what may close them are hardly ever proven

struct PairOverSpan {
  PairOverSpan(const SearchQuestion& question, const TimeSpan& s)
      : span(s),
        at(question, s.begin, s.end),
        a(at.pose_a, at.motion_a, at.padding, s.end - s.begin, question.a.motion->pose_error().rotation),
        b(at.pose_b, at.motion_b, at.padding, s.end - s.begin, question.b.motion->pose_error().rotation) {}
  TimeSpan span;
  PairAtTime at;
  BodyOverSpan a;
  BodyOverSpan b;
};

class IntervalMethod final : public SubdivisionMethod {
 public:
  explicit IntervalMethod(const SearchQuestion& question)
      : question_(question), a_(obb_tree_of(*question.a.shape)), b_(obb_tree_of(*question.b.shape)) {}

  double radius_a(std::int32_t node) const override { return radius_of(a_.boxes.nodes()[node].volume); }
  double radius_b(std::int32_t node) const override { return radius_of(b_.boxes.nodes()[node].volume); }

  double motion_of_nodes(std::int32_t i, std::int32_t j, const TimeSpan& span) override {
    const PairAtTime& at = over(span).at;
    const Vector3 pa = at.pose_a.apply(a_.boxes.nodes()[i].volume.center),
                  pb = at.pose_b.apply(b_.boxes.nodes()[j].volume.center);
    const double duration = span.end - span.begin;
    const double moved = displacement(at.motion_a, {&pa, 1}, radius_a(i), duration) +
                         displacement(at.motion_b, {&pb, 1}, radius_b(j), duration);
    return moved / (radius_a(i) + radius_b(j) + question_.tolerance);
  }

  // The axis that separates the boxes best at the start, over the whole span: they are apart when the
  // distance of the centres along it exceeds the reach of both.
  bool nodes_apart(std::int32_t i, std::int32_t j, const TimeSpan& span) override {
    const PairOverSpan& pair = over(span);
    const Obb &box_a = a_.boxes.nodes()[i].volume, &box_b = b_.boxes.nodes()[j].volume;
    const BoxGap best = largest_gap(pair.at.pose_a, box_a, pair.at.pose_b, box_b);
    const Decision decision = decided_at_begin(pair, box_a, box_b, best);
    if (decision != Decision::Open) return decision == Decision::Apart;
    const auto axis_a = [&](int k) { return pair.a.direction(box_a.axes.col(k % 3)); };
    const auto axis_b = [&](int k) { return pair.b.direction(box_b.axes.col(k % 3)); };
    const auto share = [](const Interval3& x, const Interval3& y, double half) {
      return abs(dot(x, y)) * Interval(half);
    };
    const Interval3 offset = pair.b.point(box_b.center) - pair.a.point(box_a.center);
    // Boxes are slabs in axes orthonormal to 1e-13; the margin covers that.
    const double margin =
        question_.distance * (1.0 + remainder_slack) + box_slack * (box_a.half.sum() + box_b.half.sum());
    const auto apart = [&](const Interval& centers, const Interval& reach) {
      return centers.mignitude() > next_up(reach.upper + margin);
    };
    const int p = best.of_a, q = best.of_b;
    if (q == 3) {
      const Interval3 n = axis_a(p);
      Interval reach = box_a.half[p];
      for (int k = 0; k < 3; ++k) reach += share(n, axis_b(k), box_b.half[k]);
      return apart(dot(offset, n), reach);
    }
    if (p == 3) {
      const Interval3 n = axis_b(q);
      Interval reach = box_b.half[q];
      for (int k = 0; k < 3; ++k) reach += share(n, axis_a(k), box_a.half[k]);
      return apart(dot(offset, n), reach);
    }
    const Interval3 a = axis_a(p), b = axis_b(q);
    const Interval reach =
        share(axis_a(p + 2), b, box_a.half[(p + 1) % 3]) + share(axis_a(p + 1), b, box_a.half[(p + 2) % 3]) +
        share(axis_b(q + 2), a, box_b.half[(q + 1) % 3]) + share(axis_b(q + 1), a, box_b.half[(q + 2) % 3]);
    return apart(dot(offset, cross(a, b)), reach);
  }

  double triangles_apart_until(std::int32_t triangle_a, std::int32_t triangle_b,
                               const TimeSpan& span) override {
    if (question_.distance > 0.0) return span.begin;  // the equations speak of touching only
    const Triangle a = triangle_of(question_.a.shape->mesh, static_cast<std::size_t>(triangle_a));
    const Triangle b = triangle_of(question_.b.shape->mesh, static_cast<std::size_t>(triangle_b));
    return first_root(a, b, span, 0);
  }

 private:
  enum class Decision { Apart, Overlap, Open };

  // Boxes that overlap at the start are not apart over the span, and those that do not close their gap are.
  // Whether the intervals are worth asking in between is a matter of speed alone.
  Decision decided_at_begin(const PairOverSpan& pair, const Obb& box_a, const Obb& box_b,
                            const BoxGap& box) const {
    const PairAtTime& at = pair.at;
    if (!(box.gap > question_.distance)) return Decision::Overlap;
    const double duration = pair.span.end - pair.span.begin;
    const Vector3 pa = at.pose_a.apply(box_a.center), pb = at.pose_b.apply(box_b.center);
    const double closed = directed_displacement(at.motion_a, {&pa, 1}, radius_of(box_a), box.axis, duration) +
                          directed_displacement(at.motion_b, {&pb, 1}, radius_of(box_b), -box.axis, duration);
    const double size = pa.cwiseAbs().sum() + pb.cwiseAbs().sum() + box_a.half.sum() + box_b.half.sum();
    const double room = box.gap - question_.distance - at.padding - gap_slack * size;
    if (room > closed) return Decision::Apart;
    return room > worth_asking * closed ? Decision::Open : Decision::Overlap;
  }

  const PairOverSpan& over(const TimeSpan& span) {
    std::unique_ptr<PairOverSpan>& slot = cache_[std::hash<double>()(span.begin) % cache_.size()];
    if (!slot || slot->span.begin != span.begin || slot->span.end != span.end)
      slot = std::make_unique<PairOverSpan>(question_, span);
    return *slot;
  }

  // The earliest time at which one of the elementary equations may vanish, to 2^-10 of the span.
  double first_root(const Triangle& a, const Triangle& b, const TimeSpan& span, int depth) {
    if (no_equation_vanishes(a, b, over(span))) return span.end;
    const double middle = span.begin + 0.5 * (span.end - span.begin);
    if (depth == 6 || !(middle > span.begin && middle < span.end)) return span.begin;
    const double root = first_root(a, b, {span.begin, middle}, depth + 1);
    return root < middle ? root : first_root(a, b, {middle, span.end}, depth + 1);
  }

  static bool no_equation_vanishes(const Triangle& a, const Triangle& b, const PairOverSpan& pair) {
    std::array<Interval3, 3> corner_a, corner_b, edge_a, edge_b;
    for (int k = 0; k < 3; ++k) {
      corner_a[k] = pair.a.point(a[k]);
      corner_b[k] = pair.b.point(b[k]);
      edge_a[k] = pair.a.direction(a[(k + 1) % 3] - a[k]);
      edge_b[k] = pair.b.direction(b[(k + 1) % 3] - b[k]);
    }
    const auto vanishes = [](const Interval& f) { return f.contains(0.0); };
    const Interval3 normal_a = cross(edge_a[0], edge_a[1]), normal_b = cross(edge_b[0], edge_b[1]);
    for (int i = 0; i < 3; ++i) {
      if (vanishes(dot(corner_a[i] - corner_b[0], normal_b)) ||
          vanishes(dot(corner_b[i] - corner_a[0], normal_a)))
        return false;
      for (int j = 0; j < 3; ++j) {
        if (vanishes(dot(corner_b[j] - corner_a[i], cross(edge_a[i], edge_b[j])))) return false;
      }
    }
    return true;
  }

  const SearchQuestion& question_;
  const ObbTree& a_;
  const ObbTree& b_;
  std::array<std::unique_ptr<PairOverSpan>, 64> cache_;
};

}  // namespace

SearchAnswer search_contact(const SearchQuestion& question) {
  IntervalMethod method(question);
  const Topologies trees = {obb_tree_of(*question.a.shape).topology, obb_tree_of(*question.b.shape).topology};
  return subdivide_to_contact(question, trees, method);
}

}  // namespace toccata::interval
