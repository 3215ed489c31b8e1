#include "rest_report.hpp"

#include <filesystem>

#include "toccata/io/report_record.hpp"

namespace toccata::app {

Report rest_report(const std::string& query, const RestingFile& a, const RestingFile& b) {
  const auto name = [](const RestingFile& file) {
    return std::filesystem::path(file.path).filename().string();
  };
  const bool same = a.path == b.path;
  Report report;
  report.query = query;
  report.title = name(a) + " and " + name(b);
  report.shapes.push_back(record_of(a.placed.shape.mesh(), name(a), a.path));
  if (!same) report.shapes.push_back(record_of(b.placed.shape.mesh(), name(b), b.path));
  report.bodies = {{"A", 0, FixedMotionRecord{a.placed.pose}},
                   {"B", same ? 0 : 1, FixedMotionRecord{b.placed.pose}}};
  return report;
}

}  // namespace toccata::app
