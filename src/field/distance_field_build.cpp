// The octree of a distance field. A cell becomes a leaf where a plane's height, or the lowest of up to four,
// is proven to be the distance to within the error asked for; else it is cut in eight. Each cell asks the
// mesh's tree for itself: nothing is handed down but where to begin (docs/notes/field_bounds.md).
#include <Eigen/Geometry>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <vector>

#include "base/stop_watch.hpp"
#include "field/cell_sides.hpp"
#include "field/cell_triangles.hpp"
#include "field/curve_proof.hpp"
#include "field/merged_curve.hpp"
#include "field/odd_edges.hpp"
#include "field/plane_proof.hpp"
#include "hierarchy/length_limits.hpp"
#include "hierarchy/shape_data.hpp"
#include "proximity/point_distance/nearest_triangle.hpp"
#include "proximity/point_distance/triangle_columns.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/field/distance_field.hpp"
#include "toccata/proximity/containment.hpp"

namespace toccata {

using namespace field;
using point_distance::NearestTriangle;
using point_distance::TriangleColumns;
using Leaf = DistanceFieldData::Leaf;
using LeafPlane = DistanceFieldData::Plane;
using Side = DistanceFieldData::Side;

namespace {

constexpr double usual_error = 1e-3;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int grid = 1 << DistanceFieldData::grid_levels;
constexpr int deepest_level = DistanceFieldData::deepest_level;
// So many triangles are as fast as going on.
constexpr std::size_t few = 16;
// From this level on cells that the surface crosses may keep triangles, which are slow to answer: each
// point's side is then asked for.
constexpr int level_of_crossed_lists = 11;
// Cells with no more candidates for the nearest triangle keep a list of them, which their parts choose from.
constexpr std::size_t most_listed = 640;
// Leaves are numbered in 31 bits, five of which say what they are.
constexpr std::size_t most_entries = std::size_t{1} << 26;

// What a part of the tree is made of, cells and leaves counted from its own first.
struct Part {
  std::vector<std::int32_t> cells;
  std::vector<LeafPlane> planes;
  std::vector<DistanceFieldData::Curve> curves;
  std::vector<std::int32_t> triangles;
};

struct Asked {
  double error = 0.0;
  double band = infinite;
  double rounding = 0.0;  // more than what arithmetic does to lengths
};

class PartBuilder {
 public:
  PartBuilder(const PlacedShape& mesh, const Asked& asked, std::span<const std::uint8_t> odd,
              const StopWatch& watch)
      : mesh_(mesh),
        data_(mesh.shape.data()),
        is_signed_(mesh.shape.is_closed()),
        asked_(asked),
        search_(mesh, hierarchy::ray_tree_at_once(data_)),
        proof_(data_, asked.rounding, odd),
        sides_(mesh, asked.rounding),
        curves_(asked.error, 32.0 * asked.rounding, data_.center, proof_, sides_),
        look_(watch.or_null(), 16) {}

  Part build(const FieldCell& cell) {
    part_ = {};
    part_.cells.push_back(0);
    Anchor anchor;
    if (is_signed_) {
      anchor.point = cell.middle + data_.center;
      anchor.side = point_containment(anchor.point, mesh_);
    }
    cut_or_end({cell, DistanceFieldData::grid_levels, 0}, nullptr, anchor, Containment::Undefined);
    return std::move(part_);
  }
  bool stopped() const { return look_.was_over(); }

 private:
  struct Place {
    FieldCell cell;
    int level = 0;
    std::size_t index = 0;  // among the part's cells
  };
  // What is known of the distance about a cell.
  struct Near {
    NearestTriangle found;
    Vector3 way = Vector3::Zero();  // unit, from the triangle to the middle; zero if that is near
    double gap = 0.0;               // and how far that is
  };

