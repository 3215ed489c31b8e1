#include "toccata/proximity/convex_parts.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "base/number_text.hpp"
#include "hierarchy/length_limits.hpp"
#include "proximity/parts/cut_choice.hpp"
#include "proximity/parts/hull_excess.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/bound/convex_hull_of.hpp"

namespace toccata::parts {
namespace {

constexpr std::size_t most_parts = 4096;
constexpr double finest_error = 1e-3;  // of the mesh's size
constexpr int most_part_cuts = 48;
// By number: so many times as many are made, and then put together again.
constexpr std::size_t more_at_first = 4;
// How well excesses are known while parts are compared.
constexpr double roughly = 0.15;
constexpr double closely = 0.02;

std::string failure_of_question(const Shape& mesh, const ConvexPartsOptions& o) {
  if (!mesh.is_mesh())
    return "convex parts are made of a mesh, and this is a " + std::string(kind_of(mesh.geometry()));
  if ((o.error ? 1 : 0) + (o.count ? 1 : 0) != 1) return "give one of error and count: it says how fine";
  if (o.error && !(*o.error > 0.0 && std::isfinite(*o.error))) return "error must be above 0";
  if (o.count && *o.count < 1) return "there must be at least one part";
  if (mesh.mesh().faces.empty()) return "the mesh has no triangles";
  if (const auto open = mesh.open_edges())
    return "the mesh is not closed, so that nothing is inside it: " + *open;
  if (!(mesh.size() > 0.0)) return "the mesh is a single point";
  if (std::string failure = failure_of_lengths(mesh.data(), "the mesh"); !failure.empty()) return failure;
  if (o.error && *o.error < finest_error * mesh.size())
    return "an error of " + number_text(*o.error) +
           " is less than a thousandth of the mesh's size, as fine as parts are made";
  return {};
}

// A hull, and how far it reaches beyond the solid.
struct HullPart {
  std::shared_ptr<const CellPart> cell;  // none: it was put together of several
  ConvexHull hull;
  Excess excess;
};

// The axes along which cuts are made: those of the mesh, or those of its largest flat sides where it is
// turned.
Matrix3 axes_of(const TriangleMesh& mesh) {
  struct Side {
    Vector3 normal = Vector3::Zero();
    double area = 0.0;
  };
  std::map<std::array<std::int64_t, 3>, Side> sides;
  double total = 0.0;
  for (const Face& f : mesh.faces) {
    const auto corner = [&](std::size_t k) { return mesh.vertices[static_cast<std::size_t>(f[k])]; };
    Vector3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    const double area = normal.norm();
    if (!(area > 0.0) || !std::isfinite(area)) continue;
    normal /= area;
    Eigen::Index largest = 0;
    normal.cwiseAbs().maxCoeff(&largest);
    if (normal[largest] < 0.0) normal = -normal;
    std::array<std::int64_t, 3> key;
    for (int k = 0; k < 3; ++k) key[static_cast<std::size_t>(k)] = std::llround(normal[k] * 1024.0);
    Side& side = sides[key];
    side.normal += area * normal;
    side.area += area;
    total += area;
  }
  const auto largest_side = [&](const Vector3& across) {
    Side best;
    for (const auto& [key, side] : sides) {
      if (side.area > best.area && std::abs(side.normal.normalized().dot(across)) < 1e-3) best = side;
    }
    return best;
  };
  const Side first = largest_side(Vector3::Zero());
  if (first.area < 0.08 * total) return Matrix3::Identity();
  const Vector3 x = first.normal.normalized();
  const Side second = largest_side(x);
  Vector3 y = second.area > 0.0 ? Vector3(second.normal) : x.unitOrthogonal();
  y = (y - y.dot(x) * x).normalized();
  Matrix3 axes;
  axes.col(0) = x;
  axes.col(1) = y;
  axes.col(2) = x.cross(y);
  // Already along them, in whatever order.
  const bool is_along = (axes.cwiseAbs().colwise().maxCoeff().array() > 1.0 - 1e-9).all();
  return is_along ? Matrix3::Identity() : axes;
}

class Decomposition {
 public:
  Decomposition(const Shape& mesh, const ConvexPartsOptions& options)
      : solid_(mesh, Pose()), options_(options), size_(mesh.size()) {}

