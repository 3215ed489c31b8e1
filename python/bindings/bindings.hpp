#pragma once
// The extension module toccata._toccata, one file a topic. It is the thin lower half of the package: it takes
// and gives numpy arrays and plain dicts; names, defaults and documentation live in python/toccata.
#include <pybind11/pybind11.h>

namespace toccata::python {

namespace py = pybind11;

void bind_shape(py::module_& module);
void bind_mesh(py::module_& module);
void bind_shape_bytes(py::module_& module);
void bind_pose(py::module_& module);
void bind_motion(py::module_& module);
void bind_impact(py::module_& module);
void bind_deformable(py::module_& module);
void bind_proximity(py::module_& module);
void bind_ray_cast(py::module_& module);
void bind_self_intersection(py::module_& module);
void bind_rigid(py::module_& module);
void bind_rigid_batch(py::module_& module);
void bind_contact_solver(py::module_& module);
void bind_world(py::module_& module);
void bind_report(py::module_& module);
void bind_rigid_report(py::module_& module);
void bind_field(py::module_& module);
void bind_voronoi(py::module_& module);
void bind_medial(py::module_& module);
void bind_robot(py::module_& module);

}  // namespace toccata::python
