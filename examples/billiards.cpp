// Bouncing bodies without steps that miss: a thousand balls and spinning solids, every bounce at its own
// time.
#include <cstdio>

#include "billiards.hpp"

int main() {
  using namespace toccata;
  Billiards table(800, 200, 16.0, 0.05, 7);
  const double energy = table.energy();
  std::size_t bounces = 0;
  for (int step = 0; step < 20; ++step) {
    const WorldEventsResult played = table.world().play(
        [&](const WorldEvent& event, WorldResponse& response) { return table.bounce(event, response); });
    if (played.status == Status::Failed) {
      std::printf("%s\n", played.failure.c_str());
      return 1;
    }
    bounces += played.events.size();
    table.next_step();
  }
  std::printf("one second: more than a thousand bounces: %s\n", bounces > 1000 ? "yes" : "no");
  std::printf("bodies in each other at the end: %zu\n", table.world().at(0.0).touching().size());
  std::printf("energy kept to 1e-12: %s\n",
              std::abs(table.energy() - energy) < 1e-12 * energy ? "yes" : "no");
}
// Output:
// one second: more than a thousand bounces: yes
// bodies in each other at the end: 0
// energy kept to 1e-12: yes
