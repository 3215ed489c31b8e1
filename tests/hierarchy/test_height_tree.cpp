#include "hierarchy/height_tree.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "effort.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

constexpr double hole = std::numeric_limits<double>::quiet_NaN();

HeightField random_field(Random& random, std::int32_t columns, std::int32_t rows, double hole_share) {
  HeightField field;
  field.columns = columns;
  field.rows = rows;
  field.spacing = {random.uniform(0.1, 3.0), random.uniform(0.1, 3.0)};
  for (std::int32_t i = 0; i < columns * rows; ++i)
    field.heights.push_back(random.unit() < hole_share ? hole : random.uniform(-1.0, 4.0));
  field.floor = -1.5;
  return field;
}

std::array<Vector3, 3> top_of(const HeightField& field, std::int32_t piece) {
  const std::int32_t cell = piece / 2, column = cell % (field.columns - 1), row = cell / (field.columns - 1);
  const auto at = [&](std::int32_t c, std::int32_t r) {
    return Vector3(c * field.spacing.x(), r * field.spacing.y(),
                   field.heights[static_cast<std::size_t>(r * field.columns + c)]);
  };
  if (piece % 2 == 0) return {at(column, row), at(column + 1, row), at(column + 1, row + 1)};
  return {at(column, row), at(column + 1, row + 1), at(column, row + 1)};
}

std::int32_t piece_count(const HeightField& field) {
  return 2 * (field.columns - 1) * (field.rows - 1);
}

bool has_hole(const std::array<Vector3, 3>& top) {
  return std::isnan(top[0].z()) || std::isnan(top[1].z()) || std::isnan(top[2].z());
}

BoxNode made(const HeightTree& tree, std::uint32_t index, bool of_skin = false) {
  BoxNode node;
  tree.make_node(index, node, of_skin);
  return node;
}

// None of the columns that share a corner with it is a hole or missing.
bool is_surrounded(const HeightField& field, std::int32_t piece) {
  const std::int32_t cell = piece / 2, column = cell % (field.columns - 1), row = cell / (field.columns - 1);
  for (std::int32_t r = row - 1; r <= row + 2; ++r) {
    for (std::int32_t c = column - 1; c <= column + 2; ++c) {
      if (r < 0 || c < 0 || r >= field.rows || c >= field.columns) return false;
      if (std::isnan(field.heights[static_cast<std::size_t>(r * field.columns + c)])) return false;
    }
  }
  return true;
}

// Every column is below exactly one leaf, and inside every box on the way to it; of the skin its top alone if
// it is an inner one.
class TreeWalk {
 public:
  TreeWalk(const HeightField& field, const HeightTree& tree, const Vector3& center, bool of_skin)
      : field_(field),
        tree_(tree),
        center_(center),
        of_skin_(of_skin),
        met_(static_cast<std::size_t>(piece_count(field)), 0) {
    std::vector<std::int32_t> pieces;
    walk(0, pieces);
    for (std::int32_t p = 0; p < piece_count(field); ++p)
      EXPECT_EQ(met_[static_cast<std::size_t>(p)], has_hole(top_of(field, p)) ? 0 : 1) << "piece " << p;
  }
  std::uint32_t nodes() const { return nodes_; }

 private:
  void walk(std::uint32_t index, std::vector<std::int32_t>& pieces) {
    ++nodes_;
    const BoxNode node = made(tree_, index, of_skin_);
    ASSERT_GT(node.count, 0);
    for (std::int32_t slot = 0; slot < node.count; ++slot) {
      std::vector<std::int32_t> below;
      if (node.child[slot] < 0) {
        below.push_back(~node.child[slot]);
        ++met_[static_cast<std::size_t>(~node.child[slot])];
      } else {
        walk(static_cast<std::uint32_t>(node.child[slot]), below);
      }
      for (const std::int32_t piece : below) expect_holds(node, slot, piece);
      pieces.insert(pieces.end(), below.begin(), below.end());
    }
  }

