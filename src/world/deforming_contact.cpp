// Conservative advancement triangle by triangle: a queue in time holds those that may touch the other side,
// by when they can at the earliest. The first one is looked at where it is then: its distance, and how fast
// that can shrink, say how long nothing can happen. What comes out of the queue within the tolerance is the
// first contact, since nothing that is left in it can come earlier.
#include "world/deforming_contact.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "hierarchy/shape_data.hpp"
#include "proximity/piece_bracket.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/broad_phase/motion_box.hpp"
#include "toccata/broad_phase/overlapping_pairs.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/motion/displacement_bound.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::world {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// A gap of this share of the tolerance ends the search.
constexpr double target_share = 0.5;
constexpr int looks_at_watch = 16;

Vector3 corner_at(const DeformingBody& body, std::int32_t vertex, double t) {
  const Vector3& start = body.mesh.vertices[static_cast<std::size_t>(vertex)];
  return start + t * (body.positions_t1[static_cast<std::size_t>(vertex)] - start);
}

Triangle triangle_at(const DeformingBody& body, std::size_t face, double t) {
  const Face& f = body.mesh.faces[face];
  return {corner_at(body, f[0], t), corner_at(body, f[1], t), corner_at(body, f[2], t)};
}

// The velocities of its corners are constant.
Triangle velocities_of(const DeformingBody& body, std::size_t face) {
  const Face& f = body.mesh.faces[face];
  Triangle v;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto vertex = static_cast<std::size_t>(f[i]);
    v[i] = body.positions_t1[vertex] - body.mesh.vertices[vertex];
  }
  return v;
}

double largest_coordinate(const DeformingBody& body) {
  double most = 0.0;
  for (const Vector3& x : body.mesh.vertices) most = std::max(most, x.cwiseAbs().maxCoeff());
  for (const Vector3& x : body.positions_t1) most = std::max(most, x.cwiseAbs().maxCoeff());
  return most;
}

// A triangle stays in the box of its two ends.
Aabb face_box(const DeformingBody& body, std::size_t face) {
  const Vector3 far = Vector3::Constant(infinite);
  Aabb box = {far, -far};
  for (const std::int32_t v : body.mesh.faces[face]) {
    for (const Vector3* x : {&body.mesh.vertices[static_cast<std::size_t>(v)],
                             &body.positions_t1[static_cast<std::size_t>(v)]}) {
      box.lower = box.lower.cwiseMin(*x);
      box.upper = box.upper.cwiseMax(*x);
    }
  }
  return box;
}

// What is seen of one candidate at a moment: for how long its sides stay farther apart than they may come,
// which is proven with all roundings, if not beyond `smooth`.
struct Look {
  double step = 0.0;
  double smooth = 1.0;
  double distance = 0.0;
  Contact contact;
};

// A triangle of the deforming mesh and the whole other body.
class AgainstBody {
 public:
  AgainstBody(const DeformingBody& a, const Body& b, double reach)
      : a_(a),
        b_(b),
        size_(largest_coordinate(a)),
        is_convex_(b.shape.data().is_half_space() ||
                   (b.shape.data().piece_count() == 1 && !b.shape.data().has_only_triangles())) {
    const Aabb other = grown(motion_box(b.shape, *b.motion), reach);
    for (std::size_t face = 0; face < a.mesh.faces.size(); ++face) {
      if (overlap(face_box(a, face), other)) faces_.push_back(face);
    }
  }

  std::size_t size() const { return faces_.size(); }

