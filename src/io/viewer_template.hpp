#pragma once
// web/dist/viewer.html, as built into the library.
#include <string_view>

namespace toccata {

std::string_view viewer_template();

}  // namespace toccata
