// Everything touches at the start: the first contact is one contact, and takes the memory of one.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <optional>

#include "oracle/adversarial_meshes.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata {
namespace {

long most_megabytes_so_far() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

DeformableScene collapsed(int cells, DeformableMethod method) {
  DeformableObject object = test::grid_mesh(cells, cells).object;
  object.vertex_count = (cells + 1) * (cells + 1);
  const std::vector<Vector3> one_point(static_cast<std::size_t>(object.vertex_count), Vector3(1, 1, 1));
  auto scene = DeformableScene::build({object}, {.method = method});
  EXPECT_TRUE(scene->update(one_point, one_point).has_value());
  return std::move(*scene);
}

// 3,200 faces at one point: 17 million pairs touch.
TEST(AllTouching, the_first_contact_needs_little_memory) {
  const DeformableScene scene = collapsed(40, DeformableMethod::Clusters);
  const long before = most_megabytes_so_far();
  for (const double minimum_distance : {0.0, 0.1}) {
    DeformableOptions options;
    options.minimum_distance = minimum_distance;
    const SafeStep step = scene.safe_step(options);
    EXPECT_EQ(step.first.status, Status::OverlapAtStart);
    EXPECT_EQ(step.fraction, 0.0);
    EXPECT_EQ(step.first.contacts.size(), 1u);
  }
  EXPECT_LE(most_megabytes_so_far() - before, 50);
}

// The smallest pair of those at the start, whichever the method, the threads and the filters.
TEST(AllTouching, ties_go_to_the_smallest_pair) {
  for (const DeformableMethod method :
       {DeformableMethod::Clusters, DeformableMethod::Connectivity, DeformableMethod::BruteForce}) {
    const DeformableScene scene = collapsed(5, method);
    for (const double minimum_distance : {0.0, 0.1}) {
      for (const int threads : {1, 2}) {
        for (const int least : {0, 7, 1000}) {
          DeformableOptions options;
          options.minimum_distance = minimum_distance;
          options.threads = threads;
          options.pair_filter = [&](const FeaturePair& pair) {
            return pair.first >= least || pair.kind == FeaturePairKind::EdgeEdge;
          };
          const DeformableContacts all = scene.all_contacts(options);
          const FirstContactResult first = scene.first_contact(options);
          ASSERT_FALSE(all.contacts.empty());
          EXPECT_EQ(first.status, all.contacts[0].impact.status);
          EXPECT_EQ(feature_pair_of(first.contact.feature_a, first.contact.feature_b), all.contacts[0].pair);
          EXPECT_EQ(first.weights, all.contacts[0].impact.weights);
        }
      }
    }
  }
}

}  // namespace
}  // namespace toccata
