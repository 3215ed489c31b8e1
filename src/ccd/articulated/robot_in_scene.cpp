#include "toccata/ccd/articulated/robot_in_scene.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "ccd/articulated/search_pool.hpp"

namespace toccata {
namespace articulated {
namespace {

// A link, or a thing that a link holds.
struct Part {
  std::string name;
  std::int32_t frame = -1;
  std::vector<CompoundPart> shapes;  // in coordinates of the frame; no compounds among them
  double padding = 0.0;
  std::string robot = {};  // Link::robot
};

// All digits: what differs at all differs here.
std::string exactly(double x) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, x).ptr);
}

class Preparer {
 public:
  // `known`: the same robot as it was before, whose outlines serve where nothing changed; or null.
  Preparer(PreparedRobot& robot, const RobotOptions& options, const PreparedRobot* known)
      : robot_(robot), options_(options), known_(known) {}

  // What is wrong, or nothing.
  std::optional<std::string> prepare() {
    if (auto failure = failure_of_paddings()) return failure;
    robot_.padding = options_.padding;
    add_links();
    if (auto failure = add_attached()) return failure;
    collect_allowed();
    if (auto failure = add_obstacles()) return failure;
    add_bodies();
    if (options_.self_contact) add_self_pairs();
    return {};
  }

 private:
  static bool is_length(double x) { return x >= 0.0 && std::isfinite(x); }

  std::optional<std::string> failure_of_paddings() const {
    if (!is_length(options_.padding))
      return "padding is " + std::to_string(options_.padding) + ", but must be a distance of at least 0";
    for (const Padding& padding : options_.paddings) {
      if (!is_length(padding.distance))
        return "the padding of '" + padding.name + "' must be a distance of at least 0";
    }
    for (const PairPadding& padding : options_.pair_paddings) {
      if (!is_length(padding.distance))
        return "the padding of '" + padding.a + "' and '" + padding.b + "' must be a distance of at least 0";
    }
    return {};
  }

  double padding_of(const std::string& name) const {
    double sum = 0.0;
    for (const Padding& padding : options_.paddings) {
      if (padding.name == name) sum += padding.distance;
    }
    return sum;
  }

  static std::vector<CompoundPart> placed(const std::vector<CompoundPart>& shapes, const Pose& pose) {
    Compound compound;
    for (const CompoundPart& shape : shapes) compound.parts.push_back({shape.geometry, pose * shape.pose});
    return flattened(compound);
  }

  void add_links() {
    const KinematicTree& tree = robot_.kinematics.data();
    for (std::size_t i = 0; i < robot_.robot.links.size(); ++i) {
      const Link& link = robot_.robot.links[i];
      place_of_link_[link.name] = i;
      part_of_name_[link.name].push_back(static_cast<std::int32_t>(parts_.size()));
      parts_.push_back({link.name, tree.frame_of_link[i], placed(link.shapes, tree.pose_in_frame[i]),
                        padding_of(link.name), link.robot});
    }
  }

  std::optional<std::string> add_attached() {
    const KinematicTree& tree = robot_.kinematics.data();
    for (const AttachedObject& object : robot_.scene.attached) {
      const auto link = place_of_link_.find(object.link);
      if (link == place_of_link_.end())
        return "'" + object.name + "' is attached to link '" + object.link +
               "', which the robot does not have";
      if (place_of_link_.contains(object.name))
        return "an attached object has the name of a link, '" + object.name + "'";
      for (const CompoundPart& shape : object.shapes) {
        if (auto failure = failure_of(shape.geometry)) return "'" + object.name + "': " + *failure;
        if (std::holds_alternative<HalfSpace>(shape.geometry))
          return "'" + object.name + "': a half space cannot be attached";
      }
      part_of_name_[object.name].push_back(static_cast<std::int32_t>(parts_.size()));
      parts_.push_back({object.name, tree.frame_of_link[link->second],
                        placed(object.shapes, tree.pose_in_frame[link->second]), padding_of(object.name),
                        robot_.robot.links[link->second].robot});
      allow(object.name, object.link);
      for (const std::string& touched : object.touch_links) allow(object.name, touched);
    }
    return {};
  }

