// The Clusters pipeline and the questions of DeformableScene against brute force over all pairs of features.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "effort.hpp"
#include "oracle/adversarial_meshes.hpp"

namespace toccata {
namespace {

using test::MovingMesh;

struct MovingScene {
  std::vector<DeformableObject> objects;
  std::vector<Vector3> t0, t1;
};

// Several meshes near each other, so that clusters and tree are at work, some with free points.
MovingScene random_scene(std::uint64_t seed) {
  Random random(seed);
  MovingScene scene;
  const int count = random.integer(1, 4);
  const double spread = random.uniform(0.0, 2.0);
  for (int i = 0; i < count; ++i) {
    MovingMesh mesh = test::random_moving_mesh(random);
    const Vector3 offset = random.integer(0, 2) == 0 ? Vector3(Vector3::Zero()) : random.in_box(spread);
    const Vector3 drift = random.integer(0, 1) * random.in_box(2.0);
    for (int p = random.integer(0, 3); p > 0; --p) {
      mesh.t0.push_back(mesh.t0[0]);
      mesh.t1.push_back(random.in_box(2.0));
    }
    mesh.object.vertex_count = static_cast<std::int32_t>(mesh.t0.size());
    for (const Vector3& x : mesh.t0) scene.t0.push_back(x + offset);
    for (const Vector3& x : mesh.t1) scene.t1.push_back(x + offset + drift);
    scene.objects.push_back(mesh.object);
  }
  return scene;
}

DeformableScene make_scene(const MovingScene& scene, DeformableMethod method) {
  auto built = DeformableScene::build(scene.objects, {.method = method, .threads = 1});
  EXPECT_TRUE(built.has_value());
  EXPECT_TRUE(built->update(scene.t0, scene.t1).has_value());
  return std::move(*built);
}

std::vector<FeaturePair> pairs_of(const std::vector<DeformableContact>& contacts) {
  std::vector<FeaturePair> pairs;
  for (const DeformableContact& c : contacts) pairs.push_back(c.pair);
  return pairs;
}

bool same_impact(const Impact& a, const Impact& b) {
  return a.status == b.status && a.stage == b.stage && a.time == b.time && a.lower == b.lower &&
         a.upper == b.upper && a.weights == b.weights && a.point == b.point && a.normal == b.normal;
}

bool same_contacts(const std::vector<DeformableContact>& a, const std::vector<DeformableContact>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const DeformableContact& x, const DeformableContact& y) {
                      return x.pair == y.pair && same_impact(x.impact, y.impact);
                    });
}

bool same_first(const FirstContactResult& a, const FirstContactResult& b) {
  return a.status == b.status && a.lower == b.lower && a.upper == b.upper && a.weights == b.weights &&
         a.contact.feature_a == b.contact.feature_a && a.contact.feature_b == b.contact.feature_b &&
         a.contact.point_a == b.contact.point_a && a.contact.normal == b.contact.normal;
}

DeformableStages stages(int bits) {
  DeformableStages s;
  s.tree = bits & 1;
  s.relative_motion = bits & 2;
  s.spread_axes = bits & 4;
  s.feature_clip = bits & 8;
  s.row_axes = bits & 16;
  s.pair_axes = bits & 32;
  s.coplanarity = bits & 64;
  return s;
}

TEST(Clusters, equals_brute_force_with_any_stages) {
  std::int64_t contacts = 0, at_start = 0;
  std::array<std::int64_t, feature_pair_kind_count> kinds{};
  for (int seed = 0; seed < with_effort(1000); ++seed) {
    const MovingScene scene = random_scene(static_cast<std::uint64_t>(seed));
    DeformableOptions options;
    options.threads = 1;
    const auto truth = make_scene(scene, DeformableMethod::BruteForce).all_contacts(options).contacts;
    const DeformableScene clusters = make_scene(scene, DeformableMethod::Clusters);
    const auto found = clusters.all_contacts(options).contacts;
    ASSERT_TRUE(same_contacts(found, truth))
        << "seed " << seed << ": " << found.size() << " of " << truth.size();
    options.stages = stages(seed % 128);
    ASSERT_TRUE(same_contacts(clusters.all_contacts(options).contacts, truth)) << "seed " << seed;
    contacts += static_cast<std::int64_t>(truth.size());
    for (const DeformableContact& c : truth) {
      ++kinds[static_cast<std::size_t>(c.pair.kind)];
      at_start += c.impact.status == Status::OverlapAtStart;
    }
  }
  EXPECT_GT(contacts, 1000);
  EXPECT_GT(at_start, 100);
  for (const std::int64_t n : kinds) EXPECT_GT(n, 0);
}

