#include "command_tree.hpp"

#include <sstream>

namespace toccata::app {
namespace {

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

}  // namespace

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

}  // namespace toccata::app