  // listed: all that may be nearest to a point of the cell, or null. side: of all of the cell, if it is
  // known.
  void cut_or_end(const Place& place, const CellTriangles* listed, Anchor anchor, Containment side) {
    if (look_.is_over()) {
      part_.cells[place.index] = ~0;
      return;
    }
    const FieldCell cell{place.cell.middle, place.cell.half * (1.0 + 1e-9) + asked_.rounding};
    const Near near = listed != nullptr ? nearest_of(*listed, place, cell) : nearest(cell);
    if (listed != nullptr) listed = &lists_[place.level];
    const bool is_crossed = near.found.lower <= cell.reach() + asked_.rounding;
    if (is_signed_ && side == Containment::Undefined) {
      const Containment here = sides_.side_of(cell.middle + data_.center, anchor);
      if (here != Containment::Crossing) anchor = {cell.middle + data_.center, here};
      if (!is_crossed) side = here;
    }
    const Side leaf_side = is_crossed                    ? (is_signed_ ? Side::Crossed : Side::Unsigned)
                           : side == Containment::Inside ? Side::Inside
                                                         : Side::Outside;
    if (end_far_or_small(place, cell, near, leaf_side, anchor)) return;
    // A plane takes no list; parts of the cell will need one.
    const bool is_new = listed == nullptr;
    if (is_new &&
        (is_crossed ? end_crossed(place, cell, near, anchor) : end_lowest(place, cell, near, leaf_side, 1)))
      return;
    if (is_new && list_about(cell, near)) {
      nearest_of(boxed_, place, cell);
      listed = &lists_[place.level];
    }
    if (listed != nullptr && leaf_side != Side::Unsigned &&
        end_curve(place, near, curve(cell, near, *listed, leaf_side, anchor), leaf_side))
      return;
    if (is_crossed
            ? (!is_new && end_crossed(place, cell, near, anchor)) || end_sheet(place, cell, near, anchor)
            : end_lowest(place, cell, near, leaf_side, most_planes))
      return;
    if (is_crossed && is_signed_
            ? place.level >= level_of_crossed_lists && end_list(place, cell, near, leaf_side)
            : end_list(place, cell, near, leaf_side))
      return;
    cut(place, near.found.triangle, listed, anchor, side);
  }

  std::optional<DistanceFieldData::Curve> curve(const FieldCell& cell, const Near& near,
                                                const CellTriangles& listed, Side side,
                                                const Anchor& anchor) {
    if (side != Side::Crossed) return curves_.apart(cell, listed);
    const Triangle t = corners_of(data_, near.found.triangle);
    return curves_.crossed(cell, listed, (t[1] - t[0]).cross(t[2] - t[0]), anchor);
  }

  void cut(const Place& place, std::int32_t triangle, const CellTriangles* listed, const Anchor& anchor,
           Containment side) {
    const std::size_t first = part_.cells.size(), planes = part_.planes.size(), curves = part_.curves.size();
    part_.cells[place.index] = static_cast<std::int32_t>(first);
    part_.cells.resize(first + 8);
    for (int k = 0; k < 8; ++k) {
      search_.start_at(triangle);
      cut_or_end({place.cell.part(k), place.level + 1, first + static_cast<std::size_t>(k)}, listed, anchor,
                 side);
    }
    // Eight leaves of one function each may be one of a quadratic function.
    if (part_.cells.size() != first + 8 || part_.planes.size() - planes + part_.curves.size() - curves != 8)
      return;
    if (const std::optional<Merged> merged = merge(place, first)) {
      part_.cells.resize(first);
      part_.planes.resize(planes);
      part_.curves.resize(curves);
      end(place, {static_cast<std::int32_t>(curves), DistanceFieldData::is_curve, merged->side});
      part_.curves.push_back(merged->curve);
    }
  }

  struct Merged {
    DistanceFieldData::Curve curve;
    Side side;
  };

  std::optional<Merged> merge(const Place& place, std::size_t first) const {
    MergedCurve::Part parts[8];
    Side common = Leaf::of(~part_.cells[first]).side;
    for (std::size_t k = 0; k < 8; ++k) {
      const Leaf leaf = Leaf::of(~part_.cells[first + k]);
      if ((leaf.planes != 1 && leaf.planes != DistanceFieldData::is_curve) || leaf.side == Side::Unsigned)
        return std::nullopt;
      if (leaf.side != common) common = Side::Crossed;
    }
    for (std::size_t k = 0; k < 8; ++k) {
      const Leaf leaf = Leaf::of(~part_.cells[first + k]);
      const auto at = static_cast<std::size_t>(leaf.first);
      DistanceFieldData::Curve curve;
      if (leaf.planes == 1) {
        curve.plane = part_.planes[at];
      } else {
        curve = part_.curves[at];
      }
      if (curve.plane.slope[0] == 0.0F && curve.plane.slope[1] == 0.0F && curve.plane.slope[2] == 0.0F)
        return std::nullopt;  // only a number
      parts[k] =
          MergedCurve::part_of(curve, common == Side::Crossed && leaf.side == Side::Inside ? -1.0 : 1.0);
    }
    const std::optional<DistanceFieldData::Curve> curve =
        MergedCurve(parts, place.cell.half).curve(asked_.error, asked_.rounding);
    if (!curve) return std::nullopt;
    return Merged{*curve, common};
  }

