#include <fmt/core.h>

#include <cstdio>

#include "toccata/command.hpp"
#include "toccata/report_options.hpp"

int main(int argc, char** argv) {
  using namespace toccata::app;
  CLI::App app("Toccata: do moving shapes touch, when first, where, and how close do they come.", "toccata");
  app.set_version_flag("--version", "toccata " TOCCATA_VERSION);
  app.require_subcommand(0, 1);
  Run run;
  add_demo_command(app, run);
  add_impact_command(app, run);
  add_queries_command(app, run);
  add_distance_command(app, run);
  add_intersect_command(app, run);
  app.footer(
      "Each command prints a result for people, or JSON with --json. Exit code 0: it ran; 2: wrong use or "
      "bad input.\n");
  add_view_command(app, run);
  remember_command_line(argc, argv);
  add_sequence_command(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "toccata: {}\nRun with --help for more.\n", error.what());
    return 2;
  }
  if (!run) {
    fmt::print(stderr, "toccata: expected a command\n\n{}", app.help());
    return 2;
  }
  try {
    return run();
  } catch (const UsageError& error) {
    fmt::print(stderr, "toccata: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "toccata: {}\n", error.what());
    return 1;
  }
}
