#pragma once
// From the library's answers and motions to the records of a report.
#include <string>

#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/io/report.hpp"
#include "toccata/motion/motion.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/deformable_contact.hpp"
#include "toccata/report/first_contact_result.hpp"

namespace toccata {

// Linear and screw motions by their formulas, a fixed body by its pose, any other by `samples` + 1 poses and
// those at its breakpoints.
MotionRecord record_of(const Motion& motion, int samples = 128);

// Contacts of separated bodies are left out: no field of the answer speaks of them.
ResultRecord record_of(const FirstContactResult& answer);

// A distance at rest, between bodies 0 and 1.
ResultRecord record_of_distance(const Contact& closest);

FrameContactRecord record_of(const DeformableContact& contact);

// Embeds the mesh; `source` is the file it came from, or empty.
ShapeRecord record_of(const TriangleMesh& mesh, std::string name, std::string source = {});

}  // namespace toccata
