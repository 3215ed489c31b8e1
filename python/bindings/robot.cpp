// Robots on their paths. Without the component of robots the module says so when it is asked.
#include <pybind11/stl.h>

#include <algorithm>

#include "arrays.hpp"
#include "bindings.hpp"
#ifdef TOCCATA_WITH_URDF
#include "interrupt.hpp"
#include "shape.hpp"
#include "toccata/ccd/articulated/certify_path.hpp"
#include "toccata/ccd/articulated/path_clearance.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"
#include "toccata/ccd/articulated/path_intervals.hpp"
#include "toccata/ccd/articulated/robot_pairs.hpp"
#include "toccata/geometry/content_hash.hpp"
#include "toccata/io/certificate_json.hpp"
#include "toccata/io/mesh_io.hpp"
#include "toccata/io/robot_io.hpp"
#include "toccata/io/scene_io.hpp"
#include "toccata/io/sentence.hpp"
#include "toccata/motion/joined_path.hpp"
#include "toccata/proximity/robot_proxies.hpp"
#include "toccata/proximity/verify_certificate.hpp"
#endif

namespace toccata::python {
#ifdef TOCCATA_WITH_URDF
namespace {

template <typename Value>
Value expected(Expected<Value> value) {
  if (!value) throw py::value_error(value.error().message);
  return std::move(*value);
}

struct RobotModel {
  ArticulatedBody body;
  RobotOptions options;
  LoadRobotOptions loading;
};

std::shared_ptr<RobotModel> make_robot(const std::string& urdf, const std::string& srdf,
                                       const std::vector<std::string>& package_path,
                                       const py::dict& options) {
  auto model = std::make_shared<RobotModel>();
  model->loading.package_path = package_path;
  model->options.adjacent_allowed = options["adjacent_allowed"].cast<bool>();
  model->options.self_contact = options["self_contact"].cast<bool>();
  model->options.padding = options["padding"].cast<double>();
  for (const auto& [name, distance] : options["paddings"].cast<std::vector<std::pair<std::string, double>>>())
    model->options.paddings.push_back({name, distance});
  for (const auto& [a, b, distance] :
       options["pair_paddings"].cast<std::vector<std::tuple<std::string, std::string, double>>>())
    model->options.pair_paddings.push_back({a, b, distance});
  for (const auto& [a, b] : options["allowed"].cast<std::vector<std::pair<std::string, std::string>>>())
    model->options.allowed.push_back({a, b});
  model->body = expected(load_urdf(urdf, model->loading));
  if (!srdf.empty()) {
    const RobotSemantics semantics = expected(load_srdf(srdf, model->body));
    model->options.allowed.insert(model->options.allowed.end(), semantics.allowed.begin(),
                                  semantics.allowed.end());
  }
  return model;
}

// The same robot with spheres in place of its meshes, and what stands for each link.
py::tuple make_proxies(const RobotModel& model, double error, int threads) {
  auto swapped = std::make_shared<RobotModel>(model);
  RobotProxies proxies;
  {
    const py::gil_scoped_release release;
    proxies = expected(robot_proxies(model.body, {.error = error, .threads = threads}));
  }
  py::list links;
  for (const LinkProxy& link : proxies.links) {
    std::vector<std::array<double, 4>> spheres;
    for (const Link& made : proxies.robot.links) {
      if (made.name != link.link) continue;
      for (const CompoundPart& part : made.shapes) {
        const auto* balls = std::get_if<MedialMesh>(&part.geometry);
        if (balls == nullptr) continue;
        for (std::size_t i = 0; i < balls->centers.size(); ++i) {
          const Vector3 center = part.pose.apply(balls->centers[i]);
          spheres.push_back({center.x(), center.y(), center.z(), balls->radii[i]});
        }
      }
    }
    py::dict fields;
    fields["link"] = link.link;
    fields["spheres"] = array_of(std::move(spheres));
    fields["error"] = link.error;
    fields["of_hull"] = link.of_hull;
    links.append(fields);
  }
  swapped->body = std::move(proxies.robot);
  return py::make_tuple(swapped, links);
}

using PlacedThing = std::tuple<std::string, std::shared_ptr<AnyShape>, std::vector<double>>;

// Twelve numbers: the rows of the rotation, and the translation.
Pose pose_of_rows(const std::vector<double>& rows) {
  Pose pose;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) pose.rotation(i, k) = rows[static_cast<std::size_t>(3 * i + k)];
    pose.translation[i] = rows[static_cast<std::size_t>(9 + i)];
  }
  return pose;
}

