#pragma once
// The answers on rigid bodies as dicts.
#include "bindings.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"

namespace toccata::python {

py::dict fields_of(const Contact& contact);
py::dict fields_of(const QueryStats& stats);

}  // namespace toccata::python
