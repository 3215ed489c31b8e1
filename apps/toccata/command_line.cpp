// The one file that knows CLI11: it declares what the commands say of themselves, parses, and reads the
// declarations back for completion and the manual.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <limits>
#include <numeric>
#include <span>
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

// The same of whole numbers, which must also fit.
CLI::Validator whole_number(double least, std::optional<double> most, double largest) {
  return CLI::Validator(
      [least, most = std::min(most.value_or(largest), largest)](std::string& text) -> std::string {
        long long value = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + text.starts_with('+'), end, value);
        const auto number = static_cast<double>(value);
        if (error == std::errc() && stop == end && number >= least && number <= most) return "";
        return fmt::format("expected a whole number from {} to {:.6g}, found {}", least, most,
                           text.size() > 24 ? text.substr(0, 20) + "..." : text);
      },
      "");
}

// Numbers are checked against their bounds before they are stored.
void check_number(const Option& option, CLI::Option& added) {
  std::visit(
      [&](auto* target) {
        using Value = std::remove_pointer_t<decltype(target)>;
        if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
          added.check(whole_number(option.least.value_or(0.0), option.most,
                                   static_cast<double>(std::numeric_limits<Value>::max())));
        } else {
          if (option.least) added.check(within_bounds(*option.least, option.most));
        }
      },
      option.target);
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
  check_number(option, *added);
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

bool is_number(const std::string& text) {
  double value = 0;
  return !text.empty() && CLI::detail::lexical_cast(text, value);
}

// Letters to change, add or leave out to get from one word to the other.
std::size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t changed = corner + (a[i] == b[k] ? 0 : 1);
      corner = row[k + 1];
      row[k + 1] = std::min({changed, row[k] + 1, corner + 1});
    }
  }
  return row.back();
}

// What people type who know the thing under another name.
struct OtherName {
  std::string_view typed;
  std::string_view meant;
};
constexpr OtherName other_names[] = {
    {"closest", "clearance"},
    {"closest_approach", "clearance"},
    {"closest-approach", "clearance"},
    {"approach", "clearance"},
    {"collide", "impact"},
    {"collision", "impact"},
    {"ccd", "impact"},
    {"toi", "impact"},
    {"contact", "impact"},
    {"first_contact", "impact"},
    {"first-contact", "impact"},
    {"touch", "impact"},
    {"check", "impact"},
    {"contact_intervals", "intervals"},
    {"overlap", "intersect"},
    {"contains", "intersect"},
    {"depth", "penetration"},
    {"penetrate", "penetration"},
    {"penetrates", "penetration"},
    {"cloth", "sequence"},
    {"frames", "sequence"},
    {"show", "view"},
    {"open", "view"},
    {"page", "view"},
    {"example", "demo"},
    {"version", "--version"},
    {"--end", "--to"},
    {"--goal", "--to"},
    {"--target", "--to"},
    {"--pose", "--to"},
    {"--pose", "--pose-a"},
    {"--pose-a", "--from"},
    {"--pose-b", "--from-b"},
    {"--from-a", "--pose-a"},
    {"--from-a", "--from"},
    {"--from-b", "--pose-b"},
    {"--at", "--pose-a"},
    {"--at-a", "--pose-a"},
    {"--at-b", "--pose-b"},
    {"--to-a", "--to"},
    {"--start", "--from"},
    {"--rotate", "--turn"},
    {"--rotation", "--turn"},
    {"--angle", "--turn"},
    {"--translate", "--velocity"},
    {"--move", "--velocity"},
    {"--direction", "--velocity"},
    {"--trajectory", "--path"},
    {"--poses", "--path"},
    {"--motions", "--trials"},
    {"--batch", "--trials"},
    {"--eps", "--tolerance"},
    {"--epsilon", "--tolerance"},
    {"--margin", "--minimum-distance"},
    {"--margin", "--within"},
    {"--clearance", "--minimum-distance"},
    {"--distance", "--minimum-distance"},
    {"--timeout", "--seconds"},
    {"--time-budget", "--seconds"},
    {"--time-limit", "--seconds"},
    {"--jobs", "--threads"},
    {"--output", "--page"},
    {"--out", "--page"},
    {"--html", "--page"},
    {"--browser", "--open"},
    {"--show", "--open"},
    {"--table", "--csv"},
    {"--overwrite", "--force"},
};

// "; did you mean --to?", or nothing if no name is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  for (const OtherName& other : other_names) {
    const bool is_name =
        std::find(names.begin(), names.end(), other.meant) != names.end() || other.meant == "--version";
    if (word == other.typed && is_name) return fmt::format("; did you mean {}?", other.meant);
  }
  std::string nearest;
  std::size_t fewest = 1 + word.size() / 3;
  for (const std::string& name : names) {
    const bool starts = word.size() > 2 && name.starts_with(word);
    const std::size_t edits = starts ? 1 : edits_between(word, name);
    if (edits > fewest || (edits == fewest && !nearest.empty())) continue;
    fewest = edits;
    nearest = name;
  }
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// Files without a question, or a word that is none.
std::string unknown_command(const std::string& word, const std::vector<std::string>& names) {
  if (word.find_first_of("./\\") != std::string::npos)
    return fmt::format("expected a command before {}, as in `toccata impact {} ...`", word, word);
  return fmt::format("there is no command '{}'{}", word, did_you_mean(word, names));
}