std::shared_ptr<RobotInScene> in_scene(const RobotModel& model, const ObstacleScene& scene) {
  return std::make_shared<RobotInScene>(expected(RobotInScene::build(model.body, scene, model.options)));
}

std::shared_ptr<RobotInScene> in_scene_file(const RobotModel& model, const std::string& path) {
  return in_scene(model, expected(load_scene(path, model.loading)));
}

std::shared_ptr<RobotInScene> among(const RobotModel& model, const std::vector<PlacedThing>& things) {
  ObstacleScene scene;
  for (const auto& [name, shape, rows] : things)
    scene.obstacles.push_back({name, shape->shape().geometry(), pose_of_rows(rows)});
  return in_scene(model, scene);
}

// Beside what the scene has them hold.
std::shared_ptr<RobotInScene> holding(const RobotInScene& robot, const py::list& things) {
  std::vector<AttachedObject> objects = robot.scene().attached;
  for (const py::handle& thing : things) {
    const auto fields = thing.cast<py::tuple>();
    AttachedObject object{fields[0].cast<std::string>(), fields[1].cast<std::string>(), {}, {}};
    object.shapes.push_back({fields[2].cast<std::shared_ptr<AnyShape>>()->shape().geometry(),
                             pose_of_rows(fields[3].cast<std::vector<double>>())});
    object.touch_links = fields[4].cast<std::vector<std::string>>();
    objects.push_back(std::move(object));
  }
  return std::make_shared<RobotInScene>(expected(robot.holding(objects)));
}

// (name, robot, pose as rows) each.
// Of several robots links have other names, obstacles have not.
void add_paddings(const std::string& robot, const RobotModel& model, RobotOptions& joined) {
  const auto name_of = [&](const std::string& name) {
    const bool is_link = std::any_of(model.body.links.begin(), model.body.links.end(),
                                     [&](const Link& link) { return link.name == name; });
    return is_link ? robot + '/' + name : name;
  };
  for (const Padding& padding : model.options.paddings)
    joined.paddings.push_back({name_of(padding.name), padding.distance});
  for (const PairPadding& padding : model.options.pair_paddings)
    joined.pair_paddings.push_back({name_of(padding.a), name_of(padding.b), padding.distance});
}

std::shared_ptr<RobotModel> together(const py::list& robots) {
  auto joined = std::make_shared<RobotModel>();
  std::vector<PlacedRobot> placed;
  for (const py::handle& entry : robots) {
    const auto fields = entry.cast<py::tuple>();
    const auto model = fields[1].cast<std::shared_ptr<RobotModel>>();
    placed.push_back(
        {fields[0].cast<std::string>(), model->body, pose_of_rows(fields[2].cast<std::vector<double>>())});
    for (AllowedPair& pair : joined_names(placed.back().name, model->options.allowed))
      joined->options.allowed.push_back(std::move(pair));
    joined->options.adjacent_allowed = joined->options.adjacent_allowed && model->options.adjacent_allowed;
    joined->options.padding = std::max(joined->options.padding, model->options.padding);
    add_paddings(placed.back().name, *model, joined->options);
  }
  joined->body = expected(joined_robots(placed));
  return joined;
}

