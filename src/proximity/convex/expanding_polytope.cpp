// Rounding. The corners are points of the difference up to point_error. A face's normal is the product of two
// edges, each coordinate right to 4 u |e||f|; its plane is therefore known to 8 u |p||e||f| / |n| at the
// origin, p its first corner. docs/notes/convex_bounds.md.
//
// Planes are kept in columns: which of them see a point, and which is the lowest, is asked of all at once, in
// lanes. Every width gives the same bits.
#include "proximity/convex/expanding_polytope.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "elementary/double_pair.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/convex/expanding_polytope.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "proximity/convex/pair_scan-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::convex {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int most_corners = 256;
constexpr int most_faces =
    2 * most_corners;  // Euler: 2 n - 4, and the ones that a step adds before it removes
constexpr int most_steps = 255;
// Beyond that many times as long as wide, heights of faces are asked in pairs of doubles.
constexpr double most_spread = 1000.0;
// Three directions about a line: along it and, by sixths of a turn, along two across it. Of unit length.
constexpr double lean_ahead = 0.8660254037844386;
constexpr double lean_aside[3][2] = {{0.5, 0.0}, {-0.25, 0.4330127018922193}, {-0.25, -0.4330127018922193}};

using PlaneTag = hn::CappedTag<double, 8>;
constexpr int plane_lanes = static_cast<int>(hn::MaxLanes(PlaneTag()));

// Where an edge of a face is: its face, and which of its three edges.
struct FaceEdge {
  std::int16_t face;
  std::int16_t edge;
};

struct PolytopeFace {
  std::int16_t corner[3];
  FaceEdge across[3];  // of edge i, from corner i to corner i + 1
};

struct HorizonEdge {
  std::int16_t from, to;
  FaceEdge outer;  // the face that stays
};

// The unit normals of the faces, outward, the heights of their planes along them, and the inverse lengths of
// the products of two edges that they are made of. Faces that are gone, and those that pad the last lanes,
// are infinitely high.
struct PlaneColumns {
  alignas(64) double x[most_faces];
  alignas(64) double y[most_faces];
  alignas(64) double z[most_faces];
  alignas(64) double height[most_faces];
  double inverse[most_faces];
  int padded = 0;

  Xyz normal(int face) const { return {x[face], y[face], z[face]}; }

  void make_room(int count) {
    for (; padded < count; padded += plane_lanes) {
      const auto zero = hn::Zero(PlaneTag());
      hn::Store(zero, PlaneTag(), x + padded);
      hn::Store(zero, PlaneTag(), y + padded);
      hn::Store(zero, PlaneTag(), z + padded);
      hn::Store(hn::Set(PlaneTag(), std::numeric_limits<double>::infinity()), PlaneTag(), height + padded);
    }
  }

  // The first of the lowest.
  HWY_INLINE int lowest() const {
    const PlaneTag tag;
    auto least = hn::Load(tag, height);
    for (int at = plane_lanes; at < padded; at += plane_lanes)
      least = hn::Min(least, hn::Load(tag, height + at));
    least = hn::MinOfLanes(tag, least);
    for (int at = 0; at < padded; at += plane_lanes) {
      const auto bits = mask_bits(hn::Eq(hn::Load(tag, height + at), least));
      if (bits != 0) return at + std::countr_zero(bits);
    }
    return 0;
  }

  // The faces below the point, in order.
  HWY_INLINE int seen_from(const Xyz& p, std::int16_t* faces) const {
    const PlaneTag tag;
    const auto px = hn::Set(tag, p.x), py = hn::Set(tag, p.y), pz = hn::Set(tag, p.z);
    int count = 0;
    for (int at = 0; at < padded; at += plane_lanes) {
      const auto xy = hn::Add(hn::Mul(hn::Load(tag, x + at), px), hn::Mul(hn::Load(tag, y + at), py));
      const auto along = hn::Add(xy, hn::Mul(hn::Load(tag, z + at), pz));
      for (auto bits = mask_bits(hn::Gt(along, hn::Load(tag, height + at))); bits != 0; bits &= bits - 1)
        faces[count++] = static_cast<std::int16_t>(at + std::countr_zero(bits));
    }
    return count;
  }

  static HWY_INLINE std::uint32_t mask_bits(hn::Mask<PlaneTag> mask) {
    std::uint8_t bits[8] = {0};
    hn::StoreMaskBits(PlaneTag(), mask, bits);
    return bits[0];
  }
};

