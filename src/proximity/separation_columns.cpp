// The gap along a unit axis n: n . (p_b - p_a), with p the middles of the boxes in the world, less half_i
// |n . c_i| for every axis c_i of both boxes, less the radii. Roundings, u each: of the difference of the
// middles, the product and two sums, 4 u of |p|; of the middles themselves, R m + t, 7 u of |m| and |t|; of n
// . c_i and its product with half_i, 5 u of half_i; of the eight terms summed, 7 u of all of them; of the
// world coordinates of the shape, which other questions are asked of, 7 u of its lengths; of the length of n,
// 4 u. 48 u of the sums of all magnitudes has room. Radii: a rotation that is off by 1e-14 makes them larger
// by as much.
#include "toccata/proximity/separation_columns.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "hierarchy/piece_tree.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proximity/separation_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::proximity {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Columns of a block: the axis; of each side the middle of its box, its three axes and its half sides; the
// sum of the radii; all other magnitudes that enter.
constexpr std::size_t of_axis = 0, of_a = 3, of_b = 18, of_radii = 33, of_size = 34;

template <typename Tag>
struct Lanes {
  using Value = hn::Vec<Tag>;
  Tag tag;
  const double* at;

  HWY_INLINE Value column(std::size_t k) const { return hn::LoadU(tag, at + k * SeparationColumns::block); }
  HWY_INLINE Value along(Value nx, Value ny, Value nz, std::size_t k) const {
    return hn::Add(hn::Add(hn::Mul(nx, column(k)), hn::Mul(ny, column(k + 1))), hn::Mul(nz, column(k + 2)));
  }
  // How far the box reaches along n from its middle.
  HWY_INLINE Value reach(Value nx, Value ny, Value nz, std::size_t side) const {
    const Value x = hn::Mul(column(side + 12), hn::Abs(along(nx, ny, nz, side + 3)));
    const Value y = hn::Mul(column(side + 13), hn::Abs(along(nx, ny, nz, side + 6)));
    const Value z = hn::Mul(column(side + 14), hn::Abs(along(nx, ny, nz, side + 9)));
    return hn::Add(hn::Add(x, y), z);
  }
};

