#pragma once
// numpy arrays as the library's spans, and the library's vectors as numpy arrays: without a copy where the
// memory layouts agree. What a user can get wrong becomes a Python exception that names the argument.
#include <pybind11/numpy.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::python {

static_assert(sizeof(Vector3) == 3 * sizeof(double) && alignof(Vector3) == alignof(double));
static_assert(sizeof(Face) == 3 * sizeof(std::int32_t));

// "(12, 3)"
std::string shape_of(const py::array& array);

// Raises unless every number is finite; the error says which row of `name` is not.
void check_finite(const double* values, std::size_t rows, std::size_t columns, const std::string& name);

// Real numbers of any shape as float64 in C order; others are converted. Complex numbers, text and the like
// raise, and so does what is no array; `wanted` says in the error what was asked for. `array` keeps the
// memory alive.
struct Numbers {
  py::array array;
  const double* data = nullptr;
  std::vector<std::size_t> shape;
};
Numbers numbers_of(const py::object& value, const std::string& name, const std::string& wanted);

// Points given as an (n, 3) array of float64 (others are converted). `array` keeps the memory alive.
struct Points {
  py::array array;
  std::span<const Vector3> span;
};
Points points_of(const py::object& value, const std::string& name);

// Rows of `Width` vertex indices below `vertex_count`, given as an integer array. int32 is taken as it is.
template <std::size_t Width>
struct Rows {
  py::array array;
  std::vector<std::array<std::int32_t, Width>> converted;
  std::span<const std::array<std::int32_t, Width>> span;
};
Rows<3> faces_of(const py::object& value, std::size_t vertex_count, const std::string& name);
Rows<2> edges_of(const py::object& value, std::size_t vertex_count, const std::string& name);
// Two features by their vertices: one and three, or two and two.
Rows<4> pairs_of(const py::object& value, std::size_t vertex_count, const std::string& name);

// Three numbers that the package has checked.
using Triple = std::array<double, 3>;
inline Vector3 vector_of(const Triple& triple) {
  return {triple[0], triple[1], triple[2]};
}

inline py::array read_only(py::array array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// Keeps a C++ object alive for the arrays that look into it.
template <typename T>
py::capsule owner_of(std::shared_ptr<T> object) {
  return py::capsule(new std::shared_ptr<T>(std::move(object)),
                     [](void* pointer) { delete static_cast<std::shared_ptr<T>*>(pointer); });
}

namespace detail {
template <typename T>
struct Cell {  // scalars and enums
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
  using Scalar =
      typename std::conditional_t<std::is_enum_v<T>, std::underlying_type<T>, std::type_identity<T>>::type;
  static constexpr py::ssize_t width = 0;
};
template <>
struct Cell<Vector3> {
  using Scalar = double;
  static constexpr py::ssize_t width = 3;
};
template <typename T, std::size_t N>
struct Cell<std::array<T, N>> {
  using Scalar = T;
  static constexpr py::ssize_t width = N;
};
}  // namespace detail

// One member of every row, as a read-only view with the rows' stride. get(row) returns a reference.
template <typename Row, typename Get>
py::array column(std::span<const Row> rows, const py::capsule& owner, Get get) {
  using Member = std::remove_cvref_t<decltype(get(rows[0]))>;
  using Cell = detail::Cell<Member>;
  using Scalar = typename Cell::Scalar;
  std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(rows.size())};
  std::vector<py::ssize_t> strides = {sizeof(Row)};
  if constexpr (Cell::width > 0) {
    shape.push_back(Cell::width);
    strides.push_back(sizeof(Scalar));
  }
  if (rows.empty()) return read_only(py::array(py::dtype::of<Scalar>(), shape));
  return read_only(py::array(py::dtype::of<Scalar>(), shape, strides,
                             reinterpret_cast<const Scalar*>(&get(rows[0])), owner));
}

// The whole vector as a read-only array; the vector lives on inside it.
template <typename T>
py::array array_of(std::vector<T> values) {
  auto kept = std::make_shared<std::vector<T>>(std::move(values));
  const std::span<const T> rows(*kept);
  return column(rows, owner_of(kept), [](const T& value) -> const T& { return value; });
}

py::array array_of(const Vector3& vector);

}  // namespace toccata::python
