#pragma once
// Does a certificate hold? Asked of the robot, the scene and the path themselves, by means that share nothing
// with the search that found them free: links enclosed by interval arithmetic, and exact distances at
// moments. The layers of the library keep it so: this stage cannot see that search.
//
//   const ArticulatedBody arm;  const ObstacleScene room;      // load_urdf, load_scene
//   const PathCertificate certificate;                          // read_certificate, say
//   const std::vector<std::vector<double>> way_points = {{0.0}, {1.0}};
//   const JointPath path = JointPath::straight(way_points).value();
//   const CertificateCheck found = verify_certificate(arm, room, path, certificate);
//   if (!found.valid) std::puts(found.reason.c_str());
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/geometry/articulated_body.hpp"
#include "toccata/geometry/obstacle_scene.hpp"
#include "toccata/motion/joint_path.hpp"
#include "toccata/report/path_certificate.hpp"

namespace toccata {

struct VerifyCertificateOptions {
  // Pairs whose contact does not matter, beside those of the scene: all others must be in the certificate.
  std::vector<AllowedPair> allowed = {};
  bool adjacent_allowed = true;   // links with one joint between them may touch
  bool self_contact = true;       // pairs of links matter at all
  double minimum_distance = 0.0;  // a span with less is not enough
  int threads = 0;                // 0 = all cores
  Stop stop = {};                 // what is not confirmed by then is not confirmed
};

struct CertificateCheck {
  bool valid = false;
  std::string reason;          // why not, for a person; empty if it is
  double clearance = 0.0;      // confirmed for all pairs and all times, if valid
  std::int64_t pairs = 0;      // that matter
  std::int64_t spans = 0;      // of them in the certificate
  std::int64_t distances = 0;  // how often a distance was asked for
  double microseconds = 0.0;   // that the check took, by the clock
};

// Valid: the hashes are those of what is given; every pair that matters is there; its spans leave no time
// out; in each of them the two are at least as far apart as it says, in real arithmetic on the numbers as
// given; and no link is inside a closed mesh at the start.
CertificateCheck verify_certificate(const ArticulatedBody& robot, const ObstacleScene& scene,
                                    const JointPath& path, const PathCertificate& certificate,
                                    const VerifyCertificateOptions& options = {});

}  // namespace toccata
