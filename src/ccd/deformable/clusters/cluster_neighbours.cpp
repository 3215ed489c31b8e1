#include "ccd/deformable/clusters/cluster_neighbours.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "toccata/base/parallel.hpp"

namespace toccata::deformable::clusters {
namespace {

using Lists = std::vector<std::int32_t>;

}  // namespace

void find_neighbours(const Topology& topology, int threads, ClusterMesh& mesh) {
  struct Place {
    std::int32_t cluster;
    std::uint8_t local;
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
  // compare their vertices when they meet. Runs of clusters have lists of their own, put together in order.
  constexpr std::size_t run = 256;
  struct Part {
    std::vector<std::int32_t> counts;  // neighbours by cluster
    std::vector<Neighbour> neighbours;
    std::vector<SharedVertex> shared;
  };
  std::vector<Part> parts((n + run - 1) / run);
  parallel_blocks(n, run, threads, [&](std::size_t begin, std::size_t end) {
    Part& part = parts[begin / run];
    std::vector<std::uint64_t> entries;  // the greater cluster, the local vertices
    for (std::size_t c = begin; c < end; ++c) {
      Cluster& cluster = mesh.clusters[c];
      entries.clear();
      for (std::uint8_t i = 0; i < cluster.vertex_count; ++i) {
        const std::int32_t v = mesh.vertices[cluster.vertex_begin + i];
        const std::span<const Place> at(places.data() + start[v], places.data() + start[v + 1]);
        cluster.crowded = cluster.crowded || at.size() > most_sharing;
        if (at.size() > most_sharing) continue;
        for (const Place& p : at) {
          if (p.cluster <= static_cast<std::int32_t>(c)) continue;
          entries.push_back(static_cast<std::uint64_t>(p.cluster) << 16 | std::uint64_t{i} << 8 | p.local);
        }
      }
      std::sort(entries.begin(), entries.end());
      const std::size_t before = part.neighbours.size();
      for (const std::uint64_t entry : entries) {
        const auto greater = static_cast<std::int32_t>(entry >> 16);
        if (part.neighbours.size() == before || part.neighbours.back().cluster != greater) {
          part.neighbours.push_back({greater, static_cast<std::int32_t>(part.shared.size())});
        }
        part.shared.push_back({static_cast<std::uint8_t>(entry >> 8), static_cast<std::uint8_t>(entry)});
      }
      part.counts.push_back(static_cast<std::int32_t>(part.neighbours.size() - before));
    }
  });
  mesh.neighbour_begin.assign(1, 0);
  mesh.neighbour_begin.reserve(n + 1);
  for (const Part& part : parts) {
    for (const std::int32_t count : part.counts) {
      mesh.neighbour_begin.push_back(mesh.neighbour_begin.back() + count);
    }
    const auto offset = static_cast<std::int32_t>(mesh.shared.size());
    for (const Neighbour& neighbour : part.neighbours) {
      mesh.neighbours.push_back({neighbour.cluster, neighbour.shared_begin + offset});
    }
    mesh.shared.insert(mesh.shared.end(), part.shared.begin(), part.shared.end());
  }
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
