#include "impact/exact_impact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "impact/difference_hull.hpp"
#include "impact/polynomial.hpp"

namespace toccata::impact {
namespace {

using VectorFunction = std::array<Polynomial, 3>;

struct Dyadic {
  std::int64_t mantissa = 0;  // odd, or zero
  int exponent = 0;
};

Dyadic decompose(double value) {
  if (value == 0.0) return {};
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return {mantissa >> zeros, exponent - 53 + zeros};
}

// One axis of all points as integers over a common power of two, [end][point]. Each axis has a power of its
// own, so that a flat scene does not pay with long integers; no sign below mixes axes additively.
using AxisIntegers = std::array<std::array<Integer, 4>, 2>;

AxisIntegers axis_integers(const LinearMotion4& motion, int points, int axis) {
  std::array<std::array<Dyadic, 4>, 2> parts;
  int lowest = INT32_MAX;
  for (int i = 0; i < points; ++i) {
    parts[0][i] = decompose(motion.t0[i][axis]);
    parts[1][i] = decompose(motion.t1[i][axis]);
    for (int e = 0; e < 2; ++e) {
      if (parts[e][i].mantissa != 0) lowest = std::min(lowest, parts[e][i].exponent);
    }
  }
  AxisIntegers integers;
  for (int e = 0; e < 2; ++e) {
    for (int i = 0; i < points; ++i) {
      const Dyadic& d = parts[e][i];
      if (d.mantissa == 0) continue;
      const int shift = d.exponent - lowest;
      integers[e][i] =
          shift < 9 ? Integer(d.mantissa * (std::int64_t{1} << shift)) : Integer(d.mantissa) << shift;
    }
  }
  return integers;
}

// The motion up to t_max as a motion over [0, 1]; t_max = n / d exactly.
void cut_motion(AxisIntegers& x, int points, double t_max) {
  const Dyadic t = decompose(t_max);  // exponent <= 0
  const Integer n(t.mantissa), d = Integer(1) << -t.exponent, rest = d - n;
  for (int i = 0; i < points; ++i) {
    x[1][i] = rest * x[0][i] + n * x[1][i];
    x[0][i] = d * x[0][i];
  }
}

Polynomial linear(const AxisIntegers& x, int to, int from) {
  Polynomial p;
  p.degree = 1;
  for (int e = 0; e < 2; ++e) p.c[e] = x[e][to] - x[e][from];
  return p;
}

Polynomial cross_component(const VectorFunction& u, const VectorFunction& w, int axis) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  return u[i] * w[j] - u[j] * w[i];
}

VectorFunction difference(const VectorFunction& u, const VectorFunction& w) {
  return {u[0] - w[0], u[1] - w[1], u[2] - w[2]};
}

// A point of time at which polynomials have signs: an end of the motion or a root inside.
struct AtStart {
  int sign(const Polynomial& p, ExactWork&) const { return p.c[0].sign(); }
};
struct AtEnd {
  int sign(const Polynomial& p, ExactWork&) const { return p.c[p.degree].sign(); }
};

class Decision {
 public:
  Decision(FeaturePairKind pair, const LinearMotion4& motion, double t_max) : pair_(pair), t_max_(t_max) {
    const int points = point_count(pair);
    for (int axis = 0; axis < 3; ++axis) {
      AxisIntegers x = axis_integers(motion, points, axis);
      if (t_max < 1.0) cut_motion(x, points, t_max);
      for (int i = 1; i < points; ++i) relative_[i - 1][axis] = linear(x, i, 0);
    }
  }

  ExactImpact decide() {
    ExactImpact result;
    if (pair_ == FeaturePairKind::VertexVertex || pair_ == FeaturePairKind::VertexEdge) {
      result = decide_flat();
    } else {
      result = decide_solid();
    }
    result.degenerate = degenerate_ || work_.zero_tests > 0;
    result.steps = 3 + work_.steps;  // to set up and to look at the ends
    // Times were those of the motion cut at t_max: two roundings each, widened by eight.
    if (result.contact && t_max_ < 1.0) {
      result.lower = std::max(0.0, result.lower * t_max_ * (1.0 - 0x1p-50));
      result.upper = std::min(t_max_, result.upper * t_max_ * (1.0 + 0x1p-50));
    }
    return result;
  }

 private:
  const VectorFunction& a() const { return relative_[0]; }
  const VectorFunction& b() const { return relative_[1]; }
  const VectorFunction& c() const { return relative_[2]; }