  Near nearest(const FieldCell& cell) {
    Near near;
    near.found = search_.almost(cell.middle + data_.center, 0.05 * asked_.error);
    set_way(cell, near);
    return near;
  }

  // The same from a list that the cell is a part of, and what of the list is left for the cell.
  Near nearest_of(const CellTriangles& listed, const Place& place, const FieldCell& cell) {
    CurvePiece here;
    here.middle = cell.middle;
    look_at_triangles(listed, here, seen_);
    const std::size_t best = seen_.nearest();
    Near near;
    near.found.triangle = listed.id(best);
    near.found.nearest = point_triangle_distance(
        cell.middle + data_.center, triangle_of(data_.mesh, static_cast<std::size_t>(near.found.triangle)));
    const double pad = 32.0 * asked_.rounding, gap = seen_.least_gap + pad;
    keep_of(listed, cell, near.found.nearest.point - data_.center, gap, lists_[place.level]);
    near.found.lower = std::max(0.0, seen_.least_low - pad);
    near.found.upper = gap;
    set_way(cell, near);
    return near;
  }

  // For x = middle + z in the cell and points y of the surface, q the one that is `gap` from the middle,
  // |x - y|^2 - |x - q|^2 = |middle - y|^2 - gap^2 - 2 z . (y - q): who is far enough for its place is not
  // the nearest anywhere. Near the surface all are kept that planes of parts may need.
  void keep_of(const CellTriangles& listed, const FieldCell& cell, const Vector3& q, double gap,
               CellTriangles& kept) {
    const double pad = 32.0 * asked_.rounding, likely = likely_reach(gap, cell.reach());
    const double whole = gap > 1.01 * cell.reach() ? 0.0 : 1.5 * cell.reach() + 3.0 * asked_.error;
    farthest_corners(listed, q, corners_);
    const auto is_needed = [&](std::size_t i) {
      const double low = std::max(0.0, seen_.low[i] - pad);
      return low <= whole || low * low - gap * gap <= 2.0 * (cell.half * corners_[i] + pad * gap);
    };
    kept.clear();
    kept.about = {cell.middle, std::min(whole, listed.reach_at(cell.middle))};
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (seen_.gap[i] <= likely) kept.add(listed, i);
    }
    kept.likely = kept.size();
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (seen_.gap[i] > likely && is_needed(i)) kept.add(listed, i);
    }
    kept.close();
  }

  // Beyond the nearest triangle: what may be nearest to a point of the cell, and where the surface comes near
  // some errors for planes.
  double reach_of_list(const FieldCell& cell, double gap) const {
    return 2.0 * cell.reach() + (gap > 1.01 * cell.reach() ? 0.0 : 3.0 * asked_.error);
  }

  // Fills `boxed_`, unless those are too many.
  bool list_about(const FieldCell& cell, const Near& near) {
    const double reach = near.found.upper + reach_of_list(cell, near.gap);
    if (!proof_.boxes_near(cell.middle, reach, most_listed, candidates_)) return false;
    boxed_.clear();
    boxed_.about = {cell.middle, reach};
    for (const std::int32_t t : candidates_) boxed_.add(t, corners_of(data_, t));
    boxed_.close();
    return true;
  }

  void set_way(const FieldCell& cell, Near& near) const {
    const Vector3 away = cell.middle + data_.center - near.found.nearest.point;
    near.gap = away.norm();
    if (near.gap > 1e3 * asked_.rounding) near.way = away / near.gap;
  }

