#pragma once
// Reports of queries on two rigid bodies, with what a person wants to see besides the answer.
#include <optional>
#include <string>

#include "toccata/ccd/body.hpp"
#include "toccata/io/report.hpp"
#include "toccata/report/first_contact_result.hpp"

namespace toccata::app {

struct RigidSide {
  std::string name;
  std::string source;  // the mesh file, or empty
  const Body& body;
};

struct RigidReportOptions {
  std::optional<double> tolerance = {};
  int clearance_samples = 64;  // 0: none
  bool intervals = true;       // of contact
  int hierarchy_levels = 0;    // of the bodies' boxes, for looking at
};

// Bodies 0 and 1, no result yet. `method` and options are the caller's to add.
Report rigid_scene_report(const RigidSide& a, const RigidSide& b);

// The same with the answer of one query and what belongs to it: closest approach of bodies that stay apart,
// intervals of contact, sampled clearance, work. Asks the library for those: costs more than the query.
Report rigid_report(const RigidSide& a, const RigidSide& b, const FirstContactResult& answer,
                    const RigidReportOptions& options = {});

// "They first touch at t = 0.123456789." and so on, as the command line says it.
std::string rigid_sentence(const ResultRecord& result);

}  // namespace toccata::app
