#include "pass_times.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "terminal.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::app {
namespace {

// Of an even number of times, the mean of the two in the middle.
double median_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t half = times.size() / 2;
  return times.size() % 2 == 1 ? times[half] : 0.5 * (times[half - 1] + times[half]);
}

JsonObject time_json(const PassTime& time) {
  return JsonObject()
      .add("cpu_microseconds", 1e6 * time.processor)
      .add("wall_microseconds", 1e6 * time.clock);
}

}  // namespace

PassTime time_now() {
  timespec processor{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
  const auto clock = std::chrono::steady_clock::now().time_since_epoch();
  return {static_cast<double>(processor.tv_sec) + 1e-9 * static_cast<double>(processor.tv_nsec),
          std::chrono::duration<double>(clock).count()};
}

PassSummary& operator+=(PassSummary& sum, const PassSummary& next) {
  sum.passes = sum.passes == 0 ? next.passes : std::min(sum.passes, next.passes);
  const auto add = [](PassTime& to, const PassTime& time) {
    to.processor += time.processor;
    to.clock += time.clock;
  };
  add(sum.first, next.first);
  add(sum.least, next.least);
  add(sum.median, next.median);
  return sum;
}

double PassTimes::taken() const {
  double sum = 0.0;
  for (const PassTime& pass : passes_) sum += pass.clock;
  return sum;
}

PassSummary PassTimes::summary() const {
  PassSummary summary;
  summary.passes = passes_.size();
  if (passes_.empty()) return summary;
  std::vector<double> processor, clock;
  for (const PassTime& pass : passes_) {
    processor.push_back(pass.processor);
    clock.push_back(pass.clock);
  }
  summary.first = passes_.front();
  summary.least = {*std::min_element(processor.begin(), processor.end()),
                   *std::min_element(clock.begin(), clock.end())};
  summary.median = {median_of(processor), median_of(clock)};
  return summary;
}

Option repeat_option(int& repeat) {
  return {.names = "--repeat",
          .target = &repeat,
          .help = "Ask so often, and say how long the first, the fastest and the median pass took",
          .value = "NUMBER",
          .shows_default = true,
          .least = 1.0,
          .most = 1e6};
}

std::string pass_sentence(const PassSummary& s) {
  return fmt::format(
      "{} {}: the first took {} of processor time, the fastest {}, the median {}; by the clock {}, {} and "
      "{}.",
      with_thousands(s.passes), s.passes == 1 ? "pass" : "passes", duration_text(s.first.processor),
      duration_text(s.least.processor), duration_text(s.median.processor), duration_text(s.first.clock),
      duration_text(s.least.clock), duration_text(s.median.clock));
}

JsonObject pass_json(const PassSummary& summary) {
  return JsonObject()
      .add("count", summary.passes)
      .add("first", time_json(summary.first))
      .add("least", time_json(summary.least))
      .add("median", time_json(summary.median));
}

}  // namespace toccata::app
