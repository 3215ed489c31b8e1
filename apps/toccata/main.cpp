#include "command.hpp"
#include "report_options.hpp"

int main(int argc, char** argv) {
  using namespace toccata::app;
  remember_command_line(argc, argv);
  return run_command_line(
      argc, argv,
      {impact_command(), sequence_command(), distance_command(), intersect_command(), queries_command(),
       view_command(), demo_command(), completion_command(), man_command()});
}
