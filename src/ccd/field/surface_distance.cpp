#include "ccd/field/surface_distance.hpp"

#include <cmath>

#include "hierarchy/shape_data.hpp"
#include "hierarchy/surface_normals.hpp"

namespace toccata::field {

SurfaceDistance::SurfaceDistance(const Surface& surface) : surface_(surface), placed_(surface.shape) {
  if (surface.shape.is_mesh()) search_.emplace(placed_);
}

bool SurfaceDistance::is_in_field(const Vector3& point) const {
  if (surface_.field == nullptr) return false;
  const DistanceFieldData& data = surface_.field->data();
  return (point - data.center).cwiseAbs().maxCoeff() < data.half_side;
}

// Outside of its cube a field asks the mesh, which takes long. With c the nearest point of the cube to p, and
// q any point of the surface, which is inside of it, the angle at c is not acute: |p - q|^2 >= |p - c|^2 + |c
// - q|^2.
SurfaceDistance::Bounds SurfaceDistance::from_field(const Vector3& point) const {
  const DistanceFieldData& data = surface_.field->data();
  const bool is_in = is_in_field(point);
  Vector3 nearest = point;
  if (!is_in) {
    // The mesh is farther from the cube's border than this little, by a billionth of its size.
    const Vector3 reach = Vector3::Constant(data.half_side * (1.0 - 0x1p-40));
    nearest = data.center + (point - data.center).cwiseMax(-reach).cwiseMin(reach);
  }
  const FieldBounds bounds = surface_.field->bounds_at(nearest);
  if (is_in) return {bounds.lower, bounds.upper, bounds.triangle};
  const double away = (point - nearest).norm();
  return {std::sqrt(away * away + bounds.lower * bounds.lower) * (1.0 - 1e-14),
          (away + bounds.upper) * (1.0 + 1e-14), bounds.triangle};
}

SurfaceDistance::Bounds SurfaceDistance::operator()(const Vector3& point, double near, double far) {
  if (surface_.field != nullptr) {
    const Bounds bounds = from_field(point);
    if (!surface_.refine || bounds.lower > near) return bounds;
    if (search_) search_->start_at(bounds.triangle);
  }
  if (search_) {
    const point_distance::NearestTriangle found = (*search_)(point, far);
    if (found.triangle < 0) return {far, std::numeric_limits<double>::infinity(), -1};
    return {found.lower, found.upper, found.triangle};
  }
  SignedDistanceOptions options;
  options.with_sign = false;
  const SignedDistance found = signed_distance(point, placed_, options);
  return {found.lower, found.upper, -1};
}

bool SurfaceDistance::is_inside(const Vector3& point) {
  if (!surface_.is_full) return false;
  if (surface_.field != nullptr) {
    if (!is_in_field(point)) return false;
    const FieldValue value = surface_.field->at(point);
    if (value.lower > 0.0) return false;
    if (value.upper < 0.0) return true;
  }
  const ShapeData& data = surface_.shape.data();
  if (!data.is_half_space() && (point - data.center).norm() > data.radius * (1.0 + 1e-9)) return false;
  return point_containment(point, placed_) == Containment::Inside;
}

void SurfaceDistance::describe(const Vector3& point, ParticleContact& contact) {
  contact.point = point;
  if (surface_.field != nullptr && !surface_.refine) {
    const FieldValue value = surface_.field->at(point);
    contact.distance = surface_.is_full ? value.value() : std::abs(value.value());
    contact.normal = value.gradient;
    contact.body_point = point - value.value() * value.gradient;
    contact.feature = {FeatureKind::Face, 0, value.triangle};
    return;
  }
  SignedDistanceOptions options;
  options.with_sign = surface_.is_full;
  const SignedDistance found = signed_distance(point, placed_, options);
  contact.distance = found.distance;
  contact.body_point = found.point;
  contact.normal = found.normal;
  contact.feature = found.feature;
  if (!surface_.is_full && found.normal.dot(point - found.point) < 0.0) contact.normal = -found.normal;
}

void SurfaceDistance::describe_inside(const Vector3& point, ParticleContact& contact) {
  if (!search_ || (surface_.field != nullptr && !surface_.refine)) return describe(point, contact);
  if (surface_.field != nullptr) search_->start_at(surface_.field->bounds_at(point).triangle);
  const point_distance::NearestTriangle found = (*search_)(point, std::numeric_limits<double>::infinity());
  contact.point = point;
  contact.distance = -std::sqrt(found.nearest.squared_distance);
  contact.body_point = found.nearest.point;
  contact.feature = found.nearest.feature;
  contact.feature.part = found.triangle;
  contact.normal = normal_at(surface_.shape.data(), contact.feature);
  if (contact.normal.dot(point - contact.body_point) > 0.0) contact.normal = -contact.normal;
}

}  // namespace toccata::field
