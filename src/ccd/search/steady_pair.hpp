#pragma once
// Two convex pieces of bodies whose velocities are constant: points obey
//   x(s) = c + s v + exp(s [w]) (x - c),
// so that how far the pieces are apart along a fixed direction n is known at every time s, not only to first
// order: support heights are taken along n turned back by exp(-s [w]). Between two times the gap lies above
// its chord by all but K/2 (s - s0)(s1 - s), with K the largest acceleration along n: docs/notes/
// convex_motion_bounds.md derives both.
#include "ccd/search/box_moments.hpp"
#include "ccd/search/convex_steps.hpp"
#include "proximity/convex/xyz.hpp"

namespace toccata::search {

// In the frame of b as it is at the start, about the centre of b's shape there. Times count from the start.
class SteadyPair {
 public:
  // From `start` to `end`, which no breakpoint lies between. The pieces are no half spaces.
  SteadyPair(const SearchQuestion& question, const ConvexPair& pair, double start, double end);

  // Nothing else may be asked otherwise.
  bool is_steady() const { return is_steady_; }
  double span() const { return span_; }
  double spin() const { return side_[0].spin + side_[1].spin; }  // of both
  bool spins(int side) const { return side_[side].spins; }
  bool turns() const { return side_[0].spins || side_[1].spins; }
  Vector3 velocity() const { return vector(velocity_); }  // of b against a

  // The turns at one time.
  struct Moment {
    double time = 0.0;
    double sine[2] = {0.0, 0.0};
    double cosine[2] = {1.0, 1.0};
  };
  Moment at(double time) const;

  // Along a unit direction from a to b.
  struct Look {
    double gap = 0.0;    // not above the truth, all errors of places and of its own rounding taken off
    double slope = 0.0;  // of the points that make it, per time; exact where nothing turns, a guess otherwise
  };
  Look look_along(const Vector3& n, const Moment& moment) const;

  // How fast two points part along n, in the coordinates of b at that moment as n is: a guess.
  double speed_along(const Vector3& n, const Vector3& point_a, const Vector3& point_b,
                     const Moment& moment) const;

  // Not below the acceleration of any point of a against any of b along n.
  double acceleration_along(const Vector3& n) const;

  // A direction that turns with a body (0: a, 1: b), as it was at the start, and the other way round.
  Vector3 at_start(int side, const Vector3& n, const Moment& moment) const;
  Vector3 turned(int side, const Vector3& at_start, const Moment& moment) const;
  // The same bound along a direction that turns with a body, between two times; what such a direction is off
  // by costs the gap error_at() once more.
  double acceleration_turning(int side, const Vector3& n, double from, double to) const;

  // Of m(s) . (y(s) - x(s)), with m the product of two unit vectors of which each turns with a body.
  double acceleration_across(double from, double to) const;

  // Coordinates of a's shape, about its centre, to those of b's.
  Pose a_to_b(const Moment& moment) const {
    Pose pose;
    set_a_to_b(moment, pose);
    return pose;
  }
  // Written where it stays: numbers that were just stored one by one are slow to copy.
  void set_a_to_b(const Moment& moment, Pose& pose) const;
  // Of b's coordinates at that moment into the frame.
  Vector3 in_frame(const Vector3& direction, const Moment& moment) const;
  // Bounds the error of distances at that moment: of places, and of a_to_b.
  double error_at(double time) const { return error_ + time * slack_; }

  // Until when balls about both are more than `distance` apart; infinite if until the end.
  double balls_meet(double distance) const;
  // From when on they stay so; infinite if they do not part.
  double balls_part(double distance) const;
  // When the centres of those balls come as near as this; infinite if they do not. A guess.
  double centers_within(double distance) const;

  // What comes off gaps of two boxes along their axes, as far as these turn with them.
  double box_error(const Vector3& half_a, const Vector3& half_b) const;
  // Of two boxes between two times, for look_at_moments().
  void set_motion(const Vector3& half_a, const Vector3& half_b, double from, double to,
                  BoxMotion& motion) const;

 private:
  using Xyz = convex::Xyz;

  // All of it is set by set_side(): zeros that are written over first take as long as the rest.
  struct Side {
    const ConvexSet* set;
    Xyz column[3];  // of the body's rotation at the start
    Xyz center;     // the point that moves straight
    Xyz velocity;
    Xyz lever;  // from it to the centre of the shape, at the start
    Xyz axis;   // unit
    double spin;
    bool spins;
    double arm;           // no point of the body is farther from `center`
    double acceleration;  // not below that of any point of the piece
    Xyz ball;             // moves straight: its middle at the start
    double ball_radius;
  };
  void set_side(int side, const MovingShape& body, const Piece& piece, double start, double end,
                const Pose& pose_b);

  double farthest_centers(double from, double to) const;

  Side side_[2];
  Xyz between_ = {};   // from a's center to b's, at the start
  Xyz velocity_ = {};  // of b's against a's
  Xyz origin_ = {};    // of the frame in the world
  double span_;
  double error_ = 0.0;
  double angle_error_ = 0.0;
  double slack_ = 0.0;  // what error grows by per time
  bool is_steady_ = true;
};

// How much of the time h from a look with gap0 to one with gap1 is proven, both above the distance that
// counts: all of it, or up to where the chord less the acceleration comes down to it.
double proven_part(double gap0, double gap1, double acceleration, double h);

}  // namespace toccata::search
