#pragma once
#include "bindings.hpp"

namespace toccata::python {

void bind_voronoi(py::module_& module);

}  // namespace toccata::python
