#include "proximity/parts/cell_part.hpp"

#include <algorithm>
#include <unordered_map>

#include "toccata/base/rounding.hpp"
#include "toccata/proximity/containment.hpp"

namespace toccata::parts {
namespace {

// Of the largest coordinate: how far both sides of a cut overlap. More than the roundings of all cuts (48 of
// 20u each are 1.1e-13), far less than matters.
constexpr double overlap_share = 0x1p-36;

// The pieces on one side of a plane.
class OneSide {
 public:
  // sign: 1 keeps what is below `bound`, -1 what is above
  OneSide(const CellPart& part, int axis, double bound, double sign)
      : part_(part), axis_(axis), bound_(bound), sign_(sign), number_(part.points.size(), -1) {}

  CellPart kept() {
    for (const Face& piece : part_.pieces) add(piece);
    kept_.cell = part_.cell;
    kept_.cuts = part_.cuts + 1;
    kept_.scale = part_.scale;
    return std::move(kept_);
  }

 private:
  bool is_in(std::int32_t point) const {
    return sign_ * part_.points[static_cast<std::size_t>(point)][axis_] <= sign_ * bound_;
  }

  std::int32_t kept_point(std::int32_t point) {
    std::int32_t& as = number_[static_cast<std::size_t>(point)];
    if (as < 0) {
      as = static_cast<std::int32_t>(kept_.points.size());
      kept_.points.push_back(part_.points[static_cast<std::size_t>(point)]);
    }
    return as;
  }

  // Where the side from a point inside to one outside meets the plane: the share has three roundings, a
  // coordinate three more.
  std::int32_t crossing(std::int32_t in, std::int32_t out) {
    const auto key = (static_cast<std::uint64_t>(in) << 32U) | static_cast<std::uint32_t>(out);
    const auto [at, is_new] = crossings_.insert({key, static_cast<std::int32_t>(kept_.points.size())});
    if (is_new) {
      const Vector3 &a = part_.points[static_cast<std::size_t>(in)],
                    &b = part_.points[static_cast<std::size_t>(out)];
      Vector3 point = a + ((bound_ - a[axis_]) / (b[axis_] - a[axis_])) * (b - a);
      point[axis_] = bound_;
      kept_.points.push_back(point);
    }
    return at->second;
  }

  void add(const Face& piece) {
    std::int32_t around[4];
    int count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t from = piece[k], to = piece[(k + 1) % 3];
      const bool from_in = is_in(from), to_in = is_in(to);
      if (from_in) around[count++] = kept_point(from);
      if (from_in != to_in) around[count++] = from_in ? crossing(from, to) : crossing(to, from);
    }
    for (int k = 2; k < count; ++k) kept_.pieces.push_back({around[0], around[k - 1], around[k]});
  }

  const CellPart& part_;
  int axis_;
  double bound_, sign_;
  std::vector<std::int32_t> number_;
  std::unordered_map<std::uint64_t, std::int32_t> crossings_;
  CellPart kept_;
};

}  // namespace

CellPart whole(const TriangleMesh& mesh) {
  CellPart part;
  part.points = mesh.vertices;
  part.pieces = mesh.faces;
  bool is_first = true;
  for (const Face& face : mesh.faces) {
    for (const std::int32_t v : face) {
      const Vector3& point = mesh.vertices[static_cast<std::size_t>(v)];
      part.cell.lower = is_first ? point : Vector3(part.cell.lower.cwiseMin(point));
      part.cell.upper = is_first ? point : Vector3(part.cell.upper.cwiseMax(point));
      part.scale = std::max(part.scale, point.cwiseAbs().maxCoeff());
      is_first = false;
    }
  }
  return part;
}

CutParts cut(const CellPart& part, const Cut& at) {
  const double overlap = overlap_share * part.scale;
  CutParts both = {OneSide(part, at.axis, at.at + overlap, 1.0).kept(),
                   OneSide(part, at.axis, at.at - overlap, -1.0).kept()};
  both.below.cell.upper[at.axis] = at.at;
  both.above.cell.lower[at.axis] = at.at;
  return both;
}

double rounding(const CellPart& part) {
  return 20.0 * unit_roundoff * part.scale * part.cuts;
}

std::vector<Vector3> corners_of(const CellPart& part, const PlacedShape& solid) {
  std::vector<Vector3> corners;
  std::vector<bool> is_used(part.points.size(), false);
  for (const Face& piece : part.pieces) {
    for (const std::int32_t point : piece) is_used[static_cast<std::size_t>(point)] = true;
  }
  for (std::size_t i = 0; i < part.points.size(); ++i) {
    if (is_used[i]) corners.push_back(part.points[i]);
  }
  if (part.cuts == 0)
    return corners;  // the box around all: its corners are in the solid only if they are its own
  for (unsigned k = 0; k < 8; ++k) {
    const Vector3 corner((k & 1U) != 0 ? part.cell.upper.x() : part.cell.lower.x(),
                         (k & 2U) != 0 ? part.cell.upper.y() : part.cell.lower.y(),
                         (k & 4U) != 0 ? part.cell.upper.z() : part.cell.lower.z());
    if (point_containment(corner, solid) != Containment::Outside) corners.push_back(corner);
  }
  return corners;
}

}  // namespace toccata::parts
