// Prepared shapes in bytes: what is read answers bit by bit like what was written, and no bytes, damaged or
// forged, do harm.
#include "toccata/io/shape_io.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "effort.hpp"
#include "hierarchy/shape_data.hpp"
#include "io/checksum.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/ray_cast.hpp"

namespace toccata {
namespace {

constexpr std::size_t head_bytes = 128;

TriangleMesh knot(int along, int around) {
  return scenes::torus_knot({.along = along, .around = around});
}

std::vector<Shape> every_kind() {
  Random random(5);
  std::vector<Vector3> cloud;
  for (int i = 0; i < 40; ++i) cloud.push_back(random.in_box(1.0));
  const std::vector<Vector3> polygon = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 1.5, 0}};
  const std::vector<Vector3> segment = {{0, 0, 0}, {1, 2, 3}};
  HeightField field;
  field.columns = 5;
  field.rows = 4;
  for (int i = 0; i < 20; ++i) field.heights.push_back(random.in_box(1.0).x());
  field.heights[7] = std::numeric_limits<double>::quiet_NaN();
  Compound inner{{{Ball{0.5}, Pose()}, {knot(12, 4), Pose(Matrix3::Identity(), Vector3(1, 0, 0))}}};
  Compound outer{{{inner, Pose(Matrix3::Identity(), Vector3(0, 2, 0))},
                  {*convex_hull_of(cloud), Pose(Matrix3::Identity(), Vector3(9, 0, 0))},
                  {field, Pose()}}};
  return {knot(30, 8),
          TriangleMesh(),
          Ball{0.7},
          Capsule{0.2, 1.0},
          Box{{1, 2, 3}, 0.1},
          Cylinder{1, 2},
          Cone{1, 2},
          Ellipsoid{{1, 2, 3}},
          *convex_hull_of(cloud, 0.25),
          *convex_hull_of(polygon),
          *convex_hull_of(segment),
          HalfSpace{{0, 1, 2}, 3.0},
          field,
          outer};
}

Pose random_pose(Random& random) {
  return Pose(Eigen::Quaterniond(Eigen::AngleAxisd(random.in_box(3.0).x(), random.on_sphere())),
              random.in_box(3.0));
}

TEST(ShapeIo, what_is_read_answers_bit_by_bit_like_what_was_written) {
  Random random(1);
  const std::vector<Shape> kinds = every_kind();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string bytes = shape_bytes(kinds[i]);
    const Expected<Shape> read = parse_shape(bytes);
    ASSERT_TRUE(read.has_value()) << i << ": " << read.error().message;
    EXPECT_EQ(shape_bytes(*read), bytes) << i;
    EXPECT_EQ(read->size(), kinds[i].size());
    EXPECT_EQ(read->piece_count(), kinds[i].piece_count());
    for (int k = 0; k < 20; ++k) {
      const Shape other = k % 2 ? Shape(Ball{0.3}) : kinds[0];
      const Pose pose_a = random_pose(random), pose_b = random_pose(random);
      const DistanceResult a = distance({kinds[i], pose_a}, {other, pose_b});
      const DistanceResult b = distance({*read, pose_a}, {other, pose_b});
      EXPECT_EQ(a.distance, b.distance) << i;
      EXPECT_EQ(a.contact.point_a, b.contact.point_a) << i;
      EXPECT_EQ(a.contact.feature_a.part, b.contact.feature_a.part) << i;
    }
  }
}

// Bytes off the alignment of what is in them are read, too.
TEST(ShapeIo, bytes_may_lie_anywhere) {
  for (const Shape& shape : every_kind()) {
    const std::string bytes = "x" + shape_bytes(shape);
    const Expected<Shape> read = parse_shape(std::string_view(bytes).substr(1));
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(shape_bytes(*read), bytes.substr(1));
  }
}

TEST(ShapeIo, files_are_written_whole_and_not_replaced_unasked) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "toccata_shape_io";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string path = folder / "knot.shape";
  const Shape shape = knot(30, 8);
  ASSERT_TRUE(save_shape(path, shape).has_value());
  EXPECT_FALSE(save_shape(path, shape, false).has_value());
  const Expected<Shape> read = load_shape(path);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(shape_bytes(*read), shape_bytes(shape));
  EXPECT_FALSE(load_shape(folder / "missing.shape").has_value());
  EXPECT_FALSE(load_shape(folder).has_value());
  std::filesystem::resize_file(path, 1000);
  EXPECT_FALSE(load_shape(path).has_value());
  std::filesystem::remove_all(folder);
}

