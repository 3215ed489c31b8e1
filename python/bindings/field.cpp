// Distance fields.
#include "toccata/field/distance_field.hpp"

#include "arrays.hpp"
#include "batch.hpp"
#include "shape.hpp"
#include "toccata/io/field_io.hpp"

namespace toccata::python {
namespace {

template <typename Value>
Value value_or_raise(Expected<Value> value) {
  if (!value) throw py::value_error(value.error().message);
  return std::move(*value);
}

DistanceField make_field(const AnyShape& shape, double error, double margin, double seconds, int threads) {
  return value_or_raise(answered(seconds, [&](const Stop& stop) {
    return build_distance_field(shape.shape(),
                                {.error = error, .margin = margin, .threads = threads, .stop = stop});
  }));
}

py::dict values_at(const DistanceField& field, const py::object& points, int threads) {
  const Points given = points_of(points, "points");
  std::vector<FieldValue> values(given.span.size());
  {
    const py::gil_scoped_release release;
    field.at(given.span, values, threads);
  }
  const Batch<FieldValue> batch(std::move(values));
  Columns columns(batch);
  columns.add("lower", &FieldValue::lower).add("upper", &FieldValue::upper);
  columns.add("gradient", &FieldValue::gradient).add("triangle", &FieldValue::triangle);
  return columns.fields();
}

py::dict field_facts(const DistanceField& field) {
  py::dict facts;
  facts["error"] = field.error();
  facts["signed"] = field.is_signed();
  facts["leaves"] = field.data().leaves.size();
  facts["memory_bytes"] = field.memory_bytes();
  facts["center"] = array_of(field.data().center);
  facts["half_side"] = field.data().half_side;
  return facts;
}

}  // namespace

void bind_field(py::module_& module) {
  py::class_<DistanceField>(module, "DistanceField")
      .def(py::init(&make_field))
      .def_static("load", [](const std::string& path) { return value_or_raise(load_distance_field(path)); })
      .def("save", [](const DistanceField& field, const std::string& path,
                      bool force) { return value_or_raise(save_distance_field(path, field, force)); })
      .def("at", &values_at)
      .def("facts", &field_facts);
  module.attr("field_margin") = DistanceFieldOptions{}.margin;
}

}  // namespace toccata::python
