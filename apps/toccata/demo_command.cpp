#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#include "command.hpp"
#include "demo.hpp"
#include "json_text.hpp"

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
    Demo{"robot", "An arm reaches into a shelf with a thin rod across it: is its path free, proven?",
         run_robot_demo},
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
    JsonList list;
    for (const Demo& demo : demos)
      list.add(JsonObject().add("name", demo.name).add("sentence", demo.sentence));
    print_json(JsonObject().add("scenes", list));
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

Command demo_command() {
  const auto arguments = std::make_shared<DemoArguments>();
  Command command{.name = "demo", .description = "List the built-in scenes, or run one"};
  command.options = {
      {.names = "NAME",
       .target = &arguments->name,
       .help = "The scene; without one they are listed",
       .choices = names()},
      {.names = "--list", .target = &arguments->list, .help = "List the scenes"},
      {.names = "--json", .target = &arguments->options.json, .help = "Print one JSON object"}};
  add_report_options(arguments->options.output, command);
  command.footer =
      "Examples:\n"
      "  toccata demo\n"
      "  toccata demo torus_knots\n"
      "  toccata demo sheet_and_ball --json\n"
      "  toccata demo robot\n";
  command.run = [arguments] {
    return arguments->list ? list_demos(arguments->options.json) : run_demo(*arguments);
  };
  return command;
}

}  // namespace toccata::app
