#include "hierarchy/split_choice.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace toccata::hierarchy {
namespace {

using Array4 = Eigen::Array4f;

// For few items two axes and few cuts do.
constexpr std::size_t few = 32;
constexpr std::size_t some = 64;
constexpr std::size_t many = 256;
// Of more than this, several in a row count as one.
constexpr std::size_t most_samples = 1024;

// Four sets of triangles at once, [moment](set).
using FourMoments = std::array<Array4, 11>;

// The area of each set's box, up to a factor, times the square root of how many triangles it has: a cut that
// leaves nearly all on one side is no progress. Covariances are multiplied by scale.
Array4 costs_of(const FourMoments& s, float scale) {
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

// Triangles in bins along an axis.
struct CutsAlong {
  std::span<const SplitMoments> bins;
  Eigen::Array3f axis;
  float low;
  float bins_a_height;
};

}  // namespace

struct SplitChoice::Best {
  float cost = std::numeric_limits<float>::infinity();
  Eigen::Array3f axis = Eigen::Array3f::Zero();
  float offset = 0.0F;

  // Behind each bin a cut, four at a time.
  void take(const CutsAlong& cuts, const SplitMoments& all, float scale) {
    SplitMoments before;
    for (std::size_t block = 0; block < cuts.bins.size(); block += 4) {
      std::array<std::array<float, 4>, 12> columns;
      for (std::size_t cut = 0; cut < 4; ++cut) {
        before.add(cuts.bins[block + cut]);
        std::array<float, 12> row;
        Eigen::Map<Array4>(row.data()) = before.first;
        Eigen::Map<Array4>(row.data() + 4) = before.second_0;
        Eigen::Map<Array4>(row.data() + 8) = before.second_1;
        for (std::size_t k = 0; k < 11; ++k) columns[k][cut] = row[k];
      }
      FourMoments front, back;
      for (std::size_t k = 0; k < 11; ++k) {
        front[k] = Eigen::Map<const Array4>(columns[k].data());
        const Array4& group = k < 4 ? all.first : (k < 8 ? all.second_0 : all.second_1);
        back[k] = group[static_cast<Eigen::Index>(k % 4)] - front[k];
      }
      const Array4 costs = costs_of(front, scale) + costs_of(back, scale);
      for (int cut = 0; cut < 4; ++cut) {
        const bool leaves_both = front[10][cut] > 0.5F && back[10][cut] > 0.5F;
        if (!leaves_both || !(costs[cut] < cost)) continue;
        cost = costs[cut];
        axis = cuts.axis;
        offset = cuts.low + (static_cast<float>(block) + static_cast<float>(cut) + 1.0F) / cuts.bins_a_height;
      }
    }
  }
};

namespace {

// xx xy xz yy yz zz of a symmetric matrix.
using Symmetric = std::array<double, 6>;

double trace_of(const Symmetric& m) {
  return m[0] + m[3] + m[5];
}

Symmetric adjugate(const Symmetric& m) {
  return {m[3] * m[5] - m[4] * m[4], m[2] * m[4] - m[1] * m[5], m[1] * m[4] - m[2] * m[3],
          m[0] * m[5] - m[2] * m[2], m[1] * m[2] - m[0] * m[4], m[0] * m[3] - m[1] * m[1]};
}

Symmetric square(const Symmetric& m, double scale) {
  const double xy = m[1] * m[1], xz = m[2] * m[2], yz = m[4] * m[4];
  return {(m[0] * m[0] + xy + xz) * scale,
          (m[1] * (m[0] + m[3]) + m[2] * m[4]) * scale,
          (m[2] * (m[0] + m[5]) + m[1] * m[4]) * scale,
          (xy + m[3] * m[3] + yz) * scale,
          (m[4] * (m[3] + m[5]) + m[1] * m[2]) * scale,
          (xz + yz + m[5] * m[5]) * scale};
}

// Towards the eigenvector of the largest eigenvalue of a matrix whose eigenvalues are not negative: a column
// of its sixteenth power. Where two are nearly as large, something between.
Vector3 largest_direction(Symmetric m) {
  for (int i = 0; i < 4; ++i) {
    const double share = 1.0 / trace_of(m);
    m = square(m, share * share);
  }
  if (m[0] >= m[3] && m[0] >= m[5]) return {m[0], m[1], m[2]};
  return m[3] >= m[5] ? Vector3(m[1], m[3], m[4]) : Vector3(m[2], m[4], m[5]);
}

}  // namespace

// The direction of the least variance first: of a flat piece that is what counts. Across it the two others,
// by the half angle.
Matrix3 principal_axes(const SplitMoments& moments) {
  const double share = 1.0 / static_cast<double>(moments.first[0]);
  const auto at = [&](float x) { return static_cast<double>(x) * share; };
  const double x = at(moments.first[1]), y = at(moments.first[2]), z = at(moments.first[3]);
  const Symmetric m = {at(moments.second_0[0]) - x * x, at(moments.second_0[1]) - x * y,
                       at(moments.second_0[2]) - x * z, at(moments.second_0[3]) - y * y,
                       at(moments.second_1[0]) - y * z, at(moments.second_1[1]) - z * z};
  const double size = trace_of(m);
  if (!(size > 1e-300)) return Matrix3::Identity();
  const Symmetric across = adjugate(m);
  Vector3 normal;
  if (trace_of(across) > 1e-12 * size * size) {
    normal = largest_direction(across);
  } else {  // a needle
    normal = largest_direction(m).unitOrthogonal();
  }
  const double length = normal.norm();
  if (!(length > 1e-100) || !(length < 1e100)) return Matrix3::Identity();
  normal /= length;
  const Vector3 u = normal.unitOrthogonal(), v = normal.cross(u);
  const auto form = [&](const Vector3& p, const Vector3& q) {
    return p[0] * (m[0] * q[0] + m[1] * q[1] + m[2] * q[2]) +
           p[1] * (m[1] * q[0] + m[3] * q[1] + m[4] * q[2]) +
           p[2] * (m[2] * q[0] + m[4] * q[1] + m[5] * q[2]);
  };
  const double half = 0.5 * (form(u, u) - form(v, v)), mixed = form(u, v);
  const double both = std::sqrt(half * half + mixed * mixed);
  Matrix3 axes;
  axes.col(0) = u;
  if (both > 0.0) {
    const double cosine = std::sqrt(0.5 + 0.5 * std::min(1.0, std::abs(half) / both));
    const double sine = std::copysign(0.5 * std::abs(mixed) / (both * cosine), mixed);
    // The angle is at most an eighth of a turn from the larger of the two.
    axes.col(0) = half >= 0.0 ? Vector3(cosine * u + sine * v) : Vector3(sine * u + cosine * v);
  }
  axes.col(2) = normal;
  axes.col(1) = normal.cross(axes.col(0));
  return axes;
}

void SplitChoice::sample_rows(std::size_t in_a_row) {
  const std::size_t count = (items_.size() + in_a_row - 1) / in_a_row;
  row_items_.resize(count);
  row_moments_.resize(count);
  for (std::size_t sample = 0, i = 0; sample < count; ++sample) {
    SplitMoments sum;
    Array4 place = Array4::Zero();
    const std::size_t begin = i;
    for (const std::size_t end = std::min(i + in_a_row, items_.size()); i < end; ++i) {
      sum.add(moments_[items_[i].number()]);
      place += Array4(items_[i].place[0], items_[i].place[1], items_[i].place[2], 0.0F);
    }
    row_moments_[sample] = sum;
    row_items_[sample].place = place * (1.0F / static_cast<float>(i - begin));
    row_items_[sample].set_number(sample);
  }
  items_ = row_items_;
  moments_ = row_moments_.data();
}

void SplitChoice::look_at(std::span<const SplitItem> items, const SplitMoments* moments) {
  items_ = items;
  moments_ = moments;
  if (items.size() > most_samples) sample_rows(1 + items.size() / most_samples);
  if (heights_.size() < items_.size()) heights_.resize(items_.size());
  all_ = SplitMoments();
  for (const SplitItem& item : items_) all_.add(moments_[item.number()]);
  const float spread = (all_.second_0[0] + all_.second_0[3] + all_.second_1[1]) / all_.first[0];
  scale_ = 1.0F / std::max(spread, 1e-30F);
}

template <int kBins>
void SplitChoice::look_along(const Eigen::Matrix3f& axes, int count, Best& best) {
  Array4 column[3];
  for (int k = 0; k < 3; ++k) column[k] = {axes(k, 0), axes(k, 1), axes(k, 2), 0.0F};
  Array4 low = Array4::Constant(std::numeric_limits<float>::infinity()), high = -low;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Array4& p = items_[i].place;
    const Array4 height = p[0] * column[0] + p[1] * column[1] + p[2] * column[2];
    heights_[i] = height;
    low = low.min(height);
    high = high.max(height);
  }
  const Array4 length = (high - low).max(1e-30F);
  const Array4 bins_a_height = static_cast<float>(kBins) * (1.0F - 1e-5F) / length;
  std::array<std::array<SplitMoments, kBins>, 3> bins;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Eigen::Array4i bin = ((heights_[i] - low) * bins_a_height).cast<int>();
    const SplitMoments& moments = moments_[items_[i].number()];
    for (int k = 0; k < count; ++k)
      bins[static_cast<std::size_t>(k)][static_cast<std::size_t>(bin[k])].add(moments);
  }
  for (int k = 0; k < count; ++k) {
    best.take({bins[static_cast<std::size_t>(k)], axes.col(k).array(), low[k], bins_a_height[k]}, all_,
              scale_);
  }
}

SplitPlane SplitChoice::best_plane(const Matrix3& principal) {
  Best best;
  const std::size_t count = items_.size();
  const Eigen::Matrix3f axes = principal.cast<float>();
  if (count <= few) {
    look_along<4>(axes, 2, best);
  } else if (count <= some) {
    look_along<4>(axes, 3, best);
    look_along<4>(Eigen::Matrix3f::Identity(), 3, best);
  } else if (count <= many) {
    look_along<16>(axes, 3, best);
    look_along<16>(Eigen::Matrix3f::Identity(), 3, best);
  } else {
    look_along<32>(axes, 3, best);
    look_along<32>(Eigen::Matrix3f::Identity(), 3, best);
  }
  return {best.axis, best.offset};
}

}  // namespace toccata::hierarchy
