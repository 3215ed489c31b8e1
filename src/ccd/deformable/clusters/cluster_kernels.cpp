#include "ccd/deformable/clusters/cluster_kernels.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/clusters/cluster_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// At most eight lanes everywhere: feature lists are padded to eight, and wider vectors would be half empty.
using FloatTag = hn::CappedTag<float, feature_lanes>;
using IntTag = hn::RebindToSigned<FloatTag>;
using ByteTag = hn::Rebind<std::uint8_t, FloatTag>;
using FloatVector = hn::Vec<FloatTag>;
using FloatMask = hn::Mask<FloatTag>;

constexpr FloatTag float_tag{};
constexpr IntTag int_tag{};
constexpr ByteTag byte_tag{};
constexpr std::size_t local_stride = 64;

HWY_INLINE std::size_t lanes() {
  return hn::Lanes(float_tag);
}

// One box in all lanes, grown by the threshold. Swept keeps one interval an axis for the whole step.
struct Row {
  FloatVector lower_t0[3], upper_t0[3], lower_t1[3], upper_t1[3];
};

// Grow: the threshold is not zero.
template <bool Relative, bool Grow>
HWY_INLINE Row make_row(const float* box, std::size_t stride, float threshold) {
  Row row;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    float l0 = box[(4 * k + 0) * stride];
    float u0 = box[(4 * k + 1) * stride];
    float l1 = box[(4 * k + 2) * stride];
    float u1 = box[(4 * k + 3) * stride];
    if (!Relative) {
      l0 = l1 = l0 < l1 ? l0 : l1;
      u0 = u1 = u0 > u1 ? u0 : u1;
    }
    row.lower_t0[k] = hn::Set(float_tag, Grow ? l0 - threshold : l0);
    row.upper_t0[k] = hn::Set(float_tag, Grow ? u0 + threshold : u0);
    row.lower_t1[k] = hn::Set(float_tag, Grow ? l1 - threshold : l1);
    row.upper_t1[k] = hn::Set(float_tag, Grow ? u1 + threshold : u1);
  }
  return row;
}

template <bool Relative, bool Grow>
HWY_INLINE Row make_point_row(const float* point, std::size_t stride, float threshold) {
  Row row;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    const float p0 = point[(2 * k) * stride];
    const float p1 = point[(2 * k + 1) * stride];
    const float l0 = Relative || p0 < p1 ? p0 : p1;
    const float u0 = Relative || p0 > p1 ? p0 : p1;
    const float l1 = Relative ? p1 : l0;
    const float u1 = Relative ? p1 : u0;
    row.lower_t0[k] = hn::Set(float_tag, Grow ? l0 - threshold : l0);
    row.upper_t0[k] = hn::Set(float_tag, Grow ? u0 + threshold : u0);
    row.lower_t1[k] = hn::Set(float_tag, Grow ? l1 - threshold : l1);
    row.upper_t1[k] = hn::Set(float_tag, Grow ? u1 + threshold : u1);
  }
  return row;
}

// Lanes whose gap to the row keeps one strict sign at both ends on some cardinal axis.
template <bool Relative>
HWY_INLINE FloatMask separated_axis(const Row& row, std::size_t k, FloatVector l0, FloatVector u0,
                                    FloatVector l1, FloatVector u1) {
  if (Relative) {
    const auto above = hn::And(hn::Gt(l0, row.upper_t0[k]), hn::Gt(l1, row.upper_t1[k]));
    const auto below = hn::And(hn::Lt(u0, row.lower_t0[k]), hn::Lt(u1, row.lower_t1[k]));
    return hn::Or(above, below);
  }
  return hn::Or(hn::Gt(hn::Min(l0, l1), row.upper_t0[k]), hn::Lt(hn::Max(u0, u1), row.lower_t0[k]));
}

template <bool Relative>
HWY_INLINE FloatMask separated_boxes(const Row& row, const float* planes, std::size_t stride) {
  FloatMask result;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    const float* p = planes + 4 * k * stride;
    const auto s =
        separated_axis<Relative>(row, k, hn::LoadU(float_tag, p), hn::LoadU(float_tag, p + stride),
                                 hn::LoadU(float_tag, p + 2 * stride), hn::LoadU(float_tag, p + 3 * stride));
    result = k == 0 ? s : hn::Or(result, s);
  }
  return result;
}

