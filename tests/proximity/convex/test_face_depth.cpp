// Depths by the sides and edges of small hulls against all axes in long double, and against the polytope that
// expands.
#include "proximity/convex/face_depth.hpp"

#include <gtest/gtest.h>

#include "effort.hpp"
#include "elementary/hull_index.hpp"
#include "oracle/convex_oracle.hpp"
#include "proximity/convex/convex_depth.hpp"
#include "proximity/convex/convex_pairs.hpp"
#include "toccata/bound/convex_hull_of.hpp"

namespace toccata {
namespace {

using convex::SureDepth;

struct FacedHull {
  ConvexHull hull;
  HullIndex index;
  ConvexSet set;

  explicit FacedHull(const std::vector<Vector3>& points) : hull(convex_hull_of(points).value()) {
    index = HullIndex(hull.vertices, hull.neighbours, hull.first_neighbour);
    index.faces = HullFaces(hull.vertices, hull.faces, hull.vertices);
    set = set_of_points(hull.vertices, 0.0, &index);
  }
  FacedHull(const FacedHull&) = delete;
  FacedHull& operator=(const FacedHull&) = delete;
};

// Round ones, prisms with level sides, flat and long ones, boxes, some with their middle elsewhere.
std::vector<Vector3> some_points(Random& random) {
  std::vector<Vector3> points;
  const int kind = random.integer(0, 5), count = random.integer(4, 60);
  for (int i = 0; i < count; ++i) points.push_back(random.on_sphere());
  if (kind == 1) {
    points.clear();
    const int corners = random.integer(3, 12);
    for (int i = 0; i < corners; ++i) {
      const double turn = 6.283185307179586 * i / corners;
      for (const double z : {-0.5, 0.5}) points.emplace_back(std::cos(turn), std::sin(turn), z);
    }
  }
  if (kind == 2) {
    points.clear();
    for (int i = 0; i < 8; ++i) points.emplace_back(i & 1 ? 0.5 : -0.5, i & 2 ? 0.25 : -0.25, i & 4 ? 1 : -1);
  }
  const Vector3 scale = kind == 3   ? Vector3(1.0, 1.0, 0.05)
                        : kind == 4 ? Vector3(1.0, 0.03, 0.03)
                                    : Vector3(Vector3::Constant(random.uniform(0.2, 1.0)));
  const Vector3 shift =
      random.integer(0, 3) == 0 ? Vector3(0.7 * random.on_sphere()) : Vector3(Vector3::Zero());
  for (Vector3& p : points) p = scale.cwiseProduct(p) + shift;
  return points;
}

TEST(FaceDepth, is_the_least_of_all_axes) {
  Random random(31);
  int deep = 0, apart = 0, unsure = 0;
  for (int trial = 0; trial < with_effort(200); ++trial) {
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    const FacedHull a(some_points(random)), b(some_points(random));
    const bool is_shallow = random.integer(0, 1) == 0;
    Pose pose(random_rotation(random), random.uniform(0.0, 2.0) * random.on_sphere());
    if (is_shallow) pose = pose_at_gap(random, a.set, b.set, -std::pow(10.0, random.uniform(-12.0, 0.0)));
    if (trial % 7 == 0) pose.rotation.setIdentity();
    if (trial % 11 == 0) pose.translation.setZero();
    const convex::Difference difference(a.set, pose, b.set);
    const SureDepth found = convex::face_depth(difference, 0.0);
    const double scale = difference.scale;
    if (found.kind == SureDepth::Kind::Unsure) {
      ++unsure;
    } else if (found.kind == SureDepth::Kind::Apart) {
      ++apart;
      EXPECT_GE(static_cast<double>(oracle::gap_along(a.set, pose, b.set, found.direction)),
                found.gap - 1e-18 * scale);
    } else {
      ++deep;
      const auto truth = static_cast<double>(oracle::polytope_depth_truth(a.set, pose, b.set));
      EXPECT_LE(found.depth.lower, truth + 1e-17 * scale);
      EXPECT_GE(found.depth.upper, truth - 1e-17 * scale);
      EXPECT_LE(found.depth.upper - found.depth.lower, 1e-13 * scale);
      EXPECT_NEAR((found.depth.of_a - found.depth.of_b).norm(), truth, 1e-13 * scale);
      EXPECT_NEAR((found.depth.of_a - found.depth.of_b).dot(found.depth.normal), truth, 1e-13 * scale);
    }
    // Its own word is that of who does without it.
    const convex::ConvexDepth other =
        convex::convex_depth(set_of_points(a.hull.vertices), pose, set_of_points(b.hull.vertices));
    if (found.kind != SureDepth::Kind::Unsure) {
      EXPECT_EQ(found.kind == SureDepth::Kind::Deep, other.meets);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(deep, 30);
  EXPECT_GT(apart, 20);
  EXPECT_GT(unsure, 0);
}

// A hull is plain data, which anybody may fill in: faces that are not its own are not believed.
TEST(HullFaces, are_only_those_of_a_hull) {
  const std::vector<Vector3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                        {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  const ConvexHull cube = convex_hull_of(corners).value();
  EXPECT_FALSE(HullFaces(cube.vertices, cube.faces, cube.vertices).empty());
  std::vector<Face> faces = cube.faces;
  faces.pop_back();  // open
  EXPECT_TRUE(HullFaces(cube.vertices, faces, cube.vertices).empty());
  faces = cube.faces;
  faces[0][0] = 99;
  EXPECT_TRUE(HullFaces(cube.vertices, faces, cube.vertices).empty());
  faces = cube.faces;
  for (Face& f : faces) std::swap(f[0], f[1]);  // inward
  EXPECT_TRUE(HullFaces(cube.vertices, faces, cube.vertices).empty());
  std::vector<Vector3> beyond = cube.vertices;  // a corner that the faces leave out
  beyond.emplace_back(0.5, 0.5, 3.0);
  EXPECT_TRUE(HullFaces(beyond, cube.faces, beyond).empty());
  const std::vector<Vector3> square = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const ConvexHull flat = convex_hull_of(square).value();
  EXPECT_TRUE(HullFaces(flat.vertices, flat.faces, flat.vertices).empty());
}

}  // namespace
}  // namespace toccata
