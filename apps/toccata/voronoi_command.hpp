#pragma once
#include "command.hpp"

namespace toccata::app {

Command voronoi_command();

}  // namespace toccata::app
