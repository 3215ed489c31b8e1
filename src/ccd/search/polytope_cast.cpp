// b moves by `velocity` against a, so that the sets share a point at t where t velocity is in the difference
// of a and b as they are now: the ray starts at the origin. Along an outward normal m of the difference, with
// m . velocity < 0, they are apart until h(m) / (m . velocity), h being the support height of the difference.
//
// A portal's corners come one after the other, each from the normal of those before it: what counts is how
// long a number waits for the one before. All of it is compiled for the lanes that scan the corners, and in
// plain numbers.
#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <utility>

#include "ccd/search/straight_cast.hpp"

#ifndef TOCCATA_CCD_SEARCH_POLYTOPE_CAST_ONCE
#define TOCCATA_CCD_SEARCH_POLYTOPE_CAST_ONCE
namespace toccata::search {
namespace {

// The same of every instruction set.
struct Polytopes {
  const ConvexSet& a;
  const Pose& a_to_b;
  const ConvexSet& b;
};

}  // namespace
}  // namespace toccata::search
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/search/polytope_cast.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "elementary/hull_index.hpp"
#include "elementary/hull_scan-inl.hpp"
#include "proximity/convex/xyz.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::search {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using convex::plain;
using convex::vector;
using convex::Xyz;

// Of the difference. Its two numbers are one: two that are stored by the number and compared by the pair wait
// for each other.
struct Corner {
  Xyz at;
  std::uint64_t numbers;

  static std::uint64_t both(std::int32_t vertex_a, std::int32_t vertex_b) {
    return static_cast<std::uint64_t>(vertex_a) << 32 | static_cast<std::uint32_t>(vertex_b);
  }
  std::int32_t vertex_a() const { return static_cast<std::int32_t>(numbers >> 32); }
  std::int32_t vertex_b() const { return static_cast<std::int32_t>(numbers & 0xffffffff); }
};

// Of corners that are asked for: more are for those who step.
constexpr int most_corners = 48;
// A face, as far as it is told from a corner that is higher by this share of the lengths.
constexpr double flat_share = 1e-13;
constexpr double least_area = 1e-12;
// Of the sum of reaches: the ball that the ray is first cast at, and how far about where it enters corners
// are looked for.
constexpr double ball_share = 0.95;
constexpr double lean = 0.35;
constexpr double half_root_3 = 0.8660254037844386;

HWY_INLINE double squared(const Xyz& x) {
  return dot(x, x);
}
HWY_INLINE double triple(const Xyz& u, const Xyz& v, const Xyz& w) {
  return dot(u, cross(v, w));
}
inline Xyz unit_across(const Xyz& x) {
  return plain(vector(x).unitOrthogonal());
}

// Corners of two small hulls. Those of a are turned into the coordinates of b once, so that a direction need
// not be turned for every corner, nor the corner back.
class ScannedCornersOfTwo {
 public:
  static bool are_few(const ConvexSet& set) {
    return set.core == Core::Points && set.index != nullptr && set.index->is_scanned() &&
           set.index->scanned_corners().padded <= most;
  }

  explicit ScannedCornersOfTwo(const Polytopes& pair)
      : shift_(plain(pair.a_to_b.translation)),
        padded_(pair.a.index->scanned_corners().padded),
        b_(pair.b.index->scanned_corners()),
        count_a_(pair.a.index->count),
        count_b_(pair.b.index->count) {
    const double* const columns = pair.a.index->scanned_corners().columns;
    const ScanTag tag;
    for (int k = 0; k < 3; ++k) {
      const Matrix3& rotation = pair.a_to_b.rotation;
      const double row[3] = {rotation(k, 0), rotation(k, 1), rotation(k, 2)};
      const Heights along_axis(columns, padded_, row);
      double* const to = turned_ + static_cast<std::size_t>(k) * padded_;
      for (std::size_t i = 0; i < padded_; i += lanes) hn::StoreU(along_axis.at(i), tag, to + i);
    }
  }

  HWY_INLINE void along(const Xyz& d, Corner& found) const {
    const double towards[3] = {d.x, d.y, d.z}, against[3] = {-d.x, -d.y, -d.z};
    const std::int32_t of_a = highest({turned_, padded_, towards}, count_a_);
    const std::int32_t of_b = highest({b_.columns, b_.padded, against}, count_b_);
    found.numbers = Corner::both(of_a, of_b);
    found.at = at({turned_, padded_}, of_a) + shift_ - at(b_, of_b);
  }

 private:
  using ScanTag = elementary::HWY_NAMESPACE::ScanTag;
  using Heights = elementary::HWY_NAMESPACE::ScannedHeights;
  static constexpr std::size_t lanes = elementary::HWY_NAMESPACE::scan_lanes;
  static constexpr std::size_t most = HullIndex::scanned_vertices;

