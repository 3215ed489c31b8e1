// Conservative advancement triangle by triangle: a queue in time holds those that may touch the other side,
// by when they can at the earliest. The first one is looked at where it is then: its distance, and how fast
// that can shrink, say how long nothing can happen. What comes out of the queue within the tolerance is the
// first contact, since nothing that is left in it can come earlier.
#include "world/deforming_contact.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>

#include "hierarchy/shape_data.hpp"
#include "proximity/piece_bracket.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/broad_phase/motion_box.hpp"
#include "toccata/broad_phase/overlapping_pairs.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/motion/displacement_bound.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata::world {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// A gap of this share of the tolerance ends the search.
constexpr double target_share = 0.5;
constexpr int looks_at_watch = 16;
// Who touches is followed until it is proven to last for less than this share of what it was chosen for.
constexpr double fading_share = 0.125;
constexpr double smallest_limit = 1e-300;  // a limit of 0 would ask for nothing

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

TriangleMesh mesh_of(const Triangle& t) {
  return {{t[0], t[1], t[2]}, {{0, 1, 2}}};
}

// Two convex sets that a translation parts only if it is longer than `depth` overlap as long as no point of
// one has come nearer than that to any point of the other: what separates them later would be such a
// translation. Nearest points that are `distance` apart stay within reach as long as they part by no more
// than the rest.
double room_to_part(double distance, double depth, double reach) {
  return std::max(reach - distance, depth);
}

// A triangle of the deforming mesh and the whole other body.
class AgainstBody {
 public:
  AgainstBody(const DeformingBody& a, const SeenBody& b, double reach)
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

  Look look(std::size_t candidate, double t, double minimum) const {
    const std::size_t face = faces_[candidate];
    const Triangle corners = triangle_at(a_, face, t);
    const Pose pose = b_.motion->pose(t);
    const DistanceResult found = distance(mesh_of(corners), {b_.shape, pose});
    Look look;
    look.distance = found.distance;
    look.contact = found.contact;
    look.contact.feature_a.part = static_cast<std::int32_t>(face);
    look.smooth = b_.motion->next_breakpoint(t);
    const Vector3 n = normal_of(look.contact, pose);
    const Rates rates = rates_at(face, t, n);
    const double gap = found.lower_distance - rates.padding - minimum;
    if (gap > 0.0) look.step = rates.step(gap, rates.speed);
    // Two convex sets stay apart along the normal; of others any part may come near in any direction.
    if (!is_convex_) return look;
    double height = -infinite;
    for (const Vector3& x : corners) height = std::max(height, x.dot(n));
    const double gap_along = lowest_along(n, pose) - height - rates.padding - minimum;
    if (gap_along > 0.0) look.step = std::max(look.step, rates.step(gap_along, rates.along));
    return look;
  }

  // From t on they are proven within reach for so long; below 0: they are not at t.
  double lasting(std::size_t candidate, double t, double reach) const {
    const std::size_t face = faces_[candidate];
    const Triangle corners = triangle_at(a_, face, t);
    const Pose pose = b_.motion->pose(t);
    const DistanceResult found =
        distance(mesh_of(corners), {b_.shape, pose}, {.limit = 2.0 * reach + smallest_limit});
    if (!(found.distance <= reach)) return -1.0;
    const Rates rates = rates_at(face, t, -normal_of(found.contact, pose));
    double depth = 0.0;
    if (found.distance == 0.0) depth = penetration(mesh_of(corners), {b_.shape, pose}).lower_depth;
    const double room = room_to_part(found.distance, depth, reach) - rates.padding;
    if (!(room > 0.0)) return 0.0;
    // A corner leaves a half space only along its normal.
    const double rate = b_.shape.data().is_half_space() ? rates.along : rates.speed;
    return std::min(rates.step(room, rate), rates.smooth);
  }

  bool is_inside(double t) const {
    if (!b_.solid) return false;
    const Containment where = containment(Shape(mesh_at(a_, t)), {b_.shape, b_.motion->pose(t)});
    return where == Containment::Inside || where == Containment::Mixed;
  }
  Contact nearest_contact(double t) const {
    return distance(Shape(mesh_at(a_, t)), {b_.shape, b_.motion->pose(t)}).contact;
  }

 private:
  // How far a point of a triangle gets in the time d <= horizon, seen from the body, which then stands still:
  // at most rate d + curvature d^2 / 2, with the rate of its speed or of its velocity along a direction.
  struct Rates {
    double speed = 0.0;
    double along = -infinite;
    double curvature = 0.0;
    double horizon = 0.0;
    double smooth = 0.0;   // how long the motion is, at least the horizon
    double padding = 0.0;  // of places

    // Infinite: as long as the motion is smooth.
    double step(double room, double rate) const {
      const double step = conservative_step(room, rate, curvature);
      if (step < horizon) return step;
      return horizon < smooth ? horizon : infinite;
    }
  };

