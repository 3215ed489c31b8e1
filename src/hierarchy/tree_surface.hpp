#pragma once
// The triangles of a mesh as the builder of box trees wants them: along a space-filling curve, so that what
// is near in space is near in memory, with moments that tell the size of boxes around many of them. Nothing
// but the vertices' positions needs to be exact.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hierarchy/split_kernels.hpp"
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
  // The rows of some triangles, given by their places here, about a point among them.
  void make_rows(std::span<const std::uint32_t> triangles, SplitRow* rows) const;

  std::size_t cell_count() const { return cell_begins_.size() - 1; }
  std::uint32_t cell_begin(std::size_t cell) const { return cell_begins_[cell]; }
  std::uint32_t cell_size(std::size_t cell) const { return cell_begins_[cell + 1] - cell_begins_[cell]; }
  // By its number, about the shape's centre, at the mean of the places of its triangles.
  const std::vector<SplitRow>& cell_rows() const { return cell_rows_; }

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
  void fill_cells();

  double reach_ = 0.0, unit_ = 1.0;
  std::vector<TreePoint> points_;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> cell_begins_;
  std::vector<SplitRow> cell_rows_;
};

}  // namespace toccata::hierarchy
