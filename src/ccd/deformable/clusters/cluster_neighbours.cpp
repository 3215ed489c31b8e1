#include "ccd/deformable/clusters/cluster_neighbours.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace toccata::deformable::clusters {
namespace {

using Lists = std::vector<std::int32_t>;

}  // namespace

void find_neighbours(const Topology& topology, ClusterMesh& mesh) {
  struct Place {
    std::int32_t cluster;
    std::uint8_t local;
  };
  struct Entry {
    std::int32_t greater;
    SharedVertex vertex;
  };
  const std::size_t vertices = static_cast<std::size_t>(topology.vertex_count), n = mesh.clusters.size();
  Lists start;
  start.assign(vertices + 1, 0);
  for (const std::int32_t v : mesh.vertices) ++start[static_cast<std::size_t>(v) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Place> places(mesh.vertices.size());
  Lists cursor(start.begin(), start.end() - 1);
  for (std::size_t c = 0; c < n; ++c) {
    const Cluster& cluster = mesh.clusters[c];
    for (std::uint8_t i = 0; i < cluster.vertex_count; ++i) {
      places[cursor[mesh.vertices[cluster.vertex_begin + i]]++] = {static_cast<std::int32_t>(c), i};
    }
  }
  // A vertex in k clusters makes k (k - 1) / 2 entries; where k is large the clusters are marked instead, and
  // compare their vertices when they meet.
  std::vector<std::vector<Entry>> entries(n);
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::span<const Place> at(places.data() + start[v], places.data() + start[v + 1]);
    if (at.size() > most_sharing) {
      for (const Place& p : at) mesh.clusters[p.cluster].crowded = true;
      continue;
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (std::size_t j = i + 1; j < at.size(); ++j) {
        entries[at[i].cluster].push_back({at[j].cluster, {at[i].local, at[j].local}});
      }
    }
  }
  for (std::vector<Entry>& of_cluster : entries) {
    mesh.neighbour_begin.push_back(static_cast<std::int32_t>(mesh.neighbours.size()));
    std::stable_sort(of_cluster.begin(), of_cluster.end(),
                     [](const Entry& a, const Entry& b) { return a.greater < b.greater; });
    for (std::size_t i = 0; i < of_cluster.size(); ++i) {
      if (i == 0 || of_cluster[i].greater != of_cluster[i - 1].greater) {
        mesh.neighbours.push_back({of_cluster[i].greater, static_cast<std::int32_t>(mesh.shared.size())});
      }
      mesh.shared.push_back(of_cluster[i].vertex);
    }
  }
  mesh.neighbour_begin.push_back(static_cast<std::int32_t>(mesh.neighbours.size()));
  mesh.neighbours.push_back({-1, static_cast<std::int32_t>(mesh.shared.size())});
}

void repair_neighbours(const Topology& topology, const std::vector<std::uint8_t>& moved, ClusterMesh& mesh) {
  struct Place {
    std::int32_t vertex, cluster;
    std::uint8_t local;
  };
  struct Entry {
    std::int32_t lesser, greater;
    SharedVertex vertex;
  };
  const std::size_t count = mesh.clusters.size();
  std::vector<std::uint8_t> marked(static_cast<std::size_t>(topology.vertex_count), 0);
  const auto each_vertex = [&](std::size_t c, auto&& visit) {
    const Cluster& cluster = mesh.clusters[c];
    for (std::uint8_t i = 0; i < cluster.vertex_count; ++i) visit(mesh.vertices[cluster.vertex_begin + i], i);
  };
  for (std::size_t c = 0; c < count; ++c) {
    if (moved[c]) each_vertex(c, [&](std::int32_t v, std::uint8_t) { marked[v] = 1; });
  }
  // Only vertices of clusters that moved can be shared differently than before.
  std::vector<Place> places;
  for (std::size_t c = 0; c < count; ++c) {
    each_vertex(c, [&](std::int32_t v, std::uint8_t i) {
      if (marked[v]) places.push_back({v, static_cast<std::int32_t>(c), i});
    });
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.vertex < b.vertex; });
  std::vector<Entry> entries;
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    while (end < places.size() && places[end].vertex == places[begin].vertex) ++end;
    const bool many = end - begin > most_sharing;
    for (std::size_t i = begin; i < end; ++i) {
      if (many) mesh.clusters[places[i].cluster].crowded = true;
      for (std::size_t j = i + 1; j < end && !many; ++j) {
        if (!moved[places[i].cluster] && !moved[places[j].cluster]) continue;
        entries.push_back({places[i].cluster, places[j].cluster, {places[i].local, places[j].local}});
      }
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.lesser != b.lesser ? a.lesser < b.lesser : a.greater < b.greater;
  });
  const Lists old_begin = std::move(mesh.neighbour_begin);
  const std::vector<Neighbour> old = std::move(mesh.neighbours);
  const std::vector<SharedVertex> old_shared = std::move(mesh.shared);
  mesh.neighbour_begin = {};
  mesh.neighbours = {};
  mesh.shared = {};
  mesh.neighbour_begin.reserve(count + 1);
  mesh.neighbours.reserve(old.size() + entries.size());
  mesh.shared.reserve(old_shared.size() + entries.size());
  // Both lists are sorted by (lesser, greater): merged in one pass.
  auto entry = entries.begin();
  const auto add_entries = [&](std::int32_t lesser, std::int32_t below) {
    for (; entry != entries.end() && entry->lesser == lesser && entry->greater < below; ++entry) {
      const bool same = static_cast<std::size_t>(mesh.neighbour_begin.back()) < mesh.neighbours.size() &&
                        mesh.neighbours.back().cluster == entry->greater;
      if (!same) {
        mesh.neighbours.push_back({entry->greater, static_cast<std::int32_t>(mesh.shared.size())});
      }
      mesh.shared.push_back(entry->vertex);
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto c = static_cast<std::int32_t>(i);
    mesh.neighbour_begin.push_back(static_cast<std::int32_t>(mesh.neighbours.size()));
    if (!moved[i]) {
      for (std::int32_t n = old_begin[i]; n < old_begin[i + 1]; ++n) {
        if (moved[old[n].cluster]) continue;
        add_entries(c, old[n].cluster);
        mesh.neighbours.push_back({old[n].cluster, static_cast<std::int32_t>(mesh.shared.size())});
        mesh.shared.insert(mesh.shared.end(), old_shared.begin() + old[n].shared_begin,
                           old_shared.begin() + old[n + 1].shared_begin);
      }
    }
    add_entries(c, static_cast<std::int32_t>(count));
  }
  mesh.neighbour_begin.push_back(static_cast<std::int32_t>(mesh.neighbours.size()));
  mesh.neighbours.push_back({-1, static_cast<std::int32_t>(mesh.shared.size())});
}

}  // namespace toccata::deformable::clusters