template <bool Relative>
HWY_INLINE FloatMask separated_points(const Row& row, const float* planes, std::size_t stride) {
  FloatMask result;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    const auto p0 = hn::LoadU(float_tag, planes + 2 * k * stride);
    const auto p1 = hn::LoadU(float_tag, planes + (2 * k + 1) * stride);
    const auto s = separated_axis<Relative>(row, k, p0, p0, p1, p1);
    result = k == 0 ? s : hn::Or(result, s);
  }
  return result;
}

HWY_INLINE std::uint64_t mask_bits(FloatMask mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(float_tag, mask, bits);
  return bits[0];
}

// For each mask the lanes that stay, in order. The library's own CompressStore copies such a table to the
// stack on every call under g++ 12, which cost more than all the comparisons.
struct CompressTable {
  static constexpr std::size_t width = hn::MaxLanes(float_tag);
  alignas(32) std::int32_t lane[std::size_t{1} << width][width];

  constexpr CompressTable() : lane{} {
    for (std::size_t mask = 0; mask < (std::size_t{1} << width); ++mask) {
      std::size_t n = 0;
      for (std::size_t i = 0; i < width; ++i) {
        if ((mask >> i) & 1) lane[mask][n++] = static_cast<std::int32_t>(i);
      }
    }
  }
};
constexpr CompressTable compress_table{};

// Writes whole vectors: the lanes of `bits` first, anything after them.
template <typename Tag, typename Vector, typename Number>
HWY_INLINE void store_compressed(Tag tag, Vector v, std::uint64_t bits, Number* out) {
  hn::StoreU(hn::TableLookupLanes(v, hn::SetTableIndices(tag, compress_table.lane[bits])), tag, out);
}

// ------------------------------------------------------------------------------------------------- refit

// Local coordinates of a cluster: six planes (x0 x1 y0 y1 z0 z1) of at most 48 vertices, padded by
// repetition.
void load_local(const ClusterMesh& mesh, const Step& step, const Cluster& cluster, const Scaling& scaling,
                float* local) {
  const std::int32_t* ids = mesh.vertices.data() + cluster.vertex_begin;
  const bool whole = scaling.t_end == 1.0;
  for (std::size_t i = 0; i < cluster.vertex_count; ++i) {
    const MovingVertex& v = step.vertices[ids[i]];
    for (std::size_t k = 0; k < 3; ++k) {
      const double x0 = (v.t0[k] - scaling.center[k]) * scaling.scale;
      double x1 = (v.t1[k] - scaling.center[k]) * scaling.scale;
      if (!whole) x1 = x0 + scaling.t_end * (x1 - x0);
      local[(2 * k) * local_stride + i] = static_cast<float>(x0);
      local[(2 * k + 1) * local_stride + i] = static_cast<float>(x1);
    }
  }
  const auto padded = static_cast<std::size_t>(Cluster::padded(cluster.vertex_count));
  for (std::size_t plane = 0; plane < 6; ++plane) {
    float* p = local + plane * local_stride;
    for (std::size_t i = cluster.vertex_count; i < padded; ++i) p[i] = p[0];
    p[empty_local] = std::numeric_limits<float>::infinity();
  }
}

void fit_cluster(const Cluster& cluster, const float* local, float* box) {
  const auto padded = static_cast<std::size_t>(Cluster::padded(cluster.vertex_count));
  for (std::size_t plane = 0; plane < 6; ++plane) {
    const float* p = local + plane * local_stride;
    FloatVector lower = hn::LoadU(float_tag, p);
    FloatVector upper = lower;
    for (std::size_t i = lanes(); i < padded; i += lanes()) {
      const auto x = hn::LoadU(float_tag, p + i);
      lower = hn::Min(lower, x);
      upper = hn::Max(upper, x);
    }
    box[2 * plane] = hn::GetLane(hn::MinOfLanes(float_tag, lower));
    box[2 * plane + 1] = hn::GetLane(hn::MaxOfLanes(float_tag, upper));
  }
}

// Boxes of faces or edges: the extremes of their corners, looked up by local index.
template <std::size_t Corners>
void fit_features(const std::uint8_t* corners, std::size_t slots, const float* local, float* out) {
  for (std::size_t s = 0; s < slots; s += lanes()) {
    hn::Vec<IntTag> index[Corners];
    for (std::size_t c = 0; c < Corners; ++c) {
      index[c] = hn::PromoteTo(int_tag, hn::LoadU(byte_tag, corners + c * slots + s));
    }
    for (std::size_t plane = 0; plane < 6; ++plane) {
      const float* p = local + plane * local_stride;
      FloatVector lower = hn::GatherIndex(float_tag, p, index[0]);
      FloatVector upper = lower;
      for (std::size_t c = 1; c < Corners; ++c) {
        const auto x = hn::GatherIndex(float_tag, p, index[c]);
        lower = hn::Min(lower, x);
        upper = hn::Max(upper, x);
      }
      hn::StoreU(lower, float_tag, out + (2 * plane) * slots + s);
      hn::StoreU(upper, float_tag, out + (2 * plane + 1) * slots + s);
    }
  }
}

