// What a deforming scene answers, and what it says to questions that mean nothing: statuses, features,
// points, the safe fraction, and the ways to hand a mesh over.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracle/adversarial_meshes.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/ccd/deformable/frame_list.hpp"

namespace toccata {
namespace {

constexpr DeformableMethod methods[] = {DeformableMethod::Clusters, DeformableMethod::Connectivity,
                                        DeformableMethod::BruteForce};

const TriangleMesh ground = {{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, {{0, 1, 2}}};
const TriangleMesh spike = {{{0.5, 0.5, 1}, {0.6, 0.5, 2}, {0.5, 0.6, 2}}, {{0, 1, 2}}};

std::vector<Vector3> spike_above_ground(double lowered) {
  std::vector<Vector3> positions = ground.vertices;
  for (const Vector3& x : spike.vertices) positions.push_back(x - lowered * Vector3::UnitZ());
  return positions;
}

DeformableScene falling_spike(double start, double end, DeformableMethod method) {
  auto scene = DeformableScene::build({ground, spike}, {.method = method});
  EXPECT_TRUE(scene.has_value());
  EXPECT_TRUE(scene->update(spike_above_ground(start), spike_above_ground(end)).has_value());
  return std::move(*scene);
}

TEST(SceneAnswers, meshes_are_objects) {
  auto scene = DeformableScene::build({ground});
  ASSERT_TRUE(scene.has_value());
  EXPECT_EQ(scene->vertex_count(), 3);
  EXPECT_EQ(DeformableScene::build({ground, spike})->object_count(), 2);
  ASSERT_TRUE(scene->update(ground.vertices, ground.vertices).has_value());
  const DeformableContacts found = scene->all_contacts();
  EXPECT_EQ(found.status, Status::Separated);
  EXPECT_TRUE(found.contacts.empty());
}

TEST(SceneAnswers, the_first_contact_says_which_features_of_which_objects) {
  for (const DeformableMethod method : methods) {
    const FirstContactResult first = falling_spike(0, 2, method).first_contact();
    ASSERT_EQ(first.status, Status::Contact);
    EXPECT_EQ(first.time, first.lower);
    EXPECT_LE(first.lower, 0.5);
    EXPECT_GE(first.upper, 0.5);
    EXPECT_EQ(first.contact.feature_a, (Feature{FeatureKind::Vertex, 3, 1}));
    EXPECT_EQ(first.contact.feature_b, (Feature{FeatureKind::Face, 0, 0}));
    EXPECT_EQ(feature_pair_of(first.contact.feature_a, first.contact.feature_b),
              (FeaturePair{FeaturePairKind::VertexFace, 3, 0}));
    EXPECT_EQ(first.contact.point_a, first.contact.point_b);
    EXPECT_LT((first.contact.point_a - Vector3(0.5, 0.5, 0)).norm(), 1e-9);
    EXPECT_NEAR(std::abs(first.contact.normal.z()), 1.0, 1e-12);
    EXPECT_EQ(first.distance, 0.0);
    EXPECT_NEAR(first.weights[0], 1.0, 1e-12);
    EXPECT_NEAR(first.weights[1] + first.weights[2] + first.weights[3], 1.0, 1e-12);
    EXPECT_EQ(first.contacts.size(), 1u);
    EXPECT_GT(first.stats.feature_pairs, 0);
  }
}

TEST(SceneAnswers, every_kind_of_pair_becomes_features_and_back) {
  // A free point falls onto a wire, and onto another point.
  auto wire = DeformableScene::build({{2, {}, {{0, 1}}}, {1, {}}});
  ASSERT_TRUE(wire->update(std::vector<Vector3>{{-1, 0, 0}, {1, 0, 0}, {0, 0, 1}},
                           std::vector<Vector3>{{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}})
                  .has_value());
  const Contact on_wire = wire->first_contact().contact;
  EXPECT_EQ(feature_pair_of(on_wire.feature_a, on_wire.feature_b),
            (FeaturePair{FeaturePairKind::VertexEdge, 2, 0}));
  EXPECT_EQ(on_wire.feature_a.part, 1);
  EXPECT_EQ(on_wire.feature_b.part, 0);
  auto points = DeformableScene::build({{2, {}}});
  ASSERT_TRUE(
      points->update(std::vector<Vector3>{{0, 0, 0}, {0, 0, 1}}, std::vector<Vector3>{{0, 0, 0}, {0, 0, -1}})
          .has_value());
  const Contact on_point = points->first_contact().contact;
  EXPECT_EQ(feature_pair_of(on_point.feature_a, on_point.feature_b),
            (FeaturePair{FeaturePairKind::VertexVertex, 0, 1}));
}

TEST(SceneAnswers, random_first_contacts_are_contacts_of_the_list) {
  int edges = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const test::MovingMesh mesh = test::random_moving_mesh(random);
    auto scene = DeformableScene::build({mesh.object}, {.threads = 1});
    ASSERT_TRUE(scene->update(mesh.t0, mesh.t1).has_value());
    const FirstContactResult first = scene->first_contact();
    const DeformableContacts all = scene->all_contacts();
    ASSERT_EQ(first.status == Status::Separated, all.contacts.empty()) << seed;
    if (all.contacts.empty()) {
      ASSERT_EQ(all.status, Status::Separated);
      continue;
    }
    ASSERT_EQ(all.status, first.status) << seed;
    const FeaturePair pair = feature_pair_of(first.contact.feature_a, first.contact.feature_b);
    bool listed = false;
    for (const DeformableContact& c : all.contacts) {
      if (c.pair != pair) continue;
      listed = true;
      ASSERT_EQ(c.impact.point, first.contact.point_a) << seed;
      ASSERT_EQ(c.impact.normal, first.contact.normal) << seed;
      ASSERT_EQ(c.impact.weights, first.weights) << seed;
      ASSERT_EQ(c.impact.lower, first.lower) << seed;
    }
    ASSERT_TRUE(listed) << seed;
    edges += pair.kind == FeaturePairKind::EdgeEdge;
  }
  EXPECT_GT(edges, 10);
}

TEST(SceneAnswers, whether_only_tells_the_start_apart) {
  int at_start = 0, later = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(5000 + seed);
    const test::MovingMesh mesh = test::random_moving_mesh(random);
    DeformableOptions options;
    options.threads = 1;
    if (seed % 4 == 3) options.minimum_distance = 0.02;
    for (const DeformableMethod method : methods) {
      auto scene = DeformableScene::build({mesh.object}, {.method = method, .threads = 1});
      ASSERT_TRUE(scene->update(mesh.t0, mesh.t1).has_value());
      for (const AtStart choice : {AtStart::Report, AtStart::Skip}) {
        options.at_start = choice;
        options.boolean_only = false;
        const DeformableContacts full = scene->all_contacts(options);
        options.boolean_only = true;
        const DeformableContacts whether = scene->all_contacts(options);
        ASSERT_EQ(whether.status, full.status) << mesh.name << ", seed " << seed;
        ASSERT_EQ(whether.contacts.size(), full.contacts.size()) << mesh.name << ", seed " << seed;
        for (std::size_t i = 0; i < full.contacts.size(); ++i) {
          const Impact& impact = whether.contacts[i].impact;
          ASSERT_EQ(whether.contacts[i].pair, full.contacts[i].pair) << mesh.name << ", seed " << seed;
          ASSERT_EQ(impact.status, full.contacts[i].impact.status) << mesh.name << ", seed " << seed;
          ASSERT_EQ(impact.upper, impact.status == Status::OverlapAtStart ? 0.0 : 1.0);
          ++(impact.status == Status::OverlapAtStart ? at_start : later);
        }
      }
    }
  }
  EXPECT_GT(at_start, 100);
  EXPECT_GT(later, 1000);
}

TEST(SceneAnswers, touching_exactly_at_the_end_is_not_free) {
  for (const DeformableMethod method : methods) {
    EXPECT_EQ(falling_spike(0, 0.75, method).safe_step().fraction, 1.0);
    const SafeStep touching = falling_spike(0, 1, method).safe_step();
    EXPECT_EQ(touching.first.status, Status::Contact);
    EXPECT_LT(touching.fraction, 1.0);
    EXPECT_GT(touching.fraction, 0.999999);
    EXPECT_EQ(falling_spike(1, 0, method).safe_step().fraction, 0.0);
  }
}

TEST(SceneAnswers, a_minimum_distance_has_two_points) {
  DeformableOptions options;
  options.minimum_distance = 0.25;
  const FirstContactResult first = falling_spike(0, 2, DeformableMethod::Clusters).first_contact(options);
  ASSERT_EQ(first.status, Status::Contact);
  EXPECT_LE(first.time, 0.375);
  EXPECT_NEAR(first.time, 0.375, 1e-5);
  EXPECT_NEAR(first.distance, 0.25, 1e-5);
  EXPECT_EQ(first.distance, first.contact.distance);
  EXPECT_LT((first.contact.point_a - Vector3(0.5, 0.5, 0.25)).norm(), 1e-5);
  EXPECT_LT((first.contact.point_b - Vector3(0.5, 0.5, 0)).norm(), 1e-12);
}

void expect_failed(const DeformableScene& scene, const DeformableOptions& options, const char* word) {
  const DeformableContacts all = scene.all_contacts(options);
  EXPECT_EQ(all.status, Status::Failed) << word;
  EXPECT_NE(all.failure.find(word), std::string::npos) << all.failure;
  const SafeStep safe = scene.safe_step(options);
  EXPECT_EQ(safe.fraction, 0.0) << word;
  EXPECT_EQ(safe.first.status, Status::Failed) << word;
  EXPECT_EQ(safe.first.lower, 0.0) << word;
  EXPECT_EQ(safe.first.failure, all.failure);
}

TEST(SceneAnswers, questions_that_mean_nothing_fail_and_say_why) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const DeformableScene scene = falling_spike(0, 2, DeformableMethod::Clusters);
  for (const double bad : {nan, -1.0, infinity}) {
    expect_failed(scene, {.minimum_distance = bad}, "minimum_distance");
    expect_failed(scene, {.relative_distance_tolerance = bad}, "relative_distance_tolerance");
  }
  expect_failed(scene, {.threads = -1}, "threads");
  EXPECT_FALSE(DeformableScene::build({ground}, {.threads = -2}).has_value());
  EXPECT_FALSE(ccd(ground.vertices, ground.vertices, ground.faces, {.minimum_distance = nan}).has_value());

