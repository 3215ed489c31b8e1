#include "toccata/field/penetration_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/stop_watch.hpp"
#include "field/depth_grid/grid_turns.hpp"
#include "toccata/elementary/point_triangle.hpp"

namespace toccata {
namespace depth_grid {
namespace {

bool is_flat(const VoronoiSites& body) {
  return body.triangles.empty() && std::all_of(body.points.begin(), body.points.end(),
                                               [&](const Vector3& p) { return p.z() == body.points[0].z(); });
}

// Every edge of triangles an even number of times; in the plane, every point an even number of ends.
Expected<bool> check_closed(const VoronoiSites& body, const std::string& name) {
  if (body.triangles.empty() && body.segments.empty())
    return Error{name + " has neither triangles nor segments"};
  if (body.triangles.empty()) {
    if (!is_flat(body))
      return Error{name + ": segments enclose something only in a plane, where all z are the same"};
    std::vector<std::uint8_t> odd(body.points.size(), 0);
    for (const Edge& e : body.segments)
      for (const std::int32_t i : e) odd[static_cast<std::size_t>(i)] ^= 1;
    const auto open = std::find(odd.begin(), odd.end(), 1);
    if (open == odd.end()) return true;
    return Error{name + " is not closed: an odd number of segments ends at point " +
                 std::to_string(open - odd.begin())};
  }
  if (!body.segments.empty()) return Error{name + " has triangles and segments: one kind encloses a body"};
  std::vector<Edge> edges;
  for (const Face& f : body.triangles)
    for (std::size_t i = 0; i < 3; ++i)
      if (f[i] != f[(i + 1) % 3])
        edges.push_back({std::min(f[i], f[(i + 1) % 3]), std::max(f[i], f[(i + 1) % 3])});
  std::sort(edges.begin(), edges.end());
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i;
    while (end < edges.size() && edges[end] == edges[i]) ++end;
    if ((end - i) % 2 != 0)
      return Error{name + " is not closed: an odd number of triangles has the edge between points " +
                   std::to_string(edges[i][0]) + " and " + std::to_string(edges[i][1])};
    i = end;
  }
  return true;
}

Aabb box_of(const VoronoiSites& body) {
  Aabb box{Vector3::Constant(std::numeric_limits<double>::infinity()),
           Vector3::Constant(-std::numeric_limits<double>::infinity())};
  const auto add = [&](std::int32_t i) {
    box.lower = box.lower.cwiseMin(body.points[static_cast<std::size_t>(i)]);
    box.upper = box.upper.cwiseMax(body.points[static_cast<std::size_t>(i)]);
  };
  for (const Face& f : body.triangles) std::for_each(f.begin(), f.end(), add);
  for (const Edge& e : body.segments) std::for_each(e.begin(), e.end(), add);
  return box;
}

// A body without points that nothing uses: they are no part of its surface.
struct Surface {
  VoronoiSites sites;
  std::vector<std::int32_t> number;  // of each point in the body as given
};

Surface surface_of(const VoronoiSites& body) {
  std::vector<std::int32_t> place(body.points.size(), -1);
  for (const Face& f : body.triangles)
    for (const std::int32_t i : f) place[static_cast<std::size_t>(i)] = 0;
  for (const Edge& e : body.segments)
    for (const std::int32_t i : e) place[static_cast<std::size_t>(i)] = 0;
  Surface surface{{{}, body.segments, body.triangles}, {}};
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<std::int32_t>(surface.number.size());
    surface.number.push_back(static_cast<std::int32_t>(i));
    surface.sites.points.push_back(body.points[i]);
  }
  for (Face& f : surface.sites.triangles)
    for (std::int32_t& i : f) i = place[static_cast<std::size_t>(i)];
  for (Edge& e : surface.sites.segments)
    for (std::int32_t& i : e) i = place[static_cast<std::size_t>(i)];
  return surface;
}

// Points of sites by their numbers in the body as given.
void name_points(const Surface& surface, VoronoiGrid& grid) {
  for (VoronoiSite& site : grid.sites) {
    for (std::int32_t& i : site.points)
      if (i >= 0) i = surface.number[static_cast<std::size_t>(i)];
    if (site.kind == FeatureKind::Vertex) site.index = site.points[0];
  }
}

// No two points of the surfaces are nearer than the nearest ones, which are no farther apart than two
// vertices.
double upper_separation(const VoronoiSites& a, const VoronoiSites& b, const Aabb& box_b) {
  const auto nearest = [](const std::vector<Vector3>& points, const Vector3& to) {
    const Vector3* best = &points[0];
    for (const Vector3& p : points)
      if ((p - to).squaredNorm() < (*best - to).squaredNorm()) best = &p;
    return *best;
  };
  Vector3 p = nearest(a.points, 0.5 * (box_b.lower + box_b.upper)), q = nearest(b.points, p);
  p = nearest(a.points, q);
  return (p - q).stableNorm() * (1.0 + 1e-12);
}

Vector3 nearest_point(const Vector3& p, const VoronoiSites& body, const VoronoiSite& site) {
  const auto corner = [&](std::size_t i) -> const Vector3& {
    return body.points[static_cast<std::size_t>(site.points[i])];
  };
  if (site.kind == FeatureKind::Vertex) return corner(0);
  if (site.kind == FeatureKind::Edge) return point_segment_distance(p, corner(0), corner(1)).point;
  return point_triangle_distance(p, Triangle{corner(0), corner(1), corner(2)}).point;
}

Vector3 unit(const Vector3& v) {
  const double length = v.stableNorm();
  return length > 0.0 ? Vector3(v / length) : Vector3(Vector3::Zero());
}

class FieldBuild {
 public:
  FieldBuild(const VoronoiSites& a, const VoronoiSites& b, bool is_self,
             const PenetrationFieldOptions& options)
      : surface_a_(surface_of(a)),
        surface_b_(surface_of(b)),
        is_self_(is_self),
        options_(options),
        watch_(options.stop) {}