  // A number is enough.
  bool end_far_or_small(const Place& place, const FieldCell& cell, const Near& near, Side side,
                        const Anchor& anchor) {
    if (near.found.lower - cell.reach() <= asked_.band &&
        cell.reach() + near.found.upper - near.found.lower > asked_.error)
      return false;
    return end_number(
        place, cell, near, side,
        side == Side::Crossed ? sides_.side_of(cell.middle + data_.center, anchor) : Containment::Outside);
  }

  // The lowest of some planes.
  bool end_lowest(const Place& place, const FieldCell& cell, const Near& near, Side side, int most) {
    FieldPlane planes[most_planes] = {{near.way, near.gap}};
    std::int32_t triangles[most_planes] = {near.found.triangle};
    const double allowed = 2.0 * asked_.error, least = 0.05 * asked_.error;
    double above = 0.0;
    for (int count = 1;; ++count) {
      above = std::max(above, rise(cell, planes[count - 1], triangles[count - 1], allowed));
      if (above + least > allowed) return false;
      const PlaneProof::Need below =
          proof_.need(cell, {planes, static_cast<std::size_t>(count)}, least, allowed - above);
      if (below.need < infinite)
        return end_planes(place, cell, {planes, static_cast<std::size_t>(count)}, triangles, below.need,
                          above, side);
      if (below.worst < 0 || count == most || below.way.isZero()) return false;
      planes[count] = {below.way, below.gap};
      triangles[count] = below.worst;
    }
  }

  bool end_curve(const Place& place, const Near& near, std::optional<DistanceFieldData::Curve> curve,
                 Side side) {
    if (!curve) return false;
    curve->plane.triangle = near.found.triangle;
    const bool is_plane =
        std::all_of(std::begin(curve->bend), std::end(curve->bend), [](float b) { return b == 0.0F; });
    if (is_plane) {
      end(place, {static_cast<std::int32_t>(part_.planes.size()), 1, side});
      part_.planes.push_back(curve->plane);
    } else {
      end(place, {static_cast<std::int32_t>(part_.curves.size()), DistanceFieldData::is_curve, side});
      part_.curves.push_back(*curve);
    }
    return true;
  }

  // What the distance may be above the plane's height: by one triangle, whose distance is convex, or by what
  // the surface drops below the plane's foot.
  double rise(const FieldCell& cell, const FieldPlane& plane, std::int32_t triangle, double allowed) {
    columns_.clear();
    const Triangle t = corners_of(data_, triangle);
    for (int k = 0; k < 8; ++k) columns_.add(t[0], t[1], t[2], cell.corner(k));
    double low[TriangleColumns::width], high[TriangleColumns::width], by_triangle = 0.0;
    point_triangle_brackets(columns_, low, high);
    for (int k = 0; k < 8; ++k) {
      const double height = plane.value + plane.normal.dot(cell.corner(k) - cell.middle);
      by_triangle = std::max(by_triangle, high[k] - height + asked_.rounding);
    }
    if (by_triangle <= 0.5 * allowed) return by_triangle;
    const double drop = proof_.drop(cell, plane, 0.05 * asked_.error, allowed);
    if (drop >= by_triangle || !sides_.is_crossing_odd(cell, plane, 0.0, drop)) return by_triangle;
    return drop;
  }

  // A cell that the surface may cross: one plane, the surface between two others along it.
  bool end_crossed(const Place& place, const FieldCell& cell, const Near& near, const Anchor& anchor) {
    if (std::optional<FieldPlane> plane = tangent_plane(cell, near)) {
      const double allowed = (is_signed_ ? 2.0 : 1.0) * asked_.error, least = 0.05 * asked_.error;
      const FieldPlane turned{-plane->normal, -plane->value};
      const double drop = proof_.drop(cell, *plane, least, allowed);
      const double rise = drop < infinite ? proof_.drop(cell, turned, least, allowed) : infinite;
      if (rise < infinite && (is_signed_ ? drop + rise : std::max(drop, rise)) <= allowed) {
        const double most_rise = is_signed_ ? allowed - drop : allowed;
        const double below = proof_.need(cell, {&*plane, 1}, rise, most_rise).need;
        const double most_drop = is_signed_ ? allowed - below : allowed;
        const double above =
            below < infinite ? proof_.need(cell, {&turned, 1}, drop, most_drop).need : infinite;
        if (above < infinite && end_oriented(place, cell, *plane, near, below, above, anchor)) return true;
      }
    }
    return false;
  }

