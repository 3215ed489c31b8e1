// Many pairs at rest in one call. Each worker takes the next pair when it is free, since some take a hundred
// times longer than others; answers are written by number.
#include <atomic>

#include "base/stop_watch.hpp"
#include "proximity/closed_pairs.hpp"
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
  std::atomic<std::size_t> next = 0;
  parallel_blocks(
      static_cast<std::size_t>(usable_threads(threads)), 1, threads, [&](std::size_t, std::size_t) {
        for (std::size_t first = next.fetch_add(portion); first < count; first = next.fetch_add(portion))
          answer(first, std::min(first + portion, count));
      });
}

template <typename Answer>
void for_each_pair(std::size_t count, int threads, Answer&& answer) {
  for_each_portion(count, threads, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) answer(i);
  });
}

// Asked for each pair with what is left of the batch's time.
template <typename Result, typename Options, typename Ask, typename Unanswered>
std::vector<Result> answered(std::span<const PlacedPair> pairs, const Options& options, Ask&& ask,
                             Unanswered&& unanswered) {
  const StopWatch watch(options.stop);
  const StopWatch* const limit = watch.or_null();
  std::vector<Result> results(pairs.size());
  for_each_pair(pairs.size(), options.threads, [&](std::size_t i) {
    if (limit == nullptr) {
      results[i] = ask(pairs[i], options);
    } else if (limit->is_over()) {
      unanswered(results[i]);
    } else {
      Options own = options;
      own.stop = limit->rest();
      results[i] = ask(pairs[i], own);
    }
  });
  return results;
}

}  // namespace

std::vector<DistanceResult> distances(std::span<const PlacedPair> pairs, const DistanceOptions& options) {
  const StopWatch watch(options.stop);
  const StopWatch* const limit = watch.or_null();
  std::vector<DistanceResult> results(pairs.size());
  for_each_portion(pairs.size(), options.threads, [&](std::size_t first, std::size_t end) {
    // Closed forms in lanes, then what they leave.
    std::size_t open[portion], others[portion], other_count = 0;
    proximity::ClosedDistances closed(options.limit, results.data(), open);
    const bool is_over = limit != nullptr && limit->is_over();
    for (std::size_t i = first; i < end; ++i) {
      if (is_over || options.method != ConvexMethod::Gjk || !closed.add(pairs[i].a, pairs[i].b, i))
        others[other_count++] = i;
    }
    for (std::size_t k = closed.finish(); k > 0; --k) others[other_count++] = open[k - 1];
    for (std::size_t k = 0; k < other_count; ++k) {
      const PlacedPair& pair = pairs[others[k]];
      DistanceResult& result = results[others[k]];
      if (limit == nullptr) {
        result = distance(pair.a, pair.b, options);
      } else if (limit->is_over()) {
        result.stopped = true;
      } else {
        DistanceOptions own = options;
        own.stop = limit->rest();
        result = distance(pair.a, pair.b, own);
      }
    }
  });
  return results;
}

std::vector<IntersectsResult> intersections(std::span<const PlacedPair> pairs,
                                            const IntersectsOptions& options) {
  return answered<IntersectsResult>(
      pairs, options,
      [](const PlacedPair& pair, const IntersectsOptions& own) { return intersects(pair.a, pair.b, own); },
      [](IntersectsResult& result) { result.stopped = result.intersects = true; });
}

std::vector<PenetrationResult> penetrations(std::span<const PlacedPair> pairs,
                                            const PenetrationOptions& options) {
  return answered<PenetrationResult>(
      pairs, options,
      [](const PlacedPair& pair, const PenetrationOptions& own) { return penetration(pair.a, pair.b, own); },
      [](PenetrationResult& result) { result.status = Status::OutOfBudget; });
}

}  // namespace toccata
