#pragma once
// The parts of the contour test that look at every corner and every edge, in SIMD lanes: the same comparisons
// of the same numbers as one by one.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace toccata::contour {

// Points of the plane at both ends of the motion, by their place along the contour.
struct Tracks {
  std::vector<double> u_t0, v_t0, u_t1, v_t1;

  void clear() {
    for (auto* list : {&u_t0, &v_t0, &u_t1, &v_t1}) list->clear();
  }
};

// Boxes of edges over the motion, or of runs of them; filled up with boxes that meet nothing.
struct Boxes {
  std::vector<double> u_low, u_high, v_low, v_high;
  std::size_t count = 0;

  void resize(std::size_t boxes);
};

inline constexpr std::size_t run_length = 8;  // edges that are looked at together, one behind the other

// Of the corners at `begin` + 1 and the following ones, `count` of them, between their two neighbours: lists
// those whose edges are not proven at once to meet in the corner only, as numbers from 0 on.
void list_doubtful_corners(const Tracks& tracks, std::size_t begin, std::size_t count, double margin,
                           std::vector<std::int32_t>& doubtful);

// Boxes of the edges from the place `begin` on, `count` of them, written from `first` on.
void fit_edges(const Tracks& tracks, std::size_t begin, std::size_t count, std::size_t first, Boxes& boxes);

// Boxes of run_length edges each.
void fit_runs(const Boxes& edges, Boxes& runs);

// Pairs of edges m < n whose boxes are not farther apart than `gap` on both axes, by the runs that they are
// in.
void list_meeting_edges(const Boxes& edges, const Boxes& runs, double gap,
                        std::vector<std::pair<std::int32_t, std::int32_t>>& pairs);

}  // namespace toccata::contour