  void allow(const std::string& a, const std::string& b) {
    allowed_.insert(a < b ? std::pair(a, b) : std::pair(b, a));
  }
  bool is_allowed(const std::string& a, const std::string& b) const {
    return allowed_.contains(a < b ? std::pair(a, b) : std::pair(b, a));
  }

  void collect_allowed() {
    for (const AllowedPair& pair : options_.allowed) allow(pair.a, pair.b);
    for (const AllowedPair& pair : robot_.scene.allowed) allow(pair.a, pair.b);
  }

  std::optional<std::string> add_obstacles() {
    if (known_ != nullptr) {  // the same scene
      robot_.obstacles = known_->obstacles;
      robot_.tree = known_->tree;
      robot_.largest_padding = known_->largest_padding;
      return {};
    }
    for (const Obstacle& obstacle : robot_.scene.obstacles) {
      Expected<Shape> shape = Shape::build(obstacle.geometry);
      if (!shape) return "obstacle '" + obstacle.name + "': " + shape.error().message;
      if (shape->piece_count() == 0) continue;
      if (!obstacle.pose.translation.allFinite())
        return "obstacle '" + obstacle.name + "': its place is not finite";
      SceneBody body{obstacle.name, outline_of(std::move(*shape)), padding_of(obstacle.name),
                     RigidMotion::fixed(obstacle.pose)};
      const Pose pose = body.motion.pose(0.0);
      body.axes = pose.rotation;
      body.middle = pose.apply(body.outline.box_center);
      double of_pairs = 0.0;
      for (const PairPadding& padding : options_.pair_paddings) {
        if (padding.a == obstacle.name || padding.b == obstacle.name) of_pairs += padding.distance;
      }
      robot_.largest_padding = std::max(robot_.largest_padding, body.padding + of_pairs);
      robot_.obstacles.push_back(std::move(body));
    }
    std::vector<Aabb> boxes;
    for (const SceneBody& body : robot_.obstacles) boxes.push_back(box_of(body));
    robot_.tree = ObstacleTree(boxes);
    return {};
  }

  // In the world; a half space has none.
  static Aabb box_of(const SceneBody& body) {
    if (body.outline.is_plane()) {
      const Vector3 all = Vector3::Constant(std::numeric_limits<double>::infinity());
      return {-all, all};
    }
    const Vector3 half = body.axes.cwiseAbs() * body.outline.box_half;
    return grown({body.middle - half, body.middle + half}, 1e-12 * (body.middle.norm() + half.norm()));
  }

