// The C++ half of the comparison: the same batch as compare.py asks from numpy arrays. Reads two meshes and a
// file of 4x4 matrices (all starts, then all ends), then answers every line of stdin with one pass: its CPU
// seconds, how many trials touch, and the sum of their times, which must be Python's to the bit.
// usage: bench_python_batch MESH_A MESH_B POSES
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/io/mesh_io.hpp"

namespace {

using namespace toccata;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<Pose> read_poses(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<Pose> poses;
  double m[16];
  while (file.read(reinterpret_cast<char*>(m), sizeof m)) {
    Pose pose;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) pose.rotation(i, j) = m[4 * i + j];
      pose.translation[i] = m[4 * i + 3];
    }
    poses.push_back(pose);
  }
  return poses;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: bench_python_batch MESH_A MESH_B POSES\n");
    return 2;
  }
  const Shape a(load_mesh(argv[1]).value());
  const Shape b(load_mesh(argv[2]).value());
  const std::vector<Pose> poses = read_poses(argv[3]);
  const std::size_t count = poses.size() / 2;
  // From poses to answers, the motions in between made and gone, as a call from Python does it.
  const auto answers = [&] {
    std::vector<BodyPair> pairs;
    pairs.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      pairs.push_back({{a, RigidMotion(poses[i], poses[count + i])}, {b}});
    return first_contacts(pairs, {.threads = 1});
  };
  for (std::string line; std::getline(std::cin, line);) {
    const double start = cpu_seconds();
    const std::vector<FirstContactResult> results = answers();
    const double seconds = cpu_seconds() - start;
    std::size_t touching = 0;
    double sum = 0.0;
    for (const FirstContactResult& result : results) {
      touching += result.status == Status::Contact || result.status == Status::OverlapAtStart;
      sum += result.time;
    }
    std::printf("%.9f %zu %.17g\n", seconds, touching, sum);
    std::fflush(stdout);
  }
  return 0;
}
