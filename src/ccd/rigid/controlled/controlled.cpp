// Notation of the paper: w controls the depth of the front in the first R_max iterations, while the bodies
// are farther apart than D_threshold; a pair of nodes is opened if its distance is below w d_cur, otherwise
// it bounds the step; a pair whose own step covers the remaining time Lambda is rejected with all below it.
//
// Differences, where the released code answers late or creeps: arms are taken to the rotation axis and the
// approach is signed, with a second-order bound beside the lemmas; every iteration begins with the pair of
// triangles that was nearest in the last one, so that d_cur prunes from the start; and the last iterations
// run with w = 1 to the tolerance that was asked for. Where the released code begins every iteration at the
// roots, this one goes on from the front of the last: a pair of it is measured again only where the time up
// to which it was proven apart would bound the step, and what was rejected stays so.
#include "ccd/rigid/controlled/controlled.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bound/rectangle_fit.hpp"
#include "ccd/rigid/controlled/rectangle_steps.hpp"
#include "ccd/search/triangle_advance.hpp"
#include "hierarchy/volume_tree.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::controlled {

using namespace search;
namespace {

constexpr double front_control = 0.4;        // w, the paper's 0.3 to 0.5
constexpr int controlled_iterations = 4;     // R_max
constexpr double distance_threshold = 0.02;  // D_threshold, as a fraction of the smaller body's size

using Tree = hierarchy::VolumeTree<RectangleSweptSphere>;
using Node = Tree::Node;

const Tree& tree_of(const ShapeData& shape) {
  return shape.controlled.get<Tree>(
      [&] { return Tree(shape, hierarchy::binary_tree_of(shape), bound::fit_rectangle); });
}

struct NearestPair {
  std::int32_t a = -1;
  std::int32_t b = -1;
  bool known() const { return a >= 0; }
};

// Two nodes that were not opened, or two triangles.
struct FrontPair {
  std::int32_t a;
  std::int32_t b;
  double apart_until;
};

// What the iterations of one smooth part of the motions have left. All other pairs are apart until its end.
struct Front {
  double end = -1.0;  // of that part
  std::vector<FrontPair> pairs;
  std::vector<FrontPair> last;  // of the iteration before
};

class Iteration {
 public:
  Iteration(const SearchQuestion& question, const PairAtTime& at, const PairState& state, QueryStats& stats,
            Front& front)
      : time_(state.time),
        front_(front),
        question_(question),
        at_(at),
        a_(tree_of(*question.a.shape)),
        b_(tree_of(*question.b.shape)),
        rectangles_(state, question.a.shape->center, question.b.shape->center,
                    at.motion_a.steady && at.motion_b.steady, question.distance),
        stats_(stats) {}

  void look_at(const NearestPair& pair) { look_at(pair.a, pair.b); }

  // The front with control w, up to `end`.
  void run(double w, double end) {
    w_ = w;
    remaining_ = end - time_;
    if (front_.end != end) {
      front_.end = end;
      front_.pairs.assign(1, {0, 0, time_});
    }
    const NearestPair guess = nearest;
    const double guess_step = step;
    std::swap(front_.pairs, front_.last);
    front_.pairs.clear();
    // The first to come first, until what is left bounds nothing.
    const auto is_later = [](const FrontPair& x, const FrontPair& y) {
      return x.apart_until > y.apart_until;
    };
    std::make_heap(front_.last.begin(), front_.last.end(), is_later);
    while (!front_.last.empty() && next_down(front_.last.front().apart_until - time_) < step) {
      std::pop_heap(front_.last.begin(), front_.last.end(), is_later);
      const FrontPair pair = front_.last.back();
      front_.last.pop_back();
      if (guess.known() && is_of(pair, guess)) {
        keep(pair.a, pair.b, guess_step);
      } else {
        open_or_bound(measured(pair.a, pair.b));
      }
    }
    front_.pairs.insert(front_.pairs.end(), front_.last.begin(), front_.last.end());
  }

  double distance = std::numeric_limits<double>::infinity();  // d_cur
  double step = std::numeric_limits<double>::infinity();      // dt_cur
  NearestPair nearest;

 private:
  struct Pair {
    std::int32_t a;
    std::int32_t b;
    double distance;
    double step;
  };

  Pair measured(std::int32_t i, std::int32_t j) {
    ++stats_.node_pairs;
    const RectangleStep r = rectangles_.measured(a_.nodes()[i].volume, b_.nodes()[j].volume, w_ * distance);
    return {i, j, r.distance, r.step};
  }