// Hardly moving: features are then compared by their swept boxes.
TEST(Clusters, small_motion_equals_brute_force) {
  std::int64_t contacts = 0;
  for (int seed = 0; seed < with_effort(300); ++seed) {
    MovingScene scene = random_scene(800000 + static_cast<std::uint64_t>(seed));
    const double little = std::pow(10.0, -1.0 - seed % 5);
    for (std::size_t v = 0; v < scene.t0.size(); ++v) {
      scene.t1[v] = scene.t0[v] + little * (scene.t1[v] - scene.t0[v]);
    }
    DeformableOptions options;
    options.threads = 1;
    if (seed % 3 == 0) options.minimum_distance = 0.01;
    const auto truth = make_scene(scene, DeformableMethod::BruteForce).all_contacts(options).contacts;
    const DeformableScene clusters = make_scene(scene, DeformableMethod::Clusters);
    ASSERT_TRUE(same_contacts(clusters.all_contacts(options).contacts, truth)) << "seed " << seed;
    options.stages = stages(seed % 128);
    ASSERT_TRUE(same_contacts(clusters.all_contacts(options).contacts, truth)) << "seed " << seed;
    contacts += static_cast<std::int64_t>(truth.size());
  }
  EXPECT_GT(contacts, 1000);
}

// Clusters that are small beside their way through the scene are far apart on the grid at one end or both,
// and a distance that is large beside them needs a grid of its own.
TEST(Clusters, small_clusters_that_move_far_equal_brute_force) {
  std::int64_t contacts = 0;
  for (int seed = 0; seed < with_effort(24); ++seed) {
    Random random(900000 + static_cast<std::uint64_t>(seed));
    MovingScene scene;
    const Vector3 meeting = random.in_box(0.5);
    for (int i = 0; i < 6; ++i) {
      const MovingMesh mesh = test::random_moving_mesh(random);
      const double size = std::pow(10.0, -2.0 - random.integer(0, 2));
      // Through the meeting place halfway, along an axis or anyhow, or nearly so.
      Vector3 way = random.in_box(1.0);
      if (random.integer(0, 1) == 0) way = Vector3(way[0], 0.0, 0.0);
      const Vector3 aside = random.integer(0, 1) * random.in_box(4.0 * size);
      for (const Vector3& x : mesh.t0) scene.t0.push_back(meeting + aside - way + size * x);
      for (const Vector3& x : mesh.t1) scene.t1.push_back(meeting + aside + way + size * x);
      scene.objects.push_back(mesh.object);
    }
    DeformableOptions options;
    options.threads = 1;
    if (seed % 3 == 0) options.minimum_distance = std::pow(10.0, -4.0 + seed % 4);
    const auto truth = make_scene(scene, DeformableMethod::BruteForce).all_contacts(options).contacts;
    const DeformableScene clusters = make_scene(scene, DeformableMethod::Clusters);
    ASSERT_TRUE(same_contacts(clusters.all_contacts(options).contacts, truth)) << "seed " << seed;
    options.stages = stages(seed % 128);
    ASSERT_TRUE(same_contacts(clusters.all_contacts(options).contacts, truth)) << "seed " << seed;
    contacts += static_cast<std::int64_t>(truth.size());
  }
  EXPECT_GT(contacts, 1000);
}

