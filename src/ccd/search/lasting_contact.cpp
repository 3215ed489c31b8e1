// Every proof has the same form: heights over planes fixed to the onlooker, which change along one direction
// only, keep their sign. Planes come from rounded normals; a normal that is off by e turns heights over
// points of the triangle by at most e times the size of what is looked at, which is part of the padding.
#include "ccd/search/lasting_contact.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "toccata/base/rounding.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata::search {
namespace {

constexpr double u = unit_roundoff;

// What is inside has direction . x >= offset.
struct HalfSpace {
  Vector3 direction;
  double offset;

  double height(const Vector3& x, const Vector3& origin) const { return direction.dot(x - origin) - offset; }
};

// The points of the moving triangle that a plane cuts off are few: at most eight corners are ever left.
class Polygon {
 public:
  explicit Polygon(const Triangle& t) : count_(3) { std::copy(t.begin(), t.end(), points_.begin()); }

  void clip(const HalfSpace& half, const Vector3& origin) {
    std::array<Vector3, 10> kept;
    std::size_t count = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const Vector3 &p = points_[i], &q = points_[(i + 1) % count_];
      const double hp = half.height(p, origin), hq = half.height(q, origin);
      if (hp >= 0.0) kept[count++] = p;
      if ((hp < 0.0) != (hq < 0.0) && count < kept.size()) kept[count++] = p + (hp / (hp - hq)) * (q - p);
      if (count == kept.size()) break;
    }
    points_ = kept;
    count_ = count;
  }

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  const Vector3& operator[](std::size_t i) const { return points_[i]; }
  Vector3 middle() const {
    Vector3 sum = Vector3::Zero();
    for (std::size_t i = 0; i < count_; ++i) sum += points_[i] - points_[0];
    return points_[0] + sum / static_cast<double>(count_);
  }

 private:
  std::array<Vector3, 10> points_;
  std::size_t count_;
};

class Proofs {
 public:
  Proofs(const LastingContact& contact, const RelativePath& path)
      : c_(contact), path_(path), origin_(contact.onlooker[0]) {
    for (const Triangle* t : {&c_.onlooker, &c_.moving}) {
      for (const Vector3& x : *t) size_ = std::max(size_, (x - origin_).norm());
    }
    padding_ = 2.0 * c_.place_error + 64.0 * u * size_;
  }

  double longest() {
    from_points();
    if (!done()) over_face();
    for (std::size_t i = 0; i < 3 && !done(); ++i) beside_edge(i);
    for (std::size_t i = 0; i < 3 && !done(); ++i) {
      if (has_face_) pierce_face(i);
      for (std::size_t j = 0; j < 3 && !done(); ++j) cross_edge(i, j);
    }
    return std::min(best_, c_.horizon);
  }

 private:
  bool done() const { return best_ >= std::min(c_.horizon, c_.enough); }
  void take(double step) { best_ = std::max(best_, step); }
  PointPath path_of(const Vector3& x) const { return path_.of(x, c_.place_error); }

  // Two points that stay near each other.
  void from_points() {
    const TriangleTriangleDistance d = triangle_triangle_distance(c_.moving, c_.onlooker);
    nearest_ = d.point_a;
    take(lasting(path_of(d.point_a), c_.reach - d.distance - padding_, c_.horizon));
  }

