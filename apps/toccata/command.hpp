#pragma once
// What a subcommand is: it declares its options on a CLI11 subcommand and, when chosen, runs and returns
// the exit code (see ending.hpp).
#include <CLI/CLI.hpp>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

namespace toccata::app {

using Run = std::function<int()>;

// Thrown for wrong use and bad input; main prints "toccata: message" on stderr and exits with 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A validator for numbers: finite and not below `least` (CLI11's own let NaN pass).
inline CLI::Validator finite_at_least(double least) {
  return CLI::Validator(
      [least](std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value >= least) return "";
        return "expected a finite number not below " + CLI::detail::to_string(least) + ", found " + text;
      },
      "");
}

// One function a subcommand, each in its own file <name>_command.cpp; the chosen one sets `run`.
void add_demo_command(CLI::App& app, Run& run);
void add_impact_command(CLI::App& app, Run& run);
void add_queries_command(CLI::App& app, Run& run);
void add_view_command(CLI::App& app, Run& run);
void add_distance_command(CLI::App& app, Run& run);
void add_intersect_command(CLI::App& app, Run& run);
void add_sequence_command(CLI::App& app, Run& run);
void add_completion_command(CLI::App& app, Run& run);
void add_man_command(CLI::App& app, Run& run);

}  // namespace toccata::app
