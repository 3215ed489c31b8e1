#pragma once
// The answers on rigid bodies as dicts, and the bodies they are asked of.
#include <memory>
#include <string>

#include "bindings.hpp"
#include "mesh.hpp"
#include "toccata/io/query_report.hpp"
#include "toccata/motion/motion.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/first_contact_result.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata::python {

py::dict fields_of(const Contact& contact);
py::dict fields_of(const QueryStats& stats);
// Without the weights of a deforming scene.
py::dict fields_of(const FirstContactResult& result);

// To be called without the GIL.
inline ReportBody report_body(const char* name, const Mesh& mesh, const std::shared_ptr<Motion>& motion,
                              bool solid) {
  return {
      .name = name, .shape = mesh.shape(), .motion = std::shared_ptr<const Motion>(motion), .solid = solid};
}

}  // namespace toccata::python
