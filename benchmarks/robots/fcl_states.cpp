#include "fcl_states.hpp"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/default_broadphase_callbacks.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/collision_object.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "exact_contacts.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata::bench {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;
using Transform = fcl::Transform3d;

std::shared_ptr<Model> model_of(const TriangleMesh& mesh) {
  std::vector<fcl::Triangle> triangles;
  for (const Face& face : mesh.faces)
    triangles.emplace_back(static_cast<std::size_t>(face[0]), static_cast<std::size_t>(face[1]),
                           static_cast<std::size_t>(face[2]));
  auto model = std::make_shared<Model>();
  model->beginModel();
  model->addSubModel(mesh.vertices, triangles);
  model->endModel();
  return model;
}

// Every edge is there once in each direction, by where its ends are.
bool is_closed(const TriangleMesh& mesh) {
  using Point = std::array<double, 3>;
  std::map<std::pair<Point, Point>, int> edges;
  const auto point = [&](int i) {
    const Vector3& v = mesh.vertices[static_cast<std::size_t>(i)];
    return Point{v.x(), v.y(), v.z()};
  };
  for (const Face& face : mesh.faces) {
    for (std::size_t k = 0; k < 3; ++k) ++edges[{point(face[k]), point(face[(k + 1) % 3])}];
  }
  return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
    const auto back = edges.find({edge.first.second, edge.first.first});
    return back != edges.end() && back->second == edge.second;
  });
}

Transform transform_of(const Pose& pose) {
  Transform transform = Transform::Identity();
  transform.linear() = pose.rotation;
  transform.translation() = pose.translation;
  return transform;
}

}  // namespace

struct FclStates::Peer {
  struct Part {
    std::string name;
    std::size_t link;  // of the robot
    Transform pose;
    TriangleMesh mesh;
    Triangles surface;  // of a closed mesh; else empty
    Eigen::AlignedBox3d box;
    std::unique_ptr<fcl::CollisionObjectd> object;
  };
  // Joints, parents before children; values by number.
  struct Frame {
    std::size_t parent, child;
    Transform origin;
    JointKind kind;
    Vector3 axis;
    int variable = -1;  // -1: none
    double multiplier = 1.0, offset = 0.0;
  };
  std::size_t root = 0;
  std::vector<Frame> frames;
  std::vector<Transform> poses;  // of links
  std::vector<Part> parts, obstacles;
  fcl::DynamicAABBTreeCollisionManagerd manager;
  std::vector<std::pair<std::size_t, std::size_t>> self_pairs;
  std::vector<std::vector<char>> allowed_with_scene;  // by part, then by obstacle; empty: none is
  std::map<const fcl::CollisionObjectd*, std::size_t> obstacle_of;

  void add_frames(const ArticulatedBody& robot) {
    std::map<std::string, std::size_t> links, joints;
    for (std::size_t i = 0; i < robot.links.size(); ++i) links[robot.links[i].name] = i;
    std::vector<char> is_child(robot.links.size(), 0);
    std::vector<int> first(robot.joints.size(), -1);
    int next = 0;
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      joints[robot.joints[i].name] = i;
      is_child[links.at(robot.joints[i].child)] = 1;
      if (robot.joints[i].mimic) continue;
      first[i] = next;
      next += variable_count(robot.joints[i].kind);
    }
    for (std::size_t i = 0; i < is_child.size(); ++i) {
      if (is_child[i] == 0) root = i;
    }
    poses.assign(robot.links.size(), Transform::Identity());
    std::vector<std::size_t> waiting = {root};
    while (!waiting.empty()) {
      const std::size_t link = waiting.back();
      waiting.pop_back();
      for (std::size_t i = 0; i < robot.joints.size(); ++i) {
        const Joint& joint = robot.joints[i];
        if (links.at(joint.parent) != link) continue;
        Frame frame{link, links.at(joint.child), transform_of(joint.origin), joint.kind,
                    joint.axis.normalized()};
        std::size_t master = i;
        while (robot.joints[master].mimic) {
          const JointMimic& mimic = *robot.joints[master].mimic;
          frame.offset += frame.multiplier * mimic.offset;
          frame.multiplier *= mimic.multiplier;
          master = joints.at(mimic.joint);
        }
        if (variable_count(joint.kind) > 0) frame.variable = first[master];
        frames.push_back(frame);
        waiting.push_back(frame.child);
      }
    }
  }

  void move(std::span<const double> values) {
    for (const Frame& frame : frames) {
      Transform moved = frame.origin;
      if (frame.variable >= 0) {
        const double* v = values.data() + frame.variable;
        const double value = frame.multiplier * v[0] + frame.offset;
        switch (frame.kind) {
          case JointKind::Revolute:
          case JointKind::Continuous:
            moved = moved * Eigen::AngleAxisd(value, frame.axis);
            break;
          case JointKind::Prismatic:
            moved = moved * Eigen::Translation3d(value * frame.axis);
            break;
          case JointKind::Planar:
            moved = moved * Eigen::Translation3d(v[0], v[1], 0.0) * Eigen::AngleAxisd(v[2], Vector3::UnitZ());
            break;
          case JointKind::Floating:
            moved = moved * Eigen::Translation3d(v[0], v[1], v[2]) *
                    Eigen::Quaterniond(v[6], v[3], v[4], v[5]).normalized();
            break;
          case JointKind::Fixed:
            break;
        }
      }
      poses[frame.child] = poses[frame.parent] * moved;
    }
  }

  void place(std::span<const double> values) {
    move(values);
    for (Part& part : parts) {
      part.object->setTransform(poses[part.link] * part.pose);
      part.object->computeAABB();
    }
  }

  struct Asked {
    const Peer* peer;
    std::size_t part;
    std::size_t hit = static_cast<std::size_t>(-1);
    std::vector<std::size_t>* all = nullptr;  // where not the first one is asked for
  };
  static bool ask(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
    auto& asked = *static_cast<Asked*>(data);
    const fcl::CollisionObjectd* own = asked.peer->parts[asked.part].object.get();
    const fcl::CollisionObjectd* other = a == own ? b : a;
    const std::size_t obstacle = asked.peer->obstacle_of.at(other);
    if (asked.peer->allowed_with_scene[asked.part][obstacle] != 0) return false;
    fcl::CollisionResultd result;
    if (fcl::collide(a, b, fcl::CollisionRequestd(), result) > 0) {
      if (asked.all == nullptr) asked.hit = obstacle;
      if (asked.all != nullptr) asked.all->push_back(obstacle);
    }
    return asked.hit != static_cast<std::size_t>(-1);
  }
};

