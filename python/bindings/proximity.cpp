// Two bodies at rest: distance, intersection, depth, containment; one pair, and many.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "batch.hpp"
#include "enum_names.hpp"
#include "rigid.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/penetration.hpp"
#include "toccata/proximity/separation_columns.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata::python {
namespace {

constexpr int containment_count = 5;
constexpr int convex_method_count = 3;

// One shape for all rows, or one per row.
using Shapes = std::vector<std::shared_ptr<AnyShape>>;

// Shapes at one pose, or at one per row: (m, 4, 4) as the package has checked it, m = 1 for all rows.
class PlacedRows {
 public:
  PlacedRows(Shapes shapes, const Matrix4Array& poses) : shapes_(std::move(shapes)) {
    const auto entry = poses.unchecked<3>();
    for (py::ssize_t k = 0; k < entry.shape(0); ++k) {
      Pose pose;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) pose.rotation(i, j) = entry(k, i, j);
        pose.translation[i] = entry(k, i, 3);
      }
      poses_.push_back(pose);
    }
  }
  // To be called without the GIL.
  PlacedShape at(std::size_t i) const {
    return placed(*shapes_[shapes_.size() == 1 ? 0 : i], poses_[poses_.size() == 1 ? 0 : i]);
  }
  const Shape& shape(std::size_t i) const { return shapes_[shapes_.size() == 1 ? 0 : i]->shape(); }
  bool has_one_shape() const { return shapes_.size() == 1; }

 private:
  Shapes shapes_;
  std::vector<Pose> poses_;
};

DistanceOptions distance_options_of(const py::dict& values) {
  DistanceOptions options;
  options.relative_error = values["relative_error"].cast<double>();
  options.absolute_error = values["absolute_error"].cast<double>();
  options.limit = values["limit"].cast<double>();
  options.stop.seconds = values["seconds"].cast<double>();
  options.method = enum_of<ConvexMethod>(values["method"], convex_method_count, "method");
  return options;
}

std::shared_ptr<DistanceResult> ask_distance(const AnyShape& shape_a, const Matrix4Array& pose_a,
                                             const AnyShape& shape_b, const Matrix4Array& pose_b,
                                             const py::dict& values) {
  DistanceOptions options = distance_options_of(values);
  const Pose place_a = pose_of(pose_a);
  const Pose place_b = pose_of(pose_b);
  return answered(options.stop.seconds, [&](const Stop& stop) {
    options.stop = stop;
    return std::make_shared<DistanceResult>(
        distance(placed(shape_a, place_a), placed(shape_b, place_b), options));
  });
}

// Rows in portions, each of which the library answers together: kinds with closed forms and hulls in lanes.
// Few rows are shared out one by one, since some take a hundred times longer than others.
template <typename Result, typename Options, typename AskMany, typename Unanswered>
std::vector<Result> answered_in_portions(const PlacedRows& a, const PlacedRows& b, std::size_t count,
                                         int threads, const Options& options, const Stop& stop,
                                         AskMany&& ask_many, Unanswered&& unanswered) {
  constexpr std::size_t most_rows = 64, portions_of_thread = 8;
  const std::size_t portions = static_cast<std::size_t>(usable_threads(threads)) * portions_of_thread;
  const std::size_t rows = std::clamp<std::size_t>(count / portions, 1, most_rows);
  std::vector<Result> results(count);
  for_each_row((count + rows - 1) / rows, threads, stop,
               [&](std::size_t portion, const Stop& rest) {
                 const std::size_t first = portion * rows, end = std::min(first + rows, count);
                 std::vector<PlacedPair> pairs;
                 pairs.reserve(end - first);
                 for (std::size_t i = first; i < end; ++i) pairs.push_back({a.at(i), b.at(i)});
                 Options own = options;
                 own.stop = rest;
                 own.threads = 1;
                 const std::vector<Result> found = ask_many(pairs, own);
                 std::copy(found.begin(), found.end(), results.begin() + static_cast<std::ptrdiff_t>(first));
               },
               [&](std::size_t portion) {
                 for (std::size_t i = portion * rows; i < std::min((portion + 1) * rows, count); ++i)
                   unanswered(results[i]);
               });
  return results;
}

using DistanceBatch = Batch<DistanceResult>;

DistanceBatch ask_distances(const Shapes& shape_a, const Matrix4Array& poses_a, const Shapes& shape_b,
                            const Matrix4Array& poses_b, std::size_t count, const py::dict& values,
                            int threads) {
  const DistanceOptions options = distance_options_of(values);
  const PlacedRows a(shape_a, poses_a), b(shape_b, poses_b);
  const auto ask = [&](const Stop& stop) {
    return answered_in_portions<DistanceResult>(
        a, b, count, threads, options, stop,
        [](std::span<const PlacedPair> pairs, const DistanceOptions& own) { return distances(pairs, own); },
        [](DistanceResult& result) { result.stopped = true; });
  };
  return DistanceBatch(answer_until_interrupted(options.stop.seconds, true, ask, [] {}));
}

