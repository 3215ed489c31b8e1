#include "hierarchy/split_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hierarchy/surface_moments.hpp"

namespace toccata {
namespace {

// For few triangles two axes and three cuts do.
constexpr std::size_t few = 32;
constexpr std::size_t some = 64;
// Of many, this many in a row count as one.
constexpr std::size_t many = 256;
constexpr std::size_t in_a_row = 4;

using Array4 = Eigen::Array4f;

// Four sets of triangles at once, [moment](set).
struct FourMoments {
  std::array<Array4, 11> value;

  void put(int set, const SplitMoments& m) {
    for (int k = 0; k < 4; ++k) {
      value[static_cast<std::size_t>(k)][set] = m.first[k];
      value[static_cast<std::size_t>(k + 4)][set] = m.second_0[k];
    }
    for (int k = 0; k < 3; ++k) value[static_cast<std::size_t>(k + 8)][set] = m.second_1[k];
  }
};

// The area of each set's box, up to a factor, times the square root of how many triangles it has: a cut that
// leaves nearly all on one side is no progress. Covariances are multiplied by scale.
Array4 costs_of(const FourMoments& m, float scale) {
  const auto& s = m.value;
  const Array4 inverse = 1.0F / s[0];
  const Array4 x = s[1] * inverse, y = s[2] * inverse, z = s[3] * inverse;
  const Array4 xx = (s[4] * inverse - x * x) * scale, xy = (s[5] * inverse - x * y) * scale,
               xz = (s[6] * inverse - x * z) * scale, yy = (s[7] * inverse - y * y) * scale,
               yz = (s[8] * inverse - y * z) * scale, zz = (s[9] * inverse - z * z) * scale;
  const Array4 across = yy * zz - yz * yz;
  const Array4 pairs = across + xx * (yy + zz) - xy * xy - xz * xz;  // sum of l_i l_j
  const Array4 product = xx * across - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  const Array4 mixed = 2.0F * (product * (xx + yy + zz)).max(0.0F).sqrt();
  return ((pairs + mixed) * s[10]).max(0.0F).sqrt();
}

}  // namespace

// Triangles in bins along an axis.
struct CutsAlong {
  std::span<const SplitMoments> bins;
  Eigen::Array3f axis;
  float low;
  float bins_a_height;
};

struct SplitChoice::Best {
  float cost = std::numeric_limits<float>::infinity();
  Eigen::Array3f axis = Eigen::Array3f::Zero();
  float offset = 0.0F;

  // Behind each bin a cut, four at a time.
  void take(const CutsAlong& cuts, const SplitMoments& all, float scale) {
    SplitMoments before;
    for (std::size_t block = 0; block < cuts.bins.size(); block += 4) {
      FourMoments front, back;
      for (std::size_t cut = 0; cut < 4; ++cut) {
        before.add(cuts.bins[block + cut]);
        front.put(static_cast<int>(cut), before);
      }
      for (std::size_t k = 0; k < 4; ++k) {
        const int at = static_cast<int>(k);
        back.value[k] = all.first[at] - front.value[k];
        back.value[k + 4] = all.second_0[at] - front.value[k + 4];
        if (k < 3) back.value[k + 8] = all.second_1[at] - front.value[k + 8];
      }
      const Array4 costs = costs_of(front, scale) + costs_of(back, scale);
      for (int cut = 0; cut < 4; ++cut) {
        const bool leaves_both = front.value[10][cut] > 0.5F && back.value[10][cut] > 0.5F;
        if (!leaves_both || !(costs[cut] < cost)) continue;
        cost = costs[cut];
        axis = cuts.axis;
        offset = cuts.low + (static_cast<float>(block) + static_cast<float>(cut) + 1.0F) / cuts.bins_a_height;
      }
    }
  }
};

namespace {

// Moments about another point, x y z being the centroid from there. One by one: the compiler's vectors would
// be put together from single numbers.
void put_moved(const SplitMoments& own, float x, float y, float z, SplitMoments& to) {
  const float area = own.first[0];
  const float ax = area * x, ay = area * y, az = area * z;
  to.first[0] = area;
  to.first[1] = ax;
  to.first[2] = ay;
  to.first[3] = az;
  to.second_0[0] = own.second_0[0] + ax * x;
  to.second_0[1] = own.second_0[1] + ax * y;
  to.second_0[2] = own.second_0[2] + ax * z;
  to.second_0[3] = own.second_0[3] + ay * y;
  to.second_1[0] = own.second_1[0] + ay * z;
  to.second_1[1] = own.second_1[1] + az * z;
  to.second_1[2] = own.second_1[2];
  to.second_1[3] = 0.0F;
}

}  // namespace

void SplitSurfaces::resize(std::size_t triangles) {
  own.resize(triangles);
  about_origin.resize(triangles);
}

void SplitSurfaces::put(std::size_t triangle, const SplitMoments& moments) {
  own[triangle] = moments;
  put_moved(moments, moments.first[1], moments.first[2], moments.first[3], about_origin[triangle]);
}

void SplitChoice::sample_one_by_one() {
  origin_ = items_[0].place;
  origin_[3] = 0.0F;
  const float x = origin_[0], y = origin_[1], z = origin_[2];
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const SplitMoments& own = surfaces_.own[static_cast<std::size_t>(items_[i].triangle())];
    put_moved(own, own.first[1] - x, own.first[2] - y, own.first[3] - z, samples_[i]);
    places_[i] = items_[i].place - origin_;
  }
  for (const SplitMoments& sample : samples_) all_.add(sample);
}

