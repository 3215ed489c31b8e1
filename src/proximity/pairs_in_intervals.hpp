#pragma once
// Pairs of things around a robot over spans of time, by interval kinematics and exact distances alone: the
// links, what they hold, and the obstacles, each as it is given, and how far two of them are apart at least.
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "motion/interval_kinematics.hpp"
#include "toccata/geometry/obstacle_scene.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata::proximity {

struct ThingPart {
  Shape shape;
  Pose pose;  // in the link's frame, or in the world
};

// A link, what a link holds, or an obstacle.
struct Thing {
  std::string name;
  std::int32_t link = -1;  // -1: an obstacle
  std::string robot = {};  // Link::robot
  std::vector<ThingPart> parts = {};
};

struct PairOfThings {
  const Thing* a;  // never an obstacle
  const Thing* b;
};

// Which pairs matter.
struct PairRules {
  std::vector<AllowedPair> allowed = {};  // beside those of the scene
  bool adjacent_allowed = true;
  bool self_contact = true;
};

// Two parts over a span of time.
struct SpanBound {
  double middle = 0.0;    // the time in the middle
  double distance = 0.0;  // then; surfaces of meshes
  double slack = 0.0;     // by which poses may be off there
  double lower = 0.0;     // proven for the whole span; may be negative
};

class PairsInIntervals {
 public:
  // All must outlive this object. Errors name the thing that is not all right.
  static Expected<PairsInIntervals> build(const ArticulatedBody& robot, const ObstacleScene& scene,
                                          const JointPath& path, const PairRules& rules);
  PairsInIntervals(PairsInIntervals&&) = default;

  const std::vector<PairOfThings>& pairs() const { return pairs_; }
  // The part of a span that is within a piece of the path; none where they do not meet.
  std::optional<Interval> within(int piece, double begin, double end) const;
  // precondition: begin <= end are of this piece of the path
  SpanBound bound(const PairOfThings& pair, const ThingPart& a, const ThingPart& b, int piece, double begin,
                  double end) const;
  // One of the two is inside the other, a closed mesh, at the start.
  bool is_inside_at_start(const PairOfThings& pair, const ThingPart& a, const ThingPart& b) const;

 private:
  struct Frames {
    IntervalFrame a, b;
  };
  PairsInIntervals(const JointPath& path, IntervalKinematics kinematics)
      : path_(&path), kinematics_(std::move(kinematics)) {}
  std::string add_things(const ArticulatedBody& robot, const ObstacleScene& scene);
  void collect_pairs(const ObstacleScene& scene, const PairRules& rules);
  void allow(const std::string& a, const std::string& b);
  Frames frames(const PairOfThings& pair, int piece, double begin, double end) const;

  const JointPath* path_;
  IntervalKinematics kinematics_;
  std::vector<Thing> things_;
  std::set<std::pair<std::string, std::string>> allowed_;
  std::vector<PairOfThings> pairs_;
};

}  // namespace toccata::proximity
