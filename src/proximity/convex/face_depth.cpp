// The nearest side of the difference is turned like a side of a, or like one of b, or lies on the arc between
// the normals of two sides of a that share an edge. Of a side of a the height of the difference is its offset
// and how far b reaches against it. Along an arc from n to m let q and r be any two points of the difference
// that come from the edge: the difference is at least as high as both. Split the arc at any x: on the part
// from n to x, q is at least as high as at one of the ends, as long as it is above zero there, since along
// an arc heights of a point are a cosine; and so is r on the part from x to m. So the lesser of q and r along
// x and the heights along n and m are a lower bound of all of the arc. q and r are what is highest along n
// and m, x where they are level; if nothing else is higher there, the bound is the height of a side made by
// two edges. A ball inside of b leaves out most sides and arcs of a before.
//
// Rounding. docs/notes/convex_bounds.md. Every width gives the same bits.
#include "proximity/convex/face_depth.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/rotation_defect.hpp"
#include "elementary/hull_index.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/convex/face_depth.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "proximity/convex/pair_scan-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::convex {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using FaceTag = hn::CappedTag<double, 8>;
constexpr std::size_t face_lanes = hn::MaxLanes(FaceTag());
constexpr std::size_t most_faces = HullFaces::most_faces;
constexpr int most_splits = 8;

// Some sides of one hull: their normals in the coordinates of their own hull and in those of the other, and
// how high the difference is along them, at which corner of the other hull.
struct Sides {
  alignas(64) double face[most_faces + 8];
  alignas(64) double own[3][most_faces + 8];
  alignas(64) double turned[3][most_faces + 8];
  alignas(64) double height[most_faces + 8];
  alignas(64) double corner[most_faces + 8];
  std::size_t count = 0;

  std::size_t number(std::size_t i) const { return static_cast<std::size_t>(face[i]); }
  void set(const HullFaces& faces, std::size_t i) {
    const std::size_t n = number(i);
    own[0][i] = faces.normal_x()[n];
    own[1][i] = faces.normal_y()[n];
    own[2][i] = faces.normal_z()[n];
    height[i] = faces.offset()[n];
  }
  Xyz normal(std::size_t i) const { return {own[0][i], own[1][i], own[2][i]}; }
  Xyz turned_normal(std::size_t i) const { return {turned[0][i], turned[1][i], turned[2][i]}; }
};

// From a side's own coordinates to those of the other hull: x -> rows x; the middle of its own hull is at
// `middle` there.
struct Frame {
  double rows[3][3];
  Xyz middle;
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
    note(ahead);
    if (is_apart(enough, found) || !(height_ > 4.0 * floor_)) return found;
    const Xyz* column = scan_.columns();
    const Xyz back = {dot(column[0], middle), dot(column[1], middle), dot(column[2], middle)};
    const Frame from_a = {{{column[0].x, column[1].x, column[2].x},
                           {column[0].y, column[1].y, column[2].y},
                           {column[0].z, column[1].z, column[2].z}},
                          middle};
    const Frame from_b = {{{column[0].x, column[0].y, column[0].z},
                           {column[1].x, column[1].y, column[1].z},
                           {column[2].x, column[2].y, column[2].z}},
                          {-back.x, -back.y, -back.z}};
    // Arcs are as low as their ends, or lower by the lean where both are below the middle.
    keep(a, back, b.inner_radius, a.lean, sides_a_);
    kept_a_ = sides_a_.count;
    add_neighbours(a);
    keep(b, {-middle.x, -middle.y, -middle.z}, a.inner_radius, 1.0, sides_b_);
    height_ = std::numeric_limits<double>::infinity();  // the nearest side may be as high, at other corners
    weigh(*difference_.b->index, from_a, sides_a_);
    weigh(*difference_.a->index, from_b, sides_b_);
    take_lowest();
    if (is_apart(enough, found) || !(height_ > 4.0 * floor_) || !(lowest_ > 4.0 * floor_)) return found;
    if (!follow_arcs(a) || !(height_ <= lowest_ + floor_) || !set_points(a, b)) return found;
    depth_.lower = std::min(lowest_, least_arc_) - difference_.height_error -
                   (3.0 * defect + 64.0 * unit_roundoff) * difference_.scale;
    if (!(depth_.lower > 4.0 * floor_)) return found;
    depth_.upper = height_ + difference_.height_error;
    depth_.normal = vector(normal_);
    depth_.iterations = looks_;
    found.kind = SureDepth::Kind::Deep;
    found.depth = depth_;
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

