#pragma once
// Which files hold queries, and of what kind.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toccata/report/feature_pair.hpp"

namespace toccata::app {

// As the command line and its outputs spell it: vertex-face.
std::string spelled(FeaturePairKind kind);

struct QueryFile {
  std::string path;
  FeaturePairKind kind;
};

// The kind that the nearest name tells: the file's own, then its folder's, and so on. Looks for vertex-face,
// vertex_face, vf, edge-edge, edge_edge or ee as a word of its own (data_vf.csv, 227ee.csv; not wheel.csv).
std::optional<FeaturePairKind> kind_from_path(std::string_view path);

// The files themselves, and all *.csv below folders, sorted. Throws UsageError for what does not exist, for a
// folder without CSV files, and where the kind is neither given nor told by the name.
std::vector<QueryFile> find_query_files(const std::vector<std::string>& paths,
                                        std::optional<FeaturePairKind> kind);

}  // namespace toccata::app
