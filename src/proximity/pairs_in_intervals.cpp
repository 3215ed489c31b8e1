// A span is looked at in its middle: the exact distance there, less what the two can approach within half of
// the span (the largest speed of any point of one as the other sees it, by intervals).
#include "proximity/pairs_in_intervals.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "hierarchy/shape_data.hpp"
#include "motion/rotation.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::proximity {
namespace {

// A part at one moment: where it stands as doubles, and how far any of its points may be from there.
struct Standing {
  Pose pose;
  double slack = 0.0;
};

Standing standing(const IntervalFrame& frame, const ThingPart& part) {
  const IntervalMatrix rotation =
      frame.rotation * IntervalMatrix::of(nearest_rotation(part.pose.rotation), 32.0 * unit_roundoff);
  const IntervalVector place = frame.place + frame.rotation * IntervalVector::of(part.pose.translation);
  Standing result;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k)
      result.pose.rotation(i, k) =
          rotation.rows[static_cast<std::size_t>(i)].x[static_cast<std::size_t>(k)].middle();
    result.pose.translation[i] = place.x[static_cast<std::size_t>(i)].middle();
  }
  result.pose.rotation = nearest_rotation(result.pose.rotation);
  Interval turned = 0.0, moved = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      turned += square(rotation.rows[i].x[k] -
                       Interval(result.pose.rotation(static_cast<int>(i), static_cast<int>(k))));
    moved += square(place.x[i] - Interval(result.pose.translation[static_cast<int>(i)]));
  }
  const ShapeData& data = part.shape.data();
  // A half space reaches everywhere; it stands where it is given, as obstacles do.
  const double reach = data.is_half_space() ? 0.0 : data.center.norm() + data.radius;
  // The distance is that of world coordinates rounded to double: four roundings each.
  result.slack = (sqrt(turned).upper * reach + sqrt(moved).upper +
                  32.0 * unit_roundoff * (reach + result.pose.translation.norm())) *
                 (1.0 + 16.0 * unit_roundoff);
  return result;
}

// At most, over the span: how fast a point of `part` moves as the other one sees it.
double largest_speed(const IntervalFrame& own, const IntervalFrame& other, const ThingPart& part) {
  const ShapeData& data = part.shape.data();
  if (data.is_half_space()) return std::numeric_limits<double>::infinity();
  const IntervalVector arm = own.rotation * IntervalVector::of(part.pose.apply(data.center));
  const IntervalVector center = own.place + arm;
  const IntervalVector velocity =
      own.velocity + cross(own.spin, arm) - other.velocity - cross(other.spin, center - other.place);
  // The part's pose was applied with rounding: the ball about the centre is that much larger.
  const double radius =
      data.radius + 64.0 * unit_roundoff * (data.radius + data.center.norm() + part.pose.translation.norm());
  return (norm(velocity) + norm(own.spin - other.spin) * Interval(next_up(radius))).upper;
}

std::string add_part(Thing& thing, const Geometry& geometry, const Pose& pose) {
  Expected<Shape> shape = Shape::build(geometry);
  if (!shape) return "'" + thing.name + "': " + shape.error().message;
  if (shape->piece_count() > 0) thing.parts.push_back({std::move(*shape), pose});
  return {};
}

std::string add_parts(Thing& thing, const std::vector<CompoundPart>& shapes) {
  const Compound compound{shapes};
  for (const CompoundPart& part : flattened(compound)) {
    if (std::string failure = add_part(thing, part.geometry, part.pose); !failure.empty()) return failure;
  }
  return {};
}

bool is_closed_mesh(const ThingPart& part) {
  return part.shape.is_mesh() && part.shape.is_closed();
}

}  // namespace

Expected<PairsInIntervals> PairsInIntervals::build(const ArticulatedBody& robot, const ObstacleScene& scene,
                                                   const JointPath& path, const PairRules& rules) {
  Expected<IntervalKinematics> kinematics = IntervalKinematics::build(robot, path);
  if (!kinematics) return kinematics.error();
  PairsInIntervals result(path, std::move(*kinematics));
  if (std::string failure = result.add_things(robot, scene); !failure.empty())
    return Error{std::move(failure)};
  result.collect_pairs(scene, rules);
  return result;
}