  // What was just looked at, if it is the least height so far.
  bool note(const Xyz& n) {
    if (!(seen_height_ < height_)) return false;
    height_ = seen_height_;
    normal_ = n;
    return true;
  }

  bool is_apart(double enough, SureDepth& found) const {
    if (!(-height_ > 4.0 * floor_ && -height_ - difference_.height_error > enough)) return false;
    found.kind = SureDepth::Kind::Apart;
    found.gap = -height_ - difference_.height_error;
    found.direction = vector(normal_);
    return true;
  }

  // The sides that may be lower than what is known, with a ball of the given radius in the other hull.
  HWY_INLINE void keep(const HullFaces& faces, const Xyz& middle, double inner, double lean, Sides& sides) {
    const FaceTag tag;
    const auto x = hn::Set(tag, middle.x), y = hn::Set(tag, middle.y), z = hn::Set(tag, middle.z);
    const auto limit = hn::Set(tag, height_ + 128.0 * unit_roundoff * difference_.scale - inner);
    const auto factor = hn::Set(tag, lean);
    std::uint64_t low[most_faces / 64] = {};  // a bit for each side
    for (std::size_t at = 0; at < faces.padded(); at += face_lanes) {
      const auto xy = hn::Add(hn::Mul(hn::LoadU(tag, faces.normal_x() + at), x),
                              hn::Mul(hn::LoadU(tag, faces.normal_y() + at), y));
      const auto along = hn::Add(xy, hn::Mul(hn::LoadU(tag, faces.normal_z() + at), z));
      const auto height = hn::Add(hn::LoadU(tag, faces.offset() + at), along);
      std::uint8_t bits[8] = {0};
      hn::StoreMaskBits(tag, hn::Lt(hn::Min(height, hn::Mul(height, factor)), limit), bits);
      low[at / 64] |= std::uint64_t{bits[0]} << (at % 64);
    }
    std::size_t count = 0;
    for (std::size_t word = 0; 64 * word < faces.padded(); ++word) {
      for (std::uint64_t bits = low[word]; bits != 0; bits &= bits - 1)
        sides.face[count++] =
            static_cast<double>(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
    }
    for (std::size_t i = 0; i < count; ++i) sides.set(faces, i);
    sides.count = count;
  }

  // What is across the edges of the sides of a that are kept. Each is written down, and counted if it is new:
  // which ones are is anybody's guess.
  void add_neighbours(const HullFaces& faces) {
    std::fill_n(place_, faces.triangles.size(), std::int16_t{-1});
    for (std::size_t i = 0; i < kept_a_; ++i) place_[sides_a_.number(i)] = static_cast<std::int16_t>(i);
    std::size_t count = kept_a_;
    for (std::size_t i = 0; i < kept_a_; ++i) {
      for (const std::int16_t other : faces.triangles[sides_a_.number(i)].across) {
        const bool is_new = place_[other] < 0;
        place_[other] = is_new ? static_cast<std::int16_t>(count) : place_[other];
        sides_a_.face[count] = other;
        count += is_new ? 1 : 0;
      }
    }
    for (std::size_t i = kept_a_; i < count; ++i) sides_a_.set(faces, i);
    sides_a_.count = count;
  }

  // Heights of the sides, and the corners of the other hull that are farthest against them. Two vectors at a
  // time, that do not wait for each other.
  HWY_INLINE void weigh(const HullIndex& other, const Frame& frame, Sides& sides) {
    const FaceTag tag;
    const std::size_t padded = other.columns.size() / 3, corners = static_cast<std::size_t>(other.count);
    const double *px = other.columns.data(), *py = px + padded, *pz = py + padded;
    for (std::size_t i = sides.count; i < sides.count + 8; ++i) {  // whole vectors
      for (auto& column : sides.own) column[i] = 0.0;
      sides.height[i] = std::numeric_limits<double>::infinity();
    }
    for (std::size_t at = 0; at < sides.count; at += 2 * face_lanes) {
      const std::size_t next = at + face_lanes < sides.count ? at + face_lanes : at;
      const std::size_t start[2] = {at, next};
      hn::Vec<FaceTag> x[2], y[2], z[2], least[2], where[2];
      for (int v = 0; v < 2; ++v) {
        const auto nx = hn::Load(tag, sides.own[0] + start[v]), ny = hn::Load(tag, sides.own[1] + start[v]),
                   nz = hn::Load(tag, sides.own[2] + start[v]);
        const auto turn = [&](const double* row) HWY_ATTR {
          return hn::Add(hn::Add(hn::Mul(hn::Set(tag, row[0]), nx), hn::Mul(hn::Set(tag, row[1]), ny)),
                         hn::Mul(hn::Set(tag, row[2]), nz));
        };
        x[v] = turn(frame.rows[0]);
        y[v] = turn(frame.rows[1]);
        z[v] = turn(frame.rows[2]);
        hn::Store(x[v], tag, sides.turned[0] + start[v]);
        hn::Store(y[v], tag, sides.turned[1] + start[v]);
        hn::Store(z[v], tag, sides.turned[2] + start[v]);
        least[v] = hn::Set(tag, std::numeric_limits<double>::infinity());
        where[v] = hn::Zero(tag);
      }
      auto number = hn::Zero(tag);
      const auto one = hn::Set(tag, 1.0);
      for (std::size_t c = 0; c < corners; ++c) {
        const auto cx = hn::Set(tag, px[c]), cy = hn::Set(tag, py[c]), cz = hn::Set(tag, pz[c]);
        for (int v = 0; v < 2; ++v) {
          const auto height = hn::Add(hn::Add(hn::Mul(x[v], cx), hn::Mul(y[v], cy)), hn::Mul(z[v], cz));
          where[v] = hn::IfThenElse(hn::Lt(height, least[v]), number, where[v]);
          least[v] = hn::Min(height, least[v]);
        }
        number = hn::Add(number, one);
      }
      hn::Vec<FaceTag> sum[2];
      for (int v = 0; v < 2; ++v) {
        const auto mx = hn::Set(tag, frame.middle.x), my = hn::Set(tag, frame.middle.y),
                   mz = hn::Set(tag, frame.middle.z);
        const auto shift = hn::Add(hn::Add(hn::Mul(x[v], mx), hn::Mul(y[v], my)), hn::Mul(z[v], mz));
        sum[v] = hn::Sub(hn::Add(hn::Load(tag, sides.height + start[v]), shift), least[v]);
      }
      for (int v = 0; v < 2; ++v) {
        hn::Store(sum[v], tag, sides.height + start[v]);
        hn::Store(where[v], tag, sides.corner + start[v]);
      }
    }
  }

  // The lowest of all sides becomes the least height so far.
  void take_lowest() {
    lowest_ = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < sides_a_.count; ++i) {
      if (!(sides_a_.height[i] < lowest_)) continue;
      lowest_ = sides_a_.height[i];
      side_ = static_cast<int>(i);
      kind_ = Kind::SideOfA;
    }
    for (std::size_t i = 0; i < sides_b_.count; ++i) {
      if (!(sides_b_.height[i] < lowest_)) continue;
      lowest_ = sides_b_.height[i];
      side_ = static_cast<int>(i);
      kind_ = Kind::SideOfB;
    }
    if (side_ < 0) return;
    const auto i = static_cast<std::size_t>(side_);
    Xyz n = kind_ == Kind::SideOfA ? sides_a_.turned_normal(i) : -1.0 * sides_b_.normal(i);
    n = (1.0 / std::sqrt(dot(n, n))) * n;
    look(n);
    note(n);
    lowest_ = std::min(lowest_, height_);
  }

