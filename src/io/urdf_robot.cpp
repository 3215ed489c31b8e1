// URDF. Conventions of the format: rpy is roll about x, then pitch about y, then yaw about z, of fixed axes;
// an axis that is not given is x; a mimic's multiplier is 1 and its offset 0 unless given.
#include <Eigen/Geometry>
#include <array>

#include "io/file_bytes.hpp"
#include "io/urdf_xml.hpp"
#include "toccata/io/robot_io.hpp"

namespace toccata {
namespace io {
namespace {

Pose origin_of(const XmlFile& file, const XmlElement& parent) {
  const XmlElement* origin = parent.FirstChildElement("origin");
  if (origin == nullptr) return {};
  const std::vector<double> place = file.numbers(*origin, "xyz", 3, {0, 0, 0});
  if (origin->Attribute("rpy") == nullptr && origin->Attribute("quat_xyzw") != nullptr) {
    const std::optional<Pose> pose = pose_of(place, file.numbers(*origin, "quat_xyzw", 4));
    if (!pose) file.fail(*origin, "quat_xyzw must not be zero");
    return *pose;
  }
  const std::vector<double> rpy = file.numbers(*origin, "rpy", 3, {0, 0, 0});
  const Matrix3 turn =
      (Eigen::AngleAxisd(rpy[2], Vector3::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3::UnitY()) *
       Eigen::AngleAxisd(rpy[0], Vector3::UnitX()))
          .toRotationMatrix();
  return {turn, Vector3(place[0], place[1], place[2])};
}

double length_of(const XmlFile& file, const XmlElement& element, const char* attribute) {
  const double value = file.number(element, attribute);
  if (value < 0.0) file.fail(element, std::string(attribute) + " must not be negative");
  return value;
}

Geometry geometry_of(const XmlFile& file, const XmlElement& collision, const LoadRobotOptions& options) {
  const XmlElement* geometry = collision.FirstChildElement("geometry");
  const XmlElement* shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
  if (shape == nullptr) file.fail(collision, "a collision needs a <geometry> with a shape in it");
  const std::string_view kind = shape->Name();
  if (kind == "box") {
    const std::vector<double> size = file.numbers(*shape, "size", 3);
    if (!(size[0] >= 0.0 && size[1] >= 0.0 && size[2] >= 0.0))
      file.fail(*shape, "the size of a box must not be negative");
    return Box{Vector3(size[0], size[1], size[2])};
  }
  if (kind == "sphere") return Ball{length_of(file, *shape, "radius")};
  if (kind == "cylinder")
    return Cylinder{length_of(file, *shape, "radius"), length_of(file, *shape, "length")};
  if (kind == "capsule") return Capsule{length_of(file, *shape, "radius"), length_of(file, *shape, "length")};
  if (kind == "mesh") {
    const std::vector<double> scale = file.numbers(*shape, "scale", 3, {1, 1, 1});
    try {
      return scaled_mesh(file.text(*shape, "filename"), Vector3(scale[0], scale[1], scale[2]), file.name(),
                         options);
    } catch (const ReadFailure& failure) {
      file.fail(*shape, failure.message);
    }
  }
  file.fail(*shape, "expected a box, cylinder, sphere, capsule or mesh, found <" + std::string(kind) + ">");
}

Link link_of(const XmlFile& file, const XmlElement& element, const LoadRobotOptions& options) {
  Link link{file.text(element, "name"), {}};
  for (const XmlElement* collision = element.FirstChildElement("collision"); collision != nullptr;
       collision = collision->NextSiblingElement("collision")) {
    if (collision->NoChildren()) continue;  // some exporters write empty ones
    try {
      link.shapes.push_back({geometry_of(file, *collision, options), origin_of(file, *collision)});
    } catch (const ReadFailure& failure) {
      throw ReadFailure{failure.message + " (link '" + link.name + "')"};
    }
  }
  return link;
}

JointKind joint_kind_of(const XmlFile& file, const XmlElement& element) {
  const std::string type = file.text(element, "type");
  for (const JointKind kind : {JointKind::Fixed, JointKind::Revolute, JointKind::Continuous,
                               JointKind::Prismatic, JointKind::Planar, JointKind::Floating}) {
    if (type == to_string(kind)) return kind;
  }
  file.fail(element, "there is no type of joint " + quoted(type.data(), type.data() + type.size()));
}

Joint joint_of(const XmlFile& file, const XmlElement& element) {
  Joint joint;
  joint.name = file.text(element, "name");
  const auto named_link = [&](const char* which) {
    const XmlElement* link = element.FirstChildElement(which);
    if (link == nullptr) file.fail(element, std::string("has no <") + which + ">");
    return file.text(*link, "link");
  };
  try {
    joint.kind = joint_kind_of(file, element);
    joint.parent = named_link("parent");
    joint.child = named_link("child");
    joint.origin = origin_of(file, element);
    if (const XmlElement* axis = element.FirstChildElement("axis")) {
      const std::vector<double> xyz = file.numbers(*axis, "xyz", 3, {1, 0, 0});
      joint.axis = Vector3(xyz[0], xyz[1], xyz[2]);
    }
    if (const XmlElement* limit = element.FirstChildElement("limit"))
      joint.limits = {file.number(*limit, "lower", 0.0), file.number(*limit, "upper", 0.0)};
    if (const XmlElement* mimic = element.FirstChildElement("mimic"))
      joint.mimic = {file.text(*mimic, "joint"), file.number(*mimic, "multiplier", 1.0),
                     file.number(*mimic, "offset", 0.0)};
  } catch (const ReadFailure& failure) {
    throw ReadFailure{failure.message + " (joint '" + joint.name + "')"};
  }
  if (joint.kind == JointKind::Fixed || joint.kind == JointKind::Planar || joint.kind == JointKind::Floating)
    joint.mimic.reset();  // exporters write them; there is nothing to follow
  return joint;
}

// No robot has more, and what grows with the square of it would not end. One mesh may be named often.
constexpr std::size_t most_links = 2'000, most_triangles = 100'000'000;

ArticulatedBody body_of(const XmlFile& file, const LoadRobotOptions& options) {
  const XmlElement& robot = file.root("robot");
  ArticulatedBody body;
  std::size_t triangles = 0;
  if (const char* name = robot.Attribute("name")) body.name = name;
  for (const XmlElement* element = robot.FirstChildElement(); element != nullptr;
       element = element->NextSiblingElement()) {
    const std::string_view kind = element->Name();
    if (body.links.size() > most_links || body.joints.size() > most_links)
      file.fail(*element, "expected at most 2000 links and joints");
    if (kind == "link") {
      body.links.push_back(link_of(file, *element, options));
      for (const CompoundPart& part : body.links.back().shapes) {
        if (const auto* mesh = std::get_if<TriangleMesh>(&part.geometry)) triangles += mesh->faces.size();
      }
      if (triangles > most_triangles) file.fail(*element, "expected at most 100 million triangles");
    }
    if (kind == "joint") body.joints.push_back(joint_of(file, *element));
  }
  if (const auto failure = failure_of(body)) throw ReadFailure{file.name() + ": " + *failure};
  return body;
}

}  // namespace
}  // namespace io

Expected<ArticulatedBody> parse_urdf(std::string_view content, const std::string& name,
                                     const LoadRobotOptions& options) {
  try {
    return io::body_of(io::XmlFile(content, name), options);
  } catch (const io::ReadFailure& failure) {
    return Error{failure.message};
  }
}

Expected<ArticulatedBody> load_urdf(const std::string& path, const LoadRobotOptions& options) {
  const Expected<io::FileBytes> bytes = io::FileBytes::map(path);
  if (!bytes) return bytes.error();
  return parse_urdf(bytes->view(), path, options);
}

}  // namespace toccata
