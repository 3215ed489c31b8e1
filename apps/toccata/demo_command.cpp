#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <memory>

#include "toccata/command.hpp"
#include "toccata/demo.hpp"

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

int run_demo(const std::string& name, const DemoOptions& options) {
  std::string known;
  for (const Demo& demo : demos) {
    if (name == demo.name) return demo.run(with_page(options, name));
    known += std::string(known.empty() ? "" : ", ") + demo.name;
  }
  throw UsageError("no scene '" + name + "'; there are: " + known);
}

int list_demos() {
  for (const Demo& demo : demos) fmt::print("{:<20} {}\n", demo.name, demo.sentence);
  return 0;
}

struct DemoArguments {
  std::string name = demos.front().name;
  bool list = false;
  DemoOptions options;
};

}  // namespace

void add_demo_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("demo", "Run a built-in scene");
  auto arguments = std::make_shared<DemoArguments>();
  command->add_option("NAME", arguments->name, "The scene")->capture_default_str();
  command->add_flag("--list", arguments->list, "List the scenes");
  command->add_flag("--json", arguments->options.json, "Print one JSON object");
  add_report_options(*command, arguments->options.output);
  command->footer(
      "Examples:\n"
      "  toccata demo\n"
      "  toccata demo --list\n"
      "  toccata demo sheet_and_ball --json\n");
  command->callback([arguments, &run] {
    run = [arguments] {
      return arguments->list ? list_demos() : run_demo(arguments->name, arguments->options);
    };
  });
}

}  // namespace toccata::app