  auto without_step = DeformableScene::build({ground});
  expect_failed(*without_step, {}, "update");
  const std::vector<std::vector<Vector3>> frames = {spike_above_ground(0), spike_above_ground(1)};
  auto film = DeformableScene::build({ground, spike});
  EXPECT_FALSE(all_contacts(*film, frames, {.minimum_distance = -1}).has_value());
  EXPECT_FALSE(first_contact(*film, frames, {.minimum_distance = -1}).has_value());
}

TEST(SceneAnswers, matrices_of_either_storage_order) {
  const std::vector<Vector3> start = spike_above_ground(0), end = spike_above_ground(2);
  Eigen::MatrixXd columns_t0(6, 3), columns_t1(6, 3);
  Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> rows_t0(6, 3), rows_t1(6, 3);
  for (int i = 0; i < 6; ++i) {
    columns_t0.row(i) = rows_t0.row(i) = start[i];
    columns_t1.row(i) = rows_t1.row(i) = end[i];
  }
  const std::vector<Face> faces = {{0, 1, 2}, {3, 4, 5}};
  Eigen::MatrixXi face_columns(2, 3);
  face_columns << 0, 1, 2, 3, 4, 5;
  const Eigen::Matrix<int, Eigen::Dynamic, 3, Eigen::RowMajor> face_rows = face_columns;
  const auto plain = ccd(start, end, faces);
  const auto by_columns = ccd(columns_t0, columns_t1, face_columns);
  const auto by_rows = ccd(rows_t0, rows_t1, face_rows);
  ASSERT_TRUE(plain.has_value() && by_columns.has_value() && by_rows.has_value());
  ASSERT_GT(plain->contacts.size(), 0u);
  for (const auto* found : {&*by_columns, &*by_rows}) {
    ASSERT_EQ(found->contacts.size(), plain->contacts.size());
    for (std::size_t i = 0; i < plain->contacts.size(); ++i) {
      EXPECT_EQ(found->contacts[i].pair, plain->contacts[i].pair);
      EXPECT_EQ(found->contacts[i].impact.time, plain->contacts[i].impact.time);
    }
  }
  const auto flat = ccd(columns_t0, Eigen::MatrixXd(6, 2), face_columns);
  ASSERT_FALSE(flat.has_value());
  EXPECT_EQ(flat.error().message, "positions_t1 must have three columns, not 2");
  EXPECT_FALSE(ccd(columns_t0, columns_t1, Eigen::MatrixXi::Constant(1, 3, 6)).has_value());
}

}  // namespace
}  // namespace toccata
