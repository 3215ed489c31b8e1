#pragma once
// Public data with exact truth: the whole sets of ../shared/data where they are, otherwise the part of them
// that is kept in tests/data.
#include <filesystem>
#include <string>

namespace toccata {

// `name` is relative to either folder, e.g. "frames/cloth-funnel".
inline std::string test_data(const std::string& name) {
  const std::string whole = std::string(TOCCATA_SHARED_DATA) + "/" + name;
  return std::filesystem::exists(whole) ? whole : std::string(TOCCATA_SOURCE_DIR) + "/tests/data/" + name;
}

}  // namespace toccata