  // Seen from the body, which then stands still, a point x of the triangle with velocity v goes at
  // v - velocity - w x (x - center), up to what the motion's expansion leaves open: most at a corner.
  Look look(std::size_t candidate, double t, double minimum) const {
    const std::size_t face = faces_[candidate];
    const Triangle corners = triangle_at(a_, face, t), velocity = velocities_of(a_, face);
    const Pose pose = b_.motion->pose(t);
    const DistanceResult found =
        distance(TriangleMesh{{corners[0], corners[1], corners[2]}, {{0, 1, 2}}}, {b_.shape, pose});
    Look look;
    look.distance = found.distance;
    look.contact = found.contact;
    look.contact.feature_a.part = static_cast<std::int32_t>(face);
    look.smooth = b_.motion->next_breakpoint(t);
    const MotionExpansion e = b_.motion->expansion(t, look.smooth);
    const Vector3 n = normal_of(look.contact, pose);
    double arm = 0.0, speed = 0.0, along = -infinite, height = -infinite;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3 d = corners[i] - e.center;
      const Vector3 relative = velocity[i] - e.velocity - e.angular_velocity.cross(d);
      arm = std::max(arm, d.norm());
      speed = std::max(speed, relative.norm());
      along = std::max(along, relative.dot(n));
      height = std::max(height, corners[i].dot(n));
    }
    const double lengths = size_ + e.center.norm() + pose.translation.norm() + b_.shape.data().center.norm();
    const PoseError error = b_.motion->pose_error();
    const double padding =
        error.translation + error.rotation * 4.0 * (lengths + arm) + 64.0 * unit_roundoff * (lengths + arm);
    const double slack = e.speed_slack + e.spin_slack * arm +
                         1e-14 * (lengths + e.velocity.norm() + e.angular_velocity.norm() * arm);
    const double curvature =
        (e.acceleration + (e.spin_acceleration + e.axial_acceleration) * arm) * (1.0 + 1e-14);
    const double gap = found.lower_distance - padding - minimum;
    if (gap > 0.0) look.step = conservative_step(gap, speed + slack, curvature);
    // Two convex sets stay apart along the normal; of others any part may come near in any direction.
    if (!is_convex_) return look;
    const double gap_along = lowest_along(n, pose) - height - padding - minimum;
    if (gap_along > 0.0)
      look.step = std::max(look.step, conservative_step(gap_along, along + slack, curvature));
    return look;
  }

 private:
  // From the triangle to the body: the only one that proves something of a half space is its own.
  Vector3 normal_of(const Contact& contact, const Pose& pose) const {
    const ShapeData& shape = b_.shape.data();
    return shape.is_half_space() ? Vector3(-(pose.rotation * shape.tree.plane->normal)) : contact.normal;
  }
  // Of the body along n, at least. precondition: is_convex_.
  double lowest_along(const Vector3& n, const Pose& pose) const {
    const ShapeData& shape = b_.shape.data();
    if (shape.is_half_space()) return n.dot(pose.translation) - shape.tree.plane->offset;
    const Vector3 down = pose.rotation.transpose() * -n;
    return n.dot(pose.apply(shape.center)) - proximity::reach_along(Piece(shape, 0), down);
  }

  const DeformingBody& a_;
  const Body& b_;
  double size_;
  bool is_convex_;
  std::vector<std::size_t> faces_;
};

// Two triangles.
class AgainstDeforming {
 public:
  AgainstDeforming(const DeformingBody& a, const DeformingBody& b, double reach)
      : a_(a), b_(b), size_(std::max(largest_coordinate(a), largest_coordinate(b))) {
    std::vector<Aabb> boxes;
    for (std::size_t face = 0; face < a.mesh.faces.size(); ++face)
      boxes.push_back(grown(face_box(a, face), reach));
    for (std::size_t face = 0; face < b.mesh.faces.size(); ++face) boxes.push_back(face_box(b, face));
    const auto first_of_b = static_cast<std::int32_t>(a.mesh.faces.size());
    for (const IndexPair& pair : overlapping_pairs(boxes)) {
      if (pair.first < first_of_b && pair.second >= first_of_b)
        pairs_.push_back({pair.first, pair.second - first_of_b});
    }
  }

  std::size_t size() const { return pairs_.size(); }

  Look look(std::size_t candidate, double t, double minimum) const {
    const auto face_a = static_cast<std::size_t>(pairs_[candidate].first),
               face_b = static_cast<std::size_t>(pairs_[candidate].second);
    const Triangle a = triangle_at(a_, face_a, t), b = triangle_at(b_, face_b, t);
    const TriangleTriangleDistance found = triangle_triangle_distance(a, b);
    Look look;
    look.distance = found.distance;
    look.contact.point_a = found.point_a;
    look.contact.point_b = found.point_b;
    look.contact.distance = found.distance;
    look.contact.feature_a = found.feature_a;
    look.contact.feature_b = found.feature_b;
    look.contact.feature_a.part = static_cast<std::int32_t>(face_a);
    look.contact.feature_b.part = static_cast<std::int32_t>(face_b);
    const Vector3 between = found.point_b - found.point_a;
    if (!(between.norm() > 0.0)) return look;
    const Vector3 n = between.normalized();
    look.contact.normal = n;
    double nearing = -infinite, receding = infinite;
    for (const Vector3& v : velocities_of(a_, face_a)) nearing = std::max(nearing, v.dot(n));
    for (const Vector3& v : velocities_of(b_, face_b)) receding = std::min(receding, v.dot(n));
    const double gap = triangle_triangle_separation(a, b, n) - 64.0 * unit_roundoff * size_ - minimum;
    if (gap > 0.0) look.step = conservative_step(gap, nearing - receding + 1e-14 * size_, 0.0);
    return look;
  }

 private:
  const DeformingBody& a_;
  const DeformingBody& b_;
  double size_;
  std::vector<IndexPair> pairs_;
};

struct Waiting {
  double time;
  std::size_t candidate;
  bool operator>(const Waiting& other) const {
    return time != other.time ? time > other.time : candidate > other.candidate;
  }
};

