// Image-space culling against exact contacts of deforming scenes: nothing that touches is ever left out.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "broad_phase/image_space/depth_image.hpp"
#include "effort.hpp"
#include "toccata/base/random.hpp"
#include "toccata/broad_phase/image_space.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/elementary/triangle_intersection.hpp"
#include "toccata/geometry/display_mesh.hpp"

namespace toccata {
namespace {

struct Moving {
  std::vector<Vector3> start, end;
  std::vector<Face> faces;
};

// Boxes, sheets, fans around one edge, needles, dust, triangles that an axis looks at edge-on; on a lattice
// now and then, so that depths and pixels tie.
Moving random_body(Random& random) {
  Moving body;
  const int kind = random.integer(0, 5);
  const bool lattice = random.integer(0, 2) == 0;
  const Vector3 place = random.in_box(0.35);
  const double size = std::pow(10.0, random.uniform(-2.5, 0.0));
  const auto put = [&](Vector3 p) {
    if (lattice) p = (16.0 * p).array().round() / 16.0;
    body.start.push_back(p);
  };
  if (kind == 0) {
    const TriangleMesh box = display_mesh(Box{Vector3::Constant(size)});
    for (const Vector3& v : box.vertices) put(place + v);
    body.faces = box.faces;
  } else if (kind == 1) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) put(place + size * Vector3(i, j, random.uniform(-0.3, 0.3)));
    for (std::int32_t i = 0; i < 2; ++i)
      for (std::int32_t j = 0; j < 2; ++j) {
        const std::int32_t a = 3 * i + j;
        body.faces.push_back({a, a + 1, a + 4});
        body.faces.push_back({a, a + 4, a + 3});
      }
  } else {
    const int count = kind == 2 ? 5 : 1;
    put(place);
    put(place + size * random.on_sphere());
    for (int i = 0; i < count; ++i) {
      Vector3 to = random.on_sphere();
      if (kind == 3) to[random.integer(0, 2)] = 0.0;
      put(kind == 4 ? Vector3(0.5 * (body.start[0] + body.start[1]) + 1e-9 * to)
                    : Vector3(place + size * to));
      body.faces.push_back({0, 1, i + 2});
    }
  }
  const bool rests = random.integer(0, 3) == 0;
  const Vector3 way = rests ? Vector3::Zero() : Vector3(random.uniform(0.0, 0.8) * random.on_sphere());
  for (const Vector3& p : body.start) {
    Vector3 q = p + way;
    if (!rests) q += 0.3 * size * random.in_box(1.0);
    if (lattice) q = (16.0 * q).array().round() / 16.0;
    body.end.push_back(q);
  }
  return body;
}

std::vector<ImageSpaceBody> seen(const std::vector<Moving>& bodies) {
  std::vector<ImageSpaceBody> list;
  for (const Moving& b : bodies) list.push_back({b.start, b.end, b.faces});
  return list;
}

// Features of the exact scene that meet, as pairs of all the triangles that have them.
struct TrianglePair {
  std::int32_t body_a, face_a, body_b, face_b;
};

