#include "proximity/convex/simplex.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "toccata/base/rounding.hpp"

namespace toccata::convex {
namespace {

// A part of a simplex: which corners, their weights, and the nearest point.
struct Part {
  double squared = std::numeric_limits<double>::infinity();
  Vector3 nearest = Vector3::Zero();
  int count = 0;
  int corner[3] = {0, 0, 0};
  double weight[3] = {0.0, 0.0, 0.0};
};

void keep_nearer(Part& best, const Part& part) {
  if (part.squared < best.squared) best = part;
}

Part of_point(const Simplex& s, int i) {
  Part part;
  part.nearest = s.corner[i].difference;
  part.squared = part.nearest.squaredNorm();
  part.count = 1;
  part.corner[0] = i;
  part.weight[0] = 1.0;
  return part;
}

Part of_segment(const Simplex& s, int i, int j) {
  const Vector3& p = s.corner[i].difference;
  const Vector3& q = s.corner[j].difference;
  const Vector3 edge = q - p;
  const double along_p = -p.dot(edge), along_q = q.dot(edge);  // weights of q and of p, up to |edge|^2
  if (!(along_p > 0.0)) return of_point(s, i);
  if (!(along_q > 0.0)) return of_point(s, j);
  const double length2 = edge.squaredNorm();
  Part part;
  part.count = 2;
  part.corner[0] = i;
  part.corner[1] = j;
  // From the nearer end, whose share is the better known one.
  if (along_p < along_q) {
    part.weight[1] = along_p / length2;
    part.weight[0] = 1.0 - part.weight[1];
    part.nearest = p + part.weight[1] * edge;
  } else {
    part.weight[0] = along_q / length2;
    part.weight[1] = 1.0 - part.weight[0];
    part.nearest = q - part.weight[0] * edge;
  }
  part.squared = part.nearest.squaredNorm();
  return part;
}

// The weights of the corners are those of the areas opposite, seen along the normal. Areas are taken with
// edges, not with corners, so that a small triangle far from the origin loses no digits.
Part of_triangle(const Simplex& s, int i, int j, int k) {
  const Vector3& p = s.corner[i].difference;
  const Vector3& q = s.corner[j].difference;
  const Vector3& r = s.corner[k].difference;
  const Vector3 pq = q - p, pr = r - p, qr = r - q;
  const Vector3 normal = pq.cross(pr);
  const double wp = normal.dot(q.cross(qr)), wq = normal.dot(p.cross(-pr)), wr = normal.dot(p.cross(pq));
  if (wp > 0.0 && wq > 0.0 && wr > 0.0) {
    const double sum = wp + wq + wr;
    Part part;
    part.count = 3;
    part.corner[0] = i;
    part.corner[1] = j;
    part.corner[2] = k;
    part.weight[0] = wp / sum;
    part.weight[1] = wq / sum;
    part.weight[2] = wr / sum;
    part.nearest = normal * (normal.dot(p) / normal.squaredNorm());
    part.squared = part.nearest.squaredNorm();
    return part;
  }
  // The nearest point is on an edge beyond which the origin lies.
  Part best;
  if (!(wp > 0.0)) keep_nearer(best, of_segment(s, j, k));
  if (!(wq > 0.0)) keep_nearer(best, of_segment(s, i, k));
  if (!(wr > 0.0)) keep_nearer(best, of_segment(s, i, j));
  return best;
}

// Whether the origin is on the side of face (i, j, k) that the fourth corner is on.
bool is_inside(const Simplex& s, int i, int j, int k, int fourth) {
  const Vector3& p = s.corner[i].difference;
  const Vector3 normal = (s.corner[j].difference - p).cross(s.corner[k].difference - p);
  const double of_fourth = normal.dot(s.corner[fourth].difference - p), of_origin = -normal.dot(p);
  return of_fourth > 0.0 ? of_origin > 0.0 : of_fourth < 0.0 && of_origin < 0.0;
}

struct Triple {
  double value;
  double magnitude;
};

Triple triple_of(const Vector3& u, const Vector3& v, const Vector3& w) {
  const double yz = v.y() * w.z(), zy = v.z() * w.y();
  const double zx = v.z() * w.x(), xz = v.x() * w.z();
  const double xy = v.x() * w.y(), yx = v.y() * w.x();
  return {u.x() * (yz - zy) + u.y() * (zx - xz) + u.z() * (xy - yx),
          std::abs(u.x()) * (std::abs(yz) + std::abs(zy)) + std::abs(u.y()) * (std::abs(zx) + std::abs(xz)) +
              std::abs(u.z()) * (std::abs(xy) + std::abs(yx))};
}

// The shares of the four parts that the origin splits the tetrahedron into.
std::array<Triple, 4> parts_about_origin(const Simplex& s) {
  const Vector3 &p = s.corner[0].difference, &q = s.corner[1].difference, &r = s.corner[2].difference,
                &t = s.corner[3].difference;
  return {triple_of(q, r, t), triple_of(p, t, r), triple_of(p, q, t), triple_of(p, r, q)};
}

// Weights that bring the corners of a tetrahedron about the origin close to it.
Vector3 weigh_inside(Simplex& s) {
  const std::array<Triple, 4> parts = parts_about_origin(s);
  double sum = 0.0;
  for (const Triple& part : parts) sum += part.value;
  const double sign = sum < 0.0 ? -1.0 : 1.0;
  sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    s.weight[i] = std::max(sign * parts[i].value, 0.0);
    sum += s.weight[i];
  }
  if (!(sum > 0.0)) {
    s.weight = {1.0, 0.0, 0.0, 0.0};
    return s.nearest();
  }
  for (double& weight : s.weight) weight /= sum;
  return s.nearest();
}

}  // namespace

