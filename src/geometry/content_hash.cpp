#include "toccata/geometry/content_hash.hpp"

#include "toccata/base/sha256.hpp"

namespace toccata {
namespace {

// Every list with its length before it, every choice with its number.
class Hasher {
 public:
  std::string hex() { return hash_.hex(); }

  void add(const std::string& text) { hash_.add(std::string_view(text)); }
  void add(double number) { hash_.add(number); }
  void add_count(std::size_t count) { hash_.add(std::uint64_t{count}); }
  void add_number(std::int64_t number) { hash_.add(static_cast<std::uint64_t>(number)); }
  void add(const Vector3& v) {
    for (int i = 0; i < 3; ++i) add(v[i]);
  }
  void add(const Pose& pose) {
    for (int i = 0; i < 9; ++i) add(pose.rotation(i / 3, i % 3));
    add(pose.translation);
  }

  template <typename Value>
  void add(const std::vector<Value>& list) {
    add_count(list.size());
    for (const Value& value : list) add(value);
  }
  void add(const Face& face) {
    for (const std::int32_t vertex : face) add_number(vertex);
  }
  void add(const Edge& edge) {
    for (const std::int32_t vertex : edge) add_number(vertex);
  }

  void add(const TriangleMesh& mesh) {
    add(mesh.vertices);
    add(mesh.faces);
  }
  void add(const Ball& ball) { add(ball.radius); }
  void add(const Capsule& capsule) { add_both(capsule.radius, capsule.height); }
  void add(const Box& box) {
    add(box.size);
    add(box.radius);
  }
  void add(const Cylinder& cylinder) { add_both(cylinder.radius, cylinder.height); }
  void add(const Cone& cone) { add_both(cone.radius, cone.height); }
  void add(const Ellipsoid& ellipsoid) { add(ellipsoid.radii); }
  void add(const ConvexHull& hull) {
    add(hull.vertices);
    add(hull.faces);
    add(hull.radius);
  }
  void add(const HalfSpace& space) {
    add(space.normal);
    add(space.offset);
  }
  void add(const HeightField& field) {
    add_number(field.columns);
    add_number(field.rows);
    add_both(field.spacing.x(), field.spacing.y());
    add(field.heights);
    add_count(field.floor ? 1 : 0);
    add(field.floor.value_or(0.0));
  }
  void add(const MedialMesh& mesh) {
    add(mesh.centers);
    add(mesh.radii);
    add(mesh.cones);
    add(mesh.slabs);
  }
  void add(const Compound& compound) { add(compound.parts); }
  void add(const CompoundPart& part) {
    add_kind(part.geometry);
    add(part.pose);
  }
  void add_kind(const Geometry& geometry) {
    add_count(geometry.index());
    std::visit([this](const auto& kind) { add(kind); }, geometry);
  }

  void add(const Link& link) {
    add(link.name);
    add(link.shapes);
    add(link.robot);
  }
  void add(const Joint& joint) {
    add(joint.name);
    add_count(static_cast<std::size_t>(joint.kind));
    add(joint.parent);
    add(joint.child);
    add(joint.origin);
    add(joint.axis);
    add_count(joint.limits ? 1 : 0);
    if (joint.limits) add_both(joint.limits->lower, joint.limits->upper);
    add_count(joint.mimic ? 1 : 0);
    if (!joint.mimic) return;
    add(joint.mimic->joint);
    add_both(joint.mimic->multiplier, joint.mimic->offset);
  }
  void add(const Obstacle& obstacle) {
    add(obstacle.name);
    add(CompoundPart{obstacle.geometry, obstacle.pose});
  }
  void add(const AttachedObject& object) {
    add(object.name);
    add(object.link);
    add(object.shapes);
    add(object.touch_links);
  }
  void add(const AllowedPair& pair) {
    add(pair.a);
    add(pair.b);
  }

 private:
  void add_both(double a, double b) {
    add(a);
    add(b);
  }

  Sha256 hash_;
};

}  // namespace

std::string content_hash(const Geometry& geometry) {
  Hasher hasher;
  hasher.add_kind(geometry);
  return hasher.hex();
}

std::string content_hash(const ArticulatedBody& robot) {
  Hasher hasher;
  hasher.add(robot.name);
  hasher.add(robot.links);
  hasher.add(robot.joints);
  return hasher.hex();
}

std::string content_hash(const ObstacleScene& scene) {
  Hasher hasher;
  hasher.add(scene.obstacles);
  hasher.add(scene.attached);
  hasher.add(scene.allowed);
  return hasher.hex();
}

}  // namespace toccata
