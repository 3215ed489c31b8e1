// The tasks, compiled against one version of the library.
#include "versions/driver.hpp"

#include <time.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "deformable/steps.hpp"
#include "hierarchy/box_tree.hpp"
#include "scenes/parts.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/io/mesh_io.hpp"
#include "toccata/motion/rigid_motion.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/ray_cast.hpp"

namespace toccata::bench {
namespace {

double processor_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

struct Item {
  double microseconds = 0.0;
  double answer = 0.0;
};

// What runs one item and holds all it needs; nothing when it cannot be asked here.
using Prepared = std::pair<int, std::function<Item(int)>>;

struct Task {
  std::string name;
  std::function<std::optional<Prepared>()> prepare;
  std::optional<Prepared> prepared = {};
};

template <class Question>
Item timed(const Question& question) {
  const double start = processor_microseconds();
  const double answer = question();
  return {processor_microseconds() - start, answer};
}

Pose random_pose(Random& random, double distance) {
  const Vector3 axis = random.on_sphere();
  return {Eigen::AngleAxisd(random.uniform(0.0, 3.1), axis).toRotationMatrix(),
          distance * random.on_sphere()};
}

std::optional<TriangleMesh> model(const std::string& name) {
  if (name == "club") return scenes::club(262, 200);
  if (name == "gear") return scenes::gear(24, 22, 6);
  if (name == "blob") return scenes::blob(132, 264);
  if (name == "large_blob") return scenes::blob(525, 1050);
  if (name == "torus_knot") {
    scenes::TorusKnotOptions knot;
    knot.along = 720;
    return scenes::torus_knot(knot);
  }
  auto mesh = load_mesh(name);
  if (!mesh) return std::nullopt;
  Vector3 lower = mesh->vertices[0], upper = mesh->vertices[0];
  for (const Vector3& v : mesh->vertices) {
    lower = lower.cwiseMin(v);
    upper = upper.cwiseMax(v);
  }
  const double half = 0.5 * (upper - lower).norm();
  for (Vector3& v : mesh->vertices) v = (v - 0.5 * (lower + upper)) / half;
  return *mesh;
}

std::optional<Prepared> first_contacts_of(const std::string& name, RigidMethod method) {
  const auto mesh = model(name);
  if (!mesh) return std::nullopt;
  FirstContactOptions options;
  options.method = method;
  const Shape shape(*mesh);
  auto solver = std::make_shared<ContactSolver>(shape, shape, options);
  Random random(7);
  std::vector<std::pair<Pose, Pose>> trials;
  for (int i = 0; i < 100; ++i) {
    const Pose from = random_pose(random, 2.4);
    trials.emplace_back(from, random_pose(random, 2.4 * random.unit()));
  }
  return Prepared{100, [=](int i) {
                    const auto& [from, to] = trials[static_cast<std::size_t>(i)];
                    const RigidMotion motion(from, to);
                    return timed([&] { return solver->first_contact(motion, RigidMotion()).time; });
                  }};
}

std::optional<Prepared> tree_of(const std::string& name) {
  const auto mesh = model(name);
  if (!mesh) return std::nullopt;
  return Prepared{
      1, [mesh = *mesh](int) {
        return timed([&] { return static_cast<double>(build_box_tree(mesh, Vector3::Zero()).nodes.size()); });
      }};
}

std::optional<Prepared> distances_of(const std::string& name, double relative_error) {
  const auto mesh = model(name);
  if (!mesh) return std::nullopt;
  const Shape shape(*mesh);
  DistanceOptions options;
  options.relative_error = relative_error;
  Random random(11);
  std::vector<Pose> poses;
  while (poses.size() < 60) {
    const Pose pose = random_pose(random, random.uniform(0.3, 2.6));
    if (!intersects({shape, pose}, {shape, {}}).intersects) poses.push_back(pose);
  }
  return Prepared{60, [=](int i) {
                    const Pose& pose = poses[static_cast<std::size_t>(i)];
                    return timed([&] { return distance({shape, pose}, {shape, {}}, options).distance; });
                  }};
}

std::optional<Prepared> rays_of(const std::string& name) {
  const auto mesh = model(name);
  if (!mesh) return std::nullopt;
  const Shape shape(*mesh);
  Random random(12);
  std::vector<Ray> rays;
  for (int i = 0; i < 2000; ++i) {
    const Vector3 origin = 3.0 * random.on_sphere();
    rays.push_back({origin, random.in_box(0.8) - origin});
  }
  const auto all = [=] {
    double sum = 0.0;
    for (const Ray& ray : rays) {
      const RayCastResult found = ray_cast({shape, {}}, ray);
      if (found.hit) sum += found.parameter;
    }
    return sum;
  };
  for (int i = 0; i < 10; ++i) all();  // what is made when rays are asked for often enough
  return Prepared{1, [=](int) { return timed(all); }};
}

std::optional<Step> step_named(const std::string& name) {
  if (name == "rolled") return rolled_sheet(92000);
  if (name == "rods") return twisted_rods(92000);
  if (name == "smooth") return smooth_cloth(92000);
  const char* data = std::getenv("TOCCATA_SHARED_DATA");
  if (data == nullptr) return std::nullopt;
  const std::string frames = std::string(data) + "/frames/cloth-ball/frames/cloth_ball";
  return load_step(name, frames + "92.ply", frames + "93.ply");
}

std::optional<Prepared> step_of(const std::string& name, const std::string& question, int threads) {
  const auto step = step_named(name);
  if (!step) return std::nullopt;
  using Scene = DeformableScene;
  const DeformableSceneOptions build = {DeformableMethod::Clusters, threads};
  auto scene = std::make_shared<Expected<Scene>>(Scene::build(step->objects, build));
  DeformableOptions options;
  options.threads = threads;
  if (question == "near") {
    Vector3 lower = step->t0.front(), upper = lower;
    for (const Vector3& p : step->t0) {
      lower = lower.cwiseMin(p);
      upper = upper.cwiseMax(p);
    }
    options.minimum_distance = 1e-4 * (upper - lower).norm();
  }
  const auto run = [=] {
    if (question == "cold") *scene = Scene::build(step->objects, build);
    if (!(*scene)->update(step->t0, step->t1)) return 0.0;
    if (question == "first") return (*scene)->safe_step(options).fraction;
    return static_cast<double>((*scene)->all_contacts(options).contacts.size());
  };
  if (question != "cold") run();  // the first step builds
  return Prepared{1, [=](int) { return timed(run); }};
}

std::vector<Task> make_tasks() {
  std::vector<Task> tasks;
  const auto add = [&](const std::string& name, std::function<std::optional<Prepared>()> prepare) {
    tasks.push_back({name, std::move(prepare)});
  };
  std::vector<std::string> models = {"blob", "torus_knot", "gear", "club"};
  if (const char* file = std::getenv("TOCCATA_REAL_MESH")) models.emplace_back(file);
  for (const std::string& m : models) {
    add("first contact " + m, [m] { return first_contacts_of(m, RigidMethod::Advancement); });
  }
  for (const char* m : {"blob", "torus_knot", "gear"}) {
    add(std::string("controlled ") + m, [m] { return first_contacts_of(m, RigidMethod::Controlled); });
  }
  for (const char* m : {"blob", "large_blob"}) {
    add(std::string("tree ") + m, [m] { return tree_of(m); });
  }
  for (const char* m : {"blob", "torus_knot", "gear"}) {
    add(std::string("distance ") + m, [m] { return distances_of(m, 0.0); });
  }
  for (const char* m : {"blob", "torus_knot", "gear", "large_blob"}) {
    add(std::string("distance within 10 % ") + m, [m] { return distances_of(m, 0.1); });
  }
  for (const char* m : {"blob", "torus_knot", "gear"}) {
    add(std::string("rays ") + m, [m] { return rays_of(m); });
  }
  for (const auto& [scene, question] : {std::pair<const char*, const char*>{"cloth-ball", "all"},
                                        {"cloth-ball", "first"},
                                        {"cloth-ball", "cold"},
                                        {"cloth-ball", "near"},
                                        {"rods", "all"},
                                        {"rolled", "all"},
                                        {"smooth", "all"}}) {
    add(std::string("step ") + scene + " " + question,
        [scene, question] { return step_of(scene, question, 1); });
  }
  return tasks;
}

std::vector<Task>& tasks() {
  static std::vector<Task> all = make_tasks();
  return all;
}

}  // namespace
}  // namespace toccata::bench

extern "C" {

__attribute__((visibility("default"))) const char* toccata_task_name(int task) {
  const auto& all = toccata::bench::tasks();
  return static_cast<std::size_t>(task) < all.size() ? all[static_cast<std::size_t>(task)].name.c_str()
                                                     : nullptr;
}

__attribute__((visibility("default"))) int toccata_task_start(int task) {
  auto& t = toccata::bench::tasks()[static_cast<std::size_t>(task)];
  t.prepared = t.prepare();
  return t.prepared ? t.prepared->first : 0;
}

__attribute__((visibility("default"))) double toccata_task_run(int task, int item, double* answer) {
  const auto result = toccata::bench::tasks()[static_cast<std::size_t>(task)].prepared->second(item);
  *answer = result.answer;
  return result.microseconds;
}

__attribute__((visibility("default"))) void toccata_task_end(int task) {
  toccata::bench::tasks()[static_cast<std::size_t>(task)].prepared.reset();
}
}