template <typename Candidates>
FirstContactResult searched(const Candidates& candidates, double tolerance,
                            const FirstContactOptions& options, const StopWatch* stop) {
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue;
  for (std::size_t i = 0; i < candidates.size(); ++i) queue.push({0.0, i});
  FirstContactResult result;
  result.minimum_distance = options.minimum_distance;
  const double target = options.minimum_distance + target_share * tolerance;
  SparseLook watch(stop, looks_at_watch);
  while (!queue.empty()) {
    const Waiting next = queue.top();
    queue.pop();
    if ((options.budget > 0 && result.stats.steps >= options.budget) || watch.is_over()) {
      result.status = Status::OutOfBudget;
      result.time = result.lower = next.time;
      return result;
    }
    ++result.stats.steps;
    const Look seen = candidates.look(next.candidate, next.time, options.minimum_distance);
    const double until = next_down(next.time + seen.step);
    // So near to contact that no later double is proven free counts as contact, too.
    if (seen.distance <= target || !(until > next.time)) {
      result.status = next.time == 0.0 ? Status::OverlapAtStart : Status::Contact;
      result.time = result.lower = next.time;
      result.upper = next.time == 0.0 ? 0.0 : 1.0;
      result.contact = seen.contact;
      result.contacts = {seen.contact};
      result.distance = seen.distance;
      return result;
    }
    if (until >= seen.smooth && seen.smooth >= 1.0) continue;
    queue.push({std::min(until, seen.smooth), next.candidate});
  }
  return result;
}

FirstContactResult refused() {
  FirstContactResult result;
  result.status = Status::Failed;
  result.time = result.lower = 0.0;
  result.failure = "at_start = Skip is not offered for meshes that deform: report overlaps at the start";
  return result;
}

}  // namespace

std::string failure_of(const DeformingBody& body) {
  if (body.mesh.faces.empty()) return "a deforming mesh has no triangles";
  if (body.positions_t1.size() != body.mesh.vertices.size())
    return "a deforming mesh has " + std::to_string(body.mesh.vertices.size()) + " corners at t = 0 and " +
           std::to_string(body.positions_t1.size()) + " at t = 1";
  const auto count = static_cast<std::int32_t>(body.mesh.vertices.size());
  for (std::size_t face = 0; face < body.mesh.faces.size(); ++face) {
    for (const std::int32_t v : body.mesh.faces[face]) {
      if (v < 0 || v >= count)
        return "triangle " + std::to_string(face) + " of a deforming mesh has corner " + std::to_string(v) +
               " of " + std::to_string(count);
    }
  }
  constexpr double largest = 1e30;
  for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i) {
    if (!(body.mesh.vertices[i].cwiseAbs().maxCoeff() <= largest) ||
        !(body.positions_t1[i].cwiseAbs().maxCoeff() <= largest))
      return "corner " + std::to_string(i) + " of a deforming mesh is not finite, or beyond 1e30";
  }
  return {};
}

Aabb deforming_box(const DeformingBody& body) {
  Aabb box = face_box(body, 0);
  for (std::size_t face = 1; face < body.mesh.faces.size(); ++face) box = merge(box, face_box(body, face));
  return box;
}

FirstContactResult deforming_contact(const DeformingBody& a, const Body& b, double tolerance,
                                     const FirstContactOptions& options, const StopWatch* stop) {
  if (options.at_start == AtStart::Skip) return refused();
  const double reach = (options.minimum_distance + tolerance) * (1.0 + 1e-12);
  FirstContactResult result = searched(AgainstBody(a, b, reach), tolerance, options, stop);
  if (b.solid && result.status != Status::OverlapAtStart && result.status != Status::OutOfBudget) {
    const PlacedShape start(Shape(a.mesh), Pose());
    const Containment where = containment(start, {b.shape, b.motion->pose(0.0)});
    if (where == Containment::Inside || where == Containment::Mixed) {
      const DistanceResult nearest = distance(start, {b.shape, b.motion->pose(0.0)});
      result.status = Status::OverlapAtStart;
      result.inside = Inside::FirstInSecond;
      result.time = result.lower = result.upper = 0.0;
      result.contact = nearest.contact;
      result.contacts = {nearest.contact};
      result.distance = nearest.distance;
    }
  }
  result.pose_b = b.motion->pose(result.time);
  return result;
}

FirstContactResult deforming_contact(const DeformingBody& a, const DeformingBody& b, double tolerance,
                                     const FirstContactOptions& options, const StopWatch* stop) {
  if (options.at_start == AtStart::Skip) return refused();
  const double reach = (options.minimum_distance + tolerance) * (1.0 + 1e-12);
  return searched(AgainstDeforming(a, b, reach), tolerance, options, stop);
}

}  // namespace toccata::world

namespace toccata {

TriangleMesh mesh_at(const DeformingBody& body, double t) {
  TriangleMesh mesh = body.mesh;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    mesh.vertices[i] += t * (body.positions_t1[i] - mesh.vertices[i]);
  return mesh;
}

}  // namespace toccata
