#include "broad_phase/image_space/view_grid.hpp"

#include <limits>
#include <string>

#include "base/morton.hpp"

namespace toccata::image_space {

std::size_t corners_of(const ImageSpaceBody& body, const Face& face, std::array<Vector3, 6>& points) {
  std::size_t count = 0;
  for (const std::int32_t i : face) points[count++] = body.vertices[static_cast<std::size_t>(i)];
  if (body.vertices_end.empty()) return count;
  for (const std::int32_t i : face) points[count++] = body.vertices_end[static_cast<std::size_t>(i)];
  return count;
}

Expected<bool> check_scene(std::span<const ImageSpaceBody> bodies, const ImageSpaceOptions& options) {
  if (options.resolution < 1 || options.resolution > 4096)
    return Error{"the resolution must be from 1 to 4096 pixels"};
  if (!(options.margin >= 0.0) || !(options.margin <= 1e100))
    return Error{"the margin must be a number from 0 to 1e100"};
  if (options.part_size < 0) return Error{"the size of parts must be at least 0"};
  if (options.threads < 0) return Error{"threads must be at least 0"};
  if (bodies.size() > 2147483647U) return Error{"too many bodies"};
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const ImageSpaceBody& body = bodies[b];
    const std::string name = "body " + std::to_string(b);
    if (!body.vertices_end.empty() && body.vertices_end.size() != body.vertices.size())
      return Error{name + " has " + std::to_string(body.vertices.size()) + " vertices and " +
                   std::to_string(body.vertices_end.size()) + " where they get"};
    for (const auto& list : {body.vertices, body.vertices_end})
      for (std::size_t i = 0; i < list.size(); ++i)
        if (!(list[i].cwiseAbs().maxCoeff() <= 1e100))
          return Error{name + ", vertex " + std::to_string(i) +
                       ": every coordinate must be a finite number of at most 1e100"};
    for (std::size_t f = 0; f < body.faces.size(); ++f)
      for (const std::int32_t i : body.faces[f])
        if (i < 0 || static_cast<std::size_t>(i) >= body.vertices.size())
          return Error{name + ", triangle " + std::to_string(f) + " uses vertex " + std::to_string(i) +
                       ", and there are " + std::to_string(body.vertices.size())};
  }
  return true;
}

// The box of all that is drawn, and how many units a length has.
ViewGrid view_grid(std::span<const ImageSpaceBody> bodies, const ImageSpaceOptions& options) {
  ViewGrid grid;
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  std::array<Vector3, 6> points;
  for (const ImageSpaceBody& body : bodies) {
    for (const Face& face : body.faces) {
      const std::size_t count = corners_of(body, face, points);
      for (std::size_t i = 0; i < count; ++i) {
        lower = lower.cwiseMin(points[i]);
        upper = upper.cwiseMax(points[i]);
      }
    }
  }
  grid.resolution = options.resolution;
  if (!(lower.x() <= upper.x())) return grid;
  grid.origin = lower;
  const double side = (upper - lower).maxCoeff();
  const double all = static_cast<double>(options.resolution * units_per_pixel);
  grid.units = side > 0.0 ? std::min(all / side, 1e300) : 1.0;
  // Points that are within the margin of each other have a middle that is within half of it of both. More
  // than the scene is not needed.
  const double half = std::min(0.5 * options.margin * grid.units * (1.0 + 1e-12), 2.0 * all);
  grid.widening = 1 + static_cast<std::int64_t>(std::ceil(half));
  return grid;
}

std::vector<ImageSpacePart> parts_of(std::span<const ImageSpaceBody> bodies,
                                     std::span<const std::int32_t> chosen, const ViewGrid& grid,
                                     std::int32_t part_size) {
  std::vector<ImageSpacePart> parts;
  const double cells = 1023.0 / (static_cast<double>(grid.resolution) * static_cast<double>(units_per_pixel));
  for (const std::int32_t b : chosen) {
    const ImageSpaceBody& body = bodies[static_cast<std::size_t>(b)];
    std::vector<std::pair<std::uint32_t, std::int32_t>> order;
    for (std::size_t f = 0; f < body.faces.size(); ++f) {
      std::uint32_t code[3];
      for (int i = 0; i < 3; ++i) {
        double middle = 0.0;
        for (const std::int32_t v : body.faces[f])
          middle += body.vertices[static_cast<std::size_t>(v)][i] / 3.0;
        code[i] = static_cast<std::uint32_t>(
            std::clamp((middle - grid.origin[i]) * grid.units * cells, 0.0, 1023.0));
      }
      order.emplace_back(morton_code(code[0], code[1], code[2]), static_cast<std::int32_t>(f));
    }
    std::sort(order.begin(), order.end());
    const auto size = static_cast<std::size_t>(part_size);
    for (std::size_t begin = 0; begin < order.size(); begin += size) {
      ImageSpacePart part{b, {}};
      for (std::size_t i = begin; i < std::min(begin + size, order.size()); ++i)
        part.triangles.push_back(order[i].second);
      std::sort(part.triangles.begin(), part.triangles.end());
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace toccata::image_space
