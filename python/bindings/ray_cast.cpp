// Rays against one shape at rest.
#include "toccata/proximity/ray_cast.hpp"

#include "batch.hpp"
#include "rigid.hpp"

namespace toccata::python {
namespace {

// A ray and whether it was cast before the batch was stopped.
struct CastRay {
  RayCastResult result;
  bool stopped = false;
};
using RayCastBatch = Batch<CastRay>;

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

RayCastBatch ask_ray_casts(const AnyShape& target, const Matrix4Array& pose, const py::object& origins,
                           const py::object& directions, double limit, double seconds, int threads) {
  const std::vector<Ray> rays = rays_of(origins, directions);
  const Pose place = pose_of(pose);
  const auto ask = [&](const Stop& stop) {
    const PlacedShape shape = placed(target, place);
    std::vector<CastRay> cast(rays.size());
    for_each_row(
        rays.size(), threads, stop,
        [&](std::size_t i, const Stop&) { cast[i].result = ray_cast(shape, rays[i], {.limit = limit}); },
        [&](std::size_t i) {  // to be on the safe side, it is as if something were right there
          cast[i].result.hit = true;
          cast[i].stopped = true;
        });
    return cast;
  };
  return RayCastBatch(answer_until_interrupted(seconds, true, ask, [] {}));
}

py::dict ray_cast_columns(const RayCastBatch& batch) {
  Columns columns(batch);
  const auto add = [&](const char* name, auto member) {
    columns.add(
        name, [member](const CastRay& ray) -> const auto& { return ray.result.*member; });
  };
  add("hit", &RayCastResult::hit);
  add("parameter", &RayCastResult::parameter);
  add("point", &RayCastResult::point);
  add("normal", &RayCastResult::normal);
  add("triangle", &RayCastResult::triangle);
  return columns.add("stopped", &CastRay::stopped).fields();
}

// Every triangle that one ray meets: their ids and the parameters.
py::tuple ask_ray_crossings(const AnyShape& target, const Matrix4Array& pose, const py::object& origins,
                            const py::object& directions) {
  const std::vector<Ray> rays = rays_of(origins, directions);
  const Pose place = pose_of(pose);
  std::vector<RayCrossing> crossings;
  {
    const py::gil_scoped_release release;
    crossings = ray_crossings(placed(target, place), rays.at(0));
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
  py::class_<RayCastBatch>(module, "RayCastBatch")
      .def_property_readonly("interrupted", &RayCastBatch::interrupted)
      .def("columns", &ray_cast_columns);
  module.def("ray_casts", &ask_ray_casts);
  module.def("ray_crossings", &ask_ray_crossings);
}

}  // namespace toccata::python