void fit_spread(const ClusterMesh& mesh, const Cluster& cluster, const float* local, float* spread,
                float* projections) {
  const std::int32_t* ids = mesh.vertices.data() + cluster.vertex_begin;
  for (std::size_t h = 0; h < spread_axis_count; h += lanes()) {
    const auto cx = hn::LoadU(float_tag, spread_axes[0].data() + h);
    const auto cy = hn::LoadU(float_tag, spread_axes[1].data() + h);
    const auto cz = hn::LoadU(float_tag, spread_axes[2].data() + h);
    const float infinity = std::numeric_limits<float>::infinity();
    FloatVector lower[2] = {hn::Set(float_tag, infinity), hn::Set(float_tag, infinity)};
    FloatVector upper[2] = {hn::Set(float_tag, -infinity), hn::Set(float_tag, -infinity)};
    for (std::size_t i = 0; i < cluster.vertex_count; ++i) {
      for (std::size_t end = 0; end < 2; ++end) {
        const auto x = hn::Mul(cx, hn::Set(float_tag, local[end * local_stride + i]));
        const auto y = hn::Mul(cy, hn::Set(float_tag, local[(2 + end) * local_stride + i]));
        const auto z = hn::Mul(cz, hn::Set(float_tag, local[(4 + end) * local_stride + i]));
        const auto p = hn::Add(hn::Add(x, y), z);
        lower[end] = hn::Min(lower[end], p);
        upper[end] = hn::Max(upper[end], p);
        if (i < cluster.owned_count) {
          hn::StoreU(p, float_tag,
                     projections + (2 * static_cast<std::size_t>(ids[i]) + end) * spread_axis_count + h);
        }
      }
    }
    for (std::size_t end = 0; end < 2; ++end) {
      hn::StoreU(lower[end], float_tag, spread + (2 * end) * spread_axis_count + h);
      hn::StoreU(upper[end], float_tag, spread + (2 * end + 1) * spread_axis_count + h);
    }
  }
}

void fit_owned(const Cluster& cluster, const float* local, float* out) {
  const auto slots = static_cast<std::size_t>(cluster.owned_slots());
  for (std::size_t plane = 0; plane < 6; ++plane) {
    float* o = out + plane * slots;
    std::memcpy(o, local + plane * local_stride, cluster.owned_count * sizeof(float));
    for (std::size_t i = cluster.owned_count; i < slots; ++i) o[i] = std::numeric_limits<float>::infinity();
  }
}

// ---------------------------------------------------------------------------------------- tree and clusters

template <bool Relative>
std::size_t expand(const KernelContext& context, const ClusterBoxes::Level& level, std::int32_t block_a,
                   std::int32_t block_b, IndexPair* out) {
  constexpr std::int32_t block_floats = box_planes * node_width;
  const float* a = level.blocks.data() + block_a * block_floats;
  const float* b = level.blocks.data() + block_b * block_floats;
  const std::int32_t rows = std::min(node_width, level.count - block_a * node_width);
  const std::int32_t columns = std::min(node_width, level.count - block_b * node_width);
  std::size_t written = 0;
  for (std::int32_t i = 0; i < rows; ++i) {
    const Row row = make_row<Relative, true>(a + i, node_width, context.thresholds.cardinal);
    std::uint32_t meets = 0;
    for (std::size_t s = 0; s < node_width; s += lanes()) {
      const auto bits = mask_bits(hn::Not(separated_boxes<Relative>(row, b + s, node_width)));
      meets |= static_cast<std::uint32_t>(bits) << s;
    }
    if (columns < node_width) meets &= (1u << columns) - 1;
    if (block_a == block_b) meets &= ~0u << i;
    while (meets != 0) {
      const int j = std::countr_zero(meets);
      meets &= meets - 1;
      out[written++] = {block_a * node_width + i, block_b * node_width + j};
    }
  }
  return written;
}

// Extents on the eight spread axes at t0 and t1, in as many vectors as it takes.
constexpr std::size_t halves = spread_axis_count / hn::MaxLanes(float_tag);

