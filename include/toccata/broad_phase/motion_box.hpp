#pragma once
// The box that a moving shape stays in.
#include "toccata/bound/aabb.hpp"
#include "toccata/hierarchy/shape.hpp"
#include "toccata/motion/motion.hpp"

namespace toccata {

// Holds every point of the shape at every t in [begin, end], the motion's own error and all roundings
// included. Empty (lower > upper) if the shape has no pieces; infinite where the motion cannot be bounded.
// precondition: 0 <= begin <= end <= 1. The motion must be finite.
Aabb motion_box(const Shape& shape, const Motion& motion, double begin = 0.0, double end = 1.0);

// The same at rest: the smallest box up to rounding for a hull of up to 64 corners, a ball or a capsule, else
// what the shape's oriented box and ball have in common.
Aabb pose_box(const Shape& shape, const Pose& pose);

}  // namespace toccata
