#include "proximity/point_distance/asked_shape.hpp"

#include <stdexcept>

#include "hierarchy/shape_data.hpp"
#include "toccata/geometry/display_mesh.hpp"

namespace toccata::point_distance {

PlacedShape asked_shape(const PlacedShape& shape) {
  const ShapeData& data = shape.shape.data();
  if (std::holds_alternative<Compound>(data.geometry) || data.sets.size() > 1) {
    throw std::invalid_argument("the signed distance of a " + std::string(kind_of(data.geometry)) +
                                " is not known: its parts may cover each other's surfaces. Ask them "
                                "one by one");
  }
  if (data.tree.heights == nullptr) return shape;
  return {data.boundary.get<Shape>([&] { return Shape(display_mesh(shape.shape.geometry())); }), shape.pose};
}

}  // namespace toccata::point_distance