std::vector<std::vector<double>> rows_of(const py::object& value, const std::string& name,
                                         const Kinematics& robot) {
  const std::size_t width = robot.variables().size();
  const Numbers numbers =
      numbers_of(value, name, "an (n, " + std::to_string(width) + ") array of joint values");
  if (numbers.shape.size() != 2 || numbers.shape[1] != width)
    throw py::value_error(name + " must be an (n, " + std::to_string(width) +
                          ") array of joint values; it has shape " + shape_of(numbers.array));
  check_finite(numbers.data, numbers.shape[0], width, name);
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < numbers.shape[0]; ++i)
    rows.emplace_back(numbers.data + i * width, numbers.data + (i + 1) * width);
  return rows;
}

// Way-points and what may come with them.
struct PathArguments {
  py::object points;
  std::vector<double> times;
  py::object velocities, accelerations;  // or None
  bool shorter = true;
};

PathArguments path_arguments(const py::dict& values) {
  return {values["path"], values["times"].cast<std::vector<double>>(), values["velocities"],
          values["accelerations"], values["shorter"].cast<bool>()};
}

std::vector<std::vector<double>> derivative_rows(const py::object& value, const std::string& name,
                                                 const Kinematics& robot, std::size_t way_points) {
  if (value.is_none()) return {};
  std::vector<std::vector<double>> rows = rows_of(value, name, robot);
  if (rows.size() != way_points)
    throw py::value_error(name + " has " + std::to_string(rows.size()) + " rows, but path has " +
                          std::to_string(way_points) + " way-points");
  return rows;
}

JointPath path_of(const Kinematics& robot, const PathArguments& arguments) {
  const std::vector<double>& times = arguments.times;
  std::vector<std::vector<double>> rows = rows_of(arguments.points, "path", robot);
  if (!times.empty() && times.size() != rows.size())
    throw py::value_error("times holds " + std::to_string(times.size()) + " numbers, but path has " +
                          std::to_string(rows.size()) + " way-points");
  const auto velocities = derivative_rows(arguments.velocities, "velocities", robot, rows.size());
  const auto accelerations = derivative_rows(arguments.accelerations, "accelerations", robot, rows.size());
  if (arguments.shorter) robot.take_shorter_way(rows);
  std::vector<JointWayPoint> way_points;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    way_points.push_back({times.empty() ? 0.0 : times[i], std::move(rows[i]), {}, {}});
    if (!velocities.empty()) way_points.back().velocities = velocities[i];
    if (!accelerations.empty()) way_points.back().accelerations = accelerations[i];
  }
  return expected(JointPath::build(way_points));
}

// One path, or under "parts" one for each of several robots: (name, robot, path).
JointPath path_of(const RobotInScene& robot, const py::dict& way) {
  if (!way.contains("parts")) return path_of(robot.kinematics(), path_arguments(way));
  std::vector<PlacedRobot> robots;
  std::vector<JointPath> paths;
  for (const py::handle& entry : way["parts"].cast<py::list>()) {
    const auto fields = entry.cast<py::tuple>();
    const auto model = fields[1].cast<std::shared_ptr<RobotModel>>();
    robots.push_back({fields[0].cast<std::string>(), model->body, {}});
    try {
      paths.push_back(
          path_of(expected(Kinematics::build(model->body)), path_arguments(fields[2].cast<py::dict>())));
    } catch (const py::value_error& error) {
      throw py::value_error("of robot '" + robots.back().name + "': " + error.what());
    }
  }
  return expected(joined_path(robots, paths));
}

PathContactOptions contact_options_of(const py::dict& values) {
  PathContactOptions options;
  options.any_contact = values["any_contact"].cast<bool>();
  if (values["method"].cast<std::string>() == "interval") options.method = PathMethod::Interval;
  options.minimum_distance = values["minimum_distance"].cast<double>();
  if (!values["tolerance"].is_none()) options.tolerance = values["tolerance"].cast<double>();
  options.threads = values["threads"].cast<int>();
  return options;
}

