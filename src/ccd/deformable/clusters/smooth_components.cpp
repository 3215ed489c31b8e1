#include "ccd/deformable/clusters/smooth_components.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "ccd/deformable/clusters/cluster_kernels.hpp"
#include "hierarchy/region_chain.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable::clusters {
namespace {

// Smaller ones have few pairs of clusters to save.
constexpr std::int32_t smallest_component = 512;

// By edge: how many faces run along it in either direction.
struct Uses {
  std::uint8_t forward = 0, backward = 0;
};

std::vector<Uses> count_uses(const Topology& topology) {
  std::vector<Uses> uses(topology.edges.size());
  const auto count = [](std::uint8_t& n) { n = static_cast<std::uint8_t>(std::min(n + 1, 3)); };
  for (std::size_t f = 0; f < topology.faces.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t e = topology.face_edges[f][k];
      if (e < 0) continue;
      count(topology.faces[f][k] == topology.edges[e][0] ? uses[e].forward : uses[e].backward);
    }
  }
  return uses;
}

// A direction to try: the mean normal of some faces.
Vector3 mean_normal(const Topology& topology, const Step& step, std::span<const std::int32_t> faces) {
  Vector3 sum = Vector3::Zero();
  const std::size_t stride = std::max<std::size_t>(1, faces.size() / 256);
  for (std::size_t i = 0; i < faces.size(); i += stride) {
    const Face& face = topology.faces[faces[i]];
    for (const auto end : {&MovingVertex::t0, &MovingVertex::t1}) {
      const auto at = [&](int c) { return Eigen::Map<const Vector3>(step.vertices[face[c]].*end); };
      sum += (at(1) - at(0)).cross(at(2) - at(0));
    }
  }
  return sum;
}

}  // namespace

void SmoothComponents::prepare(const Topology& topology) {
  forget();
  prepared_ = true;
  const auto components = static_cast<std::size_t>(topology.component_count);
  const auto component_of = [&](const Face& face) { return topology.vertex_component[face[0]]; };
  // Faces of each component; -1 where the theorem does not apply: faces with equal corners, wires, edges that
  // two faces run along the same way.
  std::vector<std::int32_t> size(components, 0);
  for (const Face& face : topology.faces) {
    std::int32_t& n = size[component_of(face)];
    n = region_chain::is_triangle(face) && n >= 0 ? n + 1 : -1;
  }
  for (const std::int32_t w : topology.wires) size[topology.vertex_component[topology.edges[w][0]]] = -1;
  std::vector<region_chain::Chain> chains(components);
  const std::vector<Uses> uses = count_uses(topology);
  for (std::size_t e = 0; e < uses.size(); ++e) {
    const auto [low, high] = topology.edges[e];
    const std::int32_t c = topology.vertex_component[low];
    if (uses[e].forward > 1 || uses[e].backward > 1) size[c] = -1;
    if (size[c] < smallest_component || uses[e].forward == uses[e].backward) continue;
    chains[c].edges.push_back({low, high, uses[e].forward > 0});
  }
  // A closed component has no contour, and normals on all sides: it is no candidate.
  std::vector<std::int32_t> place(components, -1);
  for (std::size_t c = 0; c < components; ++c) {
    if (size[c] < smallest_component || chains[c].edges.empty()) continue;
    Candidate candidate{static_cast<std::int32_t>(c), 0, 0, {}};
    std::sort(chains[c].edges.begin(), chains[c].edges.end());
    region_chain::append_loops(chains[c], candidate.contour);
    if (candidate.contour.empty()) continue;
    place[c] = static_cast<std::int32_t>(candidates_.size());
    candidates_.push_back(std::move(candidate));
  }
  if (candidates_.empty()) return;
  std::int32_t end = 0;
  for (Candidate& candidate : candidates_) {
    candidate.face_begin = candidate.face_end = end;
    end += size[candidate.component];
  }
  faces_.resize(static_cast<std::size_t>(end));
  for (std::size_t f = 0; f < topology.faces.size(); ++f) {
    const std::int32_t p = place[component_of(topology.faces[f])];
    if (p >= 0) faces_[candidates_[p].face_end++] = static_cast<std::int32_t>(f);
  }
  cleared_.assign(components, 0);
}

bool SmoothComponents::is_smooth(const Candidate& candidate, const Topology& topology, const Step& step,
                                 const ClusterBoxes& boxes, int threads) {
  const auto faces = std::span<const std::int32_t>(faces_).subspan(
      static_cast<std::size_t>(candidate.face_begin),
      static_cast<std::size_t>(candidate.face_end - candidate.face_begin));
  const Vector3 mean = mean_normal(topology, step, faces);
  const double length = mean.cwiseAbs().maxCoeff();
  if (!(length > 0) || !std::isfinite(length)) return false;
  // Its entries are at most 1, and exact from here on.
  const NormalAxis axis = {static_cast<float>(mean[0] / length), static_cast<float>(mean[1] / length),
                           static_cast<float>(mean[2] / length)};
  std::atomic<bool> along{true};
  parallel_blocks(faces.size(), 1024, threads, [&](std::size_t begin, std::size_t end) {
    if (!along.load(std::memory_order_relaxed)) return;
    if (normals_along(boxes, topology.faces.data(), faces.data() + begin, end - begin, &axis, 1) == 0) {
      along.store(false, std::memory_order_relaxed);
    }
  });
  if (!along.load()) return false;
  if (!tester_) tester_ = std::make_unique<ContourTester>(step.vertices.size());
  vertex_count_ = step.vertices.size();
  const std::int32_t first = candidate.contour[0] < 0 ? ~candidate.contour[0] : candidate.contour[0];
  tester_->begin(Vector3(axis[0], axis[1], axis[2]), Eigen::Map<const Vector3>(step.vertices[first].t0));
  return tester_->test(candidate.contour, [&](std::int32_t v) {
    return std::pair(static_cast<const double*>(step.vertices[v].t0),
                     static_cast<const double*>(step.vertices[v].t1));
  });
}

void SmoothComponents::update(const Topology& topology, const Step& step, const ClusterBoxes& boxes,
                              int threads) {
  any_ = false;
  for (const Candidate& candidate : candidates_) {
    const bool smooth = is_smooth(candidate, topology, step, boxes, threads);
    cleared_[static_cast<std::size_t>(candidate.component)] = smooth;
    any_ = any_ || smooth;
  }
}

std::int64_t SmoothComponents::cleared_faces() const {
  std::int64_t sum = 0;
  for (const Candidate& c : candidates_) sum += is_cleared(c.component) ? c.face_end - c.face_begin : 0;
  return sum;
}

std::size_t SmoothComponents::memory_bytes() const {
  std::size_t bytes = faces_.capacity() * sizeof(std::int32_t) + cleared_.capacity();
  if (tester_) bytes += vertex_count_ * 36;  // its tracks and stamps
  for (const Candidate& c : candidates_) {
    bytes += sizeof(Candidate) + c.contour.capacity() * sizeof(std::int32_t);
  }
  return bytes;
}

}  // namespace toccata::deformable::clusters
