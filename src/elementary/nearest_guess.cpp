#include "elementary/nearest_guess.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace toccata::elementary {
namespace {

struct Plain {  // scalars only: nothing for the compiler to spill through memory
  double x, y, z;
};

inline Plain minus(const Vector3& a, const Vector3& b) {
  return {a.x() - b.x(), a.y() - b.y(), a.z() - b.z()};
}
inline double dot(const Plain& a, const Plain& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Plain cross(const Plain& a, const Plain& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct Edges {
  Plain along[3];
  double squared_length[3];
  double inverse[3];  // of the squared length; 0 for a point

  explicit Edges(const Triangle& t) {
    for (int i = 0; i < 3; ++i) {
      along[i] = minus(t[(i + 1) % 3], t[i]);
      squared_length[i] = dot(along[i], along[i]);
      inverse[i] = squared_length[i] > 0.0 ? 1.0 / squared_length[i] : 0.0;
    }
  }
};

inline double clamp01(double x) {
  return std::min(std::max(x, 0.0), 1.0);
}

void take(NearestGuess& best, const Plain& difference, int i, int j) {
  const double squared = dot(difference, difference);
  if (squared < best.squared_distance) {
    best.squared_distance = squared;
    best.edge_a = i;
    best.edge_b = j;
    best.difference = {difference.x, difference.y, difference.z};
  }
}

// The point over the interior of the triangle that starts at `origin` with edges u = along[0], w = -along[2].
void look_over_face(const Edges& e, const Plain& normal, double squared_normal, const Plain& offset,
                    double sign, int i, int j, NearestGuess& best) {
  const Plain u = e.along[0], w = {-e.along[2].x, -e.along[2].y, -e.along[2].z};
  const double v_weight = dot(cross(offset, w), normal);
  const double w_weight = dot(cross(u, offset), normal);
  if (!(v_weight > 0.0 && w_weight > 0.0 && v_weight + w_weight < squared_normal)) return;
  const double scale = sign * dot(offset, normal) / squared_normal;
  take(best, {scale * normal.x, scale * normal.y, scale * normal.z}, i, j);
}

}  // namespace

NearestGuess guess_nearest(const Triangle& a, const Triangle& b) {
  NearestGuess best = {std::numeric_limits<double>::infinity(), 0, 0, Vector3::Zero()};
  const Edges ea(a), eb(b);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Plain &u = ea.along[i], &v = eb.along[j];
      const Plain r = minus(b[j], a[i]);
      const double uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
      const double uu = ea.squared_length[i], vv = eb.squared_length[j];
      const double denominator = uu * vv - uv * uv;
      // Nearest on the line of b to the clamped point of a, clamped in turn, then back.
      double s = denominator > 1e-12 * uu * vv ? clamp01((ur * vv - vr * uv) / denominator) : 0.0;
      const double t = clamp01((s * uv - vr) * eb.inverse[j]);
      s = clamp01((t * uv + ur) * ea.inverse[i]);
      take(best, {r.x + t * v.x - s * u.x, r.y + t * v.y - s * u.y, r.z + t * v.z - s * u.z}, i, j);
    }
  }
  const Plain normal_a = cross(ea.along[0], ea.along[1]), normal_b = cross(eb.along[0], eb.along[1]);
  const double squared_a = dot(normal_a, normal_a), squared_b = dot(normal_b, normal_b);
  for (int i = 0; i < 3; ++i) {
    look_over_face(ea, normal_a, squared_a, minus(b[i], a[0]), 1.0, -1, i, best);
    look_over_face(eb, normal_b, squared_b, minus(a[i], b[0]), -1.0, i, -1, best);
  }
  return best;
}

}  // namespace toccata::elementary
