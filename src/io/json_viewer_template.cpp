#include "io/viewer_template.hpp"

// Files go into the program as they are. The assembler reads them: a page of this size as an array of numbers
// would take the compiler longer than all the rest of the component.
#if defined(__APPLE__)
#define TOCCATA_READ_ONLY_SECTION ".const_data"
#define TOCCATA_SYMBOL(name) "_" name
#else
#define TOCCATA_READ_ONLY_SECTION ".section .rodata"
#define TOCCATA_SYMBOL(name) name
#endif

#define TOCCATA_INCLUDE_FILE(name, path) \
  __asm__(TOCCATA_READ_ONLY_SECTION "\n" TOCCATA_SYMBOL(name "_begin") ":\n"                      \
          ".incbin \"" path "\"\n" TOCCATA_SYMBOL(name "_end") ":\n"                              \
          ".byte 0\n.text\n")

TOCCATA_INCLUDE_FILE("toccata_viewer_page", TOCCATA_VIEWER_PAGE);
TOCCATA_INCLUDE_FILE("toccata_report_schema", TOCCATA_REPORT_SCHEMA);

extern "C" {
[[gnu::visibility("hidden")]] extern const char toccata_viewer_page_begin[];
[[gnu::visibility("hidden")]] extern const char toccata_viewer_page_end[];
[[gnu::visibility("hidden")]] extern const char toccata_report_schema_begin[];
[[gnu::visibility("hidden")]] extern const char toccata_report_schema_end[];
}

namespace toccata {
namespace {

std::string_view text_between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view viewer_template() {
  return text_between(toccata_viewer_page_begin, toccata_viewer_page_end);
}

std::string_view report_schema_text() {
  return text_between(toccata_report_schema_begin, toccata_report_schema_end);
}

}  // namespace toccata