std::vector<TrianglePair> exact_contacts(const std::vector<Moving>& bodies) {
  std::vector<DeformableObject> objects;
  std::vector<Vector3> start, end;
  std::vector<std::int32_t> first_face;
  std::int32_t faces = 0;
  for (const Moving& b : bodies) {
    objects.emplace_back(static_cast<std::int32_t>(b.start.size()), b.faces);
    start.insert(start.end(), b.start.begin(), b.start.end());
    end.insert(end.end(), b.end.begin(), b.end.end());
    first_face.push_back(faces);
    faces += static_cast<std::int32_t>(b.faces.size());
  }
  DeformableScene scene = DeformableScene::build(objects).value();
  EXPECT_TRUE(scene.update(start, end));
  const auto faces_with = [&](std::span<const std::int32_t> vertices) {
    std::vector<std::int32_t> list;
    for (std::size_t f = 0; f < scene.faces().size(); ++f) {
      const Face& t = scene.faces()[f];
      if (std::all_of(vertices.begin(), vertices.end(),
                      [&](std::int32_t v) { return std::find(t.begin(), t.end(), v) != t.end(); }))
        list.push_back(static_cast<std::int32_t>(f));
    }
    return list;
  };
  std::vector<TrianglePair> pairs;
  for (const DeformableContact& c : scene.all_contacts().contacts) {
    std::vector<std::int32_t> a, b;
    if (c.pair.kind == FeaturePairKind::VertexFace) {
      a = faces_with(std::array{c.pair.first});
      b = {c.pair.second};
    } else {
      a = faces_with(scene.edges()[static_cast<std::size_t>(c.pair.first)]);
      b = faces_with(scene.edges()[static_cast<std::size_t>(c.pair.second)]);
    }
    for (const std::int32_t f : a) {
      for (const std::int32_t g : b) {
        const std::int32_t p = scene.object_of_face(f), q = scene.object_of_face(g);
        if (p == q) continue;
        const TrianglePair pair{p, f - first_face[static_cast<std::size_t>(p)], q,
                                g - first_face[static_cast<std::size_t>(q)]};
        pairs.push_back(p < q ? pair : TrianglePair{q, pair.face_b, p, pair.face_a});
      }
    }
  }
  // What is through each other already has no first contact.
  for (std::size_t a = 0; a < bodies.size(); ++a)
    for (std::size_t b = a + 1; b < bodies.size(); ++b)
      for (std::size_t f = 0; f < bodies[a].faces.size(); ++f)
        for (std::size_t g = 0; g < bodies[b].faces.size(); ++g) {
          const auto at = [](const Moving& body, std::size_t face) {
            const Face& t = body.faces[face];
            return Triangle{body.start[static_cast<std::size_t>(t[0])],
                            body.start[static_cast<std::size_t>(t[1])],
                            body.start[static_cast<std::size_t>(t[2])]};
          };
          if (triangle_triangle_intersect(at(bodies[a], f), at(bodies[b], g)))
            pairs.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(f),
                             static_cast<std::int32_t>(b), static_cast<std::int32_t>(g)});
        }
  return pairs;
}

// Pairs of bodies, and of parts, that meet and are not in the answer.
int lost(const std::vector<TrianglePair>& contacts, const ImageSpaceResult& found) {
  const std::set<IndexPair> bodies(found.pairs.begin(), found.pairs.end());
  const std::set<PartPair> parts(found.part_pairs.begin(), found.part_pairs.end());
  const auto part_of = [&](std::int32_t body, std::int32_t face) {
    for (std::size_t i = 0; i < found.parts.size(); ++i)
      if (found.parts[i].body == body &&
          std::binary_search(found.parts[i].triangles.begin(), found.parts[i].triangles.end(), face))
        return static_cast<std::int32_t>(i);
    return -1;
  };
  int count = 0;
  for (const TrianglePair& c : contacts) {
    count += bodies.count({c.body_a, c.body_b}) == 0;
    const std::int32_t a = part_of(c.body_a, c.face_a), b = part_of(c.body_b, c.face_b);
    count += parts.count({std::min(a, b), std::max(a, b)}) == 0;
  }
  return count;
}

TEST(ImageSpace, LosesNoContactOfDeformingScenes) {
  Random random(7);
  constexpr int resolutions[] = {16, 32, 64, 128, 256, 512, 1024};
  int scenes_with_contacts = 0, missing = 0;
  std::size_t left = 0, boxes = 0;
  const int scenes = with_effort(150);  // a thousand and more: TOCCATA_TEST_EFFORT=7
  for (int scene = 0; scene < scenes; ++scene) {
    std::vector<Moving> bodies;
    for (int i = random.integer(2, 7); i > 0; --i) bodies.push_back(random_body(random));
    const std::vector<TrianglePair> contacts = exact_contacts(bodies);
    scenes_with_contacts += !contacts.empty();
    const ImageSpaceOptions options{
        .resolution = resolutions[scene % 7], .part_size = random.integer(1, 4), .threads = 1};
    const Expected<ImageSpaceResult> found = image_space_pairs(seen(bodies), options);
    ASSERT_TRUE(found) << found.error().message;
    missing += lost(contacts, *found);
    left += found->pairs.size();
    boxes += found->box_pairs;
  }
  EXPECT_EQ(missing, 0);
  EXPECT_GT(scenes_with_contacts, scenes / 10);
  EXPECT_LT(left, boxes);
}