  // A point of the moving triangle over the inside of the other: several are tried.
  void over_face() {
    const Triangle& t = c_.onlooker;
    Vector3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    const double length = normal.norm();
    const double longest = std::sqrt(
        std::max({(t[1] - t[0]).squaredNorm(), (t[2] - t[1]).squaredNorm(), (t[0] - t[2]).squaredNorm()}));
    // The normal is off by at most 8 u |e1||e2| / |normal|.
    if (!(length > 1e-8 * longest * longest)) return;
    has_face_ = true;
    normal /= length;
    face_padding_ = padding_ + 32.0 * u * longest * longest / length * size_;
    face_ = {normal, 0.0};
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3 side = normal.cross(t[(i + 1) % 3] - t[i]).normalized();
      side_[i] = {side, side.dot(t[i] - origin_)};
    }
    const double room = c_.reach - face_padding_;
    if (!(room > 0.0)) return;
    Polygon over(c_.moving);
    over.clip({normal, -0.75 * room}, origin_);
    if (!over.empty()) over.clip({-normal, -0.75 * room}, origin_);
    for (std::size_t i = 0; i < 3 && !over.empty(); ++i) over.clip(side_[i], origin_);
    if (over.empty()) return;
    const Vector3 middle = over.middle();
    take(over_face_step(middle, room));
    for (std::size_t i = 0; i < over.size() && !done(); ++i)
      take(over_face_step(middle + 0.875 * (over[i] - middle), room));
  }

  double over_face_step(const Vector3& x, double room) const {
    const PointPath path = path_of(x);
    const double height = face_.height(x, origin_);
    double step = std::min(lasting(path, face_.direction, room - height, c_.horizon),
                           lasting(path, -face_.direction, room + height, c_.horizon));
    for (const HalfSpace& side : side_) {
      if (!(step > best_)) return 0.0;
      step =
          std::min(step, lasting(path, -side.direction, side.height(x, origin_) - face_padding_, c_.horizon));
    }
    return step;
  }

  // A point beside an edge of the onlooker: the one nearest to it, found from the nearest points.
  void beside_edge(std::size_t i) {
    const Vector3 &p = c_.onlooker[i], edge = c_.onlooker[(i + 1) % 3] - p;
    const double length = edge.norm();
    if (!(length > 4.0 * padding_)) return;
    const Vector3 along = edge / length;
    for (const Vector3& x : {nearest_, c_.moving[0], c_.moving[1], c_.moving[2]}) {
      const double place = along.dot(x - p);
      const Vector3 offset = x - p - place * along;
      const double away = offset.norm();
      const double room = c_.reach - padding_ - away;
      if (!(room > 0.0) || !(place > padding_) || !(place < length - padding_)) continue;
      // The plane across the edge. An offset that is mostly rounding has no direction of its own.
      const bool directed = away > 1e-6 * size_;
      Vector3 first = directed ? (offset / away).eval() : along.unitOrthogonal();
      first = (first - along.dot(first) * along).normalized();  // to rounding, for long ways along the edge
      const Vector3 second = along.cross(first);
      // (away + out)^2 + across^2 <= (away + room)^2; undirected: 2 (away + out)^2 <= (away + room)^2
      const double out = directed ? 0.5 * room : (away + room) * std::sqrt(0.5) * (1.0 - 8.0 * u) - away;
      const double across = directed ? std::sqrt(room * (away + 0.75 * room)) * (1.0 - 8.0 * u) : out;
      const PointPath path = path_of(x);
      take(std::min({lasting(path, -along, place - padding_, c_.horizon),
                     lasting(path, along, length - place - padding_, c_.horizon),
                     lasting(path, first, out, c_.horizon), lasting(path, -first, out, c_.horizon),
                     lasting(path, second, across, c_.horizon), lasting(path, -second, across, c_.horizon)}));
    }
  }

  // A moving edge through a window of the onlooker: its ends stay on either side of the plane, and the
  // crossing inside. With hp, hq the heights of the ends (taken positive) and sp, sq those over a side, the
  // crossing is inside where hq sp + hp sq > 0.
  template <std::size_t Count>
  void through_window(std::size_t edge, const HalfSpace& plane, const std::array<HalfSpace, Count>& sides,
                      double padding) {
    const Vector3 &p = c_.moving[edge], &q = c_.moving[(edge + 1) % 3];
    const double hp = plane.height(p, origin_), hq = plane.height(q, origin_);
    if (!(hp * hq < 0.0) || !(std::min(std::abs(hp), std::abs(hq)) > padding)) return;
    const Vector3 up_p = hp > 0.0 ? plane.direction : Vector3(-plane.direction), up_q = -up_p;
    const double height_p = std::abs(hp), height_q = std::abs(hq);
    for (const HalfSpace& side : sides) {
      const double sp = side.height(p, origin_) - padding, sq = side.height(q, origin_) - padding;
      if (!(height_q * sp + height_p * sq > 0.0)) return;
    }
    const PointPath path_p = path_of(p), path_q = path_of(q);
    double step = std::min({c_.horizon, lasting(path_p, -up_p, height_p - padding, c_.horizon),
                            lasting(path_q, -up_q, height_q - padding, c_.horizon)});
    for (int halving = 0; halving < 12 && step > best_; ++halving, step *= 0.5) {
      const DisplacementRange dp = displacement_range(path_p, up_p, step),
                              dq = displacement_range(path_q, up_q, step);
      const double low_p = height_p + dp.low - padding, high_p = height_p + dp.high + padding;
      const double low_q = height_q + dq.low - padding, high_q = height_q + dq.high + padding;
      bool inside = low_p > 0.0 && low_q > 0.0;
      for (const HalfSpace& side : sides) {
        if (!inside) break;
        const double sp =
            side.height(p, origin_) - padding + displacement_range(path_p, side.direction, step).low;
        const double sq =
            side.height(q, origin_) - padding + displacement_range(path_q, side.direction, step).low;
        const double first = sp > 0.0 ? low_q * sp : high_q * sp;
        const double second = sq > 0.0 ? low_p * sq : high_p * sq;
        inside = first + second > 8.0 * u * (std::abs(first) + std::abs(second));
      }
      if (inside) {
        take(step);
        return;
      }
    }
  }

  void pierce_face(std::size_t edge) { through_window(edge, face_, side_, face_padding_); }

  // The window: along an edge of the onlooker, as high to either side as the reach.
  void cross_edge(std::size_t edge, std::size_t other) {
    const Vector3 moving = c_.moving[(edge + 1) % 3] - c_.moving[edge];
    const Vector3& p = c_.onlooker[other];
    const Vector3 still = c_.onlooker[(other + 1) % 3] - p;
    const Vector3 cross = moving.cross(still);
    const double length = still.norm(), sine = cross.norm() / std::max(moving.norm() * length, 1e-300);
    if (!(sine > 1e-4)) return;
    const Vector3 normal = cross.normalized(), along = still / length;
    const Vector3 lateral = normal.cross(along).normalized();
    const double padding = padding_ + 64.0 * u / sine * size_;
    if (std::abs(normal.dot(c_.moving[edge] - p)) + padding >= c_.reach) return;
    const Vector3 from = p - origin_;
    const double height = normal.dot(from), start = along.dot(from);
    through_window(edge, HalfSpace{lateral, lateral.dot(from)},
                   std::array<HalfSpace, 4>{{{along, start},
                                             {-along, -(start + length)},
                                             {normal, height - c_.reach},
                                             {-normal, -(height + c_.reach)}}},
                   padding);
  }

  const LastingContact& c_;
  const RelativePath& path_;
  Vector3 origin_;
  double size_ = 0.0;
  double padding_ = 0.0;
  double best_ = 0.0;
  Vector3 nearest_ = Vector3::Zero();
  bool has_face_ = false;
  HalfSpace face_{};
  std::array<HalfSpace, 3> side_{};
  double face_padding_ = 0.0;
};

}  // namespace

double lasting_contact(const LastingContact& contact, const RelativePath& path) {
  return Proofs(contact, path).longest();
}

}  // namespace toccata::search