  // Each height has its number instead of its last seven bits, so that the highest one tells its own: whom
  // others exceed by less than 2^-44 of their heights may be taken for it. What fills the columns up is the
  // first corner once more.
  static HWY_INLINE std::int32_t highest(const Heights& heights, std::int32_t count) {
    const ScanTag tag;
    const hn::RebindToUnsigned<ScanTag> bits;
    static_assert(most <= 128);
    const auto last_bits = hn::Set(bits, 127), step = hn::Set(bits, lanes);
    auto number = hn::Iota(bits, 0);
    const auto numbered = [&](std::size_t i) HWY_ATTR {
      const auto height = hn::BitCast(bits, heights.at(i));
      return hn::BitCast(tag, hn::Or(hn::AndNot(last_bits, height), number));
    };
    auto even = numbered(0), odd = even;
    for (std::size_t i = lanes; i < heights.padded; i += lanes) {
      number = hn::Add(number, step);
      std::swap(even, odd);  // two chains, which do not wait for each other
      even = hn::Max(even, numbered(i));
    }
    const auto top = hn::GetLane(hn::BitCast(bits, hn::MaxOfLanes(tag, hn::Max(even, odd))));
    const auto found = static_cast<std::int32_t>(top & 127);
    return found < count ? found : 0;
  }

  static HWY_INLINE Xyz at(const ScannedCorners& corners, std::int32_t vertex) {
    const double* const x = corners.columns + vertex;
    return {x[0], x[corners.padded], x[2 * corners.padded]};
  }

  Xyz shift_;
  std::size_t padded_;
  ScannedCorners b_;
  std::int32_t count_a_, count_b_;
  alignas(64) double turned_[3 * most];  // columns of as many corners as there are
};

// Corners of any two polytopes.
class AnyCorners {
 public:
  explicit AnyCorners(const Polytopes& pair) : pair_(pair) {}

  void along(const Xyz& d, Corner& found) {
    const Vector3 direction = vector(d);
    const Pose& at = pair_.a_to_b;
    last_a_ = corner_along(pair_.a, at.rotation.transpose() * direction, last_a_);
    last_b_ = corner_along(pair_.b, -direction, last_b_);
    found.numbers = Corner::both(last_a_, last_b_);
    found.at = plain(at.apply(corner_of(pair_.a, last_a_)) - corner_of(pair_.b, last_b_));
  }

 private:
  // A corner at least near the farthest: a climb is not closed by a proof.
  static std::int32_t corner_along(const ConvexSet& set, const Vector3& d, std::int32_t hint) {
    if (set.core == Core::Box) return (d.x() > 0.0 ? 1 : 0) | (d.y() > 0.0 ? 2 : 0) | (d.z() > 0.0 ? 4 : 0);
    if (set.index != nullptr) return farthest_vertex(*set.index, d, hint);
    return core_support(set, d).vertex;
  }

  const Polytopes& pair_;
  std::int32_t last_a_ = -1, last_b_ = -1;
};

template <typename Corners>
class Portal {
 public:
  Portal(const Polytopes& pair, const Vector3& velocity, double span)
      : corners_(pair),
        middle_(plain(pair.a_to_b.translation)),
        v_(plain(velocity)),
        span_(span),
        size_(core_reach(pair.a) + core_reach(pair.b)) {}

  // True: it is of the face that is entered.
  bool find() {
    if (open() && (refine() || is_late_)) return !is_late_;
    normal_ = passing_;
    return false;
  }

  // From a to b, of any length; zero if none was found.
  const Xyz& normal() const { return normal_; }
  const Corner& corner(std::size_t i) const { return p_[i]; }

 private:
  HWY_NOINLINE void find_farthest(const Xyz& d, Corner& found) {
    ++asked_;
    corners_.along(d, found);
  }

  // Whether the difference lies beside the line of the ray, all on one side of it.
  bool passes(const Xyz& d, const Corner& c) {
    if (!(dot(d, c.at) < 0.0)) return false;
    passing_ = d;
    return true;
  }

  enum class Place { Inside, Outside, Nowhere };

  // Three corners around the line, as seen along it. False if it passes, or none are found.
  HWY_INLINE bool open() {
    const double speed = squared(v_);
    if (!(speed > 0.0)) return false;
    Xyz d = (dot(middle_, v_) / speed) * v_ - middle_;  // from the middle to the line
    const double beside = squared(d), reach = ball_share * size_;
    Place place = Place::Nowhere;
    if (beside < reach * reach) {
      // Where the ray would enter a ball: three corners about there. How far the directions lean is a guess.
      const double back = std::sqrt((reach * reach - beside) / speed);
      const Xyz entry = d - back * v_;
      const Xyz e = (lean * reach) * unit_across(entry);
      const Xyz f = half_root_3 * ((1.0 / std::sqrt(squared(entry))) * cross(entry, e));
      const Xyz behind = entry - 0.5 * e;
      const Xyz directions[3] = {entry + e, behind + f, behind - f};
      for (std::size_t i = 0; i < 3; ++i) find_farthest(directions[i], p_[i]);
      place = place_of_line();
      if (place == Place::Inside) return true;
    }
    return open_beside(d, speed, place);
  }

