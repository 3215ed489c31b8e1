#pragma once
// --open: a page in the browser of whoever sits there.
#include <string>

namespace toccata::app {

// By the program that $BROWSER names, or the system's own way (xdg-open, open). Does not wait for it. Where
// there is none, says so on stderr: the page is written all the same.
void open_in_browser(const std::string& page);

}  // namespace toccata::app