// The tree stays in the mapped file, which lives on without its name.
TEST(ShapeIo, files_may_be_replaced_and_removed_while_shapes_of_them_live) {
  const std::string path = std::filesystem::temp_directory_path() / "toccata_shape_io_kept.shape";
  const Shape large = knot(120, 12), other = knot(60, 20);
  const std::string bytes = shape_bytes(large);
  ASSERT_GT(large.data().tree.nodes.size() * sizeof(BoxNode), 1U << 16);
  ASSERT_TRUE(save_shape(path, large).has_value());
  Expected<Shape> read = load_shape(path);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&read->data().tree.nodes[0]) % 64, 0U);
  ASSERT_TRUE(save_shape(path, other).has_value());
  EXPECT_EQ(shape_bytes(*read), bytes);
  const Expected<Shape> second = load_shape(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(shape_bytes(*second), shape_bytes(other));
  const Shape copy = *read;
  *read = other;  // the copy keeps the file
  EXPECT_EQ(shape_bytes(copy), bytes);
  const Pose apart{Matrix3::Identity(), Vector3(5.0, 0.3, 0.1)};
  EXPECT_EQ(distance({copy, apart}, {*second, Pose()}).distance,
            distance({large, apart}, {other, Pose()}).distance);
}

TEST(ShapeIo, files_cut_off_anywhere_are_refused) {
  for (const Shape& shape : every_kind()) {
    const std::string bytes = shape_bytes(shape);
    const std::size_t step = bytes.size() > 4000 ? 37 : 1;
    for (std::size_t size = 0; size < bytes.size(); size += step)
      EXPECT_FALSE(parse_shape(std::string_view(bytes).substr(0, size)).has_value()) << size;
    EXPECT_FALSE(parse_shape(bytes + '\0').has_value());
  }
}

TEST(ShapeIo, every_altered_byte_is_refused) {
  for (const Shape& shape : every_kind()) {
    std::string bytes = shape_bytes(shape);
    const std::size_t step = bytes.size() > 4000 ? 23 : 1;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      for (const char flip : {'\1', '\x80'}) {
        bytes[at] = static_cast<char>(bytes[at] ^ flip);
        EXPECT_FALSE(parse_shape(bytes).has_value()) << at;
        bytes[at] = static_cast<char>(bytes[at] ^ flip);
      }
    }
    EXPECT_TRUE(parse_shape(bytes).has_value());
  }
}

// Someone who alters a file and its checksum, too. What passes must be safe to ask.
std::string forged(std::string bytes) {
  const std::uint64_t sum = io::checksum(std::string_view(bytes).substr(16 + 24));
  std::memcpy(bytes.data() + 16 + 16, &sum, sizeof sum);
  return bytes;
}

// The sum as checksum.hpp says it, word by word: what lanes of any width must find.
std::uint64_t plain_sum(std::string_view bytes) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
  std::string padded(bytes);
  padded.resize((bytes.size() + 255) / 256 * 256);
  std::uint64_t lane[32], sum = bytes.size();
  for (std::uint64_t i = 0; i < 32; ++i) lane[i] = odd * (i + 1);
  for (std::size_t word = 0; word < padded.size() / 8; ++word) {
    std::uint64_t value;
    std::memcpy(&value, padded.data() + 8 * word, 8);
    lane[word % 32] = std::rotl((lane[word % 32] ^ value) * 0x9e3779b1U, 32);
  }
  for (const std::uint64_t value : lane) sum = std::rotl((sum ^ value) * odd, 31);
  return sum ^ (sum >> 32);
}

