// Answers do not depend on the instruction set: every one that was compiled and that this machine runs gives
// the same bits, trees included.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <Eigen/Geometry>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <string>
#include <toccata/toccata.hpp>
#include <vector>

#include "hierarchy/box_tree.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

class Digest {
 public:
  void take(std::uint64_t word) { value_ = (value_ ^ word) * 1099511628211U; }
  void take(double number) { take(std::bit_cast<std::uint64_t>(number)); }
  void take(const Vector3& v) {
    for (int k = 0; k < 3; ++k) take(v[k]);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 1469598103934665603U;
};

TriangleMesh small_knot() {
  scenes::TorusKnotOptions options;
  options.along = 60;
  options.around = 8;
  return scenes::torus_knot(options);
}

std::uint64_t digest_of_tree() {
  Digest digest;
  for (const BoxNode& node : build_box_tree(small_knot(), Vector3::Zero()).nodes) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&node);
    for (std::size_t i = 0; i < offsetof(BoxNode, count); ++i) digest.take(std::uint64_t{bytes[i]});
  }
  return digest.value();
}

std::uint64_t digest_of_rigid_bodies() {
  Digest digest;
  const Shape knot(small_knot());
  Random random(51);
  for (int i = 0; i < 6; ++i) {
    const auto turn = [&] {
      return Eigen::AngleAxisd(random.uniform(0.0, 3.0), random.on_sphere()).toRotationMatrix();
    };
    const Pose start(turn(), Vector3(3, 0, 0)), end(turn(), random.in_box(0.5));
    const FirstContactResult found = first_contact({knot, RigidMotion(start, end)}, {knot});
    digest.take(static_cast<std::uint64_t>(found.status));
    digest.take(found.time);
    digest.take(distance({knot, start}, {knot, end}).distance);
  }
  return digest.value();
}

// More of them than it takes until the tree for rays is made.
std::uint64_t digest_of_rays() {
  Digest digest;
  const Shape knot(small_knot());
  Random random(53);
  for (int i = 0; i < 200; ++i) {
    const Vector3 origin = random.in_box(3.0);
    const RayCastResult hit = ray_cast({knot}, {origin, random.in_box(1.0) - origin});
    digest.take(static_cast<std::uint64_t>(hit.triangle));
    digest.take(hit.parameter);
    digest.take(hit.normal);
  }
  return digest.value();
}

// Triangles here and there that fly through each other.
std::uint64_t digest_of_deforming_step(double minimum_distance) {
  Random random(52);
  TriangleMesh soup;
  std::vector<Vector3> end;
  for (int i = 0; i < 300; ++i) {
    const Vector3 p = random.in_box(1.0), way = random.in_box(0.1);
    for (int k = 0; k < 3; ++k) {
      soup.vertices.push_back(p + random.in_box(0.15));
      end.push_back(soup.vertices.back() + way + random.in_box(0.05));
    }
    soup.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  auto scene = DeformableScene::build({soup});
  EXPECT_TRUE(scene && scene->update(soup.vertices, end));
  DeformableOptions options;
  options.minimum_distance = minimum_distance;
  const DeformableContacts found = scene->all_contacts(options);
  EXPECT_GT(found.contacts.size(), 100U);
  Digest digest;
  for (const DeformableContact& contact : found.contacts) {
    digest.take(static_cast<std::uint64_t>(contact.pair.first));
    digest.take(static_cast<std::uint64_t>(contact.pair.second));
    digest.take(contact.impact.lower);
    digest.take(contact.impact.upper);
    digest.take(contact.impact.point);
    digest.take(contact.impact.normal);
  }
  return digest.value();
}

std::vector<std::uint64_t> all_digests() {
  return {digest_of_tree(), digest_of_rigid_bodies(), digest_of_rays(), digest_of_deforming_step(0.0),
          digest_of_deforming_step(0.01)};
}

TEST(InstructionSets, give_the_same_bits) {
  const std::int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
  const std::vector<std::uint64_t> best = all_digests();
  int tried = 0;
  std::string names;
  for (std::int64_t left = supported; left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    hwy::SetSupportedTargetsForTest(target);
    EXPECT_EQ(all_digests(), best) << hwy::TargetName(target);
    ++tried;
    names += std::string(" ") + hwy::TargetName(target);
  }
  std::printf("tried:%s\n", names.c_str());
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_GE(tried, 1);
}

}  // namespace
}  // namespace toccata
