#include "toccata/ccd/medial/medial_contacts.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/broad_phase/overlapping_pairs.hpp"

namespace toccata {
namespace {

constexpr std::size_t block = 64;

struct Moving {
  std::int32_t object, primitive;
  MedialPrimitive balls;
  MovingBallHull hull;
};

BallHull hull_of(const MedialMesh& mesh, const MedialPrimitive& primitive) {
  BallHull hull;
  hull.count = 0;
  for (const std::int32_t ball : primitive) {
    if (ball < 0) continue;
    const auto k = static_cast<std::size_t>(hull.count++);
    hull.center[k] = mesh.centers[static_cast<std::size_t>(ball)];
    hull.radius[k] = mesh.radii[static_cast<std::size_t>(ball)];
  }
  return hull;
}

// All places of a straight motion are in the hull of both ends.
Aabb swept_box(const MovingBallHull& hull, double margin) {
  Aabb box = {Vector3::Constant(std::numeric_limits<double>::infinity()),
              Vector3::Constant(-std::numeric_limits<double>::infinity())};
  for (const BallHull* end : {&hull.t0, &hull.t1}) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(end->count); ++i) {
      box.lower = box.lower.cwiseMin((end->center[i].array() - end->radius[i]).matrix());
      box.upper = box.upper.cwiseMax((end->center[i].array() + end->radius[i]).matrix());
    }
  }
  return grown(box, margin);
}

std::string failure_of(std::span<const MovingMedialMesh> objects, const MedialContactsOptions& options) {
  if (!(options.tolerance >= 0.0)) return "tolerance must be at least 0";
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::string name = "object " + std::to_string(i) + ": ";
    for (const MedialMesh* mesh : {&objects[i].t0, &objects[i].t1}) {
      if (const auto failure = toccata::failure_of(*mesh)) return name + *failure;
    }
    if (objects[i].t0.cones != objects[i].t1.cones || objects[i].t0.slabs != objects[i].t1.slabs ||
        objects[i].t0.centers.size() != objects[i].t1.centers.size())
      return name + "it must have the same primitives and as many balls at both ends of the step";
  }
  return {};
}

bool share_a_ball(const MedialPrimitive& a, const MedialPrimitive& b) {
  for (const std::int32_t ball : a) {
    if (ball >= 0 && std::find(b.begin(), b.end(), ball) != b.end()) return true;
  }
  return false;
}

class Step {
 public:
  Step(std::span<const MovingMedialMesh> objects, const MedialContactsOptions& options) : options_(options) {
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const std::vector<MedialPrimitive> primitives = medial_primitives(objects[i].t0);
      for (std::size_t k = 0; k < primitives.size(); ++k) {
        moving_.push_back({static_cast<std::int32_t>(i),
                           static_cast<std::int32_t>(k),
                           primitives[k],
                           {hull_of(objects[i].t0, primitives[k]), hull_of(objects[i].t1, primitives[k])}});
      }
    }
  }

  MedialContactsResult run() {
    result_.primitives = static_cast<std::int64_t>(moving_.size());
    const std::vector<IndexPair> pairs = candidate_pairs();
    result_.tested_pairs = static_cast<std::int64_t>(pairs.size());
    std::vector<BallHullImpact> impacts(pairs.size());
    parallel_blocks(pairs.size(), block, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        impacts[i] = ball_hull_impact(moving_at(pairs[i].first).hull, moving_at(pairs[i].second).hull,
                                      {.tolerance = options_.tolerance});
      }
    });
    for (std::size_t i = 0; i < pairs.size(); ++i) add(pairs[i], impacts[i]);
    std::sort(result_.contacts.begin(), result_.contacts.end(),
              [](const MedialContact& x, const MedialContact& y) {
                return std::tuple(x.impact.lower, x.object_a, x.primitive_a, x.object_b, x.primitive_b) <
                       std::tuple(y.impact.lower, y.object_a, y.primitive_a, y.object_b, y.primitive_b);
              });
    if (options_.first_only && result_.contacts.size() > 1) result_.contacts.resize(1);
    if (!result_.contacts.empty()) {
      result_.status = result_.contacts[0].impact.status;
      for (const MedialContact& contact : result_.contacts) {
        if (contact.impact.status == Status::OutOfBudget) result_.status = Status::OutOfBudget;
      }
    }
    return std::move(result_);
  }

 private:
  const Moving& moving_at(std::int32_t i) const { return moving_[static_cast<std::size_t>(i)]; }

  bool is_asked(std::int32_t first, std::int32_t second) const {
    const Moving &a = moving_at(first), &b = moving_at(second);
    if (a.object != b.object) return options_.between;
    return options_.self && !share_a_ball(a.balls, b.balls);
  }

  std::vector<IndexPair> candidate_pairs() {
    const auto count = static_cast<std::int32_t>(moving_.size());
    std::vector<IndexPair> asked;
    for (std::int32_t i = 0; i < count; ++i) {
      for (std::int32_t k = i + 1; k < count; ++k) {
        if (!is_asked(i, k)) continue;
        ++result_.possible_pairs;
        if (!options_.boxes) asked.push_back({i, k});
      }
    }
    if (!options_.boxes) return asked;
    double lengths = 0.0;
    std::vector<Aabb> boxes;
    for (const Moving& m : moving_) {
      boxes.push_back(swept_box(m.hull, 0.0));
      lengths = std::max({lengths, boxes.back().lower.norm(), boxes.back().upper.norm()});
    }
    // Whoever comes within the tolerance is reported: half of it to every side, and some roundings.
    const double tolerance = options_.tolerance > 0.0 ? options_.tolerance : 4e-9 * lengths;
    for (Aabb& box : boxes) box = grown(box, tolerance + 64.0 * unit_roundoff * lengths);
    for (const IndexPair& pair : overlapping_pairs(boxes, {.threads = options_.threads})) {
      if (is_asked(pair.first, pair.second)) asked.push_back(pair);
    }
    return asked;
  }

  void add(const IndexPair& pair, const BallHullImpact& impact) {
    if (impact.status == Status::Separated) return;
    const Moving &a = moving_at(pair.first), &b = moving_at(pair.second);
    if (a.object == b.object && impact.status == Status::OverlapAtStart) {
      ++result_.neighbours_at_start;
      return;
    }
    result_.contacts.push_back({a.object, a.primitive, b.object, b.primitive, impact});
  }

  const MedialContactsOptions& options_;
  std::vector<Moving> moving_;
  MedialContactsResult result_;
};

}  // namespace

MedialContactsResult medial_contacts(std::span<const MovingMedialMesh> objects,
                                     const MedialContactsOptions& options) {
  if (std::string failure = failure_of(objects, options); !failure.empty()) {
    MedialContactsResult result;
    result.status = Status::Failed;
    result.failure = std::move(failure);
    return result;
  }
  return Step(objects, options).run();
}

}  // namespace toccata