// A file is read by machines that have other instruction sets than the one that wrote it.
TEST(ShapeIo, the_sum_is_what_its_formula_says_in_every_instruction_set_at_once_or_piece_by_piece) {
  Random random(3);
  std::string spoilt = shape_bytes(knot(30, 8));
  const float infinity = std::numeric_limits<float>::infinity();
  std::memcpy(spoilt.data() + spoilt.size() - sizeof(BoxNode) + 4 * 13, &infinity, 4);
  spoilt = forged(spoilt);
  for (const std::size_t size : {0, 1, 8, 255, 256, 257, 4095, 16384, 16640, 100000}) {
    std::string bytes(size + 1, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.next());
    // The lower the bit, the better the target: the best are taken away one by one.
    for (auto left = static_cast<std::int64_t>(hwy::SupportedTargets()); left != 0; left &= left - 1) {
      hwy::SetSupportedTargetsForTest(left);
      hwy::GetChosenTarget().DeInit();
      for (const std::size_t from : {0, 1}) {
        const std::string_view view = std::string_view(bytes).substr(from, size);
        EXPECT_EQ(io::checksum(view), plain_sum(view)) << size << " " << left;
        io::Checksum in_pieces(view);
        for (std::size_t end = 0; end < size; end += 1 + static_cast<std::size_t>(random.next()) % 1000)
          in_pieces.advance(end);
        EXPECT_EQ(in_pieces.of_all(), plain_sum(view)) << size << " " << left;
      }
      EXPECT_NE(parse_shape(spoilt).error().message.find("not finite"), std::string::npos) << left;
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
}

TEST(ShapeIo, says_what_is_wrong) {
  const std::string bytes = shape_bytes(Shape(Ball{1.0}));
  const auto message = [](std::string content) { return parse_shape(content, "a.shape").error().message; };
  EXPECT_NE(message("solid ascii").find("a.shape: is not a prepared shape"), std::string::npos);
  std::string other = bytes;
  other[14] = '1';
  EXPECT_NE(message(other).find("another version"), std::string::npos);
  other = bytes;
  std::reverse(other.begin() + 16, other.begin() + 24);
  EXPECT_NE(message(other).find("byte order"), std::string::npos);
  other = bytes;
  other[head_bytes + 9] = 1;
  EXPECT_NE(message(other).find("damaged"), std::string::npos);
}

TEST(ShapeIo, forged_files_do_no_harm) {
  int passed = 0, refused = 0;
  const int rounds = with_effort(200);
  const std::vector<Shape> kinds = every_kind();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string bytes = shape_bytes(kinds[i]);
    Random random(i);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.next()) % n; };
    for (int round = 0; round < rounds; ++round) {
      std::string altered = bytes;
      const std::size_t changes = 1 + below(3);
      for (std::size_t k = 0; k < changes; ++k) {
        // Whole words as often as bytes: counts, kinds and children are words.
        const std::size_t at = head_bytes + below(altered.size() - head_bytes);
        if (below(2) == 0) {
          altered[at] = static_cast<char>(below(256));
        } else {
          const std::int32_t words[] = {-1,
                                        0,
                                        1,
                                        7,
                                        1 << 20,
                                        std::numeric_limits<std::int32_t>::max(),
                                        std::numeric_limits<std::int32_t>::min(),
                                        0x7f800000,
                                        0x7fc00000};
          const std::size_t word = at / 4 * 4;
          if (word + 4 <= altered.size()) std::memcpy(altered.data() + word, &words[below(9)], 4);
        }
      }
      const Expected<Shape> read = parse_shape(forged(altered));
      read.has_value() ? ++passed : ++refused;
      if (!read.has_value()) continue;
      const DistanceResult result = distance({*read, random_pose(random)}, {kinds[0], Pose()});
      EXPECT_FALSE(std::isnan(result.distance));
      ray_cast({*read, Pose()}, {random.in_box(3.0), random.on_sphere()});
    }
  }
  EXPECT_GT(passed, 0);
  EXPECT_GT(refused, 0);
}

// A large mesh stays in the mapped file as its tree does: whoever asks for it gets a copy, and what is wrong
// with it is told as it is of bytes.
TEST(ShapeIo, meshes_that_stay_in_the_file_are_the_same_and_looked_at_as_well) {
  const std::string path = std::filesystem::temp_directory_path() / "toccata_shape_io_mesh.shape";
  const Shape shape = knot(120, 24);
  const std::string bytes = shape_bytes(shape);
  const auto loaded = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
    Expected<Shape> read = load_shape(path);
    std::filesystem::remove(path);
    return read;
  };
  const Expected<Shape> read = loaded(bytes);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_NE(read->data().mesh_keeper, nullptr);
  EXPECT_EQ(read->memory_bytes(), parse_shape(bytes)->memory_bytes());
  EXPECT_TRUE(read->is_mesh());
  EXPECT_EQ(read->is_closed(), shape.is_closed());
  EXPECT_EQ(read->mesh().vertices, shape.mesh().vertices);
  EXPECT_EQ(read->mesh().faces, shape.mesh().faces);
  EXPECT_EQ(&read->mesh(), &std::get<TriangleMesh>(read->geometry()));
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const Ray ray{random.in_box(3.0), random.on_sphere()};
    EXPECT_EQ(ray_cast({*read, Pose()}, ray).parameter, ray_cast({shape, Pose()}, ray).parameter);
    const Pose pose = random_pose(random);
    const DistanceResult a = distance({*read, pose}, {shape, Pose()}),
                         b = distance({shape, pose}, {*read, Pose()});
    EXPECT_EQ(a.distance, b.distance);
    EXPECT_EQ(a.contact.point_a, b.contact.point_a);
  }
  const std::size_t first_face = head_bytes + 24 + shape.mesh().vertices.size() * sizeof(Vector3);
  const auto message = [&](std::size_t at, auto value) {
    std::string altered = bytes;
    std::memcpy(altered.data() + at, &value, sizeof value);
    const std::string told = loaded(forged(altered)).error().message;
    EXPECT_EQ(told, path + parse_shape(forged(altered), "").error().message);
    return told;
  };
  EXPECT_NE(message(first_face, -1).find("face 0 uses vertex -1"), std::string::npos);
  EXPECT_NE(message(first_face + 12, 120 * 24).find("face 1 uses vertex 2880"), std::string::npos);
  EXPECT_NE(message(first_face, std::numeric_limits<std::int32_t>::min()).find("face 0"), std::string::npos);
  EXPECT_NE(message(head_bytes + 16, std::nan("")).find("vertex 0"), std::string::npos);
  EXPECT_NE(message(head_bytes + 8, std::uint64_t{1} << 60).find("promises more"), std::string::npos);
}

