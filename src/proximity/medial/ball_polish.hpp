#pragma once
// Balls that hold nearly all samples of a surface are moved until they hold all of them, where that can be: a
// gap in a cover is closed by the balls that are there rather than by one more, and some of them can go.
#include <cstdint>
#include <span>
#include <vector>

#include "proximity/medial/medial_balls.hpp"
#include "proximity/medial/point_tree.hpp"

namespace toccata::medial {

struct PolishQuestion {
  const PlacedShape& solid;
  std::span<const Vector3> samples;
  double growth = 0.0;  // the radius of a ball is its depth and this
  double margin = 0.0;  // samples are held by this much
  int threads = 0;
};

// Depths of balls that were moved are proven, and negative where the centre is outside of the solid. No clock
// and no randomness: the same question has the same answer, on any number of threads.
class BallPolish {
 public:
  explicit BallPolish(const PolishQuestion& question);

  // False: some samples are still not held; there are fewer of them, or what they miss is less.
  bool close_gaps(std::vector<MedialBall>& balls) const;

  // One ball after the other is taken out where the others can be moved to hold all that it held: until there
  // are so few, or so many samples were looked at. precondition: the balls hold all samples.
  void take_out(std::vector<MedialBall>& balls, std::size_t wanted, std::int64_t work) const;

 private:
  struct Local;
  bool closed(std::vector<MedialBall>& balls, const Local& local, std::int64_t& work) const;
  Local around(const std::vector<MedialBall>& balls, std::size_t ball) const;

  const PolishQuestion q_;
  PointTree tree_;
};

}  // namespace toccata::medial