// One rounding per operation, as in plain code, so that every width gives the same bits.
std::size_t find_apart(const double* HWY_RESTRICT blocks, std::size_t count, double distance,
                       std::uint8_t* HWY_RESTRICT apart) {
  const hn::CappedTag<double, SeparationColumns::block> tag;
  using Tag = decltype(tag);
  const std::size_t lanes = hn::Lanes(tag);
  const auto share = hn::Set(tag, 48.0 * unit_roundoff);
  const auto wanted = hn::Set(tag, distance);
  std::size_t found = 0;
  for (std::size_t first = 0; first < count; first += lanes) {
    const Lanes<std::remove_const_t<Tag>> pair{
        tag,
        blocks +
            first / SeparationColumns::block * SeparationColumns::block * SeparationColumns::column_count +
            first % SeparationColumns::block};
    const auto nx = pair.column(of_axis), ny = pair.column(of_axis + 1), nz = pair.column(of_axis + 2);
    auto middle = hn::Zero(tag), magnitude = pair.column(of_size);
    const hn::Vec<std::remove_const_t<Tag>> n[3] = {nx, ny, nz};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto a = pair.column(of_a + i), b = pair.column(of_b + i);
      const auto term = hn::Mul(n[i], hn::Sub(b, a));
      middle = i == 0 ? term : hn::Add(middle, term);
      magnitude = hn::Add(magnitude, hn::Add(hn::Abs(a), hn::Abs(b)));
    }
    auto gap = hn::Sub(middle, pair.reach(nx, ny, nz, of_a));
    gap = hn::Sub(gap, pair.reach(nx, ny, nz, of_b));
    gap = hn::Sub(gap, pair.column(of_radii));
    const auto proven = hn::Gt(hn::Sub(gap, hn::Mul(share, hn::Add(magnitude, wanted))), wanted);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, proven, bits);
    const std::size_t end = std::min(lanes, count - first);
    for (std::size_t i = 0; i < end; ++i) {
      apart[first + i] = (bits[0] >> i) & 1;
      found += apart[first + i];
    }
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::proximity
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata {
namespace proximity {
HWY_EXPORT(find_apart);

std::size_t found_apart(const double* blocks, std::size_t count, double distance, std::uint8_t* apart) {
  return HWY_DYNAMIC_DISPATCH(find_apart)(blocks, count, distance, apart);
}
}  // namespace proximity

namespace {

constexpr std::size_t pairs_of_task = 4096;
constexpr double infinite = std::numeric_limits<double>::infinity();

SeparationBox box_between(const Vector3& lower, const Vector3& upper, double radius) {
  SeparationBox box;
  box.middle = 0.5 * lower + 0.5 * upper;
  // Rounded up: both corners are within `half` of the middle as it is.
  for (int i = 0; i < 3; ++i)
    box.half[i] = next_up(std::max(next_up(upper[i] - box.middle[i]), next_up(box.middle[i] - lower[i])));
  box.radius = radius;
  return box;
}

}  // namespace

SeparationBox separation_box(const Shape& shape) {
  const ShapeData& data = shape.data();
  SeparationBox box;
  if (data.is_half_space() || data.piece_count() == 0) {
    box.radius = data.is_half_space() ? infinite : -infinite;
    return box;
  }
  if (data.tree.heights != nullptr) {  // of so many columns the ball about all
    box.middle = data.center;
    box.radius = data.radius;
    return box;
  }
  if (data.sets.size() == 1 && data.piece_count() == 1 && !data.sets[0].set.is_placed) {
    ConvexSet core = data.sets[0].set;
    core.radius = 0.0;
    const AxisBounds bounds = axis_bounds(core);
    box = box_between(bounds.lower, bounds.upper, data.sets[0].set.radius);
  } else {
    Vector3 lower = Vector3::Constant(infinite), upper = -lower;
    for (const ConvexPiece& piece : data.sets) {
      const AxisBounds bounds = axis_bounds(piece.set);
      lower = lower.cwiseMin(bounds.lower);
      upper = upper.cwiseMax(bounds.upper);
    }
    for (const Face& face : data.mesh.faces) {
      for (const std::int32_t v : face) {
        const Vector3 p = data.mesh.vertices[static_cast<std::size_t>(v)] - data.center;
        lower = lower.cwiseMin(p);
        upper = upper.cwiseMax(p);
      }
    }
    box = box_between(lower, upper, 0.0);
  }
  // Positions were about the centre, each off by a rounding of the largest coordinate.
  const double error = 4.0 * unit_roundoff * (data.center.norm() + data.radius);
  box.middle += data.center;
  if (!data.center.isZero(0.0)) box.half.array() += error;
  return box;
}

SeparationColumns::SeparationColumns(std::size_t size)
    : size_(size), columns_((size + block - 1) / block * block * column_count, 0.0), middles_(size) {}

void SeparationColumns::set_shapes(std::size_t pair, const SeparationBox& a, const SeparationBox& b) {
  const SeparationBox* const boxes[2] = {&a, &b};
  double size = 0.0;
  for (std::size_t side = 0; side < 2; ++side) {
    const SeparationBox& box = *boxes[side];
    middles_[pair][side] = box.middle;
    for (std::size_t i = 0; i < 3; ++i) {
      at(pair, 3 + 15 * side + 12 + i) = box.half[static_cast<int>(i)];
      at(pair, 3 + 15 * side + 3 + 4 * i) = 1.0;  // as if at the identity
      at(pair, 3 + 15 * side + i) = box.middle[static_cast<int>(i)];
    }
    size += box.half.sum() + 2.0 * box.middle.cwiseAbs().sum();
  }
  const bool is_never_apart = a.radius == infinite || b.radius == infinite;
  const bool is_empty = a.radius < 0.0 || b.radius < 0.0;
  const double radii = is_empty         ? -infinite
                       : is_never_apart ? infinite
                                        : (a.radius + b.radius) * (1.0 + 8e-14);
  at(pair, 33) = radii;
  at(pair, 34) = radii > 0.0 && radii < infinite ? size + radii : size;
}

void SeparationColumns::set_place(std::size_t pair, std::size_t first, const Vector3& middle,
                                  const Pose& pose) {
  const Vector3 place = pose.apply(middle);
  for (int i = 0; i < 3; ++i) {
    at(pair, first + static_cast<std::size_t>(i)) = place[i];
    for (int k = 0; k < 3; ++k)
      at(pair, first + 3 + 3 * static_cast<std::size_t>(i) + static_cast<std::size_t>(k)) =
          pose.rotation(k, i);
  }
}

void SeparationColumns::set_poses(std::size_t pair, const Pose& a, const Pose& b) {
  set_place(pair, 3, middles_[pair][0], a);
  set_place(pair, 18, middles_[pair][1], b);
}

void SeparationColumns::set_axis(std::size_t pair, const Vector3& axis) {
  const Vector3 unit = axis.stableNorm() > 0.0 ? Vector3(axis.stableNormalized()) : Vector3(Vector3::Zero());
  for (int i = 0; i < 3; ++i) at(pair, static_cast<std::size_t>(i)) = unit[i];
}

Vector3 SeparationColumns::axis(std::size_t pair) const {
  Vector3 axis;
  for (int i = 0; i < 3; ++i)
    axis[i] = columns_[(pair / block * column_count + static_cast<std::size_t>(i)) * block + pair % block];
  return axis;
}

std::size_t still_apart(const SeparationColumns& pairs, std::span<std::uint8_t> apart, double distance,
                        int threads) {
  if (!(distance >= 0.0)) {  // nothing is proven of a distance that is none
    std::fill(apart.begin(), apart.end(), std::uint8_t{0});
    return 0;
  }
  std::atomic<std::size_t> found = 0;
  parallel_blocks(pairs.size(), pairs_of_task, threads, [&](std::size_t begin, std::size_t end) {
    found += proximity::found_apart(pairs.blocks() + begin * SeparationColumns::column_count, end - begin,
                                    distance, apart.data() + begin);
  });
  return found;
}

}  // namespace toccata
#endif  // HWY_ONCE
