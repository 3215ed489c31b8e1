#pragma once
// Large pages for large arrays: fewer pages to ask the system for when memory is touched for the first time,
// and fewer to look up afterwards.
#include <cstddef>

namespace toccata {

inline constexpr std::size_t large_page = std::size_t{1} << 21;  // bytes

// Asks for large pages wherever whole ones fit into this memory, which was not touched yet. A hint: refused,
// everything works as before.
void prefer_large_pages(void* memory, std::size_t bytes);

}  // namespace toccata
