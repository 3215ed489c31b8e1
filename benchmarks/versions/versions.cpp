// Two versions of the library in one process, asked the same by turns: how much of its former time a question
// takes. Prints CSV. usage: versions BEFORE.so NOW.so [PASSES [NAME...]]
//   PASSES   of each item, the least counts (9)
//   NAME     only tasks whose name begins so
#include "versions/driver.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Version {
  TaskName name = nullptr;
  TaskStart start = nullptr;
  TaskRun run = nullptr;
  TaskEnd end = nullptr;
};

Version load(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "versions: %s\n", dlerror());
    std::exit(2);
  }
  return {reinterpret_cast<TaskName>(dlsym(library, "toccata_task_name")),
          reinterpret_cast<TaskStart>(dlsym(library, "toccata_task_start")),
          reinterpret_cast<TaskRun>(dlsym(library, "toccata_task_run")),
          reinterpret_cast<TaskEnd>(dlsym(library, "toccata_task_end"))};
}

// The sum over the items of the least time of each, and the largest difference of an answer.
void compare(const std::array<Version, 2>& versions, int task, int passes) {
  std::array<int, 2> items = {};
  for (std::size_t v = 0; v < 2; ++v) items[v] = versions[v].start(task);
  std::array<double, 2> sums = {};
  double difference = 0.0;
  for (int item = 0; item < std::min(items[0], items[1]); ++item) {
    std::array<double, 2> least = {HUGE_VAL, HUGE_VAL}, answer = {};
    for (int pass = 0; pass < passes; ++pass) {
      for (std::size_t turn = 0; turn < 2; ++turn) {
        const std::size_t v = static_cast<std::size_t>(pass + item) % 2 == turn ? 0 : 1;
        least[v] = std::min(least[v], versions[v].run(task, item, &answer[v]));
      }
    }
    for (std::size_t v = 0; v < 2; ++v) sums[v] += least[v];
    difference = std::max(difference, std::abs(answer[0] - answer[1]));
  }
  for (const Version& v : versions) v.end(task);
  if (items[0] == 0 || items[1] == 0) {
    std::fprintf(stderr, "versions: %s left out, its data is missing\n", versions[1].name(task));
    return;
  }
  std::printf("%s,%d,%.2f,%.2f,%.3f,%.2g\n", versions[1].name(task), items[1], sums[0] / items[0],
              sums[1] / items[1], sums[1] / sums[0], difference);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: versions BEFORE.so NOW.so [PASSES [NAME...]]\n");
    return 2;
  }
  const std::array<Version, 2> versions = {load(argv[1]), load(argv[2])};
  const int passes = argc > 3 ? std::max(1, std::atoi(argv[3])) : 9;
  std::printf("task,items,microseconds_before,microseconds_now,ratio,answers_differ_by\n");
  for (int task = 0; versions[1].name(task) != nullptr; ++task) {
    const std::string name = versions[1].name(task);
    bool wanted = argc < 5;
    for (int i = 4; i < argc; ++i) wanted = wanted || name.rfind(argv[i], 0) == 0;
    if (wanted) compare(versions, task, passes);
  }
  return 0;
}
