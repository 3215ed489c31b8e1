#pragma once
// The file protocol of the benchmark, for adapters in C++: CASES.jsonl in, ANSWERS.jsonl out
// (docs/benchmark.md).
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace truth {

using Json = nlohmann::json;

struct Mesh {
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<int, 3>> faces;
};

inline Mesh read_off(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  std::size_t vertices = 0, faces = 0, edges = 0;
  file >> word >> vertices >> faces >> edges;
  Mesh mesh{std::vector<std::array<double, 3>>(vertices), std::vector<std::array<int, 3>>(faces)};
  for (auto& v : mesh.vertices) {
    for (double& x : v) {
      file >> word;
      x = std::stod(word);
    }
  }
  for (auto& f : mesh.faces) file >> edges >> f[0] >> f[1] >> f[2];
  if (!file) throw std::runtime_error(path + ": no mesh that can be read");
  return mesh;
}

struct RigidPose {
  std::array<std::array<double, 3>, 3> rotation;
  std::array<double, 3> translation;
};

// Where a motion of the benchmark is at time t: position + t velocity, exp(t [spin]) rotation.
inline RigidPose pose_at(const Json& motion, double t) {
  const auto place = motion["position"].get<std::array<double, 3>>();
  const auto velocity = motion["velocity"].get<std::array<double, 3>>();
  const auto spin = motion["spin"].get<std::array<double, 3>>();
  const auto start = motion["rotation"].get<std::array<std::array<double, 3>, 3>>();
  const double speed = std::hypot(spin[0], spin[1], spin[2]), c = std::cos(t * speed),
               s = std::sin(t * speed);
  RigidPose pose{start, place};
  for (std::size_t i = 0; i < 3; ++i) pose.translation[i] += t * velocity[i];
  if (speed == 0.0) return pose;
  const double x = spin[0] / speed, y = spin[1] / speed, z = spin[2] / speed, d = 1.0 - c;
  const double turn[3][3] = {{c + d * x * x, d * x * y - s * z, d * x * z + s * y},
                             {d * y * x + s * z, c + d * y * y, d * y * z - s * x},
                             {d * z * x - s * y, d * z * y + s * x, c + d * z * z}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      pose.rotation[i][k] = turn[i][0] * start[0][k] + turn[i][1] * start[1][k] + turn[i][2] * start[2][k];
  }
  return pose;
}

// For methods that turn from pose to pose by the shorter way: into how many pieces of less than 2 radians two
// motions are cut.
inline int pieces_of_turn(const Json& motion_a, const Json& motion_b) {
  double turn = 0.0;
  for (const Json* motion : {&motion_a, &motion_b}) {
    const auto spin = (*motion)["spin"].get<std::array<double, 3>>();
    turn = std::max(turn, std::hypot(spin[0], spin[1], spin[2]));
  }
  return std::max(1, static_cast<int>(std::ceil(turn / 2.0)));
}

// The first contact of two bodies of a world.
struct Event {
  int a, b;
  double time;
};

struct Answer {
  bool contact = false;
  double time = -1.0;         // of the first contact, if not negative
  double distance = -1.0;     // at rest, if not negative
  std::vector<Event> events;  // of a world
};

// ask(case) returns a function that answers it: what is prepared before is not timed.
inline int run(int argc, char** argv, const std::vector<std::string>& questions,
               const std::function<std::function<Answer()>(const Json&)>& ask) {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " CASES.jsonl ANSWERS.jsonl\n";
    return 2;
  }
  std::ifstream in(argv[1]);
  std::ofstream out(argv[2]);
  std::string line;
  while (std::getline(in, line)) {
    const Json given = Json::parse(line);
    const std::string question = given["question"];
    if (std::find(questions.begin(), questions.end(), question) == questions.end()) continue;
    Json answer = {{"id", given["id"]}};
    try {
      const std::function<Answer()> asked = ask(given);
      const auto start = std::chrono::steady_clock::now();
      const Answer found = asked();
      answer["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      answer["status"] = found.contact ? "contact" : "free";
      if (found.contact && found.time >= 0.0) answer["time"] = found.time;
      if (found.distance >= 0.0) answer["distance"] = found.distance;
      if (question == "events") {
        answer["events"] = Json::array();
        for (const Event& e : found.events)
          answer["events"].push_back({{"a", e.a}, {"b", e.b}, {"time", e.time}});
      }
    } catch (const std::exception& error) {
      answer["status"] = "failed";
    }
    out << answer.dump() << '\n';
  }
  return 0;
}

}  // namespace truth
