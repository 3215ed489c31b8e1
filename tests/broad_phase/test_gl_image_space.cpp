// Culling by occlusion queries: what the exact pictures keep because it touches is kept, too. Skipped where
// there is no OpenGL.
#include <gtest/gtest.h>

#include <algorithm>

#include "effort.hpp"
#include "toccata/base/random.hpp"
#include "toccata/broad_phase/gl_image_space.hpp"
#include "toccata/elementary/triangle_intersection.hpp"

namespace toccata {
namespace {

const GlDevice* query_device() {
  static const Expected<GlDevice> device = GlDevice::create();
  return device ? &*device : nullptr;
}

struct LooseTriangles {
  std::vector<Vector3> start, end;
  std::vector<Face> faces;
};

LooseTriangles loose_triangles(Random& random) {
  LooseTriangles body;
  const Vector3 middle = random.in_box(1.0), moved = random.in_box(0.3);
  const double size = random.uniform(0.02, 0.5);
  const int count = random.integer(1, 6);
  for (int i = 0; i < 3 * count; ++i) {
    body.start.push_back(middle + random.in_box(size));
    body.end.push_back(body.start.back() + moved + random.in_box(0.2 * size));
  }
  for (std::int32_t i = 0; i < count; ++i) body.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  return body;
}

std::vector<ImageSpaceBody> seen_by_queries(const std::vector<LooseTriangles>& bodies) {
  std::vector<ImageSpaceBody> list;
  for (const LooseTriangles& b : bodies) list.push_back({b.start, b.end, b.faces});
  return list;
}

Triangle at_time(const LooseTriangles& body, std::size_t face, double t) {
  const auto corner = [&](std::size_t i) {
    const auto v = static_cast<std::size_t>(body.faces[face][i]);
    return Vector3(body.start[v] + t * (body.end[v] - body.start[v]));
  };
  return {corner(0), corner(1), corner(2)};
}

TEST(GlImageSpace, LosesNoContactAndKeepsNoMoreThanBoxes) {
  if (query_device() == nullptr) GTEST_SKIP();
  Random random(17);
  constexpr int resolutions[] = {16, 64, 256, 1024};
  int lost = 0, touching = 0;
  std::size_t left = 0, boxes = 0, exact_left = 0;
  for (int scene = 0; scene < with_effort(24); ++scene) {
    std::vector<LooseTriangles> bodies;
    for (int i = random.integer(2, 9); i > 0; --i) bodies.push_back(loose_triangles(random));
    const ImageSpaceOptions options{.resolution = resolutions[scene % 4], .part_size = random.integer(1, 3)};
    const Expected<ImageSpaceResult> found =
        gl_image_space_pairs(*query_device(), seen_by_queries(bodies), options);
    ASSERT_TRUE(found) << found.error().message;
    const ImageSpaceResult exact = image_space_pairs(seen_by_queries(bodies), options).value();
    left += found->pairs.size();
    boxes += found->box_pairs;
    exact_left += exact.pairs.size();
    EXPECT_EQ(found->box_pairs, exact.box_pairs);
    const auto part_of = [&](std::size_t body, std::size_t face) {
      for (std::size_t i = 0; i < found->parts.size(); ++i)
        if (found->parts[i].body == static_cast<std::int32_t>(body) &&
            std::binary_search(found->parts[i].triangles.begin(), found->parts[i].triangles.end(),
                               static_cast<std::int32_t>(face)))
          return static_cast<std::int32_t>(i);
      return -1;
    };
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      for (std::size_t b = a + 1; b < bodies.size(); ++b) {
        for (std::size_t f = 0; f < bodies[a].faces.size(); ++f) {
          for (std::size_t g = 0; g < bodies[b].faces.size(); ++g) {
            bool touch = false;
            for (int k = 0; k <= 8 && !touch; ++k)
              touch =
                  triangle_triangle_intersect(at_time(bodies[a], f, k / 8.0), at_time(bodies[b], g, k / 8.0));
            if (!touch) continue;
            ++touching;
            lost +=
                !std::binary_search(found->pairs.begin(), found->pairs.end(),
                                    IndexPair{static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
            const std::int32_t p = part_of(a, f), q = part_of(b, g);
            lost += !std::binary_search(found->part_pairs.begin(), found->part_pairs.end(),
                                        PartPair{std::min(p, q), std::max(p, q)});
          }
        }
      }
    }
  }
  EXPECT_EQ(lost, 0);
  EXPECT_GT(touching, 20);
  EXPECT_LT(left, boxes);
  EXPECT_LE(exact_left, left);
}

TEST(GlImageSpace, EmptyScenesAndWhatCannotBe) {
  if (query_device() == nullptr) GTEST_SKIP();
  EXPECT_TRUE(gl_image_space_pairs(*query_device(), {}).value().pairs.empty());
  Random random(1);
  std::vector<LooseTriangles> bodies = {loose_triangles(random), {}, loose_triangles(random)};
  EXPECT_TRUE(gl_image_space_pairs(*query_device(), seen_by_queries(bodies)));
  EXPECT_FALSE(gl_image_space_pairs(*query_device(), seen_by_queries(bodies), {.resolution = 0}));
  EXPECT_FALSE(gl_image_space_pairs(*query_device(), seen_by_queries(bodies), {.with_self = true}));
  bodies[0].faces[0][1] = 99;
  EXPECT_NE(gl_image_space_pairs(*query_device(), seen_by_queries(bodies))
                .error()
                .message.find("body 0, triangle 0"),
            std::string::npos);
}

}  // namespace
}  // namespace toccata
