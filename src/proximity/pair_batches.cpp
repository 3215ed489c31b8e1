// Many pairs at rest in one call. Each worker takes the next pair when it is free, since some take a hundred
// times longer than others; answers are written by number.
#include <atomic>

#include "base/stop_watch.hpp"
#include "proximity/closed_pairs.hpp"
#include "proximity/hull_batch.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata {
namespace {

// A batch of microseconds is handed out in small portions, not pair by pair.
constexpr std::size_t portion = 16;

template <typename Answer>
void for_each_portion(std::size_t count, int threads, Answer&& answer) {
  const auto workers = static_cast<std::size_t>(usable_threads(threads));
  if (workers == 1) {  // a counter for several would wait for all that a portion writes to reach the cache
    for (std::size_t first = 0; first < count; first += portion)
      answer(first, std::min(first + portion, count));
    return;
  }
  std::atomic<std::size_t> next = 0;
  parallel_blocks(workers, 1, threads, [&](std::size_t, std::size_t) {
    for (std::size_t first = next.fetch_add(portion); first < count; first = next.fetch_add(portion))
      answer(first, std::min(first + portion, count));
  });
}

// Lines of the cache that will be written.
constexpr std::size_t line = 64;
void fetch_to_write(const void* first, const void* end) {
  for (const char* at = static_cast<const char*>(first); at < end; at += line) __builtin_prefetch(at, 1);
}

// Asked for each pair with what is left of the batch's time; `closed`, made for each portion, takes pairs
// that it answers together.
template <typename Result, typename Options, typename Ask, typename Unanswered, typename Closed>
std::vector<Result> answered(std::span<const PlacedPair> pairs, const Options& options, Ask&& ask,
                             Unanswered&& unanswered, Closed&& closed) {
  const StopWatch watch(options.stop);
  const StopWatch* const limit = watch.or_null();
  const Result fresh;  // copied, since zeros first and values after them would be twice the work
  std::vector<Result> results;
  // One thread makes room for answers just before it writes them, where they are still near.
  const bool is_alone = usable_threads(options.threads) == 1;
  is_alone ? results.reserve(pairs.size()) : results.resize(pairs.size(), fresh);
  for_each_portion(pairs.size(), options.threads, [&](std::size_t first, std::size_t end) {
    std::size_t open[portion], open_count = 0;
    if (is_alone) {
      results.resize(end, fresh);
      fetch_to_write(results.data() + end, results.data() + std::min(end + portion, pairs.size()));
    }
    const bool is_over = limit != nullptr && limit->is_over();
    closed(results.data(), first, end, is_over, open, open_count);
    for (std::size_t k = 0; k < open_count; ++k) {
      const PlacedPair& pair = pairs[open[k]];
      Result& result = results[open[k]];
      if (limit == nullptr) {
        result = ask(pair, options);
      } else if (limit->is_over()) {
        unanswered(result);
      } else {
        Options own = options;
        own.stop = limit->rest();
        result = ask(pair, own);
      }
    }
  });
  return results;
}

// Pairs that come soon, and what their shapes, which lie anywhere, say of closed forms: each step more than a
// block of closed forms ahead of the next one, so that there is work to do meanwhile.
constexpr std::size_t pairs_ahead = 40, shapes_ahead = 20;
void fetch_soon(std::span<const PlacedPair> pairs, std::size_t i) {
  if (i + pairs_ahead >= pairs.size()) return;
  const char* const pair = reinterpret_cast<const char*>(&pairs[i + pairs_ahead]);
  for (std::size_t at = 0; at < sizeof(PlacedPair); at += 64) __builtin_prefetch(pair + at);
  __builtin_prefetch(&pairs[i + shapes_ahead].a.shape.data().closed);
  __builtin_prefetch(&pairs[i + shapes_ahead].b.shape.data().closed);
}

// Closed forms in lanes, unless the time is over; what they leave is open.
template <typename Result>
void answer_closed(std::span<const PlacedPair> pairs, bool are_asked, double limit, Result* results,
                   std::size_t first, std::size_t end, std::size_t* open, std::size_t& open_count) {
  std::size_t left[portion];
  proximity::ClosedBatch<Result> closed(limit, results, left);
  for (std::size_t i = first; i < end; ++i) {
    fetch_soon(pairs, i);
    if (!are_asked || !closed.add(pairs[i].a, pairs[i].b, i)) open[open_count++] = i;
  }
  for (std::size_t k = closed.finish(); k > 0; --k) open[open_count++] = left[k - 1];
}

bool asks_for_all(const DistanceOptions& options) {
  return options.relative_error <= 0.0 && options.absolute_error <= 0.0 &&
         options.limit == std::numeric_limits<double>::infinity();
}

// Those of the open pairs that are hulls in lanes, too.
void answer_hulls(std::span<const PlacedPair> pairs, DistanceResult* results, std::size_t* open,
                  std::size_t& open_count) {
  std::size_t left[portion];
  proximity::HullBatch hulls(results, left);
  std::size_t count = 0;
  for (std::size_t k = 0; k < open_count; ++k) {
    const PlacedPair& pair = pairs[open[k]];
    if (!hulls.add(pair.a, pair.b, open[k])) open[count++] = open[k];
  }
  for (std::size_t k = hulls.finish(); k > 0; --k) open[count++] = left[k - 1];
  open_count = count;
}

}  // namespace

std::vector<DistanceResult> distances(std::span<const PlacedPair> pairs, const DistanceOptions& options) {
  return answered<DistanceResult>(
      pairs, options,
      [](const PlacedPair& pair, const DistanceOptions& own) { return distance(pair.a, pair.b, own); },
      [](DistanceResult& result) { result.stopped = true; },
      [&](DistanceResult* results, std::size_t first, std::size_t end, bool is_over, std::size_t* open,
          std::size_t& count) {
        const bool are_asked = !is_over && options.method == ConvexMethod::Gjk;
        answer_closed(pairs, are_asked, options.limit, results, first, end, open, count);
        if (count > 0 && are_asked && asks_for_all(options)) answer_hulls(pairs, results, open, count);
      });
}

std::vector<IntersectsResult> intersections(std::span<const PlacedPair> pairs,
                                            const IntersectsOptions& options) {
  return answered<IntersectsResult>(
      pairs, options,
      [](const PlacedPair& pair, const IntersectsOptions& own) { return intersects(pair.a, pair.b, own); },
      [](IntersectsResult& result) { result.stopped = result.intersects = true; },
      [](IntersectsResult*, std::size_t first, std::size_t end, bool, std::size_t* open, std::size_t& count) {
        for (std::size_t i = first; i < end; ++i) open[count++] = i;
      });
}

std::vector<PenetrationResult> penetrations(std::span<const PlacedPair> pairs,
                                            const PenetrationOptions& options) {
  return answered<PenetrationResult>(
      pairs, options,
      [](const PlacedPair& pair, const PenetrationOptions& own) { return penetration(pair.a, pair.b, own); },
      [](PenetrationResult& result) { result.status = Status::OutOfBudget; },
      [&](PenetrationResult* results, std::size_t first, std::size_t end, bool is_over, std::size_t* open,
          std::size_t& count) {
        answer_closed(pairs, !is_over && !options.solid, 0.0, results, first, end, open, count);
      });
}

}  // namespace toccata
