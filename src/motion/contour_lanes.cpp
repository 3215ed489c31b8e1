#include "motion/contour_lanes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "motion/contour_lanes.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::contour::HWY_NAMESPACE {
namespace {
using namespace lanes::HWY_NAMESPACE;

HWY_INLINE Lane load(const std::vector<double>& list, std::size_t i) {
  return hn::LoadU(LaneTag(), list.data() + i);
}

HWY_INLINE unsigned bits(LaneMask mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(LaneTag(), mask, bytes);
  return bytes[0];
}

struct Vectors {
  Lane u, v;
};

HWY_INLINE Lane cross(const Vectors& x, const Vectors& y) {
  return x.u * y.v - x.v * y.u;
}

HWY_INLINE Lane larger_size(const Vectors& x) {
  return larger(hn::Abs(x.u), hn::Abs(x.v));
}

// The two edges of corners as vectors from them, at both ends: Corner::turns and Corner::opposite of
// contour_test.cpp.
HWY_INLINE LaneMask are_open(const Vectors* p, const Vectors* q, double margin) {
  const Lane zero = lane(0.0);
  const Lane size =
      larger(larger(larger_size(p[0]), larger_size(p[1])), larger(larger_size(q[0]), larger_size(q[1])));
  const Lane limit = lane(4.0 * margin) * size + lane(1e-290), minus_limit = hn::Neg(limit);
  const Lane c0 = cross(p[0], q[0]), c2 = cross(p[1], q[1]);
  const Lane c1 = lane(0.5) * (cross(p[0], q[1]) + cross(p[1], q[0]));
  const LaneMask turns =
      hn::Or(hn::Gt(smaller(smaller(c0, c1), c2), limit), hn::Lt(larger(larger(c0, c1), c2), minus_limit));
  const Vectors way{p[0].u + p[1].u - q[0].u - q[1].u, p[0].v + p[1].v - q[0].v - q[1].v};
  const Lane length = larger_size(way);
  const LaneMask has_way = hn::Gt(length, zero);
  const Vectors axis{hn::IfThenElse(has_way, way.u / length, zero),
                     hn::IfThenElse(has_way, way.v / length, zero)};
  const auto along = [&](const Vectors& x) HWY_ATTR { return axis.u * x.u + axis.v * x.v; };
  const LaneMask opposite = hn::And(hn::Gt(smaller(along(p[0]), along(p[1])), lane(margin)),
                                    hn::Lt(larger(along(q[0]), along(q[1])), lane(-margin)));
  return hn::Or(turns, opposite);
}

// One box against as many others as there are lanes.
struct OneBox {
  Lane u_low, u_high, v_low, v_high;

  HWY_INLINE OneBox(const Boxes& boxes, std::size_t i)
      : u_low(lane(boxes.u_low[i])),
        u_high(lane(boxes.u_high[i])),
        v_low(lane(boxes.v_low[i])),
        v_high(lane(boxes.v_high[i])) {}

  HWY_INLINE unsigned meets(const Boxes& others, std::size_t i, Lane gap) const {
    const Lane u = larger(load(others.u_low, i) - u_high, u_low - load(others.u_high, i));
    const Lane v = larger(load(others.v_low, i) - v_high, v_low - load(others.v_high, i));
    return bits(hn::Le(larger(u, v), gap));
  }
  // The edges of a run.
  HWY_INLINE unsigned meets_run(const Boxes& edges, std::size_t run, Lane gap) const {
    unsigned all = 0;
    for (std::size_t k = 0; k < run_length; k += lane_count)
      all |= meets(edges, run * run_length + k, gap) << k;
    return all;
  }
};

}  // namespace

void list_corners(const Tracks& tracks, std::size_t begin, std::size_t count, double margin,
                  std::vector<std::int32_t>& doubtful) {
  for (std::size_t n = 0; n < count; n += lane_count) {
    const std::size_t i = begin + n;
    const auto corner = [&](const std::vector<double>& u, const std::vector<double>& v, Vectors& p,
                            Vectors& q) HWY_ATTR {
      const Lane u_here = load(u, i + 1), v_here = load(v, i + 1);
      p = {load(u, i) - u_here, load(v, i) - v_here};
      q = {load(u, i + 2) - u_here, load(v, i + 2) - v_here};
    };
    Vectors p[2], q[2];
    corner(tracks.u_t0, tracks.v_t0, p[0], q[0]);
    corner(tracks.u_t1, tracks.v_t1, p[1], q[1]);
    const std::size_t used = std::min(lane_count, count - n);
    unsigned left = bits(hn::AndNot(are_open(p, q, margin), hn::FirstN(LaneTag(), used)));
    for (; left != 0; left &= left - 1) {
      doubtful.push_back(static_cast<std::int32_t>(n) + std::countr_zero(left));
    }
  }
}

