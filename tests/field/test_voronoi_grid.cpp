// Voronoi grids against all sites in long double: centres, whole cells, parts, neighbours.
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

#include "effort.hpp"
#include "oracle/long_distance.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/field/voronoi_grid.hpp"
#include "toccata/geometry/display_mesh.hpp"

namespace toccata {
namespace {

using oracle::Long3;
using oracle::Real;

// 0 inside, told by the turns of the outline about the point.
Real polygon_distance(const Vector3& p, const VoronoiSites& sites, const std::vector<std::int32_t>& ring) {
  Real best = INFINITY, turned = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Long3 a = sites.points[static_cast<std::size_t>(ring[i])].cast<Real>(),
                b = sites.points[static_cast<std::size_t>(ring[(i + 1) % ring.size()])].cast<Real>();
    const Long3 q = p.cast<Real>();
    best = std::min(best, oracle::squared_to_segment(q, a, b));
    turned += std::atan2((a - q).cross(b - q).z(), (a - q).dot(b - q));
  }
  return std::abs(turned) > 3 ? Real(0) : std::sqrt(best);
}

// The closed site's distance, weighted as asked.
Real value_at(const Vector3& p, const VoronoiSites& sites, const VoronoiSite& site, std::size_t number,
              const VoronoiOptions& options) {
  const auto corner = [&](std::size_t i) { return sites.points[static_cast<std::size_t>(site.points[i])]; };
  Real distance = 0;
  if (site.is_polygon()) {
    distance = polygon_distance(p, sites, sites.polygons[static_cast<std::size_t>(site.index)]);
  } else if (site.kind == FeatureKind::Vertex) {
    distance = (p.cast<Real>() - corner(0).cast<Real>()).norm();
  } else if (site.kind == FeatureKind::Edge) {
    distance =
        std::sqrt(oracle::squared_to_segment(p.cast<Real>(), corner(0).cast<Real>(), corner(1).cast<Real>()));
  } else {
    distance = oracle::true_distance(p, Triangle{corner(0), corner(1), corner(2)});
  }
  if (options.weighting == VoronoiWeights::Additive) return distance - Real(options.weights[number]);
  if (options.weighting == VoronoiWeights::Multiplicative) return distance / Real(options.weights[number]);
  return distance;
}

struct Truth {
  Real value = 0;
  std::int32_t site = -1;  // the lowest among equals
};

Truth truth_at(const Vector3& p, const VoronoiSites& sites, const VoronoiGrid& grid,
               const VoronoiOptions& options) {
  const bool farthest = options.kind == VoronoiKind::Farthest;
  Truth truth;
  truth.value = farthest ? -INFINITY : INFINITY;
  for (std::size_t s = 0; s < grid.sites.size(); ++s) {
    const Real v = value_at(p, sites, grid.sites[s], s, options);
    if (farthest ? v > truth.value : v < truth.value) {
      truth.value = v;
      truth.site = static_cast<std::int32_t>(s);
    }
  }
  return truth;
}

struct Wrong {
  int values = 0, sites = 0, whole_cells = 0, parts = 0, reaches = 0, missing = 0;
  std::size_t certified = 0;
};

// Each asked cell at its centre, and at random points and corners if it says that it is certified.
Wrong check(const VoronoiSites& sites, const VoronoiOptions& options, std::uint64_t seed, int looks) {
  const Expected<VoronoiGrid> made = voronoi_grid(sites, options);
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  Wrong wrong;
  if (!made) return wrong;
  const VoronoiGrid& grid = *made;
  for (const std::int32_t s : grid.site) wrong.missing += s < 0;
  for (const std::uint8_t c : grid.certified) wrong.certified += c;
  Random random(seed);
  const Real error = grid.error;
  const auto site_holds = [&](const Vector3& p, std::int32_t site) {
    const Truth truth = truth_at(p, sites, grid, options);
    const auto s = static_cast<std::size_t>(site);
    return std::abs(value_at(p, sites, grid.sites[s], s, options) - truth.value) <= error;
  };
  for (int look = 0; look < looks; ++look) {
    const auto cell = static_cast<std::size_t>(random.integer(0, static_cast<int>(grid.site.size()) - 1));
    const Vector3 center = grid.center(cell);
    const Truth truth = truth_at(center, sites, grid, options);
    wrong.values += !(std::abs(Real(grid.distance[cell]) - truth.value) <= error);
    wrong.sites += !site_holds(center, grid.site[cell]);
    const auto somewhere = [&](const Vector3& middle, double part) {
      Vector3 p = middle;
      const bool corner = random.integer(0, 1) == 0;
      for (int i = 0; i < 3; ++i)
        p[i] +=
            part * grid.cell_size[i] * (corner ? (random.integer(0, 1) - 0.5) : random.uniform(-0.5, 0.5));
      return p;
    };
    for (int i = 0; i < 4; ++i) {
      const Vector3 p = somewhere(center, 1.0);
      if (grid.is_certified(cell)) {
        const Truth here = truth_at(p, sites, grid, options);
        const auto s = static_cast<std::size_t>(grid.site[cell]);
        // Nearest to it, and the lowest that is: a certified feature has the region to itself.
        wrong.whole_cells += !site_holds(p, grid.site[cell]);
        if (here.site != grid.site[cell])
          wrong.whole_cells += value_at(p, sites, grid.sites[static_cast<std::size_t>(here.site)],
                                        static_cast<std::size_t>(here.site),
                                        options) < value_at(p, sites, grid.sites[s], s, options) - error;
      }
      const Real v = truth_at(p, sites, grid, options).value;
      wrong.reaches += !(std::abs(v - Real(grid.distance[cell])) <= Real(grid.reach) * (1 + 1e-12L) + error);
    }
  }
  for (std::size_t i = 0; i < grid.finer.size();
       i += 1 + grid.finer.size() / static_cast<std::size_t>(looks)) {
    const VoronoiPart& part = grid.finer[i];
    wrong.parts += !site_holds(part.center, part.site);
    wrong.parts += grid.is_certified(static_cast<std::size_t>(part.cell));
    if (!part.certified) continue;
    Vector3 p = part.center;
    for (int k = 0; k < 3; ++k)
      p[k] += (random.integer(0, 1) - 0.5) * grid.cell_size[k] *
              (k == 2 && grid.counts[2] == 1 ? 1.0 : std::ldexp(1.0, -part.level));
    wrong.parts += !site_holds(p, part.site);
  }
  return wrong;
}

void expect_right(const VoronoiSites& sites, const VoronoiOptions& options, std::uint64_t seed, int looks) {
  const Wrong wrong = check(sites, options, seed, looks);
  EXPECT_EQ(wrong.values, 0);
  EXPECT_EQ(wrong.sites, 0);
  EXPECT_EQ(wrong.whole_cells, 0);
  EXPECT_EQ(wrong.parts, 0);
  EXPECT_EQ(wrong.reaches, 0);
  EXPECT_EQ(wrong.missing, 0);
}

VoronoiSites random_points(Random& random, int count, bool flat) {
  VoronoiSites sites;
  for (int i = 0; i < count; ++i) {
    Vector3 p = random.in_box(1.0);
    if (flat) p.z() = 0.0;
    sites.points.push_back(p);
  }
  return sites;
}

// Free points, chains of segments, and triangles that share edges or not.
VoronoiSites random_mixture(Random& random, bool flat) {
  VoronoiSites sites = random_points(random, 60, flat);
  for (std::int32_t i = 5; i < 20; ++i) sites.segments.push_back({i, i + 1});
  for (std::int32_t i = 21; i < 50; ++i)
    sites.triangles.push_back({i, i + 1, random.integer(0, 3) == 0 ? random.integer(21, 59) : i + 2});
  return sites;
}

TriangleMesh small_knot(double scale) {
  scenes::TorusKnotOptions options;
  options.along = 40;
  options.around = 7;
  TriangleMesh mesh = scenes::torus_knot(options);
  for (Vector3& v : mesh.vertices) v = scale * (v + Vector3(0.3, -0.2, 0.1));
  return mesh;
}

TEST(VoronoiGrid, PointsInThePlane) {
  Random random(1);
  for (const int count : {1, 2, 3, 30, 400})
    expect_right(random_points(random, count, true), {.counts = {100, 83, 1}, .refine = 2}, 2,
                 with_effort(300));
}

TEST(VoronoiGrid, PointsInSpace) {
  Random random(3);
  expect_right(random_points(random, 200, false), {.counts = {20, 31, 17}, .refine = 1}, 4, with_effort(400));
}

TEST(VoronoiGrid, Features) {
  Random random(5);
  for (int i = 0; i < 3; ++i) {
    expect_right(random_mixture(random, true), {.counts = {90, 77, 1}, .refine = 1}, 6, with_effort(200));
    expect_right(random_mixture(random, false), {.counts = {23, 19, 30}, .refine = 1}, 7, with_effort(200));
  }
  expect_right(voronoi_sites(small_knot(1.0)), {.counts = {40, 40, 24}}, 8, with_effort(300));
  // A slice through bodies in space.
  expect_right(voronoi_sites(small_knot(1.0)),
               {.counts = {120, 110, 1}, .box = {{-1.5, -1.5, 0.25}, {1.5, 1.5, 0.25}}}, 9, with_effort(200));
}

TEST(VoronoiGrid, WeightedAndFarthest) {
  Random random(10);
  for (const bool flat : {true, false}) {
    const VoronoiSites sites = random_mixture(random, flat);
    const std::size_t wholes = voronoi_wholes(sites).size();
    VoronoiOptions options{.counts = {flat ? 80 : 20, flat ? 70 : 22, flat ? 1 : 18}};
    options.refine = 1;
    options.weighting = VoronoiWeights::Additive;
    for (std::size_t i = 0; i < wholes; ++i) options.weights.push_back(random.uniform(-0.2, 0.5));
    expect_right(sites, options, 11, with_effort(150));
    options.kind = VoronoiKind::Farthest;
    expect_right(sites, options, 12, with_effort(150));
    options.weighting = VoronoiWeights::Multiplicative;
    for (double& w : options.weights) w = random.uniform(0.2, 3.0);
    expect_right(sites, options, 13, with_effort(150));
    options.kind = VoronoiKind::Nearest;
    expect_right(sites, options, 14, with_effort(150));
    options.weighting = VoronoiWeights::None;
    options.weights.clear();
    options.kind = VoronoiKind::Farthest;
    expect_right(sites, options, 15, with_effort(150));
  }
}

TEST(VoronoiGrid, ScalesAndPlaces) {
  for (const double scale : {1e-90, 1e-6, 1e6, 1e90})
    expect_right(voronoi_sites(small_knot(scale)), {.counts = {16, 16, 12}}, 16, with_effort(80));
  VoronoiSites far = voronoi_sites(small_knot(1.0));
  for (Vector3& p : far.points) p += Vector3(1e6, -1e6, 1e5);
  expect_right(far, {.counts = {16, 16, 12}}, 17, with_effort(80));
}

TEST(VoronoiGrid, WholeCellsOfAMeshAreFound) {
  // With triangles as sites none would be: neighbours share their edges.
  const VoronoiGrid grid = voronoi_grid(voronoi_sites(small_knot(1.0)), {.counts = {64, 64, 32}}).value();
  std::size_t certified = 0;
  for (const std::uint8_t c : grid.certified) certified += c;
  EXPECT_GT(certified, grid.site.size() / 8);
}

TEST(VoronoiGrid, Degenerate) {
  // Two points at one place: the lower one; nothing can be certified.
  VoronoiSites twice;
  twice.points = {{0, 0, 0}, {0, 0, 0}};
  const VoronoiGrid equal = voronoi_grid(twice, {.counts = {8, 8, 1}}).value();
  for (std::size_t i = 0; i < equal.site.size(); ++i) {
    EXPECT_EQ(equal.site[i], 0);
    EXPECT_FALSE(equal.is_certified(i));
  }
  // On a circle around a centre, and on corners of cells.
  VoronoiSites circle;
  for (int i = 0; i < 12; ++i)
    circle.points.emplace_back(std::cos(i * 0.5235987755982988), std::sin(i * 0.5235987755982988), 0.0);
  const VoronoiGrid round =
      voronoi_grid(circle, {.counts = {65, 65, 1}, .box = {{-2, -2, 0}, {2, 2, 0}}}).value();
  EXPECT_EQ(round.site[round.index(32, 32)], 0);
  expect_right(circle, {.counts = {65, 64, 1}, .box = {{-2, -2, 0}, {2, 2, 0}}, .refine = 3}, 20, 200);
  VoronoiSites corners;
  corners.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}};
  expect_right(corners, {.counts = {8, 8, 1}, .box = {{0, 0, 0}, {1, 1, 0}}, .refine = 2}, 21, 200);
  // All in one cell; all outside.
  Random random(22);
  VoronoiSites crowd = random_points(random, 50, true);
  for (Vector3& p : crowd.points) p = Vector3(0.55, 0.55, 0) + 1e-3 * p;
  expect_right(crowd, {.counts = {10, 10, 1}, .box = {{0, 0, 0}, {1, 1, 0}}, .refine = 2}, 23, 200);
  expect_right(crowd, {.counts = {10, 10, 1}, .box = {{5, 5, 0}, {6, 7, 0}}, .refine = 2}, 24, 200);
  // Triangles without area, needles, segments of one point, the same triangle twice.
  VoronoiSites bad;
  bad.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 1}, {0, 1, 1}, {0.5, 1e-13, 0}};
  bad.segments = {{3, 4}, {2, 2}};
  bad.triangles = {{0, 1, 2}, {0, 1, 5}, {0, 0, 3}, {1, 2, 3}, {1, 2, 3}};
  expect_right(bad, {.counts = {14, 12, 10}, .refine = 1}, 25, 300);
  // None at all.
  const VoronoiGrid none = voronoi_grid({}, {.counts = {4, 4, 1}}).value();
  EXPECT_EQ(none.site[3], -1);
  EXPECT_EQ(none.distance[3], std::numeric_limits<double>::infinity());
}