  void expect_holds(const BoxNode& node, std::int32_t slot, std::int32_t piece) const {
    const auto top = top_of(field_, piece);
    const bool has_top_only = of_skin_ && tree_.is_inner(piece);
    ASSERT_TRUE(!tree_.is_inner(piece) || is_surrounded(field_, piece)) << "piece " << piece;
    using LongVector = Eigen::Matrix<long double, 3, 1>;
    Eigen::Matrix<long double, 3, 3> axes;  // the stored floats, exact
    LongVector half;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) axes(k, i) = node.axis[i][k][slot];
      half[i] = node.half[i][slot];
    }
    ASSERT_LE((axes.transpose() * axes - Eigen::Matrix<long double, 3, 3>::Identity()).norm(), 1e-6L);
    for (std::size_t i = 0; i < (has_top_only ? 3U : 6U); ++i) {
      const Vector3& p = top[i % 3];
      LongVector offset;
      long double reach = 0.0L;
      for (int k = 0; k < 3; ++k) {
        const long double x = k == 2 && i >= 3 ? *field_.floor : p[k];
        offset[k] = x - center_[k] - node.origin[k] - node.center[k][slot];
        reach += std::abs(static_cast<long double>(node.center[k][slot])) + half[k];
      }
      const LongVector inside = axes.partialPivLu().solve(offset);
      for (int k = 0; k < 3; ++k) ASSERT_LE(std::abs(inside[k]), half[k]) << "piece " << piece;
      ASSERT_LE(reach, node.reach * 1.0000001L);
    }
  }

  const HeightField& field_;
  const HeightTree& tree_;
  Vector3 center_;
  bool of_skin_;
  std::vector<int> met_;
  std::uint32_t nodes_ = 0;
};

TEST(HeightTree, boxes_hold_every_column_once) {
  Random random(1);
  const std::int32_t sizes[][2] = {{2, 2}, {3, 2}, {2, 40}, {40, 2}, {5, 9}, {33, 33}, {34, 18}, {65, 70}};
  for (const auto& [columns, rows] : sizes) {
    for (const Vector3& center : {Vector3(0, 0, 0), Vector3(12.3, -4.5, 0.7), Vector3(1e5, 1e7, -1e6)}) {
      const HeightField field = random_field(random, columns, rows, 0.0);
      const HeightTree tree(field, *field.floor, center);
      for (const bool of_skin : {false, true})
        EXPECT_EQ(TreeWalk(field, tree, center, of_skin).nodes(), tree.node_count());
    }
  }
}

TEST(HeightTree, holes_are_left_out) {
  Random random(2);
  for (const double share : {0.02, 0.3, 0.8}) {
    const HeightField field = random_field(random, 40, 25, share);
    const HeightTree tree(field, *field.floor, Vector3::Zero());
    // Blocks of nothing but holes have a number, but nobody refers to it.
    std::vector<int> met(static_cast<std::size_t>(piece_count(field)), 0);
    std::vector<std::uint32_t> open = {0};
    while (!open.empty()) {
      const BoxNode node = made(tree, open.back());
      open.pop_back();
      ASSERT_GT(node.count, 0);
      for (std::int32_t slot = 0; slot < node.count; ++slot) {
        if (node.child[slot] >= 0) {
          open.push_back(static_cast<std::uint32_t>(node.child[slot]));
        } else {
          ++met[static_cast<std::size_t>(~node.child[slot])];
        }
      }
    }
    for (std::int32_t p = 0; p < piece_count(field); ++p) {
      EXPECT_EQ(met[static_cast<std::size_t>(p)], has_hole(top_of(field, p)) ? 0 : 1) << "piece " << p;
      EXPECT_EQ(tree.is_hole(p), has_hole(top_of(field, p)));
    }
    TreeWalk(field, tree, Vector3::Zero(), true);
  }
  HeightField nothing = random_field(random, 9, 9, 1.0);
  const HeightTree tree(nothing, -1.0, Vector3::Zero());
  EXPECT_TRUE(tree.empty());
  EXPECT_FALSE(tree.first_entry({1, 1, 9}, {0, 0, -1}).hit);
  EXPECT_FALSE(tree.holder_of({1, 1, -0.5}));
}

