#include "ccd/deformable/contact_list.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <bit>

#include "base/large_pages.hpp"
#include "impact/contact_geometry.hpp"
#include "impact/contact_kernels.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable {
namespace {

using impact::describe_width;

struct Reference {
  std::uint64_t key;
  const Hit* hit;
};

// Digits in which all keys agree are skipped.
void radix_sort(std::vector<Reference>& references) {
  constexpr int bits = 10;
  constexpr std::size_t buckets = std::size_t{1} << bits;
  std::uint64_t all_or = 0;
  std::uint64_t all_and = ~std::uint64_t{0};
  for (const Reference& r : references) {
    all_or |= r.key;
    all_and &= r.key;
  }
  std::vector<Reference> other(references.size());
  for (int shift = 0; shift < 64; shift += bits) {
    const auto digit = [shift](std::uint64_t key) {
      return static_cast<std::size_t>(key >> shift) & (buckets - 1);
    };
    if (digit(all_or ^ all_and) == 0) continue;
    std::array<std::size_t, buckets + 1> start{};
    for (const Reference& r : references) ++start[digit(r.key) + 1];
    for (std::size_t d = 1; d <= buckets; ++d) start[d] += start[d - 1];
    for (const Reference& r : references) other[start[digit(r.key)]++] = r;
    references.swap(other);
  }
}

// Keys are (kind, first, second) in as few bits as the ids need.
std::vector<const Hit*> sorted_by_pair(const Topology& topology, std::span<const HitList* const> lists) {
  const auto most = std::max({static_cast<std::size_t>(topology.vertex_count), topology.edges.size(),
                              topology.faces.size(), std::size_t{1}});
  const auto bits = static_cast<int>(std::bit_width(most));
  std::vector<Reference> references;
  std::size_t count = 0;
  for (const HitList* list : lists) count += list->size();
  references.reserve(count);
  for (const HitList* list : lists) {
    for (const auto& chunk : list->chunks()) {
      for (const Hit& h : chunk) {
        const auto key =
            (((static_cast<std::uint64_t>(h.pair.kind) << bits) | static_cast<std::uint64_t>(h.pair.first))
             << bits) |
            static_cast<std::uint64_t>(h.pair.second);
        references.push_back({key, &h});
      }
    }
  }
  radix_sort(references);
  std::vector<const Hit*> sorted(references.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = references[i].hit;
  return sorted;
}

void reserve_untouched(std::vector<DeformableContact>& contacts, std::size_t count) {
  contacts.reserve(count);
  prefer_large_pages(contacts.data(), count * sizeof(DeformableContact));
}

DeformableContact undescribed(const Hit& hit) {
  DeformableContact contact;
  contact.pair = hit.pair;
  contact.impact.status = hit.status;
  contact.impact.stage = hit.stage;
  contact.impact.time = contact.impact.lower = hit.lower;
  contact.impact.upper = hit.upper;
  return contact;
}

// The run of hits of one kind that starts at `begin`, at most as many as the kernel takes at once.
std::size_t run_end(std::span<const Hit* const> hits, std::size_t begin) {
  const FeaturePairKind kind = hits[begin]->pair.kind;
  const std::size_t most = std::min(hits.size(), begin + describe_width);
  std::size_t end = begin + 1;
  while (end < most && hits[end]->pair.kind == kind) ++end;
  return end;
}

// Asks the memory for what the runs after this one need: sorted by pair, it is anywhere. First for the hits,
// a run later for what names their vertices, and then for those.
void prefetch_runs(const Topology& topology, const Step& step, std::span<const Hit* const> hits,
                   std::size_t next) {
  const auto run = [&](std::size_t k) { return std::min(hits.size(), next + k * describe_width); };
  for (std::size_t i = run(8); i < run(9); ++i) hwy::Prefetch(hits[i]);
  for (std::size_t i = run(4); i < run(5); ++i) {
    const FeaturePair& pair = hits[i]->pair;
    if (pair.kind == FeaturePairKind::EdgeEdge) hwy::Prefetch(&topology.edges[pair.second]);
    if (pair.kind == FeaturePairKind::VertexFace) hwy::Prefetch(&topology.faces[pair.second]);
  }
  const MovingVertex* const vertices = step.vertices.data();
  for (std::size_t i = run(1); i < run(2); ++i) {
    const FeaturePair& pair = hits[i]->pair;
    if (pair.kind == FeaturePairKind::EdgeEdge) {
      for (const std::int32_t v : topology.edges[pair.first]) hwy::Prefetch(vertices + v);
      for (const std::int32_t v : topology.edges[pair.second]) hwy::Prefetch(vertices + v);
    } else if (pair.kind == FeaturePairKind::VertexFace) {
      hwy::Prefetch(vertices + pair.first);
      for (const std::int32_t v : topology.faces[pair.second]) hwy::Prefetch(vertices + v);
    }
  }
}

void describe_run(const Topology& topology, const Step& step, std::span<const Hit* const> hits,
                  DeformableContact* out) {
  for (std::size_t i = 0; i < hits.size(); ++i) out[i] = undescribed(*hits[i]);
  std::uint32_t done = 0;
  const FeaturePairKind kind = hits[0]->pair.kind;
  // With a minimum distance, all of them are. What ended undecided has no place.
  const bool at_distance = hits[0]->stage == ImpactStage::Distance;
  if (at_distance) {
    for (std::size_t i = 0; i < hits.size(); ++i) {
      done |= static_cast<std::uint32_t>(hits[i]->status == Status::OutOfBudget) << i;
    }
  } else if (kind == FeaturePairKind::VertexFace || kind == FeaturePairKind::EdgeEdge) {
    done = impact::describe_in_lanes(features_of(topology, step), out, hits.size());
  }
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if ((done >> i) & 1u) continue;
    impact::describe_contact(kind, motion_of(topology, step, hits[i]->pair), at_distance, out[i].impact);
  }
}

}  // namespace

