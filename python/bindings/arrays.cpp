#include "arrays.hpp"

#include <cmath>
#include <cstring>

namespace toccata::python {

std::string shape_of(const py::array& array) {
  return py::str(array.attr("shape")).cast<std::string>();
}

void check_finite(const double* values, std::size_t rows, std::size_t columns, const std::string& name) {
  const std::size_t count = rows * columns;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isfinite(values[i])) continue;
    const std::string what = std::isnan(values[i]) ? "NaN" : "infinity";
    throw py::value_error(name + "[" + std::to_string(i / columns) + "] holds " + what +
                          ": all coordinates must be finite");
  }
}

namespace {

// The value as an array of a type (null: its own) with these flags; null if it is none. What has nothing to
// do with the value is raised: Ctrl-C, no memory.
py::array converted(const py::object& value, PyObject* descriptor, int flags) {
  using Numpy = py::detail::npy_api;
  PyObject* array = Numpy::get().PyArray_FromAny_(value.ptr(), descriptor, 0, 0,
                                                  Numpy::NPY_ARRAY_ENSUREARRAY_ | flags, nullptr);
  if (array != nullptr) return py::reinterpret_steal<py::array>(array);
  if (PyErr_ExceptionMatches(PyExc_Exception) == 0 || PyErr_ExceptionMatches(PyExc_MemoryError) != 0)
    throw py::error_already_set();
  PyErr_Clear();
  return py::reinterpret_steal<py::array>(static_cast<PyObject*>(nullptr));
}

}  // namespace

Numbers numbers_of(const py::object& value, const std::string& name, const std::string& wanted) {
  const auto refuse = [&](const std::string& found) {
    throw py::type_error(name + " must be " + wanted + ", not " + found);
  };
  const py::array given = converted(value, nullptr, 0);
  if (!given) refuse(py::str(py::type::of(value).attr("__name__")));
  // Objects (Fraction, Decimal) say themselves whether they are numbers.
  const char kind = given.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'O') {
    const bool is_array = py::isinstance<py::array>(value);
    refuse(is_array ? "an array of " + std::string(py::str(given.dtype()))
                    : std::string(py::str(py::type::of(value).attr("__name__"))));
  }
  const py::array array =
      converted(given, py::dtype::of<double>().release().ptr(), py::array::c_style | py::array::forcecast);
  if (!array) refuse(py::str(py::type::of(value).attr("__name__")));
  Numbers numbers{array, static_cast<const double*>(array.data()), {}};
  for (py::ssize_t i = 0; i < array.ndim(); ++i)
    numbers.shape.push_back(static_cast<std::size_t>(array.shape(i)));
  return numbers;
}

Points points_of(const py::object& value, const std::string& name) {
  const Numbers numbers = numbers_of(value, name, "an array of numbers of shape (n, 3)");
  const std::vector<std::size_t>& shape = numbers.shape;
  if (shape.size() != 2 || shape[1] != 3) {
    const bool transposed = shape.size() == 2 && shape[0] == 3;
    throw py::value_error(name + " must have shape (n, 3), one point a row; it has shape " +
                          shape_of(numbers.array) + (transposed ? ": pass " + name + ".T" : ""));
  }
  check_finite(numbers.data, shape[0], 3, name);
  return {numbers.array, {reinterpret_cast<const Vector3*>(numbers.data), shape[0]}};
}

namespace {

template <std::size_t Width>
void check_range(std::span<const std::array<std::int32_t, Width>> rows, std::size_t vertex_count,
                 const std::string& name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::int32_t index : rows[i]) {
      if (index >= 0 && static_cast<std::size_t>(index) < vertex_count) continue;
      throw py::index_error(
          name + "[" + std::to_string(i) + "] names vertex " + std::to_string(index) + ", but there are " +
          std::to_string(vertex_count) + " vertices: indices run from 0 to " +
          std::to_string(static_cast<std::int64_t>(vertex_count) - 1) +
          (index == static_cast<std::int32_t>(vertex_count) ? " (do they start at 1?)" : ""));
    }
  }
}

template <std::size_t Width>
Rows<Width> rows_of(const py::object& value, std::size_t vertex_count, const std::string& name) {
  using Row = std::array<std::int32_t, Width>;
  py::array array = py::array::ensure(value);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(name + " must be an array of vertex indices");
  }
  if (array.size() == 0) return {array, {}, {}};
  const char kind = array.dtype().kind();
  if (kind != 'i' && kind != 'u') {
    throw py::type_error(name + " holds " + std::string(py::str(array.dtype())) +
                         ": vertex indices must be integers, e.g. " + name + ".astype(int)");
  }
  if (array.ndim() != 2 || array.shape(1) != static_cast<py::ssize_t>(Width)) {
    throw py::value_error(
        name + " must have shape (m, " + std::to_string(Width) + "), one " +
        (Width == 4 ? "pair of features" : (Width == 3 ? "triangle" : "edge")) + " a row; it has shape " +
        shape_of(array) +
        (array.ndim() == 2 && Width == 3 && array.shape(1) > 3 ? ": triangulate the polygons" : ""));
  }
  const auto count = static_cast<std::size_t>(array.shape(0));
  Rows<Width> rows;
  if (kind == 'i' && array.itemsize() == sizeof(std::int32_t) && (array.flags() & py::array::c_style) != 0) {
    rows.array = array;
    rows.span = {static_cast<const Row*>(array.data()), count};
  } else {
    const auto wide = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(array);
    rows.converted.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < Width; ++j) {
        const std::int64_t index = wide.data()[i * Width + j];
        const auto narrow = static_cast<std::int32_t>(index);
        if (narrow != index) {
          throw py::index_error(name + "[" + std::to_string(i) + "] names vertex " + std::to_string(index) +
                                ", but there are " + std::to_string(vertex_count) + " vertices");
        }
        rows.converted[i][j] = narrow;
      }
    }
    rows.span = rows.converted;
  }
  check_range<Width>(rows.span, vertex_count, name);
  return rows;
}

}  // namespace

Rows<3> faces_of(const py::object& value, std::size_t vertex_count, const std::string& name) {
  return rows_of<3>(value, vertex_count, name);
}

Rows<2> edges_of(const py::object& value, std::size_t vertex_count, const std::string& name) {
  return rows_of<2>(value, vertex_count, name);
}

Rows<4> pairs_of(const py::object& value, std::size_t vertex_count, const std::string& name) {
  return rows_of<4>(value, vertex_count, name);
}

py::array array_of(const Vector3& vector) {
  py::array_t<double> array(3);
  std::memcpy(array.mutable_data(), vector.data(), sizeof(Vector3));
  return array;
}

}  // namespace toccata::python
