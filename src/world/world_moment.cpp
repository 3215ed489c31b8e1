#include <algorithm>
#include <cmath>
#include <limits>

#include "toccata/base/parallel.hpp"
#include "toccata/broad_phase/motion_box.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/ray_cast.hpp"
#include "world/world_state.hpp"

namespace toccata {

using world::SeenBody;

struct WorldMoment::Snapshot {
  struct Placed {
    std::int32_t id;
    PlacedShape shape;
    bool solid;
    PairFilter filter;
  };
  std::vector<Placed> bodies;  // by id
  std::vector<Aabb> boxes;     // of the same
  std::set<IndexPair> switched_off;
};

namespace {

// Solids of which one is inside the other. Their surfaces are known to be apart.
Inside inside_of(const PlacedShape& a, bool solid_a, const PlacedShape& b, bool solid_b) {
  const auto is_in = [](const PlacedShape& inner, const PlacedShape& outer) {
    const Containment where = containment(inner, outer);
    return where == Containment::Inside || where == Containment::Mixed;
  };
  if (solid_b && is_in(a, b)) return Inside::FirstInSecond;
  if (solid_a && is_in(b, a)) return Inside::SecondInFirst;
  return Inside::None;
}

// Where the ray enters the box at the earliest, or infinity. Conservative: a share of the lengths wider.
double ray_entry(const Ray& ray, const Aabb& box) {
  double enter = 0.0, leave = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const double slack = 1e-12 * (std::abs(ray.origin[k]) + std::abs(box.lower[k]) + std::abs(box.upper[k]));
    const double low = box.lower[k] - slack - ray.origin[k], high = box.upper[k] + slack - ray.origin[k];
    const double d = ray.direction[k];
    if (d == 0.0) {
      if (low > 0.0 || high < 0.0) return std::numeric_limits<double>::infinity();
      continue;
    }
    const double t0 = d > 0.0 ? low / d : high / d, t1 = d > 0.0 ? high / d : low / d;
    if (t0 > enter) enter = t0 * (1.0 - 1e-12);
    if (t1 < leave) leave = t1 * (1.0 + 1e-12);
  }
  return enter <= leave ? enter : std::numeric_limits<double>::infinity();
}

// The bodies by a lower bound of something, nearest first.
struct Bounded {
  double bound;
  std::size_t place;
  bool operator<(const Bounded& other) const {
    return bound != other.bound ? bound < other.bound : place < other.place;
  }
};

}  // namespace

WorldMoment World::at(double t) const {
  auto snapshot = std::make_shared<WorldMoment::Snapshot>();
  const double moment = std::clamp(t, 0.0, 1.0);
  for (const std::int32_t id : ids()) {
    const SeenBody b = state_->bodies[static_cast<std::size_t>(id)].seen();
    const PairFilter filter = state_->filter_of(id);
    if (const DeformingBody* deforms = deforming(id)) {
      const Shape shape(mesh_at(*deforms, moment));
      snapshot->boxes.push_back(pose_box(shape, Pose()));
      snapshot->bodies.push_back({id, PlacedShape(shape, Pose()), false, filter});
      continue;
    }
    snapshot->bodies.push_back({id, PlacedShape(b.shape, b.motion->pose(moment)), b.solid, filter});
    snapshot->boxes.push_back(motion_box(b.shape, *b.motion, moment, moment));
  }
  snapshot->switched_off = state_->switched_off;
  return WorldMoment(std::move(snapshot));
}

