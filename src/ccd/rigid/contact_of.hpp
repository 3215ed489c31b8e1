#pragma once
// The contact of two triangles at given poses, in world coordinates.
#include "toccata/base/pose.hpp"
#include "toccata/ccd/rigid/rigid_shape.hpp"
#include "toccata/report/contact.hpp"

namespace toccata {

Contact contact_of(const RigidShape& shape_a, const Pose& pose_a, std::int32_t triangle_a,
                   const RigidShape& shape_b, const Pose& pose_b, std::int32_t triangle_b);

}  // namespace toccata