  static ExactImpact contact_at_start() { return {true, true, false, 0.0, 0.0}; }
  static ExactImpact contact_at_end() { return {true, false, false, 1.0, 1.0}; }
  ExactImpact contact_at(Root& root) {
    const Root::Bracket bracket = root.bracket(work_);
    return {true, false, false, bracket.lower, bracket.upper};
  }

  // The earlier of two first contacts; the brackets may overlap.
  static void keep_earlier(ExactImpact& best, const ExactImpact& other) {
    if (!best.contact) {
      best = other;
    } else {
      best.lower = std::min(best.lower, other.lower);
      best.upper = std::min(best.upper, other.upper);
    }
  }

  // All points run into one: relative to the first they shrink by one factor, (1 - t) - ratio t. Until then
  // they are a scaled copy of the start, so that they touch at the start or not before they are one. Sheets
  // and bodies that collapse ask this of all their pairs.
  // The component that the factor is read off; null: it is another motion.
  const Polynomial* shrinking() const {
    const Polynomial* largest = nullptr;
    for (const VectorFunction& x : relative_) {
      for (const Polynomial& p : x) {
        if (p.c[0].is_zero() && !p.c[1].is_zero()) return nullptr;
        if (!p.c[0].is_zero() && largest == nullptr) largest = &p;
      }
    }
    if (largest == nullptr || largest->c[0].sign() * largest->c[1].sign() > 0) return nullptr;
    for (const VectorFunction& x : relative_) {
      for (const Polynomial& p : x) {
        if (&p != largest && !p.c[0].is_zero() &&
            compare(p.c[0] * largest->c[1], p.c[1] * largest->c[0]) != 0)
          return nullptr;
      }
    }
    return largest;
  }

  ExactImpact decide_shrinking(const Polynomial& factor) {
    degenerate_ = true;
    const bool ends_there = factor.c[1].is_zero();
    Root root = Root::rational({factor.c[0].sign() < 0 ? -factor.c[0] : factor.c[0],
                                factor.c[1].sign() < 0 ? -factor.c[1] : factor.c[1]});
    for (VectorFunction& x : relative_) {
      for (Polynomial& p : x) p.degree = 0;
    }
    for (int k = 0; k < 3; ++k) p_[k] = cross_component(b(), c(), k);
    const Polynomial f = a()[0] * p_[0] + a()[1] * p_[1] + a()[2] * p_[2];
    if (f.is_zero() && solid_contact(AtStart{})) return contact_at_start();
    return ends_there ? contact_at_end() : contact_at(root);
  }

  // Solid pairs: vertex-face, edge-edge.
  ExactImpact decide_solid() {
    if (const Polynomial* factor = shrinking()) return decide_shrinking(*factor);
    for (int k = 0; k < 3; ++k) p_[k] = cross_component(b(), c(), k);
    const Polynomial f = a()[0] * p_[0] + a()[1] * p_[1] + a()[2] * p_[2];
    // Contact needs F = 0: so the times to look at are the ends, if F vanishes there, and its roots inside.
    if (f.c[0].is_zero() && solid_contact(AtStart{})) return contact_at_start();
    if (!f.is_zero()) {
      Roots roots = isolate_roots(f, work_);
      for (int i = 0; i < roots.count; ++i) {
        if (solid_contact(roots.at[static_cast<std::size_t>(i)])) {
          return contact_at(roots.at[static_cast<std::size_t>(i)]);
        }
      }
    } else {
      // Coplanar throughout: a first contact after the start cannot be inside both features, since there it
      // would persist backwards in time. It is a vertex meeting an edge.
      degenerate_ = true;
      ExactImpact best;
      for (const auto& [u, w] : vertex_edge_pairs()) {
        const ExactImpact contact = vertex_edge_contact_inside(u, w);
        if (contact.contact) keep_earlier(best, contact);
      }
      if (best.contact) return best;
    }
    if (f.c[3].is_zero() && solid_contact(AtEnd{})) return contact_at_end();
    return {};
  }

  // Whether the features touch at a time at which F = 0.
  template <typename Time>
  bool solid_contact(Time&& time) {
    // On the first coordinate plane on which the normal does not vanish the weights decide (notation above).
    for (int k = 0; k < 3; ++k) {
      const Polynomial& p = p_[k];
      const Polynomial& q = cross(1, k);
      const Polynomial& r = cross(2, k);
      const Polynomial qr = q + r;
      if (pair_ == FeaturePairKind::VertexFace) {
        const int n = time.sign(p + qr, work_);
        if (n == 0) continue;
        return agree(time, p, n) && agree(time, q, n) && agree(time, r, n);
      }
      const int n = -time.sign(qr, work_);
      if (n == 0) continue;
      return agree(time, p, n) && agree(time, q, -n) && agree(time, r, -n) && agree(time, p + qr, -n);
    }
    // No normal: the features are degenerate or parallel, and touch only where a vertex lies on an edge.
    degenerate_ = true;
    for (const auto& [u, w] : vertex_edge_pairs()) {
      if (vertex_on_edge(time, u, w)) return true;
    }
    return false;
  }

