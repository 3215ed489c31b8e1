#include "motion/contour_test.hpp"

#include <algorithm>

namespace toccata {
namespace {

// A pair that no axis separates over the whole interval is halved in time this often: eight pieces tell
// nearly all contours that move a long way, and what they do not tell is culled by volumes instead.
constexpr int deepest_halving = 3;
// Up to so many edges sorting them does not pay: where their order is not predictable, each comparison costs
// more than several boxes.
constexpr std::size_t sorting_limit = 2048;

struct Axis {
  double u, v;
};

// Heights along an axis err by a few u times its larger component: at most 1 here, as `margin` counts on.
Axis scaled(double u, double v) {
  const double size = std::max(std::abs(u), std::abs(v));
  return size > 0.0 ? Axis{u / size, v / size} : Axis{0.0, 0.0};
}

template <typename Point>
double along(const Axis& axis, const Point& p) {
  return axis.u * p.u + axis.v * p.v;
}

// Two edges (a, b) and (c, d) at both ends of a time interval.
template <typename Point>
struct EdgePair {
  std::array<Point, 2> a, b, c, d;

  enum class Answer { Apart, Unknown, Overlap };

  // Points move straight, so heights along a fixed axis are linear in time: apart on the same side at both
  // ends is apart in between.
  Answer try_axis(const Axis& axis, double margin) const {
    bool below = true, above = true;
    Answer answer = Answer::Overlap;
    for (int end = 0; end < 2; ++end) {
      const double pa = along(axis, a[end]), pb = along(axis, b[end]);
      const double pc = along(axis, c[end]), pd = along(axis, d[end]);
      const bool is_below = std::min(pc, pd) - std::max(pa, pb) > margin;
      const bool is_above = std::min(pa, pb) - std::max(pc, pd) > margin;
      below = below && is_below;
      above = above && is_above;
      if (end == 0 && (is_below || is_above)) answer = Answer::Unknown;
    }
    return below || above ? Answer::Apart : answer;
  }

  // Overlap: they meet at the beginning already, as far as the axes tell.
  Answer try_axes(double margin) const {
    Answer best = Answer::Overlap;
    // Fixed axes for what is far apart; the normals of either edge, halfway, for what is close; and along the
    // first edge for those that lie one behind the other.
    const std::array<Axis, 7> axes = {
        Axis{1, 0},
        Axis{0, 1},
        Axis{1, 1},
        Axis{1, -1},
        scaled(a[0].v - b[0].v + a[1].v - b[1].v, b[0].u - a[0].u + b[1].u - a[1].u),
        scaled(c[0].v - d[0].v + c[1].v - d[1].v, d[0].u - c[0].u + d[1].u - c[1].u),
        scaled(b[0].u - a[0].u, b[0].v - a[0].v)};
    for (const Axis& axis : axes) {
      const Answer answer = try_axis(axis, margin);
      if (answer == Answer::Apart) return answer;
      if (answer == Answer::Unknown) best = answer;
    }
    return best;
  }

  EdgePair half(int which) const {
    const auto cut = [which](const std::array<Point, 2>& p) {
      const Point middle{0.5 * p[0].u + 0.5 * p[1].u, 0.5 * p[0].v + 0.5 * p[1].v};
      return which == 0 ? std::array<Point, 2>{p[0], middle} : std::array<Point, 2>{middle, p[1]};
    };
    return {cut(a), cut(b), cut(c), cut(d)};
  }

  bool apart(double margin, int depth) const {
    const Answer answer = try_axes(margin);
    if (answer == Answer::Apart) return true;
    if (answer == Answer::Overlap || depth == 0) return false;
    return half(0).apart(margin, depth - 1) && half(1).apart(margin, depth - 1);
  }
};

// The two edges from b to a and to c, as vectors p = a - b and q = c - b at both ends: they meet in b only as
// long as p and q do not point the same way.
template <typename Point>
struct Corner {
  std::array<Point, 2> p, q;

  static double cross(const Point& x, const Point& y) { return x.u * y.v - x.v * y.u; }

  bool turns(double margin) const {
    double size = 0.0;
    for (const auto& vector : {p[0], p[1], q[0], q[1]}) {
      size = std::max({size, std::abs(vector.u), std::abs(vector.v)});
    }
    // The cross product of two linear vectors is quadratic in time: its Bernstein coefficients enclose it.
    // Each errs by `margin` times the other vector, twice; 1e-290 covers underflow.
    const double limit = 4.0 * margin * size + 1e-290;
    const double c0 = cross(p[0], q[0]);
    const double c1 = 0.5 * (cross(p[0], q[1]) + cross(p[1], q[0]));
    const double c2 = cross(p[1], q[1]);
    return (c0 > limit && c1 > limit && c2 > limit) || (c0 < -limit && c1 < -limit && c2 < -limit);
  }

  // A straight corner has no turn, but its two sides point away from each other.
  bool opposite(double margin) const {
    const Axis axis = scaled(p[0].u + p[1].u - q[0].u - q[1].u, p[0].v + p[1].v - q[0].v - q[1].v);
    return along(axis, p[0]) > margin && along(axis, p[1]) > margin && along(axis, q[0]) < -margin &&
           along(axis, q[1]) < -margin;
  }

