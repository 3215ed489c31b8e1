#include "hierarchy/region_merging.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace toccata::region_merging {
namespace {

struct Region {
  double area = 0.0;
  double perimeter = 0.0;
  Vector3 centre = Vector3::Zero();  // of its elements, unweighted
  std::int32_t size = 1;
};

struct Candidate {
  double shape = 0.0;  // sqrt(area) / contour length of the union: larger is closer to a disc
  std::int32_t a = 0;
  std::int32_t b = 0;
};

// 21 bits, two zeros between each: three of them interleaved are a place on the Morton curve.
std::uint64_t spread_bits(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffffu;
  x = (x | x << 16) & 0x1f0000ff0000ffu;
  x = (x | x << 8) & 0x100f00f00f00f00fu;
  x = (x | x << 4) & 0x10c30c30c30c30c3u;
  x = (x | x << 2) & 0x1249249249249249u;
  return x;
}

class Merger {
 public:
  Merger(std::span<const Vector3> positions, std::span<const Face> elements,
         std::span<const std::int32_t> members, std::vector<Link> links)
      : links_(std::move(links)), merges_(members.size()), active_(members.size()) {
    regions_.reserve(2 * members.size());
    merges_.reserve(2 * members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Face& f = elements[members[i]];
      const Vector3 &a = positions[f[0]], &b = positions[f[1]], &c = positions[f[2]];
      Region region;
      region.area = 0.5 * (b - a).cross(c - a).norm();
      region.perimeter = (b - a).norm() + (c - b).norm() + (a - c).norm();
      region.centre = (a + b + c) / 3.0;
      regions_.push_back(region);
      active_[i] = static_cast<std::int32_t>(i);
    }
  }

  std::vector<Merge> run() {
    while (active_.size() > 1) {
      const std::size_t before = active_.size();
      parent_.assign(regions_.size(), -1);
      merge_neighbours();
      // Few neighbours left to merge (islands, hubs with many small neighbours): join by position instead,
      // so that the depth stays logarithmic.
      if (10 * (before - merged_) > 9 * before) merge_by_position();
      advance_level();
    }
    return std::move(merges_);
  }

 private:
  std::int32_t join(std::int32_t a, std::int32_t b, double shared) {
    const auto joined = static_cast<std::int32_t>(regions_.size());
    Region region;
    region.area = regions_[a].area + regions_[b].area;
    region.perimeter = std::max(0.0, regions_[a].perimeter + regions_[b].perimeter - 2.0 * shared);
    region.size = regions_[a].size + regions_[b].size;
    const double weight = static_cast<double>(regions_[a].size) / region.size;
    region.centre = weight * regions_[a].centre + (1.0 - weight) * regions_[b].centre;
    regions_.push_back(region);
    merges_.push_back({a, b});
    parent_.push_back(-1);
    parent_[a] = parent_[b] = joined;
    ++merged_;
    return joined;
  }

  void merge_neighbours() {
    merged_ = 0;
    std::vector<Candidate> candidates;
    candidates.reserve(links_.size());
    for (const Link& link : links_) {
      const double area = regions_[link.a].area + regions_[link.b].area;
      const double length = regions_[link.a].perimeter + regions_[link.b].perimeter - 2.0 * link.length;
      const double shape = std::sqrt(area) / std::max(length, 1e-300);
      candidates.push_back({std::isfinite(shape) ? shape : 0.0, link.a, link.b});
    }
    // Best shapes first, each region at most once: a matching, so that levels stay balanced.
    std::vector<std::int32_t> order(candidates.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t x, std::int32_t y) {
      return candidates[x].shape > candidates[y].shape;
    });
    for (const std::int32_t i : order) {
      const Candidate& c = candidates[i];
      if (parent_[c.a] < 0 && parent_[c.b] < 0) join(c.a, c.b, links_[i].length);
    }
    // The regions left alone join a pair beside them, one per pair.
    for (const std::int32_t i : order) {
      std::int32_t a = candidates[i].a, b = candidates[i].b;
      if (parent_[a] >= 0) std::swap(a, b);
      if (parent_[a] >= 0 || parent_[b] < 0) continue;
      const std::int32_t group = parent_[b];
      if (parent_[group] < 0) join(group, a, links_[i].length);
    }
  }

  void merge_by_position() {
    std::vector<std::int32_t> tops;
    for (const std::int32_t region : active_) {
      if (parent_[region] < 0) tops.push_back(region);
    }
    Vector3 low = regions_[tops.empty() ? active_[0] : tops[0]].centre, high = low;
    for (const std::int32_t region : tops) {
      low = low.cwiseMin(regions_[region].centre);
      high = high.cwiseMax(regions_[region].centre);
    }
    // 2^21 - 1 steps per axis.
    const double scale = 2097151.0 / std::max((high - low).maxCoeff(), 1e-300);
    std::vector<std::pair<std::uint64_t, std::int32_t>> keys;
    for (const std::int32_t region : tops) {
      const Vector3 p = (regions_[region].centre - low) * scale;
      const auto bits = [](double x) { return spread_bits(x > 0.0 ? static_cast<std::uint64_t>(x) : 0); };
      keys.emplace_back(bits(p.x()) | bits(p.y()) << 1 | bits(p.z()) << 2, region);
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i + 1 < keys.size(); i += 2) join(keys[i].second, keys[i + 1].second, 0.0);
    // Whatever happens, a level joins something, so that the loop ends.
    if (merged_ == 0 && active_.size() > 1) join(active_[0], active_[1], 0.0);
  }

  std::int32_t top(std::int32_t region) const {
    while (parent_[region] >= 0) region = parent_[region];
    return region;
  }

  void advance_level() {
    for (std::int32_t& region : active_) region = top(region);
    std::sort(active_.begin(), active_.end());
    active_.erase(std::unique(active_.begin(), active_.end()), active_.end());
    // Links within one region vanish; those between the same two become one, of the summed length.
    std::size_t kept = 0;
    for (const Link& link : links_) {
      const std::int32_t a = top(link.a), b = top(link.b);
      if (a != b) links_[kept++] = {std::min(a, b), std::max(a, b), link.length};
    }
    links_.resize(kept);
    std::stable_sort(links_.begin(), links_.end(),
                     [](const Link& x, const Link& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    std::size_t out = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (out > 0 && links_[out - 1].a == links_[i].a && links_[out - 1].b == links_[i].b) {
        links_[out - 1].length += links_[i].length;
      } else {
        links_[out++] = links_[i];
      }
    }
    links_.resize(out);
  }

  std::vector<Link> links_;
  std::vector<Merge> merges_;
  std::vector<std::int32_t> active_;
  std::vector<Region> regions_;
  std::vector<std::int32_t> parent_;  // of this level
  std::size_t merged_ = 0;
};

}  // namespace

std::vector<Merge> merge_regions(std::span<const Vector3> positions, std::span<const Face> elements,
                                 std::span<const std::int32_t> members, std::vector<Link> links) {
  return Merger(positions, elements, members, std::move(links)).run();
}

}  // namespace toccata::region_merging