  // Parts of one frame that may touch the same others, and are padded alike, are one body.
  void add_bodies() {
    std::map<std::pair<std::int32_t, std::string>, std::vector<std::int32_t>> groups;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].shapes.empty()) continue;
      std::string signature = exactly(parts_[i].padding) + '/' + parts_[i].robot + '/';
      if (!options_.merge_links) signature += '/' + parts_[i].name + '/';
      for (const Part& other : parts_) {
        if (!other.shapes.empty() && other.frame != parts_[i].frame)
          signature += is_allowed(parts_[i].name, other.name) ? '1' : '0';
      }
      for (const SceneBody& obstacle : robot_.obstacles)
        signature += is_allowed(parts_[i].name, obstacle.name) ? '1' : '0';
      for (const PairPadding& padding : options_.pair_paddings) {
        if (padding.a == parts_[i].name || padding.b == parts_[i].name)
          signature +=
              '/' + (padding.a == parts_[i].name ? padding.b : padding.a) + ' ' + exactly(padding.distance);
      }
      groups[{parts_[i].frame, signature}].push_back(static_cast<std::int32_t>(i));
    }
    for (const auto& [key, members] : groups) {
      RobotBody body{key.first,
                     outline_for(key.first, members),
                     parts_[static_cast<std::size_t>(members[0])].robot,
                     parts_[static_cast<std::size_t>(members[0])].padding,
                     {},
                     {},
                     {},
                     {},
                     0,
                     FrameChain(robot_.kinematics.data(), -1, key.first)};
      std::int32_t pieces = 0;
      for (const std::int32_t member : members) {
        const Part& part = parts_[static_cast<std::size_t>(member)];
        body.names.push_back(part.name);
        body.first_pieces.push_back(pieces);
        pieces += piece_counts_[static_cast<std::size_t>(member)];
      }
      body.first_pieces.push_back(pieces);
      for (const SceneBody& obstacle : robot_.obstacles) {
        body.may_meet.push_back(is_allowed(body.names[0], obstacle.name) ? 0 : 1);
        body.obstacles += body.may_meet.back() != 0 ? 1 : 0;
        if (!options_.pair_paddings.empty())
          body.obstacle_paddings.push_back(padding_of_pair(options_, body.names[0], obstacle.name));
      }
      robot_.size = std::max(robot_.size, body.outline.radius);
      robot_.bodies.push_back(std::move(body));
    }
  }

  Outline outline_for(std::int32_t frame, const std::vector<std::int32_t>& members) {
    if (known_ != nullptr) {
      std::vector<std::string> names;
      for (const std::int32_t member : members)
        names.push_back(parts_[static_cast<std::size_t>(member)].name);
      for (const RobotBody& body : known_->bodies) {
        if (body.frame != frame || body.names != names || holds_anything(names)) continue;
        piece_counts_.resize(parts_.size());
        for (std::size_t i = 0; i < members.size(); ++i)
          piece_counts_[static_cast<std::size_t>(members[i])] =
              body.first_pieces[i + 1] - body.first_pieces[i];
        return body.outline;
      }
    }
    return outline_of(shape_of(members));
  }

  // What is held may be another thing of the same name than before.
  bool holds_anything(const std::vector<std::string>& names) const {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return !place_of_link_.contains(name); });
  }

  // One mesh where all are meshes, else a compound. Counts the pieces of each member on the way.
  Shape shape_of(const std::vector<std::int32_t>& members) {
    piece_counts_.resize(parts_.size());
    bool only_meshes = true;
    for (const std::int32_t member : members) {
      for (const CompoundPart& shape : parts_[static_cast<std::size_t>(member)].shapes)
        only_meshes = only_meshes && std::holds_alternative<TriangleMesh>(shape.geometry);
    }
    TriangleMesh mesh;
    Compound compound;
    for (const std::int32_t member : members) {
      std::int32_t& count = piece_counts_[static_cast<std::size_t>(member)];
      count = 0;
      for (CompoundPart& part : parts_[static_cast<std::size_t>(member)].shapes) {
        if (!only_meshes) {
          count += Shape(part.geometry).piece_count();
          compound.parts.push_back(part);
          continue;
        }
        const TriangleMesh& own = std::get<TriangleMesh>(part.geometry);
        const auto first = static_cast<std::int32_t>(mesh.vertices.size());
        for (const Vector3& vertex : own.vertices) mesh.vertices.push_back(part.pose.apply(vertex));
        for (const Face& face : own.faces)
          mesh.faces.push_back({face[0] + first, face[1] + first, face[2] + first});
        count += static_cast<std::int32_t>(own.faces.size());
      }
    }
    return only_meshes ? Shape(std::move(mesh)) : Shape(std::move(compound));
  }

  // The nearest ancestor of a frame that has a body, or that is a joint of its own.
  std::int32_t parent_with_body(std::int32_t frame) const {
    const KinematicTree& tree = robot_.kinematics.data();
    // Planar and floating joints are several frames: those between have no links.
    std::set<std::int32_t> with_links(tree.frame_of_link.begin(), tree.frame_of_link.end());
    do {
      frame = tree.frames[static_cast<std::size_t>(frame)].parent;
    } while (frame >= 0 && !with_links.contains(frame));
    return frame;
  }

  bool are_adjacent(std::int32_t a, std::int32_t b) const {
    return (a >= 0 && parent_with_body(a) == b) || (b >= 0 && parent_with_body(b) == a);
  }

  void add_self_pairs() {
    for (std::size_t i = 0; i < robot_.bodies.size(); ++i) {
      for (std::size_t k = i + 1; k < robot_.bodies.size(); ++k) {
        const RobotBody &a = robot_.bodies[i], &b = robot_.bodies[k];
        if (a.frame == b.frame) continue;
        if (options_.adjacent_allowed && a.robot == b.robot && are_adjacent(a.frame, b.frame)) continue;
        if (is_allowed(a.names[0], b.names[0])) continue;
        // Seen from the simpler one.
        robot_.self_pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(k),
                                     FrameChain(robot_.kinematics.data(), a.frame, b.frame),
                                     padding_of_pair(options_, a.names[0], b.names[0])});
      }
    }
  }

  PreparedRobot& robot_;
  const RobotOptions& options_;
  const PreparedRobot* known_;
  std::vector<Part> parts_;
  std::vector<std::int32_t> piece_counts_;  // of each part
  std::unordered_map<std::string, std::size_t> place_of_link_;
  std::unordered_map<std::string, std::vector<std::int32_t>> part_of_name_;
  std::set<std::pair<std::string, std::string>> allowed_;
};

}  // namespace

