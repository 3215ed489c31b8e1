#pragma once
// Distances from a mesh, prepared once for many points: an adaptive octree of planes and curves whose every
// answer is a proven interval.
//
//   const DistanceField field = build_distance_field(mesh, {.error = 1e-3}).value();
//   const FieldValue here = field.at({0, 0, 1});  // here.lower <= true signed distance <= here.upper
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/base/stop.hpp"
#include "toccata/hierarchy/shape.hpp"
#include "toccata/proximity/containment.hpp"

namespace toccata {

struct DistanceFieldOptions {
  // Half the width that an interval may have within the field's box. 0: a thousandth of the mesh's size().
  double error = 0.0;
  // How far the box reaches beyond that of the mesh, in the mesh's size(). Outside of it the mesh itself is
  // asked, which takes some microseconds.
  double margin = 0.25;
  // Beyond this distance from the surface intervals may be wider than the error (they are proven all the
  // same): smaller and sooner built.
  double band = std::numeric_limits<double>::infinity();
  int threads = 0;  // 0 = all cores; the field does not depend on it
  Stop stop = {};   // an error if it comes before the field is built
};

struct FieldValue {
  // Proven: the true distance is no less and no more. Negative inside; of a mesh that is not closed never
  // negative.
  double lower = 0.0;
  double upper = 0.0;
  // Unit: where the distance grows fastest, away from the surface outside and towards it inside. An estimate,
  // the same all over a cell. Zero where it has none.
  Vector3 gradient = Vector3::Zero();
  // Nearest, or nearly, to the middle of the cell: where to begin a search for the exact distance.
  std::int32_t triangle = -1;

  double value() const { return 0.5 * (lower + upper); }
};

// Of the distance without its sign: a proven interval, and nothing else.
struct FieldBounds {
  double lower = 0.0;
  double upper = 0.0;
  std::int32_t triangle = -1;  // as in FieldValue
};

// The field as plain data: what is saved. A cube is cut into a grid of cells, and those in eight, down to
// leaves.
struct DistanceFieldData {
  static constexpr int grid_levels = 4;
  static constexpr std::size_t grid_cells = std::size_t{1} << (3 * grid_levels);
  static constexpr int deepest_level = 20;

  Vector3 center = Vector3::Zero();  // of the cube
  double half_side = 0.0;
  double error = 0.0;
  double band = std::numeric_limits<double>::infinity();
  // The grid's cells, x fastest; then eights (bit i: the upper half of axis i). Of each cell its first of
  // eight children, or ~Leaf::code().
  std::vector<std::int32_t> cells;

  // What the distance is within a leaf: the lowest height of its planes, or the height of its curve, to
  // `width`; or the least distance of a list of triangles.
  enum class Side : std::uint8_t {
    Crossed,   // one plane, negative inside; of a list every point's side is asked for
    Outside,   // or not closed
    Inside,    // the distance counts negative
    Unsigned,  // crossed by a surface that is not closed, or thin: the plane's height without its sign
  };
  struct Leaf {
    // Of the planes; of the curves; or in `triangles`, where a number of triangles stands first.
    std::int32_t first = 0;
    std::uint8_t planes = 0;  // 1 to 4; 5: a curve; 0: a list of triangles
    Side side = Side::Outside;

    std::int32_t code() const {
      return first << 5 | static_cast<std::int32_t>(side) << 3 | static_cast<std::int32_t>(planes);
    }
    static Leaf of(std::int32_t code) {
      return {code >> 5, static_cast<std::uint8_t>(code & 7), static_cast<Side>(code >> 3 & 3)};
    }
  };
  struct Plane {
    float value = 0.0F;   // the height at the middle of the cell
    float slope[3] = {};  // of unit length, or zero
    float width = 0.0F;   // of the first plane of a leaf: for all
    std::int32_t triangle = -1;
  };
  // A plane with half a quadratic form of the place on top: bend has xx, yy, zz, xy, xz, yz.
  struct Curve {
    Plane plane;
    float bend[6] = {};
  };
  static constexpr std::uint8_t is_curve = 5;
  std::vector<Plane> planes;
  std::vector<Curve> curves;
  std::vector<std::int32_t> triangles;  // of the lists
};

// Cheap to copy, immutable, safe to use from many threads.
class DistanceField {
 public:
  // Checks that every index is in range and every number finite; the mesh must be the one it was built of.
  static Expected<DistanceField> from_data(Shape mesh, DistanceFieldData data);

  // precondition: the point is finite
  FieldValue at(const Vector3& point) const;
  // values: as many as points. threads: 0 = all cores.
  void at(std::span<const Vector3> points, std::span<FieldValue> values, int threads = 0) const;

  // How far the surface is, on whichever side: sooner than `at`, and narrower beyond the band, where it
  // counts from the middle of a cell. precondition: the point is finite
  FieldBounds bounds_at(const Vector3& point) const;

  // No more than the distance, in no time: from a coarse grid, so less by up to half a diagonal of its cells.
  // Outside of the cube, too. precondition: the point is finite
  double rough_bound(const Vector3& point) const;

  // What it counts from: no more than the distance at the middles of rough_side^3 cells of the cube, x
  // fastest.
  static constexpr int rough_side = 32;
  std::span<const float> rough_grid() const { return *rough_; }

  // Inside, Outside, Crossing (on the surface); Undefined of a mesh that is not closed. Exact: where the
  // interval holds zero the mesh is asked.
  Containment side_at(const Vector3& point) const;

  const Shape& shape() const { return shape_; }
  const DistanceFieldData& data() const { return *data_; }
  bool is_signed() const { return is_signed_; }
  double error() const { return data_->error; }
  std::size_t leaf_count() const;
  std::size_t memory_bytes() const;  // without the mesh

 private:
  DistanceField(Shape mesh, std::shared_ptr<const DistanceFieldData> data);
  Vector3 rough_middle(int x, int y, int z) const;

  struct Place;
  Place place_of(const Vector3& point) const;
  double lowest_plane(const DistanceFieldData::Leaf& leaf, const Vector3& place,
                      const DistanceFieldData::Plane*& best) const;
  FieldValue from_planes(const DistanceFieldData::Leaf& leaf, const Vector3& place,
                         const Vector3& point) const;
  FieldBounds from_list(const DistanceFieldData::Leaf& leaf, const Vector3& point) const;
  FieldValue from_triangles(const DistanceFieldData::Leaf& leaf, const Vector3& point) const;

  Shape shape_;
  std::shared_ptr<const DistanceFieldData> data_;
  bool is_signed_ = false;
  double across_ = 0.0;  // cells of the deepest level in a unit of length
  std::shared_ptr<const std::vector<float>> rough_;
};

// Error: not a mesh, no triangles, options that cannot be, or stopped.
Expected<DistanceField> build_distance_field(const Shape& mesh, const DistanceFieldOptions& options = {});

}  // namespace toccata