void SplitChoice::sample_in_rows() {
  origin_ = Array4::Zero();
  for (std::size_t sample = 0, i = 0; sample < samples_.size(); ++sample) {
    SplitMoments sum;
    Array4 place = Array4::Zero();
    const std::size_t begin = i;
    for (const std::size_t end = std::min(i + in_a_row, items_.size()); i < end; ++i) {
      sum.add(surfaces_.about_origin[static_cast<std::size_t>(items_[i].triangle())]);
      place += items_[i].place;
    }
    samples_[sample] = sum;
    places_[sample] = place * (1.0F / static_cast<float>(i - begin));
    all_.add(sum);
  }
}

void SplitChoice::look_at(std::span<const SplitItem> items) {
  items_ = items;
  const bool in_rows = items.size() > many;
  const std::size_t count = in_rows ? (items.size() + in_a_row - 1) / in_a_row : items.size();
  samples_.resize(count);
  places_.resize(count);
  heights_.resize(count);
  all_ = SplitMoments();
  in_rows ? sample_in_rows() : sample_one_by_one();
  const float spread = (all_.second_0[0] + all_.second_0[3] + all_.second_1[1]) / all_.first[0];
  scale_ = 1.0F / std::max(spread, 1e-30F);
}

Matrix3 SplitChoice::principal_axes() const {
  SurfaceMoments moments;
  moments.area = static_cast<double>(all_.first[0]);
  moments.first = all_.first.tail<3>().cast<double>();
  for (int k = 0; k < 4; ++k)
    moments.second[static_cast<std::size_t>(k)] = static_cast<double>(all_.second_0[k]);
  for (int k = 0; k < 2; ++k)
    moments.second[static_cast<std::size_t>(k + 4)] = static_cast<double>(all_.second_1[k]);
  return toccata::principal_axes(moments);
}

template <int kBins>
void SplitChoice::look_along(const Eigen::Matrix3f& axes, int count, Best& best) {
  Array4 column[3];
  for (int k = 0; k < 3; ++k) column[k] = {axes(k, 0), axes(k, 1), axes(k, 2), 0.0F};
  Array4 low = Array4::Constant(std::numeric_limits<float>::infinity()), high = -low;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Array4& p = places_[i];
    const Array4 height = p[0] * column[0] + p[1] * column[1] + p[2] * column[2];
    heights_[i] = height;
    low = low.min(height);
    high = high.max(height);
  }
  const Array4 length = (high - low).max(1e-30F);
  const Array4 bins_a_height = static_cast<float>(kBins) * (1.0F - 1e-5F) / length;
  std::array<std::array<SplitMoments, kBins>, 3> bins;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const Eigen::Array4i bin = ((heights_[i] - low) * bins_a_height).cast<int>();
    for (int k = 0; k < count; ++k)
      bins[static_cast<std::size_t>(k)][static_cast<std::size_t>(bin[k])].add(samples_[i]);
  }
  for (int k = 0; k < count; ++k) {
    const CutsAlong cuts = {bins[static_cast<std::size_t>(k)], axes.col(k).array(), low[k], bins_a_height[k]};
    best.take(cuts, all_, scale_);
  }
}

SplitPlane SplitChoice::best_plane(const Matrix3& principal) {
  Best best;
  const std::size_t count = items_.size();
  const auto look = [&](const Eigen::Matrix3f& axes, int number) {
    if (count > many) return look_along<32>(axes, number, best);
    count <= some ? look_along<4>(axes, number, best) : look_along<16>(axes, number, best);
  };
  look(principal.cast<float>(), count <= few ? 2 : 3);
  if (count > few) look(Eigen::Matrix3f::Identity(), 3);
  return {best.axis, best.offset + (best.axis * origin_.head<3>()).sum()};
}

}  // namespace toccata
