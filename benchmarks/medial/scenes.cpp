// Tables 1 and 2: many bodies on thin pillars, two dinosaurs, rings on an elk (for the paper's spider).
// Bodies move along given paths, with straight lines between frames; nothing bounces: what is timed is the
// detection.
#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <deque>
#include <vector>

#include "bodies.hpp"
#include "groups.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/medial/medial_contacts.hpp"

namespace toccata::bench {
namespace {

constexpr int frames = 24;

struct Moving {
  MedialMesh mesh;
  Pose start;
  Vector3 way = Vector3::Zero();   // over all frames
  Vector3 turn = Vector3::Zero();  // axis times angle over all frames

  MedialMesh at(double t) const {
    const double angle = turn.norm();
    Matrix3 turned = Matrix3::Identity();
    if (angle > 0.0) turned = Eigen::AngleAxisd(t * angle, turn / angle).toRotationMatrix();
    MedialMesh placed = mesh;
    for (Vector3& c : placed.centers) c = turned * (start.rotation * c) + start.translation + t * way;
    return placed;
  }
};

struct Scene {
  const char* name;
  std::vector<Moving> bodies;
  std::size_t triangles = 0;
  double seconds = 0.0;  // to make the proxies
};

const MedialMesh* add_proxy(Scene& scene, std::deque<std::pair<std::string, MedialMesh>>& made,
                            const std::string& folder, const std::string& name, int primitives) {
  const auto mesh = body(folder, name);
  if (!mesh) return nullptr;
  scene.triangles += mesh->faces.size();
  for (const auto& [known, proxy] : made) {
    if (known == name) return &proxy;
  }
  const double begin = cpu_seconds();
  const Expected<MedialProxy> proxy = medial_proxy(Shape(*mesh), {.primitives = primitives});
  scene.seconds += cpu_seconds() - begin;
  if (!proxy) return nullptr;
  made.emplace_back(name, proxy->outer);
  return &made.back().second;
}

Scene bodies_on_pillars(const std::string& folder) {
  Scene scene = {"bodies on pillars", {}};
  std::deque<std::pair<std::string, MedialMesh>> made;
  Random random(2);
  int i = 0;
  for (const char* name :
       {"bear", "elephant", "camel", "bull", "homer", "elk", "dino", "bear", "camel", "cow"}) {
    const MedialMesh* proxy = add_proxy(scene, made, folder, name, 200);
    if (proxy == nullptr) continue;
    Moving moving;
    moving.mesh = *proxy;
    moving.start.translation = {1.1 * (i % 3), 1.1 * (i / 3), 1.7 + 0.3 * random.unit()};
    moving.way = {0.3 * random.uniform(-1, 1), 0.3 * random.uniform(-1, 1), -1.5};
    moving.turn = random.uniform(0.0, 3.0) * random.on_sphere();
    scene.bodies.push_back(moving);
    ++i;
  }
  for (int k = 0; k < 49; ++k) {  // thin pillars: a cone each
    Moving pillar;
    const double x = 0.6 * (k % 7) - 0.7, y = 0.6 * (k / 7) - 0.7;
    pillar.mesh.centers = {{x, y, 0.0}, {x, y, 0.8}};
    pillar.mesh.radii = {0.01, 0.002};
    pillar.mesh.cones = {{0, 1}};
    scene.bodies.push_back(pillar);
    scene.triangles += 24;
  }
  return scene;
}

Scene two_dinosaurs(const std::string& folder) {
  Scene scene = {"two dinosaurs", {}};
  std::deque<std::pair<std::string, MedialMesh>> made;
  for (const double side : {-1.0, 1.0}) {
    const MedialMesh* proxy = add_proxy(scene, made, folder, "dino", 1236);
    if (proxy == nullptr) return scene;
    Moving moving;
    moving.mesh = *proxy;
    moving.start.translation = {0.9 * side, 0.1 * side, 0.0};
    moving.way = {-0.9 * side, 0.0, 0.0};
    moving.turn = {0.0, 0.0, 1.0 * side};
    scene.bodies.push_back(moving);
  }
  return scene;
}

Scene falling_rings(const std::string& folder) {
  Scene scene = {"rings on an elk", {}};
  std::deque<std::pair<std::string, MedialMesh>> made;
  const MedialMesh* elk = add_proxy(scene, made, folder, "elk", 28);
  if (elk == nullptr) return scene;
  scene.bodies.push_back({*elk, {}, Vector3::Zero(), Vector3::Zero()});
  Random random(5);
  for (int i = 0; i < 15; ++i) {
    const MedialMesh* ring = add_proxy(scene, made, folder, "ring", 27);
    if (ring == nullptr) return scene;
    Moving moving;
    moving.mesh = *ring;
    for (Vector3& c : moving.mesh.centers) c *= 0.3;
    for (double& r : moving.mesh.radii) r *= 0.3;
    moving.start.translation = {0.4 * (i % 4) - 0.6, 0.4 * (i / 4) - 0.6, 1.0 + 0.2 * random.unit()};
    moving.way = {0.0, 0.0, -1.2};
    moving.turn = random.uniform(0.0, 4.0) * random.on_sphere();
    scene.bodies.push_back(moving);
  }
  return scene;
}

void measure(const Scene& scene) {
  std::size_t balls = 0, primitives = 0;
  long pairs = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    balls += scene.bodies[i].mesh.centers.size();
    primitives += medial_primitives(scene.bodies[i].mesh).size();
    for (std::size_t k = 0; k < i; ++k) pairs += elementary_pairs(scene.bodies[i].mesh, scene.bodies[k].mesh);
  }
  double with = 0.0, without = 0.0, tested = 0.0, contacts = 0.0;
  int compared = 0, different = 0;
  for (int frame = 0; frame < frames; ++frame) {
    std::vector<MovingMedialMesh> step;
    for (const Moving& moving : scene.bodies)
      step.push_back({moving.at(frame / double(frames)), moving.at((frame + 1) / double(frames))});
    MedialContactsOptions options = {.self = false, .threads = 1};
    double begin = cpu_seconds();
    const MedialContactsResult found = medial_contacts(step, options);
    with += 1e3 * (cpu_seconds() - begin) / frames;
    tested += static_cast<double>(found.tested_pairs) / frames;
    contacts += static_cast<double>(found.contacts.size()) / frames;
    if (frame % 12 != 6) continue;
    options.boxes = false;
    begin = cpu_seconds();
    const MedialContactsResult all = medial_contacts(step, options);
    without += 1e3 * (cpu_seconds() - begin);
    ++compared;
    different += all.contacts.size() == found.contacts.size() ? 0 : 1;
  }
  std::printf("%s,%zu,%zu,%zu,%ld,%.2f,%.0f,%.1f,%.3f,%.1f,%d\n", scene.name, scene.triangles, balls,
              primitives, pairs, scene.seconds, tested, contacts, with, without / std::max(compared, 1),
              different);
  std::fflush(stdout);
}

}  // namespace

int measure_scenes(const std::string& folder) {
  std::printf(
      "scene,triangles,balls,primitives,elementary_pairs,proxies_cpu_s,tested_pairs,contacts,with_boxes_ms,"
      "without_boxes_ms,different\n");
  measure(bodies_on_pillars(folder));
  measure(two_dinosaurs(folder));
  measure(falling_rings(folder));
  return 0;
}

}  // namespace toccata::bench