TEST(VoronoiGrid, TiesGoToTheLowerFeature) {
  // Beyond the end of a segment: its corner. Beside it: the edge. Above a triangle: the face.
  VoronoiSites sites;
  sites.points = {{0, 0, 0}, {6, 0, 0}, {0, 6, 0}};
  sites.triangles = {{0, 1, 2}};
  const VoronoiGrid grid =
      voronoi_grid(sites, {.counts = {12, 12, 1}, .box = {{-4, -4, 1}, {8, 8, 1}}}).value();
  ASSERT_EQ(grid.sites.size(), 7u);
  EXPECT_EQ(grid.site[grid.index(1, 1)], 0);
  EXPECT_EQ(grid.sites[static_cast<std::size_t>(grid.site[grid.index(5, 1)])].kind, FeatureKind::Edge);
  EXPECT_EQ(grid.site[grid.index(5, 5)], 6);
  EXPECT_TRUE(grid.is_certified(grid.index(5, 5)));
  EXPECT_TRUE(grid.is_certified(grid.index(1, 1)));
}

TEST(VoronoiGrid, TheSameOnAnyNumberOfThreadsAndLanes) {
  Random random(30);
  VoronoiOptions options{.counts = {40, 40, 20}, .refine = 1, .with_neighbours = true};
  const VoronoiSites sites = random_mixture(random, false);
  const auto digest = [&](int threads) {
    options.threads = threads;
    VoronoiGrid grid = voronoi_grid(sites, options).value();
    std::vector<double> all(grid.distance);
    for (const std::int32_t s : grid.site) all.push_back(s);
    for (const std::uint8_t c : grid.certified) all.push_back(c);
    for (const VoronoiPart& p : grid.finer)
      all.insert(all.end(), {double(p.cell), p.center.x(), p.distance, double(p.site)});
    for (const VoronoiNeighbours& n : grid.neighbours)
      all.insert(all.end(), {double(n.first), double(n.second), double(n.proven)});
    return all;
  };
  const std::vector<double> first = digest(1);
  EXPECT_EQ(first, digest(2));
  EXPECT_EQ(first, digest(0));
  // The lower the bit, the better the target: take the best away one by one.
  for (auto left = static_cast<std::int64_t>(hwy::SupportedTargets()); left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left);
    hwy::GetChosenTarget().DeInit();
    EXPECT_EQ(first, digest(1)) << left;
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

// All pairs of points with an empty circle through them.
std::set<std::pair<std::int32_t, std::int32_t>> delaunay_edges(const std::vector<Vector3>& points) {
  std::set<std::pair<std::int32_t, std::int32_t>> edges;
  const int n = static_cast<int>(points.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      // Centres at middle + t * normal: each other point allows t on one side of a number.
      const Long3 p = points[static_cast<std::size_t>(a)].cast<Real>(),
                  q = points[static_cast<std::size_t>(b)].cast<Real>();
      const Long3 middle = (p + q) / 2, normal(-(q - p).y(), (q - p).x(), 0);
      Real low = -INFINITY, high = INFINITY;
      for (int c = 0; c < n; ++c) {
        if (c == a || c == b) continue;
        const Long3 r = points[static_cast<std::size_t>(c)].cast<Real>();
        const Real slope = 2 * normal.dot(r - p),
                   offset = (r - middle).squaredNorm() - (p - middle).squaredNorm();
        if (slope > 0) high = std::min(high, offset / slope);
        if (slope < 0) low = std::max(low, offset / slope);
      }
      if (low < high) edges.insert({a, b});
    }
  }
  return edges;
}