  Expected<PenetrationField> build() {
    if (const Expected<bool> good = fill(); !good) return good.error();
    name_points(surface_a_, field_.a);
    name_points(surface_b_, field_.b);
    return std::move(field_);
  }

 private:
  Expected<bool> fill();
  const VoronoiSites& other() const { return b_; }
  Expected<bool> lay_grid(Aabb region);
  void localize(const Aabb& region);
  void collect();
  void separate();
  Vector3 way_out(const Vector3& p, const VoronoiSites& body, const VoronoiGrid& grid, std::size_t cell,
                  bool inside) const {
    const Vector3 near = nearest_point(p, body, grid.sites[static_cast<std::size_t>(grid.site[cell])]);
    return unit(inside ? Vector3(near - p) : Vector3(p - near));
  }

  Surface surface_a_, surface_b_;
  const VoronoiSites& a_ = surface_a_.sites;
  const VoronoiSites& b_ = surface_b_.sites;
  bool is_self_;
  const PenetrationFieldOptions& options_;
  StopWatch watch_;
  bool flat_ = false;
  PenetrationField field_;
};

Expected<bool> FieldBuild::lay_grid(Aabb region) {
  const int axes = flat_ ? 2 : 3;
  double longest = 0.0;
  for (int i = 0; i < axes; ++i) longest = std::max(longest, region.upper[i] - region.lower[i]);
  double cell = options_.cell > 0.0 ? options_.cell : longest / 48.0;
  if (!(cell > 0.0)) cell = 1.0;
  VoronoiOptions grid;
  grid.threads = options_.threads;
  grid.stop = watch_.rest();
  grid.counts = {1, 1, 1};
  double cells = 1.0;
  for (int i = 0; i < axes; ++i) {
    // One more to either side, so that the region's border has neighbours.
    const double count = std::ceil((region.upper[i] - region.lower[i]) / cell) + 2.0;
    cells *= count;
    if (!(cells <= static_cast<double>(options_.most_cells)))
      return Error{"cells of " + std::to_string(cell) + " make more than " +
                   std::to_string(options_.most_cells) + " of them: ask for larger ones, or allow more"};
    const double margin = 0.5 * (count * cell - (region.upper[i] - region.lower[i]));
    grid.counts[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(count);
    region.lower[i] -= margin;
    region.upper[i] = region.lower[i] + count * cell;
  }
  grid.box = region;
  Expected<VoronoiGrid> a = voronoi_grid(a_, grid);
  if (!a) return a.error();
  field_.a = std::move(*a);
  const GridTurns turns_a = grid_turns(a_, field_.a, options_.threads);
  if (is_self_) {
    field_.b = field_.a;
    field_.inside_a.assign(turns_a.turns.size(), 0);
    // In at least two volumes, whichever way the faces run.
    for (std::size_t i = 0; i < turns_a.turns.size(); ++i)
      field_.inside_a[i] = std::abs(turns_a.turns[i]) >= 2 ? 1 : 0;
    field_.inside_b = field_.inside_a;
    return true;
  }
  grid.stop = watch_.rest();
  Expected<VoronoiGrid> b = voronoi_grid(b_, grid);
  if (!b) return b.error();
  field_.b = std::move(*b);
  field_.inside_a = turns_a.crossings;
  field_.inside_b = grid_turns(b_, field_.b, options_.threads).crossings;
  return true;
}

// Boxes of an eighth of the region that boxes of triangles of both reach into.
void FieldBuild::localize(const Aabb& region) {
  const std::int32_t n[3] = {8, 8, flat_ ? 1 : 8};
  std::vector<std::uint8_t> has(512, 0);
  const auto mark = [&](const VoronoiSites& body, std::uint8_t bit, std::span<const std::int32_t> corners) {
    std::int32_t first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
    for (int i = 0; i < (flat_ ? 2 : 3); ++i) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const std::int32_t c : corners) {
        low = std::min(low, body.points[static_cast<std::size_t>(c)][i]);
        high = std::max(high, body.points[static_cast<std::size_t>(c)][i]);
      }
      // Monotone in the coordinate: two that share it share the box.
      const double size = (region.upper[i] - region.lower[i]) / n[i];
      const auto box = [&](double x) { return size > 0.0 ? std::floor((x - region.lower[i]) / size) : 0.0; };
      if (box(high) < 0.0 || box(low) > n[i]) return;
      first[i] = static_cast<std::int32_t>(std::clamp(box(low), 0.0, n[i] - 1.0));
      last[i] = static_cast<std::int32_t>(std::clamp(box(high), 0.0, n[i] - 1.0));
    }
    for (std::int32_t k = first[2]; k <= last[2]; ++k)
      for (std::int32_t j = first[1]; j <= last[1]; ++j)
        for (std::int32_t i = first[0]; i <= last[0]; ++i)
          has[static_cast<std::size_t>((k * 8 + j) * 8 + i)] |= bit;
  };
  const auto mark_all = [&](const VoronoiSites& body, std::uint8_t bit) {
    for (const Face& f : body.triangles) mark(body, bit, f);
    for (const Edge& e : body.segments) mark(body, bit, e);
  };
  mark_all(a_, 1);
  mark_all(other(), 2);
  const Vector3 size = (region.upper - region.lower).cwiseQuotient(Vector3(n[0], n[1], n[2]));
  for (std::int32_t k = 0; k < n[2]; ++k)
    for (std::int32_t j = 0; j < n[1]; ++j)
      for (std::int32_t i = 0; i < n[0]; ++i) {
        if (has[static_cast<std::size_t>((k * 8 + j) * 8 + i)] != 3) continue;
        const Vector3 lower = region.lower + size.cwiseProduct(Vector3(i, j, k));
        field_.boxes.push_back({lower, lower + size});
      }
}

