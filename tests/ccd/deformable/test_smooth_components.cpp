// Components that are cleared as smooth: never one that touches itself, by brute force and by normals in
// extended precision.
#include "ccd/deformable/clusters/smooth_components.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <functional>
#include <numbers>

#include "ccd/deformable/clusters/cluster_kernels.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata {
namespace {

using Surface = std::function<Vector3(double, double, double)>;  // u, v in [0, 1], time

struct Sheet {
  DeformableObject object;
  std::vector<Vector3> t0, t1;
};

// closed: u runs around. hole: faces around the middle are left out.
Sheet make_sheet(int n, int m, const Surface& surface, bool closed = false, bool hole = false) {
  Sheet sheet;
  const int columns = closed ? n : n + 1;
  for (int j = 0; j <= m; ++j) {
    for (int i = 0; i < columns; ++i) {
      const double u = static_cast<double>(i) / n, v = static_cast<double>(j) / m;
      sheet.t0.push_back(surface(u, v, 0.0));
      sheet.t1.push_back(surface(u, v, 1.0));
    }
  }
  const auto at = [&](int i, int j) { return j * columns + i % columns; };
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < n; ++i) {
      if (hole && std::abs(2 * i + 1 - n) < n / 3 && std::abs(2 * j + 1 - m) < m / 3) continue;
      sheet.object.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      sheet.object.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  sheet.object.vertex_count = static_cast<std::int32_t>(sheet.t0.size());
  return sheet;
}

struct Answer {
  std::vector<FeaturePair> pairs;
  std::int64_t cleared_faces = 0;
};

Answer ask(const Sheet& sheet, DeformableMethod method, const DeformableOptions& options) {
  auto scene = DeformableScene::build({sheet.object}, {.method = method, .threads = 1});
  EXPECT_TRUE(scene.has_value());
  EXPECT_TRUE(scene->update(sheet.t0, sheet.t1).has_value());
  const DeformableContacts found = scene->all_contacts(options);
  Answer answer;
  for (const DeformableContact& c : found.contacts) answer.pairs.push_back(c.pair);
  for (const StageCount& s : found.stats.stages) {
    if (s.name == "cleared_faces") answer.cleared_faces = s.count;
  }
  return answer;
}

// Contacts by brute force, and what was cleared.
Answer compare(const Sheet& sheet, const std::string& name) {
  DeformableOptions options;
  options.threads = 1;
  const Answer truth = ask(sheet, DeformableMethod::BruteForce, options);
  const Answer found = ask(sheet, DeformableMethod::Clusters, options);
  EXPECT_EQ(found.pairs, truth.pairs) << name;
  EXPECT_TRUE(found.cleared_faces == 0 || truth.pairs.empty()) << name;
  options.stages.normal_cones = false;
  const Answer without = ask(sheet, DeformableMethod::Clusters, options);
  EXPECT_EQ(without.cleared_faces, 0) << name;
  EXPECT_EQ(without.pairs, truth.pairs) << name;
  options.stages.normal_cones = true;
  options.minimum_distance = 1e-3;
  EXPECT_EQ(ask(sheet, DeformableMethod::Clusters, options).cleared_faces, 0) << name;
  return found;
}

constexpr double turn = 2.0 * std::numbers::pi;

TEST(SmoothComponents, waves_are_cleared_until_they_fold) {
  int cleared = 0, folded = 0, touching = 0;
  for (int round = 0; round < 24; ++round) {
    Random random(static_cast<std::uint64_t>(round));
    // From gentle waves to overhanging ones, turned anyhow, some with a hole, some far from the origin.
    const double height = 0.02 * std::pow(1.35, round), lean = round % 3 == 0 ? 0.5 * height : 0.0;
    const Vector3 far = round % 4 == 0 ? Vector3(1e3, -2e3, 5e2) : Vector3(Vector3::Zero());
    const Vector3 x = random.in_box(1.0).normalized();
    const Vector3 y = x.cross(random.in_box(1.0)).normalized(), z = x.cross(y);
    const Surface wave = [&](double u, double v, double t) {
      const double h = height * std::sin(turn * (2 * u + v) + 0.7 * t), s = lean * std::cos(turn * 2 * u + t);
      return Vector3(far + (u + s) * x + (v + 0.01 * t) * y + h * z);
    };
    const Answer found =
        compare(make_sheet(18, 16, wave, false, round % 5 == 1), "wave " + std::to_string(round));
    (found.cleared_faces > 0 ? cleared : folded) += 1;
    touching += !found.pairs.empty();
  }
  EXPECT_GT(cleared, 5);
  EXPECT_GT(folded, 3);
  EXPECT_GT(touching, 0);
}

// All normals point up, but the sheet lies over itself: a ramp that goes round more than once.
TEST(SmoothComponents, ramp_over_itself_is_not_cleared) {
  for (const double height : {0.4, 0.02, 0.0}) {
    const Surface ramp = [&](double u, double v, double t) {
      const double angle = 1.4 * turn * u, r = 1.0 + v;
      return Vector3(r * std::cos(angle), r * std::sin(angle),
                     height * u - (t * (u > 0.7 ? 0.5 * height + 0.05 : 0.0)));
    };
    const Answer found = compare(make_sheet(40, 8, ramp), "ramp");
    EXPECT_EQ(found.cleared_faces, 0);
  }
  // Less than once around is fine.
  const Surface part = [](double u, double v, double t) {
    const double angle = 0.9 * turn * u + 0.1 * t, r = 1.0 + v;
    return Vector3(r * std::cos(angle), r * std::sin(angle), 0.3 * u);
  };
  EXPECT_GT(compare(make_sheet(40, 8, part), "part of a ring").cleared_faces, 0);
  // A ring has two loops, one of them outermost.
  const Surface ring = [](double u, double v, double t) {
    return Vector3((1.0 + v) * std::cos(turn * u), (1.0 + v) * std::sin(turn * u), 0.1 * t * v);
  };
  EXPECT_GT(compare(make_sheet(40, 8, ring, true), "ring").cleared_faces, 0);
}

// Flat at both ends, with the same normals, but turned over or pulled through itself meanwhile.
TEST(SmoothComponents, what_happens_between_the_ends_counts) {
  const Surface half_turn = [](double u, double v, double t) {
    return t < 0.5 ? Vector3(u, v, 0.003 * std::sin(5 * u + 3 * v))
                   : Vector3(1.0 - u, 1.0 - v, 0.003 * std::sin(5 * u + 3 * v));
  };
  EXPECT_EQ(compare(make_sheet(16, 16, half_turn), "half a turn, straight through").cleared_faces, 0);
  const Surface mirrored = [](double u, double v, double t) {
    return Vector3(t < 0.5 ? u : 1.0 - u, v, 0.01 * std::sin(5 * u + 3 * v + t));
  };
  EXPECT_EQ(compare(make_sheet(16, 16, mirrored), "mirrored").cleared_faces, 0);
  // The rim crosses itself: two flaps of a comb pass through each other.
  const Surface flaps = [](double u, double v, double t) {
    const double away = v > 0.5 ? (v - 0.5) * (u < 0.5 ? 1.0 : -1.0) * 2.2 * t : 0.0;
    return Vector3(u + (u < 0.5 ? -0.2 : 0.2) * (v > 0.5 ? v : 0.5) + away, v,
                   0.01 * std::sin(5 * u + 3 * v + t));
  };
  Sheet comb = make_sheet(16, 18, flaps);
  std::erase_if(comb.object.faces, [&](const Face& f) {
    int upper = 0, left = 0;
    for (const std::int32_t v : f) {
      upper += v / 17 > 9;
      left += v % 17 < 8;
    }
    return upper > 0 && left > 0 && left < 3;
  });
  const Answer found = compare(comb, "comb");
  EXPECT_EQ(found.cleared_faces, 0);
  comb.t1 = comb.t0;  // nothing else is wrong with it
  EXPECT_GT(compare(comb, "comb at rest").cleared_faces, 0);
}

TEST(SmoothComponents, other_shapes_are_left_alone) {
  const Surface band = [](double u, double v, double t) {  // one turn over: no normal serves
    const double a = turn * u, w = 0.3 * (v - 0.5);
    return Vector3((1 + w * std::cos(a / 2)) * std::cos(a), (1 + w * std::cos(a / 2)) * std::sin(a),
                   w * std::sin(a / 2) + 0.01 * t);
  };
  EXPECT_EQ(compare(make_sheet(40, 8, band), "twisted band").cleared_faces, 0);
  const Surface flat = [](double u, double v, double t) { return Vector3(u, v, 0.1 * t); };
  // One face the other way round; an edge of three faces; a wire.
  Sheet turned = make_sheet(16, 16, flat);
  std::swap(turned.object.faces[100][0], turned.object.faces[100][1]);
  EXPECT_EQ(compare(turned, "turned face").cleared_faces, 0);
  Sheet fin = make_sheet(16, 16, flat);
  fin.t0.emplace_back(0.5, 0.5, 1.0);
  fin.t1.emplace_back(0.5, 0.5, 1.0);
  fin.object.faces.push_back({100, 101, fin.object.vertex_count++});
  EXPECT_EQ(compare(fin, "fin").cleared_faces, 0);
  Sheet wired = make_sheet(16, 16, flat);
  wired.t0.emplace_back(0.5, 0.5, 0.3);
  wired.t1.emplace_back(0.5, 0.5, -0.5);
  wired.object.wires.push_back({0, wired.object.vertex_count++});
  const Answer pierced = compare(wired, "wire");
  EXPECT_EQ(pierced.cleared_faces, 0);
  EXPECT_FALSE(pierced.pairs.empty());
  EXPECT_GT(compare(make_sheet(16, 16, flat), "flat").cleared_faces, 0);
}

// The topology changes, and the contour with it.
TEST(SmoothComponents, a_change_of_topology_is_noticed) {
  const Surface flat = [](double u, double v, double t) { return Vector3(u, v, 0.05 * t * u); };
  Sheet sheet = make_sheet(18, 18, flat);
  auto scene = DeformableScene::build({sheet.object}, {.threads = 1});
  ASSERT_TRUE(scene.has_value());
  const auto cleared = [&] {
    EXPECT_TRUE(scene->update(sheet.t0, sheet.t1).has_value());
    DeformableOptions options;
    options.threads = 1;
    const DeformableContacts found = scene->all_contacts(options);
    EXPECT_TRUE(found.contacts.empty());
    return found.stats.stages[0].count;
  };
  EXPECT_EQ(cleared(), static_cast<std::int64_t>(sheet.object.faces.size()));
  sheet.object.faces.erase(sheet.object.faces.begin() + 300, sheet.object.faces.begin() + 302);
  ASSERT_TRUE(scene->update_topology({sheet.object}).has_value());
  EXPECT_EQ(cleared(), 0);  // not before some steps have gone by
  for (int i = 0; i < 6; ++i) cleared();
  EXPECT_EQ(cleared(), static_cast<std::int64_t>(sheet.object.faces.size()));
}

}  // namespace

