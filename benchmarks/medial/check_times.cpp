// Times of contact of proxies against those of the triangles: outer <= truth <= inner, free motions too.
#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>

#include "bodies.hpp"
#include "groups.hpp"
#include "scenes/parts.hpp"
#include "scenes/soft_bodies.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/ccd/medial/medial_contacts.hpp"
#include "toccata/ccd/rigid/proxy_contact.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/proximity/enclosure.hpp"

namespace toccata::bench {
namespace {

TriangleMesh turned_inside_out(TriangleMesh mesh) {
  for (Face& f : mesh.faces) std::swap(f[1], f[2]);
  return mesh;
}

std::vector<TriangleMesh> bodies() {
  std::vector<TriangleMesh> all = {
      scenes::torus_knot({.along = 60, .around = 8}),
      scenes::gear(9, 4, 2),
      scenes::soft_bodies("tori", 0.0)[0],
      scenes::soft_bodies("hearts", 0.0)[0],
      display_mesh(Box{{0.5, 0.4, 0.3}}),
      display_mesh(Box{{0.5, 0.5, 0.01}}),  // a plate
      display_mesh(Cone{0.4, 0.8}),
      turned_inside_out(display_mesh(Ellipsoid{{0.5, 0.3, 0.2}})),
  };
  for (TriangleMesh& mesh : all) mesh = in_unit_box(mesh);
  return all;
}

struct Count {
  int contacts = 0, free = 0, proven_free = 0, with_inner = 0, at_start = 0, violations = 0;

