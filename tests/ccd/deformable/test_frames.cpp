// Two public steps of real simulations: the contacts must equal the exact lists of pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "oracle/test_data.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"
#include "toccata/io/mesh_io.hpp"

namespace toccata {
namespace {

struct Frames {
  TriangleMesh t0, t1;
  DeformableObject object;
  std::vector<FeaturePair> truth;
};

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// All non-negative integers of a JSON text, in order.
std::vector<std::int32_t> integers(const std::string& text) {
  std::vector<std::int32_t> result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) continue;
    std::int32_t value = 0;
    for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); ++i)
      value = 10 * value + text[i] - '0';
    result.push_back(value);
  }
  return result;
}

// The first letters of its true and false literals.
std::string literals(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != 't' && text[i] != 'f') continue;
    result += text[i];
    i += 3;
  }
  return result;
}

struct Names {
  std::string folder, t0, t1, id;
};

bool load(const Names& names, Frames& frames) {
  const std::string root = test_data("frames/" + names.folder);
  if (!std::filesystem::exists(root)) return false;
  frames.t0 = *load_mesh(root + "/frames/" + names.t0);
  frames.t1 = *load_mesh(root + "/frames/" + names.t1);
  frames.object.vertex_count = static_cast<std::int32_t>(frames.t0.vertices.size());
  frames.object.faces = frames.t0.faces;
  const auto scene = DeformableScene::build({frames.object});
  const std::int32_t vertices = scene->vertex_count();
  const auto edges = static_cast<std::int32_t>(scene->edges().size());
  for (const bool edge_edge : {false, true}) {
    const std::string id = names.id + (edge_edge ? "ee" : "vf");
    const auto ids = integers(read(root + "/boxes/" + id + ".json"));
    const std::string truth = literals(read(root + "/mma_bool/" + id + "_mma_bool.json"));
    EXPECT_EQ(ids.size(), 2 * truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (truth[i] != 't') continue;
      if (edge_edge) {
        const std::int32_t a = ids[2 * i] - vertices;
        const std::int32_t b = ids[2 * i + 1] - vertices;
        frames.truth.push_back({FeaturePairKind::EdgeEdge, std::min(a, b), std::max(a, b)});
      } else {
        frames.truth.push_back({FeaturePairKind::VertexFace, ids[2 * i], ids[2 * i + 1] - vertices - edges});
      }
    }
  }
  std::sort(frames.truth.begin(), frames.truth.end());
  return true;
}

std::vector<FeaturePair> contact_pairs(const Frames& frames, const DeformableOptions& options,
                                       double scale = 1.0) {
  auto scene = DeformableScene::build({frames.object});
  std::vector<Vector3> t0 = frames.t0.vertices, t1 = frames.t1.vertices;
  for (auto* positions : {&t0, &t1}) {
    for (Vector3& x : *positions) x *= scale;
  }
  EXPECT_TRUE(scene->update(t0, t1).has_value());
  std::vector<FeaturePair> pairs;
  for (const DeformableContact& c : scene->all_contacts(options).contacts) {
    EXPECT_LE(c.impact.lower, c.impact.upper);
    pairs.push_back(c.pair);
  }
  // With certified times: the first contact is the earliest of all, and the safe step lies before it.
  return pairs;
}

const Names cloth_ball = {"cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply", "92"};
const Names cloth_funnel = {"cloth-funnel", "227.ply", "228.ply", "227"};

std::ptrdiff_t count(const std::vector<FeaturePair>& pairs, FeaturePairKind kind) {
  return std::count_if(pairs.begin(), pairs.end(), [kind](const FeaturePair& p) { return p.kind == kind; });
}

TEST(Frames, cloth_ball_equals_the_truth) {
  Frames frames;
  if (!load(cloth_ball, frames)) GTEST_SKIP() << "no shared data";
  EXPECT_EQ(count(frames.truth, FeaturePairKind::VertexFace), 19032);
  EXPECT_EQ(count(frames.truth, FeaturePairKind::EdgeEdge), 94822);
  EXPECT_TRUE(contact_pairs(frames, {}) == frames.truth);
  EXPECT_TRUE(contact_pairs(frames, {.boolean_only = true, .threads = 2}, 0x1p-10) == frames.truth);
}

TEST(Frames, cloth_funnel_equals_the_truth_at_any_scale) {
  Frames frames;
  if (!load(cloth_funnel, frames)) GTEST_SKIP() << "no shared data";
  EXPECT_EQ(count(frames.truth, FeaturePairKind::VertexFace), 27);
  EXPECT_EQ(count(frames.truth, FeaturePairKind::EdgeEdge), 107);
  for (const double scale : {1.0, 0x1p-10, 0x1p10, 0x1p-60}) {
    EXPECT_TRUE(contact_pairs(frames, {}, scale) == frames.truth) << scale;
  }
  // Not a power of two: the doubles themselves change, the counts stay.
  for (const double scale : {1e-3, 1e3})
    EXPECT_EQ(contact_pairs(frames, {}, scale).size(), frames.truth.size());
}

TEST(Frames, first_contact_is_the_earliest_of_all) {
  for (const Names& names : {cloth_ball, cloth_funnel}) {
    Frames frames;
    if (!load(names, frames)) GTEST_SKIP() << "no shared data";
    auto scene = DeformableScene::build({frames.object});
    ASSERT_TRUE(scene->update(frames.t0.vertices, frames.t1.vertices).has_value());
    double upper = 1.0;
    for (const DeformableContact& c : scene->all_contacts().contacts) upper = std::min(upper, c.impact.upper);
    const FirstContactResult first = scene->first_contact();
    EXPECT_EQ(first.upper, upper);
    EXPECT_LE(first.lower, upper);
    EXPECT_LT(scene->safe_step().fraction, first.lower);
    EXPECT_LE(scene->memory_bytes(), 400 * frames.t0.faces.size());
  }
}

}  // namespace
}  // namespace toccata
