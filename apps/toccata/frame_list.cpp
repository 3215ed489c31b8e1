#include "frame_list.hpp"

#include <glob.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "command.hpp"
#include "toccata/io/mesh_io.hpp"

namespace toccata::app {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Runs of digits compare as numbers.
bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto run = [](const std::string& s, std::size_t& k) {
        while (k < s.size() && s[k] == '0') ++k;
        const std::size_t begin = k;
        while (k < s.size() && is_digit(s[k])) ++k;
        return s.substr(begin, k - begin);
      };
      const std::string x = run(a, i), y = run(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

std::vector<std::string> in_folder(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file() && mesh_format_of(entry.path().string()))
      files.push_back(entry.path().string());
  }
  if (files.empty()) throw UsageError("folder " + folder + " has no OBJ, STL, PLY or OFF file");
  return files;
}

std::vector<std::string> matching(const std::string& pattern) {
  std::vector<std::string> files;
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (files.empty()) throw UsageError("no file matches " + pattern);
  return files;
}

}  // namespace

std::vector<std::string> list_frames(const std::vector<std::string>& arguments) {
  std::vector<std::string> frames;
  for (const std::string& argument : arguments) {
    std::vector<std::string> files = {argument};
    if (std::filesystem::is_directory(argument)) {
      files = in_folder(argument);
    } else if (!std::filesystem::exists(argument)) {
      if (argument.find_first_of("*?[") == std::string::npos) throw UsageError("no such frame: " + argument);
      files = matching(argument);
    }
    std::sort(files.begin(), files.end(), natural_less);
    frames.insert(frames.end(), files.begin(), files.end());
  }
  return frames;
}

}  // namespace toccata::app
