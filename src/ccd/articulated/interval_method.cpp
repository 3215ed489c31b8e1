#include "ccd/articulated/interval_method.hpp"

#include <algorithm>
#include <map>

#include "base/stop_watch.hpp"
#include "proximity/pairs_in_intervals.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::articulated {
namespace {

using namespace proximity;

constexpr int most_halvings = 50;

class IntervalSearch {
 public:
  IntervalSearch(const PreparedRobot& robot, const JointPath& path, const PathLimits& limits,
                 const PairsInIntervals& things)
      : robot_(robot), path_(path), limits_(limits), things_(things) {
    for (const Padding& padding : robot.options.paddings) paddings_[padding.name] += padding.distance;
  }

  PathContactResult first() {
    for (const PairOfThings& pair : things_.pairs()) {
      for (const ThingPart& a : pair.a->parts) {
        for (const ThingPart& b : pair.b->parts) {
          if (!look(pair, a, b)) return out_of_budget();
        }
      }
    }
    result_.stats = stats_;
    return std::move(result_);
  }

 private:
  double needed(const PairOfThings& pair) const {
    const auto own = [&](const Thing* thing) {
      const auto found = paddings_.find(thing->name);
      return found == paddings_.end() ? 0.0 : found->second;
    };
    return limits_.distance + robot_.padding + own(pair.a) + own(pair.b) +
           padding_of_pair(robot_.options, pair.a->name, pair.b->name);
  }

  // Until the first contact found so far; false where the budget is spent.
  bool look(const PairOfThings& pair, const ThingPart& a, const ThingPart& b) {
    if (result_.time > 0.0 && things_.is_inside_at_start(pair, a, b)) tell(pair, 0.0);
    const double apart = needed(pair);
    struct Span {
      double begin, end;
      int depth;
    };
    for (int piece = 0; piece < path_.piece_count(); ++piece) {
      const auto i = static_cast<std::size_t>(piece);
      std::vector<Span> waiting = {{path_.times()[i], path_.times()[i + 1], 0}};
      // The earliest first: all before `begin` is proven free.
      while (!waiting.empty()) {
        const Span span = waiting.back();
        waiting.pop_back();
        if (!(span.begin < result_.time)) return true;
        ++stats_.node_pairs;
        if ((limits_.budget > 0 && stats_.node_pairs >= limits_.budget) ||
            (limits_.stop != nullptr && limits_.stop->is_over()))
          return false;
        const SpanBound start = things_.bound(pair, a, b, piece, span.begin, span.begin);
        const SpanBound all = things_.bound(pair, a, b, piece, span.begin, span.end);
        if (start.distance <= apart + limits_.tolerance + start.slack) {
          tell(pair, span.begin);
          return true;
        }
        if (all.lower > apart) continue;
        if (span.depth >= most_halvings || !(span.begin < all.middle && all.middle < span.end)) {
          tell(pair, span.begin);
          return true;
        }
        waiting.push_back({all.middle, span.end, span.depth + 1});
        waiting.push_back({span.begin, all.middle, span.depth + 1});
      }
    }
    return true;
  }

  void tell(const PairOfThings& pair, double t) {
    result_.status = t == 0.0 ? Status::OverlapAtStart : Status::Contact;
    result_.time = result_.lower = t;
    result_.upper = t == 0.0 ? 0.0 : 1.0;
    result_.link_a = pair.a->name;
    result_.link_b = pair.b->name;
    result_.with_scene = pair.b->link < 0;
    const std::vector<Pose> poses = robot_.kinematics.link_poses(path_.values(t));
    const auto placed = [&](const Thing& thing, const ThingPart& part) {
      const Pose pose = thing.link < 0 ? part.pose : poses[static_cast<std::size_t>(thing.link)] * part.pose;
      return PlacedShape(part.shape, pose);
    };
    result_.distance = std::numeric_limits<double>::infinity();
    for (const ThingPart& a : pair.a->parts) {
      for (const ThingPart& b : pair.b->parts) {
        const DistanceResult found = distance(placed(*pair.a, a), placed(*pair.b, b));
        if (!(found.distance < result_.distance)) continue;
        result_.distance = found.distance;
        result_.contact = found.contact;
      }
    }
  }

  PathContactResult out_of_budget() const {
    PathContactResult result;
    result.status = Status::OutOfBudget;
    result.time = result.lower = 0.0;
    result.stats = stats_;
    return result;
  }

  const PreparedRobot& robot_;
  const JointPath& path_;
  const PathLimits& limits_;
  const PairsInIntervals& things_;
  std::map<std::string, double> paddings_;
  PathContactResult result_;
  QueryStats stats_;
};

}  // namespace

PathContactResult interval_contact(const PreparedRobot& robot, const JointPath& path,
                                   const PathLimits& limits) {
  const RobotOptions& options = robot.options;
  const Expected<PairsInIntervals> things = PairsInIntervals::build(
      robot.robot, robot.scene, path, {options.allowed, options.adjacent_allowed, options.self_contact});
  if (!things) {
    PathContactResult result;
    result.status = Status::Failed;
    result.time = result.lower = 0.0;
    result.failure = things.error().message;
    return result;
  }
  return IntervalSearch(robot, path, limits, *things).first();
}

}  // namespace toccata::articulated