  // A point x with velocity v goes at v - velocity - w x (x - center), most at a corner. Let d = x - center,
  // u = v - velocity. Where the body's velocities are constant, it is at exp(-s [w]) (d + s u) in the body's
  // frame, whose second derivative is at most |w|^2 (|d| + s |u|) + 2 |w| |u|. Of any other motion: let z be
  // the point of the body that x will have reached. What x goes in the body's frame is z - x =
  // s (u - w x d) - s w x (z - x) - e, with e what the expansion leaves open at z. For s |w| <= 1/2 this is
  // at most s |u - w x d| + 2 s^2 |w| |u - w x d| + 2 |e|; the horizon is so short that |z - x| is at most
  // four times its part without z, which bounds how far z is from the centre.
  Rates rates_at(std::size_t face, double t, const Vector3& n) const {
    const Triangle corners = triangle_at(a_, face, t), velocity = velocities_of(a_, face);
    const Pose pose = b_.motion->pose(t);
    const double smooth = b_.motion->next_breakpoint(t);
    const MotionExpansion e = b_.motion->expansion(t, smooth);
    const double spin = e.angular_velocity.norm();
    Rates rates;
    double arm = 0.0, straight = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3 d = corners[i] - e.center, u = velocity[i] - e.velocity;
      const Vector3 relative = u - e.angular_velocity.cross(d);
      arm = std::max(arm, d.norm());
      straight = std::max(straight, u.norm());
      rates.speed = std::max(rates.speed, relative.norm());
      rates.along = std::max(rates.along, relative.dot(n));
    }
    const double lengths = size_ + e.center.norm() + pose.translation.norm() + b_.shape.data().center.norm();
    const double rounding = 1e-14 * (lengths + e.velocity.norm() + spin * arm);
    const double turning = e.spin_acceleration + e.axial_acceleration;
    double h = smooth - t;
    double slack = 0.0;
    if (e.steady) {
      const double farthest = arm + h * straight;
      slack = e.speed_slack + e.spin_slack * farthest + rounding;
      rates.curvature = e.acceleration + turning * farthest + 2.0 * spin * straight;
    } else {
      h = std::min({h, 0.5 / spin, 0.125 / e.spin_slack, 0.5 / std::sqrt(turning)});  // zero: no limit
      const double first = rates.speed + rounding + e.speed_slack + e.spin_slack * arm;
      const double farthest = arm + 4.0 * h * (first + 0.5 * h * (e.acceleration + turning * arm));
      slack = 2.0 * (e.speed_slack + e.spin_slack * farthest) + rounding;
      rates.curvature = 2.0 * (e.acceleration + turning * farthest) + 4.0 * spin * (rates.speed + rounding);
    }
    rates.speed += slack;
    rates.along += slack;
    rates.curvature *= 1.0 + 1e-14;
    rates.horizon = h;
    rates.smooth = smooth - t;
    const PoseError error = b_.motion->pose_error();
    rates.padding =
        error.translation + error.rotation * 4.0 * (lengths + arm) + 64.0 * unit_roundoff * (lengths + arm);
    return rates;
  }

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
  const SeenBody& b_;
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

  double lasting(std::size_t candidate, double t, double reach) const {
    const auto face_a = static_cast<std::size_t>(pairs_[candidate].first),
               face_b = static_cast<std::size_t>(pairs_[candidate].second);
    const Triangle a = triangle_at(a_, face_a, t), b = triangle_at(b_, face_b, t);
    const double apart = triangle_triangle_distance(a, b).distance;
    if (!(apart <= reach)) return -1.0;
    const double depth = apart == 0.0 ? penetration(mesh_of(a), mesh_of(b)).lower_depth : 0.0;
    const double room = room_to_part(apart, depth, reach) - 64.0 * unit_roundoff * size_;
    if (!(room > 0.0)) return 0.0;
    double speed = 0.0;
    for (const Vector3& v : velocities_of(a_, face_a)) {
      for (const Vector3& w : velocities_of(b_, face_b)) speed = std::max(speed, (v - w).norm());
    }
    return conservative_step(room, speed + 1e-14 * size_, 0.0);
  }

  // Both are surfaces.
  bool is_inside(double) const { return false; }
  Contact nearest_contact(double) const { return {}; }

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
class Search {
 public:
  Search(const Candidates& candidates, const DeformingQuestion& question)
      : candidates_(candidates),
        q_(question),
        minimum_(question.options.minimum_distance),
        reach_(minimum_ + question.tolerance),
        watch_(question.stop, looks_at_watch) {}

  FirstContactResult run() {
    FirstContactResult result = searched(q_.begin);
    if (q_.begin == 0.0 && result.status != Status::OverlapAtStart && result.status != Status::OutOfBudget &&
        candidates_.is_inside(0.0)) {
      result.status = Status::OverlapAtStart;
      result.inside = Inside::FirstInSecond;
      result.time = result.lower = result.upper = 0.0;
      result.contact = candidates_.nearest_contact(0.0);
      result.contacts = {result.contact};
      result.distance = result.contact.distance;
    }
    if (result.status == Status::OverlapAtStart && q_.options.at_start == AtStart::Skip)
      result = after_overlap(result);
    result.stats = stats_;
    result.minimum_distance = minimum_;
    return result;
  }

 private:
  bool is_out_of_budget() {
    return (q_.options.budget > 0 && stats_.steps >= q_.options.budget) || watch_.is_over();
  }

