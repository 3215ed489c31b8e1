#include "proximity/parts/cut_choice.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "toccata/base/parallel.hpp"
#include "toccata/bound/convex_hull_of.hpp"

namespace toccata::parts {
namespace {

constexpr std::size_t most_pieces = 400;  // that are looked at
constexpr int even_planes = 7;            // across each axis
constexpr std::size_t flat_planes = 5;    // more where pieces lie flat across it
constexpr double beside_flat = 0x1p-34;   // of the coordinates: parts overlap by a quarter of it
constexpr double flat_within = 0x1p-42;   // of the coordinates: what turning a mesh rounds is less
constexpr double same_side = 0x1p-38;     // sides so near to each other are one; less than beside_flat
constexpr double away_from_ends = 0.02;   // of the extent
constexpr double price_of_unevenness = 0.04;
constexpr int plain_cuts = 24;  // after so many, the longest side is halved: parts get small

struct Extent {
  Vector3 lower, upper;
};

Extent extent_of(const CellPart& part) {
  Extent extent = {part.cell.upper, part.cell.lower};
  for (const Face& piece : part.pieces) {
    for (const std::int32_t i : piece) {
      extent.lower = extent.lower.cwiseMin(part.points[static_cast<std::size_t>(i)]);
      extent.upper = extent.upper.cwiseMax(part.points[static_cast<std::size_t>(i)]);
    }
  }
  extent.lower = extent.lower.cwiseMax(part.cell.lower);
  extent.upper = extent.upper.cwiseMin(part.cell.upper);
  return extent;
}

// Sides of machine parts are flat: cuts along them leave no step.
void add_flat(const CellPart& part, const Extent& extent, int axis, std::vector<Cut>& cuts) {
  std::map<std::int64_t, double> area_at;  // by the place, in units
  const double unit = same_side * part.scale;
  if (!(unit > 0.0)) return;
  const double margin = away_from_ends * (extent.upper[axis] - extent.lower[axis]);
  for (const Face& piece : part.pieces) {
    const auto corner = [&](std::size_t k) -> const Vector3& {
      return part.points[static_cast<std::size_t>(piece[k])];
    };
    const double at = corner(0)[axis];
    if (!(std::abs(corner(1)[axis] - at) <= flat_within * part.scale) ||
        !(std::abs(corner(2)[axis] - at) <= flat_within * part.scale))
      continue;
    if (at < extent.lower[axis] + margin || at > extent.upper[axis] - margin) continue;
    area_at[std::llround(at / unit)] += (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
  }
  std::vector<std::pair<double, double>> largest;
  for (const auto& [at, area] : area_at) largest.push_back({-area, static_cast<double>(at) * unit});
  std::sort(largest.begin(), largest.end());
  // Next to the side, so that all of it is in one of the parts only, on whichever hand the solid is.
  for (std::size_t i = 0; i < std::min(flat_planes, largest.size()); ++i) {
    cuts.push_back({axis, largest[i].second + beside_flat * part.scale});
    cuts.push_back({axis, largest[i].second - beside_flat * part.scale});
  }
}

std::vector<Cut> cuts_of(const CellPart& part, const Extent& extent) {
  std::vector<Cut> cuts;
  const double longest = (extent.upper - extent.lower).maxCoeff();
  for (int axis = 0; axis < 3; ++axis) {
    const double length = extent.upper[axis] - extent.lower[axis];
    if (!(length > 0.02 * longest)) continue;
    for (int i = 1; i <= even_planes; ++i)
      cuts.push_back({axis, extent.lower[axis] + length * i / (even_planes + 1)});
    add_flat(part, extent, axis, cuts);
  }
  return cuts;
}

// Some pieces, and what a plane makes of them.
class Look {
 public:
  explicit Look(const CellPart& part) : part_(part), every_(part.pieces.size() / most_pieces + 1) {}

  double volumes(const Cut& cut) const {
    std::vector<Vector3> sides[2];
    for (std::size_t i = 0; i < part_.pieces.size(); i += every_) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Vector3& a = part_.points[static_cast<std::size_t>(part_.pieces[i][k])];
        const Vector3& b = part_.points[static_cast<std::size_t>(part_.pieces[i][(k + 1) % 3])];
        sides[a[cut.axis] > cut.at ? 1 : 0].push_back(a);
        if ((a[cut.axis] > cut.at) == (b[cut.axis] > cut.at)) continue;
        const Vector3 at = a + ((cut.at - a[cut.axis]) / (b[cut.axis] - a[cut.axis])) * (b - a);
        sides[0].push_back(at);
        sides[1].push_back(at);
      }
    }
    double sum = 0.0;
    for (const std::vector<Vector3>& points : sides) {
      if (points.empty()) continue;
      const Expected<ConvexHull> hull = convex_hull_of(points);
      if (hull) sum += volume_of(*hull);
    }
    return sum;
  }

 private:
  const CellPart& part_;
  std::size_t every_;
};

}  // namespace

double volume_of(const ConvexHull& hull) {
  double six = 0.0;
  for (const Face& f : hull.faces) {
    const Vector3& o = hull.vertices[0];
    six += (hull.vertices[static_cast<std::size_t>(f[0])] - o)
               .dot((hull.vertices[static_cast<std::size_t>(f[1])] - o)
                        .cross(hull.vertices[static_cast<std::size_t>(f[2])] - o));
  }
  return six / 6.0;
}

Cut cut_of(const CellPart& part, int threads) {
  const Extent extent = extent_of(part);
  Eigen::Index axis = 0;
  (extent.upper - extent.lower).maxCoeff(&axis);
  const Cut halving = {static_cast<int>(axis), 0.5 * (extent.lower[axis] + extent.upper[axis])};
  if (part.cuts >= plain_cuts) return halving;
  const std::vector<Cut> cuts = cuts_of(part, extent);
  std::vector<double> scores(cuts.size());
  const Look look(part);
  parallel_blocks(cuts.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double length = extent.upper[cuts[i].axis] - extent.lower[cuts[i].axis];
      const double off =
          std::abs(cuts[i].at - 0.5 * (extent.lower[cuts[i].axis] + extent.upper[cuts[i].axis]));
      scores[i] = look.volumes(cuts[i]) * (1.0 + price_of_unevenness * off / length);
    }
  });
  if (cuts.empty()) return halving;
  const auto best = std::min_element(scores.begin(), scores.end()) - scores.begin();
  if (!(scores[static_cast<std::size_t>(best)] > 0.0)) return halving;  // flat: nothing to compare
  return cuts[static_cast<std::size_t>(best)];
}

}  // namespace toccata::parts