std::vector<NearBodies> WorldMoment::near_pairs(double distance_limit, int threads) const {
  std::vector<Aabb> boxes;
  boxes.reserve(snapshot_->boxes.size());
  for (const Aabb& box : snapshot_->boxes) boxes.push_back(grown(box, 0.5 * distance_limit));
  const std::vector<IndexPair> pairs = overlapping_pairs(boxes, {PairMethod::Rows, threads});
  std::vector<std::optional<NearBodies>> found(pairs.size());
  parallel_blocks(pairs.size(), 16, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& a = snapshot_->bodies[static_cast<std::size_t>(pairs[i].first)];
      const auto& b = snapshot_->bodies[static_cast<std::size_t>(pairs[i].second)];
      if (!may_meet(a.filter, b.filter) || snapshot_->switched_off.contains({a.id, b.id})) continue;
      NearBodies near{a.id, b.id, 0.0, Inside::None, {}};
      const DistanceResult apart =
          distance(a.shape, b.shape,
                   {.limit = std::nextafter(distance_limit, std::numeric_limits<double>::infinity())});
      if (apart.distance > 0.0 && (a.solid || b.solid))
        near.inside = inside_of(a.shape, a.solid, b.shape, b.solid);
      if (near.inside == Inside::None) {
        if (!(apart.distance <= distance_limit)) continue;
        near.distance = apart.distance;
        near.contact = apart.contact;
      } else {
        near.contact = distance(a.shape, b.shape).contact;
      }
      found[i] = near;
    }
  });
  std::vector<NearBodies> result;
  for (const auto& near : found) {
    if (near) result.push_back(*near);
  }
  return result;
}

std::vector<NearBodies> WorldMoment::touching(int threads) const {
  return near_pairs(0.0, threads);
}

std::vector<NearBodies> WorldMoment::within(double distance_limit, int threads) const {
  if (!(distance_limit >= 0.0)) return {};
  return near_pairs(distance_limit, threads);
}

NearestBody WorldMoment::nearest(const PlacedShape& shape) const {
  const Aabb own = motion_box(shape.shape, RigidMotion::fixed(shape.pose));
  std::vector<Bounded> order;
  for (std::size_t i = 0; i < snapshot_->boxes.size(); ++i)
    order.push_back({lower_distance(own, snapshot_->boxes[i]), i});
  std::sort(order.begin(), order.end());
  NearestBody best;
  best.distance = std::numeric_limits<double>::infinity();
  for (const Bounded& next : order) {
    if (next.bound > best.distance) break;
    const auto& other = snapshot_->bodies[next.place];
    DistanceOptions options;
    options.limit = std::nextafter(best.distance, std::numeric_limits<double>::infinity());
    DistanceResult apart = distance(shape, other.shape, options);
    if (apart.distance > 0.0 && other.solid && inside_of(shape, false, other.shape, true) != Inside::None) {
      if (!std::isfinite(apart.distance)) apart = distance(shape, other.shape);
      apart.distance = 0.0;
    }
    if (apart.distance < best.distance || (apart.distance == best.distance && other.id < best.body))
      best = {other.id, apart.distance, apart.contact};
  }
  return best;
}

NearestBody WorldMoment::nearest(const Vector3& point) const {
  return nearest(TriangleMesh{{point}, {{0, 0, 0}}});
}

WorldRayHit WorldMoment::ray_cast(const Ray& ray) const {
  std::vector<Bounded> order;
  for (std::size_t i = 0; i < snapshot_->boxes.size(); ++i) {
    const double entry = ray_entry(ray, snapshot_->boxes[i]);
    if (std::isfinite(entry)) order.push_back({entry, i});
  }
  std::sort(order.begin(), order.end());
  WorldRayHit best;
  best.parameter = std::numeric_limits<double>::infinity();
  for (const Bounded& next : order) {
    if (next.bound > best.parameter) break;
    const auto& other = snapshot_->bodies[next.place];
    const RayCastResult hit = toccata::ray_cast(other.shape, ray, {best.parameter});
    if (!hit.hit || hit.parameter > best.parameter ||
        (hit.parameter == best.parameter && other.id > best.body))
      continue;
    best = {other.id, hit.parameter, hit.point, hit.normal};
  }
  if (best.body < 0) best.parameter = 0.0;
  return best;
}

}  // namespace toccata