py::dict distance_columns(const DistanceBatch& batch) {
  using Row = DistanceResult;
  Columns columns(batch);
  columns.add("distance", &Row::distance).add("lower_distance", &Row::lower_distance);
  columns.add("stopped", &Row::stopped);
  return columns.add_contact(&Row::contact).fields();
}

py::dict distance_fields(const DistanceResult& result) {
  py::dict fields;
  fields["distance"] = result.distance;
  fields["lower_distance"] = result.lower_distance;
  fields["contact"] = std::isfinite(result.distance) ? py::object(fields_of(result.contact)) : py::none();
  fields["stopped"] = result.stopped;
  fields["stats"] = fields_of(result.stats);
  fields["sentence"] = sentence(result);
  return fields;
}

py::dict ask_within(const AnyShape& shape_a, const Matrix4Array& pose_a, const AnyShape& shape_b,
                    const Matrix4Array& pose_b, double d, double seconds) {
  const Pose place_a = pose_of(pose_a);
  const Pose place_b = pose_of(pose_b);
  const WithinResult result = answered(seconds, [&](const Stop& stop) {
    return within(placed(shape_a, place_a), placed(shape_b, place_b), d, stop);
  });
  py::dict fields;
  fields["within"] = result.within;
  fields["stopped"] = result.stopped;
  fields["contact"] = result.within && !result.stopped ? py::object(fields_of(result.contact)) : py::none();
  fields["stats"] = fields_of(result.stats);
  fields["sentence"] = sentence(result, d);
  return fields;
}

// Whether they meet, and the pairs of pieces found.
py::tuple ask_intersects(const AnyShape& shape_a, const Matrix4Array& pose_a, const AnyShape& shape_b,
                         const Matrix4Array& pose_b, bool all_pairs) {
  const Pose place_a = pose_of(pose_a);
  const Pose place_b = pose_of(pose_b);
  const IntersectsResult result = answered(0.0, [&](const Stop& stop) {
    return intersects(placed(shape_a, place_a), placed(shape_b, place_b), {all_pairs, stop});
  });
  std::vector<std::array<std::int32_t, 2>> pairs;
  for (const TrianglePair& pair : result.pairs) pairs.push_back({pair.a, pair.b});
  return py::make_tuple(result.intersects, array_of(std::move(pairs)));
}

py::dict deepest_fields(const DeepestPoint& deepest) {
  py::dict fields;
  fields["lower"] = deepest.lower;
  fields["upper"] = deepest.upper;
  fields["point"] = array_of(deepest.point);
  fields["nearest"] = array_of(deepest.nearest);
  fields["direction"] = array_of(deepest.direction);
  fields["triangle"] = deepest.lower > 0.0 ? deepest.feature.part : -1;
  fields["nearest_triangle"] = deepest.lower > 0.0 ? deepest.nearest_feature.part : -1;
  return fields;
}

py::dict penetration_fields(const PenetrationResult& result) {
  py::dict fields;
  fields["status"] = to_string(result.status);
  fields["lower_depth"] = result.lower_depth;
  fields["upper_depth"] = result.upper_depth;
  const bool overlap = result.status == Status::OverlapAtStart;
  fields["contact"] = overlap ? py::object(fields_of(result.contact)) : py::none();
  fields["a_in_b"] = deepest_fields(result.a_in_b);
  fields["b_in_a"] = deepest_fields(result.b_in_a);
  fields["stopped"] = result.stopped;
  fields["failure"] = result.failure;
  fields["stats"] = fields_of(result.stats);
  return fields;
}

PenetrationOptions penetration_options(const py::dict& given) {
  PenetrationOptions options;
  options.solid = py::cast<bool>(given["solid"]);
  options.absolute_error = py::cast<double>(given["absolute_error"]);
  options.with_way_out = py::cast<bool>(given["with_way_out"]);
  return options;
}

py::dict ask_penetration(const AnyShape& shape_a, const Matrix4Array& pose_a, const AnyShape& shape_b,
                         const Matrix4Array& pose_b, const py::dict& given) {
  const Pose place_a = pose_of(pose_a);
  const Pose place_b = pose_of(pose_b);
  PenetrationOptions options = penetration_options(given);
  const PenetrationResult result = answered(py::cast<double>(given["seconds"]), [&](const Stop& stop) {
    options.stop = stop;
    return penetration(placed(shape_a, place_a), placed(shape_b, place_b), options);
  });
  return penetration_fields(result);
}

