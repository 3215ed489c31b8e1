#pragma once
// Parts to collide: in kind like the models of the C2A paper's Table I (club, gear, hammer, bunny), made
// here.
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::scenes {

TriangleMesh club(int rings, int around);                     // a bottle-shaped surface of revolution
TriangleMesh gear(int teeth, int steps_a_tooth, int layers);  // a toothed wheel with a bore
TriangleMesh hammer(int cells);                               // a handle through a head, as two boxes
TriangleMesh blob(int rings, int around);                     // a bumpy ball with two ears

}  // namespace toccata::scenes
