// Parts of a surface that are cleared as smooth, from the second step on: no contact is lost, whatever
// happens to the surface beside them, and what is kept from step to step proves nothing about the next one.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "toccata/base/random.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

struct Grid {
  DeformableObject object;
  int columns = 0, rows = 0;
};

// closed: the last column is the first.
Grid make_grid(int n, int m, bool closed) {
  Grid grid;
  grid.columns = closed ? n : n + 1;
  grid.rows = m + 1;
  grid.object.vertex_count = grid.columns * grid.rows;
  const auto at = [&](int i, int j) { return j * grid.columns + i % grid.columns; };
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < n; ++i) {
      grid.object.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      grid.object.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return grid;
}

template <typename Point>
std::vector<Vector3> positions(const Grid& grid, Point&& point) {
  std::vector<Vector3> result;
  for (int j = 0; j < grid.rows; ++j) {
    for (int i = 0; i < grid.columns; ++i) result.push_back(point(i, j));
  }
  return result;
}

std::int64_t cleared(const DeformableContacts& found) {
  for (const StageCount& s : found.stats.stages) {
    if (s.name == "cleared_faces") return s.count;
  }
  return 0;
}

void expect_same(const DeformableContacts& a, const DeformableContacts& b, const std::string& name) {
  ASSERT_EQ(a.contacts.size(), b.contacts.size()) << name;
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    ASSERT_EQ(a.contacts[i].pair, b.contacts[i].pair) << name;
    ASSERT_EQ(a.contacts[i].impact.lower, b.contacts[i].impact.lower) << name;
    ASSERT_EQ(a.contacts[i].impact.upper, b.contacts[i].impact.upper) << name;
  }
}

struct Sums {
  std::int64_t cleared = 0, beside_contacts = 0, contacts = 0;
};

// The step after another one, with regions and without, on one thread and on two.
void compare(const Grid& grid, const std::vector<Vector3>& before, const std::vector<Vector3>& t0,
             const std::vector<Vector3>& t1, const std::string& name, Sums& sums) {
  auto scene = DeformableScene::build({grid.object}, {.threads = 1});
  ASSERT_TRUE(scene.has_value());
  ASSERT_TRUE(scene->update(before, t0).has_value());
  ASSERT_TRUE(scene->update(t0, t1).has_value());
  DeformableOptions options;
  options.threads = 1;
  const DeformableContacts found = scene->all_contacts(options);
  options.stages.normal_cones = false;
  const DeformableContacts without = scene->all_contacts(options);
  EXPECT_EQ(cleared(without), 0);
  expect_same(found, without, name);
  const double free_without = scene->safe_step(options).fraction;
  options = {};
  options.threads = 2;
  expect_same(scene->all_contacts(options), without, name + ", two threads");
  EXPECT_EQ(scene->safe_step(options).fraction, free_without) << name;
  sums.cleared += cleared(found);
  sums.contacts += static_cast<std::int64_t>(found.contacts.size());
  if (!found.contacts.empty()) sums.beside_contacts += cleared(found);
  // The same regions, proven or not, and another step.
  ASSERT_TRUE(scene->update(t1, before).has_value());
  const DeformableContacts back = scene->all_contacts(options);
  options.stages.normal_cones = false;
  expect_same(back, scene->all_contacts(options), name + ", back");
}

// A bent tube with dents and spikes of all sizes that come and go.
TEST(SmoothRegions, tubes_with_dents) {
  Sums sums;
  for (int round = 0; round < 8; ++round) {
    Random random(static_cast<std::uint64_t>(100 + round));
    const Grid grid = make_grid(48, 150, true);
    const double bend = 0.004 * random.unit(), size = round == 0 ? 0.0 : 0.2 * std::pow(2.0, round);
    const int di = static_cast<int>(48 * random.unit()), dj = 10 + static_cast<int>(130 * random.unit());
    const Vector3 way = random.in_box(1.0);
    const double width = 1.0 + 3.0 * random.unit();
    const auto tube = [&](double t) {
      return positions(grid, [&](int i, int j) {
        const double angle = turn * i / 48, r = 7.6 + 0.4 * std::sin(0.2 * j + t);
        Vector3 p(r * std::cos(angle), r * std::sin(angle), j + 0.1 * t);
        p.x() += bend * (j - 75) * (j - 75);
        const double apart = std::hypot(std::min(std::abs(i - di), 48 - std::abs(i - di)), j - dj);
        if (apart < 4 * width) p += t * size * std::exp(-apart * apart / (width * width)) * way;
        return p;
      });
    };
    compare(grid, tube(0.0), tube(0.1), tube(1.0), "tube " + std::to_string(round), sums);
  }
  EXPECT_GT(sums.cleared, 8000);
  EXPECT_GT(sums.contacts, 0);
  EXPECT_GT(sums.beside_contacts, 0);
}

// A sheet rolled up, from loose to so tight that its turns meet.
TEST(SmoothRegions, rolls) {
  Sums sums;
  for (int round = 0; round < 6; ++round) {
    const Grid grid = make_grid(160, 60, false);
    const double gap = 2.0 - 0.35 * round;
    const auto roll = [&](double t) {
      return positions(grid, [&](int i, int j) {
        const double angle = 2.2 * turn * i / 160;
        const double r = 9.0 + (gap - t * 0.6 * std::sin(0.3 * j)) * angle / turn;
        return Vector3(r * std::cos(angle), r * std::sin(angle), j + 0.3 * std::sin(0.5 * i + round));
      });
    };
    compare(grid, roll(0.0), roll(0.1), roll(1.0), "roll " + std::to_string(round), sums);
  }
  EXPECT_GT(sums.cleared, 8000);
  EXPECT_GT(sums.contacts, 0);
}

// Ramps that wind upwards, from turns that lie over each other to ones that do not: normals are along one
// axis all the way, so that the contour alone tells whether a region covers itself; then the ramp is pressed
// flat.
TEST(SmoothRegions, ramps) {
  Sums sums;
  for (int round = 0; round < 5; ++round) {
    const Grid grid = make_grid(200, 14, false);
    const double drift = 6.5 * round;  // outwards, in a turn; the ramp is 20 wide
    const auto ramp = [&](double t) {
      return positions(grid, [&](int i, int j) {
        const double turns = 2.5 * i / 200, r = 15.0 + drift * turns + 20.0 * j / 14;
        const double height = (1.0 - 0.95 * t) * 4.0 * turns + 0.3 * std::sin(0.9 * j + 0.2 * i);
        return Vector3(r * std::cos(turn * turns), r * std::sin(turn * turns), height);
      });
    };
    compare(grid, ramp(0.0), ramp(0.05), ramp(1.0), "ramp " + std::to_string(round), sums);
  }
  EXPECT_GT(sums.cleared, 0);
  EXPECT_GT(sums.contacts, 0);
}

}  // namespace
}  // namespace toccata