  HWY_NOINLINE bool open_beside(Xyz d, double speed, Place place) {
    if (place == Place::Nowhere) {
      // Beside the ball, or so few corners that two of them are one.
      if (!(squared(d) > 1e-20 * size_ * size_)) d = unit_across(v_);
      find_farthest(d, p_[0]);
      if (passes(d, p_[0])) return false;
      d = (dot(p_[0].at, v_) / speed) * v_ - p_[0].at;
      // Where the corner is on the line: to either side.
      if (!(squared(d) > 1e-20 * size_ * size_)) d = unit_across(v_);
      find_farthest(d, p_[1]);
      if (passes(d, p_[1])) return false;
    }
    while (asked_ < most_corners) {
      d = cross(v_, p_[1].at - p_[0].at);
      if (dot(d, p_[0].at) > 0.0) d = -d;
      find_farthest(d, p_[2]);
      if (passes(d, p_[2])) return false;
      place = place_of_line();
      if (place == Place::Inside) return true;
      if (place == Place::Nowhere) return false;
    }
    return false;
  }

  // Against the three corners, seen along it: inside, or outside of the side that is then the first. Inside,
  // the corners are in the order in which their normal faces the ray. Nowhere: the corners are on one line.
  HWY_INLINE Place place_of_line() {
    const double around[3] = {triple(v_, p_[0].at, p_[1].at), triple(v_, p_[1].at, p_[2].at),
                              triple(v_, p_[2].at, p_[0].at)};
    const double turn = around[0] + around[1] + around[2];
    if (turn == 0.0) return Place::Nowhere;
    const double side = turn < 0.0 ? -1.0 : 1.0;
    if (side * around[1] < 0.0) {
      p_[0] = p_[2];
    } else if (side * around[2] < 0.0) {
      p_[1] = p_[2];
    } else if (!(side * around[0] < 0.0)) {
      if (turn > 0.0) std::swap(p_[1], p_[2]);
      return Place::Inside;
    }
    return Place::Outside;
  }

  // Until the triangle is of a face. False if it is not found.
  HWY_INLINE bool refine() {
    Corner p = p_[0], q = p_[1], r = p_[2], next;
    while (asked_ < most_corners) {
      const Xyz e = q.at - p.at, f = r.at - p.at;
      const Xyz m = cross(e, f);
      const double area = squared(m), rate = dot(m, v_);
      const double sides = least_area * (squared(e) + squared(f));
      if (!(rate < 0.0) || !(area > sides * sides)) return false;
      ++asked_;
      corners_.along(m, next);
      normal_ = m;
      const double height = dot(m, next.at), rise = height - dot(m, p.at);
      if (height < span_ * rate) {
        is_late_ = true;
        return false;
      }
      const double flat = flat_share * size_;
      const bool is_flat = !(rise > 0.0 && rise * rise > flat * flat * area);
      const std::uint64_t number = next.numbers;
      if (is_flat || number == p.numbers || number == q.numbers || number == r.numbers) {
        p_[0] = p, p_[1] = q, p_[2] = r;
        return true;
      }
      // Which of the three triangles with the new corner does the ray pass through?
      const Xyz across = cross(next.at, v_);  // v . (p x next) = p . across
      const double x = dot(p.at, across), y = dot(q.at, across), z = dot(r.at, across);
      if (x >= 0.0 && y <= 0.0) {
        r = next;
      } else if (y >= 0.0 && z <= 0.0) {
        p = next;
      } else {
        q = next;
      }
    }
    return false;
  }

  Corners corners_;
  Xyz middle_, v_;
  double span_;
  double size_;
  Corner p_[3] = {};
  int asked_ = 0;
  bool is_late_ = false;
  Xyz normal_ = {}, passing_ = {};
};

template <typename Corners>
HWY_INLINE void cast_at(const Polytopes& pair, const Vector3& velocity, double span, StraightCast& found) {
  Portal<Corners> portal(pair, velocity, span);
  const bool is_face = portal.find();
  const double length = std::sqrt(squared(portal.normal()));
  if (length > 0.0 && length < std::numeric_limits<double>::infinity())
    found.normal = vector(portal.normal()) / length;
  if (!is_face) return;
  TouchingCorners& corners = found.corners;
  corners.are_known = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Corner& c = portal.corner(i);
    corners.vertex_a[i] = c.vertex_a();
    corners.vertex_b[i] = c.vertex_b();
    corners.of_a[i] = corner_of(pair.a, c.vertex_a());
    corners.of_b[i] = corner_of(pair.b, c.vertex_b());
  }
}

void cast_polytopes(const Polytopes& pair, const Vector3& velocity, double span, StraightCast& found) {
  if (ScannedCornersOfTwo::are_few(pair.a) && ScannedCornersOfTwo::are_few(pair.b))
    return cast_at<ScannedCornersOfTwo>(pair, velocity, span, found);
  cast_at<AnyCorners>(pair, velocity, span, found);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::search {

HWY_EXPORT(cast_polytopes);

StraightCast polytope_cast(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                           const Vector3& velocity, double span) {
  StraightCast found;
  HWY_DYNAMIC_DISPATCH(cast_polytopes)({a, a_to_b, b}, velocity, span, found);
  return found;
}

}  // namespace toccata::search
#endif  // HWY_ONCE