  bool is_of(const FrontPair& pair, const NearestPair& triangles) const {
    const Node &node_a = a_.nodes()[pair.a], &node_b = b_.nodes()[pair.b];
    return node_a.is_leaf() && node_b.is_leaf() && a_.order()[node_a.first] == triangles.a &&
           b_.order()[node_b.first] == triangles.b;
  }

  void keep(std::int32_t a, std::int32_t b, double apart_for) {
    if (apart_for < remaining_) front_.pairs.push_back({a, b, later(time_, apart_for)});
  }

  void visit(const Pair& pair) {
    const Node &node_a = a_.nodes()[pair.a], &node_b = b_.nodes()[pair.b];
    if (node_a.is_leaf() && node_b.is_leaf()) {
      keep(pair.a, pair.b, look_at(a_.order()[node_a.first], b_.order()[node_b.first]));
      return;
    }
    Pair first, second;
    if (node_b.is_leaf() || (!node_a.is_leaf() && size_of(node_a) > size_of(node_b))) {
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

  static double size_of(const Node& node) { return node.volume.half.sum() + node.volume.radius; }

  void open_or_bound(const Pair& pair) {
    if (pair.step >= remaining_) return;                            // early rejection
    if (pair.step >= step) return keep(pair.a, pair.b, pair.step);  // it bounds nothing, opened or not
    if (pair.distance < w_ * distance) {
      visit(pair);
    } else {
      step = std::min(step, pair.step);
      keep(pair.a, pair.b, pair.step);
    }
  }

  // For how long they stay apart.
  double look_at(std::int32_t i, std::int32_t j) {
    ++stats_.piece_pairs;
    const TriangleAdvance advance = triangle_advance(question_, at_, i, j);
    step = std::min(step, advance.step);
    if (advance.distance < distance ||
        (advance.distance == distance && (i < nearest.a || (i == nearest.a && j < nearest.b)))) {
      distance = advance.distance;
      nearest = {i, j};
    }
    return advance.step;
  }

  double time_;
  Front& front_;

  const SearchQuestion& question_;
  const PairAtTime& at_;
  const Tree& a_;
  const Tree& b_;
  RectangleSteps rectangles_;
  double w_ = 1.0;
  double remaining_ = 1.0;
  QueryStats& stats_;
};

SearchAnswer& contact_at(SearchAnswer& answer, double t, const NearestPair& pair) {
  answer.ending = SearchAnswer::Ending::Contact;
  answer.time = t;
  answer.piece_a = pair.a;
  answer.piece_b = pair.b;
  return answer;
}

}  // namespace

void prepare(const ShapeData& shape) {
  tree_of(shape);
}

SearchAnswer search_contact(const SearchQuestion& question) {
  SearchAnswer answer;
  answer.time = question.end;
  if (question.a.shape->mesh.faces.empty() || question.b.shape->mesh.faces.empty()) return answer;
  const double threshold = distance_threshold * std::min(question.a.shape->radius, question.b.shape->radius);
  const double near = question.distance + question.tolerance;
  double t = question.start, last_distance = std::numeric_limits<double>::infinity();
  bool careful = false;  // the controlled front found no progress here
  NearestPair guess;
  PairStates states(question.a, question.b);
  Front front;
  for (int iteration = 0;; ++iteration) {
    const double t_end = smooth_until(question, t);
    const PairAtTime at(question, t, t_end);
    Iteration pass(question, at, states.at(t, t_end), answer.stats, front);
    ++answer.stats.steps;
    if (guess.known()) {
      pass.look_at(guess);
      if (pass.distance <= near) return contact_at(answer, t, guess);  // nothing touched before t
    }
    const bool control =
        !careful && iteration < controlled_iterations && std::min(last_distance, pass.distance) > threshold;
    pass.run(control ? front_control : 1.0, t_end);
    last_distance = pass.distance;
    guess = pass.nearest;
    const double next = pass.step >= t_end - t ? t_end : later(t, pass.step);
    // No provable step with the full front: closer than rounding can tell, which counts as contact.
    const bool stuck = !control && !(next > t) && t < t_end;
    if (guess.known() && (stuck || pass.distance <= near)) return contact_at(answer, t, guess);
    if (stuck || is_out_of_budget(question, answer.stats)) {
      answer.ending = SearchAnswer::Ending::OutOfBudget;
      answer.time = t;
      return answer;
    }
    if (next >= question.end) return answer;
    careful = !(next > t) || pass.step < 1e-3 * (t_end - t);
    t = next;
  }
}

}  // namespace toccata::controlled