  template <typename Time>
  bool agree(Time& time, const Polynomial& p, int sign) {
    return time.sign(p, work_) * sign >= 0;
  }

  // Q (1) or R (2) on one axis, computed when first asked for.
  const Polynomial& cross(int which, int axis) {
    Polynomial& p = which == 1 ? q_[axis] : r_[axis];
    if (p.degree < 0) p = which == 1 ? cross_component(c(), a(), axis) : cross_component(a(), b(), axis);
    return p;
  }

  using EndPair = std::pair<VectorFunction, VectorFunction>;

  // Every vertex of one feature with every edge of the other: the edge's ends relative to the vertex.
  const std::vector<EndPair>& vertex_edge_pairs() {
    if (!vertex_edge_pairs_.empty()) return vertex_edge_pairs_;
    if (pair_ == FeaturePairKind::VertexFace) {
      vertex_edge_pairs_ = {{a(), b()}, {b(), c()}, {c(), a()}};
    } else {
      const VectorFunction zero = difference(a(), a());
      vertex_edge_pairs_ = {{b(), c()},
                            {difference(b(), a()), difference(c(), a())},
                            {difference(zero, b()), difference(a(), b())},
                            {difference(zero, c()), difference(a(), c())}};
    }
    return vertex_edge_pairs_;
  }

  template <typename Time>
  bool vertex_on_edge(Time& time, const VectorFunction& u, const VectorFunction& w) {
    // Between the ends on every axis first: linear, so cheaper than being collinear.
    for (int k = 0; k < 3; ++k) {
      if (time.sign(u[k], work_) * time.sign(w[k], work_) > 0) return false;
    }
    for (int k = 0; k < 3; ++k) {
      if (time.sign(cross_component(u, w, k), work_) != 0) return false;
    }
    return true;
  }

  // The first contact of a vertex and an edge in the open interval, if they do not touch at t = 0.
  ExactImpact vertex_edge_contact_inside(const VectorFunction& u, const VectorFunction& w) {
    for (int k = 0; k < 3; ++k) {
      const Polynomial q = cross_component(u, w, k);
      if (!q.is_zero()) return first_contact_among(isolate_roots(q, work_), u, w);
    }
    // Collinear throughout: contact starts where the vertex passes an end of the edge on some axis.
    ExactImpact best;
    for (int k = 0; k < 3; ++k) {
      for (const Polynomial* end : {&u[k], &w[k]}) {
        if (end->is_zero()) continue;
        const ExactImpact contact = first_contact_among(isolate_roots(*end, work_), u, w);
        if (contact.contact) keep_earlier(best, contact);
      }
    }
    return best;
  }

  ExactImpact first_contact_among(Roots roots, const VectorFunction& u, const VectorFunction& w) {
    for (int i = 0; i < roots.count; ++i) {
      Root& root = roots.at[static_cast<std::size_t>(i)];
      if (vertex_on_edge(root, u, w)) return contact_at(root);
    }
    return {};
  }

  // Vertex-edge and vertex-vertex; a vertex is an edge with two equal ends.
  ExactImpact decide_flat() {
    degenerate_ = true;
    const VectorFunction& u = a();
    const VectorFunction& w = pair_ == FeaturePairKind::VertexVertex ? a() : b();
    AtStart at_start;
    AtEnd at_end;
    if (vertex_on_edge(at_start, u, w)) return contact_at_start();
    const ExactImpact inside = vertex_edge_contact_inside(u, w);
    if (inside.contact) return inside;
    if (vertex_on_edge(at_end, u, w)) return contact_at_end();
    return {};
  }

  FeaturePairKind pair_;
  double t_max_;
  std::array<VectorFunction, 3> relative_;
  VectorFunction p_, q_, r_;
  std::vector<EndPair> vertex_edge_pairs_;
  bool degenerate_ = false;
  ExactWork work_;
};

}  // namespace

ExactImpact exact_impact(FeaturePairKind pair, const LinearMotion4& motion, double t_max) {
  return Decision(pair, motion, t_max).decide();
}

}  // namespace toccata::impact