py::list numbers_in(const Vector3& v) {
  py::list list;
  for (int i = 0; i < 3; ++i) list.append(v[i]);
  return list;
}

template <typename Result>
py::dict common_fields(const Result& found) {
  py::dict fields;
  fields["status"] = std::string(to_string(found.status));
  fields["time"] = found.time;
  fields["link_a"] = found.link_a;
  fields["link_b"] = found.link_b;
  fields["with_scene"] = found.with_scene;
  fields["distance"] = found.distance;
  fields["point_a"] = numbers_in(found.contact.point_a);
  fields["point_b"] = numbers_in(found.contact.point_b);
  fields["normal"] = numbers_in(found.contact.normal);
  fields["microseconds"] = found.microseconds;
  fields["sentence"] = sentence(found);
  return fields;
}

py::dict ask_contact(const RobotInScene& robot, const py::dict& way, const py::dict& values, double seconds) {
  const JointPath path = path_of(robot, way);
  PathContactOptions options = contact_options_of(values);
  const PathContactResult found = answered(seconds, [&](const Stop& stop) {
    options.stop = stop;
    return path_contact(robot, path, options);
  });
  if (found.status == Status::Failed) throw py::value_error(found.failure);
  py::dict fields = common_fields(found);
  fields["lower"] = found.lower;
  fields["inside"] = std::string(to_string(found.inside));
  return fields;
}

py::array_t<double> bands_table(const std::vector<ClearanceBand>& bands) {
  py::array_t<double> table({bands.size(), std::size_t{4}});
  double* out = table.mutable_data();
  for (const ClearanceBand& band : bands) {
    for (const double value : {band.begin, band.end, band.lower, band.upper}) *out++ = value;
  }
  return table;
}

py::dict ask_clearance(const RobotInScene& robot, const py::dict& way, const py::dict& values,
                       double seconds) {
  const JointPath path = path_of(robot, way);
  PathClearanceOptions options;
  if (!values["tolerance"].is_none()) options.tolerance = values["tolerance"].cast<double>();
  options.bands = values["bands"].cast<int>();
  options.pairs = values["pairs"].cast<bool>();
  options.pair_limit = values["pair_limit"].cast<double>();
  const PathClearanceResult found = answered(seconds, [&](const Stop& stop) {
    options.stop = stop;
    return path_clearance(robot, path, options);
  });
  if (found.status == Status::Failed) throw py::value_error(found.failure);
  py::dict fields = common_fields(found);
  fields["lower_distance"] = found.lower_distance;
  fields["bands"] = bands_table(found.bands);
  py::list pairs;
  for (const PairClearance& pair : found.pairs) {
    py::dict each;
    each["link_a"] = pair.link_a;
    each["link_b"] = pair.link_b;
    each["with_scene"] = pair.with_scene;
    each["time"] = pair.time;
    each["distance"] = pair.distance;
    each["lower_distance"] = pair.lower_distance;
    each["bands"] = bands_table(pair.bands);
    pairs.append(each);
  }
  fields["pairs"] = pairs;
  return fields;
}

py::array_t<double> intervals_table(const std::vector<ContactInterval>& intervals) {
  py::array_t<double> table({intervals.size(), std::size_t{4}});
  double* out = table.mutable_data();
  for (const ContactInterval& i : intervals) {
    for (const double value : {i.begin_lower, i.begin_upper, i.end_lower, i.end_upper}) *out++ = value;
  }
  return table;
}

