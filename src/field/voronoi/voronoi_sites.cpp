#include "toccata/field/voronoi_sites.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace toccata {
namespace {

struct NamedEdge {
  std::array<std::int32_t, 3> points;
  std::int32_t index;
};

std::string place_of(const char* list, std::size_t i) {
  return std::string(list) + " " + std::to_string(i);
}

}  // namespace

VoronoiSites voronoi_sites(const TriangleMesh& mesh) {
  return {mesh.vertices, {}, mesh.faces, {}};
}

VoronoiSites voronoi_sites(std::span<const Vector2> polygon) {
  VoronoiSites sites;
  const auto count = static_cast<std::int32_t>(polygon.size());
  for (std::int32_t i = 0; i < count; ++i) {
    sites.points.emplace_back(polygon[static_cast<std::size_t>(i)].x(),
                              polygon[static_cast<std::size_t>(i)].y(), 0.0);
    sites.segments.push_back({i, (i + 1) % count});
  }
  return sites;
}

VoronoiSites voronoi_sites(std::span<const std::vector<Vector2>> polygons) {
  VoronoiSites sites;
  for (const std::vector<Vector2>& polygon : polygons) {
    std::vector<std::int32_t>& ring = sites.polygons.emplace_back();
    for (const Vector2& p : polygon) {
      ring.push_back(static_cast<std::int32_t>(sites.points.size()));
      sites.points.emplace_back(p.x(), p.y(), 0.0);
    }
  }
  return sites;
}

std::vector<VoronoiSite> voronoi_features(const VoronoiSites& sites) {
  std::vector<VoronoiSite> list;
  for (std::size_t i = 0; i < sites.points.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    list.push_back({FeatureKind::Vertex, {index, -1, -1}, index});
  }
  // Segments before triangles, lower numbers first: a stable sort keeps the first of equal ones.
  std::vector<NamedEdge> edges;
  const auto add = [&](std::int32_t i, std::int32_t j, std::int32_t index) {
    if (i != j) edges.push_back({{std::min(i, j), std::max(i, j), -1}, index});
  };
  for (std::size_t i = 0; i < sites.segments.size(); ++i)
    add(sites.segments[i][0], sites.segments[i][1], static_cast<std::int32_t>(i));
  for (std::size_t i = 0; i < sites.triangles.size(); ++i) {
    const Face& f = sites.triangles[i];
    for (std::size_t k = 0; k < 3; ++k) add(f[k], f[(k + 1) % 3], ~static_cast<std::int32_t>(i));
  }
  std::stable_sort(edges.begin(), edges.end(),
                   [](const NamedEdge& a, const NamedEdge& b) { return a.points < b.points; });
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i > 0 && edges[i].points == edges[i - 1].points) continue;
    list.push_back({FeatureKind::Edge, edges[i].points, edges[i].index});
  }
  for (std::size_t i = 0; i < sites.triangles.size(); ++i)
    list.push_back({FeatureKind::Face, sites.triangles[i], static_cast<std::int32_t>(i)});
  return list;
}

std::vector<VoronoiSite> voronoi_wholes(const VoronoiSites& sites) {
  std::vector<std::uint8_t> used(sites.points.size(), 0);
  for (const Edge& e : sites.segments)
    for (const std::int32_t i : e) used[static_cast<std::size_t>(i)] = 1;
  for (const Face& f : sites.triangles)
    for (const std::int32_t i : f) used[static_cast<std::size_t>(i)] = 1;
  for (const std::vector<std::int32_t>& ring : sites.polygons)
    for (const std::int32_t i : ring) used[static_cast<std::size_t>(i)] = 1;
  std::vector<VoronoiSite> list;
  for (std::size_t i = 0; i < sites.points.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    if (used[i] == 0) list.push_back({FeatureKind::Vertex, {index, -1, -1}, index});
  }
  for (std::size_t i = 0; i < sites.segments.size(); ++i)
    list.push_back(
        {FeatureKind::Edge, {sites.segments[i][0], sites.segments[i][1], -1}, static_cast<std::int32_t>(i)});
  for (std::size_t i = 0; i < sites.triangles.size(); ++i)
    list.push_back({FeatureKind::Face, sites.triangles[i], static_cast<std::int32_t>(i)});
  for (std::size_t i = 0; i < sites.polygons.size(); ++i)
    list.push_back({FeatureKind::Face, {-1, -1, -1}, static_cast<std::int32_t>(i)});
  return list;
}

Expected<bool> check_voronoi_sites(const VoronoiSites& sites) {
  if (sites.points.size() > 500'000'000 || sites.segments.size() > 500'000'000 ||
      sites.triangles.size() > 300'000'000)
    return Error{"too many sites"};
  for (std::size_t i = 0; i < sites.points.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      if (!(std::abs(sites.points[i][k]) <= 1e100))
        return Error{place_of("point", i) + ": every coordinate must be a finite number of at most 1e100"};
    }
  }
  const auto in_range = [&](std::int32_t i) {
    return i >= 0 && static_cast<std::size_t>(i) < sites.points.size();
  };
  const auto wrong = [&](const char* list, std::size_t i, std::int32_t point) {
    return Error{place_of(list, i) + " uses point " + std::to_string(point) + ", and there are " +
                 std::to_string(sites.points.size())};
  };
  for (std::size_t i = 0; i < sites.segments.size(); ++i)
    for (const std::int32_t p : sites.segments[i])
      if (!in_range(p)) return wrong("segment", i, p);
  for (std::size_t i = 0; i < sites.triangles.size(); ++i)
    for (const std::int32_t p : sites.triangles[i])
      if (!in_range(p)) return wrong("triangle", i, p);
  for (std::size_t i = 0; i < sites.polygons.size(); ++i)
    for (const std::int32_t p : sites.polygons[i])
      if (!in_range(p)) return wrong("polygon", i, p);
  return true;
}

}  // namespace toccata
