// Overlapping pairs of many moving boxes beside Bullet's and FCL's trees. The methods' lists are compared
// before they are timed, and with all pairs where there are few boxes. Thread CPU time, contestants take
// turns step by step. Prints CSV. usage: bench_broad_phase [MOST_BOXES
// [LEAST_BOXES]]
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "peer.hpp"
#include "toccata/base/random.hpp"
#include "toccata/broad_phase/broad_phase.hpp"

namespace toccata::bench {
namespace {

double thread_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

// Boxes in a room with walls, one in twenty units of volume.
class Room {
 public:
  // sizes: each box is shrunk by up to this factor, all scales alike; the room shrinks with their volume.
  Room(std::size_t count, double sizes) : random_(42), side_(std::cbrt(static_cast<double>(count) / 0.05)) {
    double volume = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const double scale = std::pow(sizes, -random_.unit());
      const auto extent = [&] { return scale * random_.uniform(0.25, 0.75); };
      const double x = extent(), y = extent(), z = extent();
      half_.push_back({x, y, z});
      volume += 8.0 * x * y * z;
    }
    if (sizes > 1.0) side_ = std::cbrt(volume / 0.05);
    for (std::size_t i = 0; i < count; ++i) {
      middle_.push_back(random_.in_box(0.5 * side_));
      velocity_.push_back(random_.in_box(0.05) * (half_[i].norm() / 0.87));
    }
    boxes_.resize(count);
    step();
  }

  void step() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      middle_[i] += velocity_[i];
      for (int k = 0; k < 3; ++k) {
        if (std::abs(middle_[i][k]) > 0.5 * side_)
          velocity_[i][k] = -std::copysign(velocity_[i][k], middle_[i][k]);
      }
      boxes_[i] = {middle_[i] - half_[i], middle_[i] + half_[i]};
    }
  }

  std::vector<std::size_t> some(std::size_t share) {
    std::vector<std::size_t> ids;
    for (std::size_t i = 0; i < boxes_.size(); i += share) ids.push_back(i);
    return ids;
  }

  const std::vector<Aabb>& boxes() const { return boxes_; }

 private:
  Random random_;
  double side_;
  std::vector<Vector3> half_, middle_, velocity_;
  std::vector<Aabb> boxes_;
};

struct Contestant {
  std::string name;
  std::function<std::size_t(const Room&)> step;
  double least = 1e300;
  double sum = 0.0;
  std::size_t pairs = 0;
};

std::size_t step_all(BroadPhase& bodies, const std::vector<Aabb>& boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) bodies.update(static_cast<std::int32_t>(i), boxes[i]);
  bodies.step();
  return bodies.pairs().size();
}

bool lists_agree(const Room& room) {
  const std::vector<IndexPair> rows = overlapping_pairs(room.boxes());
  bool agree = rows == overlapping_pairs(room.boxes(), {PairMethod::Tree, 1}) &&
               rows == overlapping_pairs(room.boxes(), {PairMethod::Rows, 0});
  if (room.boxes().size() <= 100000)
    agree = agree && rows == overlapping_pairs(room.boxes(), {PairMethod::Sweep, 1});
  return agree;
}

