#include "field/voronoi/prepared_sites.hpp"

#include <algorithm>
#include <cmath>

#include "elementary/double_pair.hpp"

namespace toccata::voronoi {
namespace {

using elementary::DoublePair;
using elementary::exact_difference;

struct PairVector {
  DoublePair x, y, z;
};

PairVector difference(const Vector3& a, const Vector3& b) {
  return {exact_difference(a.x(), b.x()), exact_difference(a.y(), b.y()), exact_difference(a.z(), b.z())};
}

DoublePair dot(const PairVector& a, const PairVector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

PairVector cross(const PairVector& a, const PairVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Longer than nothing after scaling by a power of two; false if it is zero.
bool normalize(PairVector& v) {
  const double largest = std::max({std::abs(v.x.high), std::abs(v.y.high), std::abs(v.z.high)});
  if (!(largest > 0.0)) return false;
  int exponent = 0;
  std::frexp(largest, &exponent);
  for (DoublePair* c : {&v.x, &v.y, &v.z}) {
    c->high = std::ldexp(c->high, -exponent);
    c->low = std::ldexp(c->low, -exponent);
  }
  const DoublePair length = elementary::square_root(dot(v, v));
  v = {v.x / length, v.y / length, v.z / length};
  return true;
}

void store(const Vector3& v, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = v[i];
}

void store(const PairVector& v, double* to) {
  to[0] = v.x.high;
  to[1] = v.y.high;
  to[2] = v.z.high;
}

EdgeRecord edge_record(const Vector3& start, const Vector3& end) {
  EdgeRecord record;
  store(start, record.start);
  store(end, record.end);
  PairVector along = difference(end, start);
  if (normalize(along)) store(along, record.along);
  record.length = (end - start).stableNorm();
  return record;
}

FaceRecord face_record(const Vector3& a, const Vector3& b, const Vector3& c) {
  FaceRecord record;
  const Vector3 corner[3] = {a, b, c};
  for (int i = 0; i < 3; ++i) store(corner[i], record.corner[i]);
  PairVector side[3];
  for (int i = 0; i < 3; ++i) {
    side[i] = difference(corner[(i + 1) % 3], corner[i]);
    if (!normalize(side[i])) record.flat = false;
  }
  if (!record.flat) return record;
  PairVector normal = cross(side[0], side[1]);
  const double sine = std::sqrt(dot(normal, normal).high);
  if (!(sine > 0x1p-40) || !normalize(normal)) {
    record.flat = false;
    return record;
  }
  store(normal, record.normal);
  for (int i = 0; i < 3; ++i) {
    PairVector inward = cross(normal, side[i]);
    normalize(inward);
    store(inward, record.inward[i]);
  }
  return record;
}

// Which faces can be nearer than an edge of theirs, and which edges nearer than an end of theirs.
void link_features(const std::vector<VoronoiSite>& list, PreparedSites& prepared) {
  const auto edge_of = [&](std::int32_t i, std::int32_t j) {
    const std::array<std::int32_t, 3> key = {std::min(i, j), std::max(i, j), -1};
    const auto begin = list.begin() + prepared.first_edge, end = list.begin() + prepared.first_face;
    const auto found =
        std::lower_bound(begin, end, key, [](const VoronoiSite& s, const auto& k) { return s.points < k; });
    return found != end && found->points == key ? found - begin : -1;
  };
  for (std::int32_t s = prepared.first_face; s < prepared.count; ++s) {
    const FaceRecord& face = prepared.faces[static_cast<std::size_t>(s - prepared.first_face)];
    if (!face.flat) continue;
    const auto& p = list[static_cast<std::size_t>(s)].points;
    for (int i = 0; i < 3; ++i) {
      const auto at = edge_of(p[static_cast<std::size_t>(i)], p[static_cast<std::size_t>((i + 1) % 3)]);
      if (at < 0) continue;
      EdgeRecord& edge = prepared.edges[static_cast<std::size_t>(at)];
      if (edge.faces < 2) std::copy_n(face.inward[i], 3, edge.inward[edge.faces++]);
    }
  }
  for (std::int32_t s = prepared.first_edge; s < prepared.first_face; ++s) {
    const EdgeRecord& edge = prepared.edges[static_cast<std::size_t>(s - prepared.first_edge)];
    if (!(edge.length > 0.0)) continue;
    for (int end = 0; end < 2; ++end) {
      PointRecord& point = prepared.points[static_cast<std::size_t>(
          list[static_cast<std::size_t>(s)].points[static_cast<std::size_t>(end)])];
      if (point.edges == PointRecord::most) continue;
      for (int i = 0; i < 3; ++i) point.edge[point.edges][i] = end == 0 ? edge.along[i] : -edge.along[i];
      ++point.edges;
    }
  }
}

}  // namespace

PreparedSites prepare_sites(const VoronoiSites& sites, const std::vector<VoronoiSite>& list,
                            const std::vector<std::int32_t>& owner, const VoronoiOptions& options) {
  PreparedSites prepared;
  prepared.wholes = options.kind == VoronoiKind::Farthest || options.weighting != VoronoiWeights::None ||
                    !sites.polygons.empty();
  prepared.owner = owner;
  for (std::size_t begin = 0, end = 0; begin < owner.size(); begin = end) {
    while (end < owner.size() && owner[end] == owner[begin]) ++end;
    prepared.first_part.resize(end, static_cast<std::int32_t>(begin));
    prepared.last_part.resize(end, static_cast<std::int32_t>(end));
  }
  prepared.points_alone = !prepared.wholes && sites.segments.empty() && sites.triangles.empty();
  const auto corner = [&](const VoronoiSite& site, int i) -> const Vector3& {
    return sites.points[static_cast<std::size_t>(site.points[static_cast<std::size_t>(i)])];
  };
  for (const VoronoiSite& site : list) {
    if (prepared.points_alone) {
      const Vector3& p = corner(site, 0);
      prepared.places.push_back({p.x(), p.y(), p.z()});
    } else if (site.kind == FeatureKind::Vertex) {
      PointRecord record;
      store(corner(site, 0), record.place);
      prepared.points.push_back(record);
    } else if (site.kind == FeatureKind::Edge) {
      prepared.edges.push_back(edge_record(corner(site, 0), corner(site, 1)));
    } else {
      prepared.faces.push_back(face_record(corner(site, 0), corner(site, 1), corner(site, 2)));
      if (prepared.wholes)
        prepared.face_edges.push_back({edge_record(corner(site, 0), corner(site, 1)),
                                       edge_record(corner(site, 1), corner(site, 2)),
                                       edge_record(corner(site, 2), corner(site, 0))});
    }
  }
  prepared.first_edge = static_cast<std::int32_t>(prepared.points.size());
  prepared.first_face = prepared.first_edge + static_cast<std::int32_t>(prepared.edges.size());
  prepared.count = static_cast<std::int32_t>(list.size());
  if (prepared.points_alone) prepared.first_edge = prepared.first_face = prepared.count;
  if (!prepared.wholes && !prepared.points_alone) link_features(list, prepared);
  if (prepared.wholes) {
    prepared.scale.assign(list.size(), 1.0);
    prepared.shift.assign(list.size(), 0.0);
    for (std::size_t i = 0; i < options.weights.size() && i < list.size(); ++i) {
      if (options.weighting == VoronoiWeights::Additive) prepared.shift[i] = options.weights[i];
      if (options.weighting == VoronoiWeights::Multiplicative) prepared.scale[i] = 1.0 / options.weights[i];
    }
    for (const double s : prepared.scale) prepared.largest_scale = std::max(prepared.largest_scale, s);
    if (options.weighting == VoronoiWeights::Multiplicative && !prepared.scale.empty())
      prepared.largest_scale = *std::max_element(prepared.scale.begin(), prepared.scale.end());
  }
  return prepared;
}

}  // namespace toccata::voronoi
