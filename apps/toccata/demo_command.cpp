#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "command.hpp"
#include "demo.hpp"
#include "terminal.hpp"

namespace toccata::app {
namespace {

struct Demo {
  const char* name;
  const char* sentence;
  int (*run)(const DemoOptions&);
};

constexpr std::array demos = {
    Demo{"torus_knots", "Two torus knots, one tumbling into the other: when and where do they first touch?",
         run_torus_knots_demo},
    Demo{"sheet_and_ball", "A rippling sheet falls onto a ball; every pair of features is answered.",
         run_sheet_and_ball_demo},
};

// A demo is there to be looked at: without a wish of the user's the page goes where it is in nobody's way.
DemoOptions with_page(DemoOptions options, const std::string& name) {
  if (options.json || options.output.wanted()) return options;
  options.output.page =
      free_page_name((std::filesystem::temp_directory_path() / ("toccata-" + name)).string());
  return options;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Demo& demo : demos) result.emplace_back(demo.name);
  return result;
}

int list_demos(bool json) {
  if (json) {
    nlohmann::json list = nlohmann::json::array();
    for (const Demo& demo : demos) list.push_back({{"name", demo.name}, {"sentence", demo.sentence}});
    print_json({{"scenes", list}});
    return 0;
  }
  for (const Demo& demo : demos) fmt::print("{:<20} {}\n", demo.name, demo.sentence);
  fmt::print("\nRun one with `toccata demo NAME`.\n");
  return 0;
}

struct DemoArguments {
  std::string name;
  bool list = false;
  DemoOptions options;
};

int run_demo(const DemoArguments& arguments) {
  for (const Demo& demo : demos) {
    if (arguments.name == demo.name) return demo.run(with_page(arguments.options, arguments.name));
  }
  return list_demos(arguments.options.json);
}

}  // namespace

void add_demo_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("demo", "List the built-in scenes, or run one");
  auto arguments = std::make_shared<DemoArguments>();
  command->add_option("NAME", arguments->name, "The scene; without one they are listed")
      ->check(CLI::IsMember(names()));
  command->add_flag("--list", arguments->list, "List the scenes");
  command->add_flag("--json", arguments->options.json, "Print one JSON object");
  add_report_options(*command, arguments->options.output);
  command->footer(
      "Examples:\n"
      "  toccata demo\n"
      "  toccata demo torus_knots\n"
      "  toccata demo sheet_and_ball --json\n");
  command->callback([arguments, &run] {
    run = [arguments] {
      return arguments->list ? list_demos(arguments->options.json) : run_demo(*arguments);
    };
  });
}

}  // namespace toccata::app
