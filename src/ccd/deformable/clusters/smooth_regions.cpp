#include "ccd/deformable/clusters/smooth_regions.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "toccata/base/parallel.hpp"

namespace toccata::deformable::clusters {
namespace {

// A region that failed rests for one, three, seven and then fifteen steps.
constexpr int longest_rest = 4;
// Steps before patches are worn: a build costs some steps' time.
constexpr int steps_worn = 64;

// The mean normal of a patch, of unit length, or not: only to choose axes.
Vector3 mean_normal(const Topology& topology, const ClusterMesh& mesh, const Step& step,
                    std::span<const std::int32_t> clusters) {
  Vector3 sum = Vector3::Zero();
  const std::size_t stride = std::max<std::size_t>(1, clusters.size() / 24);
  for (std::size_t i = 0; i < clusters.size(); i += stride) {
    const Cluster& cluster = mesh.clusters[clusters[i]];
    const Face& face = topology.faces[mesh.faces[cluster.face_begin + cluster.face_count / 2]];
    for (const auto end : {&MovingVertex::t0, &MovingVertex::t1}) {
      const auto at = [&](int c) { return Eigen::Map<const Vector3>(step.vertices[face[c]].*end); };
      sum += (at(1) - at(0)).cross(at(2) - at(0)).normalized();
    }
  }
  return sum.normalized();
}

// Entries of at most 1, exact from here on; zeros where there is none, along which no normal is.
NormalAxis axis_of(const Vector3& direction) {
  const double length = direction.cwiseAbs().maxCoeff();
  if (!(length > 0.0) || !std::isfinite(length)) return {0, 0, 0};
  return {static_cast<float>(direction[0] / length), static_cast<float>(direction[1] / length),
          static_cast<float>(direction[2] / length)};
}

}  // namespace

void SmoothRegions::forget() {
  *this = {};
}

void SmoothRegions::prepare(const Topology& topology, const ClusterMesh& mesh) {
  forget();
  prepared_ = true;
  patch_of_ = mesh.patch_of;
  if (std::all_of(patch_of_.begin(), patch_of_.end(), [](std::int32_t p) { return p < 0; })) return;
  vertex_count_ = static_cast<std::size_t>(topology.vertex_count);
  pool_ = std::make_unique<ContourTesterPool>();
  std::vector<ProposedRegion> proposed = propose_regions(topology, mesh);
  const auto patches = static_cast<std::size_t>(*std::max_element(patch_of_.begin(), patch_of_.end()) + 1);
  patch_begin_.assign(patches + 1, 0);
  link_begin_.assign(patches + 1, 0);
  for (const std::int32_t p : patch_of_) {
    if (p >= 0) ++patch_begin_[static_cast<std::size_t>(p) + 1];
  }
  for (ProposedRegion& region : proposed) {
    regions_.push_back({region.patches, std::move(region.contour)});
    if (region.patches[1] < 0) continue;
    for (const std::int32_t p : region.patches) ++link_begin_[static_cast<std::size_t>(p) + 1];
  }
  for (std::size_t p = 0; p < patches; ++p) {
    patch_begin_[p + 1] += patch_begin_[p];
    link_begin_[p + 1] += link_begin_[p];
  }
  patch_clusters_.resize(static_cast<std::size_t>(patch_begin_.back()));
  links_.resize(static_cast<std::size_t>(link_begin_.back()));
  std::vector<std::int32_t> cursor(patch_begin_.begin(), patch_begin_.end() - 1);
  for (std::size_t c = 0; c < patch_of_.size(); ++c) {
    if (patch_of_[c] >= 0) patch_clusters_[cursor[patch_of_[c]]++] = static_cast<std::int32_t>(c);
  }
  cursor.assign(link_begin_.begin(), link_begin_.end() - 1);
  for (std::size_t r = patches; r < regions_.size(); ++r) {
    const auto [p, q] = regions_[r].patches;
    links_[cursor[p]++] = {q, static_cast<std::int32_t>(r)};
    links_[cursor[q]++] = {p, static_cast<std::int32_t>(r)};
  }
  tried_.assign(regions_.size(), 0);
  open_.assign(regions_.size(), 0);
  holds_.assign(regions_.size(), 0);
}

void SmoothRegions::choose_axes(const Topology& topology, const ClusterMesh& mesh, const Step& step) {
  const std::size_t patches = patch_begin_.size() - 1;
  std::vector<Vector3> normals(patches);
  for (std::size_t p = 0; p < patches; ++p) {
    const auto begin = static_cast<std::size_t>(patch_begin_[p]),
               end = static_cast<std::size_t>(patch_begin_[p + 1]);
    normals[p] = mean_normal(topology, mesh, step,
                             std::span<const std::int32_t>(patch_clusters_).subspan(begin, end - begin));
  }
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    Region& region = regions_[r];
    tried_[r] = !region.contour.empty() && region.resting == 0;
    region.resting = std::max(region.resting - 1, 0);
    const auto [p, q] = region.patches;
    region.axis = axis_of(q < 0 ? normals[p] : normals[p] + normals[q]);
  }
}

