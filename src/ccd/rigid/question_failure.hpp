#pragma once
// What is wrong with a question, for a person; empty if it can be asked.
#include <cstdint>
#include <optional>
#include <string>

#include "toccata/ccd/body.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"

namespace toccata::rigid {

std::string failure_of(const Body& a, const Body& b);
std::string failure_of(const FirstContactOptions& options);
// All methods but the default one take meshes only.
std::string failure_of_method(RigidMethod method, const Shape& a, const Shape& b);
std::string failure_of_motions(const Motion& a, const Motion& b);
std::string failure_of_tolerance(const std::optional<double>& tolerance, double relative_tolerance);
std::string failure_of_budget(std::int64_t budget);

}  // namespace toccata::rigid
