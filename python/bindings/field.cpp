// Distance fields.
#include "toccata/field/distance_field.hpp"

#include "arrays.hpp"
#include "batch.hpp"
#include "motion.hpp"
#include "rigid.hpp"
#include "shape.hpp"
#include "toccata/ccd/deformable/particle_contacts.hpp"
#include "toccata/ccd/field/particle_contacts.hpp"
#include "toccata/io/field_io.hpp"

namespace toccata::python {
namespace {

template <typename Value>
Value value_or_raise(Expected<Value> value) {
  if (!value) throw py::value_error(value.error().message);
  return std::move(*value);
}

DistanceField make_field(const AnyShape& shape, double error, double margin, double band, double seconds,
                         int threads) {
  return value_or_raise(answered(seconds, [&](const Stop& stop) {
    return build_distance_field(
        shape.shape(), {.error = error, .margin = margin, .band = band, .threads = threads, .stop = stop});
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

py::array sides_at(const DistanceField& field, const py::object& points) {
  const Points given = points_of(points, "points");
  std::vector<std::int32_t> sides;
  for (const Vector3& p : given.span) sides.push_back(static_cast<std::int32_t>(field.side_at(p)));
  return array_of(std::move(sides));
}

using ParticleBatch = Batch<ParticleContact>;

ParticleOptions particle_options_of(const py::dict& values, const Stop& stop) {
  ParticleOptions options;
  if (!values["tolerance"].is_none()) options.tolerance = values["tolerance"].cast<double>();
  options.minimum_distance = values["minimum_distance"].cast<double>();
  options.refine = values["refine"].cast<bool>();
  options.solid = values["solid"].cast<bool>();
  options.threads = values["threads"].cast<int>();
  options.stop = stop;
  return options;
}

// strands: first points of polylines, and the number of points; empty for particles.
template <typename Body>
ParticleContacts ask_particles(const Points& from, const Points& to, const std::vector<std::int32_t>& strands,
                               const Body& body, const ParticleOptions& options) {
  if (strands.empty()) return first_contacts(PointPaths{from.span, to.span}, body, options);
  const PolylineSet set{{from.span.begin(), from.span.end()}, strands};
  return first_contacts(StrandPaths{set, to.span}, body, options);
}

template <typename Body>
ParticleBatch answered_particles(const py::object& points_t0, const py::object& points_t1,
                                 const std::vector<std::int32_t>& strands, const Body& body,
                                 const py::dict& values) {
  const Points from = points_of(points_t0, "points_t0"), to = points_of(points_t1, "points_t1");
  ParticleOptions options = particle_options_of(values, {});
  const auto ask = [&](const Stop& stop) {
    options.stop = stop;
    ParticleContacts found = ask_particles(from, to, strands, body, options);
    if (!found.failure.empty()) throw std::invalid_argument(found.failure);
    return std::move(found.paths);
  };
  return ParticleBatch(answer_until_interrupted(values["seconds"].cast<double>(), true, ask, [] {}));
}

ParticleBatch shape_particles(const py::object& points_t0, const py::object& points_t1,
                              const std::vector<std::int32_t>& strands, const AnyShape& shape,
                              const MotionPointer& motion, const py::dict& values) {
  return answered_particles(points_t0, points_t1, strands, body_of(shape, motion, false), values);
}

ParticleBatch field_particles(const py::object& points_t0, const py::object& points_t1,
                              const std::vector<std::int32_t>& strands, const DistanceField& field,
                              const MotionPointer& motion, const py::dict& values) {
  return answered_particles(points_t0, points_t1, strands,
                            FieldBody{field, std::shared_ptr<const Motion>(motion)}, values);
}

ParticleBatch deforming_particles(const py::object& points_t0, const py::object& points_t1,
                                  const std::vector<std::int32_t>& strands, const py::object& vertices_t0,
                                  const py::object& vertices_t1, const std::vector<Face>& faces,
                                  const py::dict& values) {
  const Points from = points_of(vertices_t0, "vertices_t0"), to = points_of(vertices_t1, "vertices_t1");
  return answered_particles(points_t0, points_t1, strands, DeformingMesh{from.span, to.span, faces}, values);
}

py::dict particle_columns(const ParticleBatch& batch) {
  using Row = ParticleContact;
  Columns columns(batch);
  columns.add("status", &Row::status).add("time", &Row::time).add("distance", &Row::distance);
  columns.add("point", &Row::point).add("body_point", &Row::body_point).add("normal", &Row::normal);
  columns.add("segment", &Row::segment).add("parameter", &Row::parameter);
  columns.add("part", [](const Row& row) -> const std::int32_t& { return row.feature.part; });
  columns.add("index", [](const Row& row) -> const std::int32_t& { return row.feature.index; });
  return columns.fields();
}

py::dict field_facts(const DistanceField& field) {
  py::dict facts;
  facts["error"] = field.error();
  facts["signed"] = field.is_signed();
  facts["leaves"] = field.leaf_count();
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
      .def("bytes", [](const DistanceField& field) { return py::bytes(distance_field_bytes(field)); })
      .def("at", &values_at)
      .def("side_at", &sides_at)
      .def("facts", &field_facts);
  py::class_<ParticleBatch>(module, "ParticleBatch")
      .def_property_readonly("interrupted", &ParticleBatch::interrupted)
      .def("columns", &particle_columns);
  module.def("shape_particles", &shape_particles);
  module.def("field_particles", &field_particles);
  module.def("deforming_particles", &deforming_particles);
  module.attr("field_margin") = DistanceFieldOptions{}.margin;
}

}  // namespace toccata::python
