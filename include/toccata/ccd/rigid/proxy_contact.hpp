#pragma once
// The first contact of bodies that are known by their medial proxies: an interval in time that holds the
// truth, and, where asked for, the truth itself, looked for on the triangles from the start of it on.
#include <optional>

#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/proximity/medial_proxy.hpp"

namespace toccata {

// A mesh with what encloses it and what it encloses. Cheap to copy.
class ProxyShape {
 public:
  ProxyShape(Shape mesh, const MedialProxy& proxy);

  const Shape& mesh() const { return mesh_; }
  const Shape& outer() const { return outer_; }
  const std::optional<Shape>& inner() const { return inner_; }  // none if nothing fits inside
  double error() const { return error_; }  // of the outer one: no point of it is farther from the solid

 private:
  Shape mesh_, outer_;
  std::optional<Shape> inner_;
  double error_;
};

struct ProxyBody {
  ProxyShape shape;
  OwnedMotion motion = {};
};

struct ProxyContactOptions {
  FirstContactOptions contact = {};  // of all searches; solids that start in each other are not asked about
  bool refine = false;               // finish on the triangles
};

struct ProxyContactResult {
  // Without refine: status Separated is proven of the meshes, too. Contact: the outer shapes touch; apart on
  // [0, lower), and the meshes, if they start apart and not one inside the other, touch by `upper` where it
  // is below 1. OverlapAtStart: of the outer shapes. Features are of the outer shapes' primitives. With
  // refine: of the meshes, exactly as first_contact answers it.
  FirstContactResult contact;
  double shape_error = 0.0;  // both errors: the meshes are no farther apart at `lower` than this + tolerance
  double outer_time = 1.0;   // the outer shapes are apart before it
  double inner_time = 1.0;   // the inner ones overlap by then, proven; 1: they were not seen to
  bool refined = false;      // the answer is of the triangles
};

ProxyContactResult first_contact(const ProxyBody& a, const ProxyBody& b,
                                 const ProxyContactOptions& options = {});

}  // namespace toccata
