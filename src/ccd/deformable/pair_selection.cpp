#include "ccd/deformable/pair_selection.hpp"

namespace toccata::deformable {

std::array<std::int32_t, 4> pair_vertices(const Topology& topology, const FeaturePair& pair) {
  switch (pair.kind) {
    case FeaturePairKind::VertexFace: {
      const Face& f = topology.faces[pair.second];
      return {pair.first, f[0], f[1], f[2]};
    }
    case FeaturePairKind::EdgeEdge: {
      const Edge& a = topology.edges[pair.first];
      const Edge& b = topology.edges[pair.second];
      return {a[0], a[1], b[0], b[1]};
    }
    case FeaturePairKind::VertexEdge: {
      const Edge& e = topology.edges[pair.second];
      return {pair.first, e[0], e[1], e[1]};
    }
    case FeaturePairKind::VertexVertex:
      break;
  }
  return {pair.first, pair.second, pair.second, pair.second};
}

bool share_vertex(const Topology& topology, const FeaturePair& pair) {
  const auto v = pair_vertices(topology, pair);
  if (pair.kind == FeaturePairKind::EdgeEdge) {
    return v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3];
  }
  return v[0] == v[1] || v[0] == v[2] || v[0] == v[3];
}

PairSelection::PairSelection(const Topology& topology, const Step& step, const DeformableOptions& options)
    : topology_(topology), options_(options), share_(topology, step, options.part) {
  everything_ =
      share_.is_whole() && options.scope == PairScope::All && !options.object_filter && !options.pair_filter;
  if (!options.object_filter) return;
  const auto n = static_cast<std::size_t>(topology.object_count);
  object_pair_wanted_.resize(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a; b < n; ++b) {
      object_pair_wanted_[a * n + b] = object_pair_wanted_[b * n + a] =
          options.object_filter(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    }
  }
}

bool PairSelection::wants(const FeaturePair& pair) const {
  if (!share_.has(pair)) return false;
  const auto v = pair_vertices(topology_, pair);
  const std::int32_t a = v[0];
  const std::int32_t b = v[2];
  const bool same_component = topology_.vertex_component[a] == topology_.vertex_component[b];
  const std::int32_t object_a = topology_.vertex_object[a];
  const std::int32_t object_b = topology_.vertex_object[b];
  switch (options_.scope) {
    case PairScope::All:
      break;
    case PairScope::WithinComponent:
      if (!same_component) return false;
      break;
    case PairScope::BetweenComponents:
      if (same_component) return false;
      break;
    case PairScope::WithinObject:
      if (object_a != object_b) return false;
      break;
    case PairScope::BetweenObjects:
      if (object_a == object_b) return false;
      break;
  }
  if (!object_pair_wanted_.empty() &&
      !object_pair_wanted_[static_cast<std::size_t>(object_a) * topology_.object_count + object_b]) {
    return false;
  }
  return !options_.pair_filter || options_.pair_filter(pair);
}

}  // namespace toccata::deformable
