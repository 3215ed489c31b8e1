#pragma once
// The contact of two triangles at given poses, in world coordinates.
#include "toccata/base/pose.hpp"
#include "toccata/hierarchy/shape.hpp"
#include "toccata/report/contact.hpp"

namespace toccata::proximity {

Contact contact_of(const Shape& shape_a, const Pose& pose_a, std::int32_t triangle_a, const Shape& shape_b,
                   const Pose& pose_b, std::int32_t triangle_b);

}  // namespace toccata::proximity