void SmoothRegions::test_normals(const ClusterMesh& mesh, const ClusterBoxes& boxes, int threads) {
  std::vector<std::atomic<std::uint8_t>> along(regions_.size());
  for (std::size_t r = 0; r < regions_.size(); ++r) along[r].store(open_[r], std::memory_order_relaxed);
  parallel_blocks(patch_clusters_.size(), 64, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::int32_t> regions;
    for (std::size_t i = begin; i < end; ++i) {
      const auto c = static_cast<std::size_t>(patch_clusters_[i]);
      const auto p = static_cast<std::size_t>(patch_of_[c]);
      // The regions of this cluster that may still hold, 32 at a time.
      regions.clear();
      const auto add = [&](std::int32_t r) {
        if (along[r].load(std::memory_order_relaxed) != 0) regions.push_back(r);
      };
      add(static_cast<std::int32_t>(p));
      for (std::int32_t l = link_begin_[p]; l < link_begin_[p + 1]; ++l) add(links_[l].region);
      const Cluster& cluster = mesh.clusters[c];
      for (std::size_t first = 0; first < regions.size(); first += 32) {
        NormalAxis axes[32];
        const std::size_t count = std::min<std::size_t>(32, regions.size() - first);
        for (std::size_t k = 0; k < count; ++k) axes[k] = regions_[regions[first + k]].axis;
        const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
        const std::uint32_t good = normals_along(boxes, mesh, cluster, axes, all);
        for (std::size_t k = 0; k < count; ++k) {
          if (((good >> k) & 1u) == 0) along[regions[first + k]].store(0, std::memory_order_relaxed);
        }
      }
    }
  });
  for (std::size_t r = 0; r < regions_.size(); ++r) open_[r] = along[r].load(std::memory_order_relaxed);
}

void SmoothRegions::test_contours(const Step& step, int threads) {
  std::vector<std::int32_t> open;
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    if (open_[r] != 0) open.push_back(static_cast<std::int32_t>(r));
  }
  if (open.empty()) return;
  parallel_blocks(open.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    auto tester = pool_->take(vertex_count_);
    for (std::size_t i = begin; i < end; ++i) {
      const Region& region = regions_[open[i]];
      const std::int32_t first = region.contour[0] < 0 ? ~region.contour[0] : region.contour[0];
      tester->begin(Vector3(region.axis[0], region.axis[1], region.axis[2]),
                    Eigen::Map<const Vector3>(step.vertices[first].t0));
      holds_[open[i]] = tester->test(region.contour, [&](std::int32_t v) {
        return std::pair(static_cast<const double*>(step.vertices[v].t0),
                         static_cast<const double*>(step.vertices[v].t1));
      });
    }
    pool_->give_back(std::move(tester));
  });
}

std::int64_t SmoothRegions::cleared_faces(const ClusterMesh& mesh, const SmoothComponents& components) const {
  std::int64_t faces = 0;
  for (const std::int32_t c : patch_clusters_) {
    const Cluster& cluster = mesh.clusters[c];
    if (is_cleared(c) && !components.is_cleared(cluster.component)) faces += cluster.face_count;
  }
  return faces;
}

void SmoothRegions::update(const Topology& topology, const ClusterMesh& mesh, const Step& step,
                           const ClusterBoxes& boxes, int threads) {
  steps_ = std::min(steps_ + 1, steps_worn);
  if (regions_.empty()) return;
  choose_axes(topology, mesh, step);
  const std::size_t patches = patch_begin_.size() - 1;
  std::fill(holds_.begin(), holds_.end(), std::uint8_t{0});
  // Pairs first. What holds for two patches holds for each of them; only the others are asked one by one.
  for (std::size_t r = 0; r < regions_.size(); ++r) open_[r] = r >= patches && tried_[r] != 0;
  test_normals(mesh, boxes, threads);
  test_contours(step, threads);
  std::vector<std::uint8_t> inside(patches, 0);
  for (std::size_t r = patches; r < regions_.size(); ++r) {
    if (holds_[r] == 0) continue;
    for (const std::int32_t p : regions_[r].patches) inside[p] = 1;
  }
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    if (r < patches && inside[r] != 0) tried_[r] = 0;
    open_[r] = r < patches && tried_[r] != 0;
  }
  test_normals(mesh, boxes, threads);
  test_contours(step, threads);
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    if (tried_[r] == 0) continue;
    Region& region = regions_[r];
    region.failures = holds_[r] != 0 ? 0 : std::min(region.failures + 1, longest_rest);
    region.resting = (1 << region.failures) - 1;
  }
  for (std::size_t p = 0; p < patches; ++p) holds_[p] = holds_[p] != 0 || inside[p] != 0;
  cleared_clusters_ = 0;
  for (const std::int32_t c : patch_clusters_) cleared_clusters_ += is_cleared(c);
  if (steps_ == 1) cleared_at_first_ = cleared_clusters_;
}

bool SmoothRegions::are_worn() const {
  return steps_ == steps_worn && 2 * cleared_clusters_ < cleared_at_first_;
}

std::size_t SmoothRegions::memory_bytes() const {
  std::size_t bytes =
      tried_.capacity() + open_.capacity() + holds_.capacity() + links_.capacity() * sizeof(Link);
  for (const auto* list : {&patch_of_, &patch_begin_, &patch_clusters_, &link_begin_}) {
    bytes += list->capacity() * sizeof(std::int32_t);
  }
  for (const Region& r : regions_) bytes += sizeof(Region) + r.contour.capacity() * sizeof(std::int32_t);
  if (pool_) bytes += pool_->size() * vertex_count_ * 36;  // tracks and stamps of the testers
  return bytes;
}

}  // namespace toccata::deformable::clusters