struct Extent {
  FloatVector lower_t0[halves], upper_t0[halves], lower_t1[halves], upper_t1[halves];
};

HWY_INLINE Extent load_extent(const float* p) {
  Extent e;
  HWY_UNROLL(2)
  for (std::size_t h = 0; h < halves; ++h) {
    const float* q = p + h * hn::MaxLanes(float_tag);
    e.lower_t0[h] = hn::LoadU(float_tag, q);
    e.upper_t0[h] = hn::LoadU(float_tag, q + spread_axis_count);
    e.lower_t1[h] = hn::LoadU(float_tag, q + 2 * spread_axis_count);
    e.upper_t1[h] = hn::LoadU(float_tag, q + 3 * spread_axis_count);
  }
  return e;
}

HWY_INLINE void grow(Extent& e, const float* threshold) {
  HWY_UNROLL(2)
  for (std::size_t h = 0; h < halves; ++h) {
    const auto t = hn::LoadU(float_tag, threshold + h * hn::MaxLanes(float_tag));
    e.lower_t0[h] = hn::Sub(e.lower_t0[h], t);
    e.upper_t0[h] = hn::Add(e.upper_t0[h], t);
    e.lower_t1[h] = hn::Sub(e.lower_t1[h], t);
    e.upper_t1[h] = hn::Add(e.upper_t1[h], t);
  }
}

// Some axis keeps a strict gap at both ends between b and the grown a.
template <bool Relative>
HWY_INLINE bool is_separated(const Extent& a, const Extent& b) {
  FloatMask any;
  HWY_UNROLL(2)
  for (std::size_t h = 0; h < halves; ++h) {
    FloatMask s;
    if (Relative) {
      const auto above = hn::And(hn::Gt(b.lower_t0[h], a.upper_t0[h]), hn::Gt(b.lower_t1[h], a.upper_t1[h]));
      const auto below = hn::And(hn::Lt(b.upper_t0[h], a.lower_t0[h]), hn::Lt(b.upper_t1[h], a.lower_t1[h]));
      s = hn::Or(above, below);
    } else {
      s = hn::Or(hn::Gt(hn::Min(b.lower_t0[h], b.lower_t1[h]), hn::Max(a.upper_t0[h], a.upper_t1[h])),
                 hn::Lt(hn::Max(b.upper_t0[h], b.upper_t1[h]), hn::Min(a.lower_t0[h], a.lower_t1[h])));
    }
    any = h == 0 ? s : hn::Or(any, s);
  }
  return !hn::AllFalse(float_tag, any);
}

template <bool Relative>
std::size_t keep_clusters(const KernelContext& context, IndexPair* pairs, std::size_t count) {
  std::size_t kept = 0;
  const float* spread = context.boxes->spread.data();
  for (std::size_t i = 0; i < count; ++i) {
    const IndexPair p = pairs[i];
    Extent a = load_extent(spread + 4 * spread_axis_count * p.first);
    grow(a, context.thresholds.spread.data());
    const Extent b = load_extent(spread + 4 * spread_axis_count * p.second);
    if (p.first != p.second && is_separated<Relative>(a, b)) continue;
    pairs[kept++] = p;
  }
  return kept;
}

// ------------------------------------------------------------------------------------------- feature pairs

// The features of a cluster as the kernels see them.
struct View {
  const Cluster* cluster;
  const float* box;
  const float* faces;
  const float* edges;
  const float* owned;
  const std::int32_t* face_ids;
  const std::int32_t* edge_ids;
  const std::int32_t* owned_ids;
  std::size_t face_slots, edge_slots, owned_slots;
};

HWY_INLINE View make_view(const KernelContext& context, std::int32_t index) {
  View view;
  const Cluster& c = context.mesh->clusters[index];
  view.cluster = &c;
  view.box = context.boxes->cardinal.data() + box_planes * index;
  view.face_slots = static_cast<std::size_t>(c.face_slots());
  view.edge_slots = static_cast<std::size_t>(c.edge_slots());
  view.owned_slots = static_cast<std::size_t>(c.owned_slots());
  view.faces = context.boxes->features.data() + c.box_begin;
  view.edges = view.faces + box_planes * view.face_slots;
  view.owned = view.edges + box_planes * view.edge_slots;
  view.face_ids = context.mesh->faces.data() + c.face_begin;
  view.edge_ids = context.mesh->edges.data() + c.edge_begin;
  view.owned_ids = context.mesh->owned.data() + c.slot_begin;
  return view;
}