LinearMotion4 motion_of(const Topology& topology, const Step& step, const FeaturePair& pair) {
  LinearMotion4 motion;
  const auto v = pair_vertices(topology, pair);
  for (std::size_t p = 0; p < 4; ++p) {
    const MovingVertex& m = step.vertices[v[p]];
    motion.t0[p] = Vector3(m.t0[0], m.t0[1], m.t0[2]);
    motion.t1[p] = Vector3(m.t1[0], m.t1[1], m.t1[2]);
  }
  return motion;
}

DeformableContact to_contact(const Topology& topology, const Step& step, const Hit& hit, bool described) {
  if (!described) return undescribed(hit);
  DeformableContact contact;
  const Hit* const one = &hit;
  describe_run(topology, step, {&one, 1}, &contact);
  return contact;
}

std::vector<DeformableContact> to_contacts(const Topology& topology, const Step& step,
                                           std::span<const HitList* const> lists, bool described,
                                           int threads) {
  std::size_t count = 0;
  for (const HitList* list : lists) count += list->size();
  std::vector<const Hit*> hits;
  std::vector<DeformableContact> contacts, room;
  // Side by side: both are work for one thread, one for the processor and one for the memory.
  parallel_blocks(2, 1, count < 1024 ? 1 : threads, [&](std::size_t part, std::size_t) {
    if (part == 0) {
      hits = sorted_by_pair(topology, lists);
    } else if (described && threads != 1) {
      reserve_untouched(room, count);
      room.resize(count);
    }
  });
  if (!described) {
    contacts.reserve(hits.size());
    for (const Hit* h : hits) contacts.push_back(undescribed(*h));
    return contacts;
  }
  if (threads == 1) {
    // Each contact is written once; its memory is touched here for the first time.
    reserve_untouched(contacts, hits.size());
    DeformableContact run[describe_width];
    const std::span<const Hit* const> all(hits);
    for (std::size_t begin = 0; begin < hits.size();) {
      const std::size_t end = run_end(hits, begin);
      prefetch_runs(topology, step, hits, end);
      describe_run(topology, step, all.subspan(begin, end - begin), run);
      contacts.insert(contacts.end(), run, run + (end - begin));
      begin = end;
    }
    return contacts;
  }
  contacts = std::move(room);
  parallel_blocks(hits.size(), 1024, threads, [&](std::size_t first, std::size_t last) {
    const auto part = std::span<const Hit* const>(hits).first(last);
    for (std::size_t begin = first; begin < last;) {
      const std::size_t end = run_end(part, begin);
      prefetch_runs(topology, step, part, end);
      describe_run(topology, step, part.subspan(begin, end - begin), contacts.data() + begin);
      begin = end;
    }
  });
  return contacts;
}

}  // namespace toccata::deformable