  struct Arc {
    Xyz from, to;      // unit directions
    Xyz q, r;          // points of the difference, farthest along them
    int b_from, b_to;  // the corners of b that they come from
  };
  struct ArcEnds {
    std::int16_t from, to;  // sides
    std::int16_t edge;
  };

  // Each edge of the sides that are kept, once, unless one corner of b is the farthest along all of its arc.
  // False: not to be told.
  bool follow_arcs(const HullFaces& faces) {
    least_arc_ = std::numeric_limits<double>::infinity();
    std::size_t count = 0;
    for (std::size_t i = 0; i < kept_a_; ++i) {
      const HullFaces::Triangle& t = faces.triangles[sides_a_.number(i)];
      for (int e = 0; e < 3; ++e) {
        const auto k = static_cast<std::size_t>(place_[t.across[e]]);
        arcs_[count] = {static_cast<std::int16_t>(i), static_cast<std::int16_t>(k),
                        static_cast<std::int16_t>(e)};
        count += static_cast<std::size_t>(k > i) &
                 static_cast<std::size_t>(sides_a_.corner[i] != sides_a_.corner[k]);
      }
    }
    for (std::size_t at = 0; at < count; ++at) {
      const auto i = static_cast<std::size_t>(arcs_[at].from), k = static_cast<std::size_t>(arcs_[at].to);
      const HullFaces::Triangle& t = faces.triangles[sides_a_.number(i)];
      const int e = arcs_[at].edge;
      const Xyz p = scan_.of_a(t.corner[e]);
      Arc arc;
      arc.from = sides_a_.turned_normal(i);
      arc.to = sides_a_.turned_normal(k);
      arc.b_from = static_cast<int>(sides_a_.corner[i]);
      arc.b_to = static_cast<int>(sides_a_.corner[k]);
      arc.q = p - scan_.of_b(arc.b_from);
      arc.r = p - scan_.of_b(arc.b_to);
      edge_[0] = t.corner[e];
      edge_[1] = t.corner[e == 2 ? 0 : e + 1];
      if (!follow(arc, p, 0)) return false;
    }
    return true;
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
    if (!(lowest_ > 4.0 * floor_)) return false;
    if (least >= seen_height_ - floor_ && note(x)) {  // two edges make a side
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

  // True if the nearest point of the triangle is at the depth.
  bool take_triangle(const DifferencePoint& u, const DifferencePoint& v, const DifferencePoint& w) {
    Simplex triangle;
    triangle.add(u);
    triangle.add(v);
    triangle.add(w);
    const Vector3 nearest = reduce_to_nearest(triangle);
    if (!(std::abs(nearest.norm() - height_) <= floor_)) return false;
    depth_.nearest = triangle;
    for (int i = 0; i < triangle.count; ++i) {
      depth_.of_a += triangle.weight[i] * triangle.corner[i].of_a;
      depth_.of_b += triangle.weight[i] * triangle.corner[i].of_b;
    }
    return true;
  }

  bool set_points(const HullFaces& a, const HullFaces& b) {
    const auto point = [&](int of_a, int of_b) { return difference_.of_corners(of_a, of_b); };
    if (kind_ == Kind::Edges) {
      const auto [p, q, r, s] = best_edge_;
      return take_triangle(point(p, r), point(q, r), point(p, s)) ||
             take_triangle(point(q, s), point(q, r), point(p, s));
    }
    if (side_ < 0) return false;
    const bool of_a = kind_ == Kind::SideOfA;
    const Sides& sides = of_a ? sides_a_ : sides_b_;
    const auto i = static_cast<std::size_t>(side_);
    const auto& corner = (of_a ? a : b).triangles[sides.number(i)].corner;
    const int other = static_cast<int>(sides.corner[i]);
    return of_a ? take_triangle(point(corner[0], other), point(corner[1], other), point(corner[2], other))
                : take_triangle(point(other, corner[0]), point(other, corner[1]), point(other, corner[2]));
  }

  enum class Kind { SideOfA, SideOfB, Edges };

  const Difference& difference_;
  PairScan scan_;
  double floor_;
  Sides sides_a_, sides_b_;
  std::size_t kept_a_ = 0;          // the first ones; the others are across edges of them
  std::int16_t place_[most_faces];  // of a's faces among the sides, or -1
  ArcEnds arcs_[3 * most_faces + 1];
  ScannedPoint seen_;  // where the last look ended
  double seen_height_ = 0.0;
  double height_ = std::numeric_limits<double>::infinity();  // the least that was looked at, along
  Xyz normal_ = {0.0, 0.0, 1.0};
  double lowest_ = 0.0;     // of all sides and heights
  double least_arc_ = 0.0;  // of the bounds of arcs that are heights to rounding
  Kind kind_ = Kind::SideOfA;
  int side_ = -1;
  int edge_[2] = {0, 0};
  int best_edge_[4] = {0, 0, 0, 0};
  int looks_ = 0;
  CoreDepth depth_;
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
