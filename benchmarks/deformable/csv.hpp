#pragma once
// What the tables of the deformable benchmark share: files, checks and scenes.
#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "deformable/tables.hpp"

namespace toccata::bench {

class Csv {
 public:
  Csv(const std::string& path, const char* header) : file_(std::fopen(path.c_str(), "w")) {
    if (!file_) {
      fmt::print(stderr, "cannot write {}\n", path);
      std::exit(2);
    }
    fmt::print("\n# {}\n{}\n", path, header);
    fmt::print(file_, "{}\n", header);
  }
  ~Csv() { std::fclose(file_); }
  Csv(const Csv&) = delete;
  Csv& operator=(const Csv&) = delete;
  template <typename... T>
  void row(fmt::format_string<T...> format, T&&... values) {
    const std::string line = fmt::format(format, std::forward<T>(values)...);
    fmt::print(file_, "{}\n", line);
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }

 private:
  std::FILE* file_;
};

inline constexpr std::array<std::pair<const char*, DeformableMethod>, 2> methods = {
    {{"clusters", DeformableMethod::Clusters}, {"connectivity", DeformableMethod::Connectivity}}};

inline void check(bool right, const std::string& step, const char* what) {
  if (right) return;
  fmt::print(stderr, "WRONG ANSWER: {}, {}\n", step, what);
  std::exit(1);
}

inline std::vector<FeaturePair> pairs_of(const DeformableContacts& found) {
  std::vector<FeaturePair> pairs;
  for (const DeformableContact& c : found.contacts) pairs.push_back(c.pair);
  return pairs;
}

// Elementary tests done, those included that a stage that is switched off would have spared.
inline std::int64_t tests_of(const DeformableStats& stats) {
  for (const StageCount& s : stats.stages) {
    if (s.name == "elementary_tests") return s.count;
  }
  std::int64_t tests = 0;
  for (const std::int64_t n : stats.decided_by) tests += n;
  return tests;
}

inline DeformableScene build(const Step& step, DeformableMethod method, int threads) {
  auto scene = DeformableScene::build(step.objects, {method, threads});
  if (!scene || !scene->update(step.t0, step.t1)) {
    fmt::print(stderr, "{}: cannot be built\n", step.name);
    std::exit(2);
  }
  return std::move(*scene);
}

}  // namespace toccata::bench
