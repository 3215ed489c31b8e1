#pragma once
// What a subcommand is: plain data that says which options it takes and what it does. command_line.cpp alone
// knows the parser.
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace toccata::app {

struct CommandTree;

// Thrown for wrong use and bad input; main prints "toccata: message" on stderr and exits with 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Where the value goes; its type says what is accepted. bool: a flag.
using OptionTarget = std::variant<bool*, int*, std::int64_t*, std::size_t*, double*, std::optional<double>*,
                                  std::string*, std::vector<std::string>*>;

struct Option {
  std::string names;  // "--to", "-o,--output", or "A": without dashes it is positional
  OptionTarget target;
  std::string help;
  std::string value = {};  // what stands for it in the help: "FILE", "POSE"
  bool required = false;
  bool shows_default = false;
  std::vector<std::string> choices = {};  // only these are accepted
  std::optional<double> least = {};       // of numbers, which must be finite then
  std::optional<double> most = {};
  std::string excludes = {};  // an option that cannot be given, too
  std::string group = {};     // of the help
};

struct Command {
  std::string name;
  std::string description;
  std::string footer = {};  // what the help says last: remarks and examples
  std::vector<Option> options = {};
  std::function<void()> check = {};  // after parsing, before the work; throws UsageError
  std::function<int()> run = {};     // returns the exit code (see ending.hpp)
  // Instead of `run`, for commands that speak of the program itself.
  std::function<int(const CommandTree&)> describe = {};
};

// One function per subcommand, each in its own file <name>_command.cpp.
Command impact_command();
Command clearance_command();
Command intervals_command();
Command sequence_command();
Command distance_command();
Command intersect_command();
Command penetration_command();
Command field_command();
Command voronoi_command();
Command spheres_command();
Command medial_command();
Command parts_command();
Command world_command();
Command robot_command();
Command batch_command();
Command queries_command();
Command view_command();
Command demo_command();
Command completion_command();
Command man_command();

// Parses, runs the chosen command and returns the exit code.
int run_command_line(int argc, const char* const* argv, const std::vector<Command>& commands);

}  // namespace toccata::app