py::dict ask_intervals(const RobotInScene& robot, const py::dict& way, const py::object& tolerance,
                       double seconds) {
  const JointPath path = path_of(robot, way);
  PathIntervalsOptions options;
  if (!tolerance.is_none()) options.tolerance = tolerance.cast<double>();
  const PathIntervalsResult found = answered(seconds, [&](const Stop& stop) {
    options.stop = stop;
    return path_intervals(robot, path, options);
  });
  if (found.status == Status::Failed) throw py::value_error(found.failure);
  py::list pairs;
  for (const PairIntervals& pair : found.pairs) {
    py::dict each;
    each["link_a"] = pair.link_a;
    each["link_b"] = pair.link_b;
    each["with_scene"] = pair.with_scene;
    each["intervals"] = intervals_table(pair.intervals);
    pairs.append(each);
  }
  py::dict fields;
  fields["status"] = std::string(to_string(found.status));
  fields["intervals"] = intervals_table(found.intervals);
  fields["pairs"] = pairs;
  fields["proven_until"] = found.proven_until;
  fields["microseconds"] = found.microseconds;
  fields["sentence"] = sentence(found);
  return fields;
}

// The text of the certificate, or None and what kept it from being made.
py::tuple ask_certificate(const RobotInScene& robot, const py::dict& way, double minimum_distance,
                          double share, double seconds) {
  const JointPath path = path_of(robot, way);
  CertifyPathOptions options;
  options.minimum_distance = minimum_distance;
  options.share = share;
  const CertifiedPath found = answered(seconds, [&](const Stop& stop) {
    options.stop = stop;
    return certify_path(robot, path, options);
  });
  if (found.contact.status == Status::Failed) throw py::value_error(found.contact.failure);
  if (found.contact.status != Status::Separated) return py::make_tuple(py::none(), sentence(found.contact));
  return py::make_tuple(to_json(found.certificate), "");
}

py::dict ask_verify(const RobotModel& model, const RobotInScene& robot, const py::dict& way,
                    const std::string& text, double minimum_distance, double seconds) {
  const JointPath path = path_of(robot, way);
  const PathCertificate certificate = expected(certificate_from_json(text));
  VerifyCertificateOptions options;
  options.allowed = model.options.allowed;
  options.adjacent_allowed = model.options.adjacent_allowed;
  options.self_contact = model.options.self_contact;
  options.minimum_distance = minimum_distance;
  const CertificateCheck found = answered(seconds, [&](const Stop& stop) {
    options.stop = stop;
    return verify_certificate(robot.robot(), robot.scene(), path, certificate, options);
  });
  py::dict fields;
  fields["valid"] = found.valid;
  fields["reason"] = found.reason;
  fields["clearance"] = found.clearance;
  fields["pairs"] = found.pairs;
  fields["spans"] = found.spans;
  fields["microseconds"] = found.microseconds;
  return fields;
}

py::list ask_pairs(const RobotModel& model, std::int64_t budget, double seconds) {
  RobotPairsOptions options;
  options.budget = budget;
  const RobotPairsResult found = answered(seconds, [&](const Stop& stop) {
    options.stop = stop;
    return robot_pairs(model.body, options);
  });
  if (!found.failure.empty()) throw py::value_error(found.failure);
  py::list list;
  for (const LinkPair& pair : found.pairs) {
    py::dict fields;
    fields["a"] = pair.a;
    fields["b"] = pair.b;
    fields["kind"] = std::string(to_string(pair.kind));
    fields["variables"] = pair.variables;
    fields["clearance"] = pair.clearance;
    fields["apart"] = pair.apart;
    fields["touching"] = pair.touching;
    fields["cells"] = pair.cells;
    list.append(fields);
  }
  return list;
}

