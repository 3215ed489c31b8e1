#pragma once
// A parallel loop on oneTBB. Determinism is the caller's: write results by index, never by arrival.
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace toccata {

// What a request for this many threads (0 = all cores) comes to: no more than oneTBB runs at once. An arena
// for more gets no more, takes memory for each, and makes oneTBB write a warning to stderr.
inline int usable_threads(int threads) {
  const std::size_t most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  if (threads <= 0) return std::min(static_cast<int>(most), tbb::this_task_arena::max_concurrency());
  return static_cast<int>(std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(threads)));
}

// Calls body(begin, end) on disjoint blocks that cover [0, count), each at most `block` long.
// threads: 0 = all cores, 1 = on the calling thread without the scheduler; more than there are count as all.
template <typename Body>
void parallel_blocks(std::size_t count, std::size_t block, int threads, Body&& body) {
  if (count == 0) return;
  if (block == 0) block = 1;
  if (threads == 1 || count <= block) {
    for (std::size_t begin = 0; begin < count; begin += block) {
      body(begin, begin + block < count ? begin + block : count);
    }
    return;
  }
  const std::size_t blocks = (count + block - 1) / block;
  const auto run = [&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, blocks, 1), [&](const auto& range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) {
        const std::size_t begin = i * block;
        body(begin, begin + block < count ? begin + block : count);
      }
    });
  };
  if (threads > 1) {
    tbb::task_arena arena(usable_threads(threads));
    arena.execute(run);
  } else {
    run();
  }
}

}  // namespace toccata