  // A closed mesh so thin that both of its sides are along one plane, which is the nearest triangle's.
  bool end_sheet(const Place& place, const FieldCell& cell, const Near& near, const Anchor& anchor) {
    const std::optional<FieldPlane> plane = tangent_plane(cell, near);
    if (!is_signed_ || !plane) return false;
    const double above = rise_of_sheet(cell, *plane, near.found.triangle);
    const double allowed = 0.5 * (asked_.error - above);
    double thick = 0.05 * asked_.error;
    if (!(thick <= allowed)) return false;
    for (const FieldPlane& side : {*plane, FieldPlane{-plane->normal, -plane->value}}) {
      thick = proof_.drop(cell, side, thick, allowed);
      if (thick < infinite) thick = proof_.need(cell, {&side, 1}, thick, allowed).need;
      if (!(thick <= allowed)) return false;
    }
    for (const double height : {thick, -thick}) {
      const double beyond = height > 0.0 ? 4.0 * asked_.rounding : -4.0 * asked_.rounding;
      const Vector3 place_there = cell.middle + (height + beyond - plane->value) * plane->normal;
      if (sides_.side_of(place_there + data_.center, anchor) != Containment::Outside) return false;
    }
    const double width = 2.0 * thick + above;
    return end_planes(place, cell, {&*plane, 1}, &near.found.triangle, width, width, Side::Unsigned);
  }

  // What the distance from a triangle is above that from its plane: convex on either side of it, so most at
  // corners, of the cell or where its edges cross the plane.
  double rise_of_sheet(const FieldCell& cell, const FieldPlane& plane, std::int32_t triangle) const {
    const Triangle t = corners_of(data_, triangle);
    double rise = 0.0, height[8];
    const auto add = [&](const Vector3& at, double high) {
      rise = std::max(rise, (at - point_triangle_distance(at, t).point).norm() - high);
    };
    for (int k = 0; k < 8; ++k) {
      height[k] = plane.value + plane.normal.dot(cell.corner(k) - cell.middle);
      add(cell.corner(k), std::abs(height[k]));
    }
    for (int k = 0; k < 8; ++k) {
      for (int i = 1; i < 8; i *= 2) {
        const int other = k | i;
        if (other == k || (height[k] > 0.0) == (height[other] > 0.0)) continue;
        const double share = height[k] / (height[k] - height[other]);
        add(cell.corner(k) + share * (cell.corner(other) - cell.corner(k)), 0.0);
      }
    }
    return rise + 16.0 * asked_.rounding;
  }

  // Along the nearest triangle.
  std::optional<FieldPlane> tangent_plane(const FieldCell& cell, const Near& near) const {
    const Triangle t = corners_of(data_, near.found.triangle);
    const Vector3 e = t[1] - t[0], f = t[2] - t[0], n = e.cross(f);
    const double length = n.norm();
    if (!(length > 1e-6 * e.norm() * f.norm())) return std::nullopt;
    const Vector3 normal = n / length;
    return FieldPlane{normal, normal.dot(cell.middle + data_.center - near.found.nearest.point)};
  }

  bool end_oriented(const Place& place, const FieldCell& cell, FieldPlane plane, const Near& near,
                    double below, double above, const Anchor& anchor) {
    if (!sides_.is_crossing_odd(cell, plane, below, above)) return false;
    if (!is_signed_) {
      const double width = std::max(below, above);
      return end_planes(place, cell, {&plane, 1}, &near.found.triangle, width, width, Side::Unsigned);
    }
    const Vector3 foot = cell.middle - plane.value * plane.normal;
    const Vector3 top = foot + (below + 4.0 * asked_.rounding) * plane.normal + data_.center;
    const Containment over = sides_.side_of(top, anchor);
    if (over == Containment::Inside) {
      plane = {-plane.normal, -plane.value};
      std::swap(below, above);
    } else if (over != Containment::Outside) {
      return false;
    }
    return end_planes(place, cell, {&plane, 1}, &near.found.triangle, below, above, Side::Crossed);
  }

