// A sheet every vertex of which runs into one point at the same time: all pairs of features meet there, or
// nearly, and doubles decide none of them.
#include <gtest/gtest.h>
#include <time.h>

#include "oracle/adversarial_meshes.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata {
namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Collapse {
  DeformableObject object;
  std::vector<Vector3> start, end;
  double time;  // but for rounding

  // rounded: the ends are only nearly on straight lines through one point.
  Collapse(int cells, bool flat, bool rounded) : object(test::grid_mesh(cells, cells).object) {
    Random random(3);
    const Vector3 centre = rounded ? Vector3(1.1, 2.3, 0.7) : Vector3(Vector3::Zero());
    const double ratio = rounded ? 3.0 / 7.0 : 1.0;
    for (int i = 0; i <= cells; ++i) {
      for (int j = 0; j <= cells; ++j) {
        start.push_back(Vector3(i, j, 0) + (flat ? Vector3(Vector3::Zero()) : random.in_box(0.2)));
        end.push_back(centre - ratio * (start.back() - centre));
      }
    }
    object.vertex_count = static_cast<std::int32_t>(start.size());
    time = 1.0 / (1.0 + ratio);
  }

  DeformableScene scene(DeformableMethod method) const {
    auto built = DeformableScene::build({object}, {.method = method});
    EXPECT_TRUE(built->update(start, end).has_value());
    return std::move(*built);
  }
};

// 800 faces, 1.1 million pairs, which took minutes: the question ends by its budget, and the step is proven
// to be free until just before.
TEST(Collapse, ends_by_its_budget) {
  for (const bool rounded : {false, true}) {
    const Collapse collapse(20, false, rounded);
    const DeformableScene scene = collapse.scene(DeformableMethod::Clusters);
    const double before = processor_seconds();
    const SafeStep step = scene.safe_step();
    EXPECT_LT(processor_seconds() - before, 10.0);  // about one; the machine may be a slow one
    EXPECT_EQ(step.first.status, Status::OutOfBudget);
    EXPECT_LT(step.first.lower, collapse.time);
    EXPECT_NEAR(step.first.lower, collapse.time, 1e-9);
    EXPECT_LT(step.fraction, step.first.lower);
    EXPECT_NEAR(step.fraction, collapse.time, 1e-9);
    DeformableOptions options;
    options.budget = 1000;
    const DeformableContacts listed = scene.all_contacts(options);
    EXPECT_EQ(listed.status, Status::OutOfBudget);
    EXPECT_FALSE(listed.contacts.empty());
    for (const DeformableContact& contact : listed.contacts) {
      EXPECT_NEAR(contact.impact.lower, collapse.time, 1e-9);
    }
  }
}

// With all the budget it wants, the first contact is where the budget ended before, by every method.
TEST(Collapse, a_larger_budget_goes_on) {
  for (const bool flat : {false, true}) {
    for (const bool rounded : {false, true}) {
      const Collapse collapse(3, flat, rounded);
      for (const DeformableMethod method :
           {DeformableMethod::Clusters, DeformableMethod::Connectivity, DeformableMethod::BruteForce}) {
        const DeformableScene scene = collapse.scene(method);
        DeformableOptions options;
        options.budget = 1 << 30;
        const SafeStep whole = scene.safe_step(options);
        EXPECT_EQ(whole.first.status, Status::Contact);
        EXPECT_NEAR(whole.first.lower, collapse.time, 1e-9);
        options.budget = 100;
        for (const int threads : {1, 2}) {
          options.threads = threads;
          const SafeStep part = scene.safe_step(options);
          EXPECT_EQ(part.first.status, Status::OutOfBudget);
          EXPECT_LE(part.first.lower, whole.first.upper);
          EXPECT_NEAR(part.first.lower, collapse.time, 1e-9) << to_string(method);
        }
      }
    }
  }
}

// What touches at the start is not asked about: the rest is free as long as it is.
TEST(Collapse, skips_what_touches_at_the_start) {
  Collapse collapse(3, false, true);
  collapse.start[5] = collapse.start[0];  // not neighbours
  collapse.end[5] = collapse.end[0];
  for (const DeformableMethod method : {DeformableMethod::Clusters, DeformableMethod::BruteForce}) {
    const DeformableScene scene = collapse.scene(method);
    DeformableOptions options;
    options.budget = 200;
    EXPECT_LT(scene.safe_step(options).first.lower, 1e-9);
    options.at_start = AtStart::Skip;
    options.budget = 600;
    const SafeStep step = scene.safe_step(options);
    EXPECT_EQ(step.first.status, Status::OutOfBudget);
    DeformableOptions whole = options;
    whole.budget = 1 << 30;
    EXPECT_LE(step.first.lower, scene.safe_step(whole).first.upper);
  }
}

// A small scene is not looked at twice, once as the sample of itself.
TEST(Collapse, no_pair_is_tested_twice) {
  const Collapse collapse(5, false, false);
  const DeformableScene scene = collapse.scene(DeformableMethod::BruteForce);
  const FirstContactResult first = scene.first_contact();
  const DeformableContacts all = scene.all_contacts();
  ASSERT_EQ(first.status, Status::Contact);
  EXPECT_LE(first.stats.feature_pairs, static_cast<std::int64_t>(all.contacts.size()));
}

TEST(Collapse, a_negative_budget_fails) {
  const Collapse collapse(2, true, false);
  const DeformableScene scene = collapse.scene(DeformableMethod::Clusters);
  DeformableOptions options;
  options.budget = -1;
  EXPECT_EQ(scene.first_contact(options).status, Status::Failed);
  EXPECT_EQ(scene.all_contacts(options).status, Status::Failed);
}

}  // namespace
}  // namespace toccata
