#include "ccd/search/turning_boxes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>

#include "ccd/search/box_moments.hpp"

namespace toccata::search {
namespace {

constexpr std::int64_t number_bits = 15;  // hold the number of an axis
constexpr std::size_t first = BoxMoments::first, last = BoxMoments::last;
// Whoever takes more looks is for others.
constexpr int most_looks = 14;
// Of a contact that is forecast: the moments before it, as shares of the way there, those about it, in shares
// of what the forecast may be off by, and one beyond it, as a share of the way again.
constexpr double before[] = {0.4, 0.8};
constexpr double about = 2.0, near = 0.25;
constexpr double beyond = 1.25;
// Of the time in which the gap that is aimed at is used up: then they are in each other.
constexpr double through_shares[] = {1.125, 4.0};
// In targets: deeper in each other they say too little about when that started.
constexpr double deepest = 16.0;
// Of the difference between a chord and a parabola through three moments: how far off the latter may be.
constexpr double off_share = 0.25;
// No further than this share of the way to it.
constexpr double most_off = 1.0 / 32.0;
// Where an axis keeps its gap F, both ends allow for K/2 h^2 of 4 F. Gaps do not stay what they are: moments
// close to each other at first reach three times as far.
constexpr double kept_share = 3.0 * 3.0 * 3.2;
constexpr double shares[] = {1.0 / 32.0, 1.0 / 12.0, 1.0 / 6.0, 0.28, 0.42, 0.58, 0.78, 1.0};
// Along a shorter product of two edges nothing is reported.
constexpr double least_length = 1e-3;

class Looks {
 public:
  Looks(const SteadyPair& pair, const Vector3& half_a, const Vector3& half_b, double from, double target)
      : from_(from), target_(target), end_(std::min(pair.span(), pair.balls_part(target))) {
    pair.set_motion(half_a, half_b, from, end_, motion_);
    const double meet = pair.centers_within(half_a.minCoeff() + half_b.minCoeff());
    window_ = meet > from && meet < end_ ? meet : end_;
  }

  BoxesAnswer run(bool is_start, std::int64_t most) {
    BoxesAnswer answer;
    answer.time = from_;
    if (!(motion_.error < 0.125 * target_) || !(end_ > from_)) return answer;
    start_window();
    for (;;) {
      // The first slot of the first look has no moment before it.
      const std::uint32_t apart = look_at_moments(motion_, m_) | (answer.steps == 0 ? 1 : 0);
      if (answer.steps++ == 0 && is_start && !(m_.widest[first + 1] > target_)) return answer;
      const std::size_t at = first + static_cast<std::size_t>(std::countr_one(apart));
      answer.time = m_.time[at];
      if (at == last && m_.time[last] >= end_) {
        answer.ending = BoxesAnswer::Ending::Free;
        return answer;
      }
      const double gap = m_.widest[at];
      if (!(gap > 0.0)) return answer;
      if (gap <= target_ && is_touched(at, answer)) {
        answer.ending = BoxesAnswer::Ending::Contact;
        return answer;
      }
      if (answer.steps == most_looks || answer.steps >= most) return answer;
      if (at == last || !forecast(at)) step_from(at);
    }
  }

 private:
  void start_window() {
    const double step = (window_ - from_) / 7.0;
    m_.time[first] = from_;
    for (std::size_t i = 0; i < 8; ++i) m_.time[first + 1 + i] = from_ + static_cast<double>(i) * step;
    m_.time[last] = window_;
    for (std::size_t k = 0; k < box_axis_count; ++k) m_.gap[k][first] = m_.middle[k][first] = 0.0;
  }

  void keep(std::size_t at) {
    if (at == first) return;
    m_.time[first] = m_.time[at];
    for (std::size_t k = 0; k < box_axis_count; ++k) {
      m_.gap[k][first] = m_.gap[k][at];
      m_.middle[k][first] = m_.middle[k][at];
    }
    m_.widest[first] = m_.widest[at];
    for (std::size_t k = 0; k < 9; ++k) m_.cosine[k][first] = m_.cosine[k][at];
  }

  // As far as the bends allow where the gaps stay what they are.
  void step_from(std::size_t at) {
    double squared = 0.0;
    for (std::size_t k = 0; k < box_axis_count; ++k)
      squared = std::max(squared, m_.gap[k][at] / motion_.bend[k]);
    // What was planned before did not even reach its first moment.
    const double step = at == first ? m_.time[first + 1] - m_.time[first] : std::sqrt(kept_share * squared);
    const double now = m_.time[at];
    keep(at);
    for (std::size_t i = 0; i < 8; ++i) {
      const double next = now + shares[i] * step;
      m_.time[first + 1 + i] = next < end_ ? next : end_;
    }
  }

