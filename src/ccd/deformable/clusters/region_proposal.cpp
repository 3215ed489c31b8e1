#include "ccd/deformable/clusters/region_proposal.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "hierarchy/region_chain.hpp"

namespace toccata::deformable::clusters {
namespace {

// A longer contour costs as much as it saves.
constexpr std::size_t longest_contour_per_cluster = 12;

// Clusters that share an edge, by cluster: those of begin[c] .. begin[c + 1].
struct Adjacency {
  std::vector<std::int32_t> begin, others;
};

Adjacency adjacency_of(const ClusterMesh& mesh) {
  const std::size_t n = mesh.clusters.size();
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::size_t c = 0; c < n; ++c) {
    for (std::int32_t i = mesh.neighbour_begin[c]; i < mesh.neighbour_begin[c + 1]; ++i) {
      if (mesh.neighbours[i + 1].shared_begin - mesh.neighbours[i].shared_begin < 2) continue;
      pairs.emplace_back(static_cast<std::int32_t>(c), mesh.neighbours[i].cluster);
    }
  }
  Adjacency result;
  result.begin.assign(n + 1, 0);
  for (const auto& [a, b] : pairs) {
    ++result.begin[static_cast<std::size_t>(a) + 1];
    ++result.begin[static_cast<std::size_t>(b) + 1];
  }
  for (std::size_t c = 0; c < n; ++c) result.begin[c + 1] += result.begin[c];
  result.others.resize(2 * pairs.size());
  std::vector<std::int32_t> cursor(result.begin.begin(), result.begin.end() - 1);
  for (const auto& [a, b] : pairs) {
    result.others[cursor[a]++] = b;
    result.others[cursor[b]++] = a;
  }
  return result;
}

class Proposer {
 public:
  Proposer(const Topology& topology, const ClusterMesh& mesh)
      : topology_(topology), mesh_(mesh), adjacency_(adjacency_of(mesh)) {}

  std::vector<ProposedRegion> run() {
    for (std::size_t c = 0; c < mesh_.patch_of.size(); ++c) {
      const std::int32_t p = mesh_.patch_of[c];
      if (p < 0) continue;
      if (static_cast<std::size_t>(p) >= patches_.size()) patches_.resize(static_cast<std::size_t>(p) + 1);
      patches_[p].push_back(static_cast<std::int32_t>(c));
    }
    find_chains();
    std::vector<ProposedRegion> regions;
    for (std::size_t p = 0; p < patches_.size(); ++p) {
      regions.push_back({{static_cast<std::int32_t>(p), -1}, contour_of(chains_[p], patches_[p].size())});
    }
    for (const auto& [pair, borders] : pairs_of()) {
      const auto [p, q] = pair;
      if (borders < 2) continue;
      std::vector<std::int32_t> contour =
          contour_of(region_chain::sum(chains_[p], chains_[q]), patches_[p].size() + patches_[q].size());
      if (!contour.empty()) regions.push_back({{p, q}, std::move(contour)});
    }
    return regions;
  }

 private:
  // The boundary of each patch; not usable where two faces run along an edge the same way.
  void find_chains() {
    chains_.resize(patches_.size());
    std::vector<std::array<std::uint8_t, 2>> uses(topology_.edges.size(), {0, 0});
    std::vector<std::int32_t> edges;
    for (std::size_t p = 0; p < patches_.size(); ++p) {
      region_chain::Chain& chain = chains_[p];
      chain.usable = true;
      edges.clear();
      for (const std::int32_t c : patches_[p]) {
        const Cluster& cluster = mesh_.clusters[c];
        for (int i = 0; i < cluster.face_count; ++i) {
          const std::int32_t f = mesh_.faces[cluster.face_begin + i];
          for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t e = topology_.face_edges[f][k];
            const bool backward = topology_.faces[f][k] != topology_.edges[e][0];
            if (uses[e][0] + uses[e][1] == 0) edges.push_back(e);
            chain.usable = chain.usable && uses[e][backward] == 0;
            uses[e][backward] = 1;
          }
        }
      }
      for (const std::int32_t e : edges) {
        const auto [low, high] = topology_.edges[e];
        if (uses[e][0] != uses[e][1]) chain.edges.push_back({low, high, uses[e][0] != 0});
        uses[e] = {0, 0};
      }
      std::sort(chain.edges.begin(), chain.edges.end());
    }
  }

  static std::vector<std::int32_t> contour_of(const region_chain::Chain& chain, std::size_t clusters) {
    std::vector<std::int32_t> contour;
    if (!chain.usable || chain.edges.empty()) return contour;
    if (chain.edges.size() > longest_contour_per_cluster * clusters) return contour;
    region_chain::append_loops(chain, contour);
    return contour;
  }

  // Patches side by side, and along how many pairs of clusters.
  std::map<std::pair<std::int32_t, std::int32_t>, int> pairs_of() const {
    const std::vector<std::int32_t>& patch_of = mesh_.patch_of;
    std::map<std::pair<std::int32_t, std::int32_t>, int> pairs;
    for (std::size_t c = 0; c < patch_of.size(); ++c) {
      for (std::int32_t i = adjacency_.begin[c]; i < adjacency_.begin[c + 1]; ++i) {
        const std::int32_t p = patch_of[c], q = patch_of[adjacency_.others[i]];
        if (p >= 0 && p < q) ++pairs[{p, q}];
      }
    }
    return pairs;
  }

  const Topology& topology_;
  const ClusterMesh& mesh_;
  Adjacency adjacency_;
  std::vector<std::vector<std::int32_t>> patches_;  // their clusters
  std::vector<region_chain::Chain> chains_;
};

}  // namespace

std::vector<ProposedRegion> propose_regions(const Topology& topology, const ClusterMesh& mesh) {
  return Proposer(topology, mesh).run();
}

}  // namespace toccata::deformable::clusters