TEST(ShapeIo, trees_that_are_none_are_refused) {
  const Shape shape = knot(30, 8);
  const std::string bytes = shape_bytes(shape);
  const std::size_t nodes = shape.data().tree.nodes.size();
  const std::size_t first = bytes.size() - nodes * sizeof(BoxNode);
  const auto with = [&](std::size_t node, auto change) {
    std::string altered = bytes;
    BoxNode copy;
    std::memcpy(&copy, altered.data() + first + node * sizeof(BoxNode), sizeof copy);
    change(copy);
    std::memcpy(altered.data() + first + node * sizeof(BoxNode), &copy, sizeof copy);
    return parse_shape(forged(altered)).has_value();
  };
  EXPECT_TRUE(with(1, [](BoxNode&) {}));
  EXPECT_FALSE(with(1, [](BoxNode& n) { n.child[0] = 0; }));                         // a circle
  EXPECT_FALSE(with(1, [](BoxNode& n) { n.child[0] = 1; }));                         // itself
  EXPECT_FALSE(with(1, [](BoxNode& n) { n.child[0] = n.child[1]; }));                // twice
  EXPECT_FALSE(with(1, [&](BoxNode& n) { n.child[0] = static_cast<int>(nodes); }));  // beyond the end
  EXPECT_FALSE(with(1, [](BoxNode& n) { n.child[0] = std::numeric_limits<std::int32_t>::min(); }));
  EXPECT_FALSE(with(1, [](BoxNode& n) { n.count = 9; }));
  EXPECT_FALSE(with(1, [](BoxNode& n) { n.count = -1; }));
  EXPECT_FALSE(with(1, [](BoxNode& n) { n.count = 1; }));  // leaves some out
  EXPECT_FALSE(with(1, [](BoxNode& n) { n.half[2][0] = std::numeric_limits<float>::quiet_NaN(); }));
  EXPECT_FALSE(with(1, [](BoxNode& n) { n.reach = std::numeric_limits<float>::infinity(); }));
  EXPECT_FALSE(with(0, [](BoxNode& n) { n.count = 0; }));
  EXPECT_FALSE(with(nodes - 1, [](BoxNode& n) { n.child[0] = ~n.child[0]; }));  // a node instead of a leaf
  EXPECT_FALSE(with(nodes - 1, [&](BoxNode& n) { n.child[0] = ~shape.piece_count(); }));  // no such piece
  EXPECT_FALSE(with(0, [](BoxNode& n) { n.child[0] = 2; }));  // one is below no other, another below two
  // More slots may be told in another way, and children come before their parents.
  EXPECT_TRUE(with(nodes - 1, [](BoxNode& n) { std::fill(n.child + n.count, n.child + box_width, -3); }));
  std::string turned = bytes;
  for (std::size_t i = 0; i < nodes; ++i) {
    BoxNode node = shape.data().tree.nodes[i];
    for (std::int32_t& child : node.child) child = child > 0 ? static_cast<int>(nodes) - child : child;
    std::memcpy(turned.data() + first + (i == 0 ? 0 : nodes - i) * sizeof(BoxNode), &node, sizeof node);
  }
  EXPECT_TRUE(parse_shape(forged(turned)).has_value());
}

}  // namespace
}  // namespace toccata