class Polytope {
 public:
  Polytope(const Difference& difference, double wanted, double wanted_share)
      : difference_(difference), scan_(difference), wanted_(wanted), wanted_share_(wanted_share) {
    floor_ = 2.0 * (difference.height_error + difference.point_error);
    has_scans_ = is_scanned(*difference.a) && is_scanned(*difference.b);
    const double longest = 4.0 * difference.scale * difference.scale / most_spread;
    plain_ = longest * longest;
  }

  SureDepth run_about(const Xyz& center, double enough) {
    SureDepth found;
    if (!has_scans_) return found;
    result_.upper = std::numeric_limits<double>::infinity();
    if (spread(center) && grow()) {
      finish(planes_.lowest());
      if (!(result_.lower > 4.0 * floor_)) return found;
      found.kind = SureDepth::Kind::Deep;
      found.depth = result_;
    } else if (gap_ > 4.0 * floor_ && gap_ - difference_.height_error > enough) {
      found.kind = SureDepth::Kind::Apart;
      found.gap = gap_ - difference_.height_error;
      found.direction = vector(apart_);
    }
    return found;
  }

  CoreDepth run(const Simplex& start) {
    result_.upper = std::numeric_limits<double>::infinity();
    if (!make_tetrahedron(start)) {
      result_.normal = vector(normal_);
      return result_;
    }
    int face = planes_.lowest();
    while (result_.iterations < most_steps && corner_count_ < most_corners) {
      const double height = planes_.height[face];
      look_beyond(face);
      const double open = result_.upper - std::max(height, 0.0);
      if (open <= std::max({floor_, wanted_, wanted_share_ * result_.upper})) break;
      if (!rises_above(face) || !expand(face)) break;
      face = planes_.lowest();
    }
    finish(face);
    return result_;
  }

 private:
  // The farthest corner along a unit direction, as the next one. False: it is surely behind the origin.
  bool look_ahead(const Xyz& n) {
    scan_along(n);
    note_farthest(n, at_[corner_count_]);
    return !is_behind(n);
  }

  // Whether the difference, whose farthest corner along n is the next one, is behind the origin beyond doubt.
  bool is_behind(const Xyz& n) {
    gap_ = -dot(n, at_[corner_count_]);
    apart_ = n;
    return gap_ > 4.0 * floor_;
  }

  // Corners around the line to the middle: one ahead of the origin, where its surface should be near, three
  // about it that lean that way, one behind. False: there is no such body, or the origin is apart.
  bool spread(const Xyz& center) {
    const double length = std::sqrt(dot(center, center));
    const Xyz n = length > floor_ ? (-1.0 / length) * center : Xyz{0.0, 0.0, 1.0};
    if (!look_ahead(n)) return false;
    const Xyz ahead = at_[0];
    const std::int32_t of_ahead[2] = {vertex_[0][0], vertex_[0][1]};
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    Xyz e = x <= y && x <= z ? cross(n, {1, 0, 0}) : y <= z ? cross(n, {0, 1, 0}) : cross(n, {0, 0, 1});
    e = (1.0 / std::sqrt(dot(e, e))) * e;
    const Xyz f = cross(n, e);
    for (const auto& [along_e, along_f] : lean_aside) {
      const Xyz leaning = {lean_ahead * n.x + along_e * e.x + along_f * f.x,
                           lean_ahead * n.y + along_e * e.y + along_f * f.y,
                           lean_ahead * n.z + along_e * e.z + along_f * f.z};
      if (!look_ahead(leaning)) return false;
      ++corner_count_;
    }
    if (!look_ahead({-n.x, -n.y, -n.z})) return false;
    ++corner_count_;
    gap_ = 0.0;
    const Xyz p = at_[0];
    if (dot(cross(at_[1] - p, at_[2] - p), at_[3] - p) > 0.0) {
      std::swap(at_[1], at_[2]);
      std::swap(vertex_[1], vertex_[2]);
    }
    make_faces();
    if (is_broken_) return false;
    if (!(dot(planes_.normal(0), ahead) > planes_.height[0])) return true;  // one of the corners again
    at_[4] = ahead;
    vertex_[4][0] = of_ahead[0];
    vertex_[4][1] = of_ahead[1];
    return expand(0) && !is_broken_;
  }

