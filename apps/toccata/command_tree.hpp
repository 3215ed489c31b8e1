#pragma once
// The program's commands and options as plain data, read from the parser itself (command_line.cpp): what is
// made from it (shell completion, the man page) cannot fall behind.
#include <string>
#include <vector>

namespace toccata::app {

// An option, a flag (no value) or a positional argument (no names).
struct ArgumentEntry {
  std::vector<std::string> names;    // "-o", "--output"
  std::string value;                 // "FILE", "NUMBER", ...; empty for a flag
  std::vector<std::string> choices;  // where only these are accepted
  bool required = false;
  bool repeated = false;
  std::string description;
  std::string default_value;

  bool takes_file() const { return value == "FILE" || value == "FILES"; }
};

struct CommandEntry {
  std::string name;
  std::string description;
  std::vector<ArgumentEntry> positionals;
  std::vector<ArgumentEntry> options;
  std::string footer;  // what the help says last: remarks and examples
};

struct CommandTree {
  std::string description;
  std::string footer;
  std::vector<ArgumentEntry> options;  // of the program itself
  std::vector<CommandEntry> commands;
};

}  // namespace toccata::app
