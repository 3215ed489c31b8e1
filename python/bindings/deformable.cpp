#include <pybind11/stl.h>

#include <optional>

#include "arrays.hpp"
#include "contact_list.hpp"
#include "enum_names.hpp"
#include "impact_fields.hpp"
#include "interrupt.hpp"
#include "rigid.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::python {
namespace {

// What a question may be asked with, as the package hands it over (already checked there).
DeformableOptions options_of(const py::dict& values) {
  DeformableOptions options;
  options.scope = static_cast<PairScope>(values["scope"].cast<int>());
  options.at_start = static_cast<AtStart>(values["at_start"].cast<int>());
  options.minimum_distance = values["minimum_distance"].cast<double>();
  options.relative_distance_tolerance = values["relative_distance_tolerance"].cast<double>();
  options.boolean_only = values["boolean_only"].cast<bool>();
  options.threads = values["threads"].cast<int>();
  options.budget = values["budget"].cast<std::int64_t>();
  const auto [part, parts] = values["part"].cast<std::pair<int, int>>();
  options.part = {part, parts};
  options.stop.seconds = values["seconds"].cast<double>();
  if (!values["object_pairs"].is_none()) {
    const auto wanted =
        values["object_pairs"].cast<py::array_t<bool, py::array::c_style | py::array::forcecast>>();
    const auto width = static_cast<std::size_t>(wanted.shape(1));
    options.object_filter = [table = std::vector<bool>(wanted.data(), wanted.data() + wanted.size()), width](
                                std::int32_t a, std::int32_t b) {
      return table[static_cast<std::size_t>(a) * width + static_cast<std::size_t>(b)];
    };
  }
  return options;
}

py::dict stats_of(const DeformableStats& stats) {
  py::dict stages;
  for (const StageCount& stage : stats.stages) stages[py::str(std::string(stage.name))] = stage.count;
  py::dict decided;
  for (std::size_t i = 0; i < stats.decided_by.size(); ++i) {
    decided[py::str(std::string(to_string(static_cast<ImpactStage>(i))))] = stats.decided_by[i];
  }
  py::dict result;
  result["build_milliseconds"] = stats.build_milliseconds;
  result["update_milliseconds"] = stats.update_milliseconds;
  result["cull_milliseconds"] = stats.cull_milliseconds;
  result["test_milliseconds"] = stats.test_milliseconds;
  result["total_milliseconds"] = stats.total_milliseconds;
  result["stages"] = stages;
  result["decided_by"] = decided;
  return result;
}

py::dict columns_of(std::vector<DeformableContact> contacts) {
  auto kept = std::make_shared<std::vector<DeformableContact>>(std::move(contacts));
  const std::span<const DeformableContact> rows(*kept);
  const py::capsule owner = owner_of(kept);
  py::dict fields =
      impact_columns(rows, owner, [](const DeformableContact& row) -> const Impact& { return row.impact; });
  const auto add = [&](const char* name, auto member) {
    fields[name] = column(
        rows, owner, [&](const DeformableContact& row) -> const auto& { return row.pair.*member; });
  };
  add("kind", &FeaturePair::kind);
  add("first", &FeaturePair::first);
  add("second", &FeaturePair::second);
  fields["_list"] = ContactList{kept};
  return fields;
}

std::vector<DeformableObject> objects_of(const py::list& given) {
  std::vector<DeformableObject> objects;
  for (const py::handle& item : given) {
    const auto [count, faces, wires] = item.cast<std::tuple<std::int32_t, py::object, py::object>>();
    const std::string name = given.size() == 1 ? "" : "objects[" + std::to_string(objects.size()) + "].";
    const auto vertices = static_cast<std::size_t>(count);
    DeformableObject object;
    object.vertex_count = count;
    const Rows<3> triangles = faces_of(faces, vertices, name + "faces");
    object.faces.assign(triangles.span.begin(), triangles.span.end());
    if (!wires.is_none()) {
      const Rows<2> edges = edges_of(wires, vertices, name + "wires");
      object.wires.assign(edges.span.begin(), edges.span.end());
    }
    objects.push_back(std::move(object));
  }
  return objects;
}

std::shared_ptr<DeformableScene> build(const py::list& given, int method, int threads) {
  std::vector<DeformableObject> objects = objects_of(given);
  const py::gil_scoped_release release;
  Expected<DeformableScene> scene =
      DeformableScene::build(std::move(objects), {static_cast<DeformableMethod>(method), threads});
  if (!scene) throw py::value_error(scene.error().message);
  return std::make_shared<DeformableScene>(std::move(*scene));
}

double update(DeformableScene& scene, const py::object& positions_t0, const py::object& positions_t1) {
  const Points t0 = points_of(positions_t0, "positions_t0");
  const Points t1 = points_of(positions_t1, "positions_t1");
  const py::gil_scoped_release release;
  const Expected<UpdateReport> report = scene.update(t0.span, t1.span);
  if (!report) throw py::value_error(report.error().message);
  return report->milliseconds;
}

double update_topology(DeformableScene& scene, const py::list& given) {
  std::vector<DeformableObject> objects = objects_of(given);
  const py::gil_scoped_release release;
  const Expected<UpdateReport> report = scene.update_topology(std::move(objects));
  if (!report) throw py::value_error(report.error().message);
  return report->milliseconds;
}

py::dict all_contacts(const DeformableScene& scene, const py::dict& values) {
  DeformableOptions options = options_of(values);
  auto [found, interrupted] = answer_until_interrupted(
      options.stop.seconds, true,
      [&](const Stop& stop) {
        options.stop = stop;
        return scene.all_contacts(options);
      },
      [] {});
  if (found.status == Status::Failed) throw py::value_error(found.failure);
  py::dict fields = columns_of(std::move(found.contacts));
  fields["complete"] = found.status != Status::OutOfBudget;
  fields["interrupted"] = interrupted;
  fields["stats"] = stats_of(found.stats);
  return fields;
}

py::dict safe_step(const DeformableScene& scene, const py::dict& values) {
  DeformableOptions options = options_of(values);
  const SafeStep safe = answered(options.stop.seconds, [&](const Stop& stop) {
    options.stop = stop;
    return scene.safe_step(options);
  });
  const FirstContactResult& first = safe.first;
  if (first.status == Status::Failed) throw py::value_error(first.failure);
  py::dict fields = fields_of(first);
  fields["fraction"] = safe.fraction;
  fields["pose_a"] = py::none();  // of rigid bodies
  fields["pose_b"] = py::none();
  if (!py::object(fields["contact"]).is_none())
    fields["weights"] = py::array_t<double>(4, first.weights.data());
  fields["stats"] = stats_of(safe.stats);
  return fields;
}

ContactList selected(const ContactList& list, const std::vector<std::size_t>& rows) {
  auto chosen = std::make_shared<std::vector<DeformableContact>>();
  for (const std::size_t row : rows) chosen->push_back(list.contacts->at(row));
  return {chosen};
}

// The contacts of a step in words: how many of each kind, and when the first one is.
std::string step_sentence(const std::array<std::uint64_t, 4>& counts, std::optional<double> first_time,
                          bool complete) {
  StepRecord step;
  step.vertex_face = counts[static_cast<std::size_t>(FeaturePairKind::VertexFace)];
  step.edge_edge = counts[static_cast<std::size_t>(FeaturePairKind::EdgeEdge)];
  step.vertex_edge = counts[static_cast<std::size_t>(FeaturePairKind::VertexEdge)];
  step.vertex_vertex = counts[static_cast<std::size_t>(FeaturePairKind::VertexVertex)];
  step.first_time = first_time;
  if (!complete) step.proven_until = 0.0;
  return sentence(step);
}

// The scene's own memory, valid while the scene lives and its topology does not change: copied.
template <typename T>
py::array copied(std::span<const T> rows) {
  return array_of(std::vector<T>(rows.begin(), rows.end()));
}

}  // namespace

