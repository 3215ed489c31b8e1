#pragma once
// What a subcommand is: it declares its options on a CLI11 subcommand and, when chosen, runs and returns
// the exit code (0 ran, 2 wrong use or bad input).
#include <CLI/CLI.hpp>
#include <functional>
#include <stdexcept>
#include <string>

namespace toccata::app {

using Run = std::function<int()>;

// Thrown for wrong use and bad input; main prints "toccata: message" on stderr and exits with 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One function a subcommand, each in its own file <name>_command.cpp; the chosen one sets `run`.
void add_demo_command(CLI::App& app, Run& run);

}  // namespace toccata::app
