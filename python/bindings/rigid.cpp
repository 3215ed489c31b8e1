// Two moving rigid bodies: first contact, closest approach, intervals of contact.
#include "rigid.hpp"

#include <pybind11/stl.h>

#include <optional>

#include "arrays.hpp"
#include "enum_names.hpp"
#include "interrupt.hpp"
#include "pose.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/shape_cast.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::python {

py::dict fields_of(const Contact& contact) {
  py::dict fields;
  fields["point_a"] = array_of(contact.point_a);
  fields["point_b"] = array_of(contact.point_b);
  fields["normal"] = array_of(contact.normal);
  fields["distance"] = contact.distance;
  const auto feature = [](const Feature& f) { return py::make_tuple(to_string(f.kind), f.index, f.part); };
  fields["feature_a"] = feature(contact.feature_a);
  fields["feature_b"] = feature(contact.feature_b);
  return fields;
}

py::dict fields_of(const QueryStats& stats) {
  py::dict fields;
  fields["node_pairs"] = stats.node_pairs;
  fields["piece_pairs"] = stats.piece_pairs;
  fields["steps"] = stats.steps;
  return fields;
}

py::dict fields_of(const FirstContactResult& result) {
  py::dict fields;
  fields["status"] = to_string(result.status);
  fields["time"] = result.time;
  fields["lower"] = result.lower;
  fields["upper"] = result.upper;
  const bool holds = result.status == Status::Contact || result.status == Status::OverlapAtStart;
  fields["minimum_distance"] = result.minimum_distance;
  fields["apart_from"] = result.apart_from;
  fields["distance"] = holds ? py::object(py::float_(result.distance)) : py::none();
  fields["contact"] = holds ? py::object(fields_of(result.contact)) : py::none();
  py::list contacts;
  for (const Contact& contact : result.contacts) contacts.append(fields_of(contact));
  fields["contacts"] = contacts;
  fields["pose_a"] = array_of(result.pose_a);
  fields["pose_b"] = array_of(result.pose_b);
  fields["stats"] = fields_of(result.stats);
  fields["weights"] = py::none();
  fields["step"] = result.step;
  fields["inside"] = to_string(result.inside);
  fields["failure"] = result.failure;
  fields["sentence"] = sentence(result, {"a", "b"});
  return fields;
}

namespace {

constexpr int rigid_method_count = 4;
constexpr int at_start_count = 2;
constexpr int inside_count = 3;
constexpr int feature_kind_count = 3;

// Which of the two bodies are solids.
struct Solids {
  bool a = false;
  bool b = false;
};

Solids solids_of(const py::dict& values) {
  const auto [a, b] = values["solid"].cast<std::pair<bool, bool>>();
  return {a, b};
}

template <typename Options>
void set_common(const py::dict& values, Options& options) {
  options.tolerance = values["tolerance"].cast<std::optional<double>>();
  options.relative_tolerance = values["relative_tolerance"].cast<double>();
  options.budget = values["budget"].cast<std::int64_t>();
  options.stop.seconds = values["seconds"].cast<double>();
}

// One question on two bodies; what Python's motions and Ctrl-C raise is raised.
template <typename Result, typename Options, typename Ask>
std::shared_ptr<Result> answer_of(const MotionPointer& motion_a, const MotionPointer& motion_b,
                                  Options options, Ask ask) {
  return answered(
      options.stop.seconds,
      [&](const Stop& stop) {
        options.stop = stop;
        return std::make_shared<Result>(ask(options));
      },
      [&] {
        raise_pending(*motion_a);
        raise_pending(*motion_b);
      });
}

}  // namespace

FirstContactOptions first_contact_options_of(const py::dict& values) {
  FirstContactOptions options;
  set_common(values, options);
  options.minimum_distance = values["minimum_distance"].cast<double>();
  options.all_contacts = values["all_contacts"].cast<bool>();
  options.method = enum_of<RigidMethod>(values["method"], rigid_method_count, "method");
  for (int i = 0; i < at_start_count; ++i) {
    if (values["at_start"].cast<std::string>() == to_string(static_cast<AtStart>(i)))
      options.at_start = static_cast<AtStart>(i);
  }
  return options;
}

ClosestApproachOptions closest_approach_options_of(const py::dict& values) {
  ClosestApproachOptions options;
  set_common(values, options);
  return options;
}

