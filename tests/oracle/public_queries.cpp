#include "oracle/public_queries.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace toccata::oracle {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot open " + path.string());
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.c_str();
  while (*at != 0) {
    char* end = nullptr;
    const double x = std::strtod(at, &end);
    if (end == at) {
      ++at;
    } else {
      numbers.push_back(x);
      at = end;
    }
  }
  return numbers;
}

QuerySet read_csv(const fs::path& path, FeaturePairKind pair) {
  QuerySet set{path.string(), pair, {}, {}};
  const std::vector<double> x = numbers_in(text_of(path));
  for (std::size_t q = 0; q + 56 <= x.size(); q += 56) {
    LinearMotion4 motion;
    for (std::size_t row = 0; row < 8; ++row) {
      const double* r = &x[q + 7 * row];
      (row < 4 ? motion.t0 : motion.t1)[row % 4] = Vector3(r[0] / r[1], r[2] / r[3], r[4] / r[5]);
    }
    set.motions.push_back(motion);
    set.truth.push_back(x[q + 6] != 0);
  }
  return set;
}

struct Frame {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> faces;
};

// Enough of binary PLY for these four files: x, y, z first, then triangles as "uchar, three ints".
class FrameReader {
 public:
  explicit FrameReader(const fs::path& path) : text_(text_of(path)) {}

  Frame read() {
    std::size_t vertex_count = 0, face_count = 0;
    bool wide = false, in_vertices = false;
    for (std::string line = next_line(); line != "end_header"; line = next_line()) {
      std::istringstream words(line);
      std::string first, second;
      words >> first >> second;
      if (first == "format") swap_ = second == "binary_big_endian";
      if (first == "element") in_vertices = second == "vertex";
      if (first == "element") words >> (in_vertices ? vertex_count : face_count);
      if (first == "property" && in_vertices) wide = second == "double";
    }
    Frame frame;
    for (std::size_t i = 0; i < vertex_count; ++i) {
      Vector3 v;
      for (int k = 0; k < 3; ++k) v[k] = wide ? next<double>() : static_cast<double>(next<float>());
      frame.vertices.push_back(v);
    }
    for (std::size_t i = 0; i < face_count; ++i) {
      if (next<std::uint8_t>() != 3) throw std::runtime_error("a face that is no triangle");
      std::array<int, 3> f{};
      for (int& v : f) v = next<std::int32_t>();
      frame.faces.push_back(f);
    }
    return frame;
  }

 private:
  std::string next_line() {
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string::npos) throw std::runtime_error("truncated header");
    std::string line = text_.substr(at_, end - at_);
    at_ = end + 1;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
  }
  template <typename T>
  T next() {
    std::array<char, sizeof(T)> bytes{};
    if (at_ + sizeof(T) > text_.size()) throw std::runtime_error("truncated file");
    std::memcpy(bytes.data(), text_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    if (swap_) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
  }

  std::string text_;
  std::size_t at_ = 0;
  bool swap_ = false;
};

std::vector<std::array<int, 2>> edges_of(const Frame& frame) {
  std::vector<std::array<int, 2>> edges;  // as (j, i), i < j: the order of the ids
  for (const auto& f : frame.faces) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(f[k], f[(k + 1) % 3]);
      edges.push_back({high, low});
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::vector<char> booleans_in(const std::string& text) {
  std::vector<char> values;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == 't') values.push_back(1);
    if (text[i] == 'f') values.push_back(0);
  }
  return values;
}

QuerySet frame_set(const fs::path& scene, const std::string& step, FeaturePairKind pair, const Frame& start,
                   const Frame& end, const std::vector<std::array<int, 2>>& edges) {
  const std::string name = step + (pair == FeaturePairKind::VertexFace ? "vf" : "ee");
  QuerySet set{(scene / name).string(), pair, {}, {}};
  const std::vector<double> ids = numbers_in(text_of(scene / "boxes" / (name + ".json")));
  set.truth = booleans_in(text_of(scene / "mma_bool" / (name + "_mma_bool.json")));
  const auto vertices = start.vertices.size();
  for (std::size_t i = 0; i + 1 < ids.size(); i += 2) {
    const auto a = static_cast<std::size_t>(ids[i]), b = static_cast<std::size_t>(ids[i + 1]);
    std::array<int, 4> p{};
    if (pair == FeaturePairKind::VertexFace) {
      const auto& f = start.faces.at(b - vertices - edges.size());
      p = {static_cast<int>(a), f[0], f[1], f[2]};
    } else {
      const auto &ea = edges.at(a - vertices), &eb = edges.at(b - vertices);
      p = {ea[0], ea[1], eb[0], eb[1]};
    }
    LinearMotion4 motion;
    for (std::size_t k = 0; k < 4; ++k) {
      motion.t0[k] = start.vertices.at(static_cast<std::size_t>(p[k]));
      motion.t1[k] = end.vertices.at(static_cast<std::size_t>(p[k]));
    }
    set.motions.push_back(motion);
  }
  if (set.truth.size() != set.motions.size()) throw std::runtime_error("truth does not fit " + name);
  return set;
}

}  // namespace

std::vector<QuerySet> degenerate_queries(const std::string& root) {
  std::vector<fs::path> paths;
  if (!fs::exists(root)) return {};
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".csv") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<QuerySet> sets;
  for (const fs::path& path : paths) {
    const bool edges = path.parent_path().filename() == "edge-edge";
    sets.push_back(read_csv(path, edges ? FeaturePairKind::EdgeEdge : FeaturePairKind::VertexFace));
  }
  return sets;
}

std::vector<QuerySet> frame_queries(const std::string& cloth_ball, const std::string& cloth_funnel) {
  std::vector<QuerySet> sets;
  const auto add = [&](const fs::path& scene, const std::string& step, const std::string& first,
                       const std::string& second) {
    if (!fs::exists(scene)) return;
    const Frame start = FrameReader(scene / "frames" / first).read();
    const Frame end = FrameReader(scene / "frames" / second).read();
    const auto edges = edges_of(start);
    for (FeaturePairKind pair : {FeaturePairKind::VertexFace, FeaturePairKind::EdgeEdge}) {
      sets.push_back(frame_set(scene, step, pair, start, end, edges));
    }
  };
  add(cloth_ball, "92", "cloth_ball92.ply", "cloth_ball93.ply");
  add(cloth_funnel, "227", "227.ply", "228.ply");
  return sets;
}

}  // namespace toccata::oracle
