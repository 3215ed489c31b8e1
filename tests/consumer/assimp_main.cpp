// The optional component links, and refuses what does not exist.
#include <toccata/io/assimp_import.hpp>

int main() {
  return toccata::import_with_assimp("/nonexistent/robot.dae").has_value() ? 1 : 0;
}