  static FirstContactResult out_of_budget_at(double t) {
    FirstContactResult result;
    result.status = Status::OutOfBudget;
    result.time = result.lower = t;
    return result;
  }

  FirstContactResult searched(double begin) {
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue;
    for (std::size_t i = 0; i < candidates_.size(); ++i) queue.push({begin, i});
    FirstContactResult result;
    const double target = minimum_ + target_share * q_.tolerance;
    while (!queue.empty()) {
      const Waiting next = queue.top();
      queue.pop();
      if (is_out_of_budget()) return out_of_budget_at(next.time);
      ++stats_.steps;
      const Look seen = candidates_.look(next.candidate, next.time, minimum_);
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

  struct Exit {
    double time = 1.0;  // they are apart then, or were followed until then
    bool is_apart = false;
    bool is_out_of_budget = false;
  };

  // Until when do they touch? One candidate that touches for long is followed until it fades; where none is
  // proven to last longer than the resolution, all are looked at again one resolution later.
  Exit followed(double t) {
    std::optional<std::size_t> witness;
    double chosen_for = 0.0;
    while (t < 1.0) {
      if (is_out_of_budget()) return {t, false, true};
      ++stats_.steps;
      double longest = witness ? candidates_.lasting(*witness, t, reach_) : -1.0;
      if (longest < std::max(tolerances::exit_resolution, fading_share * chosen_for)) {
        for (std::size_t i = 0; i < candidates_.size() && longest < 1.0 - t; ++i) {
          const double lasts = candidates_.lasting(i, t, reach_);
          if (lasts <= longest) continue;
          longest = lasts;
          witness = i;
        }
        if (longest < 0.0) return {t, true, false};
        chosen_for = longest;
      }
      t = longest > tolerances::exit_resolution ? next_down(t + longest) : t + tolerances::exit_resolution;
    }
    return {};
  }

  // Solids are left through their surfaces: contacts on the way belong to the overlap as long as one is
  // inside the other after them.
  FirstContactResult after_overlap(FirstContactResult start) {
    start.apart_from = 1.0;
    double t = 0.0;
    for (bool touching = start.inside == Inside::None;; touching = true) {
      if (touching) {
        const Exit exit = followed(t);
        if (exit.is_out_of_budget) {
          FirstContactResult ended = out_of_budget_at(exit.time);
          ended.apart_from = 1.0;
          return ended;
        }
        if (!exit.is_apart) return start;
        t = exit.time;
      }
      if (!candidates_.is_inside(t)) break;
      const FirstContactResult surface = searched(t);
      if (surface.status == Status::OutOfBudget) return surface;
      if (surface.status == Status::Separated) return start;
      t = surface.time;
    }
    FirstContactResult result = searched(t);
    result.apart_from = t;
    return result;
  }

  const Candidates& candidates_;
  const DeformingQuestion& q_;
  double minimum_;
  double reach_;
  SparseLook watch_;
  QueryStats stats_;
};

FirstContactResult asked(const DeformingBody& a, const SeenBody& b, const DeformingQuestion& question,
                         double reach) {
  FirstContactResult result = Search(AgainstBody(a, b, reach), question).run();
  result.pose_b = b.motion->pose(result.time);
  return result;
}

// Of (b, a), told of (a, b).
FirstContactResult exchanged(FirstContactResult found) {
  std::swap(found.pose_a, found.pose_b);
  for (Contact* contact : {&found.contact, found.contacts.empty() ? nullptr : &found.contacts[0]}) {
    if (contact == nullptr) continue;
    std::swap(contact->point_a, contact->point_b);
    std::swap(contact->feature_a, contact->feature_b);
    contact->normal = -contact->normal;
  }
  if (found.inside != Inside::None) found.inside = Inside::SecondInFirst;
  return found;
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

Aabb deforming_box(const DeformingBody& body, double from) {
  // Where a corner is in between is known to its roundings.
  const double error = from > 0.0 ? 8.0 * unit_roundoff * largest_coordinate(body) : 0.0;
  const Vector3 far = Vector3::Constant(infinite);
  Aabb box = {far, -far};
  for (const Face& face : body.mesh.faces) {
    for (const std::int32_t v : face) {
      const Vector3 start = corner_at(body, v, from), &end = body.positions_t1[static_cast<std::size_t>(v)];
      box.lower = box.lower.cwiseMin(start.cwiseMin(end));
      box.upper = box.upper.cwiseMax(start.cwiseMax(end));
    }
  }
  return grown(box, error);
}

FirstContactResult deforming_contact(const AskedBodies& bodies, const IndexPair& pair,
                                     const DeformingQuestion& question) {
  const DeformingBody *a = bodies.deforming(pair.first), *b = bodies.deforming(pair.second);
  const double reach = (question.options.minimum_distance + question.tolerance) * (1.0 + 1e-12);
  if (a != nullptr && b != nullptr) return Search(AgainstDeforming(*a, *b, reach), question).run();
  if (a != nullptr) return asked(*a, bodies[pair.second], question, reach);
  return exchanged(asked(*b, bodies[pair.first], question, reach));
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
