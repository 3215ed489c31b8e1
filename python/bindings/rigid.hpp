#pragma once
// The answers on rigid bodies as dicts.
#include "bindings.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata::python {

py::dict fields_of(const Contact& contact);
py::dict fields_of(const QueryStats& stats);

}  // namespace toccata::python