// Bodies at rest are not told how they move.
std::string of_moving_bodies(const CLI::App& command, const std::string& name) {
  const std::string command_name = command.get_name();
  const bool rests =
      command_name == "distance" || command_name == "intersect" || command_name == "penetration";
  constexpr std::string_view motions[] = {"--to", "--from", "--turn", "--velocity", "--path"};
  if (!rests || std::find(std::begin(motions), std::end(motions), name) == std::end(motions)) return "";
  return "; here the bodies rest, at --pose-a and --pose-b. Moving ones: impact, clearance, intervals";
}

// What was not understood, and what may have been meant.
std::string parse_message(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return error.what();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  std::string others;
  for (const std::string& extra : app.remaining(true)) {
    if (extra.size() < 2 || extra[0] != '-' || is_number(extra)) {
      others += " " + extra;
      continue;
    }
    const std::string name = extra.substr(0, extra.find('='));
    const std::string elsewhere = of_moving_bodies(command, name);
    return fmt::format("there is no option {}{}", name,
                       elsewhere.empty() ? did_you_mean(name, option_names(command)) : elsewhere);
  }
  return "not expected:" + others + " (values of an option come right after it)";
}

// Options whose value is several numbers, which people leave unquoted.
bool takes_numbers(const Option& option) {
  return option.value == "POSE" || option.value == "TURN" || option.value == "VECTOR";
}

// `help impact` is `impact --help`; --to 0 0 1 is --to "0 0 1".
std::vector<std::string> understood(std::span<const char* const> typed, std::span<const Command> commands) {
  std::vector<std::string> words(typed.begin(), typed.end());
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  const auto command = std::find_if(commands.begin(), commands.end(), [&](const Command& known) {
    return !words.empty() && known.name == words.front();
  });
  if (command == commands.end()) return words;
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    joined.push_back(words[i]);
    const bool numbers =
        std::any_of(command->options.begin(), command->options.end(),
                    [&](const Option& option) { return takes_numbers(option) && option.names == words[i]; });
    if (!numbers || i + 2 >= words.size() || !is_number(words[i + 1])) continue;
    std::string value = words[++i];
    while (i + 1 < words.size() && is_number(words[i + 1])) value += " " + words[++i];
    joined.push_back(value);
  }
  return joined;
}

// Output that could not be written is a failure, however right the answer was.
int with_output_written(int code) {
  errno = 0;
  std::cout.flush();
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (!lost) return code;
  fmt::print(stderr, "toccata: standard output: cannot be written{}\n",
             errno != 0 ? std::string(": ") + std::strerror(errno) : std::string());
  return 2;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const std::vector<Command>& commands) {
  CLI::App app("Toccata: do moving shapes touch, when first, where, and how close do they come.", "toccata");
  app.set_version_flag("-V,--version", "toccata " TOCCATA_VERSION);
  app.require_subcommand(0, 1);
  const Command* chosen = nullptr;
  for (const Command& command : commands) {
    CLI::App* added = app.add_subcommand(command.name, command.description);
    for (const Option& option : command.options) declare(*added, option);
    added->footer(command.footer);
    added->callback([&command, &chosen] { chosen = &command; });
  }
  app.footer(
      "Each command prints a result for people, or JSON with --json. Exit "
      "code 0: it ran; 1: with --check,\n"
      "there is a contact; 2: wrong use or bad input, or output that could not be written; 130: stopped by\n"
      "Ctrl-C. `toccata help COMMAND` lists the options of a command.\n");
  std::vector<std::string> words = understood({argv + 1, argv + std::max(argc, 1)}, commands);
  const std::string first = words.empty() ? std::string() : words.front();
  const bool known =
      std::any_of(commands.begin(), commands.end(), [&](const Command& c) { return c.name == first; });
  if (!first.empty() && first[0] != '-' && !known) {
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.name);
    fmt::print(stderr, "toccata: {}\nRun `toccata --help` for more.\n", unknown_command(first, names));
    return 2;
  }
  std::reverse(words.begin(), words.end());  // as the parser takes them
  try {
    app.parse(std::move(words));
    if (chosen != nullptr) {
      if (chosen->check) chosen->check();
      return with_output_written(chosen->describe ? chosen->describe(command_tree(app)) : chosen->run());
    }
    fmt::print(stderr, "toccata: expected a command\n\n{}", app.help());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return with_output_written(app.exit(error));  // --help, --version
    const auto parsed = app.get_subcommands();
    fmt::print(stderr, "toccata: {}\nRun `toccata{} --help` for more.\n", parse_message(app, error),
               parsed.empty() ? "" : " " + parsed.front()->get_name());
  } catch (const std::exception& error) {  // UsageError, or no memory
    fmt::print(stderr, "toccata: {}\n", error.what());
  }
  return 2;
}

}  // namespace toccata::app