double padding_of_pair(const RobotOptions& options, const std::string& a, const std::string& b) {
  double sum = 0.0;
  for (const PairPadding& padding : options.pair_paddings) {
    if ((padding.a == a && padding.b == b) || (padding.a == b && padding.b == a)) sum += padding.distance;
  }
  return sum;
}

}  // namespace articulated

const std::string& PreparedRobot::name_of(std::int32_t body, std::int32_t piece) const {
  const articulated::RobotBody& b = bodies[static_cast<std::size_t>(body)];
  const auto after = std::upper_bound(b.first_pieces.begin(), b.first_pieces.end() - 1, piece);
  const auto place =
      static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - b.first_pieces.begin() - 1));
  return b.names[std::min(place, b.names.size() - 1)];
}

namespace {

Expected<std::shared_ptr<PreparedRobot>> prepared(PreparedRobot start, const PreparedRobot* known) {
  auto result = std::make_shared<PreparedRobot>(std::move(start));
  for (const MovingFrame& frame : result->kinematics.data().frames)
    result->has_balls = result->has_balls || frame.kind == FrameKind::Ball;
  result->searches = std::make_shared<articulated::SearchPool>();
  if (auto failure = articulated::Preparer(*result, result->options, known).prepare())
    return Error{std::move(*failure)};
  return result;
}

}  // namespace

Expected<RobotInScene> RobotInScene::build(const ArticulatedBody& robot, const ObstacleScene& scene,
                                           const RobotOptions& options) {
  Expected<Kinematics> kinematics = Kinematics::build(robot);
  if (!kinematics) return kinematics.error();
  auto result = prepared({robot, scene, std::move(*kinematics), options}, nullptr);
  if (!result) return result.error();
  return RobotInScene(std::move(*result));
}

Expected<RobotInScene> RobotInScene::holding(std::span<const AttachedObject> objects) const {
  ObstacleScene scene = data_->scene;
  scene.attached.assign(objects.begin(), objects.end());
  auto result = prepared({data_->robot, std::move(scene), data_->kinematics, data_->options}, data_.get());
  if (!result) return result.error();
  return RobotInScene(std::move(*result));
}

const Kinematics& RobotInScene::kinematics() const {
  return data_->kinematics;
}

const ArticulatedBody& RobotInScene::robot() const {
  return data_->robot;
}

const ObstacleScene& RobotInScene::scene() const {
  return data_->scene;
}

std::size_t RobotInScene::pair_count() const {
  std::size_t count = data_->self_pairs.size();
  for (const articulated::RobotBody& body : data_->bodies) count += body.obstacles;
  return count;
}

}  // namespace toccata
