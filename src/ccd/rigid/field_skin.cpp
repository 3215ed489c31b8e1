#include "ccd/rigid/field_skin.hpp"

#include <algorithm>
#include <cmath>

#include "ccd/search/pair_state.hpp"
#include "hierarchy/height_tree.hpp"

namespace toccata::rigid {

using namespace search;
namespace {

// Of all lengths that enter a height: far more than their roundings.
constexpr double rounding_share = 1e-12;

// The body against a field that stands still.
class Above {
 public:
  Above(const MovingShape& field, const MovingShape& body, double begin)
      : body_(body), span_(1.0 - begin), tree_(*field.shape->tree.heights) {
    const Pose stand = field.motion->pose(begin);
    up_ = stand.rotation.col(2);
    e_ = body.motion->expansion(begin, 1.0);
    const Vector3 place = body.motion->pose(begin).apply(body.shape->center);
    const PoseError error = body.motion->pose_error(), of_field = field.motion->pose_error();
    arm_ = (place - e_.center).norm() + body.shape->radius;
    const double lengths = place.norm() + body.shape->center.norm() + arm_ + e_.center.norm() +
                           span_ * e_.velocity.norm() + stand.translation.norm() +
                           field.shape->center.norm() + field.shape->radius;
    error_ = error.translation + of_field.translation +
             (error.rotation + of_field.rotation + rounding_share) * lengths;
    height_ = up_.dot(place - stand.translation);
    center_height_ = up_.dot(e_.center - stand.translation);
    highest_ = 2.0 * field.shape->center.z() - tree_.floor();
  }

  // A ball around the body is above all of the field at the start.
  bool starts_above() const { return height_ - body_.shape->radius - error_ > highest_; }

  // A ball about the centre that moves straight is above the floor until the end.
  bool stays_above_floor(double margin) const {
    const double lowest = std::min(center_height_, center_height_ + span_ * up_.dot(e_.velocity));
    const double slack = span_ * (e_.speed_slack + e_.spin_slack * arm_) +
                         0.5 * span_ * span_ * (e_.acceleration + e_.spin_acceleration * arm_);
    return e_.steady && lowest - arm_ - slack - error_ - margin > tree_.floor();
  }

 private:
  const MovingShape& body_;
  double span_;
  const HeightTree& tree_;
  Vector3 up_;
  MotionExpansion e_;
  double arm_;  // no point of the body is farther from the expansion's centre
  double error_;
  double height_;
  double center_height_;
  double highest_;
};

bool meets_skin_first(const SearchQuestion& q, const MovingShape& field, const MovingShape& body,
                      QueryStats& stats) {
  if (field.shape->tree.heights == nullptr || !field.motion->is_fixed() || body.shape->tree.empty() ||
      body.shape->is_half_space() || body.shape->tree.heights != nullptr ||
      body.motion->next_breakpoint(q.start) < 1.0)
    return false;
  const Above above(field, body, q.start);
  if (!above.stays_above_floor(q.distance + q.tolerance)) return false;
  if (above.starts_above()) return true;
  const PairState state = PairStates(q.a, q.b).at(q.start, q.start);
  return touching_pieces(at_rest(state, q.a, q.b), q.distance + q.tolerance, 1, stats).empty();
}

}  // namespace

void see_skin(SearchQuestion& question, QueryStats& stats) {
  question.a.on_skin = meets_skin_first(question, question.a, question.b, stats);
  question.b.on_skin = meets_skin_first(question, question.b, question.a, stats);
}

}  // namespace toccata::rigid
