#pragma once
// Where to cut a set of triangles in two, so that the oriented boxes of both parts are small.
//
// The size of a box is not fitted but told from the covariance of the surface inside: with its eigenvalues
// l_i, whose roots are the box's sides up to a factor, the box's area is about the sum of sqrt(l_i l_j), for
// which invariants of the matrix suffice. So moments, which add up, say everything about every cut, and
// sorting them into bins along a few axes gives all cuts at once. Nothing here needs to be exact.
#include <Eigen/Core>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata::hierarchy {

// A triangle, or a few of them, to be sorted. Lengths in units of the mesh's reach, so that floats do.
struct SplitItem {
  Eigen::Array4f place = Eigen::Array4f::Zero();  // [3]: the bits of its number

  std::size_t number() const { return std::bit_cast<std::uint32_t>(place[3]); }
  void set_number(std::size_t number) { place[3] = std::bit_cast<float>(static_cast<std::uint32_t>(number)); }
};

// Area, first and second moments of surfaces about one point; floats in three groups of four.
struct SplitMoments {
  Eigen::Array4f first = Eigen::Array4f::Zero();     // area; area times x, y, z
  Eigen::Array4f second_0 = Eigen::Array4f::Zero();  // xx xy xz yy
  Eigen::Array4f second_1 = Eigen::Array4f::Zero();  // yz zz, number of triangles, 0

  void add(const SplitMoments& other) {
    first += other.first;
    second_0 += other.second_0;
    second_1 += other.second_1;
  }
};

// A surface by its area, its centroid and the second moments about that, in the places of moments. The
// result: its moments about another point.
inline SplitMoments moments_about(const SplitMoments& own, float x, float y, float z) {
  const float area = own.first[0];
  const float dx = own.first[1] - x, dy = own.first[2] - y, dz = own.first[3] - z;
  const float ax = area * dx, ay = area * dy, az = area * dz;
  SplitMoments to;
  to.first = {area, ax, ay, az};
  to.second_0 = own.second_0 + Eigen::Array4f(ax * dx, ax * dy, ax * dz, ay * dy);
  to.second_1 = own.second_1 + Eigen::Array4f(ay * dz, az * dz, 0.0F, 0.0F);
  return to;
}

// Orthonormal to double precision, and about the principal axes: the direction of the largest variance first,
// that of the least last. Moments that are not finite or vanish give the coordinate axes.
Matrix3 principal_axes(const SplitMoments& moments);

// Items with normal . place < offset on one side.
struct SplitPlane {
  Eigen::Array3f normal = Eigen::Array3f::Zero();
  float offset = 0.0F;

  bool is_before(const SplitItem& item) const {
    return normal[0] * item.place[0] + normal[1] * item.place[1] + normal[2] * item.place[2] < offset;
  }
};

class SplitChoice {
 public:
  // What the questions below are about; moments by the items' numbers, all about one point. Both must stay.
  // Items that follow each other should be near each other: of many, a few in a row are taken as one.
  void look_at(std::span<const SplitItem> items, const SplitMoments* moments);
  const SplitMoments& sum() const { return all_; }
  // May leave one side empty where all places coincide.
  SplitPlane best_plane(const Matrix3& principal);

 private:
  struct Best;

  void sample_rows(std::size_t in_a_row);
  // Along the first `count` columns.
  template <int kBins>
  void look_along(const Eigen::Matrix3f& axes, int count, Best& best);

  std::span<const SplitItem> items_;
  const SplitMoments* moments_ = nullptr;
  std::vector<SplitItem> row_items_;
  std::vector<SplitMoments> row_moments_;
  std::vector<Eigen::Array4f> heights_;
  SplitMoments all_;
  float scale_ = 1.0F;  // of covariances, for the sake of the range of floats
};

}  // namespace toccata::hierarchy
