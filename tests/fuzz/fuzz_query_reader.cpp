// Any text gives queries of finite doubles, complete and with a truth each or none, or an error.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "toccata/io/query_io.hpp"

using namespace toccata;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Expected<LinearQueries> queries =
      parse_linear_queries(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!queries) {
    if (queries.error().message.rfind("fuzz:", 0) != 0) std::abort();
    return 0;
  }
  if (!queries->truth.empty() && queries->truth.size() != queries->size()) std::abort();
  for (const auto& column : queries->coordinates) {
    if (column.size() != queries->size()) std::abort();
    for (const double value : column) {
      if (!std::isfinite(value)) std::abort();
    }
  }
  return 0;
}
