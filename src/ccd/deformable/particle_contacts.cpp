#include "toccata/ccd/deformable/particle_contacts.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <vector>

#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/hierarchy/shape.hpp"
#include "toccata/proximity/ray_cast.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata {
namespace {

struct Threads {
  std::span<const Vector3> points_t0, points_t1;
  std::vector<std::int32_t> first;  // of the strands; empty for particles
};

std::vector<Vector3> joined(std::span<const Vector3> a, std::span<const Vector3> b) {
  std::vector<Vector3> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// The strand, or particle, that a point belongs to.
std::size_t path_of(const Threads& threads, std::int32_t point) {
  if (threads.first.empty()) return static_cast<std::size_t>(point);
  return static_cast<std::size_t>(std::upper_bound(threads.first.begin(), threads.first.end(), point) -
                                  threads.first.begin() - 1);
}

class Question {
 public:
  Question(const Threads& threads, const DeformingMesh& mesh, const ParticleOptions& options)
      : threads_(threads), mesh_(mesh), options_(options) {}

  ParticleContacts answer() {
    result_.paths.resize(threads_.first.empty() ? threads_.points_t0.size() : threads_.first.size() - 1);
    if (threads_.points_t0.size() != threads_.points_t1.size() ||
        mesh_.vertices_t0.size() != mesh_.vertices_t1.size()) {
      result_.failure = "as many points are needed at t = 0 as at t = 1";
      return std::move(result_);
    }
    DeformableSceneOptions scene_options;
    scene_options.threads = options_.threads;
    const auto vertices = static_cast<std::int32_t>(mesh_.vertices_t0.size());
    Expected<DeformableScene> scene = DeformableScene::build(
        {DeformableObject(vertices, {mesh_.faces.begin(), mesh_.faces.end()}),
         DeformableObject(static_cast<std::int32_t>(threads_.points_t0.size()), {}, wires())},
        scene_options);
    if (!scene) return failed(scene.error().message);
    const Expected<UpdateReport> updated = scene->update(joined(mesh_.vertices_t0, threads_.points_t0),
                                                         joined(mesh_.vertices_t1, threads_.points_t1));
    if (!updated) return failed(updated.error().message);
    DeformableOptions asked;
    asked.scope = PairScope::BetweenObjects;
    asked.minimum_distance = options_.minimum_distance;
    asked.threads = options_.threads;
    asked.stop = options_.stop;
    const DeformableContacts found = scene->all_contacts(asked);
    if (found.status == Status::Failed) return failed(found.failure);
    for (const DeformableContact& c : found.contacts) take(*scene, c);
    // What was not looked at to the end has no answer.
    if (found.status == Status::OutOfBudget) {
      for (ParticleContact& path : result_.paths) {
        if (path.status == Status::Separated) path = out_of_budget();
      }
    }
    report_start();
    result_.steps = static_cast<std::int64_t>(found.contacts.size());
    for (const ParticleContact& path : result_.paths)
      result_.contacts += path.status == Status::Contact || path.status == Status::OverlapAtStart;
    return std::move(result_);
  }

 private:
  ParticleContacts failed(std::string why) {
    ParticleContacts result;
    result.failure = std::move(why);
    return result;
  }
  static ParticleContact out_of_budget() {
    ParticleContact contact;
    contact.status = Status::OutOfBudget;
    contact.time = 0.0;
    return contact;
  }

  std::vector<Edge> wires() const {
    std::vector<Edge> wires;
    for (std::size_t i = 0; i + 1 < threads_.first.size(); ++i) {
      for (std::int32_t k = threads_.first[i]; k + 1 < threads_.first[i + 1]; ++k)
        wires.push_back({k, k + 1});
    }
    return wires;
  }

  // A contact is between a vertex of one and a face of the other, or two edges; those of one path compete.
  void take(const DeformableScene& scene, const DeformableContact& found) {
    const std::int32_t vertices = static_cast<std::int32_t>(mesh_.vertices_t0.size());
    const FeaturePair& pair = found.pair;
    ParticleContact contact;
    contact.status = found.impact.status;
    contact.time = found.impact.time;
    contact.point = contact.body_point = found.impact.point;
    contact.distance = options_.minimum_distance;
    std::int32_t point = 0;
    bool is_first = true;  // the first feature is the particle's
    if (pair.kind == FeaturePairKind::EdgeEdge) {
      is_first = scene.object_of_edge(pair.first) == 1;
      const std::int32_t mine = is_first ? pair.first : pair.second;
      point = scene.edges()[static_cast<std::size_t>(mine)][0] - vertices;
      contact.parameter = found.impact.weights[is_first ? 1 : 3];
      contact.feature = {FeatureKind::Edge, is_first ? pair.second : pair.first, 0};
    } else {
      // Wires have no faces: the vertex is the particle's, or a wire's end met by the mesh's vertex.
      is_first = scene.object_of_vertex(pair.first) == 1;
      if (pair.kind == FeaturePairKind::VertexFace) {
        point = pair.first - vertices;
        contact.feature = {FeatureKind::Face, pair.second, 0};
      } else if (pair.kind == FeaturePairKind::VertexEdge) {
        point = is_first ? pair.first - vertices
                         : scene.edges()[static_cast<std::size_t>(pair.second)][0] - vertices;
        contact.feature = is_first ? Feature{FeatureKind::Edge, pair.second, 0}
                                   : Feature{FeatureKind::Vertex, pair.first, 0};
        if (!is_first) contact.parameter = found.impact.weights[2];
      } else {
        point = (is_first ? pair.first : pair.second) - vertices;
        contact.feature = {FeatureKind::Vertex, is_first ? pair.second : pair.first, 0};
      }
    }
    // The impact's normal leads from the first feature to the second; ours away from the body.
    contact.normal = is_first ? Vector3(-found.impact.normal) : found.impact.normal;
    const std::size_t path = path_of(threads_, point);
    if (!threads_.first.empty()) {
      contact.segment = point - threads_.first[path];
      const std::int32_t last = threads_.first[path + 1] - threads_.first[path] - 1;
      if (contact.segment == last && last > 0) {
        --contact.segment;
        contact.parameter = 1.0;
      }
    }
    ParticleContact& best = result_.paths[path];
    if (best.status == Status::Separated || contact.time < best.time) best = contact;
  }

  // Segments that run through a face at the start: none of their features touches one of the mesh.
  void report_pierced(const Shape& shape) {
    for (std::size_t path = 0; path + 1 < threads_.first.size(); ++path) {
      for (std::int32_t k = threads_.first[path]; k + 1 < threads_.first[path + 1]; ++k) {
        const Vector3& from = threads_.points_t0[static_cast<std::size_t>(k)];
        const Vector3& to = threads_.points_t0[static_cast<std::size_t>(k + 1)];
        if (result_.paths[path].status == Status::OverlapAtStart) break;
        const RayCastResult hit = ray_cast(shape, {from, to - from}, {.limit = 1.0});
        if (!hit.hit) continue;
        result_.paths[path] = {.status = Status::OverlapAtStart,
                               .time = 0.0,
                               .point = hit.point,
                               .body_point = hit.point,
                               .normal = hit.normal,
                               .feature = {FeatureKind::Face, hit.triangle, 0},
                               .segment = k - threads_.first[path],
                               .parameter = hit.parameter};
      }
    }
  }

  // Of the mesh at the start: who runs through it, and, if it is closed, who is inside.
  void report_start() {
    TriangleMesh start{{mesh_.vertices_t0.begin(), mesh_.vertices_t0.end()},
                       {mesh_.faces.begin(), mesh_.faces.end()}};
    const Expected<Shape> shape = Shape::build(std::move(start));
    if (!shape) return;
    report_pierced(*shape);
    if (!options_.solid || !shape->is_closed()) return;
    SignedDistanceOptions asked;
    asked.threads = options_.threads;
    const SignedDistances found = signed_distances(threads_.points_t0, *shape, asked);
    for (std::size_t i = 0; i < found.points.size(); ++i) {
      const SignedDistance& d = found.points[i];
      if (d.side != Containment::Inside) continue;
      const std::size_t path = path_of(threads_, static_cast<std::int32_t>(i));
      ParticleContact& best = result_.paths[path];
      if (best.status == Status::OverlapAtStart && best.distance <= d.distance) continue;
      best = {.status = Status::OverlapAtStart,
              .time = 0.0,
              .distance = d.distance,
              .point = threads_.points_t0[i],
              .body_point = d.point,
              .normal = d.normal,
              .feature = {FeatureKind::Face, d.feature.part, 0}};
      if (threads_.first.empty()) continue;
      best.segment = static_cast<std::int32_t>(i) - threads_.first[path];
      if (best.segment > 0 && best.segment + 1 == threads_.first[path + 1] - threads_.first[path]) {
        --best.segment;
        best.parameter = 1.0;
      }
    }
  }

  const Threads& threads_;
  const DeformingMesh& mesh_;
  const ParticleOptions& options_;
  ParticleContacts result_;
};

}  // namespace

ParticleContacts first_contacts(const PointPaths& particles, const DeformingMesh& mesh,
                                const ParticleOptions& options) {
  const Threads threads{particles.points_t0, particles.points_t1, {}};
  return Question(threads, mesh, options).answer();
}

ParticleContacts first_contacts(const StrandPaths& strands, const DeformingMesh& mesh,
                                const ParticleOptions& options) {
  if (!strands.strands_t0.is_valid()) {
    ParticleContacts result;
    result.failure = "the strands' first points do not run from 0 to the number of points";
    return result;
  }
  const Threads threads{strands.strands_t0.points, strands.points_t1, strands.strands_t0.first};
  return Question(threads, mesh, options).answer();
}

}  // namespace toccata
