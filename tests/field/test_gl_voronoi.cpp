// Drawn Voronoi grids against all sites in plain arithmetic; skipped where there is no OpenGL.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "effort.hpp"
#include "field/voronoi/gl_distance_mesh.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/field/gl_voronoi.hpp"

namespace toccata {
namespace {

const GlDevice* gl_device() {
  static const Expected<GlDevice> device = GlDevice::create();
  if (!device) std::printf("no OpenGL: %s\n", device.error().message.c_str());
  return device ? &*device : nullptr;
}

voronoi::ConvexSite random_site(Random& random, int corners) {
  voronoi::ConvexSite site;
  site.corners = corners;
  for (Vector3& p : site.corner) p = random.in_box(1.0);
  return site;
}

TEST(GlVoronoi, DistanceMeshesAreNeverBelowAndNowhereOffByMoreThanTheError) {
  Random random(3);
  int below = 0, above = 0, looks = 0;
  double covered = 0.0, area = 0.0;
  for (int trial = 0; trial < 120; ++trial) {
    voronoi::ConvexSite site = random_site(random, 1 + trial % 3);
    const double z = trial % 2 == 0 ? 0.0 : random.uniform(-1.0, 1.0);
    if (trial % 4 == 0)
      for (Vector3& p : site.corner) p.z() = z;  // in the plane
    if (trial % 8 == 2) site.corner[0].z() = z;  // one corner in it
    if (trial % 7 == 3) site.scale = 3.0;
    if (trial % 7 == 5) site.shift = 0.4;
    const double error = std::pow(10.0, random.uniform(-2.5, -0.5));
    voronoi::DistanceMesh mesh(error);
    const voronoi::PlaneBox box{{-1.2, -0.9}, {1.1, 1.3}};
    mesh.build(site, z, box);
    ASSERT_EQ(mesh.points().size() % 3, 0u);
    area += 2.3 * 2.2;
    for (std::size_t i = 0; i < mesh.points().size(); i += 3) {
      const voronoi::MeshPoint *p = &mesh.points()[i], &a = p[0], &b = p[1], &c = p[2];
      covered += 0.5 * std::abs((b.place - a.place).x() * (c.place - a.place).y() -
                                (b.place - a.place).y() * (c.place - a.place).x());
      for (int look = 0; look < 3; ++look) {
        double u = random.unit(), v = random.unit();
        if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
        const Vector2 at = a.place + u * (b.place - a.place) + v * (c.place - a.place);
        const double height = a.value + u * (b.value - a.value) + v * (c.value - a.value);
        const double truth = site.value({at.x(), at.y(), z});
        ++looks;
        below += height < truth - 1e-12;
        above += height > truth + error * (1.0 + 1e-9) + 1e-12;
      }
    }
  }
  EXPECT_EQ(below, 0);
  EXPECT_EQ(above, 0);
  EXPECT_GT(looks, 10000);
  EXPECT_NEAR(covered, area, 1e-6 * area);  // no gaps, nothing twice
}

VoronoiSites random_sites(Random& random, int points, int segments, int triangles) {
  VoronoiSites sites;
  const auto add = [&] {
    sites.points.push_back(random.in_box(1.0));
    return static_cast<std::int32_t>(sites.points.size() - 1);
  };
  for (int i = 0; i < points; ++i) add();
  for (int i = 0; i < segments; ++i) {
    const std::int32_t a = add(), b = add();
    sites.segments.push_back({a, b});
  }
  for (int i = 0; i < triangles; ++i) {
    const std::int32_t a = add(), b = add(), c = add();
    sites.triangles.push_back({a, b, c});
  }
  return sites;
}

void expect_within_the_bound(const VoronoiSites& sites, const VoronoiOptions& options, const char* what) {
  const Expected<GlVoronoi> raw = gl_voronoi_grid(*gl_device(), sites, options, {.recheck = false});
  ASSERT_TRUE(raw) << what << ": " << raw.error().message;
  const Expected<GlVoronoi> checked = gl_voronoi_grid(*gl_device(), sites, options);
  ASSERT_TRUE(checked) << what;
  const VoronoiGrid grid = voronoi_grid(sites, options).value();
  EXPECT_EQ(raw->not_drawn, 0u) << what;
  EXPECT_EQ(checked->beyond_bound, 0u) << what;
  EXPECT_LE(checked->worst, checked->bound + 2.0 * grid.error) << what;
  EXPECT_EQ(checked->grid.site, grid.site) << what;
  EXPECT_EQ(checked->grid.certified, grid.certified) << what;
  ASSERT_EQ(raw->grid.site.size(), grid.site.size());
  const std::size_t last = grid.site.size() - 1;
  EXPECT_LE((raw->grid.center(last) - grid.center(last)).norm(), grid.error) << what;
  std::size_t same = 0, too_near = 0;
  for (std::size_t i = 0; i < grid.site.size(); ++i) {
    same += raw->grid.site[i] == grid.site[i];
    const double better = options.kind == VoronoiKind::Farthest ? raw->grid.distance[i] - grid.distance[i]
                                                                : grid.distance[i] - raw->grid.distance[i];
    too_near += better > 2.0 * grid.error;
  }
  EXPECT_EQ(too_near, 0u) << what;
  EXPECT_GT(static_cast<double>(same), 0.9 * static_cast<double>(grid.site.size())) << what;
}

TEST(GlVoronoi, DrawnSitesAreWithinTheBound) {
  if (gl_device() == nullptr) GTEST_SKIP();
  Random random(5);
  VoronoiSites flat = random_sites(random, 40, 12, 0);
  for (Vector3& p : flat.points) p.z() = 0.0;
  expect_within_the_bound(flat, {.counts = {48, 40, 1}}, "points and segments in the plane");
  for (int trial = 0; trial < with_effort(6); ++trial) {
    VoronoiSites more = random_sites(random, 3, 5, 2);
    for (Vector3& p : more.points) p.z() = 0.0;
    expect_within_the_bound(more, {.counts = {30, 24, 1}}, "a few of all kinds in the plane");
  }
  const VoronoiSites space = random_sites(random, 10, 6, 8);
  expect_within_the_bound(space, {.counts = {24, 20, 2}}, "all kinds in space");
  expect_within_the_bound(space, {.counts = {16, 16, 2}, .kind = VoronoiKind::Farthest}, "farthest");
  VoronoiOptions weighted{.counts = {24, 24, 1}};
  for (std::size_t i = 0; i < voronoi_wholes(space).size(); ++i)
    weighted.weights.push_back(random.uniform(0.2, 0.8));
  weighted.weighting = VoronoiWeights::Additive;
  expect_within_the_bound(space, weighted, "additive weights");
  weighted.weighting = VoronoiWeights::Multiplicative;
  expect_within_the_bound(space, weighted, "multiplicative weights");
  scenes::TorusKnotOptions knot;
  knot.along = 40;
  knot.around = 6;
  expect_within_the_bound(voronoi_sites(scenes::torus_knot(knot)), {.counts = {20, 20, 2}}, "a mesh");
}

TEST(GlVoronoi, OneSiteNoneAndWhatCannotBe) {
  if (gl_device() == nullptr) GTEST_SKIP();
  VoronoiSites one;
  one.points = {{0.2, 0.3, 0}};
  const GlVoronoi drawn =
      gl_voronoi_grid(*gl_device(), one, {.counts = {8, 8, 1}, .box = {{0, 0, 0}, {1, 1, 0}}}).value();
  EXPECT_EQ(drawn.wrong, 0u);
  EXPECT_EQ(drawn.not_drawn, 0u);
  const GlVoronoi none =
      gl_voronoi_grid(*gl_device(), {}, {.counts = {4, 4, 1}, .box = {{0, 0, 0}, {1, 1, 0}}}).value();
  EXPECT_EQ(none.grid.site, std::vector<std::int32_t>(16, -1));
  EXPECT_FALSE(gl_voronoi_grid(*gl_device(), one, {}, {.mesh_error = -1.0}));
  EXPECT_FALSE(gl_voronoi_grid(*gl_device(), one, {}, {.mesh_error = NAN}));
  EXPECT_FALSE(gl_voronoi_grid(*gl_device(), one, {.counts = {0, 1, 1}}));
  EXPECT_FALSE(gl_voronoi_grid(*gl_device(), one, {.counts = {1'000'000, 1, 1}}));
  EXPECT_FALSE(gl_device()->name().empty());
}

}  // namespace
}  // namespace toccata