// Boxes of a feature list that survived clipping, packed.
struct Packed {
  static constexpr std::size_t stride = 48 + 2 * feature_lanes;
  alignas(32) float planes[box_planes * stride];
  alignas(32) std::int32_t ids[stride];
  std::size_t count = 0;
};

template <bool Relative, bool Grow>
class Collector {
 public:
  Collector(const KernelContext& context, PairBuffers& out)
      : context_(context),
        out_(out),
        threshold_(context.thresholds.cardinal),
        // Rows grown without end meet everything, empty slots too: the test is then off.
        row_threshold_(context.stages.row_axes ? threshold_ : std::numeric_limits<float>::infinity()) {}

  void run(IndexPair pair) {
    const View a = make_view(context_, pair.first);
    const View b = make_view(context_, pair.second);
    if (pair.first == pair.second) {
      vertices_faces(a, b, all(a.cluster->owned_count));
      edges_edges_self(a);
      if (a.cluster->kind == ClusterKind::Points) points_points(a, a, true);
      return;
    }
    vertices_faces(a, b, clip_points(a, b));
    vertices_faces(b, a, clip_points(b, a));
    edges_edges(a, b);
    if (a.cluster->kind == ClusterKind::Points && b.cluster->kind == ClusterKind::Points) {
      points_points(a, b, false);
    }
    if (a.cluster->kind == ClusterKind::Points && b.cluster->kind == ClusterKind::Wires) points_wires(a, b);
    if (b.cluster->kind == ClusterKind::Points && a.cluster->kind == ClusterKind::Wires) points_wires(b, a);
  }

 private:
  static std::uint64_t all(std::size_t n) { return n == 0 ? 0 : ~std::uint64_t{0} >> (64 - n); }
  PairBuffer& out(FeaturePairKind kind) { return out_.kinds[static_cast<std::size_t>(kind)]; }

  // Owned vertices of a that may meet the box of b.
  std::uint64_t clip_points(const View& a, const View& b) const {
    std::uint64_t bits = all(a.cluster->owned_count);
    if (!context_.stages.feature_clip || bits == 0 || b.face_slots == 0) return bits;
    const Row row = make_row<Relative, Grow>(b.box, 1, threshold_);
    std::uint64_t separated = 0;
    for (std::size_t s = 0; s < a.owned_slots; s += lanes()) {
      separated |= mask_bits(separated_points<Relative>(row, a.owned + s, a.owned_slots)) << s;
    }
    return bits & ~separated;
  }

  std::uint64_t clip_edges(const View& a, const View& b) const {
    std::uint64_t bits = all(a.cluster->edge_count);
    if (!context_.stages.feature_clip) return bits;
    const Row row = make_row<Relative, Grow>(b.box, 1, threshold_);
    std::uint64_t separated = 0;
    for (std::size_t s = 0; s < a.edge_slots; s += lanes()) {
      separated |= mask_bits(separated_boxes<Relative>(row, a.edges + s, a.edge_slots)) << s;
    }
    return bits & ~separated;
  }

  void pack_edges(const View& b, const View& a) {
    const Row row = make_row<Relative, Grow>(a.box, 1, threshold_);
    std::size_t count = 0;
    for (std::size_t s = 0; s < b.edge_slots; s += lanes()) {
      const auto ids = hn::LoadU(int_tag, b.edge_ids + s);
      auto keep = hn::RebindMask(float_tag, hn::Gt(ids, hn::Set(int_tag, -1)));
      if (context_.stages.feature_clip) {
        keep = hn::AndNot(separated_boxes<Relative>(row, b.edges + s, b.edge_slots), keep);
      }
      const std::uint64_t bits = mask_bits(keep);
      if (bits == 0) continue;
      for (std::size_t plane = 0; plane < box_planes; ++plane) {
        const auto x = hn::LoadU(float_tag, b.edges + plane * b.edge_slots + s);
        store_compressed(float_tag, x, bits, packed_.planes + plane * Packed::stride + count);
      }
      store_compressed(int_tag, ids, bits, packed_.ids + count);
      count += static_cast<std::size_t>(std::popcount(bits));
    }
    packed_.count = count;
    // What lies behind the last one is separated from everything, and has no id.
    const auto empty = hn::Set(float_tag, std::numeric_limits<float>::infinity());
    for (std::size_t s = 0; s < feature_lanes; s += lanes()) {
      hn::StoreU(empty, float_tag, packed_.planes + count + s);
      hn::StoreU(empty, float_tag, packed_.planes + 2 * Packed::stride + count + s);
      hn::StoreU(hn::Set(int_tag, -1), int_tag, packed_.ids + count + s);
    }
  }

