#pragma once
// Frames of a sequence as a user names them: files, folders and patterns.
#include <string>
#include <vector>

namespace toccata::app {

// Files stay in the order given; a folder or a pattern (*, ?, [...]) gives its mesh files in natural order
// (frame2 before frame10). Throws UsageError when something is missing or matches nothing.
std::vector<std::string> list_frames(const std::vector<std::string>& arguments);

}  // namespace toccata::app