  // Until the bracket closes. False: not to be told, or the origin is beyond a plane.
  bool grow() {
    while (result_.iterations < most_steps && corner_count_ < most_corners) {
      const int face = planes_.lowest();
      const double height = planes_.height[face];
      look_beyond(face);
      const Xyz n = planes_.normal(face);
      if (is_behind(n)) return false;
      const double open = result_.upper - std::max(height, 0.0);
      if (height > 0.0 && open <= std::max({floor_, wanted_, wanted_share_ * result_.upper})) return true;
      if (!rises_above(face) || !expand(face)) break;
    }
    gap_ = 0.0;
    return false;
  }

  // Whether the next corner is above the face, and a new one: where the normal of a sliver is rounded, one of
  // the surface seems to be so, and would be taken again and again.
  bool rises_above(int face) const {
    const Xyz found = at_[corner_count_];
    const double rise = dot(planes_.normal(face), found) - planes_.height[face];
    if (!(rise > 0.0)) return false;
    if (rise > 1e-6 * difference_.scale) return true;
    for (int i = 0; i < corner_count_; ++i) {
      if (at_[i].x == found.x && at_[i].y == found.y && at_[i].z == found.z) return false;
    }
    return true;
  }

  // The difference has no thickness to speak of along some direction: the depth is below rounding.
  bool make_tetrahedron(const Simplex& start) {
    corner_[0] = start.count > 0 ? start.corner[0] : look_along(Vector3::UnitX());
    for (corner_count_ = 1; corner_count_ < start.count; ++corner_count_)
      corner_[corner_count_] = start.corner[corner_count_];
    const Vector3 axes[3] = {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
    if (corner_count_ == 1) {
      add_farthest(axes, 3, [&](const Vector3& x) { return x.norm(); });
    }
    if (corner_count_ == 1) return end_flat(start, Vector3::UnitZ());
    const Vector3 p = corner_[0].difference;
    if (corner_count_ == 2) {
      const Vector3 edge = (corner_[1].difference - p).normalized();
      int least = 0;
      edge.cwiseAbs().minCoeff(&least);
      const Vector3 side = edge.cross(axes[least]).normalized();
      const Vector3 across[2] = {side, edge.cross(side)};
      add_farthest(across, 2, [&](const Vector3& x) { return (x - x.dot(edge) * edge).norm(); });
      if (corner_count_ == 2) return end_flat(start, side);
    }
    if (corner_count_ == 3) {
      Vector3 normal = (corner_[1].difference - p).cross(corner_[2].difference - p);
      const double length = normal.norm();
      if (!(length > 0.0)) return end_flat(start, look_for_normal());
      normal /= length;
      add_farthest(&normal, 1, [&](const Vector3& x) { return std::abs(x.dot(normal)); });
      if (corner_count_ == 3) return end_flat(start, normal);
    }
    return close_tetrahedron();
  }

  // Adds the point that `how_far` likes best of those along and against the directions, if it is any use.
  template <typename HowFar>
  void add_farthest(const Vector3* directions, int count, HowFar&& how_far) {
    const Vector3 origin = corner_[0].difference;
    double best = floor_;
    for (int i = 0; i < count; ++i) {
      for (const double sign : {1.0, -1.0}) {
        const DifferencePoint found = look_along(sign * directions[i]);
        const double far = how_far(found.difference - origin);
        if (!(far > best)) continue;
        best = far;
        corner_[corner_count_] = found;
        has_candidate_ = true;
      }
    }
    if (has_candidate_) ++corner_count_;
    has_candidate_ = false;
  }

  // Three corners on one line.
  Vector3 look_for_normal() const {
    const Vector3 edge = corner_[1].difference - corner_[0].difference;
    int least = 0;
    edge.cwiseAbs().minCoeff(&least);
    const Vector3 side = edge.cross(Vector3::Unit(least));
    return side.squaredNorm() > 0.0 ? Vector3(side.normalized()) : Vector3(Vector3::UnitZ());
  }

  bool end_flat(const Simplex& start, const Vector3& normal) {
    look_along(normal);
    look_along(-normal);
    result_.lower = 0.0;
    for (int i = 0; i < start.count; ++i) {
      result_.of_a += start.weight[i] * start.corner[i].of_a;
      result_.of_b += start.weight[i] * start.corner[i].of_b;
    }
    return false;
  }

  bool close_tetrahedron() {
    const Vector3& p = corner_[0].difference;
    const double volume =
        (corner_[1].difference - p).cross(corner_[2].difference - p).dot(corner_[3].difference - p);
    if (volume > 0.0) std::swap(corner_[1], corner_[2]);  // faces below are outward for a negative one
    for (int i = 0; i < 4; ++i) {
      at_[i] = plain(corner_[i].difference);
      vertex_[i][0] = corner_[i].vertex_a;
      vertex_[i][1] = corner_[i].vertex_b;
    }
    make_faces();
    return true;
  }

  // Of the first four corners.
  void make_faces() {
    const int of_face[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    const int next_to[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int f = 0; f < 4; ++f) {
      new_face(of_face[f][0], of_face[f][1], of_face[f][2]);
      for (int e = 0; e < 3; ++e) {
        const int next = next_to[f][e];
        faces_[f].across[e] = edge_from(of_face[next], next, of_face[f][(e + 1) % 3]);
      }
    }
  }

  static FaceEdge edge_from(const int* corners, int face, int from) {
    const int edge = corners[0] == from ? 0 : corners[1] == from ? 1 : 2;
    return {static_cast<std::int16_t>(face), static_cast<std::int16_t>(edge)};
  }

  DifferencePoint look_along(const Vector3& normal) {
    const DifferencePoint found = difference_.farthest_against(-normal);
    note_farthest(plain(normal), plain(found.difference));
    return found;
  }

  // Leaves what it finds in the next corner. From a corner of the face on; a hint is proven where it would be
  // the last word.
  void look_beyond(int face) {
    const Xyz normal = planes_.normal(face);
    if (has_scans_) {
      scan_along(normal);
    } else {
      DifferencePoint& found = corner_[corner_count_];
      const Vector3 against = -vector(normal);
      if (!difference_.find_against(against, corner_[faces_[face].corner[0]], found)) {
        const double height = dot(normal, plain(found.difference));
        if (height > planes_.height[face] && height + difference_.height_error >= result_.upper) {
          ++result_.iterations;
          at_[corner_count_] = plain(found.difference);
          return;
        }
        difference_.prove_against(against, found);
      }
      at_[corner_count_] = plain(found.difference);
    }
    note_farthest(normal, at_[corner_count_]);
  }

  void scan_along(const Xyz& d) {
    ScannedPoint found;
    scan_.along(d, found);
    at_[corner_count_] = found.at;
    vertex_[corner_count_][0] = found.vertex_a;
    vertex_[corner_count_][1] = found.vertex_b;
  }

  void note_farthest(const Xyz& normal, const Xyz& found) {
    const double upper = std::max(dot(normal, found) + difference_.height_error, 0.0);
    if (upper < result_.upper) {
      result_.upper = upper;
      normal_ = normal;
    }
    ++result_.iterations;
  }

  int new_face(int i, int j, int k) {
    int id = face_count_;
    if (free_count_ > 0) {
      id = free_[--free_count_];
    } else {
      planes_.make_room(++face_count_);
    }
    PolytopeFace& face = faces_[id];
    face.corner[0] = static_cast<std::int16_t>(i);
    face.corner[1] = static_cast<std::int16_t>(j);
    face.corner[2] = static_cast<std::int16_t>(k);
    const Xyz p = at_[i], e = at_[j] - p, f = at_[k] - p;
    Xyz normal = cross(e, f);
    const double squared = dot(normal, normal);
    double inverse = 0.0, height = 0.0;
    if (squared > plain_ || is_plain(squared, e, f)) {
      inverse = 1.0 / std::sqrt(squared);
      normal = inverse * normal;
      height = dot(normal, p);
    } else if (const SliverPlane plane = sliver_plane(p, at_[j], at_[k]); plane.length > 0.0) {
      inverse = 1.0 / plane.length;
      normal = inverse * plane.product;
      height = plane.height;
    } else {  // three corners on a line: of no use, and in the way of none
      normal = {0.0, 0.0, 1.0};
      is_broken_ = true;
    }
    planes_.x[id] = normal.x;
    planes_.y[id] = normal.y;
    planes_.z[id] = normal.z;
    planes_.height[id] = height;
    planes_.inverse[id] = inverse;
    seen_at_[id] = 0;
    return id;
  }

  // The proven height of a face, if it is below `least`.
  double lower_of(int face, double least) const {
    const double unit = 8.0 * unit_roundoff * difference_.scale;
    const double height = planes_.height[face], inverse = planes_.inverse[face];
    // |e||f| is at most half the sum of their squares, each edge at most twice the scale.
    const double most = 4.0 * difference_.scale * difference_.scale * inverse;
    if (height - unit * (1.0 + most) - difference_.point_error >= least) return least;
    const std::int16_t* const corner = faces_[face].corner;
    const Xyz p = at_[corner[0]], e = at_[corner[1]] - p, f = at_[corner[2]] - p;
    const double squares = dot(e, e) + dot(f, f);
    const double spread = 0.5 * squares * inverse;
    if (!(spread > most_spread))
      return std::min(least, height - unit * (1.0 + spread) - difference_.point_error);
    const SliverPlane sliver = sliver_plane(p, at_[corner[1]], at_[corner[2]]);
    return std::min(least, sliver.height - sliver.error - difference_.point_error);
  }

  static bool is_plain(double squared, const Xyz& e, const Xyz& f) {
    const double squares = 0.5 * (dot(e, e) + dot(f, f));
    return squared * (most_spread * most_spread) > squares * squares;
  }

  // Of slivers, whose normals are rounded away, in pairs of doubles: edges are exact, their product is right
  // to 2^-97 of their lengths' one.
  struct SliverPlane {
    Xyz product = {0.0, 0.0, 0.0};  // of the edges, rounded
    double length = 0.0;            // of it; zero if the three corners are on a line
    double height = 0.0;
    double error =
        0.0;  // of the height, which is right to 2^-90 of the scale times the lengths over `length`
  };
  HWY_NOINLINE SliverPlane sliver_plane(const Xyz& p, const Xyz& q, const Xyz& r) const {
    using elementary::DoublePair;
    using elementary::exact_difference;
    const DoublePair e[3] = {exact_difference(q.x, p.x), exact_difference(q.y, p.y),
                             exact_difference(q.z, p.z)};
    const DoublePair f[3] = {exact_difference(r.x, p.x), exact_difference(r.y, p.y),
                             exact_difference(r.z, p.z)};
    const DoublePair n[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]};
    const DoublePair along =
        n[0] * DoublePair{p.x, 0.0} + n[1] * DoublePair{p.y, 0.0} + n[2] * DoublePair{p.z, 0.0};
    SliverPlane plane;
    plane.product = {n[0].high, n[1].high, n[2].high};
    plane.length = std::sqrt((n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).high);
    if (!(plane.length > 0.0)) return plane;
    const Xyz along_e = q - p, along_f = r - p;
    const double lengths = std::sqrt(dot(along_e, along_e) * dot(along_f, along_f));
    plane.height = along.high / plane.length;
    plane.error =
        8.0 * unit_roundoff * std::abs(plane.height) + 0x1p-90 * difference_.scale * (lengths / plane.length);
    return plane;
  }

  // Replaces the faces that see the next corner by a fan around it. False, and nothing is changed, where
  // rounding makes them other than one patch.
  bool expand(int from_face) {
    seen_count_ = planes_.seen_from(at_[corner_count_], seen_);
    ++step_;
    for (int i = 0; i < seen_count_; ++i) seen_at_[seen_[i]] = step_;
    int n = find_horizon();
    if (n == 0) {  // more than one patch, perhaps: the one about the face is meant
      keep_patch(from_face);
      n = find_horizon();
    }
    if (n == 0 || face_count_ - free_count_ + n > most_faces) return false;
    for (int i = 0; i < seen_count_; ++i) {
      planes_.height[seen_[i]] = std::numeric_limits<double>::infinity();
      free_[free_count_++] = seen_[i];
    }
    const int corner = corner_count_++;
    for (int i = 0; i < n; ++i) fan_[i] = new_face(horizon_[i].from, horizon_[i].to, corner);
    for (int i = 0; i < n; ++i) {
      PolytopeFace& face = faces_[fan_[i]];
      const auto own = static_cast<std::int16_t>(fan_[i]);
      face.across[0] = horizon_[i].outer;
      face.across[1] = {static_cast<std::int16_t>(fan_[i + 1 == n ? 0 : i + 1]), 2};
      face.across[2] = {static_cast<std::int16_t>(fan_[i == 0 ? n - 1 : i - 1]), 1};
      faces_[horizon_[i].outer.face].across[horizon_[i].outer.edge] = {own, 0};
    }
    return true;
  }

  // The edges between faces that see the point and such as do not, around the patch. 0 if they are not one
  // ring.
  int find_horizon() {
    int n = 0;
    for (int i = 0; i < seen_count_; ++i) {
      const PolytopeFace& face = faces_[seen_[i]];
      for (int e = 0; e < 3; ++e) {
        const FaceEdge outer = face.across[e];
        loose_[n] = {face.corner[e], face.corner[e == 2 ? 0 : e + 1], outer};
        n += seen_at_[outer.face] != step_ ? 1 : 0;
      }
    }
    if (n < 3 || n > most_corners) return 0;
    for (int i = 0; i < n; ++i) from_[loose_[i].to] = -1;
    for (int i = 0; i < n; ++i) from_[loose_[i].from] = static_cast<std::int16_t>(i);
    int next = 0;
    for (int i = 0; i < n; ++i) {
      horizon_[i] = loose_[next];
      next = from_[horizon_[i].to];
      if (next < 0 || (next == 0) != (i + 1 == n)) return 0;
    }
    return n;
  }

  // Of the faces that see the point those that hang together with one of them.
  void keep_patch(int from_face) {
    ++step_;
    seen_[0] = static_cast<std::int16_t>(from_face);
    seen_at_[from_face] = step_;
    seen_count_ = 1;
    for (int i = 0; i < seen_count_; ++i) {
      for (const FaceEdge& across : faces_[seen_[i]].across) {
        if (seen_at_[across.face] != step_ - 1) continue;
        seen_at_[across.face] = step_;
        seen_[seen_count_++] = across.face;
      }
    }
  }

  // The surface bounds the depth from below if it is about the origin: every plane strictly beyond it.
  void finish(int face) {
    double lower = is_broken_ ? 0.0 : result_.upper;
    for (int f = 0; f < face_count_; ++f) {
      if (std::isfinite(planes_.height[f])) lower = lower_of(f, lower);
    }
    result_.lower = std::max(lower, 0.0);
    result_.normal = vector(normal_);
    Simplex triangle;
    for (const int corner : faces_[face].corner)
      triangle.add(has_scans_ ? difference_.of_corners(vertex_[corner][0], vertex_[corner][1])
                              : corner_[corner]);
    reduce_to_nearest(triangle);
    set_nearest(triangle, result_);
  }

  const Difference& difference_;
  PairScan scan_;
  double wanted_, wanted_share_, floor_;
  bool has_scans_;  // both cores are hulls of few corners
  double plain_;    // squares of normals above that are of no sliver: each edge is at most twice the scale
  Xyz normal_ = {0.0, 0.0, 1.0};  // of the least height so far
  double gap_ = 0.0;              // from the origin back to the difference, as last seen, along
  Xyz apart_ = {0.0, 0.0, 0.0};
  // Where the corners are, and what they are made of: the vertices where both cores are scanned, all of it
  // otherwise.
  Xyz at_[most_corners];
  std::int32_t vertex_[most_corners][2];
  DifferencePoint corner_[most_corners];
  int corner_count_ = 0;
  bool has_candidate_ = false;
  PolytopeFace faces_[most_faces];
  PlaneColumns planes_;
  int face_count_ = 0;
  int free_[most_faces];
  int free_count_ = 0;
  bool is_broken_ = false;
  // Of a step:
  int step_ = 0;
  int seen_at_[most_faces];          // the last step whose point the face saw
  std::int16_t from_[most_corners];  // the edge of the horizon that starts at a corner
  std::int16_t seen_[most_faces];
  int fan_[most_faces];
  HorizonEdge loose_[3 * most_faces + 1], horizon_[most_faces];
  int seen_count_ = 0;
  CoreDepth result_;
};

}  // namespace

CoreDepth expand_polytope(const Difference& difference, const Simplex& start, double wanted,
                          double wanted_share) {
  return Polytope(difference, wanted, wanted_share).run(start);
}

SureDepth expand_about_middles(const Difference& difference, double enough, double wanted,
                               double wanted_share) {
  return Polytope(difference, wanted, wanted_share).run_about(plain(difference.a_to_b.translation), enough);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::convex
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::convex {

HWY_EXPORT(expand_polytope);

CoreDepth core_depth(const Difference& difference, const Simplex& start, double wanted, double wanted_share) {
  return HWY_DYNAMIC_DISPATCH(expand_polytope)(difference, start, wanted, wanted_share);
}

HWY_EXPORT(expand_about_middles);

SureDepth sure_depth(const Difference& difference, double enough, double wanted, double wanted_share) {
  return HWY_DYNAMIC_DISPATCH(expand_about_middles)(difference, enough, wanted, wanted_share);
}

}  // namespace toccata::convex
#endif  // HWY_ONCE
