#include "sampled_checker.hpp"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/default_broadphase_callbacks.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/collision_object.h>

#include <cmath>
#include <queue>

#include "toccata/hierarchy/shape.hpp"

namespace toccata::bench {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<Model> model_of(const Geometry& geometry) {
  const Shape shape(geometry);
  const TriangleMesh& mesh = shape.display_mesh();
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

fcl::Transform3d transform_of(const Pose& pose) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  transform.linear() = pose.rotation;
  transform.translation() = pose.translation;
  return transform;
}

}  // namespace

struct SampledChecker::Peer {
  struct LinkPart {
    std::size_t link;
    Pose pose;
    std::unique_ptr<fcl::CollisionObjectd> object;
  };
  Kinematics kinematics;
  std::vector<LinkPart> parts;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> obstacles;
  fcl::DynamicAABBTreeCollisionManagerd manager;
  std::vector<std::pair<std::size_t, std::size_t>> self_pairs;

  explicit Peer(const ArticulatedBody& robot) : kinematics(Kinematics::build(robot).value()) {}
};

SampledChecker::SampledChecker(const ArticulatedBody& robot, const ObstacleScene& scene,
                               const RobotOptions& options)
    : peer_(std::make_unique<Peer>(robot)) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    for (const CompoundPart& part : robot.links[i].shapes)
      peer_->parts.push_back(
          {i, part.pose, std::make_unique<fcl::CollisionObjectd>(model_of(part.geometry))});
  }
  for (const Obstacle& obstacle : scene.obstacles) {
    peer_->obstacles.push_back(
        std::make_unique<fcl::CollisionObjectd>(model_of(obstacle.geometry), transform_of(obstacle.pose)));
    peer_->manager.registerObject(peer_->obstacles.back().get());
  }
  peer_->manager.setup();
  const auto is_allowed = [&](const std::string& a, const std::string& b) {
    for (const auto* list : {&options.allowed, &scene.allowed}) {
      for (const AllowedPair& pair : *list) {
        if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return true;
      }
    }
    for (const Joint& joint : robot.joints) {
      if ((joint.parent == a && joint.child == b) || (joint.parent == b && joint.child == a)) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < peer_->parts.size(); ++i) {
    for (std::size_t k = i + 1; k < peer_->parts.size(); ++k) {
      const std::size_t a = peer_->parts[i].link, b = peer_->parts[k].link;
      if (a != b && !is_allowed(robot.links[a].name, robot.links[b].name))
        peer_->self_pairs.push_back({i, k});
    }
  }
}

SampledChecker::~SampledChecker() = default;

bool SampledChecker::is_free(std::span<const double> values) {
  ++states_;
  const std::vector<Pose> poses = peer_->kinematics.link_poses(values);
  for (Peer::LinkPart& part : peer_->parts) {
    part.object->setTransform(transform_of(poses[part.link] * part.pose));
    part.object->computeAABB();
  }
  for (Peer::LinkPart& part : peer_->parts) {
    fcl::DefaultCollisionData<double> data;
    peer_->manager.collide(part.object.get(), &data, fcl::DefaultCollisionFunction<double>);
    if (data.result.isCollision()) return false;
  }
  for (const auto& [i, k] : peer_->self_pairs) {
    const fcl::CollisionObjectd &a = *peer_->parts[i].object, &b = *peer_->parts[k].object;
    if (!a.getAABB().overlap(b.getAABB())) continue;
    fcl::CollisionResultd result;
    if (fcl::collide(&a, &b, fcl::CollisionRequestd(), result) > 0) return false;
  }
  return true;
}

bool SampledChecker::is_free(const JointEdge& edge, double step) {
  states_ = 0;
  double length = 0.0;
  for (std::size_t i = 0; i < edge.start.size(); ++i)
    length += (edge.end[i] - edge.start[i]) * (edge.end[i] - edge.start[i]);
  const int count = std::max(1, static_cast<int>(std::ceil(std::sqrt(length) / step)));
  const auto state = [&](int i) {
    std::vector<double> values(edge.start.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = edge.start[k] + (edge.end[k] - edge.start[k]) * i / count;
    return values;
  };
  if (!is_free(edge.end)) return false;
  std::queue<std::pair<int, int>> spans;
  if (count > 1) spans.push({1, count - 1});
  while (!spans.empty()) {
    const auto [first, last] = spans.front();
    spans.pop();
    const int middle = (first + last) / 2;
    if (!is_free(state(middle))) return false;
    if (first < middle) spans.push({first, middle - 1});
    if (middle < last) spans.push({middle + 1, last});
  }
  return true;
}

}  // namespace toccata::bench