TEST(VoronoiGrid, NeighboursAreDelaunay) {
  Random random(40);
  for (int trial = 0; trial < 5; ++trial) {
    const VoronoiSites sites = random_points(random, 40, true);
    const VoronoiGrid grid =
        voronoi_grid(
            sites,
            {.counts = {200, 200, 1}, .box = {{-8, -8, 0}, {8, 8, 0}}, .refine = 4, .with_neighbours = true})
            .value();
    const auto edges = delaunay_edges(sites.points);
    std::size_t proven = 0, wrong = 0;
    for (const VoronoiNeighbours& n : grid.neighbours) {
      proven += n.proven;
      wrong += n.proven && edges.count({n.first, n.second}) == 0;
    }
    EXPECT_EQ(wrong, 0u);
    EXPECT_GE(proven * 10, edges.size() * 9);
  }
}

TEST(VoronoiGrid, RefusesWhatCannotBe) {
  VoronoiSites sites;
  sites.points = {{0, 0, 0}, {1, 0, 0}};
  const auto message = [&](const VoronoiOptions& options) {
    const Expected<VoronoiGrid> grid = voronoi_grid(sites, options);
    return grid ? std::string() : grid.error().message;
  };
  EXPECT_NE(message({.counts = {0, 4, 1}}), "");
  EXPECT_NE(message({.counts = {4, 4, 2}, .box = {{0, 0, 0}, {1, 1, 0}}}), "");
  EXPECT_NE(message({.weighting = VoronoiWeights::Additive, .weights = {1.0}}), "");
  EXPECT_NE(message({.weights = {1.0, 2.0}}), "");
  EXPECT_NE(message({.weighting = VoronoiWeights::Multiplicative, .weights = {1.0, 0.0}}), "");
  EXPECT_NE(message({.refine = -1}), "");
  EXPECT_NE(message({.box = {{0, 0, 0}, {NAN, 1, 1}}}), "");
  sites.segments = {{0, 2}};
  EXPECT_NE(message({}).find("segment 0"), std::string::npos);
  sites.segments.clear();
  sites.points[1].y() = NAN;
  EXPECT_NE(message({}).find("point 1"), std::string::npos);
  sites.points[1].y() = 0.0;
  const StopToken token = StopToken::create();
  token.request_stop();
  EXPECT_NE(message({.stop = {.token = token}}).find("stopped"), std::string::npos);
}

