// Notation of the paper: w controls the depth of the front in the first R_max iterations, while the bodies
// are farther apart than D_threshold; a pair of nodes is opened if its distance is below w d_cur, otherwise
// it bounds the step; a pair whose own step covers the remaining time Lambda is rejected with all below it.
//
// Two differences, where the released code answers late or creeps: arms are taken to the rotation axis and
// the approach is signed (directed_step), and the last iterations run with w = 1 to the tolerance that was
// asked for.
#include "ccd/rigid/controlled.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "ccd/rigid/rigid_shape_data.hpp"
#include "ccd/rigid/triangle_advance.hpp"
#include "toccata/bound/rectangle_swept_sphere.hpp"
#include "toccata/hierarchy/hierarchy.hpp"

namespace toccata {
namespace {

constexpr double front_control = 0.4;        // w, the paper's 0.3 to 0.5
constexpr int controlled_iterations = 4;     // R_max
constexpr double distance_threshold = 0.02;  // D_threshold, as a fraction of the smaller body's size

using Tree = Hierarchy<RectangleSweptSphere>;
using Node = Tree::Node;

const Tree& tree_of(const MovingShape& body) {
  return body.shape->controlled.get<Tree>([&] { return Tree(body.shape->mesh, {1, 0}); });
}

class Iteration {
 public:
  Iteration(const AdvancementQuestion& question, const PairAtTime& at, double w, double remaining,
            QueryStats& stats)
      : question_(question),
        at_(at),
        a_(tree_of(question.a)),
        b_(tree_of(question.b)),
        w_(w),
        remaining_(remaining),
        stats_(stats) {}

  void run() {
    Pair root = measured(0, 0);
    if (root.step < remaining_) visit(root);
  }

  double distance = std::numeric_limits<double>::infinity();  // d_cur
  double step = std::numeric_limits<double>::infinity();      // dt_cur
  std::int32_t triangle_a = -1;
  std::int32_t triangle_b = -1;

 private:
  struct Pair {
    std::int32_t a;
    std::int32_t b;
    double distance;
    double step;
  };

  static std::array<Vector3, 4> corners(const RectangleSweptSphere& v) {
    const Vector3 x = v.half.x() * v.axes.col(0), y = v.half.y() * v.axes.col(1);
    return {v.center - x - y, v.center + x - y, v.center + x + y, v.center - x + y};
  }

  Pair measured(std::int32_t i, std::int32_t j) {
    ++stats_.node_pairs;
    const RectangleSweptSphere va = transformed(at_.pose_a, a_.nodes()[i].volume),
                               vb = transformed(at_.pose_b, b_.nodes()[j].volume);
    const DirectedDistance d = directed_lower_distance(va, vb);
    Pair pair = {i, j, d.lower_distance, 0.0};
    const double gap = d.lower_distance - question_.distance - at_.padding;
    if (gap > 0.0) {
      // The corners as rounded are off by less than their padding, which the radius takes in.
      const auto corners_a = corners(va), corners_b = corners(vb);
      const double slack = 1e-12 * (va.half.sum() + vb.half.sum()) + at_.padding;
      pair.step = directed_step(at_, gap - 1e-12 * (va.half.sum() + vb.half.sum()), d.direction,
                                {corners_a, va.radius + slack}, {corners_b, vb.radius + slack});
    }
    return pair;
  }

  void visit(const Pair& pair) {
    const Node &node_a = a_.nodes()[pair.a], &node_b = b_.nodes()[pair.b];
    if (node_a.is_leaf() && node_b.is_leaf()) {
      look_at(a_.order()[node_a.first], b_.order()[node_b.first]);
      return;
    }
    Pair first, second;
    if (node_b.is_leaf() || (!node_a.is_leaf() && radius_of(node_a.volume) > radius_of(node_b.volume))) {
      first = measured(pair.a + 1, pair.b);
      second = measured(node_a.right, pair.b);
    } else {
      first = measured(pair.a, pair.b + 1);
      second = measured(pair.a, node_b.right);
    }
    if (second.distance < first.distance) std::swap(first, second);
    open_or_bound(first);
    open_or_bound(second);
  }

  void open_or_bound(const Pair& pair) {
    if (pair.step >= remaining_) return;  // early rejection
    if (pair.distance < w_ * distance) {
      visit(pair);
    } else {
      step = std::min(step, pair.step);
    }
  }

  void look_at(std::int32_t i, std::int32_t j) {
    ++stats_.triangle_pairs;
    const TriangleAdvance advance = triangle_advance(question_, at_, i, j);
    step = std::min(step, advance.step);
    if (advance.distance < distance ||
        (advance.distance == distance && (i < triangle_a || (i == triangle_a && j < triangle_b)))) {
      distance = advance.distance;
      triangle_a = i;
      triangle_b = j;
    }
  }

  const AdvancementQuestion& question_;
  const PairAtTime& at_;
  const Tree& a_;
  const Tree& b_;
  double w_;
  double remaining_;
  QueryStats& stats_;
};

}  // namespace

AdvancementAnswer controlled_to_contact(const AdvancementQuestion& question) {
  AdvancementAnswer answer;
  answer.time = question.end;
  if (question.a.shape->mesh.faces.empty() || question.b.shape->mesh.faces.empty()) return answer;
  const double threshold = distance_threshold * std::min(question.a.shape->radius, question.b.shape->radius);
  double t = question.begin, last_distance = std::numeric_limits<double>::infinity();
  bool careful = false;  // the controlled front found no progress here
  for (int iteration = 0;; ++iteration) {
    const double t_end = smooth_until(question, t);
    const PairAtTime at(question, t, t_end);
    const bool control = !careful && iteration < controlled_iterations && last_distance > threshold;
    Iteration pass(question, at, control ? front_control : 1.0, t_end - t, answer.stats);
    pass.run();
    ++answer.stats.steps;
    last_distance = pass.distance;
    const double next = pass.step >= t_end - t ? t_end : later(t, pass.step);
    // No provable step with the full front: closer than rounding can tell, which counts as contact.
    const bool stuck = !control && !(next > t) && t < t_end;
    if (pass.triangle_a >= 0 && (stuck || pass.distance <= question.distance + question.tolerance)) {
      answer.ending = AdvancementAnswer::Ending::Contact;
      answer.time = t;
      answer.triangle_a = pass.triangle_a;
      answer.triangle_b = pass.triangle_b;
      return answer;
    }
    if (question.budget > 0 && answer.stats.node_pairs + answer.stats.triangle_pairs > question.budget) {
      answer.ending = AdvancementAnswer::Ending::OutOfBudget;
      answer.time = t;
      return answer;
    }
    if (next >= question.end) return answer;
    careful = !(next > t) || pass.step < 1e-3 * (t_end - t);
    t = next;
  }
}

}  // namespace toccata
