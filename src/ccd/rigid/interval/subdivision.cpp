#include "ccd/rigid/interval/subdivision.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace toccata::interval {

using namespace search;
namespace {

struct Pending {
  TimeSpan span;
  std::int32_t a;
  std::int32_t b;
};

constexpr double good_step_share = 0.05;
// Time is split first where nodes move more than this share of their size: short spans prove much, and cost
// less than the pairs that long ones leave.
constexpr double most_motion = 0.1;

struct Later {
  bool operator()(const Pending& x, const Pending& y) const {
    if (x.span.begin != y.span.begin) return x.span.begin > y.span.begin;
    if (x.span.end != y.span.end) return x.span.end > y.span.end;
    return x.a != y.a ? x.a > y.a : x.b > y.b;
  }
};

class Search {
 public:
  Search(const SearchQuestion& question, const Topologies& trees, SubdivisionMethod& method)
      : question_(question), trees_(trees), method_(method) {}

  SearchAnswer run() {
    answer_.time = question_.end;
    if (trees_.a.nodes.empty() || trees_.b.nodes.empty()) return answer_;
    for (double t = question_.start; t < question_.end || t == question_.start;) {
      const double end = smooth_until(question_, t);
      queue_.push({{t, end}, 0, 0});
      if (!(end > t)) break;
      t = end;
    }
    while (!queue_.empty()) {
      const Pending pending = queue_.top();
      queue_.pop();
      if (is_out_of_budget(question_, answer_.stats)) {
        answer_.ending = SearchAnswer::Ending::OutOfBudget;
        answer_.time = pending.span.begin;
        return answer_;
      }
      if (is_leaf(trees_.a, pending.a) && is_leaf(trees_.b, pending.b)) {
        if (leaf(pending)) return answer_;
      } else {
        inner(pending);
      }
    }
    return answer_;
  }

 private:
  static bool is_leaf(const Topology& tree, std::int32_t node) { return tree.nodes[node].right < 0; }
  static std::int32_t triangle(const Topology& tree, std::int32_t node) {
    return tree.order[tree.nodes[node].first];
  }

  void push(const TimeSpan& span, std::int32_t a, std::int32_t b) {
    ++answer_.stats.node_pairs;
    if (!method_.nodes_apart(a, b, span)) queue_.push({span, a, b});
  }

  void inner(const Pending& p) {
    const double middle = p.span.begin + 0.5 * (p.span.end - p.span.begin);
    if (method_.motion_of_nodes(p.a, p.b, p.span) > most_motion && middle > p.span.begin &&
        middle < p.span.end) {
      ++answer_.stats.steps;
      push({p.span.begin, middle}, p.a, p.b);
      push({middle, p.span.end}, p.a, p.b);
      return;
    }
    const bool open_a =
        is_leaf(trees_.b, p.b) || (!is_leaf(trees_.a, p.a) && method_.radius_a(p.a) > method_.radius_b(p.b));
    if (open_a) {
      push(p.span, p.a + 1, p.b);
      push(p.span, trees_.a.nodes[p.a].right, p.b);
    } else {
      push(p.span, p.a, p.b + 1);
      push(p.span, p.a, trees_.b.nodes[p.b].right);
    }
  }

  // True when this pair is the answer.
  bool leaf(const Pending& p) {
    ++answer_.stats.piece_pairs;
    const std::int32_t a = triangle(trees_.a, p.a), b = triangle(trees_.b, p.b);
    const PairAtTime at(question_, p.span.begin, p.span.end);
    const TriangleAdvance advance = triangle_advance(question_, at, a, b);
    // No provable step: closer than rounding can tell, which counts as contact.
    if (advance.distance <= question_.distance + question_.tolerance ||
        !(later(p.span.begin, advance.step) > p.span.begin)) {
      answer_.ending = SearchAnswer::Ending::Contact;
      answer_.time = p.span.begin;
      answer_.piece_a = a;
      answer_.piece_b = b;
      return true;
    }
    ++answer_.stats.steps;
    double free_until = later(p.span.begin, advance.step);
    // The equations are asked where steps are short; a step costs a tenth of them.
    if (free_until < p.span.end && advance.step < good_step_share * (p.span.end - p.span.begin)) {
      free_until = std::max(free_until, method_.triangles_apart_until(a, b, {p.span.begin, p.span.end}));
    }
    if (free_until < p.span.end) queue_.push({{free_until, p.span.end}, p.a, p.b});
    return false;
  }

  const SearchQuestion& question_;
  const Topologies& trees_;
  SubdivisionMethod& method_;
  std::priority_queue<Pending, std::vector<Pending>, Later> queue_;
  SearchAnswer answer_;
};

}  // namespace

SearchAnswer subdivide_to_contact(const SearchQuestion& question, const Topologies& trees,
                                  SubdivisionMethod& method) {
  return Search(question, trees, method).run();
}

}  // namespace toccata::interval
