#include "ccd/deformable/clusters/cluster_kernels.hpp"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/clusters/normal_kernel.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "ccd/deformable/clusters/point_columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {
namespace {

// Errors of a control vector along an axis with entries at most 1, in units of the roundoff
// (docs/notes/deformable_bounds.md): times the sum of the sides' sizes, and times the sum of their products.
constexpr double input_error = 8.2 * 0x1p-24, rounding_error = 17 * 0x1p-24, size_error = 4 * 0x1p-24;

// Two sides of a face at one end.
struct Sides {
  Single p[3], q[3];
};

// (p of a) x (q of b) along the axis.
HWY_INLINE Single component(const Sides& a, const Sides& b, std::size_t k) {
  const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
  return a.p[i] * b.q[j] - a.p[j] * b.q[i];
}

// The normals of some faces during the step. They are quadratics in time, whose Bernstein coefficients are
// n_0, n_1 and n_2: here n_0, twice n_1, n_2, and what each may be off along an axis, n_1 twice that.
struct NormalControls {
  Single first[3], middle[3], last[3];
  Single error;
};

// The corners of some faces of a mesh.
struct ListedFaces {
  const Face* faces;
  const std::int32_t* ids;

  HWY_INLINE std::int32_t vertex(std::size_t f, std::size_t corner) const { return faces[ids[f]][corner]; }
};

// And those of the faces of a cluster, which lie side by side.
struct ClusterFaces {
  const std::int32_t* vertices;
  const std::uint8_t* corners;
  std::size_t slots;

  HWY_INLINE std::int32_t vertex(std::size_t f, std::size_t corner) const {
    return vertices[corners[corner * slots + f]];
  }
};

// Of the faces from f on; lanes beyond the end repeat the first.
template <typename Faces>
HWY_INLINE NormalControls normal_controls(const ClusterBoxes& boxes, const Faces& faces, std::size_t count,
                                          std::size_t f) {
  const SingleTag d;
  Single x[3][6];
  for (std::size_t c = 0; c < 3; ++c) {
    const float* rows[width];
    for (std::size_t l = 0; l < width; ++l) {
      const std::int32_t vertex = faces.vertex(f + l < count ? f + l : f, c);
      rows[l] = boxes.points.data() + 8 * static_cast<std::size_t>(vertex);
    }
    load_columns(rows, x[c]);
  }
  // Two sides of each face at both ends, and what no coordinate of them exceeds, true or computed.
  Sides s[2];
  Single size[3];
  for (std::size_t k = 0; k < 3; ++k) {
    size[k] = hn::Set(d, static_cast<float>(size_error));
    Single largest = hn::Zero(d);
    for (std::size_t end = 0; end < 2; ++end) {
      s[end].p[k] = x[1][3 * end + k] - x[0][3 * end + k];
      s[end].q[k] = x[2][3 * end + k] - x[0][3 * end + k];
      largest = hn::Max(largest, hn::Max(hn::Abs(s[end].p[k]), hn::Abs(s[end].q[k])));
    }
    size[k] = size[k] + largest;
  }
  NormalControls n;
  for (std::size_t k = 0; k < 3; ++k) {
    n.first[k] = component(s[0], s[0], k);
    n.middle[k] = component(s[0], s[1], k) + component(s[1], s[0], k);
    n.last[k] = component(s[1], s[1], k);
  }
  const Single sum = (size[0] + size[1]) + size[2];
  const Single products = size[0] * size[1] + (size[0] + size[1]) * size[2];
  n.error = hn::Set(d, static_cast<float>(input_error)) * sum +
            hn::Set(d, static_cast<float>(rounding_error)) * products;
  return n;
}

// All coefficients beyond their errors: so is every normal in between.
HWY_INLINE bool are_along(const NormalControls& n, const float* axis) {
  const SingleTag d;
  Single along[3];
  for (std::size_t k = 0; k < 3; ++k) {
    const Single a = hn::Set(d, axis[k]);
    const Single first = a * n.first[k], middle = a * n.middle[k], last = a * n.last[k];
    along[0] = k == 0 ? first : along[0] + first;
    along[1] = k == 0 ? middle : along[1] + middle;
    along[2] = k == 0 ? last : along[2] + last;
  }
  const auto ends = hn::Gt(hn::Min(along[0], along[2]), n.error);
  return hn::AllTrue(d, hn::And(ends, hn::Gt(along[1], n.error + n.error)));
}

template <typename Faces>
std::uint32_t test_axes(const ClusterBoxes& boxes, const Faces& faces, std::size_t count,
                        const NormalAxis* axes, std::uint32_t wanted) {
  for (std::size_t f = 0; f < count && wanted != 0; f += width) {
    const NormalControls n = normal_controls(boxes, faces, count, f);
    for (std::uint32_t left = wanted; left != 0; left &= left - 1) {
      const int i = std::countr_zero(left);
      if (!are_along(n, axes[i].data())) wanted &= ~(1u << i);
    }
  }
  return wanted;
}

}  // namespace

std::uint32_t axes_of_normals(const ClusterBoxes& boxes, const Face* faces, const std::int32_t* ids,
                              std::size_t count, const NormalAxis* axes, std::uint32_t wanted) {
  return test_axes(boxes, ListedFaces{faces, ids}, count, axes, wanted);
}

std::uint32_t axes_of_cluster(const ClusterBoxes& boxes, const ClusterMesh& mesh, const Cluster& cluster,
                              const NormalAxis* axes, std::uint32_t wanted) {
  const ClusterFaces faces{mesh.vertices.data() + cluster.vertex_begin,
                           mesh.face_corners.data() + 3 * cluster.face_begin,
                           static_cast<std::size_t>(cluster.face_slots())};
  return test_axes(boxes, faces, cluster.face_count, axes, wanted);
}

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable::clusters {

HWY_EXPORT(axes_of_normals);
HWY_EXPORT(axes_of_cluster);

std::uint32_t normals_along(const ClusterBoxes& boxes, const Face* faces, const std::int32_t* ids,
                            std::size_t count, const NormalAxis* axes, std::uint32_t wanted) {
  return HWY_DYNAMIC_DISPATCH(axes_of_normals)(boxes, faces, ids, count, axes, wanted);
}

std::uint32_t normals_along(const ClusterBoxes& boxes, const ClusterMesh& mesh, const Cluster& cluster,
                            const NormalAxis* axes, std::uint32_t wanted) {
  return HWY_DYNAMIC_DISPATCH(axes_of_cluster)(boxes, mesh, cluster, axes, wanted);
}

}  // namespace toccata::deformable::clusters
#endif
