#pragma once
// Which of many pairs are still apart along an axis that parted them before? A few nanoseconds per pair, in
// lanes: the first look at pairs that move little from one moment to the next.
//
//   SeparationColumns pairs(1000);
//   pairs.set_shapes(0, separation_box(blade), separation_box(post));  // once
//   pairs.set_axis(0, Vector3(1, 0, 0));                               // as `distance` gave its normal
//   pairs.set_poses(0, pose, Pose());                                  // whenever they have moved
//   std::vector<std::uint8_t> apart(pairs.size());
//   still_apart(pairs, apart);  // apart[0] == 1: proven
//
// Proven: all roundings are counted, so that 1 means what `distance` would call apart. 0 means nothing: ask
// `distance`, and set the axis that it gives.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata {

// Holds a shape, in its own coordinates: every point within `radius` of a box. Boxes, balls and capsules,
// rounded or not, are nothing else; of other kinds it is the bounding box.
struct SeparationBox {
  Vector3 middle = Vector3::Zero();
  Vector3 half = Vector3::Zero();
  double radius = 0.0;  // infinite: never apart (a half space); below 0: always (no triangles)
};
SeparationBox separation_box(const Shape& shape);

class SeparationColumns {
 public:
  SeparationColumns() = default;
  explicit SeparationColumns(std::size_t size);

  std::size_t size() const { return size_; }
  void set_shapes(std::size_t pair, const SeparationBox& a, const SeparationBox& b);
  // World, after the shapes.
  void set_poses(std::size_t pair, const Pose& a, const Pose& b);
  // World, from a to b, any finite length; zero: nothing is known, so that the pair is not found apart.
  void set_axis(std::size_t pair, const Vector3& axis);
  Vector3 axis(std::size_t pair) const;

  // Blocks of so many pairs, each with its columns in turn.
  static constexpr std::size_t block = 8;
  static constexpr std::size_t column_count = 35;
  const double* blocks() const { return columns_.data(); }

 private:
  double& at(std::size_t pair, std::size_t column) {
    return columns_[(pair / block * column_count + column) * block + pair % block];
  }
  void set_place(std::size_t pair, std::size_t first, const Vector3& middle, const Pose& pose);

  std::size_t size_ = 0;
  std::vector<double> columns_;
  std::vector<std::array<Vector3, 2>> middles_;  // of the boxes
};

// apart[i] = 1 if pair i is proven to be more than `distance` (at least 0) apart along its axis, else 0; how
// many are. apart must have room for all pairs. The same on every machine and any number of threads (0 = all
// cores).
std::size_t still_apart(const SeparationColumns& pairs, std::span<std::uint8_t> apart, double distance = 0.0,
                        int threads = 1);

}  // namespace toccata
