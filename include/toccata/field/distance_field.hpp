#pragma once
// Distances from a mesh, prepared once for many points: an adaptive octree whose every answer is a proven
// interval.
//
//   const DistanceField field = build_distance_field(mesh, {.error = 1e-3}).value();
//   const FieldValue here = field.at({0, 0, 1});  // here.lower <= true signed distance <= here.upper
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/base/stop.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata {

struct DistanceFieldOptions {
  // Half the width that an interval may have within the field's box. 0: a thousandth of the mesh's size().
  double error = 0.0;
  // How far the box reaches beyond that of the mesh, in the mesh's size(). Outside of it the mesh itself is
  // asked, which takes some microseconds.
  double margin = 0.25;
  int threads = 0;  // 0 = all cores; the field does not depend on it
  Stop stop = {};   // an error if it comes before the field is built
};

struct FieldValue {
  // Proven: the true distance is no less and no more. Negative inside; of a mesh that is not closed never
  // negative.
  double lower = 0.0;
  double upper = 0.0;
  // Unit, away from the nearest triangle outside and towards it inside: where the distance grows fastest. An
  // estimate where the distance is interpolated. Zero where it has none.
  Vector3 gradient = Vector3::Zero();
  std::int32_t triangle = -1;  // one that is no farther than the interval's farther end

  double value() const { return 0.5 * (lower + upper); }
};

// The field as plain data: what is saved. A cube is cut in eight down to leaves, in depth-first order.
struct DistanceFieldData {
  Vector3 center = Vector3::Zero();  // of the cube
  double half_side = 0.0;
  double error = 0.0;
  // Of each cell its first of eight children (bit i: the upper half of axis i), or ~leaf.
  std::vector<std::int32_t> cells;
  // Distances at the corners (bit i as for children), the true one within the cell being no less than the
  // interpolated one minus `below` and no more than it plus `above`; or triangles one of which is nearest.
  struct Leaf {
    float corners[8] = {};
    float below = 0.0F;
    float above = 0.0F;
    std::int32_t first = 0;  // of the field's triangles
    std::int32_t count = 0;  // 1 of an interpolated leaf
    std::int8_t side = 0;    // -1: inside, 1: outside or not closed, 0: the surface may pass through
    bool is_interpolated = false;
  };
  std::vector<Leaf> leaves;
  std::vector<std::int32_t> triangles;
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

  const Shape& shape() const { return shape_; }
  const DistanceFieldData& data() const { return *data_; }
  bool is_signed() const { return is_signed_; }
  double error() const { return data_->error; }
  std::size_t memory_bytes() const;  // without the mesh

 private:
  DistanceField(Shape mesh, std::shared_ptr<const DistanceFieldData> data);

  FieldValue interpolated(const DistanceFieldData::Leaf& leaf, const Vector3& place, double side) const;
  FieldValue from_triangles(const DistanceFieldData::Leaf& leaf, const Vector3& point) const;

  Shape shape_;
  std::shared_ptr<const DistanceFieldData> data_;
  bool is_signed_ = false;
};

// Error: not a mesh, no triangles, options that cannot be, or stopped. Fine meshes take long (tens of
// thousands of triangles: minutes of one core): build once, and save.
Expected<DistanceField> build_distance_field(const Shape& mesh, const DistanceFieldOptions& options = {});

}  // namespace toccata