FclStates::FclStates(const ArticulatedBody& robot, const ObstacleScene& scene, const RobotOptions& options)
    : peer_(std::make_unique<Peer>()) {
  peer_->add_frames(robot);
  std::map<std::string, std::size_t> links;
  const auto add = [&](const std::string& name, std::size_t link, const CompoundPart& part, auto& list) {
    const Shape shape(part.geometry);
    list.push_back({name, link, transform_of(part.pose), shape.display_mesh(), {}, {}, nullptr});
    const TriangleMesh& mesh = list.back().mesh;
    for (const Vector3& vertex : mesh.vertices) list.back().box.extend(vertex);
    const auto at = [&](std::int32_t i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
    if (is_closed(mesh)) {
      for (const Face& face : mesh.faces)
        list.back().surface.push_back({at(face[0]), at(face[1]), at(face[2])});
    }
    list.back().object =
        std::make_unique<fcl::CollisionObjectd>(model_of(list.back().mesh), list.back().pose);
  };
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    links[robot.links[i].name] = i;
    for (const CompoundPart& part : robot.links[i].shapes) add(robot.links[i].name, i, part, peer_->parts);
  }
  std::vector<AllowedPair> held;
  for (const AttachedObject& object : scene.attached) {
    for (const CompoundPart& part : object.shapes)
      add(object.name, links.at(object.link), part, peer_->parts);
    held.push_back({object.name, object.link});
    for (const std::string& link : object.touch_links) held.push_back({object.name, link});
  }
  for (const Obstacle& obstacle : scene.obstacles)
    add(obstacle.name, 0, {obstacle.geometry, obstacle.pose}, peer_->obstacles);
  for (std::size_t i = 0; i < peer_->obstacles.size(); ++i) {
    peer_->obstacle_of[peer_->obstacles[i].object.get()] = i;
    peer_->manager.registerObject(peer_->obstacles[i].object.get());
  }
  peer_->manager.setup();
  const auto is_allowed = [&](const std::string& a, const std::string& b) {
    const std::vector<AllowedPair>* const lists[] = {&options.allowed, &scene.allowed, &held};
    for (const std::vector<AllowedPair>* list : lists) {
      for (const AllowedPair& pair : *list) {
        if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return true;
      }
    }
    return false;
  };
  // How many moving joints are between two links.
  const auto moving_between = [&](std::size_t a, std::size_t b) {
    std::map<std::size_t, int> up;
    const auto parent_of = [&](std::size_t link) -> const Peer::Frame* {
      for (const Peer::Frame& frame : peer_->frames) {
        if (frame.child == link) return &frame;
      }
      return nullptr;
    };
    int count = 0;
    up[a] = 0;
    for (const Peer::Frame* f = parent_of(a); f != nullptr; f = parent_of(f->parent))
      up[f->parent] = count += f->kind == JointKind::Fixed ? 0 : 1;
    count = 0;
    if (up.contains(b)) return up[b];
    for (const Peer::Frame* f = parent_of(b); f != nullptr; f = parent_of(f->parent)) {
      count += f->kind == JointKind::Fixed ? 0 : 1;
      if (up.contains(f->parent)) return up[f->parent] + count;
    }
    return 99;
  };
  for (std::size_t i = 0; i < peer_->parts.size(); ++i) {
    for (std::size_t k = i + 1; k < peer_->parts.size(); ++k) {
      const Peer::Part &a = peer_->parts[i], &b = peer_->parts[k];
      const int joints = moving_between(a.link, b.link);
      const bool adjacent = joints == 0 || (joints == 1 && options.adjacent_allowed);
      if (!adjacent && !is_allowed(a.name, b.name)) peer_->self_pairs.push_back({i, k});
    }
    peer_->allowed_with_scene.emplace_back();
    for (const Peer::Part& obstacle : peer_->obstacles)
      peer_->allowed_with_scene.back().push_back(is_allowed(peer_->parts[i].name, obstacle.name) ? 1 : 0);
  }
}

