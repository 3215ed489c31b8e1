#pragma once
// What the tasks of this folder share: a robot in a scene from files, random edges, and thread time.
#include <string>

#include "toccata/base/random.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"

namespace toccata::bench {

struct Setting {
  ArticulatedBody body;
  ObstacleScene scene;
  RobotOptions options;
};

// Ends the program where a file cannot be read. Of the SRDF, "-" is none, and "bones" none for a robot whose
// links get bars in place of the few shapes they have. `tool`: the last link holds one of 100,000 triangles.
Setting load_setting(const std::string& urdf, const std::string& srdf, const std::string& scene,
                     bool tool = false);

// From anywhere within the limits, `length` at most by all joint values' distance.
JointEdge random_edge(const Kinematics& kinematics, double length, Random& random);

double thread_microseconds();

// The tasks; arguments as in robots.cpp.
int compare_edges(int argc, char** argv, bool tool);
int time_roadmap(int argc, char** argv);
int time_first_answer(int argc, char** argv);
int judge_edges(int argc, char** argv);

// A hand of two fingers with a ring and fine bumps, closed parts, about this many triangles.
TriangleMesh tool_mesh(int triangles);

}  // namespace toccata::bench
