// What a solver that remembers gains over one that does not, on sequences of short motions: body a goes step
// by step around body b (`walk`), or trembles about a place (`tremble`), `gap` of its size away from where it
// would touch, `step` of its size at a time; a contact ends the sequence. The answers are compared first,
// then both are timed in turn, the best of three. Prints CSV: microseconds per query of first_contact and of
// closest_approach, without and with memory, and the gain.
//
// usage: bench_rigid_sequences [--sequences N]
#include <time.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "scenes_and_trials.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::bench {
namespace {

using Sequence = std::vector<RigidMotion>;

double microseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

Pose stepped(Random& random, const Pose& pose, double step, const Vector3& way) {
  return {
      Eigen::AngleAxisd(step * random.uniform(-1, 1), random.on_sphere()).toRotationMatrix() * pose.rotation,
      pose.translation + step * way};
}

struct Pair {
  const Shape& a;
  const Shape& b;
  const RigidMotion rest = {};
};

Sequence sequence_of(const Pair& pair, Random& random, bool trembles, double step, double gap) {
  const double size = pair.a.size();
  const Matrix3 turn = Eigen::AngleAxisd(random.uniform(-3, 3), random.on_sphere()).toRotationMatrix();
  const Vector3 from = 4.0 * size * random.on_sphere();
  const RigidMotion fall({turn, from}, {turn, Vector3::Zero()});
  const double touch = first_contact({pair.a, fall}, {pair.b, pair.rest}).time;
  Pose pose = {turn, (1.0 - touch) * from + gap * size * from.normalized()};
  const Vector3 along = from.cross(random.on_sphere()).normalized();
  Sequence sequence;
  for (int k = 0; k < 400; ++k) {
    const Pose next = stepped(random, pose, step, size * (trembles ? random.on_sphere() : along));
    sequence.emplace_back(pose, next);
    if (first_contact({pair.a, sequence.back()}, {pair.b, pair.rest}).status != Status::Separated) break;
    if (!trembles) pose = next;
  }
  return sequence;
}

bool same_answers(const Pair& pair, const std::vector<Sequence>& sequences) {
  const double tolerance = resolved_tolerance(pair.a, pair.b);
  for (const Sequence& sequence : sequences) {
    ContactSolver solver(pair.a, pair.b);
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      const FirstContactResult cold = first_contact({pair.a, sequence[i]}, {pair.b, pair.rest});
      const FirstContactResult warm = solver.first_contact(sequence[i], pair.rest);
      if (cold.status != warm.status || cold.time != warm.time) return false;
      if (i % 16 != 0) continue;
      const double far = closest_approach({pair.a, sequence[i]}, {pair.b, pair.rest}).distance;
      if (std::abs(far - solver.closest_approach(sequence[i], pair.rest).distance) > 1.01 * tolerance)
        return false;
    }
  }
  return true;
}

// Asks every motion of every sequence; microseconds per query, the best of three.
template <typename Begin>
double timed(const std::vector<Sequence>& sequences, Begin&& begin) {
  double best = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::size_t count = 0;
    const double start = microseconds();
    for (const Sequence& sequence : sequences) {
      auto ask = begin();
      for (const RigidMotion& motion : sequence) ask(motion);
      count += sequence.size();
    }
    best = std::min(best, (microseconds() - start) / static_cast<double>(count));
  }
  return best;
}

struct Setting {
  bool trembles;
  double step, gap;
};

void print_row(const Scene& scene, const Pair& pair, const Setting& setting, int count) {
  Random random(11);
  std::vector<Sequence> sequences;
  for (int i = 0; i < count; ++i) {
    sequences.push_back(sequence_of(pair, random, setting.trembles, setting.step, setting.gap));
  }
  if (!same_answers(pair, sequences)) {
    std::fprintf(stderr, "rigid_sequences: %s: the answers differ\n", scene.name.c_str());
    std::exit(1);
  }
  const auto solver = [&] { return ContactSolver(pair.a, pair.b); };
  const double cold = timed(sequences, [&] {
    return [&](const RigidMotion& motion) { first_contact({pair.a, motion}, {pair.b, pair.rest}); };
  });
  const double warm = timed(sequences, [&] {
    return [&, s = solver()](const RigidMotion& motion) mutable { s.first_contact(motion, pair.rest); };
  });
  for (Sequence& sequence : sequences) sequence.resize(std::min<std::size_t>(sequence.size(), 25));
  const double closest_cold = timed(sequences, [&] {
    return [&](const RigidMotion& motion) { closest_approach({pair.a, motion}, {pair.b, pair.rest}); };
  });
  const double closest_warm = timed(sequences, [&] {
    return [&, s = solver()](const RigidMotion& motion) mutable { s.closest_approach(motion, pair.rest); };
  });
  std::printf("%s,%s,%g,%g,%.2f,%.2f,%.2f,%.1f,%.1f,%.2f\n", scene.name.c_str(),
              setting.trembles ? "tremble" : "walk", setting.step, setting.gap, cold, warm, cold / warm,
              closest_cold, closest_warm, closest_cold / closest_warm);
  std::fflush(stdout);
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  using namespace toccata;
  using namespace toccata::bench;
  const int count = argc == 3 && std::strcmp(argv[1], "--sequences") == 0 ? std::atoi(argv[2]) : 10;
  std::printf(
      "scene,sequence,step,gap,first_cold_us,first_warm_us,first_gain,closest_cold_us,closest_warm_us,"
      "closest_gain\n");
  for (const Scene& scene : all_scenes({})) {
    const Shape a(scene.a), b(scene.b);
    for (const bool trembles : {false, true}) {
      for (const double step : {0.002, 0.02}) {
        for (const double gap : {0.02, 0.2}) print_row(scene, {a, b}, {trembles, step, gap}, count);
      }
    }
  }
  return 0;
}
