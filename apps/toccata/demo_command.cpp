#include <fmt/core.h>

#include "scenes/torus_knot.hpp"
#include "toccata/command.hpp"

namespace toccata::app {

void add_demo_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("demo", "Run a built-in scene");
  command->callback([&run] {
    run = [] {
      const TriangleMesh knot = scenes::torus_knot();
      fmt::print("torus knot: {} triangles\n", knot.faces.size());
      return 0;
    };
  });
}

}  // namespace toccata::app
