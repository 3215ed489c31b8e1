// Scenes at the edge of what a user may bring, each by both pipelines against brute force over all pairs.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numbers>

#include "oracle/adversarial_meshes.hpp"

namespace toccata {
namespace {

struct HostileScene {
  std::vector<DeformableObject> objects;
  std::vector<Vector3> t0, t1;

  // Faces of a grid of columns x rows cells over the last vertices added.
  void add_grid(int columns, int rows, const std::function<Vector3(double, double)>& place) {
    DeformableObject object = test::grid_mesh(columns, rows).object;
    object.vertex_count = (columns + 1) * (rows + 1);
    for (int j = 0; j <= rows; ++j) {
      for (int i = 0; i <= columns; ++i) t0.push_back(place(double(i) / columns, double(j) / rows));
    }
    objects.push_back(object);
  }
  void move(const std::function<Vector3(const Vector3&)>& motion) {
    t1.clear();
    for (const Vector3& x : t0) t1.push_back(motion(x));
  }
};

HostileScene cloth_folded_ten_times(double squeeze) {
  HostileScene scene;
  scene.add_grid(30, 2, [](double u, double v) {
    const double phase = 10.0 * u;  // ten folds
    const double zigzag = std::abs(phase - 2.0 * std::round(phase / 2.0));
    return Vector3(zigzag, v, 0.1 * phase + 0.013 * std::sin(9 * u + 5 * v));
  });
  scene.move(
      [&](const Vector3& x) { return Vector3(x[0] + 0.05 * std::sin(7 * x[2]), x[1], squeeze * x[2]); });
  return scene;
}

HostileScene tube_in_a_knot() {
  HostileScene scene;
  const auto knot = [](double u) {
    const double a = 2 * std::numbers::pi * u;
    return Vector3(std::sin(a) + 2 * std::sin(2 * a), std::cos(a) - 2 * std::cos(2 * a), -std::sin(3 * a));
  };
  scene.add_grid(40, 4, [&](double u, double v) {
    const Vector3 p = knot(u), along = (knot(u + 1e-4) - knot(u - 1e-4)).normalized();
    const Vector3 side = along.cross(Vector3(0.1, 0.2, 1)).normalized(), up = along.cross(side);
    const double a = 2 * std::numbers::pi * v;
    return Vector3(p + 0.4 * (std::cos(a) * side + std::sin(a) * up));
  });
  scene.move([](const Vector3& x) { return Vector3(0.9 * x[0], 0.9 * x[1], 0.1 * x[2]); });  // pulled flat
  return scene;
}

HostileScene tetrahedra(bool apart) {
  Random random(5);
  HostileScene scene;
  for (int i = 0; i < 40; ++i) {
    DeformableObject object{4, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, {}};
    const Vector3 centre = random.in_box(apart ? 3.0 : 0.5);
    for (int k = 0; k < 4; ++k) scene.t0.push_back(centre + random.in_box(0.5));
    scene.objects.push_back(object);
  }
  scene.move([&](const Vector3& x) { return Vector3(x + random.in_box(0.6)); });
  return scene;
}

HostileScene ground_and_tiny_parts() {
  Random random(6);
  HostileScene scene;
  scene.add_grid(2, 2, [](double u, double v) { return Vector3(2e4 * u - 1e4, 2e4 * v - 1e4, 0); });
  for (int i = 0; i < 30; ++i) {
    const Vector3 at(random.uniform(-20, 20), random.uniform(-20, 20), 2e-3);
    scene.add_grid(2, 2, [&](double u, double v) { return Vector3(at + 1e-3 * Vector3(u, v, u * v)); });
  }
  scene.move([](const Vector3& x) { return x[2] > 0 ? Vector3(x - Vector3(0, 0, 4e-3)) : x; });
  return scene;
}

HostileScene coincident_objects(double drift) {
  HostileScene scene;
  for (int copy = 0; copy < 2; ++copy) {
    scene.add_grid(5, 5, [](double u, double v) { return Vector3(u, v, 0.2 * std::sin(5 * u + v)); });
  }
  scene.move([&](const Vector3& x) { return Vector3(x + Vector3(0, 0, drift)); });
  return scene;
}

HostileScene unreferenced_vertices() {
  Random random(7);
  HostileScene scene;
  scene.add_grid(6, 6, [](double u, double v) { return Vector3(u, v, 0.05 * std::sin(9 * u)); });
  scene.objects[0].vertex_count += 100;
  for (int i = 0; i < 100; ++i) scene.t0.push_back(Vector3(0.5, 0.5, 0) + random.in_box(0.7));
  scene.objects[0].wires = {{50, 60}, {70, 80}, {3, 90}};
  scene.move([&](const Vector3& x) { return Vector3(x + random.in_box(0.1)); });
  return scene;
}

HostileScene all_at_one_point(bool burst) {
  Random random(8);
  HostileScene scene;
  scene.add_grid(3, 3, [](double, double) { return Vector3(0.1, 0.2, 0.3); });
  scene.move([&](const Vector3& x) { return burst ? Vector3(x + random.in_box(1)) : x; });
  return scene;
}

HostileScene one_moving_vertex() {
  HostileScene scene;
  scene.add_grid(8, 8, [](double u, double v) { return Vector3(u, v, 0.1 * u * v); });
  scene.t1 = scene.t0;
  scene.t1[0] = Vector3(1.3, 0.9, -0.2);
  return scene;
}

HostileScene no_motion(bool folded) {
  HostileScene scene = folded ? cloth_folded_ten_times(1) : one_moving_vertex();
  scene.t1 = scene.t0;
  return scene;
}

HostileScene through_everything() {
  HostileScene scene = tetrahedra(true);
  Random random(9);
  scene.move([&](const Vector3& x) { return Vector3(-5 * x + random.in_box(20)); });
  return scene;
}

HostileScene far_from_the_origin(double offset, double motion) {
  HostileScene scene = cloth_folded_ten_times(0.0);
  for (Vector3& x : scene.t0) x += Vector3(offset, -offset, offset);
  Random random(10);
  scene.move([&](const Vector3& x) { return Vector3(x + motion * random.in_box(1)); });
  return scene;
}

HostileScene flat_in_one_plane() {
  Random random(11);
  HostileScene scene;
  scene.add_grid(7, 7, [&](double u, double v) { return Vector3(u, v, 0); });
  scene.move([&](const Vector3& x) { return Vector3(x[0] + random.uniform(-.2, .2), x[1] - 0.3 * x[0], 0); });
  return scene;
}

HostileScene turned_inside_out() {
  HostileScene scene;
  scene.add_grid(8, 4, [](double u, double v) {
    const double a = 2 * std::numbers::pi * u, b = std::numbers::pi * v;
    return Vector3(std::cos(a) * std::sin(b), std::sin(a) * std::sin(b), std::cos(b));
  });
  scene.move([](const Vector3& x) { return Vector3(-x); });
  return scene;
}

HostileScene extreme_sizes(double size) {
  HostileScene scene = tube_in_a_knot();
  for (Vector3& x : scene.t0) x *= size;
  for (Vector3& x : scene.t1) x *= size;
  return scene;
}

// Many triangles around one vertex, its rim crumpled: a hub, whose neighbours are all neighbours of each
// other.
HostileScene crumpled_fan(int spokes, double crumple) {
  Random random(12);
  HostileScene scene;
  DeformableObject object;
  object.vertex_count = spokes + 2;
  for (int i = 0; i < spokes; ++i) {
    const double angle = 2 * std::numbers::pi * i / spokes;
    scene.t0.push_back({std::cos(angle), std::sin(angle), 0.1 * random.unit()});
    object.faces.push_back({i, (i + 1) % spokes, spokes});
    if (i % 3 == 0) object.wires.push_back({i, spokes + 1});
  }
  scene.t0.push_back({0, 0, 0.5});
  scene.t0.push_back({0, 0, -0.5});
  scene.objects.push_back(object);
  scene.move([&](const Vector3& x) { return Vector3(x + crumple * random.in_box(1)); });
  return scene;
}

// Pages that share their spine, two hubs, fluttering.
HostileScene book(int pages, double flutter) {
  Random random(13);
  HostileScene scene;
  DeformableObject object;
  object.vertex_count = pages + 2;
  scene.t0 = {{0, 0, 0}, {0, 0, 1}};
  for (int i = 0; i < pages; ++i) {
    const double angle = 0.9 * std::numbers::pi * i / pages;
    scene.t0.push_back({std::cos(angle), std::sin(angle), random.uniform(-1, 2)});
    object.faces.push_back({0, 1, 2 + i});
  }
  scene.objects.push_back(object);
  scene.move([&](const Vector3& x) { return x[0] == 0 ? x : Vector3(x + flutter * random.in_box(1)); });
  return scene;
}

struct Case {
  const char* name;
  HostileScene scene;
};

std::vector<Case> cases() {
  return {{"cloth folded ten times, squeezed", cloth_folded_ten_times(0.2)},
          {"cloth folded ten times, inverted", cloth_folded_ten_times(-1)},
          {"cloth folded ten times, flattened", cloth_folded_ten_times(0)},
          {"tube in a knot", tube_in_a_knot()},
          {"tetrahedra soup", tetrahedra(false)},
          {"tetrahedra apart", tetrahedra(true)},
          {"wide ground, tiny parts", ground_and_tiny_parts()},
          {"coincident objects at rest", coincident_objects(0)},
          {"coincident objects moving together", coincident_objects(0.3)},
          {"unreferenced vertices and wires", unreferenced_vertices()},
          {"all vertices at one point", all_at_one_point(false)},
          {"a burst from one point", all_at_one_point(true)},
          {"one moving vertex", one_moving_vertex()},
          {"no motion", no_motion(false)},
          {"folded, no motion", no_motion(true)},
          {"large steps through everything", through_everything()},
          {"at 1e8", far_from_the_origin(1e8, 0.1)},
          {"at 1e8 with motion below the grid", far_from_the_origin(1e8, 1e-9)},
          {"at 1e15, on a coarse lattice", far_from_the_origin(1e15, 1)},
          {"motion of 1e-12", far_from_the_origin(0, 1e-12)},
          {"in one plane", flat_in_one_plane()},
          {"sphere turned inside out", turned_inside_out()},
          {"fan of 60", crumpled_fan(60, 0.3)},
          {"fan of 150, hardly moving", crumpled_fan(150, 1e-3)},
          {"book", book(60, 0.2)},
          {"book, hardly moving", book(80, 1e-3)},
          {"of size 1e90", extreme_sizes(1e90)},
          {"of size 1e-90", extreme_sizes(1e-90)}};
}

DeformableScene make(const HostileScene& scene, DeformableMethod method) {
  auto built = DeformableScene::build(scene.objects, {.method = method, .threads = 1});
  EXPECT_TRUE(built.has_value());
  EXPECT_TRUE(built->update(scene.t0, scene.t1).has_value());
  return std::move(*built);
}

bool same(const std::vector<DeformableContact>& a, const std::vector<DeformableContact>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.pair == y.pair && x.impact.status == y.impact.status && x.impact.lower == y.impact.lower &&
           x.impact.upper == y.impact.upper && x.impact.weights == y.impact.weights &&
           x.impact.point == y.impact.point && x.impact.normal == y.impact.normal;
  });
}

