#include "world/event_order.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace toccata::world {
namespace {

constexpr int most_rounds = 4;
constexpr double finer = 1.0 / 64.0;  // of the tolerance, from round to round

bool is_earlier(const WorldEvent& x, const WorldEvent& y) {
  return std::tie(x.lower, x.body_a, x.body_b) < std::tie(y.lower, y.body_a, y.body_b);
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
  std::sort(events.begin(), events.end(), is_earlier);
  double latest = end_of(events[0]);
  for (std::size_t i = 1; i < end_of_group(events, 0); ++i) latest = std::max(latest, end_of(events[i]));
  return latest;
}

void order_events(std::vector<WorldEvent>& events, const AskAgain& ask_again, QueryStats& stats) {
  std::sort(events.begin(), events.end(), is_earlier);
  double factor = finer;
  for (int round = 0; round < most_rounds; ++round, factor *= finer) {
    bool changed = false;
    for (std::size_t begin = 0; begin < events.size();) {
      const std::size_t end = end_of_group(events, begin);
      for (std::size_t i = begin; end - begin > 1 && i < end; ++i) {
        if (events[i].status != Status::Contact) continue;  // overlaps at the start are all at 0
        const FirstContactResult again = ask_again(events[i], factor);
        stats += again.stats;
        changed = narrow(events[i], again) || changed;
      }
      begin = end;
    }
    if (!changed) break;
    std::sort(events.begin(), events.end(), is_earlier);
  }
  std::int32_t group = 0;
  for (std::size_t begin = 0; begin < events.size(); ++group) {
    const std::size_t end = end_of_group(events, begin);
    for (std::size_t i = begin; i < end; ++i) events[i].group = group;
    const auto by_ids = [](const WorldEvent& x, const WorldEvent& y) {
      return std::tie(x.body_a, x.body_b) < std::tie(y.body_a, y.body_b);
    };
    std::sort(events.begin() + static_cast<std::ptrdiff_t>(begin),
              events.begin() + static_cast<std::ptrdiff_t>(end), by_ids);
    begin = end;
  }
}

}  // namespace toccata::world