void fit_edge_boxes(const Tracks& tracks, std::size_t begin, std::size_t count, std::size_t first,
                    Boxes& boxes) {
  const auto fit = [&](const std::vector<double>& t0, const std::vector<double>& t1, std::vector<double>& low,
                       std::vector<double>& high) HWY_ATTR {
    for (std::size_t n = 0; n < count; n += lane_count) {
      const std::size_t i = begin + n;
      const Lane a0 = load(t0, i), a1 = load(t1, i), b0 = load(t0, i + 1), b1 = load(t1, i + 1);
      const std::size_t used = std::min(lane_count, count - n);
      const LaneMask here = hn::FirstN(LaneTag(), used);
      double* const to_low = low.data() + first + n;
      double* const to_high = high.data() + first + n;
      hn::BlendedStore(smaller(smaller(a0, a1), smaller(b0, b1)), here, LaneTag(), to_low);
      hn::BlendedStore(larger(larger(a0, a1), larger(b0, b1)), here, LaneTag(), to_high);
    }
  };
  fit(tracks.u_t0, tracks.u_t1, boxes.u_low, boxes.u_high);
  fit(tracks.v_t0, tracks.v_t1, boxes.v_low, boxes.v_high);
}

void fit_run_boxes(const Boxes& edges, Boxes& runs) {
  for (std::size_t r = 0; r < runs.count; ++r) {
    const auto fit = [&](const std::vector<double>& edge_low, const std::vector<double>& edge_high,
                         std::vector<double>& low, std::vector<double>& high) HWY_ATTR {
      const std::size_t first = r * run_length;
      Lane least = load(edge_low, first), most = load(edge_high, first);
      for (std::size_t k = lane_count; k < run_length; k += lane_count) {
        least = smaller(least, load(edge_low, first + k));
        most = larger(most, load(edge_high, first + k));
      }
      low[r] = hn::GetLane(hn::MinOfLanes(LaneTag(), least));
      high[r] = hn::GetLane(hn::MaxOfLanes(LaneTag(), most));
    };
    fit(edges.u_low, edges.u_high, runs.u_low, runs.u_high);
    fit(edges.v_low, edges.v_high, runs.v_low, runs.v_high);
  }
}

void list_meeting(const Boxes& edges, const Boxes& runs, double gap_allowed,
                  std::vector<std::pair<std::int32_t, std::int32_t>>& pairs) {
  const Lane gap = lane(gap_allowed);
  for (std::size_t i = 0; i < runs.count; ++i) {
    const OneBox run(runs, i);
    for (std::size_t first = i / lane_count * lane_count; first < runs.count; first += lane_count) {
      unsigned others = run.meets(runs, first, gap);
      if (first < i) others &= ~0u << (i - first);
      for (; others != 0; others &= others - 1) {
        const std::size_t j = first + static_cast<std::size_t>(std::countr_zero(others));
        unsigned mine = OneBox(runs, j).meets_run(edges, i, gap);
        for (; mine != 0; mine &= mine - 1) {
          const int k = std::countr_zero(mine);
          const std::size_t m = i * run_length + static_cast<std::size_t>(k);
          unsigned theirs = OneBox(edges, m).meets_run(edges, j, gap);
          if (i == j) theirs &= ~1u << k;  // each pair once
          for (; theirs != 0; theirs &= theirs - 1) {
            pairs.emplace_back(static_cast<std::int32_t>(m),
                               static_cast<std::int32_t>(j * run_length) + std::countr_zero(theirs));
          }
        }
      }
    }
  }
}

}  // namespace toccata::contour::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::contour {

HWY_EXPORT(list_corners);
HWY_EXPORT(fit_edge_boxes);
HWY_EXPORT(fit_run_boxes);
HWY_EXPORT(list_meeting);

void Boxes::resize(std::size_t boxes) {
  count = boxes;
  const std::size_t filled = (boxes + run_length - 1) / run_length * run_length;
  for (auto* list : {&u_low, &v_low}) {
    list->resize(filled);
    std::fill(list->begin() + static_cast<std::ptrdiff_t>(boxes), list->end(), HUGE_VAL);
  }
  for (auto* list : {&u_high, &v_high}) {
    list->resize(filled);
    std::fill(list->begin() + static_cast<std::ptrdiff_t>(boxes), list->end(), -HUGE_VAL);
  }
}

void list_doubtful_corners(const Tracks& tracks, std::size_t begin, std::size_t count, double margin,
                           std::vector<std::int32_t>& doubtful) {
  HWY_DYNAMIC_DISPATCH(list_corners)(tracks, begin, count, margin, doubtful);
}

void fit_edges(const Tracks& tracks, std::size_t begin, std::size_t count, std::size_t first, Boxes& boxes) {
  HWY_DYNAMIC_DISPATCH(fit_edge_boxes)(tracks, begin, count, first, boxes);
}

void fit_runs(const Boxes& edges, Boxes& runs) {
  runs.resize((edges.count + run_length - 1) / run_length);
  HWY_DYNAMIC_DISPATCH(fit_run_boxes)(edges, runs);
}

void list_meeting_edges(const Boxes& edges, const Boxes& runs, double gap,
                        std::vector<std::pair<std::int32_t, std::int32_t>>& pairs) {
  HWY_DYNAMIC_DISPATCH(list_meeting)(edges, runs, gap, pairs);
}

}  // namespace toccata::contour
#endif
