#include "query_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "command.hpp"

namespace toccata::app {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, FeaturePairKind>, 6> words = {
    {{"vertex-face", FeaturePairKind::VertexFace},
     {"vertex_face", FeaturePairKind::VertexFace},
     {"vf", FeaturePairKind::VertexFace},
     {"edge-edge", FeaturePairKind::EdgeEdge},
     {"edge_edge", FeaturePairKind::EdgeEdge},
     {"ee", FeaturePairKind::EdgeEdge}}};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool has_word(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(name[at - 1])) && (end == name.size() || !is_letter(name[end]))) return true;
  }
  return false;
}

std::vector<std::string> csv_files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (it->path().extension() == ".csv" && it->is_regular_file()) files.push_back(it->path().string());
  }
  if (error) throw UsageError(folder + ": cannot list the folder: " + error.message());
  if (files.empty()) throw UsageError(folder + ": expected CSV files in the folder, found none");
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string spelled(FeaturePairKind kind) {
  std::string text(to_string(kind));
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::optional<FeaturePairKind> kind_from_path(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    std::optional<FeaturePairKind> found;
    for (const auto& [word, kind] : words) {
      if (!has_word(name, word)) continue;
      if (found && *found != kind) return std::nullopt;
      found = kind;
    }
    if (found) return found;
    path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
  }
  return std::nullopt;
}

std::vector<QueryFile> find_query_files(const std::vector<std::string>& paths,
                                        std::optional<FeaturePairKind> kind) {
  std::vector<QueryFile> result;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw UsageError(path + ": no such file or folder");
    const std::vector<std::string> files =
        fs::is_directory(status) ? csv_files_below(path) : std::vector{path};
    for (const std::string& file : files) {
      // The folder a relative path starts from tells as much as one that is written out.
      const fs::path absolute = fs::absolute(file, error).lexically_normal();
      const std::optional<FeaturePairKind> known = kind ? kind : kind_from_path(absolute.string());
      if (!known) {
        throw UsageError(file +
                         ": cannot tell vertex-face from edge-edge by the name; say --kind vertex-face or "
                         "--kind edge-edge");
      }
      result.push_back({file, *known});
    }
  }
  return result;
}

}  // namespace toccata::app
