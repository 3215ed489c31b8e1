#include "hierarchy/region_chain.hpp"

#include <algorithm>
#include <array>

namespace toccata::region_chain {

Chain chain_of(const Face& f, bool flipped) {
  Chain chain;
  if (!is_triangle(f)) return chain;
  chain.usable = true;
  for (int k = 0; k < 3; ++k) {
    const std::int32_t from = f[k], to = f[(k + 1) % 3];
    chain.edges.push_back({std::min(from, to), std::max(from, to), (from < to) != flipped});
  }
  std::sort(chain.edges.begin(), chain.edges.end());
  return chain;
}

Chain chain_of(std::span<const std::int32_t> contour) {
  Chain chain;
  chain.usable = true;
  chain.edges.reserve(contour.size());
  std::size_t first = 0;  // of the loop
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const bool last = contour[i] < 0;
    const std::int32_t from = last ? ~contour[i] : contour[i];
    const std::int32_t next = contour[last ? first : i + 1];
    const std::int32_t to = next < 0 ? ~next : next;
    chain.edges.push_back({std::min(from, to), std::max(from, to), from < to});
    if (last) first = i + 1;
  }
  std::sort(chain.edges.begin(), chain.edges.end());
  return chain;
}

Chain sum(const Chain& a, const Chain& b) {
  Chain chain;
  chain.usable = a.usable && b.usable;
  if (!chain.usable) return chain;
  chain.edges.reserve(a.edges.size() + b.edges.size());
  std::size_t i = 0, j = 0;
  while (i < a.edges.size() || j < b.edges.size()) {
    if (j == b.edges.size() || (i < a.edges.size() && a.edges[i] < b.edges[j])) {
      chain.edges.push_back(a.edges[i++]);
    } else if (i == a.edges.size() || b.edges[j] < a.edges[i]) {
      chain.edges.push_back(b.edges[j++]);
    } else if (a.edges[i++].forward == b.edges[j++].forward) {
      return {};
    }
  }
  return chain;
}

void append_loops(const Chain& chain, std::vector<std::int32_t>& out) {
  std::vector<std::array<std::int32_t, 2>> next(chain.edges.size());
  for (std::size_t i = 0; i < next.size(); ++i) {
    const Chain::Edge& e = chain.edges[i];
    next[i] = e.forward ? std::array{e.low, e.high} : std::array{e.high, e.low};
  }
  std::sort(next.begin(), next.end());
  for (std::size_t i = 0; i + 1 < next.size(); ++i) {
    if (next[i][0] == next[i + 1][0]) return;  // the in-degree equals the out-degree in a boundary
  }
  std::vector<bool> used(next.size(), false);
  for (std::size_t start = 0; start < next.size(); ++start) {
    std::size_t i = start;
    while (!used[i]) {
      used[i] = true;
      out.push_back(next[i][0]);
      const std::array<std::int32_t, 2> key = {next[i][1], -1};
      i = static_cast<std::size_t>(std::lower_bound(next.begin(), next.end(), key) - next.begin());
      if (i == start) out.back() = ~out.back();
    }
  }
}

}  // namespace toccata::region_chain