  Expected<ConvexParts> run() {
    if (const auto failure = add(whole(solid_.shape.mesh()))) return *failure;
    const double error = options_.error ? *options_.error : 0.0;
    const std::size_t wanted = options_.count ? static_cast<std::size_t>(*options_.count) : most_parts;
    if (const auto failure = divide(options_.count ? more_at_first * wanted + 8 : most_parts))
      return *failure;
    if (options_.error && worst() < parts_.size())
      return Error{"an error of " + number_text(error) + " needs more than " + std::to_string(most_parts) +
                   " parts"};
    join(error, options_.count ? wanted : 1);
    Expected<ConvexParts> made = result();
    if (made && options_.error && made->error > error)
      return Error{"the error could not be kept: it is too small for the mesh's size"};
    return made;
  }

 private:
  using Failure = std::optional<Error>;

  double accuracy() const { return 1e-3 * size_; }

  ExcessLimits rough_limits() const {
    ExcessLimits limits;
    limits.relative = roughly;
    limits.accuracy = accuracy();
    if (options_.error) limits.enough = limits.too_far = *options_.error;
    limits.most_knots = 6000;
    return limits;
  }

  Failure add(CellPart cell) {
    const std::vector<Vector3> corners = corners_of(cell, solid_);
    if (corners.empty()) return {};  // nothing of the solid is there
    Expected<ConvexHull> hull = convex_hull_of(corners, rounding(cell));
    if (!hull) return hull.error();
    HullPart part;
    part.hull = std::move(*hull);
    medial::SolidProbe probe(solid_);
    part.excess = hull_excess(part.hull, solid_, probe, rough_limits());
    part.cell = std::make_shared<CellPart>(std::move(cell));
    parts_.push_back(std::move(part));
    return {};
  }

  // The part that reaches farthest beyond what is asked for; their number: none does.
  std::size_t worst() const {
    std::size_t worst = parts_.size();
    double most = options_.error ? *options_.error : accuracy();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].excess.upper <= most || parts_[i].cell->cuts >= most_part_cuts) continue;
      most = parts_[i].excess.upper;
      worst = i;
    }
    return worst;
  }

  Failure divide(std::size_t most) {
    while (parts_.size() < std::min(most, most_parts)) {
      const std::size_t i = worst();
      if (i == parts_.size()) break;
      const std::shared_ptr<const CellPart> cell = parts_[i].cell;
      CutParts both = cut(*cell, cut_of(*cell, options_.threads));
      parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i));
      for (CellPart* side : {&both.below, &both.above}) {
        if (const auto failure = add(std::move(*side))) return failure;
      }
    }
    return {};
  }

  // Two parts as one hull.
  struct Joined {
    std::size_t first, second;
    HullPart part;
  };

  static Aabb box_of(const ConvexHull& hull) {
    Aabb box = {hull.vertices[0], hull.vertices[0]};
    for (const Vector3& v : hull.vertices) {
      box.lower = box.lower.cwiseMin(v);
      box.upper = box.upper.cwiseMax(v);
    }
    return box;
  }

  HullPart joined(const HullPart& a, const HullPart& b) const {
    std::vector<Vector3> points = a.hull.vertices;
    points.insert(points.end(), b.hull.vertices.begin(), b.hull.vertices.end());
    HullPart part;
    part.excess = {0.0, std::numeric_limits<double>::infinity()};
    Expected<ConvexHull> hull = convex_hull_of(points, std::max(a.hull.radius, b.hull.radius));
    if (!hull) return part;
    part.hull = std::move(*hull);
    medial::SolidProbe probe(solid_);
    ExcessLimits limits = rough_limits();
    limits.most_knots = 2500;
    part.excess = hull_excess(part.hull, solid_, probe, limits);
    return part;
  }

  // Pairs, the one that reaches least far first, as long as the error allows it or there are too many.
  void join(double error, std::size_t wanted) {
    std::vector<bool> is_left(parts_.size(), true);
    std::size_t left = parts_.size();
    std::vector<Joined> pairs;
    bool near_only = true;
    add_pairs(0, is_left, near_only, pairs);
    while (left > wanted) {
      const auto best = std::min_element(pairs.begin(), pairs.end(), [](const Joined& x, const Joined& y) {
        return std::tuple(x.part.excess.upper, x.first, x.second) <
               std::tuple(y.part.excess.upper, y.first, y.second);
      });
      const bool is_fine = best != pairs.end() && std::isfinite(best->part.excess.upper) &&
                           (!options_.error || best->part.excess.upper <= error);
      if (!is_fine) {
        if (!near_only || options_.error) break;
        near_only = false;  // parts that are far apart, since the number asks for it
        pairs.clear();
        add_pairs(0, is_left, near_only, pairs);
        if (pairs.empty()) break;
        continue;
      }
      const std::size_t a = best->first, b = best->second;
      parts_.push_back(std::move(best->part));
      is_left[a] = is_left[b] = false;
      is_left.push_back(true);
      --left;
      std::erase_if(pairs, [&](const Joined& pair) { return !is_left[pair.first] || !is_left[pair.second]; });
      add_pairs(parts_.size() - 1, is_left, near_only, pairs);
    }
    std::vector<HullPart> kept;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (is_left[i]) kept.push_back(std::move(parts_[i]));
    }
    parts_ = std::move(kept);
  }

  // Those of which the second is `from` or after it.
  void add_pairs(std::size_t from, const std::vector<bool>& is_left, bool near_only,
                 std::vector<Joined>& pairs) const {
    std::vector<std::pair<std::size_t, std::size_t>> asked;
    const double near = 1e-6 * size_;
    std::vector<Aabb> boxes;
    for (const HullPart& part : parts_) boxes.push_back(grown(box_of(part.hull), near));
    for (std::size_t k = std::max<std::size_t>(from, 1); k < parts_.size(); ++k) {
      for (std::size_t i = 0; i < k; ++i) {
        if (is_left[i] && is_left[k] && (!near_only || overlap(boxes[i], boxes[k]))) asked.push_back({i, k});
      }
    }
    std::vector<Joined> found(asked.size());
    parallel_blocks(asked.size(), 1, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto [a, b] = asked[i];
        found[i] = {a, b, joined(parts_[a], parts_[b])};
      }
    });
    for (Joined& pair : found) {
      if (options_.error && !(pair.part.excess.upper <= *options_.error)) continue;
      pairs.push_back(std::move(pair));
    }
  }

  // Each once more, as closely as is worth while.
  Expected<ConvexParts> result() {
    ConvexParts result;
    std::vector<double> errors(parts_.size());
    parallel_blocks(parts_.size(), 1, options_.threads, [&](std::size_t begin, std::size_t end) {
      medial::SolidProbe probe(solid_);
      for (std::size_t i = begin; i < end; ++i) {
        const HullPart& part = parts_[i];
        errors[i] = std::min(part.excess.upper, rim_of(part.hull, solid_, probe));
        if (!(errors[i] > accuracy())) continue;
        ExcessLimits limits;
        limits.relative = closely;
        limits.accuracy = 0.1 * accuracy();
        errors[i] = std::min(errors[i], hull_excess(part.hull, solid_, probe, limits).upper);
      }
    });
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      result.compound.parts.push_back({std::move(parts_[i].hull), Pose()});
      result.error = std::max(result.error, errors[i]);
    }
    result.errors = std::move(errors);
    return result;
  }

  PlacedShape solid_;
  const ConvexPartsOptions& options_;
  double size_;
  std::vector<HullPart> parts_;
};

