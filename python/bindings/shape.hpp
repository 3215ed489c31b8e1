#pragma once
// Shapes as Python holds them: what every question takes, whatever the kind.
#include <utility>

#include "toccata/hierarchy/shape.hpp"

namespace toccata::python {

class AnyShape {
 public:
  AnyShape() = default;
  AnyShape(const AnyShape&) = delete;
  AnyShape& operator=(const AnyShape&) = delete;
  virtual ~AnyShape() = default;
  // Safe from many threads; to be called without the GIL, since the first call may take long.
  virtual const Shape& shape() const = 0;
};

// Every kind but a mesh: made at once, so that what is wrong with it is said where it is made.
class SolidShape : public AnyShape {
 public:
  explicit SolidShape(Shape shape) : shape_(std::move(shape)) {}
  const Shape& shape() const override { return shape_; }

 private:
  Shape shape_;
};

}  // namespace toccata::python