py::dict ask_edges(const RobotInScene& robot, const py::object& starts, const py::object& ends, bool shorter,
                   const py::dict& values, double seconds) {
  std::vector<std::vector<double>> from = rows_of(starts, "starts", robot.kinematics()),
                                   to = rows_of(ends, "ends", robot.kinematics());
  if (from.size() != to.size())
    throw py::value_error("starts has " + std::to_string(from.size()) + " rows, but ends has " +
                          std::to_string(to.size()));
  std::vector<JointEdge> edges;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::vector<std::vector<double>> both = {std::move(from[i]), std::move(to[i])};
    if (shorter) robot.kinematics().take_shorter_way(both);
    edges.push_back({std::move(both[0]), std::move(both[1])});
  }
  PathContactOptions options = contact_options_of(values);
  const std::vector<PathContactResult> found = answered(seconds, [&](const Stop& stop) {
    options.stop = stop;
    return edge_contacts(robot, edges, options);
  });
  const auto count = static_cast<py::ssize_t>(found.size());
  py::array_t<std::int8_t> status(count);
  py::array_t<double> time(count), microseconds(count);
  py::list link_a, link_b;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].status == Status::Failed) throw py::value_error(found[i].failure);
    status.mutable_data()[i] = static_cast<std::int8_t>(found[i].status);
    time.mutable_data()[i] = found[i].time;
    microseconds.mutable_data()[i] = found[i].microseconds;
    link_a.append(found[i].link_a);
    link_b.append(found[i].link_b);
  }
  py::dict fields;
  fields["status"] = status;
  fields["time"] = time;
  fields["link_a"] = link_a;
  fields["link_b"] = link_b;
  fields["microseconds"] = microseconds;
  return fields;
}

// (links, 4, 4), in the frame of the root.
py::array_t<double> link_poses(const RobotModel& model, const std::vector<double>& values) {
  const Kinematics kinematics = expected(Kinematics::build(model.body));
  if (values.size() != kinematics.variables().size())
    throw py::value_error("values must hold " + std::to_string(kinematics.variables().size()) +
                          " numbers, not " + std::to_string(values.size()));
  const std::vector<Pose> poses = kinematics.link_poses(values);
  py::array_t<double> result({poses.size(), std::size_t{4}, std::size_t{4}});
  double* out = result.mutable_data();
  for (const Pose& pose : poses) {
    Eigen::Matrix<double, 4, 4, Eigen::RowMajor> matrix = Eigen::Matrix4d::Identity();
    matrix.topLeftCorner<3, 3>() = pose.rotation;
    matrix.topRightCorner<3, 1>() = pose.translation;
    out = std::copy(matrix.data(), matrix.data() + 16, out);
  }
  return result;
}

py::list variables_in(const RobotModel& model) {
  py::list list;
  for (const JointVariable& variable : variables_of(model.body)) {
    const py::object lower = variable.limits ? py::object(py::float_(variable.limits->lower)) : py::none();
    const py::object upper = variable.limits ? py::object(py::float_(variable.limits->upper)) : py::none();
    list.append(py::make_tuple(variable.name, lower, upper));
  }
  return list;
}

std::vector<std::string> links_in(const RobotModel& model) {
  std::vector<std::string> names;
  for (const Link& link : model.body.links) names.push_back(link.name);
  return names;
}

}  // namespace

void bind_robot(py::module_& module) {
  module.attr("has_robots") = true;
  py::class_<RobotModel, std::shared_ptr<RobotModel>>(module, "RobotModel")
      .def(py::init(&make_robot))
      .def_static("together", &together)
      .def("variables", &variables_in)
      .def("links", &links_in)
      .def("proxies", &make_proxies)
      .def("link_poses", &link_poses)
      .def("in_scene_file", &in_scene_file)
      .def("among", &among)
      .def("verify", &ask_verify)
      .def("pairs", &ask_pairs)
      .def_property_readonly("name", [](const RobotModel& model) { return model.body.name; });
  py::class_<RobotInScene, std::shared_ptr<RobotInScene>>(module, "RobotInScene")
      .def("contact", &ask_contact)
      .def("clearance", &ask_clearance)
      .def("intervals", &ask_intervals)
      .def("holding", &holding)
      .def("certify", &ask_certificate)
      .def("edges", &ask_edges)
      .def_property_readonly(
          "content_hash",
          [](const RobotInScene& robot) { return content_hash(robot.robot()) + content_hash(robot.scene()); })
      .def_property_readonly("pair_count", &RobotInScene::pair_count);
}
#else
void bind_robot(py::module_& module) {
  module.attr("has_robots") = false;
}
#endif

}  // namespace toccata::python