namespace {

std::shared_ptr<FirstContactResult> ask_first_contact(const AnyShape& shape_a, const MotionPointer& motion_a,
                                                      const AnyShape& shape_b, const MotionPointer& motion_b,
                                                      const py::dict& values) {
  const FirstContactOptions options = first_contact_options_of(values);
  const Solids solids = solids_of(values);
  return answer_of<FirstContactResult>(motion_a, motion_b, options, [&](const auto& stoppable) {
    return first_contact(body_of(shape_a, motion_a, solids.a), body_of(shape_b, motion_b, solids.b),
                         stoppable);
  });
}

std::shared_ptr<FirstContactResult> ask_shape_cast(const AnyShape& cast, const Matrix4Array& pose,
                                                   const Triple& way, const AnyShape& target,
                                                   const Matrix4Array& target_pose, const py::dict& values) {
  FirstContactOptions options = first_contact_options_of(values);
  const Pose place = pose_of(pose);
  const Pose target_place = pose_of(target_pose);
  return answered(options.stop.seconds, [&](const Stop& stop) {
    options.stop = stop;
    return std::make_shared<FirstContactResult>(
        shape_cast(placed(cast, place), vector_of(way), placed(target, target_place), options));
  });
}

std::shared_ptr<ClosestApproachResult> ask_closest_approach(const AnyShape& shape_a,
                                                            const MotionPointer& motion_a,
                                                            const AnyShape& shape_b,
                                                            const MotionPointer& motion_b,
                                                            const py::dict& values) {
  const ClosestApproachOptions options = closest_approach_options_of(values);
  const Solids solids = solids_of(values);
  return answer_of<ClosestApproachResult>(motion_a, motion_b, options, [&](const auto& stoppable) {
    return closest_approach(body_of(shape_a, motion_a, solids.a), body_of(shape_b, motion_b, solids.b),
                            stoppable);
  });
}

py::dict closest_fields(const ClosestApproachResult& result) {
  py::dict fields;
  fields["status"] = to_string(result.status);
  fields["inside"] = to_string(result.inside);
  fields["time"] = result.time;
  fields["distance"] = result.distance;
  fields["lower_distance"] = result.lower_distance;
  // A mesh without triangles has no closest pair.
  fields["contact"] = result.contact.feature_a.part >= 0 ? py::object(fields_of(result.contact)) : py::none();
  fields["pose_a"] = array_of(result.pose_a);
  fields["pose_b"] = array_of(result.pose_b);
  fields["stats"] = fields_of(result.stats);
  fields["failure"] = result.failure;
  fields["sentence"] = sentence(result, {"a", "b"});
  return fields;
}

std::shared_ptr<ContactIntervalsResult> ask_contact_intervals(const AnyShape& shape_a,
                                                              const MotionPointer& motion_a,
                                                              const AnyShape& shape_b,
                                                              const MotionPointer& motion_b,
                                                              const py::dict& values) {
  ContactIntervalsOptions options;
  set_common(values, options);
  options.time_resolution = values["time_resolution"].cast<double>();
  const Solids solids = solids_of(values);
  return answer_of<ContactIntervalsResult>(motion_a, motion_b, options, [&](const auto& stoppable) {
    return contact_intervals(body_of(shape_a, motion_a, solids.a), body_of(shape_b, motion_b, solids.b),
                             stoppable);
  });
}

py::dict interval_fields(const ContactIntervalsResult& result) {
  py::list intervals;
  for (const ContactInterval& interval : result.intervals) {
    intervals.append(
        py::make_tuple(interval.begin_lower, interval.begin_upper, interval.end_lower, interval.end_upper));
  }
  py::dict fields;
  fields["status"] = to_string(result.status);
  fields["intervals"] = intervals;
  fields["proven_until"] = result.proven_until;
  fields["stats"] = fields_of(result.stats);
  fields["failure"] = result.failure;
  fields["sentence"] = sentence(result);
  return fields;
}

// The defaults of the options, which the package's functions take theirs from.
template <typename Options>
py::dict common_defaults() {
  const Options options;
  py::dict fields;
  fields["tolerance"] = options.tolerance;
  fields["relative_tolerance"] = options.relative_tolerance;
  fields["budget"] = options.budget;
  fields["seconds"] = options.stop.seconds;
  return fields;
}

py::dict first_contact_defaults() {
  const FirstContactOptions options;
  py::dict fields = common_defaults<FirstContactOptions>();
  fields["minimum_distance"] = options.minimum_distance;
  fields["all_contacts"] = options.all_contacts;
  fields["method"] = to_string(options.method);
  fields["at_start"] = to_string(options.at_start);
  fields["threads"] = options.threads;
  fields["solid"] = Body{TriangleMesh{}}.solid;
  return fields;
}

py::dict contact_intervals_defaults() {
  py::dict fields = common_defaults<ContactIntervalsOptions>();
  fields["time_resolution"] = ContactIntervalsOptions{}.time_resolution;
  return fields;
}

}  // namespace

void bind_rigid(py::module_& module) {
  py::class_<FirstContactResult, std::shared_ptr<FirstContactResult>>(module, "FirstContactResult")
      .def("fields", py::overload_cast<const FirstContactResult&>(&fields_of));
  py::class_<ClosestApproachResult, std::shared_ptr<ClosestApproachResult>>(module, "ClosestApproachResult")
      .def("fields", &closest_fields);
  py::class_<ContactIntervalsResult, std::shared_ptr<ContactIntervalsResult>>(module,
                                                                              "ContactIntervalsResult")
      .def("fields", &interval_fields);
  module.attr("inside_names") = names_of<Inside>(inside_count);
  module.attr("feature_kinds") = names_of<FeatureKind>(feature_kind_count);
  module.attr("rigid_methods") = names_of<RigidMethod>(rigid_method_count);
  module.attr("at_start_choices") = py::make_tuple(to_string(AtStart::Report), to_string(AtStart::Skip));
  module.attr("first_contact_defaults") = first_contact_defaults();
  module.attr("closest_approach_defaults") = common_defaults<ClosestApproachOptions>();
  module.attr("contact_intervals_defaults") = contact_intervals_defaults();
  module.def("first_contact", &ask_first_contact);
  module.def("shape_cast", &ask_shape_cast);
  module.def("closest_approach", &ask_closest_approach);
  module.def("contact_intervals", &ask_contact_intervals);
}

}  // namespace toccata::python
