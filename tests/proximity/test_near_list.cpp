// Triangles near a point in the tree of rays: none within the ball is missing, the same on all instruction
// sets.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "effort.hpp"
#include "hierarchy/near_list.hpp"
#include "oracle/long_distance.hpp"
#include "scenes/parts.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

// Needles, segments and points among them.
TriangleMesh scattered(Random& random) {
  TriangleMesh mesh;
  for (int i = 0; i < 150; ++i) {
    const Vector3 a = random.in_box(1.0), b = a + 0.2 * random.in_box(1.0);
    const double width = std::pow(10.0, random.uniform(-9.0, 0.0));
    const Vector3 c = i % 9 == 0 ? b : Vector3(a + 0.4 * (b - a) + 0.2 * width * random.in_box(1.0));
    for (const Vector3& corner : {a, i % 13 == 0 ? c : b, c}) mesh.vertices.push_back(corner);
    mesh.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

std::vector<std::int32_t> listed(const hierarchy::RayTree& tree, const hierarchy::NearBall& ball,
                                 std::size_t faces) {
  std::vector<std::int32_t> room(faces);
  const std::size_t count = hierarchy::list_near(tree, ball, room);
  EXPECT_LE(count, faces);
  room.resize(std::min(count, faces));
  return room;
}

void hold(TriangleMesh mesh, double scale, const Vector3& shift, Random& random) {
  for (Vector3& v : mesh.vertices) v = scale * v + shift;
  const Shape shape(mesh);
  const ShapeData& data = shape.data();
  const hierarchy::RayTree tree = hierarchy::build_ray_tree(data);
  std::size_t all = 0, needless = 0;
  for (int i = 0; i < with_effort(40); ++i) {
    const auto face = static_cast<std::size_t>(random.integer(0, static_cast<int>(mesh.faces.size()) - 1));
    const Triangle chosen = triangle_of(mesh, face);
    const Vector3 middle = chosen[0] + scale * std::pow(10.0, random.uniform(-6.0, 0.5)) * random.on_sphere();
    // Half of the balls just touch one triangle.
    const double touching = static_cast<double>(oracle::true_distance(middle, chosen));
    const hierarchy::NearBall ball = {
        middle - data.center, 1e-14 * (middle.norm() + data.center.norm() + data.radius),
        i % 2 == 0 ? touching : scale * std::pow(10.0, random.uniform(-4.0, 0.0))};
    const std::vector<std::int32_t> near = listed(tree, ball, mesh.faces.size());
    std::vector<char> is_listed(mesh.faces.size(), 0);
    for (const std::int32_t k : near) {
      EXPECT_EQ(is_listed[static_cast<std::size_t>(k)], 0) << "twice";
      is_listed[static_cast<std::size_t>(k)] = 1;
    }
    for (std::size_t k = 0; k < mesh.faces.size(); ++k) {
      const auto truth = static_cast<double>(oracle::true_distance(middle, triangle_of(mesh, k)));
      if (truth <= ball.radius) {
        EXPECT_EQ(is_listed[k], 1) << "triangle " << k << " is missing";
      }
      needless += is_listed[k] != 0 && truth > 2.0 * ball.radius + 0.5 * scale;
    }
    all += near.size();
    if (near.size() < 2) continue;
    std::vector<std::int32_t> little(near.size() - 1);
    EXPECT_GT(hierarchy::list_near(tree, ball, little), little.size());
    std::vector<std::int32_t> enough(near.size());
    EXPECT_EQ(hierarchy::list_near(tree, ball, enough), near.size());
  }
  EXPECT_GT(all, 40U);
  EXPECT_LT(needless, all / 8);  // lists of everything would hold, too
}

TEST(NearList, HoldsAllWithinTheBall) {
  Random random(41);
  for (const double scale : {1e-10, 1e-6, 1.0, 1e6, 1e10}) {
    hold(scattered(random), scale, Vector3::Zero(), random);
    hold(scattered(random), scale, scale * Vector3(300.0, -200.0, 100.0), random);
  }
  scenes::TorusKnotOptions few;
  few.along = 40;
  few.around = 12;
  hold(scenes::torus_knot(few), 1.0, Vector3::Zero(), random);
}

TEST(NearList, IsTheSameOnAllInstructionSets) {
  Random random(43);
  const TriangleMesh mesh = scattered(random);
  const Shape shape(mesh);
  const hierarchy::RayTree tree = hierarchy::build_ray_tree(shape.data());
  std::vector<hierarchy::NearBall> balls;
  for (int i = 0; i < 200; ++i)
    balls.push_back({random.in_box(1.5), 1e-14, std::pow(10.0, random.uniform(-3.0, 0.0))});
  std::vector<std::vector<std::int32_t>> first;
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    hwy::GetChosenTarget().DeInit();
    std::vector<std::vector<std::int32_t>> found;
    for (const hierarchy::NearBall& ball : balls) found.push_back(listed(tree, ball, mesh.faces.size()));
    if (first.empty()) first = found;
    EXPECT_EQ(found, first);
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

}  // namespace
}  // namespace toccata
