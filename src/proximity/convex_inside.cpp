#include "proximity/convex_inside.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "proximity/convex/convex_depth.hpp"
#include "proximity/piece_bracket.hpp"

namespace toccata::proximity {
namespace {

// Cones of directions are halved this often.
constexpr int most_halvings = 20;

// A corner of a polytope inside the outer set, by more than the inner radius: then so is the ball around it,
// and all of their hull.
bool corners_are_inside(const ConvexSet& inner, const Pose& inner_to_outer, const ConvexSet& outer) {
  const Vector3 zero = Vector3::Zero();
  const ConvexSet point = set_of_points({&zero, 1});
  for (std::int32_t i = 0; i < corner_count(inner); ++i) {
    const Vector3 corner = inner.is_placed ? inner.place.apply(corner_of(inner, i)) : corner_of(inner, i);
    const convex::ConvexDepth depth =
        convex::convex_depth(point, {Matrix3::Identity(), inner_to_outer.apply(corner)}, outer);
    if (!(depth.lower_depth > inner.radius)) return false;
  }
  return true;
}

// Of curved inner pieces, by support heights h over all directions. In the cone of three directions v_i the
// inner height is at most the weighted sum of the h(v_i), and the outer one at least that of a single point
// p of it: where v_i . p > h(v_i) for all three, the cone is done. A direction with h_inner >= h_outer is a
// no.
class Cones {
 public:
  Cones(const Piece& inner, const Pose& inner_to_outer, const Piece& outer)
      : inner_(inner), to_outer_(inner_to_outer), outer_(outer) {}

  bool all_inside() const {
    for (int k = 0; k < 8; ++k) {
      const Vector3 x = (k & 1 ? 1.0 : -1.0) * Vector3::UnitX(), y = (k & 2 ? 1.0 : -1.0) * Vector3::UnitY(),
                    z = (k & 4 ? 1.0 : -1.0) * Vector3::UnitZ();
      if (!is_inside({x, y, z}, most_halvings)) return false;
    }
    return true;
  }

 private:
  double inner_height(const Vector3& v) const {
    return reach_along(inner_, to_outer_.rotation.transpose() * v) + v.dot(to_outer_.translation);
  }

  bool is_inside(const std::array<Vector3, 3>& cone, int halvings) const {
    const ConvexSet& outer = outer_.set();
    const Vector3 point = support(outer, cone[0] + cone[1] + cone[2]).point;
    bool is_done = true;
    for (const Vector3& v : cone) {
      const double height = inner_height(v);
      const double free = outer.radius - 2.0 * support_error(outer);
      if (!(support(outer, v).value + free > height)) return false;
      is_done = is_done && v.dot(point) + free > height;
    }
    if (is_done) return true;
    if (halvings == 0) return false;
    std::size_t longest = 0;
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      if (squared_side(cone, i) > squared_side(cone, longest)) longest = i;
    }
    const Vector3 middle = (cone[longest] + cone[(longest + 1) % 3]).normalized();
    std::array<Vector3, 3> first = cone, second = cone;
    first[longest] = middle;
    second[(longest + 1) % 3] = middle;
    return is_inside(first, halvings - 1) && is_inside(second, halvings - 1);
  }

  static double squared_side(const std::array<Vector3, 3>& cone, std::size_t i) {
    return (cone[(i + 1) % 3] - cone[i]).squaredNorm();
  }

  const Piece& inner_;
  const Pose& to_outer_;
  const Piece& outer_;
};

// The inner piece cut by boxes that are halved along their longest side: those that it does not meet are left
// out, those inside one piece are done.
class Cells {
 public:
  Cells(const Piece& inner, const Pose& inner_to_outer, const ShapeData& outer,
        const std::vector<std::int32_t>& pieces)
      : inner_(inner), to_outer_(inner_to_outer) {
    for (const std::int32_t number : pieces) outer_.push_back(std::make_unique<Piece>(outer, number));
  }

  bool all_inside() {
    Vector3 low, high;
    for (int k = 0; k < 3; ++k) {
      const Vector3 axis = to_outer_.rotation.transpose() * Vector3::Unit(k);
      high[k] = reach_along(inner_, axis) + to_outer_.translation[k];
      low[k] = to_outer_.translation[k] - reach_along(inner_, -axis);
    }
    // A little larger, for the roundings of these sums.
    const Vector3 half =
        0.5 * (high - low) + Vector3::Constant(1e-12 * (high.cwiseAbs() + low.cwiseAbs()).maxCoeff());
    std::vector<const Piece*> all;
    for (const auto& piece : outer_) all.push_back(piece.get());
    return is_inside(0.5 * (low + high), half, all);
  }

 private:
  static constexpr int most_cells = 8192;

  bool is_inside(const Vector3& middle, const Vector3& half, const std::vector<const Piece*>& around) {
    if (++cells_ > most_cells) return false;
    const ConvexSet cell = set_of_core(Core::Box, half);
    const Pose to_cell = Pose(to_outer_.rotation, to_outer_.translation - middle);
    const convex::ConvexDistance meeting = convex::convex_distance(inner_.set(), to_cell, cell);
    if (meeting.lower > 0.0) return true;
    const Pose from_cell(Matrix3::Identity(), middle);
    // A point of the piece in the cell, as far as known; outside all pieces it is the end.
    const Pose at_point(Matrix3::Identity(), middle + meeting.point_a);
    std::vector<const Piece*> here;
    bool has_point = !meeting.meets;
    for (const Piece* piece : around) {
      if (piece->plane() != nullptr) return false;
      if (corners_are_inside(cell, from_cell, piece->set())) return true;
      if (convex::convex_distance(cell, from_cell, piece->set()).lower > 0.0) continue;
      here.push_back(piece);
      has_point = has_point || !(convex::convex_distance(origin_, at_point, piece->set()).lower > 0.0);
    }
    if (here.empty() || !has_point) return false;
    int longest = 0;
    half.maxCoeff(&longest);
    Vector3 smaller = half;
    smaller[longest] *= 0.5;
    for (const double side : {-1.0, 1.0}) {
      Vector3 there = middle;
      there[longest] += side * smaller[longest];
      if (!is_inside(there, smaller, here)) return false;
    }
    return true;
  }

  const Piece& inner_;
  const Pose& to_outer_;
  std::vector<std::unique_ptr<Piece>> outer_;
  const Vector3 zero_ = Vector3::Zero();
  const ConvexSet origin_ = set_of_points({&zero_, 1});
  int cells_ = 0;
};

}  // namespace

bool is_inside(const Piece& inner, const Pose& inner_to_outer, const Piece& outer) {
  if (inner.plane() != nullptr) return false;
  if (const Plane* plane = outer.plane()) {
    const Vector3 up = inner_to_outer.rotation.transpose() * plane->normal;
    return reach_along(inner, up) + plane->normal.dot(inner_to_outer.translation) < plane->offset;
  }
  if (is_polytope(inner.set())) return corners_are_inside(inner.set(), inner_to_outer, outer.set());
  return Cones(inner, inner_to_outer, outer).all_inside();
}

bool is_covered(const Piece& inner, const Pose& inner_to_outer, const ShapeData& outer,
                const std::vector<std::int32_t>& pieces) {
  if (inner.plane() != nullptr || pieces.size() < 2) return false;
  return Cells(inner, inner_to_outer, outer, pieces).all_inside();
}

}  // namespace toccata::proximity