void FieldBuild::collect() {
  const double reach = field_.a.reach + field_.a.error;
  const double near = options_.contact_distance > 0.0 ? options_.contact_distance : reach;
  for (std::size_t cell = 0; cell < field_.inside_a.size(); ++cell) {
    const double da = field_.a.distance[cell], db = field_.b.distance[cell];
    const bool in_a = field_.inside_a[cell] != 0, in_b = field_.inside_b[cell] != 0;
    // A point of both may be in the cell: then it is as deep as the centre, and half a diagonal.
    if ((in_a || da <= reach) && (in_b || db <= reach)) {
      field_.depth_in_a.upper = std::max(field_.depth_in_a.upper, (in_a ? da : -da) + reach);
      field_.depth_in_b.upper = std::max(field_.depth_in_b.upper, (in_b ? db : -db) + reach);
    }
    const bool both = in_a && in_b;
    const bool contact = !is_self_ && da <= near && db <= near;
    if (!both && !contact) continue;
    const Vector3 p = field_.a.center(cell);
    const Vector3 out_a = way_out(p, a_, field_.a, cell, in_a),
                  out_b = way_out(p, other(), field_.b, cell, in_b);
    if (both) {
      const auto at = static_cast<std::int64_t>(field_.points.size());
      if (field_.depth_in_a.point < 0 || da > field_.depth_in_a.lower)
        field_.depth_in_a.lower = da, field_.depth_in_a.point = at;
      if (field_.depth_in_b.point < 0 || db > field_.depth_in_b.lower)
        field_.depth_in_b.lower = db, field_.depth_in_b.point = at;
      field_.points.push_back({p, cell, da, db, out_a, out_b, field_.a.site[cell], field_.b.site[cell]});
    }
    if (contact)
      field_.contacts.push_back({p, cell, in_a ? -da : da, in_b ? -db : db, unit(out_a - out_b),
                                 field_.a.site[cell], field_.b.site[cell]});
  }
  const Vector3& size = field_.a.cell_size;
  field_.volume = static_cast<double>(field_.points.size()) * size.x() * size.y() * (flat_ ? 1.0 : size.z());
}