// About a middle, with notches; level corners on some edges; either way round.
std::vector<Vector2> any_polygon(Random& random, const Vector2& middle, double size) {
  std::vector<Vector2> ring;
  const int corners = random.integer(3, 14);
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * std::numbers::pi * (i + random.uniform(0.1, 0.9)) / corners;
    ring.push_back(middle + size * random.uniform(0.2, 1.0) * Vector2(std::cos(angle), std::sin(angle)));
  }
  if (random.integer(0, 1) == 0) std::reverse(ring.begin(), ring.end());
  return ring;
}

// Teeth as wide as the gaps between them, on a lattice: many corners are on lines of others, two are level.
std::vector<Vector2> comb(int teeth, double x, double y, double unit) {
  std::vector<Vector2> ring = {{0, 0}};
  for (int i = 0; i < teeth; ++i) {
    ring.insert(ring.end(), {Vector2(2 * i + 1, 0), Vector2(2 * i + 1, 5)});
    ring.insert(ring.end(), {Vector2(2 * i + 2, 5), Vector2(2 * i + 2, 0)});
  }
  const double end = 2 * teeth + 1;
  ring.insert(ring.end(), {Vector2(end, 0), Vector2(end, 6), Vector2(end - 1, 6), Vector2(0, 6)});
  for (Vector2& p : ring) p = Vector2(x, y) + unit * p;
  return ring;
}

