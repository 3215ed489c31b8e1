#include "ccd/deformable/clusters/face_patches.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "toccata/base/parallel.hpp"

namespace toccata::deformable::clusters {
namespace {

constexpr std::size_t smallest_patch = 1024;  // faces: fewer have few pairs of clusters to save
// Percent of the faces: where most are in no patch, clusters that stop at its border cost more than it saves.
constexpr std::size_t smallest_share = 60;
// Of the angle from a patch's first normal: within it; of what is left beside it, in turn, 44 to 73 degrees;
// and of the first normal of the next patch at most, twice the angle of a patch.
constexpr float border_cosines[] = {0.72f, 0.64f, 0.55f, 0.45f, 0.3f};
constexpr auto next_cosine = static_cast<float>(2 * patch_cosine * patch_cosine - 1);

using Normal = Eigen::Vector3f;

class PatchGrower {
 public:
  PatchGrower(const Topology& topology, const Step& step, int threads)
      : topology_(topology),
        normals_(topology.faces.size()),
        patch_of_(topology.faces.size(), none),
        seen_(topology.faces.size(), none) {
    find_normals(step, threads);
    find_sides();
  }

  FacePatches run() {
    const std::size_t count = patch_of_.size();
    for (std::size_t f = 0; f < count; ++f) {
      for (std::int32_t seed = static_cast<std::int32_t>(f); seed >= 0;) seed = grow_from(seed);
    }
    if (100 * faces_.size() < smallest_share * count) return {};
    // What is left between patches goes with one of them, the nearest first, so that they touch.
    for (const float cosine : border_cosines) {
      for (std::size_t next = 0; next < faces_.size(); ++next) extend(faces_[next], small, cosine, faces_);
    }
    FacePatches result;
    result.patch = patch_of_;
    for (std::size_t next = 0; next < faces_.size(); ++next) {
      for (const std::int32_t free : {small, none}) extend(faces_[next], free, -2.0f, faces_);
    }
    result.group = std::move(patch_of_);
    for (auto* const numbers : {&result.patch, &result.group}) {
      for (std::int32_t& p : *numbers) p = std::max(p, none);
    }
    return result;
  }

 private:
  static constexpr std::int32_t none = -1, small = -2;  // in no patch (yet); in one that was too small
  static constexpr std::int32_t crowded = -2;           // beside an edge: two faces or more

  // Zero where a face has none: it is in no patch.
  void find_normals(const Step& step, int threads) {
    parallel_blocks(normals_.size(), 4096, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) {
        const Face& face = topology_.faces[f];
        const auto at = [&](int c) { return Eigen::Map<const Vector3>(step.vertices[face[c]].t0); };
        const Vector3 n = (at(1) - at(0)).cross(at(2) - at(0));
        const double length = n.norm();
        const auto& edges = topology_.face_edges[f];
        const bool proper = *std::min_element(edges.begin(), edges.end()) >= 0;
        const bool usable = proper && length > 0.0 && length < 1e300;
        normals_[f] = usable ? Normal((n / length).cast<float>()) : Normal::Zero();
      }
    });
  }

  void find_sides() {
    sides_.assign(topology_.edges.size(), {none, none});
    for (std::size_t f = 0; f < topology_.faces.size(); ++f) {
      for (const std::int32_t e : topology_.face_edges[f]) {
        if (e < 0) continue;
        auto& [first, second] = sides_[e];
        if (first == none) {
          first = static_cast<std::int32_t>(f);
        } else {
          second = second == none ? static_cast<std::int32_t>(f) : crowded;
        }
      }
    }
  }

  template <typename Visit>
  void for_each_neighbour(std::int32_t face, Visit&& visit) const {
    for (const std::int32_t e : topology_.face_edges[face]) {
      if (e < 0) continue;
      const auto [first, second] = sides_[e];
      if (second >= 0) visit(first == face ? second : first);
    }
  }

  // Takes the neighbours of a face that are `free` and whose normals are near the axis into its patch.
  void extend(std::int32_t face, std::int32_t free, float cosine, std::vector<std::int32_t>& to) {
    const std::int32_t number = patch_of_[face];
    for_each_neighbour(face, [&](std::int32_t other) {
      if (patch_of_[other] != free || axes_[number].dot(normals_[other]) < cosine) return;
      patch_of_[other] = number;
      to.push_back(other);
    });
  }

  // A patch around a face, or, where that is too small, around one at its border; returns where to go on, if
  // there is a place beside it.
  std::int32_t grow_from(std::int32_t seed, bool again = false) {
    if (patch_of_[seed] != none || normals_[seed].squaredNorm() < 0.5f) return -1;
    const auto number = static_cast<std::int32_t>(axes_.size());
    std::vector<std::int32_t> patch = {seed};
    patch_of_[seed] = number;
    axes_.push_back(normals_[seed]);
    for (std::size_t next = 0; next < patch.size(); ++next) {
      extend(patch[next], none, static_cast<float>(patch_cosine), patch);
    }
    if (patch.size() < smallest_patch) {
      for (const std::int32_t f : patch) patch_of_[f] = again ? small : none;
      axes_.pop_back();
      if (again) return -1;
      const Normal axis = normals_[seed];
      const std::int32_t border = *std::min_element(
          patch.begin(), patch.end(),
          [&](std::int32_t a, std::int32_t b) { return axis.dot(normals_[a]) < axis.dot(normals_[b]); });
      const std::int32_t next = grow_from(border, true);
      if (patch_of_[seed] == none) patch_of_[seed] = small;
      return next;
    }
    faces_.insert(faces_.end(), patch.begin(), patch.end());
    return place_beside(std::move(patch), number);
  }

  // Of the faces around a patch the one whose normal turns away the most, but so little that a patch around
  // it touches this one: patches then lie side by side without gaps.
  std::int32_t place_beside(std::vector<std::int32_t> reached, std::int32_t number) {
    std::int32_t best = -1;
    float least = 2.0f;
    for (std::size_t next = 0; next < reached.size(); ++next) {
      for_each_neighbour(reached[next], [&](std::int32_t other) {
        if (patch_of_[other] != none || seen_[other] == number) return;
        const float cosine = axes_[number].dot(normals_[other]);
        if (cosine < next_cosine) return;
        seen_[other] = number;
        reached.push_back(other);
        if (cosine < least) {
          least = cosine;
          best = other;
        }
      });
    }
    return best;
  }

  const Topology& topology_;
  std::vector<Normal> normals_;
  std::vector<std::array<std::int32_t, 2>> sides_;  // the faces at each edge
  std::vector<std::int32_t> patch_of_, seen_;       // by face
  std::vector<Normal> axes_;                        // by patch: the first normal
  std::vector<std::int32_t> faces_;                 // in patches
};

}  // namespace

FacePatches face_patches(const Topology& topology, const Step& step, int threads) {
  if (topology.faces.size() < smallest_patch) return {};
  return PatchGrower(topology, step, threads).run();
}

}  // namespace toccata::deformable::clusters