using PenetrationBatch = Batch<PenetrationResult>;

PenetrationBatch ask_penetrations(const Shapes& shape_a, const Matrix4Array& poses_a, const Shapes& shape_b,
                                  const Matrix4Array& poses_b, std::size_t count, const py::dict& given,
                                  int threads) {
  const PlacedRows a(shape_a, poses_a), b(shape_b, poses_b);
  const PenetrationOptions options = penetration_options(given);
  const auto ask = [&](const Stop& stop) {
    return answered_in_portions<PenetrationResult>(
        a, b, count, threads, options, stop,
        [](std::span<const PlacedPair> pairs, const PenetrationOptions& own) {
          return penetrations(pairs, own);
        },
        [](PenetrationResult& result) { result.status = Status::OutOfBudget; });
  };
  return PenetrationBatch(answer_until_interrupted(py::cast<double>(given["seconds"]), true, ask, [] {}));
}

py::dict penetration_columns(const PenetrationBatch& batch) {
  using Row = PenetrationResult;
  Columns columns(batch);
  columns.add("status", &Row::status).add("lower_depth", &Row::lower_depth);
  columns.add("upper_depth", &Row::upper_depth);
  return columns.add_contact(&Row::contact).fields();
}

// Of each row 1 if the shapes are proven apart along its axis.
Batch<std::uint8_t> ask_still_apart(const Shapes& shape_a, const Matrix4Array& poses_a, const Shapes& shape_b,
                                    const Matrix4Array& poses_b, const py::object& axes, double distance,
                                    int threads) {
  const PlacedRows a(shape_a, poses_a), b(shape_b, poses_b);
  const Points given = points_of(axes, "axes");
  const py::gil_scoped_release release;
  const std::size_t count = given.span.size();
  SeparationColumns pairs(count);
  SeparationBox box_a, box_b;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || !a.has_one_shape()) box_a = separation_box(a.shape(i));
    if (i == 0 || !b.has_one_shape()) box_b = separation_box(b.shape(i));
    pairs.set_shapes(i, box_a, box_b);
    pairs.set_poses(i, a.at(i).pose, b.at(i).pose);
    pairs.set_axis(i, given.span[i]);
  }
  std::vector<std::uint8_t> apart(count);
  still_apart(pairs, apart, distance, threads);
  return Batch<std::uint8_t>(std::move(apart));
}

// Of each row whether the surfaces meet: 0 no, 1 yes, 2 not answered.
using IntersectsBatch = Batch<std::uint8_t>;

IntersectsBatch ask_intersections(const Shapes& shape_a, const Matrix4Array& poses_a, const Shapes& shape_b,
                                  const Matrix4Array& poses_b, std::size_t count, double seconds,
                                  int threads) {
  const PlacedRows a(shape_a, poses_a), b(shape_b, poses_b);
  const auto ask = [&](const Stop& stop) {
    std::vector<std::uint8_t> found(count, 2);
    for_each_row(
        count, threads, stop,
        [&](std::size_t i, const Stop& rest) {
          const IntersectsResult result = intersects(a.at(i), b.at(i), {.stop = rest});
          if (!result.stopped) found[i] = result.intersects;
        },
        [](std::size_t) {});
    return found;
  };
  return IntersectsBatch(answer_until_interrupted(seconds, true, ask, [] {}));
}

std::string_view ask_containment(const AnyShape& inner, const Matrix4Array& pose_inner, const AnyShape& outer,
                                 const Matrix4Array& pose_outer) {
  const Pose place_inner = pose_of(pose_inner);
  const Pose place_outer = pose_of(pose_outer);
  const py::gil_scoped_release release;
  return to_string(containment(placed(inner, place_inner), placed(outer, place_outer)));
}

using ContainmentBatch = Batch<std::int32_t>;

ContainmentBatch ask_point_containments(const py::object& points, const AnyShape& outer,
                                        const Matrix4Array& pose, double seconds, int threads) {
  const Points given = points_of(points, "points");
  const Pose place = pose_of(pose);
  const auto ask = [&](const Stop& stop) {
    const PlacedShape shape = placed(outer, place);
    std::vector<std::int32_t> answers(given.span.size(), static_cast<std::int32_t>(Containment::Undefined));
    for_each_row(
        answers.size(), threads, stop,
        [&](std::size_t i, const Stop&) {
          answers[i] = static_cast<std::int32_t>(point_containment(given.span[i], shape));
        },
        [](std::size_t) {});
    return answers;
  };
  return ContainmentBatch(answer_until_interrupted(seconds, true, ask, [] {}));
}

using SignedDistanceBatch = Batch<SignedDistance>;