  // Emits (first, ids[lane]) for the lanes that stay.
  HWY_INLINE void emit(FloatMask separated, std::int32_t first, const std::int32_t* ids,
                       PairBuffer& pairs) const {
    const std::uint64_t bits = mask_bits(hn::Not(separated));
    if (bits == 0) return;
    hn::StoreU(hn::Set(int_tag, first), int_tag, pairs.first + pairs.size);
    store_compressed(int_tag, hn::LoadU(int_tag, ids), bits, pairs.second + pairs.size);
    pairs.size += static_cast<std::size_t>(std::popcount(bits));
  }

  void vertices_faces(const View& a, const View& b, std::uint64_t vertices) {
    if (b.face_slots == 0) return;
    PairBuffer& pairs = out(FeaturePairKind::VertexFace);
    for (; vertices != 0; vertices &= vertices - 1) {
      const int v = std::countr_zero(vertices);
      const Row row = make_point_row<Relative, Grow>(a.owned + v, a.owned_slots, row_threshold_);
      for (std::size_t s = 0; s < b.face_slots; s += lanes()) {
        emit(separated_boxes<Relative>(row, b.faces + s, b.face_slots), a.owned_ids[v], b.face_ids + s,
             pairs);
      }
    }
  }

  void edges_edges(const View& a, const View& b) {
    if (a.edge_slots == 0 || b.edge_slots == 0) return;
    std::uint64_t rows = clip_edges(a, b);
    if (rows == 0) return;
    pack_edges(b, a);
    if (packed_.count == 0) return;
    PairBuffer& pairs = out(FeaturePairKind::EdgeEdge);
    for (; rows != 0; rows &= rows - 1) {
      const int e = std::countr_zero(rows);
      const Row row = make_row<Relative, Grow>(a.edges + e, a.edge_slots, row_threshold_);
      for (std::size_t s = 0; s < packed_.count; s += lanes()) {
        emit(separated_boxes<Relative>(row, packed_.planes + s, Packed::stride), a.edge_ids[e],
             packed_.ids + s, pairs);
      }
    }
  }

  // Slots below and at the row belong to pairs that were, or are not, to be looked at.
  void edges_edges_self(const View& a) {
    PairBuffer& pairs = out(FeaturePairKind::EdgeEdge);
    for (std::size_t e = 0; e + 1 < a.cluster->edge_count; ++e) {
      const Row row = make_row<Relative, Grow>(a.edges + e, a.edge_slots, row_threshold_);
      for (std::size_t s = (e + 1) / lanes() * lanes(); s < a.edge_slots; s += lanes()) {
        const auto slot = hn::Iota(int_tag, static_cast<std::int32_t>(s));
        const auto done = hn::Lt(slot, hn::Set(int_tag, static_cast<std::int32_t>(e) + 1));
        emit(hn::Or(separated_boxes<Relative>(row, a.edges + s, a.edge_slots),
                    hn::RebindMask(float_tag, done)),
             a.edge_ids[e], a.edge_ids + s, pairs);
      }
    }
  }

  void points_points(const View& a, const View& b, bool self) {
    PairBuffer& pairs = out(FeaturePairKind::VertexVertex);
    for (std::size_t v = 0; v < a.cluster->owned_count; ++v) {
      const Row row = make_point_row<Relative, Grow>(a.owned + v, a.owned_slots, row_threshold_);
      for (std::size_t s = 0; s < b.owned_slots; s += lanes()) {
        const auto slot = hn::Iota(int_tag, static_cast<std::int32_t>(s));
        const auto done = hn::Lt(slot, hn::Set(int_tag, self ? static_cast<std::int32_t>(v) + 1 : 0));
        emit(hn::Or(separated_points<Relative>(row, b.owned + s, b.owned_slots),
                    hn::RebindMask(float_tag, done)),
             a.owned_ids[v], b.owned_ids + s, pairs);
      }
    }
  }

  void points_wires(const View& a, const View& b) {
    PairBuffer& pairs = out(FeaturePairKind::VertexEdge);
    for (std::size_t v = 0; v < a.cluster->owned_count; ++v) {
      const Row row = make_point_row<Relative, Grow>(a.owned + v, a.owned_slots, row_threshold_);
      for (std::size_t s = 0; s < b.edge_slots; s += lanes()) {
        emit(separated_boxes<Relative>(row, b.edges + s, b.edge_slots), a.owned_ids[v], b.edge_ids + s,
             pairs);
      }
    }
  }

