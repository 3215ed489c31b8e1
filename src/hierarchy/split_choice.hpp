#pragma once
// Where to cut a set of triangles in two, so that the oriented boxes of both parts are small.
//
// The size of a box is not fitted but told from the covariance of the surface inside: with its eigenvalues
// l_i, whose roots are the box's sides up to a factor, the box's area is about the sum of sqrt(l_i l_j), for
// which invariants of the matrix suffice. So moments, which add up, say everything about every cut, and
// sorting them into bins along a few axes gives all cuts at once. Nothing here needs to be exact.
#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata {

// A triangle to be sorted. Lengths in units of the mesh's reach, so that floats do.
struct SplitItem {
  Eigen::Array4f place =
      Eigen::Array4f::Zero();  // the middle of its bounding box; [3]: the bits of its number

  std::int32_t triangle() const { return std::bit_cast<std::int32_t>(place[3]); }
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

// The moments of all triangles, by their number.
struct SplitSurfaces {
  std::vector<SplitMoments> own;  // second ones about the centroid, which `first` holds after the area
  std::vector<SplitMoments> about_origin;  // for large sets; for small ones they would cancel

  void resize(std::size_t triangles);
  void put(std::size_t triangle, const SplitMoments& moments);
};

// Triangles with normal . middle < offset on one side.
struct SplitPlane {
  Eigen::Array3f normal = Eigen::Array3f::Zero();
  float offset = 0.0F;

  bool is_before(const SplitItem& item) const {
    return normal[0] * item.place[0] + normal[1] * item.place[1] + normal[2] * item.place[2] < offset;
  }
};

class SplitChoice {
 public:
  // surfaces: of all triangles by their number; must outlive this.
  explicit SplitChoice(const SplitSurfaces& surfaces) : surfaces_(surfaces) {}

  // What the questions below are about. Triangles that follow each other should be near each other: of many,
  // a few in a row are taken as one.
  void look_at(std::span<const SplitItem> items);
  Matrix3 principal_axes() const;
  // May leave one side empty where all middles coincide.
  SplitPlane best_plane(const Matrix3& principal);

 private:
  struct Best;

  void sample_one_by_one();
  void sample_in_rows();
  // Along three axes, the columns.
  template <int kBins>
  void look_along(const Eigen::Matrix3f& axes, int count, Best& best);

  const SplitSurfaces& surfaces_;
  std::span<const SplitItem> items_;
  std::vector<SplitMoments> samples_;
  std::vector<Eigen::Array4f> places_;  // of the samples
  std::vector<Eigen::Array4f> heights_;
  Eigen::Array4f origin_ = Eigen::Array4f::Zero();  // of moments and places
  SplitMoments all_;
  float scale_ = 1.0F;  // of covariances, for the sake of the range of floats
};

}  // namespace toccata
