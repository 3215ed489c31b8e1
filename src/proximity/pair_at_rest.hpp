#pragma once
// Two shapes held still: where they are, and how exactly that is known. The questions of this file are those
// that a search in time asks about one moment.
#include <cstdint>
#include <vector>

#include "base/stop_watch.hpp"
#include "hierarchy/box_gaps.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata::proximity {

struct PairAtRest {
  const ShapeData* shape[2];
  Pose pose[2];    // world
  Pose to_own[2];  // [0] from b's coordinates to a's, [1] from a's to b's, each about the shape's centre
  double padding = 0.0;  // bounds the error of every distance: both poses, the change of frame
};

struct NearestPieces {
  double distance = 0.0;  // of the two pieces; 0 where they meet
  std::int32_t piece_a = -1;
  std::int32_t piece_b = -1;
};

// The distance of one pair, right up to the padding.
double piece_distance(const PairAtRest& pair, std::int32_t piece_a, std::int32_t piece_b);
// What is proven of it, up to the padding; less only of curved pieces.
double proven_distance(const PairAtRest& pair, std::int32_t piece_a, std::int32_t piece_b);

// The nearest pair of pieces among those nearer than `below`; ids -1 and distance `below` if there is none.
// Right up to the padding, unless it is stopped: then the nearest seen by then.
NearestPieces nearest_pieces(const PairAtRest& pair, double below, QueryStats& stats,
                             const StopWatch* stop = nullptr);

// Two pieces that are near each other, without any promise: the nearest box is opened on and on. Both shapes
// must have pieces.
NearestPieces some_near_pieces(const PairAtRest& pair, QueryStats& stats);

// A lower bound on the distance, up to the padding: as good as `budget` pairs of boxes (two pieces count as
// sixteen) make it, and not above `enough`.
double proven_gap(const PairAtRest& pair, double enough, std::int64_t budget, QueryStats& stats);

// All pairs of pieces within `distance` (up to the padding, which is allowed for), sorted by ids.
std::vector<NearestPieces> pieces_within(const PairAtRest& pair, double distance, QueryStats& stats);

// At most `most` pairs within `distance` (up to the padding), found by descending where boxes overlap
// deepest: as many as are worth looking at; all of them if there are no more.
std::vector<NearestPieces> touching_pieces(const PairAtRest& pair, double distance, std::size_t most,
                                           QueryStats& stats);

}  // namespace toccata::proximity
