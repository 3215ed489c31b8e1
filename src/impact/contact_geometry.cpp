#include "impact/contact_geometry.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace toccata {
namespace {

using exact::FeaturePair;
using Weights = std::array<double, 4>;

// Points relative to the first one, and velocities, at the time of contact, up to a common factor for which
// squares neither overflow nor underflow.
struct Moment {
  std::array<Vector3, 4> at;
  std::array<Vector3, 4> velocity;
};

Moment moment(const LinearMotion4& motion, int points, double t) {
  Moment m;
  double scale = 0.0;
  for (int i = 0; i < points; ++i) {
    // Quarters: the difference of two huge numbers must not overflow.
    const Vector3 p = 0.25 * motion.t0[i], q = 0.25 * motion.t1[i];
    m.at[i] = (1.0 - t) * p + t * q;
    m.velocity[i] = q - p;
  }
  for (int i = points - 1; i >= 0; --i) {
    m.at[i] -= m.at[0];
    scale = std::max({scale, m.at[i].cwiseAbs().maxCoeff(), m.velocity[i].cwiseAbs().maxCoeff()});
  }
  if (scale > 0.0 && (scale < 1e-60 || scale > 1e60)) {
    int exponent = 0;
    std::frexp(scale, &exponent);
    for (int i = 0; i < points; ++i) {
      for (int k = 0; k < 3; ++k) {
        m.at[i][k] = std::ldexp(m.at[i][k], -exponent);
        m.velocity[i][k] = std::ldexp(m.velocity[i][k], -exponent);
      }
    }
  }
  return m;
}

// The parameter of the point of segment [p, q] closest to x.
double closest_on_segment(const Vector3& x, const Vector3& p, const Vector3& q) {
  const Vector3 d = q - p;
  const double dd = d.squaredNorm();
  return dd > 0.0 ? std::clamp((x - p).dot(d) / dd, 0.0, 1.0) : 0.0;
}

double squared_distance(const Moment& m, int x, int p, int q, double s) {
  return (m.at[x] - ((1.0 - s) * m.at[p] + s * m.at[q])).squaredNorm();
}

// A share of the product of squared lengths below which a cross product is only rounding.
constexpr double parallel = 1e-26;

Weights vertex_face_weights(const Moment& m) {
  const Vector3 a = m.at[1] - m.at[0], b = m.at[2] - m.at[0], c = m.at[3] - m.at[0];
  const Vector3 e = m.at[2] - m.at[1], f = m.at[3] - m.at[1];
  const Vector3 n = e.cross(f);
  const double nn = n.squaredNorm();
  if (nn > parallel * e.squaredNorm() * f.squaredNorm()) {
    double w0 = std::max(0.0, b.cross(c).dot(n)), w1 = std::max(0.0, c.cross(a).dot(n));
    double w2 = std::max(0.0, a.cross(b).dot(n));
    const double sum = w0 + w1 + w2;
    if (sum > 0.0) return {1.0, w0 / sum, w1 / sum, w2 / sum};
  }
  double best = -1.0;
  Weights weights{1.0, 1.0, 0.0, 0.0};
  for (int i = 1; i <= 3; ++i) {
    const int j = i % 3 + 1;
    const double s = closest_on_segment(m.at[0], m.at[i], m.at[j]);
    const double d = squared_distance(m, 0, i, j, s);
    if (best >= 0.0 && d >= best) continue;
    best = d;
    weights = {1.0, 0.0, 0.0, 0.0};
    weights[i] = 1.0 - s;
    weights[j] = s;
  }
  return weights;
}

Weights edge_edge_weights(const Moment& m) {
  const Vector3 a = m.at[1] - m.at[0], e = m.at[3] - m.at[2], r = m.at[2] - m.at[0];
  const Vector3 n = a.cross(e);
  const double nn = n.squaredNorm();
  if (nn > parallel * a.squaredNorm() * e.squaredNorm()) {
    const double s = std::clamp(r.cross(e).dot(n) / nn, 0.0, 1.0);
    const double q = std::clamp(r.cross(a).dot(n) / nn, 0.0, 1.0);
    return {1.0 - s, s, 1.0 - q, q};
  }
  double best = -1.0;
  Weights weights{1.0, 0.0, 1.0, 0.0};
  for (int vertex = 0; vertex < 4; ++vertex) {
    const int other = vertex < 2 ? 2 : 0, own = vertex < 2 ? 0 : 2;
    const double s = closest_on_segment(m.at[vertex], m.at[other], m.at[other + 1]);
    const double d = squared_distance(m, vertex, other, other + 1, s);
    if (best >= 0.0 && d >= best) continue;
    best = d;
    weights[other] = 1.0 - s;
    weights[other + 1] = s;
    weights[own] = vertex == own ? 1.0 : 0.0;
    weights[own + 1] = vertex == own ? 0.0 : 1.0;
  }
  return weights;
}

Vector3 unit_or_zero(const Vector3& v) {
  const double n = v.norm();
  return n > 0.0 ? Vector3(v / n) : Vector3(Vector3::Zero());
}

}  // namespace

void describe_contact(FeaturePair pair, const LinearMotion4& motion, Impact& impact) {
  const int points = pair == FeaturePair::VertexVertex ? 2 : (pair == FeaturePair::VertexEdge ? 3 : 4);
  const double t = impact.time;
  const Moment m = moment(motion, points, t);
  Vector3 normal = Vector3::Zero();
  double smallest_normal = 0.0;
  switch (pair) {
    case FeaturePair::VertexFace: {
      impact.weights = vertex_face_weights(m);
      const Vector3 e = m.at[2] - m.at[1], f = m.at[3] - m.at[1];
      normal = e.cross(f);
      smallest_normal = parallel * e.squaredNorm() * f.squaredNorm();
      break;
    }
    case FeaturePair::EdgeEdge: {
      impact.weights = edge_edge_weights(m);
      const Vector3 a = m.at[1] - m.at[0], e = m.at[3] - m.at[2];
      normal = a.cross(e);
      smallest_normal = parallel * a.squaredNorm() * e.squaredNorm();
      break;
    }
    case FeaturePair::VertexEdge: {
      const double s = closest_on_segment(m.at[0], m.at[1], m.at[2]);
      impact.weights = {1.0, 1.0 - s, s, 0.0};
      break;
    }
    case FeaturePair::VertexVertex:
      impact.weights = {1.0, 1.0, 0.0, 0.0};
      break;
  }
  const int first_count = pair == FeaturePair::EdgeEdge ? 2 : 1;
  Vector3 approach = Vector3::Zero();  // velocity of the second feature's point relative to the first's
  impact.point = Vector3::Zero();
  for (int i = 0; i < points; ++i) {
    const double w = impact.weights[i];
    approach += (i < first_count ? -w : w) * m.velocity[i];
    if (i < first_count && w != 0.0) impact.point += w * ((1.0 - t) * motion.t0[i] + t * motion.t1[i]);
  }
  // From the first to the second feature: against the approach.
  if (normal.squaredNorm() > smallest_normal) {
    const double speed = approach.dot(normal);
    impact.normal = unit_or_zero(speed > 0.0 ? Vector3(-normal) : normal);
  } else {
    impact.normal = unit_or_zero(-approach);
  }
}

}  // namespace toccata
