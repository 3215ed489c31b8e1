#pragma once
// The columns that every list of impacts has in Python.
#include "arrays.hpp"
#include "toccata/report/impact.hpp"

namespace toccata::python {

// impact(row) returns a reference to the row's Impact.
template <typename Row, typename Get>
py::dict impact_columns(std::span<const Row> rows, const py::capsule& owner, Get impact) {
  py::dict fields;
  const auto add = [&](const char* name, auto member) {
    fields[name] = column(
        rows, owner, [&](const Row& row) -> const auto& { return impact(row).*member; });
  };
  add("status", &Impact::status);
  add("decided_by", &Impact::stage);
  add("time", &Impact::time);
  add("lower", &Impact::lower);
  add("upper", &Impact::upper);
  add("weights", &Impact::weights);
  add("point", &Impact::point);
  add("normal", &Impact::normal);
  return fields;
}

}  // namespace toccata::python