// Small clusters and a few that are up to a million times wider: those are not on the grid of the others, and
// must not make it coarse.
TEST(Clusters, wide_ground_equals_brute_force) {
  std::int64_t contacts = 0;
  for (int seed = 0; seed < with_effort(24); ++seed) {
    Random random(910000 + static_cast<std::uint64_t>(seed));
    MovingScene scene;
    for (int i = 0; i < 5; ++i) {
      const MovingMesh mesh = test::random_moving_mesh(random);
      const Vector3 place = random.in_box(2.0), fall(0.0, 0.0, random.uniform(0.0, 3.0));
      for (const Vector3& x : mesh.t0) scene.t0.push_back(x + place);
      for (const Vector3& x : mesh.t1) scene.t1.push_back(x + place - fall);
      scene.objects.push_back(mesh.object);
    }
    const double width = std::pow(10.0, 1.0 + seed % 6);
    const Vector3 tilt = seed % 2 == 0 ? Vector3(Vector3::Zero()) : random.in_box(0.5);
    DeformableObject ground;
    ground.faces = {{0, 1, 2}, {0, 2, 3}};
    ground.vertex_count = 4;
    for (int corner = 0; corner < 4; ++corner) {
      const double x = corner == 0 || corner == 3 ? -width : width, y = corner < 2 ? -width : width;
      const Vector3 at(x, y, tilt[0] * x + tilt[1] * y + 0.01 * random.unit());
      scene.t0.push_back(at);
      scene.t1.push_back(at + Vector3(0.0, 0.0, seed % 3 == 0 ? 0.1 : 0.0));
    }
    scene.objects.push_back(ground);
    DeformableOptions options;
    options.threads = 1;
    if (seed % 4 == 3) options.minimum_distance = 0.01;
    const auto truth = make_scene(scene, DeformableMethod::BruteForce).all_contacts(options).contacts;
    const DeformableScene clusters = make_scene(scene, DeformableMethod::Clusters);
    ASSERT_TRUE(same_contacts(clusters.all_contacts(options).contacts, truth)) << "seed " << seed;
    const auto first = clusters.first_contact(options);
    const auto first_truth = make_scene(scene, DeformableMethod::BruteForce).first_contact(options);
    ASSERT_EQ(first.time, first_truth.time) << "seed " << seed;
    options.stages = stages(seed % 128);
    ASSERT_TRUE(same_contacts(clusters.all_contacts(options).contacts, truth)) << "seed " << seed;
    contacts += static_cast<std::int64_t>(truth.size());
  }
  EXPECT_GT(contacts, 1000);
}

// A vertex that is in many clusters: what shares it is no contact, and the rest is found.
TEST(Clusters, fan_around_one_vertex_equals_brute_force) {
  for (int seed = 0; seed < 3; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    constexpr int rim = 500;
    MovingScene scene;
    DeformableObject fan;
    fan.vertex_count = rim + 1;
    scene.t0.emplace_back(0, 0, 0);
    scene.t1.emplace_back(0, 0, 0.5);
    for (int i = 0; i < rim; ++i) {
      const double angle = 2.0 * 3.14159265358979 * i / rim;
      scene.t0.emplace_back(std::cos(angle), std::sin(angle), 0.02 * random.unit());
      scene.t1.push_back(scene.t0.back() + random.in_box(0.02));
      fan.faces.push_back({0, i + 1, (i + 1) % rim + 1});
    }
    scene.objects.push_back(fan);
    DeformableOptions options;
    options.threads = 1;
    const auto truth = make_scene(scene, DeformableMethod::BruteForce).all_contacts(options).contacts;
    EXPECT_GT(truth.size(), 10u);
    const DeformableScene clusters = make_scene(scene, DeformableMethod::Clusters);
    ASSERT_TRUE(same_contacts(clusters.all_contacts(options).contacts, truth)) << seed;
    options.stages = stages(0);
    ASSERT_TRUE(same_contacts(clusters.all_contacts(options).contacts, truth)) << seed;
  }
}