void compare(std::size_t count, double sizes) {
  const int steps = count >= 1000000 ? 4 : (count >= 100000 ? 8 : 20);
  Room room(count, sizes);
  if (!lists_agree(room)) {
    std::fprintf(stderr, "broad_phase: the methods do not agree\n");
    std::exit(1);
  }
  std::vector<Contestant> contestants;
  contestants.push_back({"Toccata", [](const Room& r) { return overlapping_pairs(r.boxes()).size(); }});
  contestants.push_back({"Toccata: tree", [](const Room& r) {
                           return overlapping_pairs(r.boxes(), {PairMethod::Tree, 1}).size();
                         }});
  auto rows = std::make_shared<BroadPhase>();
  auto sweep = std::make_shared<BroadPhase>(OverlappingPairsOptions{PairMethod::Sweep, 1});
  for (const Aabb& box : room.boxes()) rows->insert(box);
  rows->step();  // as Bullet and FCL have their first pairs before they are timed
  contestants.push_back(
      {"Toccata: BroadPhase", [rows](const Room& r) { return step_all(*rows, r.boxes()); }});
  if (count <= 10000) {
    for (const Aabb& box : room.boxes()) sweep->insert(box);
    sweep->step();
    contestants.push_back(
        {"Toccata: sweep and prune", [sweep](const Room& r) { return step_all(*sweep, r.boxes()); }});
  }
#ifdef TOCCATA_HAVE_BULLET
  std::shared_ptr<Peer> bullet = bullet_dbvt(room.boxes());
  contestants.push_back({"Bullet dbvt", [bullet](const Room& r) { return bullet->step(r.boxes()); }});
#endif
#ifdef TOCCATA_HAVE_FCL
  std::shared_ptr<Peer> fcl = fcl_tree(room.boxes());
  contestants.push_back({"FCL dynamic tree", [fcl](const Room& r) { return fcl->step(r.boxes()); }});
#endif
  for (int step = 0; step < steps; ++step) {
    room.step();
    for (Contestant& c : contestants) {
      const double begin = thread_nanoseconds();
      c.pairs = c.step(room);
      const double time = (thread_nanoseconds() - begin) / static_cast<double>(count);
      c.least = std::min(c.least, time);
      c.sum += time;
    }
  }
  const char* world = sizes > 1.0 ? "sizes 1 to 1000" : "equal sizes";
  for (const Contestant& c : contestants)
    std::printf("%s,%zu,%s,%.1f,%.1f,%zu\n", world, count, c.name.c_str(), c.sum / steps, c.least, c.pairs);
  std::fflush(stdout);
}

// One in a hundred boxes moves.
void compare_partly(std::size_t count) {
  Room room(count, 1.0);
  BroadPhase bodies;
  for (const Aabb& box : room.boxes()) bodies.insert(box);
  bodies.step();
  double partly = 1e300, whole = 1e300;
  for (int step = 0; step < 12; ++step) {
    room.step();
    double begin = thread_nanoseconds();
    for (const std::size_t id : room.some(100))
      bodies.update(static_cast<std::int32_t>(id), room.boxes()[id]);
    bodies.step();
    partly = std::min(partly, thread_nanoseconds() - begin);
    std::vector<Aabb> now;
    for (std::size_t i = 0; i < count; ++i) now.push_back(bodies.box(static_cast<std::int32_t>(i)));
    begin = thread_nanoseconds();
    const std::vector<IndexPair> pairs = overlapping_pairs(now);
    whole = std::min(whole, thread_nanoseconds() - begin);
    if (!std::ranges::equal(pairs, bodies.pairs())) std::exit(1);
  }
  std::printf("one in 100 moves,%zu,Toccata: BroadPhase,%.1f,%.1f,%zu\n", count,
              partly / static_cast<double>(count), partly / static_cast<double>(count),
              bodies.pairs().size());
  std::printf("one in 100 moves,%zu,Toccata,%.1f,%.1f,%zu\n", count, whole / static_cast<double>(count),
              whole / static_cast<double>(count), bodies.pairs().size());
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata::bench;
  const std::size_t most = argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 1000000;
  const std::size_t least = argc > 2 ? static_cast<std::size_t>(std::atoll(argv[2])) : 0;
  std::printf("world,boxes,contestant,mean_ns_per_box,least_ns_per_box,pairs\n");
  for (const std::size_t count : {1000, 10000, 100000, 1000000}) {
    if (count <= most && count >= least) compare(count, 1.0);
  }
  for (const std::size_t count : {1000, 10000, 100000}) {
    if (count <= most && count >= least) compare(count, 1000.0);
  }
  if (most >= 100000 && least <= 100000) compare_partly(100000);
}