TEST(ImageSpace, HullsAreDrawnWhereTheirPointsAre) {
  // Random points of random hulls, moved by up to the widening, are in pixels whose intervals hold them.
  Random random(11);
  int outside = 0;
  for (int trial = 0; trial < with_effort(3000); ++trial) {
    image_space::ViewPoint points[6];
    const auto count = static_cast<std::size_t>(random.integer(1, 6));
    const int size = 1 << random.integer(2, 12);
    for (auto& p : points)
      p = {random.integer(-size, size), random.integer(-size, size), random.integer(-size, size)};
    if (trial % 5 == 0)
      for (auto& p : points) p.v = points[0].v;
    if (trial % 7 == 0)
      for (auto& p : points) p.u = points[0].u;
    const std::int64_t widening = random.integer(1, 3);
    image_space::DepthImage image(image_space::pixels_of({points, count}, widening));
    image_space::draw_hull({points, count}, widening, image);
    for (int i = 0; i < 20; ++i) {
      double weights[6], sum = 0.0, u = 0.0, v = 0.0, depth = 0.0;
      for (std::size_t k = 0; k < count; ++k)
        sum += weights[k] = random.integer(0, 2) == 0 ? 0.0 : random.unit();
      if (sum == 0.0) sum = weights[0] = 1.0;
      for (std::size_t k = 0; k < count; ++k) {
        u += weights[k] / sum * static_cast<double>(points[k].u);
        v += weights[k] / sum * static_cast<double>(points[k].v);
        depth += weights[k] / sum * static_cast<double>(points[k].depth);
      }
      const double w = static_cast<double>(widening) * (1.0 - 1e-9);
      u += random.uniform(-w, w);
      v += random.uniform(-w, w);
      depth += random.uniform(-w, w);
      const auto& pixel = image.at(static_cast<std::int32_t>(std::floor(u / 256)),
                                   static_cast<std::int32_t>(std::floor(v / 256)));
      outside += pixel.empty() || !(pixel.least <= depth && depth <= pixel.most);
    }
  }
  EXPECT_EQ(outside, 0);
}

TEST(ImageSpace, TellsBodiesApartThatBoxesDoNot) {
  // Two long plates that cross as seen from above, one over the other along the diagonal.
  Moving low, high;
  low.start = {{0, 0, 0}, {10, 0, 10}, {10, 1, 10}, {0, 1, 0}};
  low.faces = {{0, 1, 2}, {0, 2, 3}};
  high = low;
  for (Vector3& p : high.start) p += Vector3(0, 0, 2);
  low.end = low.start;
  high.end = high.start;
  const ImageSpaceResult found = image_space_pairs(seen({low, high}), {.resolution = 64}).value();
  EXPECT_EQ(found.box_pairs, 1u);
  EXPECT_TRUE(found.pairs.empty());
  EXPECT_TRUE(found.potentially_colliding.empty());
  // Within the margin they are a pair.
  EXPECT_EQ(image_space_pairs(seen({low, high}), {.resolution = 64, .margin = 1.5}).value().pairs.size(), 1u);
}

