#pragma once
// The triangles of a mesh as the builder of box trees wants them: along a space-filling curve, so that what
// is near in space is near in memory, with moments that tell the size of boxes around many of them. Nothing
// but the vertices' positions needs to be exact.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hierarchy/split_choice.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::hierarchy {

// A vertex relative to the shape's centre; the fourth number is for the sake of vector loads.
struct alignas(32) TreePoint {
  double x[4] = {0.0, 0.0, 0.0, 0.0};

  Vector3 vector() const { return {x[0], x[1], x[2]}; }
};

// Of a mesh without its own order: triangles along the curve, vertices in the order of their first use.
class TreeSurface {
 public:
  // A few triangles that follow each other and share a cell of an octree: they are sorted as one while there
  // are many.
  static constexpr std::uint32_t most_in_a_cell = 8;

  struct Triangle {
    std::array<std::int32_t, 3> corner;
    std::int32_t number;  // in the mesh
  };

  TreeSurface(const TriangleMesh& mesh, const Vector3& center);

  std::size_t size() const { return triangles_.size(); }
  const std::vector<TreePoint>& points() const { return points_; }
  const Triangle& triangle(std::size_t i) const { return triangles_[i]; }
  const TreePoint& corner(std::size_t i, std::size_t k) const {
    return points_[static_cast<std::size_t>(triangles_[i].corner[k])];
  }
  // The middle of its bounding box, which two halves of a square share: no cut parts them. In units of the
  // reach, as are all lengths from here on.
  const Eigen::Array4f& middle(std::size_t i) const { return middles_[i]; }
  // Area, centroid, second moments about it.
  const SplitMoments& moments(std::size_t i) const { return moments_[i]; }

  std::size_t cell_count() const { return cell_begins_.size() - 1; }
  std::uint32_t cell_begin(std::size_t cell) const { return cell_begins_[cell]; }
  std::uint32_t cell_size(std::size_t cell) const { return cell_begins_[cell + 1] - cell_begins_[cell]; }
  // At the mean of the middles, by its number. May be asked for once.
  std::vector<SplitItem> take_cell_items() { return std::move(cell_items_); }
  // Of all cells, about the shape's centre.
  const std::vector<SplitMoments>& cell_moments() const { return cell_moments_; }

  double reach() const { return reach_; }  // the largest coordinate in magnitude

 private:
  struct Key {
    std::uint32_t code;
    std::uint32_t triangle;
  };

  void measure(const TriangleMesh& mesh, const Vector3& center);
  std::vector<Key> keys_along_curve(const TriangleMesh& mesh, const Vector3& center) const;
  void number_vertices(const TriangleMesh& mesh, const Vector3& center, const std::vector<Key>& keys);
  void find_cells(const std::vector<Key>& keys);
  void fill_moments();
  void fill_cells();

  double reach_ = 0.0, unit_ = 1.0;
  std::vector<TreePoint> points_;
  std::vector<Triangle> triangles_;
  std::vector<Eigen::Array4f> middles_;
  std::vector<SplitMoments> moments_;
  std::vector<std::uint32_t> cell_begins_;
  std::vector<SplitItem> cell_items_;
  std::vector<SplitMoments> cell_moments_;
};

}  // namespace toccata::hierarchy