std::string PairsInIntervals::add_things(const ArticulatedBody& robot, const ObstacleScene& scene) {
  std::map<std::string, std::int32_t> links;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const Link& link = robot.links[i];
    links[link.name] = static_cast<std::int32_t>(i);
    things_.push_back({link.name, static_cast<std::int32_t>(i), link.robot});
    if (std::string failure = add_parts(things_.back(), link.shapes); !failure.empty()) return failure;
  }
  for (const AttachedObject& object : scene.attached) {
    const auto link = links.find(object.link);
    if (link == links.end())
      return "'" + object.name + "' is attached to link '" + object.link + "', which the robot does not have";
    things_.push_back({object.name, link->second, robot.links[static_cast<std::size_t>(link->second)].robot});
    if (std::string failure = add_parts(things_.back(), object.shapes); !failure.empty()) return failure;
    allow(object.name, object.link);
    for (const std::string& touched : object.touch_links) allow(object.name, touched);
  }
  std::map<std::string, std::size_t> obstacles;
  for (const Obstacle& obstacle : scene.obstacles) {
    const auto [place, is_new] = obstacles.emplace(obstacle.name, things_.size());
    if (is_new) things_.push_back({obstacle.name, -1});
    if (std::string failure = add_part(things_[place->second], obstacle.geometry, obstacle.pose);
        !failure.empty())
      return failure;
  }
  return {};
}

void PairsInIntervals::allow(const std::string& a, const std::string& b) {
  allowed_.emplace(a, b);
  allowed_.emplace(b, a);
}

void PairsInIntervals::collect_pairs(const ObstacleScene& scene, const PairRules& rules) {
  for (const AllowedPair& pair : rules.allowed) allow(pair.a, pair.b);
  for (const AllowedPair& pair : scene.allowed) allow(pair.a, pair.b);
  for (std::size_t i = 0; i < things_.size(); ++i) {
    for (std::size_t k = i + 1; k < things_.size(); ++k) {
      // Obstacles come last.
      const Thing &a = things_[i], &b = things_[k];
      if (a.link < 0 || a.parts.empty() || b.parts.empty() || allowed_.contains({a.name, b.name})) continue;
      if (b.link >= 0) {
        if (!rules.self_contact) continue;
        const int joints = kinematics_.joints_between(a.link, b.link);
        if (joints == 0 || (joints == 1 && rules.adjacent_allowed && a.robot == b.robot)) continue;
      }
      pairs_.push_back({&a, &b});
    }
  }
}

std::optional<Interval> PairsInIntervals::within(int piece, double begin, double end) const {
  const auto i = static_cast<std::size_t>(piece);
  const double from = std::max(begin, path_->times()[i]), till = std::min(end, path_->times()[i + 1]);
  // Two pieces share a moment: one of them has it.
  if (from > till || (from == till && begin < end)) return {};
  return Interval(from, till);
}

// Both in the frame of the closest link that both hang on; obstacles stand in the root's.
PairsInIntervals::Frames PairsInIntervals::frames(const PairOfThings& pair, int piece, double begin,
                                                  double end) const {
  Frames result;
  const std::int32_t top =
      pair.b->link < 0 ? kinematics_.root() : kinematics_.common_ancestor(pair.a->link, pair.b->link);
  result.a = kinematics_.frame(pair.a->link, top, piece, begin, end);
  if (pair.b->link >= 0) result.b = kinematics_.frame(pair.b->link, top, piece, begin, end);
  return result;
}

SpanBound PairsInIntervals::bound(const PairOfThings& pair, const ThingPart& a, const ThingPart& b, int piece,
                                  double begin, double end) const {
  SpanBound result;
  result.middle = std::clamp(0.5 * begin + 0.5 * end, begin, end);
  const Frames now = frames(pair, piece, result.middle, result.middle);
  const Standing at_a = standing(now.a, a), at_b = standing(now.b, b);
  const DistanceResult found = distance({a.shape, at_a.pose}, {b.shape, at_b.pose});
  result.distance = found.distance;
  result.slack = next_up(at_a.slack + at_b.slack);
  const Frames all = frames(pair, piece, begin, end);
  const double speed = std::min(largest_speed(all.a, all.b, a), largest_speed(all.b, all.a, b));
  const double half = next_up(std::max(result.middle - begin, end - result.middle));
  result.lower = next_down(next_down(found.lower_distance - result.slack) - next_up(half * speed));
  return result;
}

bool PairsInIntervals::is_inside_at_start(const PairOfThings& pair, const ThingPart& a,
                                          const ThingPart& b) const {
  if (!is_closed_mesh(a) && !is_closed_mesh(b)) return false;
  const Frames at_start = frames(pair, 0, 0.0, 0.0);
  const PlacedShape first(a.shape, standing(at_start.a, a).pose),
      second(b.shape, standing(at_start.b, b).pose);
  const auto is_inside = [](Containment c) { return c == Containment::Inside || c == Containment::Mixed; };
  return (is_closed_mesh(a) && is_inside(containment(second, first))) ||
         (is_closed_mesh(b) && is_inside(containment(first, second)));
}

}  // namespace toccata::proximity
