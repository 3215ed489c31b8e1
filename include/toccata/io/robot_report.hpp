#pragma once
// The report of a robot on its path: its links move, what is in contact is told, and how far it is from
// everything at the times shown.
#include <span>
#include <vector>

#include "toccata/geometry/articulated_body.hpp"
#include "toccata/geometry/obstacle_scene.hpp"
#include "toccata/io/report.hpp"
#include "toccata/motion/joint_path.hpp"
#include "toccata/report/path_clearance_result.hpp"
#include "toccata/report/path_contact_result.hpp"
#include "toccata/report/path_intervals_result.hpp"

namespace toccata {

// When clearances are shown: way-points, and evenly between them.
std::vector<double> report_times(const JointPath& path);

// `distances`: of the robot from everything at report_times(path), or none.
// precondition: nothing is wrong with the robot, and the path is one of its own
Report path_contact_report(const ArticulatedBody& robot, const ObstacleScene& scene, const JointPath& path,
                           const PathContactResult& answer, std::span<const double> distances = {});
Report path_clearance_report(const ArticulatedBody& robot, const ObstacleScene& scene, const JointPath& path,
                             const PathClearanceResult& answer, std::span<const double> distances = {});
// One result per pair that touches, with its intervals.
Report path_intervals_report(const ArticulatedBody& robot, const ObstacleScene& scene, const JointPath& path,
                             const PathIntervalsResult& answer, std::span<const double> distances = {});

}  // namespace toccata
