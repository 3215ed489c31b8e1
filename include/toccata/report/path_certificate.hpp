#pragma once
// Evidence that a robot on its path touches nothing: for every pair that matters, and at every time, a
// clearance that was proven. Whoever does not trust the proof can check it
// (proximity/verify_certificate.hpp).
#include <string>
#include <vector>

namespace toccata {

// From `begin` to `end` the two are at least `clearance` apart.
struct CertifiedSpan {
  double begin = 0.0;
  double end = 1.0;
  double clearance = 0.0;
};

struct CertifiedPair {
  std::string a;                          // a link, or what a link holds
  std::string b;                          // another one, or an obstacle
  bool with_scene = false;                // b is an obstacle
  std::vector<CertifiedSpan> spans = {};  // one after the other, from 0 to 1
};

struct PathCertificate {
  std::string robot_name;  // for a person
  // What it speaks of, by content: content_hash of each.
  std::string robot;
  std::string scene;
  std::string path;
  double clearance = 0.0;  // the least of all spans
  std::vector<CertifiedPair> pairs = {};
};

}  // namespace toccata