namespace deformable::clusters {
namespace {

// Faces nearly along the axis: what the kernel accepts is so in extended precision.
TEST(SmoothComponents, normals_that_are_accepted_are_along_the_axis) {
  using Wide = long double;
  int accepted = 0, refused_though_along = 0, refused = 0;
  Random random(77);
  for (int round = 0; round < 200000; ++round) {
    const double size = std::pow(10.0, -random.uniform(0.0, 4.0));
    const Vector3 axis_wanted = random.in_box(1.0);
    const double largest = axis_wanted.cwiseAbs().maxCoeff();
    NormalAxis axis{};
    for (std::size_t k = 0; k < 3; ++k) {
      axis[k] = static_cast<float>(axis_wanted[static_cast<int>(k)] / largest);
    }
    const Vector3 a(axis[0], axis[1], axis[2]);
    // A plane that nearly holds the axis, and corners near it.
    const Vector3 normal =
        a.cross(random.in_box(1.0)).normalized() + std::pow(10.0, -random.uniform(1.0, 8.0)) * a;
    const Vector3 place = random.in_box(0.9);
    Topology topology;
    Step step;
    topology.faces = {{0, 1, 2}};
    topology.vertex_count = 3;
    Vector3 corner[2][3];
    for (int end = 0; end < 2; ++end) {
      for (int c = 0; c < 3; ++c) {
        Vector3 x = size * random.in_box(1.0);
        x -= normal * normal.dot(x) / normal.squaredNorm();
        corner[end][c] = end == 1 && random.integer(0, 1) == 0 ? corner[0][c] : Vector3(place + x);
      }
    }
    step.lower.setConstant(-1.0);
    step.upper.setConstant(1.0);
    for (int c = 0; c < 3; ++c) {
      MovingVertex v;
      for (int k = 0; k < 3; ++k) {
        v.t0[k] = corner[0][c][k];
        v.t1[k] = corner[1][c][k];
      }
      step.vertices.push_back(v);
    }
    ClusterBoxes boxes;
    for (const MovingVertex& v : step.vertices) {  // centred at 0, scaled by 1: as the refit would
      for (int k = 0; k < 8; ++k)
        boxes.points.push_back(k % 4 == 3 ? 0.0f : static_cast<float>(k < 4 ? v.t0[k] : v.t1[k - 4]));
    }
    const std::int32_t id = 0;
    const bool along = normals_along(boxes, topology.faces.data(), &id, 1, &axis, 1) != 0;
    const auto side = [&](int end, int c, int k) {
      return Wide(corner[end][c][k]) - Wide(corner[end][0][k]);
    };
    const auto dot = [&](int p, int q) {
      Wide sum = 0;
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        sum += Wide(axis[static_cast<std::size_t>(k)]) *
               (side(p, 1, i) * side(q, 2, j) - side(p, 1, j) * side(q, 2, i));
      }
      return sum;
    };
    const bool truth = dot(0, 0) > 0 && dot(1, 1) > 0 && dot(0, 1) + dot(1, 0) > 0;
    ASSERT_TRUE(!along || truth) << "round " << round;
    accepted += along;
    refused += !along;
    refused_though_along += truth && !along;
  }
  EXPECT_GT(accepted, 2000);
  EXPECT_GT(refused_though_along, 100);
  EXPECT_GT(refused, 10000);
}

}  // namespace
}  // namespace deformable::clusters
}  // namespace toccata
