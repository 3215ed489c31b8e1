#pragma once
// Writes every contact of a sequence to a file, as CSV or as binary records.
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "report_options.hpp"
#include "toccata/ccd/deformable/deformable_result.hpp"

namespace toccata::app {

// By the extension: .csv has a header line and 17 significant digits; .bin is the eight bytes "TOCCATA1" and
// records of 128 bytes, little-endian: int32 step, kind, first, second, status, 0; doubles time, lower,
// upper, four weights, point, normal. Throws UsageError when the file exists
// (unless `force`) or cannot be written.
class ContactWriter {
 public:
  ContactWriter(const std::string& path, bool force, const InputFiles& inputs);
  void add(std::int32_t step, const std::vector<DeformableContact>& contacts);
  void close();

 private:
  std::string path_;
  bool binary_;
  std::ofstream file_;
};

}  // namespace toccata::app
