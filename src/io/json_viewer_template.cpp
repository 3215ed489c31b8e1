#include "io/viewer_template.hpp"

// The page goes into the program as it is. The assembler reads it: a page of this size as an array of numbers
// would take the compiler longer than all the rest of the component.
#if defined(__APPLE__)
#define TOCCATA_READ_ONLY_SECTION ".const_data"
#define TOCCATA_SYMBOL(name) "_" name
#else
#define TOCCATA_READ_ONLY_SECTION ".section .rodata"
#define TOCCATA_SYMBOL(name) name
#endif

__asm__(TOCCATA_READ_ONLY_SECTION "\n" TOCCATA_SYMBOL("toccata_viewer_page_begin") ":\n"
        ".incbin \"" TOCCATA_VIEWER_PAGE "\"\n" TOCCATA_SYMBOL("toccata_viewer_page_end") ":\n"
        ".byte 0\n.text\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const char toccata_viewer_page_begin[];
[[gnu::visibility("hidden")]] extern const char toccata_viewer_page_end[];
}

namespace toccata {

std::string_view viewer_template() {
  return {toccata_viewer_page_begin,
          static_cast<std::size_t>(toccata_viewer_page_end - toccata_viewer_page_begin)};
}

}  // namespace toccata
