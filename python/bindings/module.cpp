#include "bindings.hpp"

PYBIND11_MODULE(_toccata, module) {
  using namespace toccata::python;
  module.doc() = "The compiled half of toccata; use the package, not this module.";
  module.attr("__version__") = TOCCATA_VERSION;
  bind_shape(module);
  bind_mesh(module);
  bind_shape_bytes(module);
  bind_pose(module);
  bind_motion(module);
  bind_impact(module);
  bind_deformable(module);
  bind_proximity(module);
  bind_ray_cast(module);
  bind_self_intersection(module);
  bind_rigid(module);
  bind_rigid_batch(module);
  bind_contact_solver(module);
  bind_world(module);
  bind_report(module);
  bind_rigid_report(module);
  bind_field(module);
  bind_voronoi(module);
  bind_medial(module);
  bind_robot(module);
}