  const KernelContext& context_;
  PairBuffers& out_;
  float threshold_, row_threshold_;
  Packed packed_;
};

// With the row test off, empty slots were emitted too.
void drop_empty(PairBuffer& pairs) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs.size; ++i) {
    if (pairs.second[i] < 0) continue;
    pairs.first[kept] = pairs.first[i];
    pairs.second[kept++] = pairs.second[i];
  }
  pairs.size = kept;
}

template <bool Relative, bool Grow>
std::size_t collect(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                    PairBuffers& out) {
  Collector<Relative, Grow> collector(context, out);
  std::size_t i = 0;
  for (; i < count && !out.is_nearly_full(); ++i) collector.run(pairs[i]);
  if (!context.stages.row_axes) {
    for (PairBuffer& kind : out.kinds) drop_empty(kind);
  }
  return i;
}

// ----------------------------------------------------------------------------------- spread axes of features

// Extent of a feature's corners.
template <std::size_t Corners>
HWY_INLINE Extent corner_extent(const float* projections, const std::int32_t* corners) {
  Extent e;
  HWY_UNROLL(2)
  for (std::size_t h = 0; h < halves; ++h) {
    const auto at = [&](std::size_t c, std::size_t end) HWY_ATTR {
      return hn::LoadU(float_tag, projections +
                                      (2 * static_cast<std::size_t>(corners[c]) + end) * spread_axis_count +
                                      h * hn::MaxLanes(float_tag));
    };
    e.lower_t0[h] = e.upper_t0[h] = at(0, 0);
    e.lower_t1[h] = e.upper_t1[h] = at(0, 1);
    HWY_UNROLL(2)
    for (std::size_t c = 1; c < Corners; ++c) {
      const auto x0 = at(c, 0);
      const auto x1 = at(c, 1);
      e.lower_t0[h] = hn::Min(e.lower_t0[h], x0);
      e.upper_t0[h] = hn::Max(e.upper_t0[h], x0);
      e.lower_t1[h] = hn::Min(e.lower_t1[h], x1);
      e.upper_t1[h] = hn::Max(e.upper_t1[h], x1);
    }
  }
  return e;
}

template <std::size_t N, std::size_t M>
HWY_INLINE bool share_vertex(const std::int32_t* a, const std::int32_t* b) {
  bool same = false;
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < M; ++j) same |= a[i] == b[j];
  }
  return same;
}

// First features come in runs, so their extent is kept from pair to pair.
template <bool Relative, std::size_t N, std::size_t M, typename FirstCorners, typename SecondCorners>
void keep_pairs(const KernelContext& context, bool symmetric, PairBuffer& pairs, FirstCorners&& first_corners,
                SecondCorners&& second_corners) {
  const float* projections = context.boxes->projections.data();
  const float* threshold = context.thresholds.spread.data();
  const bool all = !context.stages.pair_axes;
  Extent a;
  std::int32_t current = -1;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs.size; ++i) {
    const std::int32_t first = pairs.first[i];
    const std::int32_t second = pairs.second[i];
    const std::int32_t* ca = first_corners(first);
    const std::int32_t* cb = second_corners(second);
    if (first != current) {
      current = first;
      a = corner_extent<N>(projections, ca);
      grow(a, threshold);
    }
    // No branch on either test: both come out either way too often to be predicted.
    const bool separated = is_separated<Relative>(a, corner_extent<M>(projections, cb));
    const bool shared = share_vertex<N, M>(ca, cb);
    const bool keep = static_cast<int>(shared) + static_cast<int>(separated && !all) == 0;
    pairs.first[kept] = symmetric && first > second ? second : first;
    pairs.second[kept] = symmetric && first > second ? first : second;
    kept += keep;
  }
  pairs.size = kept;
}

