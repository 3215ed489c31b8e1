#include "world/event_order.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "toccata/base/parallel.hpp"

namespace toccata::world {
namespace {

constexpr int most_rounds = 4;
constexpr double finer = 1.0 / 64.0;  // of the tolerance, from round to round

// What events are sorted by. They are large: keys are sorted, and each event is moved once.
struct Key {
  double lower;
  std::int32_t body_a;
  std::int32_t body_b;
  std::uint32_t place;

  bool operator<(const Key& other) const {
    return std::tie(lower, body_a, body_b) < std::tie(other.lower, other.body_a, other.body_b);
  }
};

// The events from `begin` to `end`, by time or, for those of one group, by their ids.
void sort_events(std::vector<WorldEvent>& events, std::size_t begin, std::size_t end, bool by_time) {
  std::vector<Key> keys;
  keys.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i)
    keys.push_back(
        {by_time ? events[i].lower : 0.0, events[i].body_a, events[i].body_b, static_cast<std::uint32_t>(i)});
  if (std::is_sorted(keys.begin(), keys.end())) return;
  std::sort(keys.begin(), keys.end());
  std::vector<WorldEvent> sorted;
  sorted.reserve(keys.size());
  for (const Key& key : keys) sorted.push_back(events[key.place]);
  if (sorted.size() == events.size()) return events.swap(sorted);
  std::move(sorted.begin(), sorted.end(), events.begin() + static_cast<std::ptrdiff_t>(begin));
}

void sort_by_time(std::vector<WorldEvent>& events) {
  sort_events(events, 0, events.size(), true);
}

// Where nothing more is known than that they come within the tolerance, that is what the event is. When they
// do is known to the roundings of their places: bodies that meet alike do so within far less than this.
double end_of(const WorldEvent& event) {
  constexpr double told_apart = 1e-9;
  return event.upper < 1.0 ? event.upper : event.lower + told_apart;
}

// The end of the events from `begin` on, sorted, whose brackets overlap.
std::size_t end_of_group(const std::vector<WorldEvent>& events, std::size_t begin) {
  double latest = end_of(events[begin]);
  std::size_t end = begin + 1;
  while (end < events.size() && events[end].lower <= latest) latest = std::max(latest, end_of(events[end++]));
  return end;
}

// True if the bracket has become narrower.
bool narrow(WorldEvent& event, const FirstContactResult& again) {
  if (again.status != Status::Contact) return false;  // finer than rounding: no answer is better
  const double lower = std::max(event.lower, again.lower), upper = std::min(event.upper, again.upper);
  if (!(lower > event.lower) && !(upper < event.upper)) return false;
  if (!(lower <= upper)) return false;
  event.time = event.lower = lower;
  event.upper = upper;
  event.contact = again.contact;
  event.pose_a = again.pose_a;
  event.pose_b = again.pose_b;
  return true;
}

}  // namespace

double end_of_first_group(std::vector<WorldEvent>& events) {
  if (events.empty()) return std::numeric_limits<double>::infinity();
  sort_by_time(events);
  double latest = end_of(events[0]);
  for (std::size_t i = 1; i < end_of_group(events, 0); ++i) latest = std::max(latest, end_of(events[i]));
  return latest;
}

void order_events(std::vector<WorldEvent>& events, const AskAgain& ask_again, int threads,
                  QueryStats& stats) {
  sort_by_time(events);
  double factor = finer;
  for (int round = 0; round < most_rounds; ++round, factor *= finer) {
    std::vector<std::size_t> overlapping;
    for (std::size_t begin = 0; begin < events.size();) {
      const std::size_t end = end_of_group(events, begin);
      for (std::size_t i = begin; end - begin > 1 && i < end; ++i) {
        if (events[i].status == Status::Contact)
          overlapping.push_back(i);  // overlaps at the start are all at 0
      }
      begin = end;
    }
    std::vector<FirstContactResult> answers(overlapping.size());
    parallel_blocks(answers.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) answers[i] = ask_again(events[overlapping[i]], factor);
    });
    bool changed = false;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      stats += answers[i].stats;
      changed = narrow(events[overlapping[i]], answers[i]) || changed;
    }
    if (!changed) break;
    sort_by_time(events);
  }
  std::int32_t group = 0;
  for (std::size_t begin = 0; begin < events.size(); ++group) {
    const std::size_t end = end_of_group(events, begin);
    for (std::size_t i = begin; i < end; ++i) events[i].group = group;
    if (end - begin > 1) sort_events(events, begin, end, false);
    begin = end;
  }
}

}  // namespace toccata::world