  // Along the axis whose chord comes down last; false if one does not come down before the next moment.
  bool forecast(std::size_t at) {
    // Shares above zero are in the order of their bits; the last of these are the number of the axis.
    std::int64_t latest = 0;
    for (std::size_t k = 0; k < box_axis_count; ++k) {
      const double g0 = m_.gap[k][at], g1 = std::min(m_.gap[k][at + 1], 0.0);
      const double share = std::max(g0, 0.0) / (std::abs(g0) - g1);
      const std::int64_t bits =
          (std::bit_cast<std::int64_t>(share) & ~number_bits) | static_cast<std::int64_t>(k);
      latest = std::max(latest, bits);
    }
    if (latest >= (std::bit_cast<std::int64_t>(1.0) & ~number_bits)) return false;
    const std::size_t axis = static_cast<std::size_t>(latest & number_bits);
    const double aim = 0.5 * target_ * length_of(axis, at);
    const double t0 = m_.time[at], t1 = m_.time[at + 1];
    const double g0 = m_.gap[axis][at] - aim, g1 = m_.gap[axis][at + 1] - aim;
    if (!(g0 > 0.0)) return false;
    const double slope = (t1 - t0) / (g1 - g0);
    double root = t0 - g0 * slope, off = off_share * (t1 - t0);
    const std::size_t third = at + 2 <= last ? at + 2 : at - 1;
    if (third > first || (third == first && m_.time[first] < t0)) {
      const double t2 = m_.time[third], g2 = m_.gap[axis][third] - aim;
      const double bend = ((t2 - t1) / (g2 - g1) - slope) / (g2 - g0);
      const double more = g0 * g1 * bend;
      const double better = root + more;
      const bool is_falling = third > at ? g2 < g1 : g2 > g0;
      if (is_falling && better > t0 && better < t1) {
        root = better;
        off = off_share * std::abs(more);
      }
    }
    const double way = root - t0;
    off = std::min(off, most_off * way);
    keep(at);
    for (std::size_t i = 0; i < 2; ++i) m_.time[first + 1 + i] = t0 + before[i] * way;
    // Those after it also as far as two moments at which the boxes are in each other.
    const double through = -aim * slope;
    const double after[] = {root - about * off, root - near * off, root,
                            root + std::max(near * off, through_shares[0] * through),
                            root + std::max(about * off, through_shares[1] * through)};
    for (std::size_t i = 0; i < 5; ++i) m_.time[first + 3 + i] = std::min(after[i], end_);
    m_.time[last] = std::min(std::max(t0 + beyond * way, after[4]), end_);
    return true;
  }

  // Of the axis, as far as a cosine tells.
  double length_of(std::size_t axis, std::size_t at) const {
    if (axis < 6) return 1.0;
    const double c = m_.cosine[axis - 6][at];
    return std::sqrt(std::max(1.0 - c * c, 0.0));
  }

  // The axis along which they are farthest apart. False if that is farther than the target.
  bool is_touched(std::size_t at, BoxesAnswer& answer) const {
    double most = 0.0;
    for (std::size_t k = 0; k < box_axis_count; ++k) {
      const double gap = m_.gap[k][at];
      if (!(gap > 0.0)) continue;
      const double length = length_of(k, at);
      if (!(gap > most * length) || length < least_length) continue;
      most = gap / length;
      answer.axis = static_cast<int>(k);
    }
    if (!(most > 0.0 && most <= target_)) return false;
    answer.gap = m_.gap[answer.axis][at];
    answer.error = motion_.error;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) answer.a_to_b.rotation(j, i) = m_.cosine[3 * i + j][at];
      answer.a_to_b.translation[i] = m_.middle[i][at];
    }
    // The error came off every gap, and as much may be missing. Parallel edges never show an overlap.
    std::size_t over = at + 1;
    while (over <= last && !(m_.widest[over] < -2.5 * motion_.error)) ++over;
    if (over <= last && m_.widest[over] > -deepest * target_) answer.upper = m_.time[over];
    return true;
  }

  double from_, target_, end_;
  double window_;  // the end of the first look
  BoxMotion motion_;
  BoxMoments m_;
};

}  // namespace

BoxesAnswer follow_turning_boxes(const SteadyPair& pair, const Vector3& half_a, const Vector3& half_b,
                                 double from, bool is_start, double target, std::int64_t most) {
  return Looks(pair, half_a, half_b, from, target).run(is_start, most);
}

}  // namespace toccata::search
