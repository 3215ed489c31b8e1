#include "toccata/proximity/robot_proxies.hpp"

#include <algorithm>

#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/proximity/medial_proxy.hpp"

namespace toccata {
namespace {

// What its hull encloses, where the mesh itself encloses nothing.
Expected<Shape> solid_of(const TriangleMesh& mesh, bool& of_hull) {
  Shape shape(mesh);
  if (shape.is_closed()) return shape;
  of_hull = true;
  const Expected<ConvexHull> hull = convex_hull_of(mesh.vertices);
  if (!hull) return hull.error();
  if (hull->faces.empty()) return Error{"its points are on a line"};
  return Shape(TriangleMesh{hull->vertices, hull->faces});
}

}  // namespace

Expected<RobotProxies> robot_proxies(const ArticulatedBody& robot, const RobotProxyOptions& options) {
  if (!(options.error > 0.0)) return Error{"error must be above 0"};
  RobotProxies result;
  result.robot = robot;
  for (Link& link : result.robot.links) {
    LinkProxy proxy;
    proxy.link = link.name;
    Compound compound{std::move(link.shapes)};
    link.shapes = flattened(compound);
    for (CompoundPart& part : link.shapes) {
      const auto* mesh = std::get_if<TriangleMesh>(&part.geometry);
      if (mesh == nullptr || mesh->faces.empty()) continue;
      const Expected<Shape> solid = solid_of(*mesh, proxy.of_hull);
      if (!solid) return Error{"link " + link.name + ": " + solid.error().message};
      Expected<MedialProxy> spheres =
          medial_proxy(*solid, {.error = options.error, .spheres_only = true, .threads = options.threads});
      if (!spheres) return Error{"link " + link.name + ": " + spheres.error().message};
      proxy.spheres += static_cast<std::int32_t>(spheres->outer.centers.size());
      proxy.error = std::max(proxy.error, spheres->error);
      part.geometry = std::move(spheres->outer);
    }
    if (proxy.spheres > 0) result.links.push_back(proxy);
  }
  return result;
}

}  // namespace toccata
