#pragma once
// The continuous contour test (Tang et al., ICCD, IV.C): is the projection of a region's moving contour a set
// of simple, mutually disjoint loops at every t in [0, 1], one of them outermost? A yes is proven; a no only
// says that the proof was not found.
//
// Points move linearly, and so do their projections. Two projected edges are separated for good if on one
// axis the gap between them is positive at both ends of the time interval, since gaps between points are
// linear in t; intervals are halved where no axis serves. Every comparison keeps a margin above the rounding
// errors (docs/notes/connectivity_culling.md derives them). With equal ends it is the static contour test.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "motion/contour_lanes.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

// Projection along `direction` onto the coordinate plane that it crosses most steeply:
// x -> (x_i - s_i x_k, x_j - s_j x_k). Its exact kernel (s_i, s_j, 1) is one rounding away from `direction`.
struct PlanarProjection {
  PlanarProjection() = default;
  PlanarProjection(const Vector3& direction, const Vector3& origin);

  Vector3 origin = Vector3::Zero();  // subtracted first, to keep coordinates small
  int i = 0, j = 1, k = 2;           // cyclic
  double slope_i = 0.0, slope_j = 0.0;
  bool mirrored = false;  // triangles whose normal agrees with the direction turn clockwise in the plane
};

// A directed contour edge (from, to).
using ContourEdge = std::array<std::int32_t, 2>;

struct ContourCounts {
  std::int64_t tests = 0;         // contours tested
  std::int64_t passed = 0;        // ... and found simple
  std::int64_t projected = 0;     // vertices projected
  std::int64_t reused = 0;        // vertices whose projection was still known from the parent's contour
  std::int64_t planar_tests = 0;  // pairs of edges tested beyond their boxes
};

// Keeps the projections of one direction: begin() starts a new one, test() projects what is missing.
// One per thread.
class ContourTester {
 public:
  explicit ContourTester(std::size_t vertex_count) : stamps_(vertex_count, 0), tracks_(vertex_count) {}

  // t_end < 1: for the beginning of the motion only, [0, t_end].
  void begin(const Vector3& direction, const Vector3& origin, double t_end = 1.0);

  // `contour`: loops of vertices as in RegionTree::contours. at(v) gives a pair of pointers to the three
  // coordinates of vertex v at the two ends.
  template <typename At>
  bool test(std::span<const std::int32_t> contour, At&& at) {
    for (const std::int32_t entry : contour) {
      const std::int32_t vertex = entry < 0 ? ~entry : entry;
      if (stamps_[vertex] == stamp_) {
        ++counts.reused;
        continue;
      }
      const auto [x_t0, x_t1] = at(vertex);
      project(vertex, x_t0, x_t1);
    }
    return test_projected(contour);
  }

  // After a failed test: two edges that could not be separated, if that was the reason. A region that keeps
  // both in its contour fails too (same direction).
  bool has_failed_pair() const { return failed_[0][0] >= 0; }
  const std::array<ContourEdge, 2>& failed_pair() const { return failed_; }

  ContourCounts counts;

 private:
  struct Point {
    double u = 0.0, v = 0.0;
  };
  using Track = std::array<Point, 2>;  // at both ends
  struct EdgeBox {
    double u_low, u_high, v_low, v_high;
    std::int32_t index;  // in edges_
  };

  void project(std::int32_t vertex, const double* x_t0, const double* x_t1);
  bool test_projected(std::span<const std::int32_t> contour);
  void collect_edges(std::span<const std::int32_t> contour);
  void place_tracks();
  bool loops_turn_well() const;
  bool neighbours_apart();
  bool corner_open(const std::array<std::int32_t, 3>& corner) const;
  bool others_apart();
  bool runs_apart();
  bool sorted_apart();
  bool pair_apart(std::int32_t first, std::int32_t second);
  bool fail(const ContourEdge& a, const ContourEdge& b);

  double margin() const { return 0x1p-45 * extent_ + 1e-290; }

  PlanarProjection projection_;
  std::uint32_t stamp_ = 0;
  double t_end_ = 1.0;
  double extent_ = 0.0;  // largest coordinate relative to the origin, of all vertices projected so far
  std::vector<std::uint32_t> stamps_;
  std::vector<Track> tracks_;
  std::vector<ContourEdge> edges_;
  std::vector<std::int32_t> loop_ends_;  // in edges_
  // Of all loops one behind the other, each with its last point before its first and that behind its last.
  contour::Tracks places_;
  contour::Boxes boxes_, runs_;  // by edge
  std::vector<EdgeBox> sorted_;
  std::vector<std::int32_t> doubtful_;                          // corners of a loop
  std::vector<std::pair<std::int32_t, std::int32_t>> meeting_;  // edges
  std::array<ContourEdge, 2> failed_ = {{{-1, -1}, {-1, -1}}};
};

}  // namespace toccata
