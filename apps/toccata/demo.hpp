#pragma once
// The built-in scenes of `toccata demo`: one function a scene, each in its own file <name>_demo.cpp, listed
// in demo_command.cpp. The first of the list is what `make run` shows.
#include "report_options.hpp"

namespace toccata::app {

struct DemoOptions {
  bool json = false;
  ReportOptions output;  // unless something else was asked for, a page in the folder for temporary files
};

// Prints the result on stdout; returns the exit code.
int run_torus_knots_demo(const DemoOptions& options);
int run_sheet_and_ball_demo(const DemoOptions& options);
int run_robot_demo(const DemoOptions& options);

}  // namespace toccata::app