TEST(Clusters, first_contact_is_the_earliest_of_all) {
  for (int seed = 0; seed < with_effort(250); ++seed) {
    const MovingScene scene = random_scene(100000 + static_cast<std::uint64_t>(seed));
    DeformableOptions options;
    options.threads = 1;
    options.at_start = seed % 2 ? AtStart::Skip : AtStart::Report;
    const DeformableScene clusters = make_scene(scene, DeformableMethod::Clusters);
    const auto all = clusters.all_contacts(options).contacts;
    const FirstContactResult first = clusters.first_contact(options);
    const SafeStep safe = clusters.safe_step(options);
    if (all.empty()) {
      ASSERT_EQ(first.status, Status::Separated) << seed;
      ASSERT_EQ(safe.fraction, 1.0) << seed;
      continue;
    }
    double lower = 1.0, upper = 1.0;
    for (const DeformableContact& c : all) {
      lower = std::min(lower, c.impact.lower);
      upper = std::min(upper, c.impact.upper);
    }
    // The reported bracket holds the earliest contact; no pair's true time is before it.
    ASSERT_NE(first.status, Status::Separated) << seed;
    ASSERT_EQ(first.upper, upper) << seed;
    ASSERT_GE(first.lower, lower) << seed;
    ASSERT_LE(first.lower, upper) << seed;
    ASSERT_TRUE(safe.fraction < first.lower || first.lower == 0.0) << seed;
    // The same on two threads and by brute force.
    options.threads = 2;
    const FirstContactResult other = clusters.first_contact(options);
    const FirstContactResult brute = make_scene(scene, DeformableMethod::BruteForce).first_contact(options);
    ASSERT_TRUE(same_first(other, first)) << seed;
    ASSERT_TRUE(same_first(brute, first)) << seed;
  }
}

TEST(Clusters, scope_and_filters_select_from_all) {
  for (int seed = 0; seed < with_effort(120); ++seed) {
    const MovingScene scene = random_scene(200000 + static_cast<std::uint64_t>(seed));
    const DeformableScene clusters = make_scene(scene, DeformableMethod::Clusters);
    DeformableOptions options;
    options.threads = 1;
    const auto all = clusters.all_contacts(options).contacts;
    const auto vertices = [&](const FeaturePair& p) {
      const bool edge_edge = p.kind == FeaturePairKind::EdgeEdge;
      const std::int32_t a = edge_edge ? clusters.edges()[p.first][0] : p.first;
      std::int32_t b = p.second;
      if (p.kind == FeaturePairKind::VertexFace) b = clusters.faces()[p.second][0];
      if (edge_edge || p.kind == FeaturePairKind::VertexEdge) b = clusters.edges()[p.second][0];
      return std::pair(a, b);
    };
    const auto expect = [&](auto&& wanted) {
      std::vector<FeaturePair> result;
      for (const DeformableContact& c : all) {
        const auto [a, b] = vertices(c.pair);
        if (wanted(a, b, c.pair)) result.push_back(c.pair);
      }
      EXPECT_EQ(pairs_of(clusters.all_contacts(options).contacts), result) << "seed " << seed;
    };
    const auto same_component = [&](int a, int b) {
      return clusters.component_of_vertex(a) == clusters.component_of_vertex(b);
    };
    const auto same_object = [&](int a, int b) {
      return clusters.object_of_vertex(a) == clusters.object_of_vertex(b);
    };
    options.scope = PairScope::WithinComponent;
    expect([&](int a, int b, const FeaturePair&) { return same_component(a, b); });
    options.scope = PairScope::BetweenComponents;
    expect([&](int a, int b, const FeaturePair&) { return !same_component(a, b); });
    options.scope = PairScope::WithinObject;
    expect([&](int a, int b, const FeaturePair&) { return same_object(a, b); });
    options.scope = PairScope::BetweenObjects;
    expect([&](int a, int b, const FeaturePair&) { return !same_object(a, b); });
    options.scope = PairScope::All;
    options.object_filter = [](std::int32_t a, std::int32_t b) { return a + b == 1; };
    expect([&](int a, int b, const FeaturePair&) {
      return clusters.object_of_vertex(a) + clusters.object_of_vertex(b) == 1;
    });
    options.object_filter = nullptr;
    options.pair_filter = [](const FeaturePair& p) { return p.first % 2 == 0; };
    expect([&](int, int, const FeaturePair& p) { return p.first % 2 == 0; });
  }
}

