#include <fmt/core.h>

#include <cstdio>

#include "command.hpp"
#include "report_options.hpp"

int main(int argc, char** argv) {
  using namespace toccata::app;
  CLI::App app("Toccata: do moving shapes touch, when first, where, and how close do they come.", "toccata");
  app.set_version_flag("--version", "toccata " TOCCATA_VERSION);
  app.require_subcommand(0, 1);
  Run run;
  add_impact_command(app, run);
  add_sequence_command(app, run);
  add_distance_command(app, run);
  add_intersect_command(app, run);
  add_queries_command(app, run);
  add_view_command(app, run);
  add_demo_command(app, run);
  add_completion_command(app, run);
  add_man_command(app, run);
  app.footer(
      "Each command prints a result for people, or JSON with --json. Exit code 0: it ran; 1: with --check,\n"
      "there is a contact; 2: wrong use or bad input; 130: stopped by Ctrl-C.\n");
  remember_command_line(argc, argv);
  try {
    app.parse(argc, argv);
    if (run) return run();
    fmt::print(stderr, "toccata: expected a command\n\n{}", app.help());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const auto chosen = app.get_subcommands();
    const bool unknown = chosen.empty() && argc > 1 && argv[1][0] != '-';
    fmt::print(stderr, "toccata: {}\nRun `toccata{} --help` for more.\n",
               unknown ? fmt::format("there is no command '{}'", argv[1]) : error.what(),
               chosen.empty() ? "" : " " + chosen.front()->get_name());
  } catch (const std::exception& error) {  // UsageError, or no memory
    fmt::print(stderr, "toccata: {}\n", error.what());
  }
  return 2;
}
