#include <fcntl.h>

#include "command.hpp"
#include "report_options.hpp"

namespace {

// A file must not be opened as a standard stream that the caller has closed, and take what is printed. The
// stand-ins fail when used.
void keep_standard_streams() {
  if (::fcntl(0, F_GETFD) < 0) (void)!::open("/dev/null", O_WRONLY);
  if (::fcntl(1, F_GETFD) < 0) (void)!::open("/dev/null", O_RDONLY);
  if (::fcntl(2, F_GETFD) < 0) (void)!::open("/dev/null", O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace toccata::app;
  keep_standard_streams();
  remember_command_line(argc, argv);
  return run_command_line(argc, argv,
                          {impact_command(),   clearance_command(), intervals_command(),   sequence_command(),
                           distance_command(), intersect_command(), penetration_command(), field_command(),
                           voronoi_command(),  spheres_command(),   medial_command(),      parts_command(),
                           world_command(),    robot_command(),     batch_command(),       queries_command(),
                           view_command(),     demo_command(),      completion_command(),  man_command()});
}
