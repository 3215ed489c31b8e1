#pragma once
// Whether a JSON value fits a schema. Knows the words of JSON Schema that docs/report.schema.json uses.
#include <nlohmann/json.hpp>
#include <optional>

#include "toccata/base/expected.hpp"

namespace toccata {

// The schema of reports, docs/report.schema.json, as it was when this was built.
const nlohmann::ordered_json& report_schema();

// The first thing that does not fit, with its place: "results[3].bodies: has 1 entry, needs at least 2". A
// word that is not known is an error of its own: a schema is never half obeyed.
std::optional<Error> schema_violation(const nlohmann::ordered_json& value,
                                      const nlohmann::ordered_json& schema);

}  // namespace toccata
