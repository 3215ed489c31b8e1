#include "field/curve_proof.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/rounding.hpp"

namespace toccata::field {
namespace {

// A cell whose proof takes more looks than that is cut instead.
constexpr int most_looks = 900;
// Guesses are made from the middle, six places so far (in halves of a side) towards the sides, and corners.
constexpr double aside = 0.8;
// What a guess may be off at these, in shares of the error: the rest is for what is between them.
constexpr double most_off = 0.8;
// What planes are off at least, in shares of the error: parallel ones beside the surface do not meet it.
constexpr double least_width = 0.05;
// What a plane may be off at these: a curve takes twice the room.
constexpr double most_off_plane = 0.5;

}  // namespace

template <typename Distance>
CurveProof::Samples CurveProof::sampled(const FieldCell& cell, Distance&& distance) {
  Samples s;
  s.center = distance(cell.middle);
  for (int k = 0; k < 8; ++k) s.corner[k] = distance(cell.corner(k));
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 2; ++k) {
      Vector3 place = cell.middle;
      place[i] += (k == 0 ? -aside : aside) * cell.half;
      s.side[i][k] = distance(place);
    }
  }
  return s;
}

// Least squares; by symmetry only the constant and the three squares go together.
std::optional<DistanceFieldData::Curve> CurveProof::guess(const FieldCell& cell,
                                                          const Samples& samples) const {
  const double center = samples.center;
  const auto& corner = samples.corner;
  const auto& side = samples.side;
  double corners = 0.0, sides = 0.0;
  for (const double c : corner) corners += c;
  for (const auto& pair : side) sides += pair[0] + pair[1];
  constexpr double a2 = aside * aside, a4 = a2 * a2;
  // 15 constant + (8 + 2 a2) squares = ..., (24 + 6 a2) constant + (24 + 2 a4) squares = ...
  constexpr double m = 8.0 + 2.0 * a2, p = 24.0 + 6.0 * a2, q = 24.0 + 2.0 * a4;
  const double first = corners + sides + center, second = 3.0 * corners + a2 * sides;
  constexpr double determinant = 15.0 * q - m * p;
  double constant = (first * q - m * second) / determinant;
  const double squares = (15.0 * second - p * first) / determinant;
  Vector3 slope = Vector3::Zero(), square, product = Vector3::Zero();  // products yz, xz, xy
  for (int i = 0; i < 3; ++i) {
    square[i] = (corners + a2 * (side[i][0] + side[i][1]) - m * constant - 8.0 * squares) / (2.0 * a4);
    slope[i] = aside * (side[i][1] - side[i][0]);
  }
  for (int k = 0; k < 8; ++k) {
    const Vector3 sign((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0, (k & 4) != 0 ? 1.0 : -1.0);
    slope += corner[k] * sign;
    product += corner[k] / 8.0 * Vector3(sign.y() * sign.z(), sign.x() * sign.z(), sign.x() * sign.y());
  }
  slope /= 8.0 + 2.0 * a2;
  // How far the samples are from it: the least and the most.
  struct Off {
    double lowest = INFINITY, highest = -INFINITY;
  };
  const auto off = [&] {
    Off found;
    const auto add = [&](double distance, const Vector3& z) {
      const double here = constant + slope.dot(z) + square.dot(z.cwiseProduct(z)) +
                          product.dot(Vector3(z.y() * z.z(), z.x() * z.z(), z.x() * z.y()));
      found.lowest = std::min(found.lowest, distance - here);
      found.highest = std::max(found.highest, distance - here);
    };
    add(center, Vector3::Zero());
    for (int k = 0; k < 8; ++k)
      add(corner[k], {(k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0, (k & 4) != 0 ? 1.0 : -1.0});
    for (int i = 0; i < 3; ++i) {
      add(side[i][0], -aside * Vector3::Unit(i));
      add(side[i][1], aside * Vector3::Unit(i));
    }
    return found;
  };
  const Vector3 squares_of_curve = square, products_of_curve = product;
  square.setZero();
  product.setZero();
  Off found = off();
  if (found.highest - found.lowest > 2.0 * most_off_plane * error_) {
    square = squares_of_curve;
    product = products_of_curve;
    found = off();
  }
  if (!(found.highest - found.lowest <= 2.0 * most_off * error_)) return std::nullopt;
  constant += 0.5 * (found.lowest + found.highest);
  DistanceFieldData::Curve curve;
  curve.plane.value = static_cast<float>(constant);
  const double h = cell.half;
  for (int i = 0; i < 3; ++i) {
    curve.plane.slope[i] = static_cast<float>(slope[i] / h);
    curve.bend[i] = static_cast<float>(2.0 * square[i] / (h * h));
    curve.bend[5 - i] = static_cast<float>(product[i] / (h * h));
  }
  return curve;
}

// Times the sign.
CurvePiece CurveProof::piece(const FieldCell& part, double sign) const {
  const Vector3 z = part.middle - middle_, bent = bend_ * z;
  CurvePiece p;
  p.middle = part.middle;
  p.half = part.half;
  p.value = sign * (value_ + z.dot(slope_ + 0.5 * bent));
  p.slope = sign * (slope_ + bent);
  p.bulge = part.half * part.half *
            (0.5 * (sign * bend_.diagonal()).cwiseMax(0.0).sum() + std::abs(bend_(0, 1)) +
             std::abs(bend_(0, 2)) + std::abs(bend_(1, 2)));
  return p;
}

// The distance from one triangle is convex, so below what is interpolated between the corners, along one
// axis after the other; and the function is below that by half its positive bends at most.
bool CurveProof::is_under(const CurvePiece& piece, const CellTriangles& triangles, std::size_t nearest,
                          double sign) const {
  double gaps[8];
  corner_gaps(triangles, nearest, piece.middle, piece.half, gaps);
  const double below =
      0.5 * piece.half * piece.half * (sign * bend_.diagonal()).cwiseMax(0.0).sum() + rounding_;
  for (int k = 0; k < 8; ++k) {
    const Vector3 z =
        piece.half * Vector3((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0, (k & 4) != 0 ? 1.0 : -1.0);
    const double here = piece.value + z.dot(piece.slope + 0.5 * sign * (bend_ * z));
    if (!(gaps[k] - here + below <= error_)) return false;
  }
  return true;
}

// By what the function looked at is above the distance of the first so many.
double CurveProof::most_of(const std::vector<double>& over, std::size_t count) const {
  double worst = least_width * error_;
  for (std::size_t i = 0; i < count; ++i) {
    if (look_.low[i] <= farthest_) worst = std::max(worst, over[i] + rounding_);
  }
  return worst;
}

// The function's plane at the middle of a part: of unit slope.
CurvePiece CurveProof::plane_of(CurvePiece piece) {
  const double length = piece.slope.norm();
  if (length > 0.0) piece.slope /= length;
  piece.bulge = 0.0;
  return piece;
}

// Between two others along that plane, which the surface does not meet. It has been looked at on both sides.
bool CurveProof::holds_crossed(const FieldCell& part, const CellTriangles& triangles) {
  const CurvePiece up = piece(part, 1.0), down = piece(part, -1.0), plane = plane_of(up);
  if (!(up.slope.norm() > 0.5)) return false;
  const double off = part.half * (up.slope - plane.slope).lpNorm<1>() + rounding_;
  const double most_below = error_ - off - up.bulge, most_above = error_ - off - down.bulge;
  const double radius = part.reach() + std::max(most_below, most_above) + 2.0 * rounding_;
  const double reach = std::abs(plane.value) + radius;
  if (!(most_below > 0.0 && most_above > 0.0) || triangles.reach_at(part.middle) < reach) return false;
  const double over_plane = most_of(look_.over, triangles.size());
  if (!(over_plane <= most_below)) return false;
  double above = most_of(look_.over_turned, triangles.size());
  if (!(above <= most_above)) return false;
  near_.clear();
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    if (look_.low[i] <= reach + rounding_) near_.push_back(triangles.id(i));
  }
  const FieldPlane above_it{plane.slope, plane.value}, below_it{-plane.slope, -plane.value};
  above = planes_.drop(part, above_it, above, most_above, near_);
  if (!(above <= most_above)) return false;
  const double below = planes_.drop(part, below_it, over_plane, most_below, near_);
  if (!(below <= most_below) || !sides_.is_crossing_odd(part, above_it, below, above)) return false;
  const Vector3 top = part.middle + (below + rounding_ - plane.value) * plane.slope;
  return sides_.side_of(top + center_, *anchor_) == Containment::Outside;
}

// `left` of a part that the surface does not reach: what has been shown to be no nearer than the function
// need not be looked at again, but may be the nearest.
bool CurveProof::holds_apart(const FieldCell& part, const CellTriangles& triangles, Unproven left,
                             std::size_t depth) {
  if (++looks_ > most_looks) return false;
  const CurvePiece here = piece(part, left.sign);
  look_at_triangles(triangles, here, look_);
  const std::size_t count = triangles.size();
  const double gap = look_.least_gap;
  if (std::abs(gap - here.value) > error_) return false;
  if (left.has_side_to_show) {
    if (!(look_.least_low > part.reach() + rounding_)) return false;
    const Containment side = sides_.side_of(part.middle + center_, *anchor_);
    if (side != (left.sign > 0.0 ? Containment::Outside : Containment::Inside)) return false;
    left.has_side_to_show = false;
  }
  const double farthest = gap + 2.0 * part.reach() + 2.0 * rounding_,
               likely = likely_reach(gap, 0.5 * part.reach());
  const auto is_open = [&](std::size_t i) {
    return i < left.open && look_.over[i] > error_ - rounding_ && look_.low[i] <= farthest;
  };
  left.is_under = left.is_under || is_under(here, triangles, look_.nearest(), left.sign);
  if (depth == deepest) {
    for (std::size_t i = 0; i < left.open; ++i) {
      if (is_open(i)) return false;
    }
    return left.is_under;
  }
  CellTriangles& kept = kept_[depth];
  kept.clear();
  for (std::size_t i = 0; i < left.open; ++i) {
    if (is_open(i)) kept.add(triangles, i);
  }
  const std::size_t open = kept.size();
  if (open == 0 && left.is_under) return true;
  for (std::size_t i = 0; i < count; ++i) {
    if (look_.gap[i] <= likely && !is_open(i)) kept.add(triangles, i);
  }
  kept.close();
  left.open = open;
  for (int k = 0; k < 8; ++k) {
    if (!holds_apart(octant_of(part, k), kept, left, depth + 1)) return false;
  }
  return true;
}

bool CurveProof::holds_signed(const FieldCell& part, const CellTriangles& triangles, std::size_t depth) {
  const CurvePiece here = piece(part, 1.0);
  const std::size_t count = triangles.size();
  const double reach = part.reach() + rounding_, sign = here.value < 0.0 ? -1.0 : 1.0;
  // If it holds at all, the surface does not reach the part.
  if (std::abs(here.value) > reach + error_)
    return holds_apart(part, triangles, {sign, count, false, true}, depth);
  if (++looks_ > most_looks) return false;
  look_on_both_sides(triangles, plane_of(here), look_);
  const double gap = look_.least_gap;
  if (std::abs(gap - std::abs(here.value)) > error_) return false;
  if (look_.least_low > reach) return holds_apart(part, triangles, {sign, count, false, true}, depth);
  farthest_ = gap + 2.0 * part.reach() + 2.0 * rounding_;
  if (holds_crossed(part, triangles)) return true;
  if (depth == deepest) return false;
  // For parts of it, and for planes, which reach some errors beyond.
  const double keep = gap + std::max(2.0 * part.reach(), 1.5 * part.reach() + 2.5 * error_);
  CellTriangles& kept = kept_[depth];
  kept.clear();
  kept.about = {part.middle, std::min(keep, triangles.reach_at(part.middle))};
  for (std::size_t i = 0; i < count; ++i) {
    if (look_.low[i] <= keep + 2.0 * rounding_) kept.add(triangles, i);
  }
  kept.close();
  for (int k = 0; k < 8; ++k) {
    if (!holds_signed(octant_of(part, k), kept, depth + 1)) return false;
  }
  return true;
}

FieldCell CurveProof::octant_of(const FieldCell& part, int k) const {
  FieldCell octant = part.part(k);
  octant.half += rounding_;
  return octant;
}

std::optional<DistanceFieldData::Curve> CurveProof::proven(const FieldCell& cell,
                                                           const CellTriangles& triangles,
                                                           std::optional<DistanceFieldData::Curve> guessed) {
  if (!guessed) return guessed;
  middle_ = cell.middle;
  value_ = static_cast<double>(guessed->plane.value);
  const auto at = [](float x) { return static_cast<double>(x); };
  const float* const b = guessed->bend;
  slope_ = {at(guessed->plane.slope[0]), at(guessed->plane.slope[1]), at(guessed->plane.slope[2])};
  bend_ << at(b[0]), at(b[3]), at(b[4]), at(b[3]), at(b[1]), at(b[5]), at(b[4]), at(b[5]), at(b[2]);
  looks_ = 0;
  const bool is_proven = anchor_ != nullptr
                             ? holds_signed(cell, triangles, 0)
                             : holds_apart(cell, triangles, {1.0, triangles.size(), false, false}, 0);
  if (!is_proven) return std::nullopt;
  guessed->plane.width = float_above(error_ + 4.0 * rounding_);
  return guessed;
}

std::optional<DistanceFieldData::Curve> CurveProof::apart(const FieldCell& cell,
                                                          const CellTriangles& triangles) {
  anchor_ = nullptr;
  const auto distance = [&](const Vector3& place) { return least_gap(triangles, place, triangles.likely); };
  return proven(cell, triangles, guess(cell, sampled(cell, distance)));
}

std::optional<DistanceFieldData::Curve> CurveProof::crossed(const FieldCell& cell,
                                                            const CellTriangles& triangles, const Vector3& up,
                                                            const Anchor& anchor) {
  anchor_ = &anchor;
  const auto height = [&](const Vector3& place) {
    return likely_height(triangles, place, up, triangles.likely);
  };
  Samples samples = sampled(cell, height);
  std::optional<DistanceFieldData::Curve> guessed = guess(cell, samples);
  if (!guessed) return guessed;
  // Which side is which tells the corner that is farthest from the surface.
  int farthest = 0;
  for (int k = 1; k < 8; ++k) {
    if (std::abs(samples.corner[k]) > std::abs(samples.corner[farthest])) farthest = k;
  }
  const Containment side = sides_.side_of(cell.corner(farthest) + center_, anchor);
  if ((side == Containment::Inside) != (samples.corner[farthest] < 0.0)) {
    guessed->plane.value = -guessed->plane.value;
    for (float& x : guessed->plane.slope) x = -x;
    for (float& x : guessed->bend) x = -x;
  }
  return proven(cell, triangles, guessed);
}

}  // namespace toccata::field