FclStates::~FclStates() = default;

bool FclStates::is_free(std::span<const double> values) {
  std::string a, b;
  return is_free(values, a, b);
}

bool FclStates::is_free(std::span<const double> values, std::string& name_a, std::string& name_b) {
  ++states_;
  peer_->place(values);
  for (std::size_t i = 0; i < peer_->parts.size(); ++i) {
    Peer::Asked asked{peer_.get(), i};
    peer_->manager.collide(peer_->parts[i].object.get(), &asked, Peer::ask);
    if (asked.hit == static_cast<std::size_t>(-1)) continue;
    name_a = peer_->parts[i].name;
    name_b = peer_->obstacles[asked.hit].name;
    return false;
  }
  for (const auto& [i, k] : peer_->self_pairs) {
    const fcl::CollisionObjectd &a = *peer_->parts[i].object, &b = *peer_->parts[k].object;
    if (!a.getAABB().overlap(b.getAABB())) continue;
    fcl::CollisionResultd result;
    if (fcl::collide(&a, &b, fcl::CollisionRequestd(), result) == 0) continue;
    name_a = peer_->parts[i].name;
    name_b = peer_->parts[k].name;
    return false;
  }
  return true;
}

bool FclStates::has_one_inside(std::span<const double> values, std::string& name_a, std::string& name_b) {
  peer_->place(values);
  const auto pose_of = [&](const Peer::Part& part) {
    return &part >= peer_->parts.data() && &part < peer_->parts.data() + peer_->parts.size()
               ? Transform(peer_->poses[part.link] * part.pose)
               : part.pose;
  };
  const auto look = [&](const Peer::Part& inner, const Peer::Part& outer) {
    if (outer.surface.empty() || inner.mesh.faces.empty()) return false;
    const auto corner = static_cast<std::size_t>(inner.mesh.faces[0][0]);
    const Vector3 point = pose_of(outer).inverse() * (pose_of(inner) * inner.mesh.vertices[corner]);
    if (!outer.box.contains(point)) return false;
    return is_inside({{point, point, point}}, outer.surface);
  };
  const auto either = [&](const Peer::Part& a, const Peer::Part& b) {
    if (!a.object->getAABB().overlap(b.object->getAABB()) || !(look(a, b) || look(b, a))) return false;
    name_a = a.name;
    name_b = b.name;
    return true;
  };
  for (const auto& [i, k] : peer_->self_pairs) {
    if (either(peer_->parts[i], peer_->parts[k])) return true;
  }
  for (std::size_t i = 0; i < peer_->parts.size(); ++i) {
    for (std::size_t k = 0; k < peer_->obstacles.size(); ++k) {
      if (peer_->allowed_with_scene[i][k] == 0 && either(peer_->parts[i], peer_->obstacles[k])) return true;
    }
  }
  return false;
}

std::vector<std::size_t> FclStates::touched(std::span<const double> values) {
  peer_->place(values);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < peer_->parts.size(); ++i) {
    Peer::Asked asked{peer_.get(), i};
    asked.all = &result;
    peer_->manager.collide(peer_->parts[i].object.get(), &asked, Peer::ask);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<std::array<Vector3, 3>> FclStates::triangles_of(const std::string& name,
                                                            std::span<const double> values) {
  peer_->move(values);
  std::vector<std::array<Vector3, 3>> triangles;
  const auto add = [&](const Peer::Part& part, const Transform& pose) {
    if (part.name != name) return;
    for (const Face& face : part.mesh.faces) {
      std::array<Vector3, 3> corners;
      for (std::size_t k = 0; k < 3; ++k)
        corners[k] = pose * part.mesh.vertices[static_cast<std::size_t>(face[k])];
      triangles.push_back(corners);
    }
  };
  for (const Peer::Part& part : peer_->parts) add(part, peer_->poses[part.link] * part.pose);
  for (const Peer::Part& part : peer_->obstacles) add(part, part.pose);
  return triangles;
}

}  // namespace toccata::bench
