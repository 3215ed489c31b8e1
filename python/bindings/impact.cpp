// Elementary impacts on batches. Input (n, 4, 3) at both ends; the library wants one array per coordinate: an
// array in Fortran order is that already, any other is transposed by blocks on all cores.
#include <cmath>

#include "arrays.hpp"
#include "enum_names.hpp"
#include "impact_fields.hpp"
#include "interrupt.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/impact/indexed_impact.hpp"

namespace toccata::python {
namespace {

constexpr std::size_t block = 2048;

struct Coordinates {
  py::array array;             // keeps what is taken as it is
  std::vector<double> turned;  // what was transposed
  const double* data = nullptr;
};

py::array_t<double> quadruples_of(const py::object& value, const std::string& name) {
  auto array = py::array_t<double, py::array::forcecast>::ensure(value);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(name + " must be an array of numbers of shape (n, 4, 3)");
  }
  if (array.ndim() != 3 || array.shape(1) != 4 || array.shape(2) != 3) {
    throw py::value_error(name + " must have shape (n, 4, 3): n queries of four points; it has shape " +
                          shape_of(array));
  }
  return array;
}

void check_queries_finite(const double* columns, std::size_t count, const std::string& name) {
  for (std::size_t column = 0; column < 12; ++column) {
    const double* values = columns + column * count;
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(values[i])) {
        throw py::value_error(name + "[" + std::to_string(i) +
                              "] holds NaN or infinity: all coordinates must be finite");
      }
    }
  }
}

Coordinates coordinates_of(const py::object& value, const std::string& name) {
  const py::array_t<double> array = quadruples_of(value, name);
  const auto count = static_cast<std::size_t>(array.shape(0));
  Coordinates result;
  result.array = array;
  if ((array.flags() & py::array::f_style) != 0) {
    result.data = array.data();
  } else {
    const auto contiguous = py::array_t<double, py::array::c_style | py::array::forcecast>(array);
    const double* rows = contiguous.data();
    result.turned.resize(12 * count);
    double* columns = result.turned.data();
    const py::gil_scoped_release release;
    parallel_blocks(count, block, 0, [&](std::size_t begin, std::size_t end) {
      for (std::size_t column = 0; column < 12; ++column) {
        for (std::size_t i = begin; i < end; ++i) columns[column * count + i] = rows[12 * i + column];
      }
    });
    result.data = columns;
  }
  check_queries_finite(result.data, count, name);
  return result;
}

// Fortran order of (n, 4, 3) runs over the points first, the transposed copy over the axes first.
std::size_t column_index(const Coordinates& coordinates, std::size_t point, std::size_t axis) {
  return coordinates.turned.empty() ? 4 * axis + point : 3 * point + axis;
}

template <typename Solve>
py::dict answered(double seconds, const Solve& solve) {
  auto [found, interrupted] = answer_until_interrupted(seconds, true, solve, [] {});
  auto kept = std::make_shared<std::vector<Impact>>(std::move(found.impacts));
  py::dict fields = impact_columns(std::span<const Impact>(*kept), owner_of(kept),
                                   [](const Impact& impact) -> const Impact& { return impact; });
  fields["stage"] = array_of(std::move(found.stages));
  fields["indices"] = array_of(std::move(found.indices));
  fields["interrupted"] = interrupted;
  return fields;
}

using BatchFunction = LinearImpactBatchResult (*)(const LinearMotionBatch&, const LinearImpactOptions&, int,
                                                  const Stop&);

py::dict impacts(BatchFunction solve, const py::object& points_t0, const py::object& points_t1,
                 const LinearImpactOptions& options, double seconds, int threads) {
  const std::array<Coordinates, 2> ends = {coordinates_of(points_t0, "points_t0"),
                                           coordinates_of(points_t1, "points_t1")};
  if (ends[0].array.shape(0) != ends[1].array.shape(0)) {
    throw py::value_error("points_t0 has shape " + shape_of(ends[0].array) + " and points_t1 " +
                          shape_of(ends[1].array) + ": both ends must have the same number of queries");
  }
  LinearMotionBatch batch;
  batch.size = static_cast<std::size_t>(ends[0].array.shape(0));
  for (std::size_t end = 0; end < 2; ++end) {
    for (std::size_t point = 0; point < 4; ++point) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        batch.coordinates[12 * end + 3 * point + axis] =
            ends[end].data + column_index(ends[end], point, axis) * batch.size;
      }
    }
  }
  return answered(seconds, [&](const Stop& stop) { return solve(batch, options, threads, stop); });
}

using IndexedFunction = LinearImpactBatchResult (*)(const IndexedMotionBatch&, const LinearImpactOptions&,
                                                    int, const Stop&);

template <IndexedFunction solve>
py::dict indexed_impacts(const py::object& vertices_t0, const py::object& vertices_t1,
                         const py::object& pairs, const std::string& name, double t_max,
                         double minimum_distance, double relative_distance_tolerance, bool boolean_only,
                         std::int64_t budget, double seconds, int threads) {
  const Points t0 = points_of(vertices_t0, "vertices_t0"), t1 = points_of(vertices_t1, "vertices_t1");
  if (t0.span.size() != t1.span.size()) {
    throw py::value_error("vertices_t0 has shape " + shape_of(t0.array) + " and vertices_t1 " +
                          shape_of(t1.array) + ": both ends must have the same vertices");
  }
  const Rows<4> rows = pairs_of(pairs, t0.span.size(), name);
  const IndexedMotionBatch batch{t0.span, t1.span, rows.span};
  const LinearImpactOptions options{boolean_only, t_max, minimum_distance, relative_distance_tolerance,
                                    budget};
  return answered(seconds, [&](const Stop& stop) { return solve(batch, options, threads, stop); });
}

template <BatchFunction solve>
py::dict bound_impacts(const py::object& points_t0, const py::object& points_t1, double t_max,
                       double minimum_distance, double relative_distance_tolerance, bool boolean_only,
                       std::int64_t budget, double seconds, int threads) {
  const LinearImpactOptions options{boolean_only, t_max, minimum_distance, relative_distance_tolerance,
                                    budget};
  return impacts(solve, points_t0, points_t1, options, seconds, threads);
}

py::dict defaults() {
  const LinearImpactOptions options;
  py::dict values;
  values["boolean_only"] = options.boolean_only;
  values["t_max"] = options.t_max;
  values["minimum_distance"] = options.minimum_distance;
  values["relative_distance_tolerance"] = options.relative_distance_tolerance;
  values["budget"] = options.budget;
  return values;
}

}  // namespace

void bind_impact(py::module_& module) {
  module.def("vertex_face_impacts", &bound_impacts<&vertex_face_impacts>);
  module.def("edge_edge_impacts", &bound_impacts<&edge_edge_impacts>);
  module.def("indexed_vertex_face_impacts", &indexed_impacts<&indexed_vertex_face_impacts>);
  module.def("indexed_edge_edge_impacts", &indexed_impacts<&indexed_edge_edge_impacts>);
  module.attr("linear_impact_defaults") = defaults();
  module.attr("distance_step_limit") = distance_step_limit;
  module.attr("impact_stages") = names_of<ImpactStage>(impact_stage_count);
  module.attr("statuses") = names_of<Status>(status_count);
}

}  // namespace toccata::python
