#include "hierarchy/length_limits.hpp"

#include <algorithm>

#include "base/number_text.hpp"

namespace toccata {

std::string failure_of_lengths(const ShapeData& shape, const std::string& which) {
  const double reach = shape.center.norm() + shape.radius;
  if (!(reach <= largest_length))
    return which + " reaches " + number_text(reach) + " from its origin, but lengths must be below " +
           number_text(largest_length) + ": choose a larger unit of length";
  if (!(shape.radius < smallest_size)) return {};
  // One so small that the squares of its lengths vanish is not all right.
  double size = shape.has_only_triangles() ? 0.0 : shape.radius;
  for (const Vector3& x : shape.mesh.vertices)
    size = std::max(size, (x - shape.mesh.vertices[0]).cwiseAbs().maxCoeff());
  if (!(size > 0.0)) return {};
  return which + " is but " + number_text(size) + " in size, and sizes must be above " +
         number_text(smallest_size) + ": choose a smaller unit of length";
}

}  // namespace toccata
