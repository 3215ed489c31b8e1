#pragma once
// A path that is free, with the evidence: time spans and pairs with a proven clearance each, which
// verify_certificate checks on its own.
//
//   const ArticulatedBody arm;
//   const RobotInScene robot = RobotInScene::build(arm).value();
//   const std::vector<std::vector<double>> way_points = {{0.0}, {1.0}};
//   const CertifiedPath found = certify_path(robot, JointPath::straight(way_points).value());
//   if (found.contact.status == Status::Separated) std::printf("%g\n", found.certificate.clearance);
#include <cstdio>
#include <optional>

#include "toccata/base/stop.hpp"
#include "toccata/ccd/articulated/robot_in_scene.hpp"
#include "toccata/report/path_certificate.hpp"
#include "toccata/report/path_contact_result.hpp"

namespace toccata {

struct CertifyPathOptions {
  double minimum_distance = 0.0;  // > 0: proves that all pairs stay this far apart, beside their paddings
  // Of each distance on the way, so much is written down: more makes more spans. Above 0, below 1.
  double share = 0.5;
  int threads = 0;  // 0 = all cores
  Stop stop = {};
};

struct CertifiedPath {
  PathContactResult contact;    // of path_contact: Separated, or why there is no certificate
  PathCertificate certificate;  // holds if Separated
};

// Half a millisecond to a few tenths of a second for an arm, by how close it comes to things. The
// certificate is the same whatever the number of threads.
CertifiedPath certify_path(const RobotInScene& robot, const JointPath& path,
                           const CertifyPathOptions& options = {});

}  // namespace toccata
