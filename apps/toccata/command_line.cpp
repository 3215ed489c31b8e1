// The one file that knows CLI11: it declares what the commands say of themselves, parses, and reads the
// declarations back for completion and the manual.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <type_traits>

#include "command.hpp"
#include "command_tree.hpp"

namespace toccata::app {
namespace {

// Finite and within the bounds (CLI11's own validators let NaN pass).
CLI::Validator within_bounds(double least, std::optional<double> most) {
  return CLI::Validator(
      [least, most](std::string& text) -> std::string {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
        if (is_number && value >= least && (!most || value <= *most)) return "";
        const std::string above = most ? fmt::format(" and not above {}", *most) : std::string();
        return fmt::format("expected a finite number not below {}{}, found {}", least, above, text);
      },
      "");
}

CLI::Option* declared(CLI::App& command, const Option& option) {
  return std::visit(
      [&](auto* target) {
        using Value = std::remove_pointer_t<decltype(target)>;
        if constexpr (std::is_same_v<Value, bool>) {
          return command.add_flag(option.names, *target, option.help);
        } else {
          return command.add_option(option.names, *target, option.help);
        }
      },
      option.target);
}

void declare(CLI::App& command, const Option& option) {
  CLI::Option* added = declared(command, option);
  added->required(option.required);
  if (!option.value.empty()) added->type_name(option.value);
  if (!option.choices.empty()) added->check(CLI::IsMember(option.choices));
  if (option.least) added->check(within_bounds(*option.least, option.most));
  if (option.shows_default) added->capture_default_str();
  if (!option.excludes.empty()) added->excludes(command.get_option(option.excludes));
  if (!option.group.empty()) added->group(option.group);
}

// CLI11 describes a set of choices as "TEXT:{a,b}".
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::vector<std::string> choices;
  std::istringstream list(type.substr(begin + 1, end - begin - 1));
  for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
  return choices;
}

std::string value_name(const CLI::Option& option, const std::vector<std::string>& choices) {
  if (option.get_items_expected_max() == 0) return "";
  if (!choices.empty()) return "NAME";
  const std::string type = option.get_type_name();
  return type.substr(0, type.find_first_of(" :"));
}

ArgumentEntry entry_of(const CLI::Option& option) {
  ArgumentEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.choices = choices_of(option.get_type_name());
  entry.value = option.get_positional() ? option.get_name(true) : value_name(option, entry.choices);
  entry.required = option.get_required();
  entry.repeated = option.get_items_expected_max() > 1;
  entry.description = option.get_description();
  entry.default_value = option.get_default_str();
  return entry;
}

void add_arguments(const CLI::App& app, std::vector<ArgumentEntry>* positionals,
                   std::vector<ArgumentEntry>& options) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) {
      options.push_back(entry_of(*option));
    } else if (positionals != nullptr) {
      positionals->push_back(entry_of(*option));
    }
  }
}

CommandTree command_tree(const CLI::App& app) {
  CommandTree tree;
  tree.description = app.get_description();
  tree.footer = app.get_footer();
  add_arguments(app, nullptr, tree.options);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandEntry entry;
    entry.name = command->get_name();
    entry.description = command->get_description();
    entry.footer = command->get_footer();
    add_arguments(*command, &entry.positionals, entry.options);
    tree.commands.push_back(std::move(entry));
  }
  return tree;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const std::vector<Command>& commands) {
  CLI::App app("Toccata: do moving shapes touch, when first, where, and how close do they come.", "toccata");
  app.set_version_flag("--version", "toccata " TOCCATA_VERSION);
  app.require_subcommand(0, 1);
  const Command* chosen = nullptr;
  for (const Command& command : commands) {
    CLI::App* added = app.add_subcommand(command.name, command.description);
    for (const Option& option : command.options) declare(*added, option);
    added->footer(command.footer);
    added->callback([&command, &chosen] { chosen = &command; });
  }
  app.footer(
      "Each command prints a result for people, or JSON with --json. Exit code 0: it ran; 1: with --check,\n"
      "there is a contact; 2: wrong use or bad input; 130: stopped by Ctrl-C.\n");
  try {
    app.parse(argc, argv);
    if (chosen != nullptr) {
      if (chosen->check) chosen->check();
      return chosen->describe ? chosen->describe(command_tree(app)) : chosen->run();
    }
    fmt::print(stderr, "toccata: expected a command\n\n{}", app.help());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const auto parsed = app.get_subcommands();
    const bool unknown = parsed.empty() && argc > 1 && argv[1][0] != '-';
    fmt::print(stderr, "toccata: {}\nRun `toccata{} --help` for more.\n",
               unknown ? fmt::format("there is no command '{}'", argv[1]) : error.what(),
               parsed.empty() ? "" : " " + parsed.front()->get_name());
  } catch (const std::exception& error) {  // UsageError, or no memory
    fmt::print(stderr, "toccata: {}\n", error.what());
  }
  return 2;
}

}  // namespace toccata::app