  bool open(double margin, int depth) const {
    if (turns(margin) || opposite(margin)) return true;
    if (depth == 0) return false;
    const auto middle = [](const std::array<Point, 2>& x) {
      return Point{0.5 * x[0].u + 0.5 * x[1].u, 0.5 * x[0].v + 0.5 * x[1].v};
    };
    const Point p_middle = middle(p), q_middle = middle(q);
    return Corner{{p[0], p_middle}, {q[0], q_middle}}.open(margin, depth - 1) &&
           Corner{{p_middle, p[1]}, {q_middle, q[1]}}.open(margin, depth - 1);
  }
};

}  // namespace

PlanarProjection::PlanarProjection(const Vector3& direction, const Vector3& from) : origin(from) {
  direction.cwiseAbs().maxCoeff(&k);
  i = (k + 1) % 3;
  j = (k + 2) % 3;
  slope_i = direction[i] / direction[k];
  slope_j = direction[j] / direction[k];
  mirrored = direction[k] < 0.0;
}

void ContourTester::begin(const Vector3& direction, const Vector3& origin, double t_end) {
  projection_ = PlanarProjection(direction, origin);
  t_end_ = t_end;
  extent_ = 0.0;
  // A vertex is projected once per test, whoever asks; old stamps are cleared when the counter wraps.
  if (++stamp_ == 0) {
    std::fill(stamps_.begin(), stamps_.end(), 0);
    stamp_ = 1;
  }
}

void ContourTester::project(std::int32_t vertex, const double* x_t0, const double* x_t1) {
  ++counts.projected;
  stamps_[vertex] = stamp_;
  const PlanarProjection p = projection_;
  double reach = 0.0;  // apart from extent_, so that one vertex need not wait for another
  const auto planar = [&](const double* x) {
    const double x_i = x[p.i] - p.origin[p.i], x_j = x[p.j] - p.origin[p.j], x_k = x[p.k] - p.origin[p.k];
    reach = std::max(reach, std::max(std::max(std::abs(x_i), std::abs(x_j)), std::abs(x_k)));
    return Point{x_i - p.slope_i * x_k, x_j - p.slope_j * x_k};
  };
  const Point start = planar(x_t0);
  Point end = planar(x_t1);
  extent_ = std::max(extent_, reach);
  if (t_end_ < 1.0) end = {start.u + t_end_ * (end.u - start.u), start.v + t_end_ * (end.v - start.v)};
  tracks_[vertex] = {start, end};
}

void ContourTester::collect_edges(std::span<const std::int32_t> contour) {
  edges_.clear();
  loop_ends_.clear();
  std::int32_t first = 0;
  for (std::size_t n = 0; n < contour.size(); ++n) {
    const bool last = contour[n] < 0;
    const std::int32_t from = last ? ~contour[n] : contour[n];
    const std::int32_t next = contour[last ? static_cast<std::size_t>(first) : n + 1];
    edges_.push_back({from, next < 0 ? ~next : next});
    if (last) {
      first = static_cast<std::int32_t>(n + 1);
      loop_ends_.push_back(first);
    }
  }
}

// The tracks of all vertices by their place along the contour.
void ContourTester::place_tracks() {
  places_.clear();
  const auto add = [&](std::int32_t vertex) {
    const Track& track = tracks_[vertex];
    places_.u_t0.push_back(track[0].u);
    places_.v_t0.push_back(track[0].v);
    places_.u_t1.push_back(track[1].u);
    places_.v_t1.push_back(track[1].v);
  };
  std::int32_t begin = 0;
  for (const std::int32_t end : loop_ends_) {
    add(edges_[end - 1][0]);
    for (std::int32_t n = begin; n < end; ++n) add(edges_[n][0]);
    add(edges_[begin][0]);
    begin = end;
  }
  for (std::size_t k = 0; k < contour::run_length; ++k) add(edges_[0][0]);  // vectors are read whole
}

bool ContourTester::fail(const ContourEdge& a, const ContourEdge& b) {
  failed_ = {a, b};
  return false;
}

bool ContourTester::test_projected(std::span<const std::int32_t> contour) {
  ++counts.tests;
  failed_ = {{{-1, -1}, {-1, -1}}};
  if (!std::isfinite(extent_)) return false;
  collect_edges(contour);
  if (edges_.empty()) return false;
  place_tracks();
  if (!neighbours_apart() || !others_apart() || !loops_turn_well()) return false;
  ++counts.passed;
  return true;
}

bool ContourTester::neighbours_apart() {
  std::int32_t begin = 0;
  std::size_t place = 0;
  for (const std::int32_t end : loop_ends_) {
    const auto count = static_cast<std::size_t>(end - begin);
    doubtful_.clear();
    contour::list_doubtful_corners(places_, place, count, margin(), doubtful_);
    for (const std::int32_t corner : doubtful_) {
      const std::int32_t n = begin + corner;
      const ContourEdge& before = edges_[n == begin ? end - 1 : n - 1];
      const ContourEdge& after = edges_[n];
      if (!corner_open({before[0], after[0], after[1]})) return fail(before, after);
    }
    place += count + 2;
    begin = end;
  }
  return true;
}

bool ContourTester::corner_open(const std::array<std::int32_t, 3>& corner) const {
  const Track &a = tracks_[corner[0]], &b = tracks_[corner[1]], &c = tracks_[corner[2]];
  Corner<Point> test;
  for (int end = 0; end < 2; ++end) {
    test.p[end] = {a[end].u - b[end].u, a[end].v - b[end].v};
    test.q[end] = {c[end].u - b[end].u, c[end].v - b[end].v};
  }
  return test.open(margin(), deepest_halving);
}

bool ContourTester::pair_apart(std::int32_t first, std::int32_t second) {
  const ContourEdge &e = edges_[first], &f = edges_[second];
  if (e[0] == f[1] || e[1] == f[0]) return true;  // neighbours: tested before
  ++counts.planar_tests;
  const EdgePair<Point> pair{tracks_[e[0]], tracks_[e[1]], tracks_[f[0]], tracks_[f[1]]};
  return pair.apart(margin(), deepest_halving) || fail(e, f);
}

bool ContourTester::others_apart() {
  boxes_.resize(edges_.size());
  std::size_t begin = 0, place = 0;
  for (const std::int32_t loop_end : loop_ends_) {
    const auto end = static_cast<std::size_t>(loop_end);
    contour::fit_edges(places_, place + 1, end - begin, begin, boxes_);
    place += end - begin + 2;
    begin = end;
  }
  return edges_.size() > sorting_limit ? sorted_apart() : runs_apart();
}

// Edges follow each other along the contour: what is far from a run of them is far from each.
bool ContourTester::runs_apart() {
  contour::fit_runs(boxes_, runs_);
  meeting_.clear();
  contour::list_meeting_edges(boxes_, runs_, margin(), meeting_);
  for (const auto& [m, n] : meeting_) {
    if (edges_[m][1] == edges_[n][0]) continue;  // neighbours: most of them
    if (!pair_apart(m, n)) return false;
  }
  return true;
}

// A sweep along the longer side, as u: boxes that start behind the end of this one end its row.
bool ContourTester::sorted_apart() {
  const double gap = margin();
  const auto count = static_cast<std::ptrdiff_t>(boxes_.count);
  const auto length = [&](const std::vector<double>& low, const std::vector<double>& high) {
    return *std::max_element(high.begin(), high.begin() + count) -
           *std::min_element(low.begin(), low.begin() + count);
  };
  const bool across = length(boxes_.v_low, boxes_.v_high) > length(boxes_.u_low, boxes_.u_high);
  sorted_.clear();
  for (std::size_t n = 0; n < boxes_.count; ++n) {
    const EdgeBox box{boxes_.u_low[n], boxes_.u_high[n], boxes_.v_low[n], boxes_.v_high[n],
                      static_cast<std::int32_t>(n)};
    sorted_.push_back(across ? EdgeBox{box.v_low, box.v_high, box.u_low, box.u_high, box.index} : box);
  }
  std::sort(sorted_.begin(), sorted_.end(), [](const EdgeBox& x, const EdgeBox& y) {
    return x.u_low != y.u_low ? x.u_low < y.u_low : x.index < y.index;
  });
  for (std::size_t m = 0; m < sorted_.size(); ++m) {
    const EdgeBox& x = sorted_[m];
    for (std::size_t n = m + 1; n < sorted_.size() && !(sorted_[n].u_low - x.u_high > gap); ++n) {
      const EdgeBox& y = sorted_[n];
      if (std::max(y.v_low - x.v_high, x.v_low - y.v_high) > gap) continue;
      if (!pair_apart(x.index, y.index)) return false;
    }
  }
  return true;
}

// With several loops exactly one may turn the way of the triangles, at t = 0 and hence always: otherwise the
// loops are disjoint and simple but the region may lie in two sheets over the inside of one.
bool ContourTester::loops_turn_well() const {
  if (loop_ends_.size() == 1) return true;
  int outer = 0;
  std::int32_t begin = 0;
  for (const std::int32_t end : loop_ends_) {
    const Point& base = tracks_[edges_[begin][0]][0];
    double area = 0.0, size = 0.0;
    for (std::int32_t n = begin; n < end; ++n) {
      const Point &from = tracks_[edges_[n][0]][0], &to = tracks_[edges_[n][1]][0];
      const Point p{from.u - base.u, from.v - base.v}, q{to.u - base.u, to.v - base.v};
      area += p.u * q.v - p.v * q.u;
      size = std::max({size, std::abs(p.u), std::abs(p.v)});
    }
    const double count = end - begin;
    // `count` terms, each a difference of two products of coordinates that err by `margin`, and their sum.
    const double limit = count * (8.0 * margin() * size + count * 0x1p-50 * size * size) + 1e-290;
    if (std::abs(area) <= limit) return false;
    if ((area > 0.0) != projection_.mirrored) ++outer;
    begin = end;
  }
  return outer == 1;
}

}  // namespace toccata