template <bool Relative>
void keep_kind(const KernelContext& context, FeaturePairKind kind, PairBuffer& pairs) {
  const Topology& t = *context.topology;
  std::int32_t vertex_a = 0;
  std::int32_t vertex_b = 0;
  const auto vertex_first = [&](std::int32_t v) { return vertex_a = v, &vertex_a; };
  const auto vertex_second = [&](std::int32_t v) { return vertex_b = v, &vertex_b; };
  const auto edge = [&](std::int32_t e) { return t.edges[e].data(); };
  const auto face = [&](std::int32_t f) { return t.faces[f].data(); };
  switch (kind) {
    case FeaturePairKind::VertexFace:
      keep_pairs<Relative, 1, 3>(context, false, pairs, vertex_first, face);
      break;
    case FeaturePairKind::EdgeEdge:
      keep_pairs<Relative, 2, 2>(context, true, pairs, edge, edge);
      break;
    case FeaturePairKind::VertexEdge:
      keep_pairs<Relative, 1, 2>(context, false, pairs, vertex_first, edge);
      break;
    case FeaturePairKind::VertexVertex:
      keep_pairs<Relative, 1, 1>(context, true, pairs, vertex_first, vertex_second);
      break;
  }
}

}  // namespace

void RefitClusters(const ClusterMesh& mesh, const Step& step, std::size_t begin, std::size_t end,
                   ClusterBoxes& boxes) {
  alignas(64) float local[6 * local_stride];
  for (std::size_t c = begin; c < end; ++c) {
    const Cluster& cluster = mesh.clusters[c];
    load_local(mesh, step, cluster, boxes.scaling, local);
    fit_cluster(cluster, local, boxes.cardinal.data() + box_planes * c);
    fit_spread(mesh, cluster, local, boxes.spread.data() + 4 * spread_axis_count * c,
               boxes.projections.data());
    float* out = boxes.features.data() + cluster.box_begin;
    const auto faces = static_cast<std::size_t>(cluster.face_slots());
    const auto edges = static_cast<std::size_t>(cluster.edge_slots());
    fit_features<3>(mesh.face_corners.data() + 3 * cluster.face_begin, faces, local, out);
    out += box_planes * faces;
    fit_features<2>(mesh.edge_ends.data() + 2 * cluster.edge_begin, edges, local, out);
    out += box_planes * edges;
    fit_owned(cluster, local, out);
  }
}

std::size_t ExpandBlocks(const KernelContext& context, const ClusterBoxes::Level& level, std::int32_t block_a,
                         std::int32_t block_b, IndexPair* out) {
  return context.stages.relative_motion ? expand<true>(context, level, block_a, block_b, out)
                                        : expand<false>(context, level, block_a, block_b, out);
}

std::size_t KeepBySpreadAxes(const KernelContext& context, IndexPair* pairs, std::size_t count) {
  return context.stages.relative_motion ? keep_clusters<true>(context, pairs, count)
                                        : keep_clusters<false>(context, pairs, count);
}

std::size_t CollectFeaturePairs(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                                PairBuffers& out) {
  if (!context.stages.relative_motion) return collect<false, true>(context, pairs, count, out);
  return context.thresholds.cardinal == 0 && context.stages.row_axes
             ? collect<true, false>(context, pairs, count, out)
             : collect<true, true>(context, pairs, count, out);
}

void KeepFeaturePairs(const KernelContext& context, FeaturePairKind kind, PairBuffer& pairs) {
  if (context.stages.relative_motion) {
    keep_kind<true>(context, kind, pairs);
  } else {
    keep_kind<false>(context, kind, pairs);
  }
}

}  // namespace toccata::deformable::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable {

HWY_EXPORT(RefitClusters);
HWY_EXPORT(ExpandBlocks);
HWY_EXPORT(KeepBySpreadAxes);
HWY_EXPORT(CollectFeaturePairs);
HWY_EXPORT(KeepFeaturePairs);

void refit_clusters(const ClusterMesh& mesh, const Step& step, std::size_t begin, std::size_t end,
                    ClusterBoxes& boxes) {
  HWY_DYNAMIC_DISPATCH(RefitClusters)(mesh, step, begin, end, boxes);
}

std::size_t expand_blocks(const KernelContext& context, const ClusterBoxes::Level& level,
                          std::int32_t block_a, std::int32_t block_b, IndexPair* out) {
  return HWY_DYNAMIC_DISPATCH(ExpandBlocks)(context, level, block_a, block_b, out);
}

std::size_t keep_by_spread_axes(const KernelContext& context, IndexPair* pairs, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(KeepBySpreadAxes)(context, pairs, count);
}

std::size_t collect_feature_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                                  PairBuffers& out) {
  return HWY_DYNAMIC_DISPATCH(CollectFeaturePairs)(context, pairs, count, out);
}

void keep_feature_pairs(const KernelContext& context, FeaturePairKind kind, PairBuffer& pairs) {
  HWY_DYNAMIC_DISPATCH(KeepFeaturePairs)(context, kind, pairs);
}

}  // namespace toccata::deformable
#endif
