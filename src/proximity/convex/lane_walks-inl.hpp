// The walk of gjk.hpp for several pairs of hulls at once, whose indices find the farthest corner without a
// proof: each lane a pair of its own, with the bits that the walk of that pair alone gives.
//
// What a lane does is what Walk in gjk.cpp does, operation by operation: where that branches, this chooses.
// Corners stay in the order of the walk's slots; those that carry no weight are taken out, which moves the
// rest up.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "base/lane_ops-inl.hpp"
#include "elementary/hull_index.hpp"
#include "proximity/convex/simplex.hpp"
#include "toccata/base/rounding.hpp"

#if defined(TOCCATA_PROXIMITY_LANE_WALKS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_PROXIMITY_LANE_WALKS_INL
#undef TOCCATA_PROXIMITY_LANE_WALKS_INL
#else
#define TOCCATA_PROXIMITY_LANE_WALKS_INL
#endif

#ifndef TOCCATA_PROXIMITY_WALKS_STATE
#define TOCCATA_PROXIMITY_WALKS_STATE
namespace toccata::convex {

// The number of a corner of a and one of b: the first times this, plus the second.
constexpr int bits_of_b = 24;
constexpr double vertices_of_b = 1 << bits_of_b;

// Where the corners of one side of a pair are, and what finds the farthest of them.
struct LaneHull {
  const HullIndex* index;
  ScannedCorners scanned;  // if they are
};

}  // namespace toccata::convex
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::convex {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;
using lanes::HWY_NAMESPACE::cross;  // beside those of Xyz
using lanes::HWY_NAMESPACE::dot;

// Walks that do not end by then are left to their own.
constexpr int most_steps = 32;

struct LaneCorner {
  Lane d[3];  // of the difference
  Lane vertices;
};

// A simplex of three corners at most, and the part of it that carries its nearest point.
struct LanePart {
  LaneCorner corner[3];
  Lane weight[3];
  LaneMask has[3];
  Lane squared, foot[3];
};

HWY_INLINE LaneMask nowhere() {
  return above(lane(0.0), lane(0.0));
}
HWY_INLINE LaneMask everywhere() {
  return above(lane(1.0), lane(0.0));
}
HWY_INLINE LaneMask choose_mask(LaneMask condition, LaneMask yes, LaneMask no) {
  return either(both(condition, yes), without(no, condition));
}

HWY_INLINE LaneCorner choose_corner(LaneMask condition, const LaneCorner& yes, const LaneCorner& no) {
  LaneCorner corner;
  for (int k = 0; k < 3; ++k) corner.d[k] = choose(condition, yes.d[k], no.d[k]);
  corner.vertices = choose(condition, yes.vertices, no.vertices);
  return corner;
}

// Where `wanted`, the nearest point of a segment: p and q are corners `at_p` and `at_q` of the part.
HWY_INLINE void keep_nearer_segment(LaneMask wanted, const Lane* p, const Lane* q, const LaneMask* at_p,
                                    const LaneMask* at_q, LanePart& part) {
  const Lane zero = lane(0.0), one = lane(1.0);
  Lane edge[3], foot[3];
  for (int k = 0; k < 3; ++k) edge[k] = q[k] - p[k];
  const Lane along_p = negated(dot(p, edge)), along_q = dot(q, edge);
  const LaneMask has_q = above(along_p, zero),
                 has_p = either(above(along_q, zero), without(everywhere(), has_q));
  const LaneMask is_near_p = above(along_q, along_p);
  const Lane share = smaller(along_p, along_q) / dot(edge, edge), rest = one - share;
  for (int k = 0; k < 3; ++k) {
    const Lane inside = choose(is_near_p, p[k] + share * edge[k], q[k] - share * edge[k]);
    foot[k] = choose(has_q, choose(has_p, inside, q[k]), p[k]);
  }
  const Lane squared = dot(foot, foot);
  const LaneMask is_nearer = both(wanted, above(part.squared, squared));
  const Lane weight_p = choose(has_q, choose(has_p, choose(is_near_p, rest, share), zero), one);
  const Lane weight_q = choose(has_q, choose(has_p, choose(is_near_p, share, rest), one), zero);
  part.squared = choose(is_nearer, squared, part.squared);
  for (int k = 0; k < 3; ++k) {
    part.foot[k] = choose(is_nearer, foot[k], part.foot[k]);
    part.weight[k] =
        choose(is_nearer, choose(at_p[k], weight_p, choose(at_q[k], weight_q, zero)), part.weight[k]);
    part.has[k] = choose_mask(is_nearer, either(both(at_p[k], has_p), both(at_q[k], has_q)), part.has[k]);
  }
}

// Of a part whose corners are in their places; elsewhere than `wanted` anything. Lanes look at the sides
// beyond which the origin may lie together, whichever these are.
HWY_INLINE void reduce_triangle(LanePart& part, LaneMask wanted) {
  const Lane zero = lane(0.0);
  const Lane *p = part.corner[0].d, *q = part.corner[1].d, *r = part.corner[2].d;
  Lane pq[3], pr[3], qr[3], normal[3], of_p[3], of_q[3], of_r[3];
  for (int n = 0; n < 3; ++n) {
    pq[n] = q[n] - p[n];
    pr[n] = r[n] - p[n];
    qr[n] = r[n] - q[n];
  }
  cross(pq, pr, normal);
  cross(q, qr, of_p);
  cross(pr, p, of_q);
  cross(p, pq, of_r);
  const Lane wp = dot(normal, of_p), wq = dot(normal, of_q), wr = dot(normal, of_r);
  LaneMask beyond[3] = {without(wanted, above(wp, zero)), without(wanted, above(wq, zero)),
                        without(wanted, above(wr, zero))};
  const LaneMask outside = either(either(beyond[0], beyond[1]), beyond[2]);
  const Lane share = lane(1.0) / ((wp + wq) + wr);
  const Lane height = dot(normal, p) / dot(normal, normal);
  for (int n = 0; n < 3; ++n) {
    part.foot[n] = height * normal[n];
    part.has[n] = everywhere();
  }
  part.weight[0] = wp * share;
  part.weight[1] = wq * share;
  part.weight[2] = wr * share;
  part.squared = choose(outside, lane(std::numeric_limits<double>::infinity()), dot(part.foot, part.foot));
  LaneMask left = outside;
  while (any(left)) {
    const LaneMask side_0 = beyond[0], side_1 = without(beyond[1], side_0),
                   side_2 = without(without(beyond[2], side_0), side_1);
    Lane from[3], to[3];
    for (int k = 0; k < 3; ++k) {
      from[k] = choose(side_0, q[k], p[k]);
      to[k] = choose(side_2, q[k], r[k]);
    }
    const LaneMask not_0 = either(side_1, side_2), not_2 = either(side_0, side_1);
    const LaneMask at_from[3] = {not_0, side_0, nowhere()}, at_to[3] = {nowhere(), side_2, not_2};
    keep_nearer_segment(left, from, to, at_from, at_to, part);
    beyond[0] = without(beyond[0], side_0);
    beyond[1] = without(beyond[1], side_1);
    beyond[2] = without(beyond[2], side_2);
    left = either(either(beyond[0], beyond[1]), beyond[2]);
  }
}

HWY_INLINE void keep_part(LaneMask wanted, const LanePart& from, LanePart& to) {
  to.squared = choose(wanted, from.squared, to.squared);
  for (int k = 0; k < 3; ++k) {
    to.corner[k] = choose_corner(wanted, from.corner[k], to.corner[k]);
    to.foot[k] = choose(wanted, from.foot[k], to.foot[k]);
    to.weight[k] = choose(wanted, from.weight[k], to.weight[k]);
    to.has[k] = choose_mask(wanted, from.has[k], to.has[k]);
  }
}

// Where `wanted` the part of the sides beyond which the origin may lie; lanes look at these together,
// whichever they are. Returns where it is inside all of them.
HWY_INLINE LaneMask reduce_tetrahedron(const LaneCorner* corners, LaneMask wanted, LanePart& part) {
  const Lane *p = corners[0].d, *q = corners[1].d, *r = corners[2].d, *t = corners[3].d;
  Lane pq[3], rt[3], to_q[3], to_r[3], to_t[3], base[3];
  cross(p, q, pq);
  cross(r, t, rt);
  for (int k = 0; k < 3; ++k) {
    to_q[k] = q[k] - p[k];
    to_r[k] = r[k] - p[k];
    to_t[k] = t[k] - p[k];
  }
  cross(to_q, to_r, base);
  const Lane volume[4] = {dot(q, rt), negated(dot(p, rt)), dot(pq, t), negated(dot(pq, r))};
  const Lane whole = dot(base, to_t);
  const Lane largest = larger(larger(dot(p, p), dot(q, q)), larger(dot(r, r), dot(t, t)));
  const Lane noise = (lane(8.0 * unit_roundoff) * largest) * square_root(largest);
  const Lane sign = choose(above(lane(0.0), whole), lane(-1.0), lane(1.0));
  LaneMask beyond[4];
  LaneMask left = nowhere();
  for (int f = 0; f < 4; ++f) {
    beyond[f] = without(wanted, above(sign * volume[f], noise));
    left = either(left, beyond[f]);
  }
  const LaneMask is_inside = without(wanted, left);
  LaneMask is_first = wanted;
  while (any(left)) {
    // Side f is without corner f.
    const LaneMask side_0 = beyond[0], side_1 = without(beyond[1], side_0),
                   up_to_1 = either(beyond[0], beyond[1]), side_2 = without(beyond[2], up_to_1),
                   up_to_2 = either(up_to_1, beyond[2]), side_3 = without(beyond[3], up_to_2);
    LanePart side;
    side.corner[0] = choose_corner(side_0, corners[1], corners[0]);
    side.corner[1] = choose_corner(up_to_1, corners[2], corners[1]);
    side.corner[2] = choose_corner(up_to_2, corners[3], corners[2]);
    reduce_triangle(side, left);
    keep_part(both(left, either(is_first, above(part.squared, side.squared))), side, part);
    is_first = nowhere();
    beyond[0] = without(beyond[0], side_0);
    beyond[1] = without(beyond[1], side_1);
    beyond[2] = without(beyond[2], side_2);
    beyond[3] = without(beyond[3], side_3);
    left = either(either(beyond[0], beyond[1]), either(beyond[2], beyond[3]));
  }
  return is_inside;
}

// Corners that are not in the part are taken out.
HWY_INLINE void take_out(LanePart& part) {
  for (int out = 1; out >= 0; --out) {
    for (int k = out; k < 2; ++k) {
      part.corner[k] = choose_corner(part.has[out], part.corner[k], part.corner[k + 1]);
      part.weight[k] = choose(part.has[out], part.weight[k], part.weight[k + 1]);
    }
  }
}

// The cores of a pair in each lane, placed as Difference places them: none of them is placed in its shape.
struct LaneDifferences {
  const HullIndex *const *a, *const *b;
  Lane column[3][3], shift[3];  // of the pose from a to b
  Lane height_error, point_error;
};

// The corners of a walk's end, placed as a's are in b's coordinates, and their weights: as many as `count`.
struct LaneEnd {
  Lane of_a[3], of_b[3];  // weighted sums
  std::int32_t vertex_a[lane_count][3], vertex_b[lane_count][3];
  std::int32_t count[lane_count];
};

class LaneWalks {
 public:
  // Lanes where not `wanted` do not walk, and have no corners.
  LaneWalks(const LaneDifferences& pairs, LaneMask wanted) : pairs_(pairs), walks_(wanted) {
    floor_ = lane(2.0) * (pairs.height_error + pairs.point_error);
    for (std::size_t i = 0; i < lane_count; ++i) {
      hull_a_[i] = hull_of(*pairs.a[i]);
      hull_b_[i] = hull_of(*pairs.b[i]);
      has_cells_ |= hull_a_[i].scanned.columns == nullptr || hull_b_[i].scanned.columns == nullptr;
      for (auto& at : points_) at[i] = 0.0;
    }
    start();
  }

  // Whether some lane walks still. If so, its step is the farthest corners against where it is, and then what
  // becomes of the simplex with them.
  bool is_walking() const { return any(walks_); }
  void find() {
    length_found_ = square_root(dot(foot_, foot_));
    walks_ = both(walks_, above(length_found_, lane(0.0)));
    found_ = found_against(foot_);
  }
  void take_found(bool is_first) {
    const Lane zero = lane(0.0), one = lane(1.0);
    const Lane length = length_found_;
    const LaneCorner& found = found_;
    // Heights.
    const Lane lower = dot(foot_, found.d) / length - pairs_.height_error;
    const LaneMask is_better = is_first ? walks_ : both(walks_, above(lower, lower_));
    lower_ = choose(is_better, lower, lower_);
    length_ = choose(is_better, length, length_);
    for (int k = 0; k < 3; ++k) direction_[k] = choose(is_better, foot_[k], direction_[k]);
    const Lane gap = upper_ - lower_;
    walks_ = without(walks_, both(at_least(floor_, gap), above(lower_, zero)));
    walks_ = without(walks_, at_least(zero, gap));
    for (int i = 0; i < 3; ++i) {
      LaneMask is_same = above(count_, lane(i));
      for (int k = 0; k < 3; ++k) is_same = both(is_same, hn::Eq(corners_[i].d[k], found.d[k]));
      walks_ = without(walks_, is_same);
    }
    if (!any(walks_)) return;
    // Reduced to the part that carries the nearest point.
    const LaneMask are_two = both(walks_, hn::Eq(count_, one)),
                   are_four = both(walks_, hn::Eq(count_, lane(3.0))),
                   are_three = without(without(walks_, are_two), are_four);
    LanePart part;
    part.corner[0] = corners_[0];
    part.corner[1] = choose_corner(are_two, found, corners_[1]);
    part.corner[2] = found;
    reduce_triangle(part, are_three);  // of the others no number counts
    if (any(are_two)) {
      const LaneMask at_first[3] = {everywhere(), nowhere(), nowhere()},
                     at_second[3] = {nowhere(), everywhere(), nowhere()};
      part.squared = choose(are_two, lane(std::numeric_limits<double>::infinity()), part.squared);
      keep_nearer_segment(are_two, part.corner[0].d, part.corner[1].d, at_first, at_second, part);
    }
    if (any(are_four)) {
      const LaneCorner corners[4] = {corners_[0], corners_[1], corners_[2], found};
      const LaneMask is_inside = reduce_tetrahedron(corners, are_four, part);
      meets_ = either(meets_, is_inside);
      walks_ = without(walks_, is_inside);
    }
    Lane count = zero;
    for (int k = 0; k < 3; ++k) count = count + choose(part.has[k], one, zero);
    take_out(part);
    // The weighted sum is a point of the difference.
    Lane sum[3];
    for (int k = 0; k < 3; ++k) {
      sum[k] = part.weight[0] * part.corner[0].d[k];
      for (int i = 1; i < 3; ++i)
        sum[k] = choose(above(count, lane(i)), sum[k] + part.weight[i] * part.corner[i].d[k], sum[k]);
    }
    const Lane sum_length = square_root(dot(sum, sum)), upper = upper_of(sum_length);
    const LaneMask is_nearer = both(walks_, above(upper_, upper));
    upper_ = choose(is_nearer, upper, upper_);
    count_ = choose(is_nearer, count, count_);
    for (int k = 0; k < 3; ++k) {
      foot_[k] = choose(is_nearer, part.foot[k], foot_[k]);
      corners_[k] = choose_corner(is_nearer, part.corner[k], corners_[k]);
      weight_[k] = choose(is_nearer, part.weight[k], weight_[k]);
    }
    walks_ = both(is_nearer, above(sum_length, pairs_.point_error));
  }
  // Returns where the distance is found beyond doubt. Elsewhere hulls meet or nearly so, or rounding ends the
  // walk.
  LaneMask finish() {
    const LaneMask ended = without(without(wanted_, walks_), meets_), is_open = without(ended, are_done());
    if (any(is_open)) look_across(is_open);
    return both(ended, are_done());
  }

  Lane lower() const { return lower_; }
  Lane upper() const { return upper_; }
  // Unit, from a to b.
  void direction(Lane* d) const {
    const Lane inverse = lane(1.0) / length_;
    for (int k = 0; k < 3; ++k) d[k] = negated(inverse * direction_[k]);
  }

  void read(LaneMask wanted, LaneEnd& end) const {
    alignas(64) double vertices[3][lane_count], counts[lane_count], at[6][lane_count];
    store(choose(wanted, count_, lane(0.0)), counts);
    const Lane zero = lane(0.0);
    for (int k = 0; k < 3; ++k) {
      store(corners_[k].vertices, vertices[k]);
      end.of_a[k] = end.of_b[k] = zero;
    }
    for (std::size_t i = 0; i < lane_count; ++i) end.count[i] = static_cast<std::int32_t>(counts[i]);
    for (int corner = 0; corner < 3; ++corner) {
      for (std::size_t i = 0; i < lane_count; ++i) {
        const bool is_there = corner < end.count[i];
        const auto both = is_there ? static_cast<std::int64_t>(vertices[corner][i]) : 0;
        const auto a = static_cast<std::int32_t>(both >> bits_of_b),
                   b = static_cast<std::int32_t>(both & ((std::int64_t{1} << bits_of_b) - 1));
        end.vertex_a[i][corner] = a;
        end.vertex_b[i][corner] = b;
        const Vector3 of_a = point(hull_a_[i], a), of_b = point(hull_b_[i], b);
        for (int k = 0; k < 3; ++k) {
          at[k][i] = of_a[k];
          at[3 + k][i] = of_b[k];
        }
      }
      const LaneMask counts_too = above(count_, lane(corner));
      Lane p[3], q[3];
      for (int k = 0; k < 3; ++k) p[k] = load<Lane>(at[k]);
      place(p, q);
      for (int k = 0; k < 3; ++k) {
        end.of_a[k] = choose(counts_too, end.of_a[k] + weight_[corner] * q[k], end.of_a[k]);
        end.of_b[k] = choose(counts_too, end.of_b[k] + weight_[corner] * load<Lane>(at[3 + k]), end.of_b[k]);
      }
    }
  }

 private:
  LaneMask are_done() const { return both(at_least(floor_, upper_ - lower_), above(lower_, lane(0.0))); }

  // A point of a in b's coordinates.
  void place(const Lane* p, Lane* q) const {
    for (int k = 0; k < 3; ++k) {
      q[k] = ((p[0] * pairs_.column[0][k] + p[1] * pairs_.column[1][k]) + p[2] * pairs_.column[2][k]) +
             pairs_.shift[k];
    }
  }

  // Close to the origin the nearest point is too rough a direction. One more height, of each lane by itself
  // what it is taken along.
  HWY_NOINLINE void look_across(LaneMask wanted) {
    alignas(64) double asks[lane_count], counts[lane_count], foot[3][lane_count], d[9][lane_count],
        across[3][lane_count];
    const Lane zero = lane(0.0);
    store(choose(wanted, lane(1.0), zero), asks);
    store(count_, counts);
    for (int k = 0; k < 3; ++k) {
      store(foot_[k], foot[k]);
      store(zero, across[k]);
      for (int corner = 0; corner < 3; ++corner) store(corners_[corner].d[k], d[3 * corner + k]);
    }
    for (std::size_t i = 0; i < lane_count; ++i) {
      if (asks[i] == 0.0) continue;
      Simplex simplex;
      simplex.count = static_cast<int>(counts[i]);
      for (std::size_t corner = 0; corner < static_cast<std::size_t>(simplex.count); ++corner)
        simplex.corner[corner].difference = {d[3 * corner][i], d[3 * corner + 1][i], d[3 * corner + 2][i]};
      const Vector3 found = direction_across(simplex, {foot[0][i], foot[1][i], foot[2][i]});
      for (int k = 0; k < 3; ++k) across[k][i] = found[k];
    }
    Lane along[3];
    for (int k = 0; k < 3; ++k) along[k] = load<Lane>(across[k]);
    const LaneMask kept = walks_;
    walks_ = both(wanted, above(dot(along, along), zero));
    const LaneCorner found = found_against(along);
    const Lane lower = dot(along, found.d) - pairs_.height_error;
    const LaneMask is_better = both(walks_, above(lower, lower_));
    walks_ = kept;
    lower_ = choose(is_better, lower, lower_);
    length_ = choose(is_better, lane(1.0), length_);
    for (int k = 0; k < 3; ++k) direction_[k] = choose(is_better, along[k], direction_[k]);
  }

  static LaneHull hull_of(const HullIndex& index) {
    return {&index, index.is_scanned() ? index.scanned_corners() : ScannedCorners{nullptr, 0}};
  }
  static Vector3 point(const LaneHull& hull, std::int32_t vertex) {
    return hull.scanned.columns != nullptr ? hull.scanned.point(vertex) : hull.index->point(vertex);
  }

  // A side's direction of one lane; a's is three numbers before b's.
  static Vector3 direction_of(const double (*directions)[lane_count], int side, std::size_t i) {
    return {directions[3 * side][i], directions[3 * side + 1][i], directions[3 * side + 2][i]};
  }

  // What the cells of large hulls need is fetched for all lanes that walk before the first of them is looked
  // at.
  HWY_NOINLINE void fetch_cells(const double (*directions)[lane_count], const double* walking) {
    for (std::size_t i = 0; i < lane_count; ++i) {
      if (walking[i] == 0.0) continue;
      for (int side = 0; side < 2; ++side) {
        const LaneHull& hull = side == 0 ? hull_a_[i] : hull_b_[i];
        if (hull.scanned.columns == nullptr)
          cell_[side][i] = cell_along(*hull.index, direction_of(directions, side, i));
      }
    }
    for (std::size_t i = 0; i < lane_count; ++i) {
      if (walking[i] == 0.0) continue;
      if (hull_a_[i].scanned.columns == nullptr) fetch_candidates(*hull_a_[i].index, cell_[0][i]);
      if (hull_b_[i].scanned.columns == nullptr) fetch_candidates(*hull_b_[i].index, cell_[1][i]);
    }
  }

  std::int32_t farthest_of(int side, std::size_t i, const Vector3& direction) const {
    const LaneHull& hull = side == 0 ? hull_a_[i] : hull_b_[i];
    if (hull.scanned.columns != nullptr) return farthest_vertex(*hull.index, direction, -1);
    return farthest_of_cell(*hull.index, direction, cell_[side][i]);
  }

  VertexPair farthest_of_two(std::size_t i, const double (*directions)[lane_count]) const {
    const LaneHull &a = hull_a_[i], &b = hull_b_[i];
    const Vector3 of_a = direction_of(directions, 0, i), of_b = direction_of(directions, 1, i);
    if (a.scanned.columns != nullptr && b.scanned.columns != nullptr) {
      const double along[6] = {of_a.x(), of_a.y(), of_a.z(), of_b.x(), of_b.y(), of_b.z()};
      return scan_(a.scanned, b.scanned, along);
    }
    return {farthest_of(0, i, of_a), farthest_of(1, i, of_b)};
  }

  // The farthest corners against d of the lanes that walk.
  LaneCorner found_against(const Lane* d) {
    alignas(64) double directions[6][lane_count], walking[lane_count];
    for (int k = 0; k < 3; ++k) {
      store(negated(dot(pairs_.column[k], d)), directions[k]);
      store(d[k], directions[3 + k]);
    }
    store(choose(walks_, lane(1.0), lane(0.0)), walking);
    if (has_cells_) fetch_cells(directions, walking);
    for (std::size_t i = 0; i < lane_count; ++i) {
      if (walking[i] == 0.0) continue;
      const VertexPair found = farthest_of_two(i, directions);
      const Vector3 of_a = point(hull_a_[i], found.a), of_b = point(hull_b_[i], found.b);
      for (int k = 0; k < 3; ++k) {
        points_[k][i] = of_a[k];
        points_[3 + k][i] = of_b[k];
      }
      points_[6][i] = vertices_of_b * found.a + found.b;
    }
    Lane p[3], q[3];
    for (int k = 0; k < 3; ++k) p[k] = load<Lane>(points_[k]);
    place(p, q);
    LaneCorner corner;
    for (int k = 0; k < 3; ++k) corner.d[k] = q[k] - load<Lane>(points_[3 + k]);
    corner.vertices = load<Lane>(points_[6]);
    return corner;
  }

  void start() {
    const Lane zero = lane(0.0), one = lane(1.0);
    for (LaneCorner& corner : corners_) {
      for (int k = 0; k < 3; ++k) corner.d[k] = zero;
      corner.vertices = zero;
    }
    const LaneMask leads =
        above(dot(pairs_.shift, pairs_.shift), zero);  // elsewhere the walk starts in another way
    meets_ = without(walks_, leads);
    walks_ = both(walks_, leads);
    wanted_ = walks_;
    corners_[0] = found_against(pairs_.shift);
    weight_[0] = one;
    weight_[1] = weight_[2] = zero;
    count_ = one;
    lower_ = lane(-std::numeric_limits<double>::infinity());
    length_ = one;
    Lane sum[3];
    for (int k = 0; k < 3; ++k) {
      foot_[k] = sum[k] = corners_[0].d[k];
      direction_[k] = zero;
    }
    upper_ = upper_of(square_root(dot(sum, sum)));
  }

  Lane upper_of(Lane length) const { return length * lane(1.0 + 4.0 * unit_roundoff) + pairs_.point_error; }

  const LaneDifferences& pairs_;
  LaneHull hull_a_[lane_count], hull_b_[lane_count];
  bool has_cells_ = false;
  const std::uint16_t* cell_[2][lane_count];
  ScanTwo* scan_ = scan_two_corners();
  Lane floor_;
  alignas(64) double points_[7][lane_count];  // of a, of b, and which
  LaneCorner found_;
  Lane length_found_;
  LaneMask walks_, wanted_, meets_;
  LaneCorner corners_[3];
  Lane weight_[3];
  Lane count_, lower_, upper_, foot_[3], direction_[3], length_;
};

}  // namespace HWY_NAMESPACE
}  // namespace toccata::convex
HWY_AFTER_NAMESPACE();
#endif