TEST(ImageSpace, SelfPairsOfParts) {
  // Two parallel strips of one body, joined at one end by a third, that touch at the other end.
  Moving body;
  body.start = {{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {0, 1, 0}, {0, 0, 2}, {4, 0, -0.5}, {4, 1, -0.5}, {0, 1, 2}};
  body.faces = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}, {0, 3, 7}, {0, 7, 4}};
  body.end = body.start;
  const ImageSpaceResult found = image_space_pairs(seen({body}), {.part_size = 1, .with_self = true}).value();
  const std::set<PartPair> pairs(found.part_pairs.begin(), found.part_pairs.end());
  int missing = 0;
  for (std::size_t a = 0; a < found.parts.size(); ++a) {
    for (std::size_t b = a + 1; b < found.parts.size(); ++b) {
      const Face &f = body.faces[static_cast<std::size_t>(found.parts[a].triangles[0])],
                 &g = body.faces[static_cast<std::size_t>(found.parts[b].triangles[0])];
      const bool neighbours = std::any_of(
          f.begin(), f.end(), [&](std::int32_t v) { return std::find(g.begin(), g.end(), v) != g.end(); });
      const auto at = [&](const Face& t) {
        return Triangle{body.start[static_cast<std::size_t>(t[0])],
                        body.start[static_cast<std::size_t>(t[1])],
                        body.start[static_cast<std::size_t>(t[2])]};
      };
      if (!neighbours && triangle_triangle_intersect(at(f), at(g)))
        missing += pairs.count({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)}) == 0;
      EXPECT_FALSE(neighbours &&
                   pairs.count({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)}) != 0);
    }
  }
  EXPECT_EQ(missing, 0);
  EXPECT_FALSE(pairs.empty());
}

TEST(ImageSpace, ScalesThreadsAndNothing) {
  Random random(13);
  std::vector<Moving> bodies;
  for (int i = 0; i < 20; ++i) bodies.push_back(random_body(random));
  const ImageSpaceResult one = image_space_pairs(seen(bodies), {.part_size = 2, .threads = 1}).value();
  const ImageSpaceResult two = image_space_pairs(seen(bodies), {.part_size = 2, .threads = 2}).value();
  EXPECT_EQ(one.pairs, two.pairs);
  EXPECT_EQ(one.part_pairs, two.part_pairs);
  EXPECT_EQ(one.potentially_colliding, two.potentially_colliding);
  const std::vector<TrianglePair> contacts = exact_contacts(bodies);
  for (const double scale : {1e-300, 1e-90, 1e90}) {
    std::vector<Moving> scaled = bodies;
    for (Moving& b : scaled) {
      for (Vector3& p : b.start) p *= scale;
      for (Vector3& p : b.end) p *= scale;
    }
    EXPECT_EQ(lost(contacts, image_space_pairs(seen(scaled), {.part_size = 2}).value()), 0);
  }
  EXPECT_TRUE(image_space_pairs({}).value().pairs.empty());
  Moving point;
  point.start = point.end = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  point.faces = {{0, 1, 2}};
  EXPECT_EQ(image_space_pairs(seen({point, point, {}})).value().pairs.size(), 1u);
}

TEST(ImageSpace, RefusesWhatCannotBe) {
  Moving body;
  body.start = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  body.end = body.start;
  body.faces = {{0, 1, 3}};
  EXPECT_NE(image_space_pairs(seen({body})).error().message.find("body 0, triangle 0"), std::string::npos);
  body.faces = {{0, 1, 2}};
  EXPECT_FALSE(image_space_pairs(seen({body}), {.resolution = 0}));
  EXPECT_FALSE(image_space_pairs(seen({body}), {.margin = -1.0}));
  EXPECT_FALSE(image_space_pairs(seen({body}), {.part_size = -1}));
  body.end.pop_back();
  EXPECT_FALSE(image_space_pairs(seen({body})));
  body.end = body.start;
  body.start[1].x() = NAN;
  EXPECT_FALSE(image_space_pairs(seen({body})));
  body.start[1].x() = 1.0;
  const StopToken token = StopToken::create();
  token.request_stop();
  EXPECT_FALSE(image_space_pairs(seen({body}), {.stop = {.token = token}}));
}

}  // namespace
}  // namespace toccata