TEST(Clusters, minimum_distance_equals_brute_force) {
  for (int seed = 0; seed < with_effort(60); ++seed) {
    const MovingScene scene = random_scene(300000 + static_cast<std::uint64_t>(seed));
    DeformableOptions options;
    options.threads = 1;
    options.minimum_distance = std::pow(10.0, -1.0 - seed % 4);
    const auto truth = make_scene(scene, DeformableMethod::BruteForce).all_contacts(options).contacts;
    const DeformableScene clusters = make_scene(scene, DeformableMethod::Clusters);
    ASSERT_TRUE(same_contacts(clusters.all_contacts(options).contacts, truth)) << seed;
  }
}

TEST(Clusters, powers_of_two_scale_times_stay) {
  for (int seed = 0; seed < with_effort(100); ++seed) {
    MovingScene scene = random_scene(400000 + static_cast<std::uint64_t>(seed));
    DeformableOptions options;
    options.threads = 1;
    const auto plain = make_scene(scene, DeformableMethod::Clusters).all_contacts(options).contacts;
    const double scale = std::ldexp(1.0, seed % 2 ? 70 : -70);
    for (auto* positions : {&scene.t0, &scene.t1}) {
      for (Vector3& x : *positions) x *= scale;
    }
    const auto scaled = make_scene(scene, DeformableMethod::Clusters).all_contacts(options).contacts;
    ASSERT_EQ(pairs_of(scaled), pairs_of(plain)) << seed;
    for (std::size_t i = 0; i < plain.size(); ++i)
      ASSERT_EQ(scaled[i].impact.time, plain[i].impact.time) << seed;
  }
}

TEST(Clusters, same_answer_on_every_instruction_set_and_thread_count) {
  for (int seed = 0; seed < with_effort(30); ++seed) {
    const MovingScene scene = random_scene(500000 + static_cast<std::uint64_t>(seed));
    DeformableOptions options;
    options.threads = 1;
    const auto plain = make_scene(scene, DeformableMethod::Clusters).all_contacts(options).contacts;
    options.threads = 3;
    ASSERT_TRUE(
        same_contacts(make_scene(scene, DeformableMethod::Clusters).all_contacts(options).contacts, plain));
    for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
      hwy::SetSupportedTargetsForTest(targets & -targets);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      const auto other = make_scene(scene, DeformableMethod::Clusters).all_contacts(options).contacts;
      hwy::SetSupportedTargetsForTest(0);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      ASSERT_TRUE(same_contacts(other, plain)) << "seed " << seed << ", target " << (targets & -targets);
    }
  }
}

TEST(Clusters, changed_topology_equals_a_new_scene) {
  for (int seed = 0; seed < with_effort(120); ++seed) {
    MovingScene scene = random_scene(600000 + static_cast<std::uint64_t>(seed));
    DeformableScene kept = make_scene(scene, DeformableMethod::Clusters);
    Random random(static_cast<std::uint64_t>(seed));
    for (int round = 0; round < 3; ++round) {
      // Tear: give faces vertices of their own; remove and add faces, wires and points.
      DeformableObject& last = scene.objects.back();
      for (int i = random.integer(0, 4); i > 0 && !last.faces.empty(); --i) {
        Face& f = last.faces[random.integer(0, static_cast<int>(last.faces.size()) - 1)];
        const std::size_t global = scene.t0.size() - static_cast<std::size_t>(last.vertex_count - f[0]);
        scene.t0.push_back(Vector3(scene.t0[global]));
        scene.t1.push_back(scene.t1[global] + random.in_box(0.2));
        f[0] = last.vertex_count++;
      }
      if (random.integer(0, 2) == 0 && last.faces.size() > 1) {
        last.faces.erase(last.faces.begin() + random.integer(0, static_cast<int>(last.faces.size()) - 1));
      }
      if (random.integer(0, 2) == 0) {
        for (int i = 0; i < 20; ++i) {
          last.faces.push_back({random.integer(0, last.vertex_count - 1),
                                random.integer(0, last.vertex_count - 1),
                                random.integer(0, last.vertex_count - 1)});
        }
      }
      if (random.integer(0, 2) == 0) last.wires.push_back({0, last.vertex_count - 1});
      ASSERT_TRUE(kept.update_topology(scene.objects).has_value());
      DeformableOptions options;
      options.threads = 1;
      ASSERT_EQ(kept.all_contacts(options).status, Status::Failed) << "no step is set";
      ASSERT_TRUE(kept.update(scene.t0, scene.t1).has_value());
      const auto fresh = make_scene(scene, DeformableMethod::Clusters).all_contacts(options).contacts;
      const auto truth = make_scene(scene, DeformableMethod::BruteForce).all_contacts(options).contacts;
      ASSERT_TRUE(same_contacts(kept.all_contacts(options).contacts, truth)) << seed;
      ASSERT_TRUE(same_contacts(fresh, truth)) << seed;
    }
  }
}

