#pragma once
// How a scene is seen: what its bodies must be, and how the world becomes whole units.
#include <algorithm>
#include <array>
#include <cmath>

#include "broad_phase/image_space/depth_image.hpp"
#include "toccata/broad_phase/image_space.hpp"

namespace toccata::image_space {

inline constexpr int views = 3;

// A vertex is off by half a unit, and by 2^-30 for the rounding of the difference and of the product.
struct ViewGrid {
  Vector3 origin = Vector3::Zero();
  double units = 1.0;  // per length
  std::int32_t resolution = 1;
  std::int64_t widening = 1;

  std::int64_t unit(double x, int axis) const { return std::llround((x - origin[axis]) * units); }
  // View along `axis`; the other two in their cyclic order.
  ViewPoint seen(const Vector3& p, int axis) const {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return {unit(p[u], u), unit(p[v], v), unit(p[axis], axis)};
  }
};

// The points whose hull a triangle passes through: 3 at rest, 6 in a step.
std::size_t corners_of(const ImageSpaceBody& body, const Face& face, std::array<Vector3, 6>& points);

Expected<bool> check_scene(std::span<const ImageSpaceBody> bodies, const ImageSpaceOptions& options);

// precondition: the scene was checked
ViewGrid view_grid(std::span<const ImageSpaceBody> bodies, const ImageSpaceOptions& options);

// Triangles of the chosen bodies along a Morton curve, in pieces of at most `size`.
std::vector<ImageSpacePart> parts_of(std::span<const ImageSpaceBody> bodies,
                                     std::span<const std::int32_t> chosen, const ViewGrid& grid,
                                     std::int32_t size);

}  // namespace toccata::image_space
