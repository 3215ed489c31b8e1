#include <fmt/core.h>

#include <cstdio>

#include "toccata/command.hpp"

int main(int argc, char** argv) {
  using namespace toccata::app;
  CLI::App app("Toccata: do moving shapes touch, when first, where, and how close do they come.", "toccata");
  app.set_version_flag("--version", "toccata " TOCCATA_VERSION);
  app.require_subcommand(1);
  Run run;
  add_demo_command(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    app.exit(error);
    return 2;
  }
  try {
    return run();
  } catch (const UsageError& error) {
    fmt::print(stderr, "toccata: {}\n", error.what());
    return 2;
  }
}
