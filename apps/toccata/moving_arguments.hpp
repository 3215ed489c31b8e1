#pragma once
// What impact, clearance and intervals are told of two moving bodies, and the bodies made of it.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "motion_argument.hpp"
#include "report_options.hpp"
#include "toccata/base/stop.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/ccd/body.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/io/report_record.hpp"

namespace toccata::app {

struct MovingArguments {
  std::string body_a, body_b;
  MotionArguments motion_a{.suffix = ""}, motion_b{.suffix = "-b"};
  std::string motion = "linear";
  std::string quaternion = "wxyz";
  bool solid = false;
  bool surface = false;
  std::optional<double> tolerance;
  double relative_tolerance = tolerances::relative_contact;
  std::int64_t budget = 0;
  double seconds = 0.0;
  bool json = false;
  bool csv = false;
  bool check = false;
  ReportOptions output;

  bool prints_sentences() const { return !json && !csv; }
};

// A and B, their motions, --solid, --surface and the tolerances.
void add_moving_options(MovingArguments& arguments, Command& command);
// --budget, --seconds, --json, --csv, --check, and those of reports; `inputs` are files that the command
// reads beside A, B and paths.
void add_answer_options(MovingArguments& arguments, Command& command, InputFiles inputs = {});

// Both bodies with their shapes, names and motions.
struct MovingPair {
  ReportBody a, b;

  BodyNames names() const { return {a.name, b.name}; }
  MeshPair meshes() const { return meshes_of(a, b); }
  Body body_a() const { return {a.shape, a.motion, a.solid}; }
  Body body_b() const { return {b.shape, b.motion, b.solid}; }
};

MotionReading reading_of(const MovingArguments& arguments);

// Throw UsageError for bodies that cannot be read, motions that contradict themselves, tolerances that are 0.
// `moving_pair` also where neither body moves.
MovingPair moving_pair(const MovingArguments& arguments, const std::string& command);
// With the motion of B alone: that of A is another matter.
MovingPair pair_with_motion_of_b(const MovingArguments& arguments);

// The tolerance, motions and kinds of the bodies, as the report shows them to a person.
void describe_question(const MovingArguments& arguments, const MovingPair& pair, Report& report);

// --seconds, and Ctrl-C within an InterruptScope.
Stop stop_of(const MovingArguments& arguments);

// motion_a, motion_b, solid_a, solid_b.
void add_question(const MovingPair& pair, JsonObject& json);

}  // namespace toccata::app