class Counter : public ContactCollector {
 public:
  explicit Counter(std::size_t limit) : limit_(limit) {}
  void add(const DeformableContact& contact) override { pairs.push_back(contact.pair); }
  bool done() const override { return pairs.size() >= limit_; }
  std::vector<FeaturePair> pairs;

 private:
  std::size_t limit_;
};

TEST(DeformableScene, collector_gets_every_contact_once_and_can_stop) {
  for (int seed = 0; seed < 50; ++seed) {
    const MovingScene scene = random_scene(700000 + static_cast<std::uint64_t>(seed));
    const DeformableScene clusters = make_scene(scene, DeformableMethod::Clusters);
    Counter every(~std::size_t{0}), few(3);
    clusters.all_contacts(every, {.threads = 2});
    std::sort(every.pairs.begin(), every.pairs.end());
    EXPECT_EQ(every.pairs, pairs_of(clusters.all_contacts().contacts));
    clusters.all_contacts(few, {.threads = 2});
    EXPECT_EQ(few.pairs.size(), std::min<std::size_t>(3, every.pairs.size()));
  }
}

TEST(DeformableScene, names_what_is_wrong) {
  const auto bad_face = DeformableScene::build({{3, {{0, 1, 3}}, {}}});
  ASSERT_FALSE(bad_face.has_value());
  EXPECT_NE(bad_face.error().message.find("face 0 of object 0"), std::string::npos)
      << bad_face.error().message;
  auto scene = DeformableScene::build({{3, {{0, 1, 2}}, {}}});
  ASSERT_TRUE(scene.has_value());
  std::vector<Vector3> t0(3, Vector3::Zero()), t1(2, Vector3::Zero());
  EXPECT_FALSE(scene->update(t0, t1).has_value());
  t1 = {Vector3::Zero(), Vector3::Zero(), Vector3(0, NAN, 0)};
  const auto broken = scene->update(t0, t1);
  ASSERT_FALSE(broken.has_value());
  EXPECT_NE(broken.error().message.find("vertex 2 at t1"), std::string::npos) << broken.error().message;
  const auto contacts = ccd(t0, t1, scene->faces());
  EXPECT_FALSE(contacts.has_value());
  EXPECT_TRUE(DeformableScene::build({})->all_contacts().contacts.empty());
}

TEST(DeformableScene, one_call_finds_a_falling_vertex) {
  const std::vector<Vector3> t0 = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0.5, 0.5, 1}, {3, 3, 2}, {4, 3, 2}};
  std::vector<Vector3> t1 = t0;
  t1[3][2] = -1;
  const std::vector<Face> faces = {{0, 1, 2}, {3, 4, 5}};
  const auto found = ccd(t0, t1, faces);
  ASSERT_TRUE(found.has_value());
  // Two of the falling triangle's edges sweep over the long side as well.
  ASSERT_EQ(found->contacts.size(), 3u);
  EXPECT_EQ(found->contacts[0].pair, (FeaturePair{FeaturePairKind::VertexFace, 3, 0}));
  EXPECT_LE(found->contacts[0].impact.lower, 0.5);
  EXPECT_GE(found->contacts[0].impact.upper, 0.5);
  EXPECT_NEAR(found->contacts[0].impact.time, 0.5, 1e-12);
}

}  // namespace
}  // namespace toccata
