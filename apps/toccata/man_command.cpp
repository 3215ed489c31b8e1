// toccata man: the manual page, as `man` reads it.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <sstream>

#include "command.hpp"
#include "command_tree.hpp"

namespace toccata::app {
namespace {

std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool line_start = result.empty() || result.back() == '\n';
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else if (c == '`') {
      result += "\\(ga";
    } else {
      result += c;
    }
  }
  return result;
}

std::string value_text(const ArgumentEntry& option) {
  if (option.choices.empty()) return roff(option.value);
  return fmt::format("{}", fmt::join(option.choices, "|"));
}

std::string argument_sentence(const ArgumentEntry& argument) {
  std::string text = argument.description;
  if (!argument.default_value.empty()) text += fmt::format(" (default: {})", argument.default_value);
  return roff(text) + ".\n";
}

std::string option_paragraph(const ArgumentEntry& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back("\\fB" + roff(name) + "\\fR");
  std::string text = fmt::format(".TP\n{}", fmt::join(names, ", "));
  if (!option.value.empty()) text += fmt::format(" \\fI{}\\fR", value_text(option));
  return text + "\n" + argument_sentence(option);
}

// Remarks as they are, examples without filling.
std::string footer_text(const std::string& footer) {
  if (footer.empty()) return "";
  std::string text = ".PP\n.nf\n";
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) text += (line.empty() ? ".sp" : roff(line)) + "\n";
  return text + ".fi\n";
}

std::string command_text(const CommandEntry& command) {
  std::string text = fmt::format(".SS toccata {}", roff(command.name));
  for (const ArgumentEntry& argument : command.positionals) {
    const std::string name = argument.value + (argument.repeated ? "..." : "");
    text += " " + roff(argument.required ? name : "[" + name + "]");
  }
  text += " [options]\n" + roff(command.description) + "\n";
  for (const ArgumentEntry& argument : command.positionals) {
    text += fmt::format(".TP\n\\fI{}\\fR\n", roff(argument.value)) + argument_sentence(argument);
    if (!argument.choices.empty())
      text += roff(fmt::format("One of {}.\n", fmt::join(argument.choices, ", ")));
  }
  for (const ArgumentEntry& option : command.options) text += option_paragraph(option);
  return text + footer_text(command.footer);
}

std::string man_page(const CommandTree& tree) {
  std::string text = ".TH TOCCATA 1 \"\" \"toccata " TOCCATA_VERSION "\" \"User Commands\"\n";
  text += ".SH NAME\ntoccata \\- do moving shapes touch, when first, where, and how close do they come\n";
  text += ".SH SYNOPSIS\n.B toccata\n.I command\n[\\fIarguments\\fR] [\\fIoptions\\fR]\n";
  text += ".SH DESCRIPTION\n" + roff(tree.description) +
          "\nEach command prints its answer as a sentence, or as JSON with \\fB\\-\\-json\\fR.\n"
          "A contact is never missed: times are proven, not sampled.\n";
  text += ".SH OPTIONS\n";
  for (const ArgumentEntry& option : tree.options) text += option_paragraph(option);
  text += ".SH COMMANDS\n";
  for (const CommandEntry& command : tree.commands) text += command_text(command);
  text +=
      ".SH EXIT STATUS\n"
      ".TP\n0\nThe command ran.\n"
      ".TP\n1\nWith \\fB\\-\\-check\\fR: there is a contact, or the absence of one could not be proven.\n"
      ".TP\n2\nWrong use or bad input; the reason is on standard error.\n"
      ".TP\n130\nStopped by Ctrl\\-C, with what was found until then. A second Ctrl\\-C ends at once.\n"
      ".SH ENVIRONMENT\n"
      ".TP\nNO_COLOR\nWhen set and not empty, nothing is coloured.\n";
  return text;
}

}  // namespace

Command man_command() {
  Command command{.name = "man", .description = "Print the manual page, as man(1) reads it"};
  command.footer =
      "Example:\n"
      "  toccata man | man -l -\n";
  command.describe = [](const CommandTree& tree) {
    fmt::print("{}", man_page(tree));
    return 0;
  };
  return command;
}

}  // namespace toccata::app