  // The distance of the middle, to within that of the cell's farthest point from it.
  bool end_number(const Place& place, const FieldCell& cell, const Near& near, Side side,
                  Containment here = Containment::Outside) {
    const double middle = 0.5 * (near.found.lower + near.found.upper);
    LeafPlane plane;
    plane.value = static_cast<float>(here == Containment::Inside ? -middle : middle);
    plane.triangle = near.found.triangle;
    // On the surface the number is nearly zero, and its sign does not matter.
    const double off = here == Containment::Crossing ? near.found.upper : 0.0;
    plane.width = float_above((cell.reach() + 0.5 * (near.found.upper - near.found.lower) + off +
                               std::abs(middle) * 0x1p-23 + 4.0 * asked_.rounding) *
                              (1.0 + 0x1p-20));
    end(place, {static_cast<std::int32_t>(part_.planes.size()), 1, side});
    part_.planes.push_back(plane);
    return true;
  }

  // The distance is within [lowest height - below, lowest height + above].
  bool end_planes(const Place& place, const FieldCell& cell, std::span<const FieldPlane> planes,
                  const std::int32_t* triangles, double below, double above, Side side) {
    const auto first = static_cast<std::int32_t>(part_.planes.size());
    double highest = 0.0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
      LeafPlane plane;
      const double value = planes[i].value + 0.5 * (above - below);
      highest = std::max(highest, std::abs(value));
      plane.value = static_cast<float>(value);
      for (int k = 0; k < 3; ++k) plane.slope[k] = static_cast<float>(planes[i].normal[k]);
      plane.triangle = triangles[i];
      part_.planes.push_back(plane);
    }
    // Values and slopes are rounded to floats.
    const double rounding = 0x1p-23 * (highest + cell.reach()) + 4.0 * asked_.rounding;
    part_.planes[static_cast<std::size_t>(first)].width = float_above(0.5 * (below + above) + rounding);
    end(place, {first, static_cast<std::uint8_t>(planes.size()), side});
    return true;
  }

  // Triangles among which the nearest is, if they are few, or if there is no way on.
  bool end_list(const Place& place, const FieldCell& cell, const Near& near, Side side) {
    const bool is_last = place.level == deepest_level;
    if (!is_last && cell.reach() > 16.0 * asked_.error) return false;
    if (!proof_.candidates(cell, near.found.upper, is_last ? SIZE_MAX : few, candidates_)) return false;
    end(place, {static_cast<std::int32_t>(part_.triangles.size()), 0, side});
    part_.triangles.push_back(static_cast<std::int32_t>(candidates_.size()));
    part_.triangles.insert(part_.triangles.end(), candidates_.begin(), candidates_.end());
    return true;
  }

  void end(const Place& place, const Leaf& leaf) { part_.cells[place.index] = ~leaf.code(); }

  const PlacedShape& mesh_;
  const ShapeData& data_;
  bool is_signed_;
  Asked asked_;
  point_distance::NearestTriangleSearch search_;
  PlaneProof proof_;
  CellSides sides_;
  CurveProof curves_;
  SparseLook look_;
  TriangleColumns columns_;
  std::vector<std::int32_t> candidates_;
  CellTriangles boxed_;
  CellTriangles lists_[deepest_level + 1];  // of the cells above the present one, by level
  TriangleLook seen_;
  std::vector<double> corners_;
  Part part_;
};

// The grid, then the parts one after the other. False if they are too many to be numbered.
bool join(const std::vector<Part>& built, DistanceFieldData& field) {
  std::size_t cells = built.size(), planes = 0, curves = 0, triangles = 0;
  for (const Part& part : built) {
    cells += part.cells.size() - 1;
    planes += part.planes.size();
    curves += part.curves.size();
    triangles += part.triangles.size();
  }
  if (planes >= most_entries || curves >= most_entries || triangles >= most_entries ||
      cells >= 8 * most_entries)
    return false;
  field.cells.reserve(cells);
  field.planes.reserve(planes);
  field.curves.reserve(curves);
  field.triangles.reserve(triangles);
  field.cells.resize(built.size());
  for (std::size_t i = 0; i < built.size(); ++i) {
    const Part& part = built[i];
    const auto first_cell = static_cast<std::int32_t>(field.cells.size()) - 1;  // its root is not among them
    const auto first_plane = static_cast<std::int32_t>(field.planes.size());
    const auto first_curve = static_cast<std::int32_t>(field.curves.size());
    const auto first_triangle = static_cast<std::int32_t>(field.triangles.size());
    const auto moved = [&](std::int32_t cell) {
      if (cell >= 0) return cell + first_cell;
      Leaf leaf = Leaf::of(~cell);
      leaf.first += leaf.planes == 0                             ? first_triangle
                    : leaf.planes == DistanceFieldData::is_curve ? first_curve
                                                                 : first_plane;
      return ~leaf.code();
    };
    field.cells[i] = moved(part.cells[0]);
    for (std::size_t k = 1; k < part.cells.size(); ++k) field.cells.push_back(moved(part.cells[k]));
    field.planes.insert(field.planes.end(), part.planes.begin(), part.planes.end());
    field.curves.insert(field.curves.end(), part.curves.begin(), part.curves.end());
    field.triangles.insert(field.triangles.end(), part.triangles.begin(), part.triangles.end());
  }
  return true;
}

