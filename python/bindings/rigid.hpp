#pragma once
// The answers on rigid bodies as dicts, and the bodies they are asked of.
#include <memory>
#include <string>

#include "bindings.hpp"
#include "motion.hpp"
#include "shape.hpp"
#include "toccata/ccd/body.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/proximity/placed_shape.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata::python {

py::dict fields_of(const Contact& contact);
py::dict fields_of(const QueryStats& stats);
// Without the weights of a deforming scene.
py::dict fields_of(const FirstContactResult& result);

// What a query may be asked with, as the package hands it over (numbers are already checked there).
FirstContactOptions first_contact_options_of(const py::dict& values);
ClosestApproachOptions closest_approach_options_of(const py::dict& values);

// All to be called without the GIL.
// At rest at the nearest rotation: the package lets through what is one to rotation_tolerance only.
inline PlacedShape placed(const AnyShape& shape, const Pose& pose) {
  return {shape.shape(), RigidMotion::fixed(pose).pose(0.0)};
}
inline Body body_of(const AnyShape& shape, const MotionPointer& motion, bool solid) {
  return {shape.shape(), std::shared_ptr<const Motion>(motion), solid};
}
inline ReportBody report_body(const std::string& name, const AnyShape& shape, const MotionPointer& motion,
                              bool solid) {
  return {
      .name = name, .shape = shape.shape(), .motion = std::shared_ptr<const Motion>(motion), .solid = solid};
}

}  // namespace toccata::python
