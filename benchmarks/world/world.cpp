// Many moving bodies: all first contacts in order of tumbling hulls; coherent steps, warm and cold;
// billiards; memory; I-COLLIDE's frames beside Bullet and FCL, with its five graphs. Answers are compared
// before they are timed. Thread CPU time, of two threads the time on the clock; the least of several passes,
// contestants take turns. Prints CSV. usage: bench_world [MOST_BODIES [PART]]; PART: tumbling, frames,
// billiards, memory, polytopes or graphs
#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "../../examples/billiards.hpp"
#include "peer.hpp"
#include "toccata/broad_phase/motion_box.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata::bench {
namespace {

double thread_milliseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double clock_milliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void row(const std::string& scene, std::size_t bodies, const std::string& contestant, double milliseconds,
         std::size_t near, std::size_t found) {
  std::printf("%s,%zu,%s,%.4g,%zu,%zu\n", scene.c_str(), bodies, contestant.c_str(), milliseconds, near,
              found);
  std::fflush(stdout);
}

void fail(const char* what) {
  std::fprintf(stderr, "world: %s\n", what);
  std::exit(1);
}

bool is_same(const WorldEventsResult& x, const WorldEventsResult& y) {
  return std::ranges::equal(x.events, y.events, [](const WorldEvent& e, const WorldEvent& f) {
    return e.body_a == f.body_a && e.body_b == f.body_b && e.lower == f.lower && e.upper == f.upper &&
           e.group == f.group && e.contact.point_a == f.contact.point_a &&
           e.contact.normal == f.contact.normal;
  });
}

// Each hull turns 100 degrees and travels one radius.
void tumbling(std::size_t count) {
  PolytopeScene scene;
  scene.count = count;
  scene.turn = 100.0;
  scene.travel = 1.0;
  const Polytopes polytopes(scene);
  World world;
  for (std::size_t i = 0; i < count; ++i) world.insert({polytopes.shape(i), polytopes.motion(i)});
  const int passes = count >= 100000 ? 10 : 30;
  double boxes = 1e300, one = 1e300, one_clock = 1e300, two = 1e300;
  WorldEventsResult found;
  for (int pass = 0; pass < passes; ++pass) {
    double begin = thread_milliseconds();
    for (std::size_t i = 0; i < count; ++i)
      world.set_motion(static_cast<std::int32_t>(i), polytopes.motion(i));
    boxes = std::min(boxes, thread_milliseconds() - begin);
    begin = thread_milliseconds();
    double clock = clock_milliseconds();
    found = world.events({.pair = {.threads = 1}});
    one = std::min(one, thread_milliseconds() - begin);
    one_clock = std::min(one_clock, clock_milliseconds() - clock);
    clock = clock_milliseconds();
    const WorldEventsResult again = world.events({.pair = {.threads = 2}});
    two = std::min(two, clock_milliseconds() - clock);
    if (!is_same(found, again)) fail("two threads find other events");
  }
  const auto near = static_cast<std::size_t>(found.near_pairs);
  row("tumbling hulls", count, "Toccata: motions and boxes", boxes, near, found.events.size());
  row("tumbling hulls", count, "Toccata: events", one, near, found.events.size());
  row("tumbling hulls", count, "Toccata: events (clock)", one_clock, near, found.events.size());
  row("tumbling hulls", count, "Toccata: events on two threads (clock)", two, near, found.events.size());
}

// Frames of I-COLLIDE's motion: what a step keeps for the next.
void coherent(std::size_t count, std::size_t share) {
  PolytopeScene scene;
  scene.count = count;
  Polytopes polytopes(scene);
  World world;
  for (std::size_t i = 0; i < count; ++i) world.insert({polytopes.shape(i), polytopes.motion(i)});
  world.step({.pair = {.threads = 1}});
  double boxes = 1e300, warm = 1e300, cold = 1e300;
  WorldEventsResult found;
  for (int step = 0; step < 8; ++step) {
    polytopes.step();
    double begin = thread_milliseconds();
    for (std::size_t i = 0; i < count; i += share)
      world.set_motion(static_cast<std::int32_t>(i), polytopes.motion(i));
    boxes = std::min(boxes, thread_milliseconds() - begin);
    begin = thread_milliseconds();
    found = world.step({.pair = {.threads = 1}});
    warm = std::min(warm, thread_milliseconds() - begin);
    begin = thread_milliseconds();
    const WorldEventsResult again = world.events({.pair = {.threads = 1}});
    cold = std::min(cold, thread_milliseconds() - begin);
    if (!is_same(found, again)) fail("a warm step finds other events");
  }
  const std::string name = share == 1 ? "frames" : "frames of one in " + std::to_string(share);
  const auto near = static_cast<std::size_t>(found.near_pairs);
  row(name, count, "Toccata: motions and boxes", boxes, near, found.events.size());
  row(name, count, "Toccata: step", warm, near, found.events.size());
  row(name, count, "Toccata: events", cold, near, found.events.size());
}

void bouncing() {
  Billiards table(800, 200, 16.0, 0.05, 7);
  std::size_t events = 0;
  double spent = 0.0;
  for (int step = 0; step < 40; ++step) {
    const double begin = thread_milliseconds();
    const WorldEventsResult played = table.world().play(
        [&](const WorldEvent& event, WorldResponse& response) { return table.bounce(event, response); });
    spent += thread_milliseconds() - begin;
    if (played.status == Status::Failed) fail(played.failure.c_str());
    events += played.events.size();
    table.next_step();
  }
  row("billiards", 1000, "Toccata: 40 steps", spent, 0, events);
}

void memory(std::size_t count) {
  PolytopeScene scene;
  scene.count = count;
  const Polytopes polytopes(scene);
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  World world;
  for (std::size_t i = 0; i < count; ++i) world.insert({polytopes.shape(i), polytopes.motion(i)});
  const std::size_t inserted = mallinfo2().uordblks + mallinfo2().hblkhd;
  const WorldEventsResult found = world.step({.pair = {.threads = 1}});
  const std::size_t stepped = mallinfo2().uordblks + mallinfo2().hblkhd;
  const double kept = static_cast<double>(found.events.capacity() * sizeof(WorldEvent));
  const auto per_body = [&](double bytes) { return bytes / static_cast<double>(count); };
  row("memory: bytes per body", count, "Toccata: inserted", per_body(static_cast<double>(inserted - before)),
      0, 0);
  row("memory: bytes per body", count, "Toccata: after a step",
      per_body(static_cast<double>(stepped - before) - kept), 0, 0);
  Polytopes moving = polytopes;
  const std::size_t other = mallinfo2().uordblks + mallinfo2().hblkhd - stepped;
  for (int step = 0; step < 10; ++step) {
    moving.step();
    for (std::size_t i = 0; i < count; ++i) world.set_motion(static_cast<std::int32_t>(i), moving.motion(i));
    world.step({.pair = {.threads = 1}});
  }
  const std::size_t last = mallinfo2().uordblks + mallinfo2().hblkhd - other;
  row("memory: bytes per body", count, "Toccata: after ten more steps",
      per_body(static_cast<double>(last - before) - kept), 0, 0);
}

// I-COLLIDE's two kinds of boxes: cubes that hold a body however it turns, and boxes that are found at each
// frame.
enum class Boxes { Dynamic, Fixed };

class ToccataFrames : public FramePeer {
 public:
  // As the others, it has its first boxes and pairs before it is timed.
  ToccataFrames(const Polytopes& polytopes, Boxes kind) : kind_(kind) {
    for (std::size_t i = 0; i < polytopes.size(); ++i) {
      placed_.emplace_back(polytopes.shape(i), polytopes.poses()[i]);
      boxes_.insert(box_of(placed_[i]));
    }
    boxes_.step();
  }

