#pragma once
// From geometry to what solvers see. The one place that looks at the kind of a shape.
#include <memory>

#include "hierarchy/shape_data.hpp"

namespace toccata {

// precondition: !failure_of(geometry)
std::shared_ptr<const ShapeData> prepared_shape(Geometry geometry);

}  // namespace toccata
