#pragma once
// Enumerations travel by their names, which C++ writes: to_string of every value from 0 to count - 1.
#include <string>

#include "bindings.hpp"

namespace toccata::python {

template <typename Enum>
py::tuple names_of(int count) {
  py::list names;
  for (int i = 0; i < count; ++i) names.append(to_string(static_cast<Enum>(i)));
  return py::tuple(names);
}

// Raises ValueError that lists the names if there is no such one.
template <typename Enum>
Enum enum_of(const py::handle& value, int count, const std::string& argument) {
  std::string names;
  const bool is_text = py::isinstance<py::str>(value);
  const std::string given = is_text ? value.cast<std::string>() : std::string();
  for (int i = 0; i < count; ++i) {
    const std::string name(to_string(static_cast<Enum>(i)));
    if (is_text && given == name) return static_cast<Enum>(i);
    names += (i > 0 ? ", '" : "'") + name + "'";
  }
  throw py::value_error(argument + " must be one of " + names + ", not " +
                        py::repr(value).cast<std::string>());
}

}  // namespace toccata::python
