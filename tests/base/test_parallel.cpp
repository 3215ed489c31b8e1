// More threads than there are: no more are made, nothing is written, the answers are the same.
#include "toccata/base/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

#include "oracle/adversarial_meshes.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/hierarchy/topology.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

std::size_t threads_of_this_program() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

constexpr int many = 1'000'000;

TEST(Parallel, a_request_for_many_threads_comes_to_what_there_is) {
  const int all = usable_threads(0);
  EXPECT_GE(all, 1);
  EXPECT_EQ(usable_threads(1), 1);
  EXPECT_LE(usable_threads(2), 2);
  EXPECT_GE(usable_threads(many), all);
  EXPECT_LE(usable_threads(many), static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

TEST(Parallel, every_block_is_done_once) {
  for (const int threads : {0, 1, 2, 4, 100'000, many}) {
    std::vector<std::atomic<int>> done(1000);
    parallel_blocks(done.size(), 7, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++done[i];
    });
    for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(Parallel, many_threads_are_quiet_and_few) {
  testing::internal::CaptureStderr();
  // A batch of rigid questions.
  const Shape cube(oracle::box({0.5, 0.5, 0.5}));
  std::vector<BodyPair> pairs;
  for (int i = 0; i < 100; ++i) {
    const RigidMotion push(oracle::shifted(3, 0.01 * i, 0), oracle::shifted(-3, 0.02 * i, 0));
    pairs.push_back({{cube, push}, {cube}});
  }
  const std::vector<FirstContactResult> expected = first_contacts(pairs);
  for (const int threads : {4, 100'000, many}) {
    FirstContactOptions options;
    options.threads = threads;
    const std::vector<FirstContactResult> results = first_contacts(pairs, options);
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].time, expected[i].time);
  }
  // A deforming scene, from the building of its clusters on.
  const TriangleMesh cube_mesh = oracle::box({1, 1, 1});
  std::vector<Vector3> start, end;
  std::vector<Face> faces;
  for (int k = 0; k < 200; ++k) {
    for (const Face& f : cube_mesh.faces) faces.push_back({f[0] + 8 * k, f[1] + 8 * k, f[2] + 8 * k});
    for (const Vector3& x : cube_mesh.vertices) {
      start.emplace_back(x + Vector3(2.5 * k, 0, 0));
      end.emplace_back(x + Vector3(1.5 * k, 0, 0));
    }
  }
  const std::size_t contacts = ccd(start, end, faces)->contacts.size();
  EXPECT_GT(contacts, 0u);
  for (const int threads : {4, 100'000, many}) {
    DeformableOptions options;
    options.threads = threads;
    EXPECT_EQ(ccd(start, end, faces, options)->contacts.size(), contacts);
  }
  // The hierarchy of a mesh.
  HierarchyOptions hierarchy;
  hierarchy.threads = many;
  EXPECT_FALSE(build_topology({start, faces}, hierarchy).nodes.empty());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_LE(threads_of_this_program(), 2u * std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace toccata
