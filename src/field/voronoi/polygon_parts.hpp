#pragma once
// Filled polygons of a Voronoi diagram: each is one site, made of triangles that fill it.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/field/voronoi_sites.hpp"

namespace toccata::voronoi {

// Triangles between corners of the ring whose union is the polygon, without a rounding: ears are told by
// exact signs. Squares of the number of corners in time. Error: the ring is no simple polygon with one z.
Expected<std::vector<Face>> polygon_triangles(std::span<const Vector3> points,
                                              std::span<const std::int32_t> ring);

// What kernels see: wholes, and for polygons their triangles. The parts of a site follow each other.
struct SiteParts {
  std::vector<VoronoiSite> list;
  std::vector<std::int32_t> owner;  // of each part; empty if all sites are one part
  std::vector<double> weights;      // of each part, if there are any
};
Expected<SiteParts> parts_of(const VoronoiSites& sites, const std::vector<VoronoiSite>& list,
                             const std::vector<double>& weights);

}  // namespace toccata::voronoi