TEST(HeightTree, corners_about_the_centre) {
  Random random(3);
  const HeightField field = random_field(random, 6, 5, 0.0);
  const Vector3 center(1, 2, 3);
  const HeightTree tree(field, *field.floor, center);
  for (std::int32_t p = 0; p < piece_count(field); ++p) {
    const auto corners = tree.corners_of(p);
    const auto top = top_of(field, p);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(corners[k], top[k] - center);
      EXPECT_EQ(corners[k + 3], Vector3(top[k].x(), top[k].y(), *field.floor) - center);
    }
  }
}

TEST(HeightTree, nodes_made_for_a_query_are_those_of_the_tree) {
  Random random(4);
  const HeightField field = random_field(random, 90, 70, 0.0);
  const HeightTree tree(field, *field.floor, Vector3(1, 2, 3));
  HeightNodes nodes(tree);
  for (int trial = 0; trial < 3000; ++trial) {
    const auto index = static_cast<std::uint32_t>(random.integer(0, static_cast<int>(tree.node_count()) - 1));
    const BoxNode expected = made(tree, index);
    const BoxNode& found = nodes[index];
    ASSERT_EQ(std::memcmp(found.center, expected.center, sizeof expected.center), 0);
    ASSERT_EQ(std::memcmp(found.half, expected.half, sizeof expected.half), 0);
    ASSERT_EQ(std::memcmp(found.child, expected.child, sizeof expected.child), 0);
  }
}

// A field of 1024 x 1024 samples in a twentieth of what a mesh of its triangles takes (145 bytes each).
TEST(HeightTree, takes_little_memory) {
  Random random(5);
  HeightField field = random_field(random, 1024, 1024, 0.0);
  const HeightTree tree(field, *field.floor, Vector3::Zero());
  const std::size_t bytes = tree.memory_bytes() + field.heights.size() * sizeof(double);
  EXPECT_LE(20 * bytes, 145u * 2u * 1023u * 1023u);
}

// -- containment -------------------------------------------------------------------------------------------

int exact_side(const Vector3& a, const Vector3& b, const Vector3& p) {
  const mpq_class ax(a.x()), ay(a.y()), bx(b.x()), by(b.y()), px(p.x()), py(p.y());
  return sgn(mpq_class((bx - ax) * (py - ay) - (by - ay) * (px - ax)));
}

bool exact_holds(const HeightField& field, std::int32_t piece, const Vector3& p) {
  const auto t = top_of(field, piece);
  if (has_hole(t) || p.z() < *field.floor) return false;
  for (std::size_t k = 0; k < 3; ++k) {
    if (exact_side(t[k], t[(k + 1) % 3], p) < 0) return false;
  }
  mpq_class u[3], v[3], w[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = mpq_class(t[1][k]) - mpq_class(t[0][k]);
    v[k] = mpq_class(t[2][k]) - mpq_class(t[0][k]);
    w[k] = mpq_class(p[k]) - mpq_class(t[0][k]);
  }
  const mpq_class volume = w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) +
                           w[2] * (u[0] * v[1] - u[1] * v[0]);
  return sgn(volume) <= 0;
}

