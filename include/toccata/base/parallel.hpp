#pragma once
// A parallel loop on oneTBB. Determinism is the caller's: write results by index, never by arrival.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <utility>

namespace toccata {

// Calls body(begin, end) on disjoint blocks that cover [0, count), each at most `block` long.
// threads: 0 = all cores, 1 = on the calling thread without the scheduler.
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
    tbb::task_arena arena(threads);
    arena.execute(run);
  } else {
    run();
  }
}

}  // namespace toccata
