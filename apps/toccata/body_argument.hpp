#pragma once
// A body as people name it on the command line: a mesh file, or a shape in one word ("box:1,2,3"). The one
// place that makes a shape of such a word.
#include <string>
#include <utility>

#include "command.hpp"
#include "toccata/io/query_report.hpp"

namespace toccata::app {

// The positional argument `name` (A or B).
Option body_option(const std::string& name, std::string& target);

// "Shapes: box:x,y,z ...", for the end of a help.
std::string shapes_help();

// What is asked of triangles alone: a mesh file, or a shape whose surface they are. Throws UsageError.
TriangleMesh mesh_argument(const std::string& body);

// The file that is read for the body: itself, that of hull:points.obj, or none.
std::string file_of(const std::string& body);

// The names of two bodies: those of their files or kinds, or A and B where these do not tell them apart.
BodyNames names_of(const std::string& body_a, const std::string& body_b);

// Two bodies where they stand. One argument given twice is one shape. Throws UsageError.
std::pair<ReportBody, ReportBody> load_bodies(const std::string& body_a, const std::string& body_b);

}  // namespace toccata::app
