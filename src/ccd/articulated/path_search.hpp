#pragma once
// The search for contacts along one path: all pairs of bodies in one queue in time.
//
// Of an edge whose ends are nodes of a roadmap, first the distances there, with how far each body gets from
// them. Of each piece of the path, then the balls about the bodies at a few moments, with how far each can
// get around them: most pairs leave there. What is left waits in a queue, each pair at the time up to which
// it is proven apart. The earliest one is looked at: first the hulls of the two bodies, from where they meet
// the bodies themselves, and the first pair that arrives with a contact is the answer.
#include <array>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <vector>

#include "ccd/articulated/prepared_robot.hpp"
#include "ccd/search/contact_search.hpp"
#include "proximity/convex/convex_distance.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"

namespace toccata::articulated {

// Two bodies: of the robot and of the scene, or two of the robot.
struct PathPair {
  std::int32_t body = -1;   // the one that moves
  std::int32_t other = -1;  // an obstacle, or with `self` the number of the self pair
  bool self = false;
};

// A pair that may touch between two times of the path.
struct Candidate {
  PathPair pair;
  double from = 0.0;
  double until = 1.0;
  int probed = 0;     // levels of `probes` at which the two did not touch
  int memory = -1;    // of their hulls, in PathSearch::memories_
  bool hard = false;  // a look at a moment takes too long
};

struct PathLimits {
  double distance = 0.0;  // contact: closer than this and the paddings
  double tolerance = 0.0;
  std::int64_t budget = 0;
  const StopWatch* stop = nullptr;
};

// One thread; kept from path to path, it saves allocations.
class PathSearch {
 public:
  explicit PathSearch(const PreparedRobot& robot) : robot_(robot) {}
  PathSearch(const PathSearch&) = delete;
  PathSearch& operator=(const PathSearch&) = delete;

  // One of them before the questions below.
  void set_path(TreeMotion motion);
  void set_edge(std::span<const double> start, std::span<const double> end);

  // Distances of all pairs at both ends of the edge, as put_clearances gives them; hold until the next path.
  void set_clearances(const float* start, const float* end) { ends_ = {start, end}; }
  // Of all pairs of bodies where the path begins, proven from below: first those of body 0 and all obstacles.
  std::size_t clearance_count() const {
    return robot_.bodies.size() * robot_.obstacles.size() + robot_.self_pairs.size();
  }
  void put_clearances(std::span<float> to);

  PathContactResult first_contact(const PathLimits& limits);
  // A contact at a few moments, or else the first one.
  PathContactResult any_contact(const PathLimits& limits);

  const TreeMotion& motion() const { return motion_; }
  // Pairs that balls do not tell apart within a piece of the path; a distance counts as touching.
  void collect(int piece, double distance, std::vector<Candidate>& candidates);
  double distance_of(const PathPair& pair, double distance) const;
  // Both bodies of a pair as a search sees them, [0] the one that moves; hold until the next path.
  struct Seen {
    search::MovingShape shape[2];
    search::MovingShape hull[2];
    const Outline* outline[2];
    bool has_hulls = false;
  };
  Seen seen(const PathPair& pair);
  std::pair<std::string, std::string> names_of(const PathPair& pair, std::int32_t piece,
                                               std::int32_t other_piece) const;
  // Where the two stand at t, in the frame of the root.
  std::array<Pose, 2> poses_at(const PathPair& pair, double t);
  // Is one of the two inside the other at t, where no surfaces meet?
  Inside inside_at(const PathPair& pair, double t);
  search::SearchMemory& memory() { return memory_; }

 private:
  // A body at the middle of a part of the path: a ball that holds it all the time.
  struct BallState {
    Vector3 center;
    double room = -1.0;  // not known yet
  };
  struct Waiting {
    double time = 0.0;
    int stage = 0;  // 0: hulls, 1: bodies, 2: a contact
    std::size_t candidate = 0;
    std::int32_t piece = -1;
    std::int32_t other_piece = -1;
    Inside inside = Inside::None;

    // The earliest first; of equals the farthest one on, then the first of the pairs.
    bool operator<(const Waiting& b) const {
      if (time != b.time) return time > b.time;
      if (stage != b.stage) return stage < b.stage;
      return candidate > b.candidate;
    }
  };

  void reset();
  PathContactResult search_pieces(const PathLimits& limits, bool any);
  PathContactResult search_piece(int piece, const PathLimits& limits, bool any);
  void look(const Waiting& next, const PathLimits& limits, double end);
  bool find_any(int piece, const PathLimits& limits, PathContactResult& result);
  bool contact_at(double t, Candidate& candidate, const PathLimits& limits, PathContactResult& result);
  PathContactResult told(const Waiting& contact);
  void fill_contact(const PathPair& pair, double t, std::int32_t piece, std::int32_t other_piece,
                    PathContactResult& result);
  void split(int depth, double begin, double end, double distance, std::vector<Candidate>& candidates);
  bool probe(double t, double duration, std::vector<Candidate>& candidates,
             const std::vector<BallState>& balls);
  enum class Hulls { Apart, ApartNow, Meet };
  Hulls look_at_hulls(Candidate& candidate, double t, double duration, double distance);
  BallState ball_of(std::int32_t body, double middle, double duration);
  double ball_gap(const PathPair& pair, const BallState& ball, const BallState& other) const;
  // How far any point of a body gets from where it is at t, within half an edge before and after: after s at
  // most s (speed + acceleration s / 2) + slack.
  struct Leaving {
    double speed = 0.0;
    double acceleration = 0.0;
    double slack = 0.0;
  };
  Leaving leaving(std::int32_t body, double t);
  // Leaves the times at which a pair is not apart by what is known of the ends; false: none.
  bool trim_by_ends(double distance, Candidate& candidate) const;
  bool is_apart_by_table(std::int32_t pair, double begin, double end, double distance) const;
  ChainMotion& body_motion(std::int32_t body);
  ChainMotion& self_motion(std::int32_t pair);

  const PreparedRobot& robot_;
  TreeMotion motion_;
  TreeStates states_;
  std::vector<std::optional<ChainMotion>> body_motions_;  // made when first asked for
  std::vector<std::optional<ChainMotion>> self_motions_;
  RigidMotion still_;
  search::SearchMemory memory_;
  std::vector<Candidate> candidates_;
  static constexpr int most_halvings = 3;
  struct Part {
    std::vector<BallState> balls;
    std::vector<Candidate> halves[2];
  };
  std::array<Part, most_halvings + 1> parts_;  // by depth
  std::priority_queue<Waiting> queue_;
  std::vector<Waiting> met_;  // pairs whose hulls have met
  std::vector<std::int32_t> near_;
  // While any contact is looked for: how near is touching, and what was found.
  const PathLimits* probing_ = nullptr;
  std::optional<PathContactResult> probed_;
  std::vector<convex::ConvexMemory> memories_;
  std::array<const float*, 2> ends_ = {};        // null: not known
  std::array<std::vector<Leaving>, 2> leaving_;  // of bodies, from both
  QueryStats stats_;
  double out_of_budget_at_ = 2.0;
};

}  // namespace toccata::articulated
