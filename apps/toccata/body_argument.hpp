#pragma once
// A body as people name it on the command line: a mesh file. The one place that makes a shape of such a word.
#include <string>
#include <utility>

#include "command.hpp"
#include "toccata/io/query_report.hpp"

namespace toccata::app {

// The positional argument `name` (A or B).
Option body_option(const std::string& name, std::string& target);

// The names of two bodies: those of their files, or A and B where these do not tell them apart.
BodyNames names_of(const std::string& body_a, const std::string& body_b);

// Two bodies where they stand. One argument given twice is one shape. Throws UsageError.
std::pair<ReportBody, ReportBody> load_bodies(const std::string& body_a, const std::string& body_b);

}  // namespace toccata::app
