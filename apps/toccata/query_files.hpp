#pragma once
// Which files hold queries, and of what kind.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toccata::app {

enum class QueryKind { VertexFace, EdgeEdge };

constexpr std::string_view to_string(QueryKind kind) {
  return kind == QueryKind::VertexFace ? "vertex-face" : "edge-edge";
}

struct QueryFile {
  std::string path;
  QueryKind kind;
};

// The kind that the nearest name tells: the file's own, then its folder's, and so on. Looks for vertex-face,
// vertex_face, vf, edge-edge, edge_edge or ee as a word of its own (data_vf.csv, 227ee.csv; not wheel.csv).
std::optional<QueryKind> kind_from_path(std::string_view path);

// The files themselves, and all *.csv below folders, sorted. Throws UsageError for what does not exist, for a
// folder without CSV files, and where the kind is neither given nor told by the name.
std::vector<QueryFile> find_query_files(const std::vector<std::string>& paths, std::optional<QueryKind> kind);

}  // namespace toccata::app
