// Reading a report back. Every field is looked at through Field, which knows its path: what is wrong is said
// as "results[3].bodies[1]: expected ..., found ...". Failures travel as an exception inside this file only.
#include <Eigen/Geometry>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/json_array.hpp"
#include "io/json_parse.hpp"
#include "io/json_report_parts.hpp"
#include "toccata/io/report_json.hpp"

namespace toccata {
namespace {

using Json = nlohmann::ordered_json;

struct FieldFailure {
  std::string message;
};

// A value of the text and where it stands.
class Field {
 public:
  Field(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

  const Json& json() const { return json_; }
  const std::string& path() const { return path_; }

  [[noreturn]] void fail(const std::string& expected) const {
    const bool is_short =
        json_.is_primitive() && (!json_.is_string() || json_.get_ref<const std::string&>().size() < 40);
    // Bad bytes of a text must not make the message a second failure.
    throw FieldFailure{path_ + ": expected " + expected + ", found " +
                       (is_short ? json_.dump(-1, ' ', true, Json::error_handler_t::replace)
                                 : "something else (" + std::string(json_.type_name()) + ")")};
  }

  bool has(const char* key) const { return object().contains(key); }

  Field at(const char* key) const {
    const auto found = object().find(key);
    const std::string name = path_.empty() ? std::string(key) : path_ + "." + key;
    if (found == object().end()) throw FieldFailure{name + ": is missing"};
    return {*found, name};
  }

  Field at(std::size_t index) const { return {json_.at(index), path_ + "[" + std::to_string(index) + "]"}; }

  std::size_t size() const {
    if (!json_.is_array()) fail("a list");
    return json_.size();
  }

  double number() const {
    if (!json_.is_number()) fail("a number");
    return json_.get<double>();
  }

  std::uint64_t count() const {
    if (!json_.is_number_unsigned()) fail("a count");
    return json_.get<std::uint64_t>();
  }

  // An integer from 0 up to but not including `end`.
  int index(std::size_t end) const {
    const std::size_t most = std::min<std::size_t>(end, std::numeric_limits<int>::max());
    if (!json_.is_number_unsigned() || json_.get<std::uint64_t>() >= most)
      fail(end == 0 ? "nothing to refer to it" : "an integer from 0 to " + std::to_string(most - 1));
    return json_.get<int>();
  }

  std::string text() const {
    if (!json_.is_string()) fail("a text");
    return json_.get<std::string>();
  }

  bool boolean() const {
    if (!json_.is_boolean()) fail("true or false");
    return json_.get<bool>();
  }

  Vector3 vector() const {
    if (!json_.is_array() || json_.size() != 3) fail("three numbers");
    return {at(std::size_t{0}).number(), at(1).number(), at(2).number()};
  }

  std::vector<double> numbers() const {
    std::vector<double> values;
    for (std::size_t i = 0; i < size(); ++i) values.push_back(at(i).number());
    return values;
  }

  // One of the names that an enumeration has.
  template <typename Enum>
  Enum named(int count) const {
    for (int i = 0; i < count; ++i) {
      if (json_.is_string() && json_.get_ref<const std::string&>() == to_string(static_cast<Enum>(i)))
        return static_cast<Enum>(i);
    }
    std::string names;
    for (int i = 0; i < count; ++i) {
      names += i == 0 ? "" : ", ";
      names += to_string(static_cast<Enum>(i));
    }
    fail("one of " + names);
  }

  template <typename Value, typename Read>
  std::vector<std::pair<std::string, Value>> pairs(Read read) const {
    std::vector<std::pair<std::string, Value>> values;
    for (const auto& [name, value] : object().items())
      values.emplace_back(name, read(Field(value, path_ + "." + name)));
    return values;
  }

 private:
  const Json& object() const {
    if (!json_.is_object()) fail("an object");
    return json_;
  }

  const Json& json_;
  std::string path_;
};

template <typename Read>
auto list_of(const Field& field, Read read) {
  std::vector<decltype(read(field))> values;
  for (std::size_t i = 0; i < field.size(); ++i) values.push_back(read(field.at(i)));
  return values;
}

template <typename T>
T checked(Expected<T> value) {
  if (!value) throw FieldFailure{value.error().message};
  return std::move(*value);
}

std::string text_or_nothing(const Field& field, const char* key) {
  return field.has(key) ? field.at(key).text() : std::string();
}

Pose read_pose(const Field& field) {
  Pose pose;
  const Field rows = field.at("rotation");
  if (!rows.json().is_array() || rows.json().size() != 3) rows.fail("three rows");
  for (std::size_t row = 0; row < 3; ++row)
    pose.rotation.row(static_cast<int>(row)) = rows.at(row).vector().transpose();
  pose.translation = field.at("translation").vector();
  return pose;
}

LinearMotionRecord read_linear(const Field& field) {
  LinearMotionRecord motion;
  motion.from = read_pose(field.at("from"));
  motion.reference = field.at("reference").vector();
  motion.displacement = field.at("displacement").vector();
  // Written by hand, axis and angle say the same.
  motion.angular_velocity = field.has("angular_velocity")
                                ? field.at("angular_velocity").vector()
                                : Vector3(field.at("angle").number() * field.at("axis").vector());
  return motion;
}

ScrewMotionRecord read_screw(const Field& field) {
  ScrewMotionRecord motion;
  motion.from = read_pose(field.at("from"));
  motion.axis = field.at("axis").vector();
  motion.angle = field.at("angle").number();
  if (field.has("velocity")) {
    motion.velocity = field.at("velocity").vector();
  } else {
    const Vector3 arm = motion.from.translation - field.at("point").vector();
    motion.velocity = field.at("advance").number() * motion.axis + motion.angle * motion.axis.cross(arm);
  }
  return motion;
}

MotionSegmentRecord read_segment(const Field& field) {
  const std::string type = field.at("type").text();
  if (type == "fixed") return FixedMotionRecord{read_pose(field.at("pose"))};
  if (type == "linear") return read_linear(field);
  if (type == "screw") return read_screw(field);
  field.at("type").fail("fixed, linear or screw");
}

MotionRecord read_motion(const Field& field) {
  const std::string type = field.at("type").text();
  if (type == "sampled") {
    SampledMotionRecord motion{field.at("times").numbers(), list_of(field.at("poses"), read_pose)};
    if (motion.poses.empty() || motion.times.size() != motion.poses.size())
      field.at("poses").fail("one pose for each time");
    return motion;
  }
  if (type == "piecewise") {
    PiecewiseMotionRecord motion{field.at("times").numbers(), list_of(field.at("segments"), read_segment)};
    if (motion.segments.empty() || motion.times.size() != motion.segments.size() + 1)
      field.at("segments").fail("one segment less than times");
    return motion;
  }
  return std::visit([](auto&& motion) { return MotionRecord(std::move(motion)); }, read_segment(field));
}

ShapeRecord read_shape(const Field& field) {
  ShapeRecord shape;
  shape.name = text_or_nothing(field, "name");
  shape.source = text_or_nothing(field, "source");
  if (field.has("vertices")) shape.vertex_count = field.at("vertices").count();
  if (field.has("triangles")) shape.triangle_count = field.at("triangles").count();
  shape.kind = text_or_nothing(field, "kind");
  if (field.has("sizes")) shape.sizes = field.at("sizes").numbers();
  if (!field.has("mesh")) return shape;
  const Field mesh = field.at("mesh");
  const Field positions = mesh.at("positions"), faces = mesh.at("faces");
  shape.mesh = TriangleMesh{checked(json_array::read_positions(positions.json(), positions.path())),
                            checked(json_array::read_faces(faces.json(), faces.path()))};
  if (const auto summary = validate(*shape.mesh); !summary)
    throw FieldFailure{mesh.path() + ": " + summary.error().message};
  shape.vertex_count = shape.mesh->vertices.size();
  shape.triangle_count = shape.mesh->faces.size();
  if (mesh.has("positions_t1")) {
    const Field end = mesh.at("positions_t1");
    shape.positions_t1 = checked(json_array::read_positions(end.json(), end.path()));
    if (shape.positions_t1.size() != shape.vertex_count) end.fail("as many rows as positions has");
  }
  return shape;
}

BodyRecord read_body(const Field& field, std::size_t shapes) {
  BodyRecord body;
  body.name = text_or_nothing(field, "name");
  body.shape = field.at("shape").index(shapes);
  if (field.has("motion")) body.motion = read_motion(field.at("motion"));
  if (field.has("solid")) body.solid = field.at("solid").boolean();
  return body;
}

HierarchyRecord::Box read_box(const Field& field) {
  HierarchyRecord::Box box;
  box.center = field.at("center").vector();
  box.half = field.at("half").vector();
  if (!field.has("axes")) return box;
  const Field axes = field.at("axes");
  if (!axes.json().is_array() || axes.json().size() != 3) axes.fail("three axes");
  for (std::size_t k = 0; k < 3; ++k) box.axes.col(static_cast<int>(k)) = axes.at(k).vector();
  return box;
}

HierarchyRecord read_hierarchy(const Field& field, std::size_t bodies) {
  return {.body = field.at("body").index(bodies),
          .volume = text_or_nothing(field, "volume"),
          .levels = list_of(field.at("levels"), [](const Field& level) { return list_of(level, read_box); })};
}

// What a reader draws by them must be there.
void check_layer(const Field& field, const LayerRecord& layer) {
  const auto each = [&](const char* key, std::size_t found, std::size_t wanted) {
    if (found != wanted)
      field.at(key).fail(std::to_string(wanted) + " entries, found " + std::to_string(found) + " of them");
  };
  const auto columns = static_cast<std::size_t>(layer.size[0]),
             rows = static_cast<std::size_t>(layer.size[1]);
  const bool is_slice = layer.kind == LayerKind::Slice;
  if (is_slice) each("points", layer.points.size(), 3);
  if (layer.kind == LayerKind::Arrows) each("vectors", layer.vectors.size(), layer.points.size());
  if (layer.kind == LayerKind::Balls) each("radii", layer.radii.size(), layer.points.size());
  for (const Face& face : layer.faces) {
    for (const std::int32_t index : face) {
      if (index < 0 || static_cast<std::size_t>(index) >= layer.points.size())
        field.at("faces").fail("numbers of its points");
    }
  }
  if (layer.values.empty()) return;
  const std::size_t things = is_slice                          ? columns * rows
                             : layer.kind == LayerKind::Arrows ? layer.points.size()
                             : layer.kind == LayerKind::Lines  ? layer.first.size()
                                                               : layer.faces.size();
  each("values", layer.values.size(), things);
}

LayerRecord read_layer(const Field& field) {
  LayerRecord layer;
  layer.name = text_or_nothing(field, "name");
  layer.kind = field.at("kind").named<LayerKind>(5);
  if (field.has("colours")) layer.colours = field.at("colours").named<LayerColours>(4);
  const auto places = [&](const char* key) {
    return field.has(key) ? checked(json_array::read_positions(field.at(key).json(), field.at(key).path()))
                          : std::vector<Vector3>();
  };
  layer.points = places("points");
  layer.vectors = places("vectors");
  if (field.has("radii")) layer.radii = field.at("radii").numbers();
  if (field.has("faces"))
    layer.faces = checked(json_array::read_faces(field.at("faces").json(), field.at("faces").path()));
  if (field.has("first"))
    layer.first = list_of(field.at("first"), [&](const Field& f) { return f.index(layer.points.size()); });
  if (layer.kind == LayerKind::Slice) {
    const Field size = field.at("size");
    if (size.size() != 2) size.fail("two numbers");
    for (std::size_t k = 0; k < 2; ++k) layer.size[k] = size.at(k).index(1 << 14);
  }
  if (field.has("values")) {
    const Field values = field.at("values");
    for (const double value : checked(json_array::read_numbers(values.json(), 1, values.path())))
      layer.values.push_back(static_cast<float>(value));
  }
  check_layer(field, layer);
  return layer;
}

// "edge 3-17" is an edge; its number within the triangle stands beside it.
void read_side(const Field& field, const std::string& side, Feature& feature, std::string& text,
               std::vector<Vector3>& corners) {
  const std::string triangle = "triangle_" + side, name = "feature_" + side, index = "index_" + side,
                    points = "corners_" + side;
  if (field.has(triangle.c_str()))
    feature.part = field.at(triangle.c_str()).index(std::numeric_limits<std::int32_t>::max());
  if (field.has(name.c_str())) {
    text = field.at(name.c_str()).text();
    const Json kind(text.substr(0, text.find(' ')));
    feature.kind = Field(kind, field.at(name.c_str()).path()).named<FeatureKind>(3);
  }
  // Of a triangle, whose corners are written beside it; other shapes have more of them.
  const std::size_t indices = field.has(points.c_str()) ? 3 : std::numeric_limits<std::int32_t>::max();
  if (field.has(index.c_str())) feature.index = field.at(index.c_str()).index(indices);
  if (!field.has(points.c_str())) return;
  corners = list_of(field.at(points.c_str()), [](const Field& point) { return point.vector(); });
  if (corners.size() != 3) field.at(points.c_str()).fail("three corners");
}

ContactRecord read_contact(const Field& field) {
  ContactRecord record;
  record.contact.point_a = field.at("point_a").vector();
  record.contact.point_b = field.at("point_b").vector();
  if (field.has("normal")) record.contact.normal = field.at("normal").vector();
  if (field.has("distance")) record.contact.distance = field.at("distance").number();
  read_side(field, "a", record.contact.feature_a, record.text_a, record.corners_a);
  read_side(field, "b", record.contact.feature_b, record.text_b, record.corners_b);
  return record;
}

std::vector<double> two_numbers(const Field& field) {
  std::vector<double> values = field.numbers();
  if (values.size() != 2) field.fail("two numbers");
  return values;
}

ContactInterval read_interval(const Field& field) {
  const std::vector<double> begin = two_numbers(field.at("begin")), end = two_numbers(field.at("end"));
  return {begin[0], begin[1], end[0], end[1]};
}

ResultRecord read_result(const Field& field, std::size_t bodies) {
  ResultRecord result;
  result.label = text_or_nothing(field, "label");
  result.sentence = text_or_nothing(field, "sentence");
  const Field pair = field.at("bodies");
  if (!pair.json().is_array() || pair.json().size() != 2) pair.fail("two bodies");
  result.body_a = pair.at(std::size_t{0}).index(bodies);
  result.body_b = pair.at(1).index(bodies);
  result.status = field.at("status").named<Status>(5);
  if (field.has("inside")) result.inside = field.at("inside").named<Inside>(3);
  result.failure = text_or_nothing(field, "failure");
  result.time = field.at("time").number();
  result.lower = field.at("lower").number();
  result.upper = field.at("upper").number();
  if (field.has("distance")) result.distance = field.at("distance").number();
  if (field.has("motion_a")) result.motion_a = read_motion(field.at("motion_a"));
  if (field.has("motion_b")) result.motion_b = read_motion(field.at("motion_b"));
  if (field.has("contacts")) result.contacts = list_of(field.at("contacts"), read_contact);
  if (field.has("closest_approach")) {
    const Field closest = field.at("closest_approach");
    result.closest_approach = {closest.at("time").number(), closest.at("distance").number(),
                               closest.at("lower_distance").number(), read_contact(closest.at("contact"))};
  }
  if (field.has("intervals")) result.intervals = list_of(field.at("intervals"), read_interval);
  if (field.has("clearance")) {
    const Field clearance = field.at("clearance");
    result.clearance = {clearance.at("times").numbers(), clearance.at("distances").numbers()};
    if (result.clearance.times.size() != result.clearance.distances.size())
      clearance.at("distances").fail("one distance for each time");
  }
  if (field.has("microseconds")) result.microseconds = field.at("microseconds").number();
  if (field.has("depth")) {
    const std::vector<double> depth = two_numbers(field.at("depth"));
    result.depth = {depth[0], depth[1]};
  }
  return result;
}

StageRecord read_stage(const Field& field) {
  StageRecord stage{field.at("name").text(), field.at("left").count(), {}};
  if (field.has("milliseconds")) stage.milliseconds = field.at("milliseconds").number();
  return stage;
}

std::vector<double> read_column(const Field& contacts, const char* key, std::size_t width, std::size_t rows) {
  const Field column = contacts.at(key);
  std::vector<double> values = checked(json_array::read_numbers(column.json(), width, column.path()));
  if (values.size() != width * rows)
    throw FieldFailure{column.path() + ": expected " + std::to_string(rows) + " rows, found " +
                       std::to_string(values.size() / width)};
  return values;
}

std::int32_t id_of(double value, const Field& field) {
  if (!(std::abs(value) < 2147483648.0 && std::floor(value) == value)) field.fail("whole numbers");
  return static_cast<std::int32_t>(value);
}

std::vector<FrameContactRecord> read_frame_contacts(const Field& field) {
  const std::uint64_t stored = field.at("stored").count();
  // A row of points takes eight bytes of text at the least: no more can be stored than the text is long.
  if (stored > 1'000'000'000) field.at("stored").fail("as many contacts as are stored");
  const auto rows = static_cast<std::size_t>(stored);
  const std::vector<double> points = read_column(field, "points", 3, rows);
  std::vector<FrameContactRecord> contacts(rows);
  const auto vector = [](const std::vector<double>& values, std::size_t i) {
    return Vector3(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
  };
  for (std::size_t i = 0; i < rows; ++i) contacts[i].point = vector(points, i);
  if (field.has("normals")) {
    const std::vector<double> normals = read_column(field, "normals", 3, rows);
    for (std::size_t i = 0; i < rows; ++i) contacts[i].normal = vector(normals, i);
  }
  if (field.has("times")) {
    const std::vector<double> times = read_column(field, "times", 1, rows);
    for (std::size_t i = 0; i < rows; ++i) contacts[i].time = times[i];
  }
  // Older reports only tell edge-edge from the rest.
  const char* key = field.has("kinds") ? "kinds" : "edge_edge";
  if (field.has(key)) {
    const std::vector<double> kinds = read_column(field, key, 1, rows);
    for (std::size_t i = 0; i < rows; ++i) {
      if (!(kinds[i] >= 0.0 && kinds[i] < feature_pair_kind_count)) field.at(key).fail("kinds from 0 to 3");
      contacts[i].kind = static_cast<FeaturePairKind>(static_cast<int>(kinds[i]));
    }
  }
  if (field.has("features")) {
    const std::vector<double> ids = read_column(field, "features", 2, rows);
    for (std::size_t i = 0; i < rows; ++i) {
      contacts[i].first = id_of(ids[2 * i], field.at("features"));
      contacts[i].second = id_of(ids[2 * i + 1], field.at("features"));
    }
  }
  return contacts;
}

StepRecord read_step(const Field& field, std::size_t frames) {
  StepRecord step;
  step.from = field.at("from").index(frames);
  step.to = field.at("to").index(frames);
  if (field.has("first_time") && !field.at("first_time").json().is_null())
    step.first_time = field.at("first_time").number();
  if (field.has("proven_until")) step.proven_until = field.at("proven_until").number();
  if (field.has("counted")) step.counted = field.at("counted").boolean();
  step.vertex_face = field.at("vertex_face").count();
  step.edge_edge = field.at("edge_edge").count();
  if (field.has("vertex_edge")) step.vertex_edge = field.at("vertex_edge").count();
  if (field.has("vertex_vertex")) step.vertex_vertex = field.at("vertex_vertex").count();
  if (field.has("milliseconds"))
    step.milliseconds = field.at("milliseconds").pairs<double>([](const Field& f) { return f.number(); });
  if (field.has("stages")) step.stages = list_of(field.at("stages"), read_stage);
  if (field.has("contacts")) step.contacts = read_frame_contacts(field.at("contacts"));
  return step;
}

FrameRecord read_frame(const Field& field) {
  FrameRecord frame;
  frame.label = text_or_nothing(field, "label");
  const Field positions = field.at("positions");
  frame.positions = checked(json_array::read_positions(positions.json(), positions.path()));
  for (const Vector3& position : frame.positions) {
    if (!position.allFinite()) throw FieldFailure{positions.path() + ": holds a number that is not finite"};
  }
  frame.grid = json_array::read_grid(positions.json());
  if (field.has("faces")) {
    const Field faces = field.at("faces");
    frame.faces = checked(json_array::read_faces(faces.json(), faces.path()));
    for (const Face& face : frame.faces) {
      for (const std::int32_t index : face) {
        if (static_cast<std::size_t>(index) >= frame.positions.size())
          throw FieldFailure{faces.path() + ": names vertex " + std::to_string(index) + " of " +
                             std::to_string(frame.positions.size())};
      }
    }
  }
  return frame;
}

SequenceRecord read_sequence(const Field& field) {
  SequenceRecord sequence;
  sequence.frames = list_of(field.at("frames"), read_frame);
  sequence.steps =
      list_of(field.at("steps"), [&](const Field& f) { return read_step(f, sequence.frames.size()); });
  if (field.has("objects"))
    sequence.objects = list_of(field.at("objects"), [](const Field& f) {
      return static_cast<std::int64_t>(f.index(std::numeric_limits<std::int32_t>::max()));
    });
  return sequence;
}

Report read_whole(const Field& field) {
  Report report;
  report.query = text_or_nothing(field, "query");
  report.title = text_or_nothing(field, "title");
  report.answer = text_or_nothing(field, "answer");
  report.command = text_or_nothing(field, "command");
  report.method = text_or_nothing(field, "method");
  if (field.has("up")) {
    const std::string up = field.at("up").text();
    if (up != "x" && up != "y" && up != "z") field.at("up").fail("x, y or z");
    report.up = up[0];
  }
  if (field.has("options"))
    report.options = field.at("options").pairs<std::string>([](const Field& f) { return f.text(); });
  if (field.has("timings"))
    report.timings = field.at("timings").pairs<double>([](const Field& f) { return f.number(); });
  if (field.has("counts"))
    report.counts = field.at("counts").pairs<std::uint64_t>([](const Field& f) { return f.count(); });
  if (field.has("stages")) report.stages = list_of(field.at("stages"), read_stage);
  if (field.has("shapes")) report.shapes = list_of(field.at("shapes"), read_shape);
  if (field.has("bodies"))
    report.bodies =
        list_of(field.at("bodies"), [&](const Field& f) { return read_body(f, report.shapes.size()); });
  if (field.has("results"))
    report.results =
        list_of(field.at("results"), [&](const Field& f) { return read_result(f, report.bodies.size()); });
  if (field.has("hierarchies"))
    report.hierarchies = list_of(field.at("hierarchies"),
                                 [&](const Field& f) { return read_hierarchy(f, report.bodies.size()); });
  if (field.has("layers")) report.layers = list_of(field.at("layers"), read_layer);
  if (field.has("sequence")) report.sequence = read_sequence(field.at("sequence"));
  return report;
}

}  // namespace

Expected<Report> report_of(const Json& json) {
  try {
    return read_whole(Field(json, ""));
  } catch (const FieldFailure& failure) {
    return Error{failure.message};
  }
}

Expected<Report> report_from_json(std::string_view text) {
  const Expected<Json> json = parse_report(text);
  if (!json) return json.error();
  return report_of(*json);
}

Expected<Report> read_report(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  // A folder can be opened, but not read.
  if (!file || !(content << file.rdbuf())) return Error{path + ": cannot be read"};
  Expected<Report> report = report_from_json(std::move(content).str());
  if (!report) return Error{path + ": " + report.error().message};
  return report;
}

}  // namespace toccata