class HostileScenes : public testing::TestWithParam<std::size_t> {};

TEST_P(HostileScenes, both_pipelines_equal_brute_force) {
  const Case tested = cases()[GetParam()];
  SCOPED_TRACE(tested.name);
  const DeformableScene slow = make(tested.scene, DeformableMethod::BruteForce);
  const double extent =
      (*std::max_element(tested.scene.t0.begin(), tested.scene.t0.end(), [](auto& a, auto& b) {
        return a.norm() < b.norm();
      })).norm();
  for (const double distance : {0.0, 1e-3 * std::min(1.0, extent)}) {
    DeformableOptions options;
    options.threads = 1;
    options.minimum_distance = distance;
    const auto truth = slow.all_contacts(options).contacts;
    options.at_start = AtStart::Skip;
    const auto later = slow.all_contacts(options).contacts;
    const FirstContactResult first = slow.first_contact(options);
    for (const DeformableMethod method : {DeformableMethod::Clusters, DeformableMethod::Connectivity}) {
      SCOPED_TRACE(method == DeformableMethod::Clusters ? "Clusters" : "Connectivity");
      const auto start = std::chrono::steady_clock::now();
      const DeformableScene fast = make(tested.scene, method);
      options.at_start = AtStart::Report;
      EXPECT_TRUE(same(fast.all_contacts(options).contacts, truth)) << "distance " << distance;
      options.threads = 3;
      EXPECT_TRUE(same(fast.all_contacts(options).contacts, truth)) << "three threads";
      options.at_start = AtStart::Skip;
      options.threads = 1;
      EXPECT_TRUE(same(fast.all_contacts(options).contacts, later)) << "distance " << distance;
      const FirstContactResult found = fast.first_contact(options);
      EXPECT_EQ(found.status, first.status);
      EXPECT_EQ(found.lower, first.lower);
      EXPECT_EQ(found.upper, first.upper);
      EXPECT_EQ(found.contact.feature_a, first.contact.feature_a);
      EXPECT_EQ(found.contact.feature_b, first.contact.feature_b);
      for (const auto& c : later) EXPECT_LE(found.lower, c.impact.upper);
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
      EXPECT_LT(passed.count(), 20.0) << "seconds";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostileScenes, testing::Range<std::size_t>(0, cases().size()));

}  // namespace
}  // namespace toccata