// The least sum of both distances: at the middle between the nearest points it is their distance, and no
// centre is farther from that than half a diagonal.
void FieldBuild::separate() {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t cell = 0; cell < field_.a.site.size(); ++cell) {
    const double sum = field_.a.distance[cell] + field_.b.distance[cell];
    if (sum < least) {
      least = sum;
      best = cell;
    }
  }
  const double error = 2.0 * (field_.a.error + field_.b.error);
  const Vector3 p = field_.a.center(best);
  field_.separation.lower = std::max(0.0, least - 2.0 * field_.a.reach - error);
  field_.separation.upper = least + error;
  field_.separation.point_a =
      nearest_point(p, a_, field_.a.sites[static_cast<std::size_t>(field_.a.site[best])]);
  field_.separation.point_b =
      nearest_point(p, b_, field_.b.sites[static_cast<std::size_t>(field_.b.site[best])]);
}

Expected<bool> FieldBuild::fill() {
  const Aabb box_a = box_of(a_), box_b = box_of(other());
  flat_ = is_flat(a_) && is_flat(other());
  if (flat_ && a_.points[0].z() != other().points[0].z())
    return Error{"the two bodies lie in different planes: their z differ"};
  if (!flat_ && (is_flat(a_) || is_flat(other())))
    return Error{"one body lies in the plane, and the other does not"};
  Aabb region{box_a.lower.cwiseMax(box_b.lower), box_a.upper.cwiseMin(box_b.upper)};
  const bool boxes_meet = (region.lower.array() <= region.upper.array()).all();
  if (boxes_meet) {
    localize(region);
    if (const Expected<bool> good = lay_grid(region); !good) return good.error();
    collect();
  }
  if (is_self_ || !field_.points.empty()) return true;
  // Nothing is in both: where the middle between the nearest points is.
  const double half = 0.5 * upper_separation(a_, b_, box_b);
  region = {(box_a.lower.array() - half).max(box_b.lower.array() - half),
            (box_a.upper.array() + half).min(box_b.upper.array() + half)};
  if (flat_) region.lower.z() = region.upper.z() = box_a.lower.z();
  region.upper = region.upper.cwiseMax(region.lower);
  field_.contacts.clear();
  field_.depth_in_a = field_.depth_in_b = {};
  if (const Expected<bool> good = lay_grid(region); !good) return good.error();
  collect();
  if (field_.points.empty()) separate();
  return true;
}

Expected<bool> check_options(const PenetrationFieldOptions& options) {
  if (!(options.cell >= 0.0) || !(options.cell <= 1e100))
    return Error{"the cell must be a length from 0 to 1e100"};
  if (!(options.contact_distance >= 0.0)) return Error{"the contact distance must be at least 0"};
  if (options.threads < 0) return Error{"threads must be at least 0"};
  return true;
}

Expected<bool> check_body(const VoronoiSites& body, const std::string& name) {
  if (const Expected<bool> good = check_voronoi_sites(body); !good)
    return Error{name + ": " + good.error().message};
  if (!body.polygons.empty()) return Error{name + ": polygons are given by their outlines here: segments"};
  return check_closed(body, name);
}

}  // namespace
}  // namespace depth_grid

Expected<PenetrationField> penetration_field(const VoronoiSites& a, const VoronoiSites& b,
                                             const PenetrationFieldOptions& options) {
  using namespace depth_grid;
  for (const Expected<bool>& good :
       {check_options(options), check_body(a, "the first body"), check_body(b, "the second body")})
    if (!good) return good.error();
  return FieldBuild(a, b, false, options).build();
}

Expected<PenetrationField> self_penetration_field(const VoronoiSites& body,
                                                  const PenetrationFieldOptions& options) {
  using namespace depth_grid;
  for (const Expected<bool>& good : {check_options(options), check_body(body, "the body")})
    if (!good) return good.error();
  return FieldBuild(body, body, true, options).build();
}

}  // namespace toccata