SignedDistanceBatch ask_signed_distances(const py::object& points, const AnyShape& shape,
                                         const Matrix4Array& pose, double limit, bool with_sign,
                                         double seconds, int threads) {
  const Points given = points_of(points, "points");
  const Pose place = pose_of(pose);
  const auto ask = [&](const Stop& stop) {
    return signed_distances(given.span, placed(shape, place), {limit, with_sign, threads, stop}).points;
  };
  return SignedDistanceBatch(answer_until_interrupted(seconds, true, ask, [] {}));
}

py::dict signed_distance_columns(const SignedDistanceBatch& batch) {
  using Row = SignedDistance;
  Columns columns(batch);
  columns.add("distance", &Row::distance).add("lower", &Row::lower).add("upper", &Row::upper);
  columns.add("point", &Row::point).add("normal", &Row::normal);
  columns.add("triangle", [](const Row& row) -> const std::int32_t& { return row.feature.part; });
  py::dict fields = columns.fields();
  std::vector<std::int32_t> sides;
  for (const Row& row : batch.rows()) sides.push_back(static_cast<std::int32_t>(row.side));
  fields["side"] = array_of(std::move(sides));
  return fields;
}

// The answers of a batch of plain numbers.
template <typename Row>
py::array answers_of(const Batch<Row>& batch) {
  return column(batch.rows(), batch.owner(), [](const Row& row) -> const Row& { return row; });
}

std::shared_ptr<Report> bound_distance_report(const DistanceResult& result, const AnyShape& shape_a,
                                              const Matrix4Array& pose_a, const AnyShape& shape_b,
                                              const Matrix4Array& pose_b,
                                              const std::pair<std::string, std::string>& names,
                                              const std::string& title) {
  const Pose place_a = pose_of(pose_a);
  const Pose place_b = pose_of(pose_b);
  const py::gil_scoped_release release;
  auto report = std::make_shared<Report>(
      distance_report({.name = names.first, .shape = shape_a.shape(), .motion = place_a},
                      {.name = names.second, .shape = shape_b.shape(), .motion = place_b}, result));
  report->title = title;
  return report;
}

py::dict distance_defaults() {
  const DistanceOptions options;
  py::dict fields;
  fields["relative_error"] = options.relative_error;
  fields["absolute_error"] = options.absolute_error;
  fields["limit"] = options.limit;
  fields["seconds"] = options.stop.seconds;
  fields["method"] = to_string(options.method);
  return fields;
}

}  // namespace

void bind_proximity(py::module_& module) {
  py::class_<DistanceResult, std::shared_ptr<DistanceResult>>(module, "DistanceResult")
      .def("fields", &distance_fields);
  py::class_<DistanceBatch>(module, "DistanceBatch")
      .def_property_readonly("interrupted", &DistanceBatch::interrupted)
      .def("columns", &distance_columns)
      .def("row", &DistanceBatch::row);
  py::class_<PenetrationResult, std::shared_ptr<PenetrationResult>>(module, "PenetrationResult")
      .def("fields", &penetration_fields);
  py::class_<PenetrationBatch>(module, "PenetrationBatch")
      .def_property_readonly("interrupted", &PenetrationBatch::interrupted)
      .def("columns", &penetration_columns)
      .def("row", &PenetrationBatch::row);
  py::class_<IntersectsBatch>(module, "IntersectsBatch")
      .def_property_readonly("interrupted", &IntersectsBatch::interrupted)
      .def("answers", &answers_of<std::uint8_t>);
  py::class_<ContainmentBatch>(module, "ContainmentBatch")
      .def_property_readonly("interrupted", &ContainmentBatch::interrupted)
      .def("answers", &answers_of<std::int32_t>);
  py::class_<SignedDistanceBatch>(module, "SignedDistanceBatch")
      .def_property_readonly("interrupted", &SignedDistanceBatch::interrupted)
      .def("columns", &signed_distance_columns);
  module.def("signed_distances", &ask_signed_distances);
  module.def("distance", &ask_distance);
  module.def("distances", &ask_distances);
  module.attr("distance_defaults") = distance_defaults();
  module.def("distance_report", &bound_distance_report);
  module.def("within", &ask_within);
  module.def("intersects", &ask_intersects);
  module.def("penetration", &ask_penetration);
  module.def("penetrations", &ask_penetrations);
  module.def("still_apart", &ask_still_apart);
  module.def("intersections", &ask_intersections);
  module.attr("convex_methods") = names_of<ConvexMethod>(convex_method_count);
  module.attr("containments") = names_of<Containment>(containment_count);
  module.def("containment", &ask_containment);
  module.def("point_containments", &ask_point_containments);
}

}  // namespace toccata::python