bool Simplex::has(const DifferencePoint& point) const {
  for (int i = 0; i < count; ++i) {
    if (corner[i].vertex_a == point.vertex_a && corner[i].vertex_b == point.vertex_b &&
        (point.vertex_a >= 0 || corner[i].of_a == point.of_a) &&
        (point.vertex_b >= 0 || corner[i].of_b == point.of_b))
      return true;
  }
  return false;
}

Vector3 Simplex::nearest() const {
  Vector3 sum = weight[0] * corner[0].difference;
  for (int i = 1; i < count; ++i) sum += weight[i] * corner[i].difference;
  return sum;
}

Vector3 reduce_to_nearest(Simplex& simplex) {
  Part best;
  switch (simplex.count) {
    case 1:
      best = of_point(simplex, 0);
      break;
    case 2:
      best = of_segment(simplex, 0, 1);
      break;
    case 3:
      best = of_triangle(simplex, 0, 1, 2);
      break;
    default: {
      const bool inside[4] = {is_inside(simplex, 1, 2, 3, 0), is_inside(simplex, 0, 2, 3, 1),
                              is_inside(simplex, 0, 1, 3, 2), is_inside(simplex, 0, 1, 2, 3)};
      if (inside[0] && inside[1] && inside[2] && inside[3]) return weigh_inside(simplex);
      if (!inside[0]) keep_nearer(best, of_triangle(simplex, 1, 2, 3));
      if (!inside[1]) keep_nearer(best, of_triangle(simplex, 0, 2, 3));
      if (!inside[2]) keep_nearer(best, of_triangle(simplex, 0, 1, 3));
      if (!inside[3]) keep_nearer(best, of_triangle(simplex, 0, 1, 2));
    }
  }
  // In place: the corners of a part come in rising order.
  for (int i = 0; i < best.count; ++i) {
    if (best.corner[i] != i) simplex.corner[i] = simplex.corner[best.corner[i]];
    simplex.weight[i] = best.weight[i];
  }
  simplex.count = best.count;
  return best.nearest;
}

// Corners are rounded differences: every coordinate is right to one rounding. The bound of the orientation
// signs (16 u of the sum of magnitudes) counts that rounding too.
bool surely_contains_origin(const Simplex& s) {
  if (s.count != 4) return false;
  const std::array<Triple, 4> parts = parts_about_origin(s);
  const double sign = parts[0].value > 0.0 ? 1.0 : -1.0;
  for (const Triple& part : parts) {
    if (!(part.magnitude > 1e-250 && sign * part.value > 16.0 * unit_roundoff * part.magnitude)) return false;
  }
  return true;
}

Vector3 direction_across(const Simplex& s, const Vector3& nearest) {
  Vector3 d = nearest;
  const Vector3& p = s.corner[0].difference;
  if (s.count == 3) {
    d = (s.corner[1].difference - p).cross(s.corner[2].difference - p);
    if (d.dot(p) < 0.0) d = -d;
  }
  double length = d.norm();
  if (!(length > 0.0)) return Vector3::Zero();
  d /= length;
  if (s.count == 2) {
    const Vector3 edge = s.corner[1].difference - p;
    const double squared = edge.squaredNorm();
    for (int i = 0; i < 2 && squared > 0.0; ++i) d -= (d.dot(edge) / squared) * edge;
    length = d.norm();
    if (!(length > 0.5)) return Vector3::Zero();
    d /= length;
  }
  return d;
}

}  // namespace toccata::convex