  Hits frame(const Polytopes& polytopes) override {
    for (std::size_t i = 0; i < polytopes.size(); ++i) {
      placed_[i].pose = polytopes.poses()[i];
      boxes_.update(static_cast<std::int32_t>(i), box_of(placed_[i]));
    }
    boxes_.step();
    Hits result;
    result.near = boxes_.pairs().size();
    for (const IndexPair& pair : boxes_.pairs()) {
      const PenetrationResult found = penetration(placed_[static_cast<std::size_t>(pair.first)],
                                                  placed_[static_cast<std::size_t>(pair.second)]);
      if (found.status != Status::OverlapAtStart) continue;
      ++result.hits;
      result.depth += found.upper_depth;
    }
    return result;
  }

 private:
  Aabb box_of(const PlacedShape& placed) const {
    if (kind_ == Boxes::Dynamic) return pose_box(placed.shape, placed.pose);
    const Vector3& middle = placed.pose.translation;  // corners are on the unit sphere about it
    return {middle - Vector3::Constant(1.0 + 1e-12), middle + Vector3::Constant(1.0 + 1e-12)};
  }

  Boxes kind_;
  std::vector<PlacedShape> placed_;
  BroadPhase boxes_;
};

// Peers that look at every pair of boxes have a room of their own: they would take the cache from the others.
enum class Peers { WithTrees, WithEveryPair };

void frames(const std::string& name, const PolytopeScene& scene, Peers peers = Peers::WithTrees) {
  Polytopes polytopes(scene);
  struct Contestant {
    std::string name;
    std::unique_ptr<FramePeer> peer;
    double sum = 0.0;
    Hits hits = {};
  };
  std::vector<Contestant> contestants;
  contestants.push_back({"Toccata", std::make_unique<ToccataFrames>(polytopes, Boxes::Dynamic)});
  contestants.push_back(
      {"Toccata with fixed cubes", std::make_unique<ToccataFrames>(polytopes, Boxes::Fixed)});
  const bool with_trees = peers == Peers::WithTrees;
  const std::size_t shown_from = with_trees ? 0 : contestants.size();
#ifdef TOCCATA_HAVE_BULLET
  if (with_trees) {
    contestants.push_back({"Bullet", bullet_frames(polytopes, PeerPairs::Tree)});
    contestants.push_back({"Bullet: its world", bullet_frames(polytopes, PeerPairs::World)});
  } else {
    contestants.push_back({"Bullet: every pair of boxes", bullet_frames(polytopes, PeerPairs::All)});
  }
#endif
#ifdef TOCCATA_HAVE_FCL
  if (with_trees) {
    contestants.push_back({"FCL", fcl_frames(polytopes, PeerPairs::Tree)});
  } else {
    contestants.push_back({"FCL: every pair of boxes", fcl_frames(polytopes, PeerPairs::All)});
  }
#endif
  const int steps = scene.count >= 10000 ? 5 : 20;
  for (int step = 0; step < steps; ++step) {
    polytopes.step();
    for (Contestant& c : contestants) {
      const double begin = thread_milliseconds();
      const Hits found = c.peer->frame(polytopes);
      c.sum += thread_milliseconds() - begin;
      c.hits.near += found.near;
      c.hits.hits += found.hits;
      c.hits.depth += found.depth;
    }
  }
  // Who grazes may count or not: FCL's and Bullet's answers are tolerant.
  for (std::size_t i = shown_from; i < contestants.size(); ++i) {
    const Contestant& c = contestants[i];
    if (std::abs(static_cast<double>(c.hits.hits) - static_cast<double>(contestants[0].hits.hits)) >
        2.0 + 0.01 * static_cast<double>(c.hits.hits))
      std::fprintf(stderr, "world: %s finds %zu hits, Toccata %zu\n", c.name.c_str(), c.hits.hits,
                   contestants[0].hits.hits);
    row(name, scene.count, c.name, c.sum / steps, c.hits.near / static_cast<std::size_t>(steps),
        c.hits.hits / static_cast<std::size_t>(steps));
  }
}

// I-COLLIDE's graphs: bodies, faces, density, turn and travel a frame.
void graphs() {
  for (const std::size_t count : {20, 100, 200, 500, 1000, 1500, 2000}) {
    PolytopeScene scene;
    scene.count = count;
    frames("bodies", scene);
  }
  for (const int faces : {10, 20, 36, 60, 100, 160, 200}) {
    PolytopeScene scene;
    scene.points = faces / 2 + 2;
    frames("faces " + std::to_string(faces), scene);
  }
  for (const int density : {1, 2, 4, 6, 8, 10}) {
    PolytopeScene scene;
    scene.density = 0.01 * density;
    frames("density " + std::to_string(density) + " %", scene);
  }
  for (const int turn : {0, 10, 20, 40, 60, 90}) {
    PolytopeScene scene;
    scene.turn = turn;
    frames("turn " + std::to_string(turn) + " degrees", scene);
  }
  for (const int travel : {0, 10, 20, 40, 60, 100}) {
    PolytopeScene scene;
    scene.travel = 0.01 * travel;
    frames("travel " + std::to_string(travel) + " %", scene);
  }
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata::bench;
  const std::size_t most = argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 100000;
  const std::string part = argc > 2 ? argv[2] : "";
  const auto wanted = [&](const char* name) { return part.empty() || part == name; };
  std::printf("scene,bodies,contestant,milliseconds,near_pairs,found\n");
  for (const std::size_t count : {1000, 10000, 100000}) {
    if (count <= most && wanted("tumbling")) tumbling(count);
  }
  for (const std::size_t count : {1000, 10000, 100000}) {
    if (count > most || !wanted("frames")) continue;
    coherent(count, 1);
    coherent(count, 100);
  }
  if (wanted("billiards")) bouncing();
  if (wanted("memory")) memory(std::min<std::size_t>(most, 100000));
  for (const std::size_t count : {1000, 2000, 10000}) {
    if (count > most || !wanted("polytopes")) continue;
    PolytopeScene scene;
    scene.count = count;
    frames("polytopes", scene);
    frames("polytopes", scene, Peers::WithEveryPair);
  }
  if (wanted("graphs")) graphs();
}
