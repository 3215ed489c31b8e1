// toccata completion bash|zsh|fish: the script that lets a shell complete commands, options and values.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <memory>

#include "command.hpp"
#include "command_tree.hpp"

namespace toccata::app {
namespace {

std::vector<std::string> all_names(const std::vector<ArgumentEntry>& options) {
  std::vector<std::string> names;
  for (const ArgumentEntry& option : options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// Positional arguments are files unless they are one of a set.
std::vector<std::string> positional_choices(const CommandEntry& command) {
  std::vector<std::string> choices;
  for (const ArgumentEntry& argument : command.positionals)
    choices.insert(choices.end(), argument.choices.begin(), argument.choices.end());
  return choices;
}

bool takes_files(const CommandEntry& command) {
  return !command.positionals.empty() && positional_choices(command).empty();
}

// ------------------------------------------------------------------------------------------------ bash

std::string bash_case_of_value(const ArgumentEntry& option) {
  const std::string names = fmt::format("{}", fmt::join(option.names, "|"));
  if (!option.choices.empty())
    return fmt::format("        {}) _toccata_words '{}'; return ;;\n", names, fmt::join(option.choices, " "));
  return fmt::format("        {}) {}return ;;\n", names, option.takes_file() ? "_toccata_files; " : "");
}

std::string bash_case(const CommandEntry& command) {
  std::string text = fmt::format("    {})\n", command.name);
  std::string values;
  for (const ArgumentEntry& option : command.options) {
    if (!option.value.empty()) values += bash_case_of_value(option);
  }
  if (!values.empty()) text += "      case $previous in\n" + values + "      esac\n";
  text += fmt::format("      if [[ $current == -* ]]; then _toccata_words '{}'\n",
                      fmt::join(all_names(command.options), " "));
  if (takes_files(command)) {
    text += "      else _toccata_files\n";
  } else {
    text += fmt::format("      else _toccata_words '{}'\n", fmt::join(positional_choices(command), " "));
  }
  return text + "      fi ;;\n";
}

std::string bash_script(const CommandTree& tree) {
  std::vector<std::string> top;
  for (const CommandEntry& command : tree.commands) top.push_back(command.name);
  std::string text = R"(# bash completion for toccata, made by `toccata completion bash`
_toccata_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_toccata_files() { mapfile -t COMPREPLY < <(compgen -f -- "$current"); }
_toccata() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= i
  COMPREPLY=()
  # --option=value comes as three words
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi
  done
  case $command in
)";
  text += fmt::format("    '') _toccata_words '{} {}' ;;\n", fmt::join(top, " "),
                      fmt::join(all_names(tree.options), " "));
  for (const CommandEntry& command : tree.commands) text += bash_case(command);
  return text + "  esac\n}\ncomplete -o filenames -F _toccata toccata\n";
}

// ------------------------------------------------------------------------------------------------ zsh

std::string escaped(const std::string& text, const std::string& special) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += ' ';
    } else if (c == '\'') {
      result += "'\\''";
    } else {
      if (special.find(c) != std::string::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

std::string zsh_value(const ArgumentEntry& argument) {
  if (!argument.choices.empty()) return fmt::format("({})", fmt::join(argument.choices, " "));
  return argument.names.empty() || argument.takes_file() ? "_files" : " ";
}

std::string zsh_case(const CommandEntry& command) {
  std::string text = fmt::format("    {})\n      _arguments", command.name);
  for (const ArgumentEntry& option : command.options) {
    for (const std::string& name : option.names) {
      const std::string equals = !option.value.empty() && name.starts_with("--") ? "=" : "";
      text += fmt::format(" \\\n        '{}{}[{}]", name, equals, escaped(option.description, "[]:\\"));
      if (!option.value.empty()) text += fmt::format(":{}:{}", option.value, zsh_value(option));
      text += "'";
    }
  }
  for (const ArgumentEntry& argument : command.positionals) {
    text += fmt::format(" \\\n        '{}:{}:{}'", argument.repeated ? "*" : "", argument.value,
                        zsh_value(argument));
  }
  return text + " ;;\n";
}

std::string zsh_script(const CommandTree& tree) {
  std::string text =
      "#compdef toccata\n# zsh completion for toccata, made by `toccata completion zsh`\n_toccata() {\n";
  text += "  local -a commands\n  commands=(\n";
  for (const CommandEntry& command : tree.commands)
    text += fmt::format("    '{}:{}'\n", command.name, escaped(command.description, ":\\"));
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe -t commands command commands\n";
  text += fmt::format("    compadd -- {}\n    return\n  fi\n", fmt::join(all_names(tree.options), " "));
  text += "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandEntry& command : tree.commands) text += zsh_case(command);
  return text +
         "  esac\n}\n"
         "# Loaded by the completion system as _toccata, or sourced by hand.\n"
         "if [[ $funcstack[1] == _toccata ]]; then _toccata \"$@\"; else compdef _toccata toccata; fi\n";
}

// ------------------------------------------------------------------------------------------------ fish

std::string fish_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "'";
}

std::string fish_option(const std::string& condition, const ArgumentEntry& option) {
  std::string text = "complete -c toccata -n " + condition;
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.choices.empty()) {
    text += fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
  } else if (!option.value.empty()) {
    text += option.takes_file() ? " -r -F" : " -x";
  }
  return text + " -d " + fish_quoted(option.description) + "\n";
}

std::string fish_script(const CommandTree& tree) {
  std::string text = "# fish completion for toccata, made by `toccata completion fish`\n";
  const std::string none = "__fish_use_subcommand";
  for (const CommandEntry& command : tree.commands) {
    text += fmt::format("complete -c toccata -f -n {} -a {} -d {}\n", none, command.name,
                        fish_quoted(command.description));
  }
  for (const ArgumentEntry& option : tree.options) text += fish_option(none, option);
  for (const CommandEntry& command : tree.commands) {
    const std::string seen = fmt::format("'__fish_seen_subcommand_from {}'", command.name);
    for (const ArgumentEntry& option : command.options) text += fish_option(seen, option);
    if (takes_files(command)) {
      text += fmt::format("complete -c toccata -n {} -F\n", seen);
    } else {
      text += fmt::format("complete -c toccata -n {} -f -a '{}'\n", seen,
                          fmt::join(positional_choices(command), " "));
    }
  }
  return text;
}

}  // namespace

Command completion_command() {
  const auto shell = std::make_shared<std::string>();
  Command command{.name = "completion", .description = "Print the script that completes commands in a shell"};
  command.options = {{.names = "SHELL",
                      .target = shell.get(),
                      .help = "Which shell",
                      .required = true,
                      .choices = {"bash", "zsh", "fish"}}};
  command.footer =
      "Examples:\n"
      "  source <(toccata completion bash)                                  # this shell; or in ~/.bashrc\n"
      "  toccata completion zsh > ~/.zfunc/_toccata                         # a folder in $fpath\n"
      "  toccata completion fish > ~/.config/fish/completions/toccata.fish\n";
  command.describe = [shell](const CommandTree& tree) {
    fmt::print("{}", *shell == "bash"  ? bash_script(tree)
                     : *shell == "zsh" ? zsh_script(tree)
                                       : fish_script(tree));
    return 0;
  };
  return command;
}

}  // namespace toccata::app
