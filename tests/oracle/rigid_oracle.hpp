#pragma once
// First contact of two small moving meshes the slow way: every pair of triangles at many times. Nothing of
// the library is used beyond plain data and the motion's pose.
#include <functional>

#include "toccata/base/pose.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::oracle {

using PoseAt = std::function<Pose(double)>;

// Do the surfaces meet? By edges piercing triangles with a margin of 1e-9 of the size: a yes is sure.
bool surely_intersect(const TriangleMesh& a, const Pose& pose_a, const TriangleMesh& b, const Pose& pose_b);

// Smallest distance of the surfaces (0 where an edge pierces), over all pairs of triangles.
double mesh_distance(const TriangleMesh& a, const Pose& pose_a, const TriangleMesh& b, const Pose& pose_b);

// An upper bound on the first time of contact: the first of `samples` + 1 evenly spaced times with a sure
// intersection, bisected back; 2 if none is found (which proves nothing).
double first_contact_upper(const TriangleMesh& a, const PoseAt& pose_a, const TriangleMesh& b,
                           const PoseAt& pose_b, int samples);

}  // namespace toccata::oracle