TEST(VoronoiGrid, filled_polygons_are_sites) {
  for (int trial = 0; trial < with_effort(6); ++trial) {
    Random random(400 + static_cast<std::uint64_t>(trial));
    std::vector<std::vector<Vector2>> polygons = {comb(3, -1.4, -1.4, 0.1)};
    for (int i = 0; i < 6; ++i)
      polygons.push_back(any_polygon(random, {random.uniform(-1, 1), random.uniform(-1, 1)}, 0.35));
    // Side by side on the lattice: what is between them is nobody's for sure.
    polygons.push_back({{1, 1}, {1.25, 1}, {1.25, 1.25}, {1, 1.25}});
    polygons.push_back({{1.25, 1}, {1.5, 1}, {1.5, 1.25}, {1.25, 1.25}});
    VoronoiSites sites = voronoi_sites(polygons);
    const auto first = static_cast<std::int32_t>(sites.points.size());
    for (int i = 0; i < 6; ++i) sites.points.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1), 0.0);
    sites.segments = {{first, first + 1}};
    sites.triangles = {{first + 2, first + 3, first + 4}};
    VoronoiOptions options;
    options.counts = {61, 53, 1};
    options.refine = trial % 3;
    options.with_neighbours = trial % 2 == 0;
    options.weighting = static_cast<VoronoiWeights>(trial % 3);
    for (std::size_t i = 0; trial % 3 != 0 && i < voronoi_wholes(sites).size(); ++i)
      options.weights.push_back(random.uniform(0.2, 1.0));
    const Wrong wrong = check(sites, options, 401, 120);
    EXPECT_EQ(wrong.values + wrong.sites + wrong.whole_cells + wrong.parts + wrong.reaches + wrong.missing,
              0);
    EXPECT_GT(wrong.certified, 1000u);
    const VoronoiGrid grid = voronoi_grid(sites, options).value();
    ASSERT_EQ(grid.sites.size(), 12u);  // a free point, the segment, the triangle, nine polygons
    EXPECT_TRUE(grid.sites[3].is_polygon());
    for (const VoronoiNeighbours& n : grid.neighbours) EXPECT_LT(n.second, 12);
  }
}

