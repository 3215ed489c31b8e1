#pragma once
// Between a report and its JSON, where only one of the two is at hand.
#include <nlohmann/json.hpp>
#include <span>

#include "toccata/base/expected.hpp"
#include "toccata/io/report.hpp"

namespace toccata {

// As report_from_json, of a text that is parsed already.
Expected<Report> report_of(const nlohmann::ordered_json& json);

nlohmann::ordered_json hierarchies_json(std::span<const HierarchyRecord> hierarchies);

}  // namespace toccata