void bind_deformable(py::module_& module) {
  py::class_<ContactList>(module, "ContactList").def("selected", &selected);
  module.def("step_sentence", &step_sentence);
  py::class_<DeformableScene, std::shared_ptr<DeformableScene>>(module, "DeformableScene")
      .def(py::init(&build))
      .def("update", &update)
      .def("update_topology", &update_topology)
      .def("all_contacts", &all_contacts)
      .def("safe_step", &safe_step)
      .def_property_readonly("vertex_count", &DeformableScene::vertex_count)
      .def_property_readonly("object_count", &DeformableScene::object_count)
      .def_property_readonly("component_count", &DeformableScene::component_count)
      .def_property_readonly("faces", [](const DeformableScene& scene) { return copied(scene.faces()); })
      .def_property_readonly("edges", [](const DeformableScene& scene) { return copied(scene.edges()); })
      .def_property_readonly("memory_bytes", &DeformableScene::memory_bytes);
  module.attr("feature_pair_kinds") = names_of<FeaturePairKind>(feature_pair_kind_count);
  module.attr("pair_scopes") = names_of<PairScope>(pair_scope_count);
  module.attr("deformable_methods") = names_of<DeformableMethod>(deformable_method_count);
  module.attr("relative_distance_tolerance") = tolerances::relative_distance;
}

}  // namespace toccata::python
