// Rays against one mesh at rest.
#include "toccata/proximity/ray_cast.hpp"

#include "batch.hpp"
#include "rigid.hpp"

namespace toccata::python {
namespace {

using RayCastBatch = Batch<RayCastResult>;

// One ray per row of both arrays; one direction may serve all rays.
std::vector<Ray> rays_of(const py::object& origins, const py::object& directions) {
  const Points from = points_of(origins, "origins");
  const Points along = points_of(directions, "directions");
  const std::size_t count = from.span.size();
  if (along.span.size() != count && along.span.size() != 1) {
    throw py::value_error(std::to_string(count) + " origins but " + std::to_string(along.span.size()) +
                          " directions: one of each per ray");
  }
  std::vector<Ray> rays(count);
  for (std::size_t i = 0; i < count; ++i) {
    rays[i] = {from.span[i], along.span[along.span.size() == 1 ? 0 : i]};
    if (rays[i].direction.isZero(0.0))
      throw py::value_error("directions[" + std::to_string(i) + "] must not be zero");
  }
  return rays;
}

RayCastBatch ask_ray_casts(const Mesh& mesh, const Matrix4Array& pose, const py::object& origins,
                           const py::object& directions, double limit, int threads) {
  const std::vector<Ray> rays = rays_of(origins, directions);
  const Pose place = pose_of(pose);
  std::vector<RayCastResult> results(rays.size());
  {
    const py::gil_scoped_release release;
    const PlacedShape shape = placed(mesh, place);
    for_each_row(rays.size(), threads,
                 [&](std::size_t i) { results[i] = ray_cast(shape, rays[i], {.limit = limit}); });
  }
  return RayCastBatch(std::move(results));
}

py::dict ray_cast_columns(const RayCastBatch& batch) {
  using Row = RayCastResult;
  Columns columns(batch);
  columns.add("hit", &Row::hit).add("parameter", &Row::parameter).add("point", &Row::point);
  return columns.add("normal", &Row::normal).add("triangle", &Row::triangle).fields();
}

// Every triangle that one ray meets: their ids and the parameters.
py::tuple ask_ray_crossings(const Mesh& mesh, const Matrix4Array& pose, const py::object& origins,
                            const py::object& directions) {
  const std::vector<Ray> rays = rays_of(origins, directions);
  const Pose place = pose_of(pose);
  std::vector<RayCrossing> crossings;
  {
    const py::gil_scoped_release release;
    crossings = ray_crossings(placed(mesh, place), rays.at(0));
  }
  std::vector<std::int32_t> triangles;
  std::vector<double> parameters;
  for (const RayCrossing& crossing : crossings) {
    triangles.push_back(crossing.triangle);
    parameters.push_back(crossing.crossing.parameter);
  }
  return py::make_tuple(array_of(std::move(triangles)), array_of(std::move(parameters)));
}

}  // namespace

void bind_ray_cast(py::module_& module) {
  py::class_<RayCastBatch>(module, "RayCastBatch").def("columns", &ray_cast_columns);
  module.def("ray_casts", &ask_ray_casts);
  module.def("ray_crossings", &ask_ray_crossings);
}

}  // namespace toccata::python