TEST(HeightTree, holds_points_exactly) {
  Random random(6);
  int inside = 0, outside = 0;
  for (int trial = 0; trial < with_effort(30); ++trial) {
    const HeightField field = random_field(random, random.integer(2, 7), random.integer(2, 7), 0.15);
    const HeightTree tree(field, *field.floor, Vector3(1, 1, 1));
    for (int k = 0; k < 60; ++k) {
      Vector3 p((field.columns + 1) * random.uniform(-0.1, 1.0) * field.spacing.x(),
                (field.rows + 1) * random.uniform(-0.1, 1.0) * field.spacing.y(), random.uniform(-2.0, 4.5));
      if (k % 3 == 0) p.x() = random.integer(0, field.columns) * field.spacing.x();
      if (k % 2 == 0) p.y() = random.integer(0, field.rows) * field.spacing.y();
      if (k % 5 == 0) {  // on the surface, up to rounding; at samples exactly
        const auto t = top_of(field, random.integer(0, piece_count(field) - 1));
        if (has_hole(t)) continue;
        p = k % 10 == 0 ? t[static_cast<std::size_t>(random.integer(0, 2))]
                        : Vector3(0.5 * t[0] + 0.5 * t[1]);
      }
      std::optional<std::int32_t> expected;
      for (std::int32_t piece = piece_count(field); piece-- > 0;) {
        if (exact_holds(field, piece, p)) expected = piece;
      }
      ASSERT_EQ(tree.holder_of(p), expected) << "trial " << trial << " point " << p.transpose();
      ++(expected ? inside : outside);
    }
  }
  EXPECT_GT(inside, 300);
  EXPECT_GT(outside, 300);
}

// -- rays --------------------------------------------------------------------------------------------------

struct OracleHit {
  long double parameter = INFINITY;
  // How deep the ray gets into the nearest column that it may only graze: a verdict below rounding is none.
  long double doubt = INFINITY;
};

// Clips the ray by the five planes of every column, in long double.
OracleHit oracle_entry(const HeightField& field, const Vector3& origin, const Vector3& direction) {
  OracleHit best;
  for (std::int32_t piece = 0; piece < piece_count(field); ++piece) {
    const auto t = top_of(field, piece);
    if (has_hole(t)) continue;
    long double begin = 0.0L, end = INFINITY, gap = -INFINITY;
    const auto clip = [&](long double value, long double rate) {  // value + s rate <= 0
      if (rate == 0.0L) {
        if (value > 0.0L) end = -INFINITY;
        gap = std::max(gap, value);
      } else if (rate < 0.0L) {
        begin = std::max(begin, -value / rate);
      } else {
        end = std::min(end, -value / rate);
      }
    };
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3 &a = t[k], &b = t[(k + 1) % 3];
      const long double nx = static_cast<long double>(b.y()) - a.y(),
                        ny = static_cast<long double>(a.x()) - b.x();
      const long double n = std::hypot(nx, ny);
      clip((nx * (static_cast<long double>(origin.x()) - a.x()) +
            ny * (static_cast<long double>(origin.y()) - a.y())) /
               n,
           (nx * direction.x() + ny * direction.y()) / n);
    }
    clip(static_cast<long double>(*field.floor) - origin.z(), -static_cast<long double>(direction.z()));
    long double u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k) {
      u[k] = static_cast<long double>(t[1][k]) - t[0][k];
      v[k] = static_cast<long double>(t[2][k]) - t[0][k];
      w[k] = static_cast<long double>(origin[k]) - t[0][k];
    }
    const long double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                              u[0] * v[1] - u[1] * v[0]};
    const long double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    clip((n[0] * w[0] + n[1] * w[1] + n[2] * w[2]) / length,
         (n[0] * direction.x() + n[1] * direction.y() + n[2] * direction.z()) / length);
    if (begin <= end) best.parameter = std::min(best.parameter, begin);
    if (std::abs(end - begin) < 1e-12L || (end == -INFINITY && gap < 1e-12L))
      best.doubt = std::min(best.doubt, begin);
  }
  return best;
}

