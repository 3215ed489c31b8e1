// The nearest side of the difference is turned like a side of a, or like one of b, or lies on the arc between
// the normals of two sides of a that share an edge. Of a side the height of the difference is its own offset
// and how far the other hull reaches against it, which is at least as far as a ball inside of that hull and
// each of its corners: a few corners leave out all sides but one. They are found by asking, again and again,
// the side that may still be the lowest.
//
// Along an arc from n to m let q and r be any two points of the difference that come from the edge: the
// difference is at least as high as both. Split the arc at any x: on the part from n to x, q is at least as
// high as at one of the ends, as long as it is above zero there, since along an arc heights of a point are a
// cosine; and so is r on the part from x to m. So the lesser of q and r along x and the heights of q along n
// and of r along m are a lower bound of all of the arc; with the same corner of b for both, the heights along
// n and m are. q and r are taken from corners that are known to be high along n and m, x where they are
// level; if nothing else is higher there, the bound is the height of a side made by two edges.
//
// Rounding. docs/notes/convex_bounds.md. Every width gives the same bits.
#include "proximity/convex/face_depth.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/rotation_defect.hpp"
#include "elementary/hull_index.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/convex/face_depth.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "proximity/convex/pair_scan-inl.hpp"

#ifndef TOCCATA_PROXIMITY_PLACES_OF_BITS
#define TOCCATA_PROXIMITY_PLACES_OF_BITS
namespace toccata::convex {

// Where the bits of a byte are that are set, the lowest in the lowest byte; zeros behind.
inline constexpr std::array<std::uint64_t, 256> places_of_bits = [] {
  std::array<std::uint64_t, 256> all = {};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned count = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1U) != 0) all[byte] |= std::uint64_t{bit} << (8 * count++);
    }
  }
  return all;
}();
static_assert(std::endian::native == std::endian::little);

}  // namespace toccata::convex
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::convex {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using FaceTag = hn::CappedTag<double, 8>;
constexpr std::size_t face_lanes = hn::MaxLanes(FaceTag());
constexpr std::size_t most_faces = HullFaces::most_faces;
constexpr int most_splits = 8;
// Of b that are tried; two balls of fifty need four.
constexpr std::size_t most_corners = 31;

// The sides of one hull, and how high the difference is along each of them at least. All in the coordinates
// of this hull. with_rows: what each corner says is kept.
template <bool with_rows>
class SideBounds {
 public:
  // What a ball inside of the other hull says. lean: see HullFaces, for bounds that hold on arcs, too.
  HWY_INLINE void start(const HullFaces& faces, const Xyz& other_middle, double inner_radius, double lean) {
    const FaceTag tag;
    faces_ = &faces;
    rows_ = 1;
    const auto x = hn::Set(tag, other_middle.x), y = hn::Set(tag, other_middle.y),
               z = hn::Set(tag, other_middle.z);
    const auto factor = hn::Set(tag, lean), radius = hn::Set(tag, inner_radius);
    for (std::size_t at = 0; at < faces.padded(); at += face_lanes) {
      const auto height = heights(at, x, y, z);
      const auto bound = hn::Add(hn::Min(height, hn::Mul(height, factor)), radius);
      hn::Store(bound, tag, best_ + at);
      if constexpr (with_rows) hn::Store(bound, tag, row_ + at);
    }
  }

  // What a corner of the other hull says; the side that may be the lowest is known from then on.
  HWY_INLINE void add(const Xyz& corner) {
    const FaceTag tag;
    const auto x = hn::Set(tag, corner.x), y = hn::Set(tag, corner.y), z = hn::Set(tag, corner.z);
    auto least = hn::Set(tag, std::numeric_limits<double>::infinity()), least_at = hn::Zero(tag);
    auto here = hn::Iota(tag, 0.0);
    const auto step = hn::Set(tag, static_cast<double>(face_lanes));
    double* row = row_ + rows_ * faces_->padded();
    for (std::size_t at = 0; at < faces_->padded(); at += face_lanes) {
      const auto height = heights(at, x, y, z);
      if constexpr (with_rows) hn::Store(height, tag, row + at);
      const auto best = hn::Max(height, hn::Load(tag, best_ + at));
      hn::Store(best, tag, best_ + at);
      least_at = hn::IfThenElse(hn::Lt(best, least), here, least_at);
      least = hn::Min(best, least);
      here = hn::Add(here, step);
    }
    rows_ += with_rows ? 1 : 0;
    const auto lowest = hn::MinOfLanes(tag, least);
    lowest_ = hn::GetLane(lowest);
    const auto first = hn::IfThenElse(hn::Eq(least, lowest), least_at, hn::Set(tag, 1e9));
    const double number = hn::GetLane(hn::MinOfLanes(tag, first));
    lowest_side_ = number < 1e9 ? static_cast<std::size_t>(number) : 0;  // 0: of poses that are not numbers
  }

  double lowest() const { return lowest_; }
  std::size_t lowest_side() const { return lowest_side_; }
  double bound(std::size_t side) const { return best_[side]; }
  // As row 0 is what the ball says, row i is what the i-th corner says.
  double bound(std::size_t side, std::size_t row) const { return row_[row * faces_->padded() + side]; }
  Xyz normal(std::size_t side) const {
    return {faces_->normal_x()[side], faces_->normal_y()[side], faces_->normal_z()[side]};
  }
  double height(std::size_t side, const Xyz& corner) const {
    return faces_->offset()[side] - dot(normal(side), corner);
  }

  // A bit for each row that says a side is as high as that: `why`, by side. Returns how many sides the ball
  // leaves open; `open` gets their numbers.
  HWY_INLINE std::size_t list_open(double high, std::uint64_t* why, std::uint8_t* open) const {
    const FaceTag tag;
    const hn::RebindToUnsigned<FaceTag> bits;
    const auto limit = hn::Set(tag, high);
    std::size_t count = 0;
    for (std::size_t at = 0; at < faces_->padded(); at += 8) {
      std::uint64_t low = 0;
      for (std::size_t some = at; some < at + 8; some += face_lanes) {
        auto all = hn::Zero(bits);
        for (std::size_t row = 0; row < rows_; ++row) {
          const auto is_high = hn::Ge(hn::Load(tag, row_ + row * faces_->padded() + some), limit);
          all = hn::Or(
              all, hn::IfThenElseZero(hn::RebindMask(bits, is_high), hn::Set(bits, std::uint64_t{1} << row)));
        }
        hn::Store(all, bits, why + some);
        std::uint8_t mask[8] = {0};
        hn::StoreMaskBits(tag, hn::Lt(hn::Load(tag, row_ + some), limit), mask);
        low |= std::uint64_t{mask[0]} << (some - at);
      }
      // Eight bytes are written, those of the low sides are left.
      const std::uint64_t numbers = places_of_bits[low] + at * 0x0101010101010101U;
      std::memcpy(open + count, &numbers, 8);
      count += static_cast<std::size_t>(std::popcount(low));
    }
    return count;
  }

 private:
  HWY_INLINE hn::Vec<FaceTag> heights(std::size_t at, hn::Vec<FaceTag> x, hn::Vec<FaceTag> y,
                                      hn::Vec<FaceTag> z) const {
    const FaceTag tag;
    const auto xy = hn::Add(hn::Mul(hn::LoadU(tag, faces_->normal_x() + at), x),
                            hn::Mul(hn::LoadU(tag, faces_->normal_y() + at), y));
    const auto along = hn::Add(xy, hn::Mul(hn::LoadU(tag, faces_->normal_z() + at), z));
    return hn::Sub(hn::LoadU(tag, faces_->offset() + at), along);
  }

  const HullFaces* faces_ = nullptr;
  std::size_t rows_ = 0;
  double lowest_ = 0.0;
  std::size_t lowest_side_ = 0;
  alignas(64) double best_[most_faces];
  alignas(64) double row_[with_rows ? (most_corners + 1) * most_faces : 8];
};

class FaceDepth {
 public:
  explicit FaceDepth(const Difference& difference) : difference_(difference), scan_(difference) {
    floor_ = 2.0 * (difference.height_error + difference.point_error);
  }

  SureDepth run(double enough) {
    SureDepth found;
    const HullFaces &a = difference_.a->index->faces, &b = difference_.b->index->faces;
    const double defect = rotation_defect(difference_.a_to_b.rotation);
    if (!(defect < most_defect)) return found;
    const Xyz middle = scan_.shift();
    const double length = std::sqrt(dot(middle, middle));
    const Xyz ahead = length > floor_ ? (-1.0 / length) * middle : Xyz{0.0, 0.0, 1.0};
    look(ahead);
    take(ahead);
    if (is_apart(enough, found) || !(height_ > 4.0 * floor_)) return found;
    // Arcs are as low as their ends, or lower by the lean where both are below the middle.
    sides_a_.start(a, -scan_.turned_back(middle), b.inner_radius, a.lean);
    sides_b_.start(b, middle, a.inner_radius, 1.0);
    add_corner_of_b(seen_.vertex_b);
    sides_b_.add(scan_.of_a(seen_.vertex_a));
    if (!find_lowest_side()) return found;
    if (!(lowest_ > 4.0 * floor_)) {
      look_at_side();
      is_apart(enough, found);
      return found;
    }
    height_ = lowest_;
    if (!follow_arcs(a)) {
      is_apart(enough, found);
      return found;
    }
    if (kind_ != Kind::Edges) look_at_side();
    if (!(height_ <= lowest_ + floor_) || !set_points(a, b, found.depth)) return found;
    found.depth.lower = std::min(lowest_, least_arc_) - difference_.height_error -
                        (3.0 * defect + 96.0 * unit_roundoff) * difference_.scale;
    if (!(found.depth.lower > 4.0 * floor_)) return found;
    found.depth.upper = height_ + difference_.height_error;
    found.depth.normal = vector(normal_);
    found.depth.iterations = looks_;
    found.kind = SureDepth::Kind::Deep;
    return found;
  }

 private:
  static constexpr double most_defect = 256.0 * unit_roundoff;

  // The height along a unit direction.
  void look(const Xyz& n) {
    scan_.along(n, seen_);
    seen_height_ = dot(n, seen_.at);
    ++looks_;
  }

  // What was just looked at is the least height.
  void take(const Xyz& n) {
    height_ = seen_height_;
    normal_ = n;
  }

  bool is_apart(double enough, SureDepth& found) const {
    if (!(-height_ > 4.0 * floor_ && -height_ - difference_.height_error > enough)) return false;
    found.kind = SureDepth::Kind::Apart;
    found.gap = -height_ - difference_.height_error;
    found.direction = vector(normal_);
    return true;
  }

  void add_corner_of_b(std::int32_t vertex) {
    vertex_[corners_] = vertex;
    corner_[corners_] = in_a(vertex);
    sides_a_.add(corner_[corners_++]);
  }

  // A corner of b in a's coordinates.
  Xyz in_a(std::int32_t vertex) const { return scan_.turned_back(scan_.of_b(vertex) - scan_.shift()); }

  // Asks the side of each hull that may be the lowest, until none is lower than what was found. False: too
  // many corners.
  bool find_lowest_side() {
    lowest_ = std::numeric_limits<double>::infinity();
    for (;;) {
      const bool of_a = sides_a_.lowest() < lowest_, of_b = sides_b_.lowest() < lowest_;
      if (!of_a && !of_b) return lowest_ < std::numeric_limits<double>::infinity();
      if (corners_ == most_corners) return false;
      if (of_a) ask_side_of_a(sides_a_.lowest_side());
      if (of_b) ask_side_of_b(sides_b_.lowest_side());
      if (!(lowest_ > 4.0 * floor_)) return true;
    }
  }

  void ask_side_of_a(std::size_t side) {
    const std::int32_t vertex = scan_.farthest_of_b(-scan_.turned(sides_a_.normal(side)));
    const double known = sides_a_.bound(side), height = sides_a_.height(side, in_a(vertex));
    if (height > known) add_corner_of_b(vertex);
    take_side(Kind::SideOfA, side, std::max(height, known));
  }

  void ask_side_of_b(std::size_t side) {
    const Xyz corner = scan_.of_a(scan_.farthest_of_a(-sides_b_.normal(side)));
    const double known = sides_b_.bound(side), height = sides_b_.height(side, corner);
    if (height > known) sides_b_.add(corner);
    take_side(Kind::SideOfB, side, std::max(height, known));
  }

  enum class Kind { SideOfA, SideOfB, Edges };

  void take_side(Kind kind, std::size_t side, double height) {
    if (!(height < lowest_)) return;
    lowest_ = height;
    kind_ = kind;
    side_ = side;
  }

  // The height of the lowest side as that of any direction.
  void look_at_side() {
    Xyz n = kind_ == Kind::SideOfA ? scan_.turned(sides_a_.normal(side_)) : -sides_b_.normal(side_);
    n = (1.0 / std::sqrt(dot(n, n))) * n;
    look(n);
    take(n);
    lowest_ = std::min(lowest_, height_);
  }

  struct Arc {
    Xyz from, to;      // unit directions
    Xyz q, r;          // points of the difference, high along them
    int b_from, b_to;  // the corners of b that they come from
  };
  struct ArcEnds {
    std::uint8_t from, to;  // sides
    std::uint8_t edge;
  };
  // A corner of b that is high along a side of a.
  struct ArcEnd {
    std::int32_t vertex;
    Xyz corner;  // a's coordinates
    double height;
  };

  // Each edge that the ball leaves open, once, unless one corner of b is high along all of its arc. False:
  // not to be told.
  bool follow_arcs(const HullFaces& faces) {
    least_arc_ = std::numeric_limits<double>::infinity();
    const std::size_t open = sides_a_.list_open(lowest_, why_, open_);
    std::size_t count = 0;
    for (std::size_t at = 0; at < open; ++at) {
      const std::size_t i = open_[at];
      const HullFaces::Triangle& t = faces.triangles[i];
      for (int e = 0; e < 3; ++e) {
        const auto k = static_cast<std::size_t>(t.across[e]);
        arcs_[count] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(k),
                        static_cast<std::uint8_t>(e)};
        const bool is_once = (k > i) | ((why_[k] & 1U) != 0);
        count += static_cast<std::size_t>(is_once & ((why_[i] & why_[k]) == 0));
      }
    }
    for (std::size_t at = 0; at < count; ++at) {
      const std::size_t i = arcs_[at].from, k = arcs_[at].to;
      const ArcEnd q = end_of(i), r = end_of(k);
      if (!is_low(i, q, k, r)) continue;
      const HullFaces::Triangle& t = faces.triangles[i];
      const int e = arcs_[at].edge;
      edge_[0] = t.corner[e];
      edge_[1] = t.corner[e == 2 ? 0 : e + 1];
      const Xyz p = scan_.of_a(edge_[0]);
      const Arc arc = {scan_.turned(sides_a_.normal(i)),
                       scan_.turned(sides_a_.normal(k)),
                       p - scan_.of_b(q.vertex),
                       p - scan_.of_b(r.vertex),
                       q.vertex,
                       r.vertex};
      if (!follow(arc, p, 0)) return false;
    }
    return true;
  }

  // The best of the corners that are known, or the farthest of all.
  ArcEnd end_of(std::size_t side) const {
    std::size_t best = 0;
    double height = sides_a_.bound(side, 1);
    for (std::size_t i = 1; i < corners_; ++i) {
      const double other = sides_a_.bound(side, i + 1);
      best = other > height ? i : best;
      height = std::max(other, height);
    }
    if (height >= lowest_) return {vertex_[best], corner_[best], height};
    const std::int32_t vertex = scan_.farthest_of_b(-scan_.turned(sides_a_.normal(side)));
    const Xyz corner = in_a(vertex);
    return {vertex, corner, sides_a_.height(side, corner)};
  }

  // Whether the arc between two sides may be lower than what was found: what `follow` asks first, from what
  // is known of the sides.
  HWY_INLINE bool is_low(std::size_t i, const ArcEnd& q, std::size_t k, const ArcEnd& r) const {
    const double q_m = sides_a_.height(k, q.corner), r_n = sides_a_.height(i, r.corner);
    const double ahead = std::max(q.height - r_n, 0.0), behind = std::max(r.height - q_m, 0.0);
    const double bound = std::min(behind * q.height + ahead * q_m, behind * r_n + ahead * r.height);
    const double squared = behind * behind + ahead * ahead +
                           2.0 * (behind * ahead) * dot(sides_a_.normal(i), sides_a_.normal(k));
    return !(bound > 0.0 && bound * bound > lowest_ * lowest_ * squared * (1.0 + 1e-14));
  }

  // False: a bound that does not become a height, or arcs that do not come to an end.
  bool follow(const Arc& arc, const Xyz& p, int splits) {
    const Xyz across = arc.q - arc.r;
    const double ahead = std::max(dot(across, arc.from), 0.0), behind = std::max(-dot(across, arc.to), 0.0);
    Xyz x = behind * arc.from + ahead * arc.to;
    double squared = dot(x, x), bound = std::min(dot(x, arc.q), dot(x, arc.r));
    if (bound > 0.0 && bound * bound > lowest_ * lowest_ * squared * (1.0 + 1e-14)) return true;
    if (!(squared > 0.0)) {  // level all along
      x = arc.from + arc.to;
      squared = dot(x, x);
      bound = std::min(dot(x, arc.q), dot(x, arc.r));
    }
    const double inverse = 1.0 / std::sqrt(squared);
    x = inverse * x;
    const double least = inverse * bound;
    look(x);
    lowest_ = std::min(lowest_, seen_height_);
    if (!(lowest_ > 4.0 * floor_)) {
      take(x);
      return false;
    }
    if (least >= seen_height_ - floor_ && seen_height_ < height_) {  // two edges make a side
      take(x);
      kind_ = Kind::Edges;
      best_edge_[0] = edge_[0];
      best_edge_[1] = edge_[1];
      best_edge_[2] = arc.b_from;
      best_edge_[3] = arc.b_to;
    }
    if (least >= lowest_ - floor_) {
      least_arc_ = std::min(least_arc_, least);
      return true;
    }
    const int b = seen_.vertex_b;
    if (b == arc.b_from || b == arc.b_to || splits == most_splits) return false;
    const Xyz s = p - scan_.of_b(b);
    return follow({arc.from, x, arc.q, s, arc.b_from, b}, p, splits + 1) &&
           follow({x, arc.to, s, arc.r, b, arc.b_to}, p, splits + 1);
  }

  // A point of the difference from two corners.
  struct Made {
    Xyz at, of_a, of_b;
    std::int32_t vertex_a, vertex_b;
  };
  Made made(std::int32_t vertex_a, std::int32_t vertex_b) const {
    const Xyz of_a = scan_.of_a(vertex_a), of_b = scan_.of_b(vertex_b);
    return {of_a - of_b, of_a, of_b, vertex_a, vertex_b};
  }

  // True if the nearest point of the triangle is at the depth. Weights as reduce_to_nearest finds them, which
  // is asked where the nearest point is not inside.
  bool take_triangle(const Made& u, const Made& v, const Made& w, CoreDepth& depth) const {
    const Xyz uv = v.at - u.at, uw = w.at - u.at, vw = w.at - v.at, normal = cross(uv, uw);
    const double of_u = dot(normal, cross(v.at, vw)), of_v = dot(normal, cross(uw, u.at)),
                 of_w = dot(normal, cross(u.at, uv));
    if (!(of_u > 0.0 && of_v > 0.0 && of_w > 0.0)) return take_border(u, v, w, depth);
    const double height = std::abs(dot(normal, u.at)) / std::sqrt(dot(normal, normal));
    if (!(std::abs(height - height_) <= floor_)) return false;
    const double share = 1.0 / (of_u + of_v + of_w);
    const double weights[3] = {of_u * share, of_v * share, of_w * share};
    depth.of_a = vector(weights[0] * u.of_a + weights[1] * v.of_a + weights[2] * w.of_a);
    depth.of_b = vector(weights[0] * u.of_b + weights[1] * v.of_b + weights[2] * w.of_b);
    depth.features = {3, {u.vertex_a, v.vertex_a, w.vertex_a, -1}, {u.vertex_b, v.vertex_b, w.vertex_b, -1}};
    return true;
  }

  bool take_border(const Made& u, const Made& v, const Made& w, CoreDepth& depth) const {
    Simplex triangle;
    for (const Made* corner : {&u, &v, &w})
      triangle.add(difference_.of_corners(corner->vertex_a, corner->vertex_b));
    const Vector3 nearest = reduce_to_nearest(triangle);
    if (!(std::abs(nearest.norm() - height_) <= floor_)) return false;
    set_nearest(triangle, depth);
    return true;
  }

  bool set_points(const HullFaces& a, const HullFaces& b, CoreDepth& depth) const {
    if (kind_ == Kind::Edges) {
      const auto [p, q, r, s] = best_edge_;
      return take_triangle(made(p, r), made(q, r), made(p, s), depth) ||
             take_triangle(made(q, s), made(q, r), made(p, s), depth);
    }
    const bool of_a = kind_ == Kind::SideOfA;
    const auto& corner = (of_a ? a : b).triangles[side_].corner;
    const int other = of_a ? seen_.vertex_b : seen_.vertex_a;
    return of_a
               ? take_triangle(made(corner[0], other), made(corner[1], other), made(corner[2], other), depth)
               : take_triangle(made(other, corner[0]), made(other, corner[1]), made(other, corner[2]), depth);
  }

  const Difference& difference_;
  PairScan scan_;
  double floor_;
  SideBounds<true> sides_a_;
  SideBounds<false> sides_b_;
  // Of b, the ones that the sides of a were told: their numbers, and where they are in a's coordinates.
  std::size_t corners_ = 0;
  std::int32_t vertex_[most_corners];
  Xyz corner_[most_corners];
  alignas(64) std::uint64_t why_[most_faces];
  std::uint8_t open_[most_faces + 8];
  ArcEnds arcs_[3 * most_faces + 1];
  ScannedPoint seen_;  // where the last look ended
  double seen_height_ = 0.0;
  double height_ = 0.0;  // the least of a side, along
  Xyz normal_ = {0.0, 0.0, 1.0};
  double lowest_ = 0.0;     // of all sides and heights
  double least_arc_ = 0.0;  // of the bounds of arcs that are heights to rounding
  Kind kind_ = Kind::SideOfA;
  std::size_t side_ = 0;
  int edge_[2] = {0, 0};
  int best_edge_[4] = {0, 0, 0, 0};
  int looks_ = 0;
};

}  // namespace

SureDepth find_face_depth(const Difference& difference, double enough) {
  return FaceDepth(difference).run(enough);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::convex
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::convex {

HWY_EXPORT(find_face_depth);

SureDepth face_depth(const Difference& difference, double enough) {
  const HullIndex *a = difference.a->index, *b = difference.b->index;
  if (a == nullptr || b == nullptr || a->faces.empty() || b->faces.empty()) return {};
  return HWY_DYNAMIC_DISPATCH(find_face_depth)(difference, enough);
}

}  // namespace toccata::convex
#endif  // HWY_ONCE
