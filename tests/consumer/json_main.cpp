// The component json: a report of an answer, written and read back.
#include <Eigen/Geometry>
#include <toccata/io/report_json.hpp>
#include <toccata/toccata.hpp>

int main() {
  using namespace toccata;
  const TriangleMesh triangle = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const Expected<Pose> end = pose_from_matrix(Eigen::Matrix4d::Identity());
  if (!end) return 1;
  const RigidMotion fall(Eigen::Isometry3d(Eigen::Translation3d(0, 0, 1)), *end);
  const FirstContactResult found = first_contact({triangle, fall}, {triangle});
  const Report report = first_contact_report({"falling", triangle, fall}, {"resting", triangle}, found);
  return found.status == Status::Contact && to_json(report).find("They first touch") != std::string::npos ? 0
                                                                                                          : 1;
}