void expect_entry(const HeightField& field, const HeightTree& tree, const Vector3& origin,
                  const Vector3& direction) {
  const OracleHit truth = oracle_entry(field, origin, direction);
  const HeightRayHit found = tree.first_entry(origin, direction);
  if (truth.doubt <= truth.parameter + 1e-9L) return;
  ASSERT_EQ(found.hit, truth.parameter < INFINITY)
      << origin.transpose() << " along " << direction.transpose();
  if (!found.hit) return;
  ASSERT_NEAR(found.parameter, static_cast<double>(truth.parameter), 1e-11 * (1.0 + found.parameter));
  ASSERT_FALSE(tree.is_hole(found.piece));
  if (found.parameter > 0.0) {
    ASSERT_NEAR(found.normal.norm(), 1.0, 1e-12);
    ASSERT_LT(found.normal.dot(direction), 0.0);
  } else {
    ASSERT_EQ(found.normal.norm(), 0.0);
  }
  // A limit before it, or after it.
  ASSERT_FALSE(tree.first_entry(origin, direction, found.parameter * 0.999 - 1e-9).hit);
  ASSERT_EQ(tree.first_entry(origin, direction, found.parameter).parameter, found.parameter);
}

TEST(HeightTree, rays_enter_where_the_columns_say) {
  Random random(7);
  for (int trial = 0; trial < with_effort(60); ++trial) {
    const HeightField field =
        random_field(random, random.integer(2, 20), random.integer(2, 20), trial % 2 == 0 ? 0.0 : 0.2);
    const HeightTree tree(field, *field.floor, Vector3(1, 1, 1));
    const double width = field.columns * field.spacing.x(), depth = field.rows * field.spacing.y();
    for (int k = 0; k < 40; ++k) {
      const Vector3 target(random.uniform(-0.1, 1.1) * width, random.uniform(-0.1, 1.1) * depth,
                           random.uniform(-1.5, 4.0));
      const Vector3 origin = target + random.uniform(0.0, 2.0 * width) * random.on_sphere();
      expect_entry(field, tree, origin, target - origin);
      if (testing::Test::HasFatalFailure()) FAIL() << "trial " << trial << " ray " << k;
    }
  }
}

TEST(HeightTree, rays_along_lines_of_samples_and_straight_down) {
  Random random(8);
  for (int trial = 0; trial < with_effort(30); ++trial) {
    const HeightField field = random_field(random, random.integer(2, 12), random.integer(2, 12), 0.0);
    const HeightTree tree(field, *field.floor, Vector3(1, 1, 1));
    const double x = random.integer(0, field.columns - 1) * field.spacing.x();
    const double y = random.integer(0, field.rows - 1) * field.spacing.y();
    expect_entry(field, tree, {x, y, 9.0}, {0, 0, -2});
    expect_entry(field, tree, {x, y, -9.0}, {0, 0, 1});
    expect_entry(field, tree, {x, -1.0, random.uniform(-1.0, 3.0)}, {0, 1, 0});
    expect_entry(field, tree, {-1.0, y, random.uniform(-1.0, 3.0)}, {1, 0, 0.01});
    // From sample to sample, down along the diagonals.
    const Vector3 diagonal(field.spacing.x(), field.spacing.y(), random.uniform(-1.0, 0.0));
    expect_entry(field, tree, Vector3(x, y, 4.5) - 3.0 * diagonal, diagonal);
  }
}

TEST(HeightTree, a_ray_at_a_sample_hits_its_height) {
  Random random(9);
  const HeightField field = random_field(random, 30, 30, 0.0);
  const HeightTree tree(field, *field.floor, Vector3::Zero());
  for (std::int32_t r = 0; r < 30; ++r) {
    for (std::int32_t c = 0; c < 30; ++c) {
      const HeightRayHit hit =
          tree.first_entry({c * field.spacing.x(), r * field.spacing.y(), 10.0}, {0, 0, -1});
      ASSERT_TRUE(hit.hit) << c << " " << r;
      ASSERT_NEAR(10.0 - hit.parameter, field.heights[static_cast<std::size_t>(r * 30 + c)], 1e-13);
      ASSERT_GT(hit.normal.z(), 0.0);
    }
  }
}

}  // namespace
}  // namespace toccata