std::optional<Error> refusal(const Shape& mesh, const DistanceFieldOptions& options) {
  if (!mesh.is_mesh()) return Error{"a distance field is built of a mesh; give the shape's display_mesh()"};
  if (mesh.mesh().faces.empty()) return Error{"a mesh without triangles has no distances"};
  if (!(options.error >= 0.0) || !std::isfinite(options.error)) return Error{"error must be at least 0"};
  if (!(options.margin >= 0.0) || !std::isfinite(options.margin)) return Error{"margin must be at least 0"};
  if (!(options.band >= 0.0)) return Error{"band must be at least 0"};
  if (!(mesh.data().radius > 0.0)) return Error{"a mesh that is a point has no size to choose cells by"};
  if (std::string failure = failure_of_lengths(mesh.data(), "the mesh"); !failure.empty())
    return Error{std::move(failure)};
  return std::nullopt;
}

}  // namespace

Expected<DistanceField> build_distance_field(const Shape& mesh, const DistanceFieldOptions& options) {
  if (std::optional<Error> error = refusal(mesh, options)) return *error;
  const ShapeData& data = mesh.data();
  DistanceFieldData field;
  field.center = data.center;
  Vector3 low = mesh.mesh().vertices[static_cast<std::size_t>(mesh.mesh().faces[0][0])], high = low;
  for (const Face& f : mesh.mesh().faces) {
    for (const std::int32_t v : f) {
      low = low.cwiseMin(mesh.mesh().vertices[static_cast<std::size_t>(v)]);
      high = high.cwiseMax(mesh.mesh().vertices[static_cast<std::size_t>(v)]);
    }
  }
  field.half_side = 0.5 * (high - low).maxCoeff() * (1.0 + 1e-9) + (options.margin + 1e-9) * data.radius;
  field.error = options.error > 0.0 ? options.error : usual_error * data.radius;
  field.band = options.band;
  const double size = field.half_side + data.radius + data.center.norm();
  if (field.error < 1e-9 * size)
    return Error{"error is below a billionth of the lengths: ask signed_distance"};

  const StopWatch watch(options.stop);
  const PlacedShape placed(mesh);
  const Asked asked{field.error * (1.0 - 1e-4), field.band, 1e-12 * size};
  const std::vector<std::uint8_t> odd =
      mesh.is_closed() ? std::vector<std::uint8_t>() : odd_edges(mesh.mesh());
  std::vector<Part> built(DistanceFieldData::grid_cells);
  std::atomic<bool> stopped = false;
  parallel_blocks(built.size(), grid, options.threads, [&](std::size_t begin, std::size_t end) {
    PartBuilder builder(placed, asked, odd, watch);
    for (std::size_t i = begin; i < end; ++i) {
      const double half = field.half_side / grid;
      const auto at = [&](std::size_t k) {
        return (2.0 * static_cast<double>(k % grid) + 1.0) * half - field.half_side;
      };
      built[i] = builder.build({Vector3(at(i), at(i / grid), at(i / grid / grid)), half});
    }
    if (builder.stopped()) stopped = true;
  });
  if (stopped) return Error{"stopped before the distance field was built"};
  if (!join(built, field))
    return Error{"the field would have too many cells: ask for a larger error or a band"};
  return DistanceField::from_data(mesh, std::move(field));
}

}  // namespace toccata
