#include "ccd/deformable/contact_list.hpp"

#include <hwy/base.h>
#include <hwy/cache_control.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "base/large_pages.hpp"
#include "impact/contact_geometry.hpp"
#include "impact/contact_kernels.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable {
namespace {

using impact::describe_width;

struct SortedHits {
  std::unique_ptr<Hit[]> hits;
  std::size_t count = 0;
  std::span<const Hit> all() const { return {hits.get(), count}; }
};

// Sorts a few hits by numbers of theirs, below 2^24: each goes where as many are before it. There is no
// branch that depends on their order, which nothing foretells.
constexpr std::size_t few = 128;
void sort_few(Hit* hits, std::size_t count, const std::uint32_t* numbers) {
  Hit before[few];
  std::int32_t keys[few];  // no two are the same
  for (std::size_t i = 0; i < count; ++i) {
    before[i] = hits[i];
    keys[i] = static_cast<std::int32_t>(numbers[i] * few + i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t place = 0;
    for (std::size_t j = 0; j < count; ++j) place += keys[j] < keys[i] ? 1 : 0;
    hits[place] = before[i];
  }
}

// Into buckets by (kind, first), more than there are hits, and sorted there. Hits are read in the order in
// which they were found and written where they stay, so that whoever describes them reads them in a row.
class PairSort {
 public:
  PairSort(const Topology& topology, std::span<const HitList* const> lists) : lists_(lists) {
    const auto most = std::max({static_cast<std::size_t>(topology.vertex_count), topology.edges.size(),
                                topology.faces.size(), std::size_t{1}});
    id_bits_ = static_cast<int>(std::bit_width(most));
    for (const HitList* list : lists) sorted_.count += list->size();
    keys_ = feature_pair_kind_count * (std::uint64_t{1} << id_bits_);
    while (keys_ >> shift_ > 4 * sorted_.count) ++shift_;
  }

  SortedHits run() {
    if (sorted_.count == 0) return {};
    sorted_.hits = std::make_unique_for_overwrite<Hit[]>(sorted_.count);
    // The hits of each bucket, then where they start, then where they end.
    std::vector<std::uint32_t> ends((keys_ >> shift_) + 1, 0);
    visit([&](const Hit& h) { ++ends[bucket(h)]; });
    std::uint32_t begin = 0;
    for (std::uint32_t& end : ends) begin += std::exchange(end, begin);
    visit([&](const Hit& h) { sorted_.hits[ends[bucket(h)]++] = h; });
    begin = 0;
    for (const std::uint32_t end : ends) {
      if (end - begin > 1) sort_bucket(sorted_.hits.get() + begin, end - begin);
      begin = end;
    }
    return std::move(sorted_);
  }

 private:
  std::uint64_t key(const Hit& h) const {
    return static_cast<std::uint64_t>(h.pair.kind) << id_bits_ | static_cast<std::uint64_t>(h.pair.first);
  }
  std::size_t bucket(const Hit& h) const { return key(h) >> shift_; }

  template <typename Each>
  void visit(const Each& each) const {
    for (const HitList* list : lists_) {
      for (const auto& chunk : list->chunks()) {
        for (const Hit& h : chunk) each(h);
      }
    }
  }

  void sort_bucket(Hit* hits, std::size_t count) const {
    if (count > few || shift_ + id_bits_ > 24) {
      // (std::sort hands hits around by value, of which g++ says something at each compile.)
      std::stable_sort(hits, hits + count, [](const Hit& a, const Hit& b) { return a.pair < b.pair; });
      return;
    }
    std::uint32_t numbers[few];
    const std::uint64_t low = (std::uint64_t{1} << shift_) - 1;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t second = static_cast<std::uint64_t>(hits[i].pair.second);
      numbers[i] = static_cast<std::uint32_t>((key(hits[i]) & low) << id_bits_ | second);
    }
    sort_few(hits, count, numbers);
  }

  std::span<const HitList* const> lists_;
  SortedHits sorted_;
  int id_bits_ = 0, shift_ = 0;
  std::uint64_t keys_ = 0;
};

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
std::size_t run_end(std::span<const Hit> hits, std::size_t begin) {
  const FeaturePairKind kind = hits[begin].pair.kind;
  const std::size_t most = std::min(hits.size(), begin + describe_width);
  std::size_t end = begin + 1;
  while (end < most && hits[end].pair.kind == kind) ++end;
  return end;
}

// Asks the memory for what the runs from hits[next] on need: sorted by pair, it is anywhere. First for what
// names the vertices, then for those; and for the lines of the cache that the contacts will be written to,
// `out` the first of them: a contact is two lines, more than the stores that wait for them have room.
HWY_INLINE void prefetch_runs(const Topology& topology, const Step& step, std::span<const Hit> hits,
                              std::size_t next, const DeformableContact* out) {
  const auto run = [&](std::size_t k) { return std::min(hits.size(), next + k * describe_width); };
  for (std::size_t i = run(4); i < run(5); ++i) {
    const FeaturePair& pair = hits[i].pair;
    if (pair.kind == FeaturePairKind::EdgeEdge) hwy::Prefetch(&topology.edges[pair.second]);
    if (pair.kind == FeaturePairKind::VertexFace) hwy::Prefetch(&topology.faces[pair.second]);
  }
  const MovingVertex* const vertices = step.vertices.data();
  for (std::size_t i = run(1); i < run(2); ++i) {
    const FeaturePair& pair = hits[i].pair;
    if (pair.kind == FeaturePairKind::EdgeEdge) {
      for (const std::int32_t v : topology.edges[pair.first]) hwy::Prefetch(vertices + v);
      for (const std::int32_t v : topology.edges[pair.second]) hwy::Prefetch(vertices + v);
    } else if (pair.kind == FeaturePairKind::VertexFace) {
      hwy::Prefetch(vertices + pair.first);
      for (const std::int32_t v : topology.faces[pair.second]) hwy::Prefetch(vertices + v);
    }
  }
  constexpr std::size_t line = 64;
  const char* const lines = reinterpret_cast<const char*>(out + (run(3) - next));
  for (std::size_t i = 0; i < (run(4) - run(3)) * sizeof(DeformableContact); i += line) {
    __builtin_prefetch(lines + i, 1);  // to write
  }
}

void describe_run(const Topology& topology, const Step& step, std::span<const Hit> hits,
                  DeformableContact* out) {
  for (std::size_t i = 0; i < hits.size(); ++i) out[i] = undescribed(hits[i]);
  std::uint32_t done = 0;
  const FeaturePairKind kind = hits[0].pair.kind;
  // With a minimum distance, all of them are. What ended undecided has no place.
  const bool at_distance = hits[0].stage == ImpactStage::Distance;
  if (at_distance) {
    for (std::size_t i = 0; i < hits.size(); ++i) {
      done |= static_cast<std::uint32_t>(hits[i].status == Status::OutOfBudget) << i;
    }
  } else if (kind == FeaturePairKind::VertexFace || kind == FeaturePairKind::EdgeEdge) {
    done = impact::describe_in_lanes(features_of(topology, step), out, hits.size());
  }
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if ((done >> i) & 1u) continue;
    impact::describe_contact(kind, motion_of(topology, step, hits[i].pair), at_distance, out[i].impact);
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
  describe_run(topology, step, {&hit, 1}, &contact);
  return contact;
}

std::vector<DeformableContact> to_contacts(const Topology& topology, const Step& step,
                                           std::span<const HitList* const> lists, bool described,
                                           int threads) {
  std::size_t count = 0;
  for (const HitList* list : lists) count += list->size();
  SortedHits sorted;
  std::vector<DeformableContact> contacts, room;
  // Side by side: both are work for one thread, one for the processor and one for the memory.
  parallel_blocks(2, 1, count < 1024 ? 1 : threads, [&](std::size_t part, std::size_t) {
    if (part == 0) {
      sorted = PairSort(topology, lists).run();
    } else if (described && threads != 1) {
      reserve_untouched(room, count);
      room.resize(count);
    }
  });
  const std::span<const Hit> hits = sorted.all();
  if (!described) {
    contacts.reserve(hits.size());
    for (const Hit& h : hits) contacts.push_back(undescribed(h));
    return contacts;
  }
  if (threads == 1) {
    // Each contact is written once; its memory is touched here for the first time.
    reserve_untouched(contacts, hits.size());
    DeformableContact run[describe_width];
    for (std::size_t begin = 0; begin < hits.size();) {
      const std::size_t end = run_end(hits, begin);
      prefetch_runs(topology, step, hits, end, contacts.data() + end);
      describe_run(topology, step, hits.subspan(begin, end - begin), run);
      contacts.insert(contacts.end(), run, run + (end - begin));
      begin = end;
    }
    return contacts;
  }
  contacts = std::move(room);
  parallel_blocks(hits.size(), 1024, threads, [&](std::size_t first, std::size_t last) {
    const auto part = hits.first(last);
    for (std::size_t begin = first; begin < last;) {
      const std::size_t end = run_end(part, begin);
      prefetch_runs(topology, step, part, end, contacts.data() + end);
      describe_run(topology, step, part.subspan(begin, end - begin), contacts.data() + begin);
      begin = end;
    }
  });
  return contacts;
}

}  // namespace toccata::deformable
