#include "hierarchy/tree_surface.hpp"

#include <tbb/parallel_invoke.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/large_pages.hpp"
#include "hierarchy/curve_kernels.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::hierarchy {
namespace {

// So many triangles are looked at by one thread.
constexpr std::size_t worth_a_task = 8192;

template <typename Body>
void for_all_in_blocks(std::size_t count, const Body& body) {
  parallel_blocks(count, worth_a_task, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

template <typename T>
void resize_in_large_pages(std::vector<T>& list, std::size_t count) {
  list.reserve(count);
  prefer_large_pages(list.data(), count * sizeof(T));
  list.resize(count);
}

constexpr int code_bits = 30;

// By its lowest thirty bits; equal codes keep their order.
template <typename Key>
void sort_by_code(std::vector<Key>& keys) {
  constexpr int digit_bits = 10;
  constexpr std::uint32_t digits = 1U << digit_bits;
  std::vector<Key> other(keys.size());
  for (int shift = 0; shift < code_bits; shift += digit_bits) {
    std::array<std::uint32_t, digits> places = {};
    for (const Key& key : keys) ++places[(key.code >> shift) % digits];
    std::exclusive_scan(places.begin(), places.end(), places.begin(), 0U);
    for (const Key& key : keys) other[places[(key.code >> shift) % digits]++] = key;
    keys.swap(other);
  }
}

}  // namespace

TreeSurface::TreeSurface(const TriangleMesh& mesh, const Vector3& center) {
  measure(mesh, center);
  const std::vector<Key> keys = keys_along_curve(mesh, center);
  const auto number = [&] { number_vertices(mesh, center, keys); };
  const auto find = [&] { find_cells(keys); };
  if (keys.size() <= worth_a_task) {
    number();
    find();
  } else {
    tbb::parallel_invoke(number, find);
  }
  fill_cells();
}

void TreeSurface::measure(const TriangleMesh& mesh, const Vector3& center) {
  std::vector<double> reaches(mesh.faces.size() / worth_a_task + 1, 0.0);
  parallel_blocks(mesh.faces.size(), worth_a_task, 0, [&](std::size_t begin, std::size_t end) {
    Eigen::Array3d reach = Eigen::Array3d::Zero();
    for (std::size_t i = begin; i < end; ++i) {
      for (const std::int32_t v : mesh.faces[i]) {
        reach = reach.max((mesh.vertices[static_cast<std::size_t>(v)] - center).array().abs());
      }
    }
    reaches[begin / worth_a_task] = reach.maxCoeff();
  });
  reach_ = *std::max_element(reaches.begin(), reaches.end());
  unit_ = reach_ > 0.0 && std::isfinite(1.0 / reach_) ? 1.0 / reach_ : 1.0;
}

std::vector<TreeSurface::Key> TreeSurface::keys_along_curve(const TriangleMesh& mesh,
                                                            const Vector3& center) const {
  std::vector<Key> keys(mesh.faces.size());
  const CurveCells cells = {center, 512.0 * unit_ / 2.0};
  parallel_blocks(keys.size(), worth_a_task, 0, [&](std::size_t begin, std::size_t end) {
    std::array<std::uint32_t, 256> codes;
    for (std::size_t first = begin; first < end; first += codes.size()) {
      const std::size_t count = std::min(codes.size(), end - first);
      cells.codes_of(mesh, first, count, codes.data());
      for (std::size_t i = 0; i < count; ++i)
        keys[first + i] = {codes[i], static_cast<std::uint32_t>(first + i)};
    }
  });
  sort_by_code(keys);
  return keys;
}

void TreeSurface::number_vertices(const TriangleMesh& mesh, const Vector3& center,
                                  const std::vector<Key>& keys) {
  std::vector<std::int32_t> numbers(mesh.vertices.size(), -1);
  std::vector<std::int32_t> order(mesh.vertices.size() + 1);  // one more: written before it is known
  resize_in_large_pages(triangles_, keys.size());
  std::int32_t count = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Face& f = mesh.faces[keys[i].triangle];
    Triangle& triangle = triangles_[i];
    triangle.number = static_cast<std::int32_t>(keys[i].triangle);
    for (std::size_t k = 0; k < 3; ++k) {
      std::int32_t& number = numbers[static_cast<std::size_t>(f[k])];
      const bool is_new = number < 0;
      number = is_new ? count : number;
      order[static_cast<std::size_t>(count)] = f[k];
      count += is_new ? 1 : 0;
      triangle.corner[k] = number;
    }
  }
  resize_in_large_pages(points_, static_cast<std::size_t>(count));
  for_all_in_blocks(points_.size(), [&](std::size_t i) {
    const Vector3 p = mesh.vertices[static_cast<std::size_t>(order[i])] - center;
    points_[i] = {{p[0], p[1], p[2], 0.0}};
  });
}

// Each the largest cell of the octree that starts here and holds few enough; of the smallest cells, which may
// hold more, pieces.
void TreeSurface::find_cells(const std::vector<Key>& keys) {
  const auto code = [&](std::size_t i) { return i < keys.size() ? keys[i].code : ~0U; };
  // The largest cell that holds the one and not the other, as a number of bits; none if no cell does.
  const auto bits_apart = [](std::uint32_t x, std::uint32_t y) {
    return x == y ? -1 : 3 * ((static_cast<int>(std::bit_width(x ^ y)) - 1) / 3);
  };
  cell_begins_.reserve(keys.size() / 2 + 2);
  for (std::size_t begin = 0; begin < keys.size();) {
    cell_begins_.push_back(static_cast<std::uint32_t>(begin));
    const int after = bits_apart(code(begin), code(begin + most_in_a_cell));
    const int before = begin > 0 ? bits_apart(code(begin), code(begin - 1)) : code_bits;
    const int bits = std::max(0, std::min({after, before, code_bits}));
    std::size_t end = begin + 1;
    while (end < keys.size() && end < begin + most_in_a_cell && code(end) >> bits == code(begin) >> bits) {
      ++end;
    }
    begin = end;
  }
  cell_begins_.push_back(static_cast<std::uint32_t>(keys.size()));
}

void TreeSurface::fill_cells() {
  constexpr std::size_t cells_at_once = 64;
  resize_in_large_pages(cell_rows_, cell_count());
  parallel_blocks(cell_count(), 2048, 0, [&](std::size_t begin, std::size_t end) {
    std::array<const std::int32_t*, cells_at_once * most_in_a_cell> corners;
    std::array<SplitRow, cells_at_once * most_in_a_cell> rows;
    for (std::size_t cell = begin; cell < end; cell += cells_at_once) {
      const std::size_t last = std::min(end, cell + cells_at_once);
      const std::uint32_t first = cell_begins_[cell], count = cell_begins_[last] - first;
      for (std::uint32_t i = 0; i < count; ++i) corners[i] = triangles_[first + i].corner.data();
      hierarchy::make_rows({points_.data(), unit_, {0.0F, 0.0F, 0.0F}}, {corners.data(), count}, rows.data());
      for (std::size_t i = cell; i < last; ++i) {
        cell_rows_[i] = mean_row({rows.data() + (cell_begins_[i] - first), cell_size(i)});
        cell_rows_[i].item.number = static_cast<std::uint32_t>(i);
      }
    }
  });
}

void TreeSurface::make_rows(std::span<const std::uint32_t> triangles, SplitRow* rows) const {
  std::array<const std::int32_t*, 256> corners;
  const Triangle& among = triangles_[triangles[triangles.size() / 2]];
  const TreePoint& origin = points_[static_cast<std::size_t>(among.corner[0])];
  RowSource source = {points_.data(), unit_, {}};
  for (std::size_t k = 0; k < 3; ++k) source.origin[k] = static_cast<float>(origin.x[k] * unit_);
  for (std::size_t begin = 0; begin < triangles.size(); begin += corners.size()) {
    const std::size_t count = std::min(corners.size(), triangles.size() - begin);
    for (std::size_t i = 0; i < count; ++i) corners[i] = triangles_[triangles[begin + i]].corner.data();
    hierarchy::make_rows(source, {corners.data(), count}, rows + begin);
  }
}

}  // namespace toccata::hierarchy