  void print(const char* what) const {
    std::printf("%s,%d,%d,%d,%d,%d,%d,%d\n", what, contacts + free + at_start, contacts, free, proven_free,
                with_inner, at_start, violations);
    std::fflush(stdout);
  }
};

Pose random_pose(Random& random, double reach) {
  const Eigen::Quaterniond turn(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                                random.uniform(-1, 1));
  Pose pose;
  pose.rotation = turn.normalized().toRotationMatrix();
  pose.translation = reach * random.on_sphere();
  return pose;
}

void check_rigid(const ProxyShape& a, const ProxyShape& b, Random& random, Count& count) {
  const OwnedMotion motion(
      RigidMotion(random_pose(random, 1.8), random_pose(random, random.uniform(0.0, 1.6))));
  const FirstContactResult truth = first_contact(Body{a.mesh(), motion}, Body{b.mesh()});
  const ProxyContactResult found = first_contact(ProxyBody{a, motion}, ProxyBody{b});
  if (truth.status == Status::OverlapAtStart) {
    ++count.at_start;
    count.violations += found.contact.status == Status::OverlapAtStart ? 0 : 1;
    return;
  }
  const bool outer_touches =
      found.contact.status == Status::Contact || found.contact.status == Status::OverlapAtStart;
  if (truth.status == Status::Separated) {
    ++count.free;
    count.proven_free += found.contact.status == Status::Separated ? 1 : 0;
    count.violations += found.inner_time < 1.0 ? 1 : 0;
    return;
  }
  ++count.contacts;
  count.with_inner += found.inner_time < 1.0 ? 1 : 0;
  const bool holds = truth.status == Status::Contact && outer_touches && found.outer_time <= truth.upper &&
                     found.inner_time >= truth.lower;
  if (!holds) {
    ++count.violations;
    std::fprintf(stderr, "violation: outer %.17g truth [%.17g, %.17g] inner %.17g\n", found.outer_time,
                 truth.lower, truth.upper, found.inner_time);
  }
}

// A body that goes from its shape to an affine image of it, with some noise.
struct Deforming {
  TriangleMesh t0, t1;
  MovingMedialMesh outer, inner;
};

// Inside: the map at t is I + t E, so that a ball of radius r in the solid becomes a set that holds one of
// (1 - t |E|) r; noise of the vertices takes t times it away. Both are linear in t.
Expected<Deforming> deforming(const TriangleMesh& mesh, const MedialProxy& proxy, const Vector3& from,
                              const Vector3& way, Random& random) {
  constexpr double noise = 0.01;
  Matrix3 change;
  for (int k = 0; k < 9; ++k) change(k / 3, k % 3) = random.uniform(-0.2, 0.2);
  const double strength = change.norm();
  Deforming body;
  body.t0 = body.t1 = mesh;
  for (Vector3& v : body.t0.vertices) v += from;
  for (Vector3& v : body.t1.vertices) v += change * v + from + way + noise * random.on_sphere();
  MedialMesh start = proxy.outer, end = proxy.outer;
  for (Vector3& c : start.centers) c += from;
  for (Vector3& c : end.centers) c += change * c + from + way;
  const EnclosureOptions options = {.finest = 0.02, .threads = 1};
  const Expected<DilatedMedialMesh> grown = dilated_to_enclose_step(body.t0, body.t1, start, end, options);
  if (!grown) return grown.error();
  for (std::size_t i = 0; i < end.radii.size(); ++i) end.radii[i] += grown->dilations[i];
  body.outer = {grown->mesh, end};
  if (!encloses_step(body.t0, body.t1, grown->mesh, end, options).holds)
    return Error{"the step is not enclosed"};
  for (std::size_t i = 0; i < proxy.inner.centers.size(); ++i) {
    const double r = proxy.inner.radii[i], r1 = (1.0 - strength) * r - noise - 1e-12;
    if (!(r1 > 0.0)) continue;
    const Vector3& c = proxy.inner.centers[i];
    body.inner.t0.centers.push_back(c + from);
    body.inner.t0.radii.push_back(r - 1e-12);
    body.inner.t1.centers.push_back(c + change * c + from + way);
    body.inner.t1.radii.push_back(r1);
  }
  return body;
}

void check_deforming(const Deforming& a, const Deforming& b, Count& count) {
  Expected<DeformableScene> scene = DeformableScene::build({a.t0, b.t0}, {.threads = 1});
  std::vector<Vector3> t0 = a.t0.vertices, t1 = a.t1.vertices;
  t0.insert(t0.end(), b.t0.vertices.begin(), b.t0.vertices.end());
  t1.insert(t1.end(), b.t1.vertices.begin(), b.t1.vertices.end());
  if (!scene || !scene->update(t0, t1)) {
    ++count.violations;
    return;
  }
  DeformableOptions options;
  options.scope = PairScope::BetweenObjects;
  options.threads = 1;
  const FirstContactResult truth = scene->first_contact(options);
  const MedialContactsOptions first = {.self = false, .first_only = true, .threads = 1};
  const std::vector<MovingMedialMesh> outer = {a.outer, b.outer}, inner = {a.inner, b.inner};
  const MedialContactsResult before = medial_contacts(outer, first);
  MedialContactsResult after;
  if (!a.inner.t0.centers.empty() && !b.inner.t0.centers.empty()) after = medial_contacts(inner, first);
  const bool outer_touches = !before.contacts.empty();
  const bool inner_touches = !after.contacts.empty() && after.contacts[0].impact.upper < 1.0;
  if (truth.status == Status::Separated) {
    ++count.free;
    count.proven_free += before.status == Status::Separated ? 1 : 0;
    count.violations += inner_touches ? 1 : 0;
    return;
  }
  ++count.contacts;
  count.with_inner += inner_touches ? 1 : 0;
  const bool holds = outer_touches && before.contacts[0].impact.lower <= truth.upper &&
                     (!inner_touches || after.contacts[0].impact.upper >= truth.lower);
  if (!holds) {
    ++count.violations;
    std::fprintf(stderr, "violation: outer %.17g truth [%.17g, %.17g] inner %.17g\n",
                 outer_touches ? before.contacts[0].impact.lower : 2.0, truth.lower, truth.upper,
                 inner_touches ? after.contacts[0].impact.upper : 1.0);
  }
}

}  // namespace

int check_times(int rigid, int steps, std::uint64_t seed) {
  const std::vector<TriangleMesh> meshes = bodies();
  const std::size_t n = meshes.size();
  std::vector<MedialProxy> coarse, fine;
  std::vector<ProxyShape> shapes;
  for (const double error : {0.1, 0.04}) {
    for (const TriangleMesh& mesh : meshes) {
      const Shape shape(mesh);
      Expected<MedialProxy> proxy = medial_proxy(shape, {.error = error, .threads = 1});
      if (!proxy) {
        std::fprintf(stderr, "bench_medial: %s\n", proxy.error().message.c_str());
        return 1;
      }
      shapes.emplace_back(shape, *proxy);
      (error > 0.05 ? coarse : fine).push_back(std::move(*proxy));
    }
  }
  Random random(seed);
  std::printf("what,motions,contacts,free,proven_free,with_inner,overlap_at_start,violations\n");
  Count moving, changing;
  for (int i = 0; i < rigid; ++i) {
    const auto a = static_cast<std::size_t>(random.integer(0, static_cast<int>(shapes.size()) - 1));
    const auto b = static_cast<std::size_t>(random.integer(0, static_cast<int>(shapes.size()) - 1));
    check_rigid(shapes[a], shapes[b], random, moving);
    if ((i + 1) % 1000 == 0) moving.print("rigid so far");
  }
  for (int i = 0; i < steps; ++i) {
    const auto a = static_cast<std::size_t>(random.integer(0, static_cast<int>(n) - 1));
    const auto b = static_cast<std::size_t>(random.integer(0, static_cast<int>(n) - 1));
    const std::vector<MedialProxy>& proxies = i % 2 == 0 ? coarse : fine;
    const Vector3 from = 1.8 * random.on_sphere();
    const Vector3 to = random.uniform(0.0, 1.6) * random.on_sphere();
    const Expected<Deforming> moves = deforming(meshes[a], proxies[a], from, to - from, random);
    const Expected<Deforming> stays =
        deforming(meshes[b], proxies[b], Vector3::Zero(), Vector3::Zero(), random);
    if (!moves || !stays) {
      std::fprintf(stderr, "violation: %s\n", (moves ? stays : moves).error().message.c_str());
      ++changing.violations;
      continue;
    }
    check_deforming(*moves, *stays, changing);
    if ((i + 1) % 200 == 0) changing.print("deforming so far");
  }
  moving.print("rigid");
  changing.print("deforming");
  return moving.violations + changing.violations > 0 ? 1 : 0;
}

}  // namespace toccata::bench
