#pragma once
// Bytes compressed as images are: a zlib stream (RFC 1950) of deflated blocks (RFC 1951).
#include <cstdint>
#include <string_view>
#include <vector>

namespace toccata::app {

// Exactly `size` bytes: a stream of fewer or more, or one whose checksum differs, is damaged. Throws
// UsageError.
std::vector<std::uint8_t> inflated(std::string_view zlib_stream, std::size_t size);

}  // namespace toccata::app