// Of the mesh as seen along its own axes. Vertices are rounded by the turn, 8u of the largest coordinate, and
// so is what is between: what the mesh encloses is within twice that of what the turned one does.
Expected<ConvexParts> along_axes(const Shape& mesh, const Matrix3& axes, const ConvexPartsOptions& options) {
  TriangleMesh turned = mesh.mesh();
  double scale = 0.0;
  for (Vector3& v : turned.vertices) {
    scale = std::max(scale, v.norm());
    v = axes.transpose() * v;
  }
  const double rounded = 64.0 * unit_roundoff * scale;
  ConvexPartsOptions asked = options;
  if (asked.error) asked.error = *asked.error - 4.0 * rounded;
  const Shape shape(std::move(turned));
  if (!shape.is_closed()) return Error{"the mesh is closed no longer when it is turned"};
  Expected<ConvexParts> parts = Decomposition(shape, asked).run();
  if (!parts) return parts;
  for (CompoundPart& part : parts->compound.parts) {
    part.pose = Pose(axes);
    std::get<ConvexHull>(part.geometry).radius += rounded;
  }
  parts->error += 4.0 * rounded;
  for (double& error : parts->errors) error += 4.0 * rounded;
  return parts;
}

Expected<ConvexParts> parts_of(const Shape& mesh, const ConvexPartsOptions& options) {
  if (std::string failure = failure_of_question(mesh, options); !failure.empty())
    return Error{std::move(failure)};
  const Matrix3 axes = axes_of(mesh.mesh());
  if (!axes.isIdentity(0.0)) {
    Expected<ConvexParts> turned = along_axes(mesh, axes, options);
    if (turned) return turned;
  }
  return Decomposition(mesh, options).run();
}

}  // namespace
}  // namespace toccata::parts

namespace toccata {

Expected<ConvexParts> convex_parts(const Shape& mesh, const ConvexPartsOptions& options) {
  return parts::parts_of(mesh, options);
}

}  // namespace toccata
