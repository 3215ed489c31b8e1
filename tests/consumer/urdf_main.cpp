// The optional component of robots, from outside.
#include <toccata/io/robot_io.hpp>
#include <toccata/io/scene_io.hpp>

int main() {
  const bool robot = toccata::load_urdf("/nonexistent/robot.urdf").has_value();
  return robot || !toccata::parse_scene_list("ball 1 0 0 0 0 0 0 1").has_value() ? 1 : 0;
}