TEST(VoronoiGrid, says_which_polygon_cannot_be_filled) {
  const auto failure = [](const std::vector<Vector2>& ring, VoronoiKind kind = VoronoiKind::Nearest) {
    VoronoiOptions options;
    options.counts = {4, 4, 1};
    options.kind = kind;
    const std::vector<std::vector<Vector2>> rings = {{{0, 0}, {1, 0}, {0, 1}}, ring};
    const Expected<VoronoiGrid> grid = voronoi_grid(voronoi_sites(rings), options);
    return grid ? std::string() : grid.error().message;
  };
  EXPECT_EQ(failure({{2, 0}, {3, 0}, {3, 1}}), "");
  EXPECT_EQ(failure({{2, 0}, {3, 0}}), "polygon 1: it has fewer than three corners");
  EXPECT_EQ(failure({{2, 0}, {3, 1}, {3, 0}, {2, 1}}), "polygon 1: its edges 0 and 2 meet");
  EXPECT_EQ(failure({{2, 0}, {3, 0}, {3, 0}, {2, 1}}), "polygon 1: its corners 1 and 2 are at one place");
  EXPECT_EQ(failure({{2, 0}, {4, 0}, {3, 0}, {2, 1}}), "polygon 1: it turns back at corner 1");
  EXPECT_NE(failure({{2, 0}, {3, 0}, {3, 1}}, VoronoiKind::Farthest), "");
}

}  // namespace
}  // namespace toccata
