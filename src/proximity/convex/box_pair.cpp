// Notation. b is |x_j| <= g_j, a is t + sum s_i c_i with |s_i| <= h_i, c_i the columns of the rotation r. A
// rotation that is off orthonormal makes a a parallelepiped; what is proven here is proven for that one.
// Plain numbers in loops of three, which the compiler unrolls.
#include "proximity/convex/box_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace toccata::convex {
namespace {

constexpr int most_rounds = 8;

inline double clamp_to(double x, double half) {
  return std::min(std::max(x, -half), half);
}

struct BoxPair {
  const Difference& difference;
  double c[3][3];  // c[i]: column i
  double t[3], h[3], g[3];
  double s[3];  // a's point along its own axes
  double y[3];  // the same in b's coordinates
  double x[3];  // b's point

  explicit BoxPair(const Difference& pair) : difference(pair) {
    const Pose& pose = pair.a_to_b;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) c[i][j] = pose.rotation(j, i);
      t[i] = pose.translation[i];
      h[i] = pair.a->half[i];
      g[i] = pair.b->half[i];
    }
  }

  double dot_column(int i, const double* v) const { return c[i][0] * v[0] + c[i][1] * v[1] + c[i][2] * v[2]; }

  void place_y() {
    for (int j = 0; j < 3; ++j) y[j] = (s[0] * c[0][j] + s[1] * c[1][j] + s[2] * c[2][j]) + t[j];
  }
  void clamp_x() {
    for (int j = 0; j < 3; ++j) x[j] = clamp_to(y[j], g[j]);
  }
  void clamp_s() {
    const double d[3] = {x[0] - t[0], x[1] - t[1], x[2] - t[2]};
    for (int i = 0; i < 3; ++i) s[i] = clamp_to(dot_column(i, d), h[i]);
  }
};

// From the corner that is farthest against the face with the widest gap. False if no face has one.
bool start_at_face(BoxPair& p) {
  double widest = -std::numeric_limits<double>::infinity();
  int face = 0;
  double of_t[3];
  for (int i = 0; i < 3; ++i) {
    of_t[i] = p.dot_column(i, p.t);
    const double gap =
        std::abs(of_t[i]) - p.h[i] -
        (std::abs(p.c[i][0]) * p.g[0] + std::abs(p.c[i][1]) * p.g[1] + std::abs(p.c[i][2]) * p.g[2]);
    face = gap > widest ? 3 + i : face;
    widest = std::max(widest, gap);
  }
  for (int j = 0; j < 3; ++j) {
    const double gap =
        std::abs(p.t[j]) - p.g[j] -
        (std::abs(p.c[0][j]) * p.h[0] + std::abs(p.c[1][j]) * p.h[1] + std::abs(p.c[2][j]) * p.h[2]);
    face = gap > widest ? j : face;
    widest = std::max(widest, gap);
  }
  if (!(widest > 0.0)) return false;
  if (face < 3) {  // a's corner towards b
    const double side = -p.t[face];
    for (int i = 0; i < 3; ++i) p.s[i] = std::copysign(p.h[i], (side < 0.0 ? -1.0 : 1.0) * p.c[i][face]);
    p.place_y();
  } else {  // b's corner towards a
    const double side = of_t[face - 3];
    for (int j = 0; j < 3; ++j) p.x[j] = std::copysign(p.g[j], (side < 0.0 ? -1.0 : 1.0) * p.c[face - 3][j]);
    p.clamp_s();
    p.place_y();
  }
  p.clamp_x();
  return true;
}

// The nearest points of edge i of a and edge j of b through s and x, if they lie inside both.
bool meet_edges(BoxPair& p, int i, int j) {
  const double* u = p.c[i];
  const double between[3] = {p.y[0] - p.x[0], p.y[1] - p.x[1], p.y[2] - p.x[2]};
  // x + k e_j, y + l u: between_j + l u_j - k = 0, between . u + l u . u - k u_j = 0.
  const double determinant = p.dot_column(i, u) - u[j] * u[j];
  if (!(determinant > 0.0)) return false;
  const double l = (u[j] * between[j] - p.dot_column(i, between)) / determinant;
  const double at_a = p.s[i] + l, at_b = p.x[j] + (between[j] + l * u[j]);
  if (!(std::abs(at_a) < p.h[i] && std::abs(at_b) < p.g[j])) return false;
  p.s[i] = at_a;
  p.x[j] = at_b;
  p.place_y();
  return true;
}

// c_i x e_j: its coordinates are those of c_i, nothing is rounded, and short products stay exact.
void edge_normal(const BoxPair& p, int i, int j, double* axis) {
  axis[j] = 0.0;
  axis[(j + 1) % 3] = p.c[i][(j + 2) % 3];
  axis[(j + 2) % 3] = -p.c[i][(j + 1) % 3];
}

// How far both boxes reach along an axis, together.
double reach_along(const BoxPair& p, const double* axis) {
  double reach = 0.0;
  for (int k = 0; k < 3; ++k) reach += p.h[k] * std::abs(p.dot_column(k, axis)) + p.g[k] * std::abs(axis[k]);
  return reach;
}

// From the nearest points of the edges along whose common normal the gap is widest. False if no two have a
// gap.
bool start_at_edges(BoxPair& p) {
  double widest = 0.0, normal[3] = {0.0, 0.0, 0.0};
  int edge_a = -1, edge_b = -1;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double axis[3];
      edge_normal(p, i, j, axis);
      const double middle = axis[0] * p.t[0] + axis[1] * p.t[1] + axis[2] * p.t[2];
      const double gap = std::abs(middle) - reach_along(p, axis);
      if (!(gap > 0.0)) continue;
      const double wide = gap / std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
      if (!(wide > widest)) continue;
      widest = wide;
      edge_a = i;
      edge_b = j;
      for (int k = 0; k < 3; ++k) normal[k] = middle > 0.0 ? axis[k] : -axis[k];  // from b to a
    }
  }
  if (edge_a < 0) return false;
  for (int k = 0; k < 3; ++k) {
    p.s[k] = std::copysign(p.h[k], -p.dot_column(k, normal));
    p.x[k] = std::copysign(p.g[k], normal[k]);
  }
  p.s[edge_a] = 0.0;
  p.x[edge_b] = 0.0;
  p.place_y();
  if (meet_edges(p, edge_a, edge_b)) return true;
  // As meet_edges, each brought into its edge.
  const double* u = p.c[edge_a];
  const double between[3] = {p.y[0] - p.x[0], p.y[1] - p.x[1], p.y[2] - p.x[2]};
  const double uu = p.dot_column(edge_a, u), along = p.dot_column(edge_a, between);
  const double l =
      clamp_to((u[edge_b] * between[edge_b] - along) / (uu - u[edge_b] * u[edge_b]), p.h[edge_a]);
  p.x[edge_b] = clamp_to(between[edge_b] + l * u[edge_b], p.g[edge_b]);
  p.s[edge_a] = clamp_to((p.x[edge_b] * u[edge_b] - along) / uu, p.h[edge_a]);
  p.place_y();
  return true;
}

// Bit i: the point is at an end of axis i. Its feature is a face with one of them, an edge with two.
int ends_of(const double* at, const double* half) {
  return (std::abs(at[0]) == half[0] ? 1 : 0) | (std::abs(at[1]) == half[1] ? 2 : 0) |
         (std::abs(at[2]) == half[2] ? 4 : 0);
}
bool is_face(int ends) {
  return ends == 1 || ends == 2 || ends == 4;
}
int face_axis(int ends) {
  return ends >> 1;  // 1, 2, 4
}
// The axis along which a point is free if it is on an edge, -1 elsewhere.
int edge_axis(int ends) {
  return ends == 6 ? 0 : ends == 5 ? 1 : ends == 3 ? 2 : -1;
}

// Corners that span the faces of the two points: up to three of a face's four span it.
std::int32_t write_side(const double* at, const double* half, std::array<std::int32_t, 4>& vertices) {
  std::int32_t corner = 0, free[3] = {0, 0, 0};
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    if (!(at[i] < 0.0)) corner |= 1 << i;
    if (std::abs(at[i]) < half[i]) free[count++] = 1 << i;
  }
  vertices[0] = corner;
  vertices[1] = vertices[2] = corner;
  for (int k = 0; k < count && k < 2; ++k) vertices[k + 1] = corner ^ free[k];
  return 1 + std::min(count, 2);
}

// The direction between the points, from a to b, as their features say it: close to contact the line between
// the points does not know it well enough.
void direction_between(const BoxPair& p, const double* between, double* n) {
  const int ends_a = ends_of(p.s, p.h), ends_b = ends_of(p.x, p.g);
  const int edge_a = edge_axis(ends_a), edge_b = edge_axis(ends_b);
  for (int k = 0; k < 3; ++k) n[k] = between[k];
  if (is_face(ends_b)) {
    const int axis = face_axis(ends_b);
    n[0] = n[1] = n[2] = 0.0;
    n[axis] = std::copysign(1.0, between[axis]);
  } else if (is_face(ends_a)) {
    const double* face = p.c[face_axis(ends_a)];
    const bool is_along = face[0] * between[0] + face[1] * between[1] + face[2] * between[2] > 0.0;
    for (int k = 0; k < 3; ++k) n[k] = is_along ? face[k] : -face[k];
  } else if (edge_a >= 0 && edge_b >= 0) {
    double axis[3];
    edge_normal(p, edge_a, edge_b, axis);
    const double along = axis[0] * between[0] + axis[1] * between[1] + axis[2] * between[2];
    if (along == 0.0) return;  // parallel
    for (int k = 0; k < 3; ++k) n[k] = along > 0.0 ? axis[k] : -axis[k];
  } else if (edge_b >= 0) {
    n[edge_b] = 0.0;
  } else if (edge_a >= 0) {
    const double* u = p.c[edge_a];
    const double share = p.dot_column(edge_a, between) / p.dot_column(edge_a, u);
    for (int k = 0; k < 3; ++k) n[k] -= share * u[k];
  }
}

// The bracket of the two points: heights along the direction between them.
bool is_proven(const BoxPair& p, ConvexDistance& core) {
  const double between[3] = {p.x[0] - p.y[0], p.x[1] - p.y[1], p.x[2] - p.y[2]};
  double n[3];
  direction_between(p, between, n);
  const double squared = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  if (!(squared > 0.0)) return false;
  const double length =
      std::sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]);
  const double inverse = 1.0 / std::sqrt(squared);
  const double middle = n[0] * p.t[0] + n[1] * p.t[1] + n[2] * p.t[2];
  core.lower_core = (-middle - reach_along(p, n)) * inverse - p.difference.height_error;
  core.upper_core = length * (1.0 + 4.0 * unit_roundoff) + p.difference.point_error;
  const double floor = 2.0 * (p.difference.height_error + p.difference.point_error);
  if (!(core.lower_core > 0.0 && core.upper_core - core.lower_core <= floor)) return false;
  core.direction = {n[0] * inverse, n[1] * inverse, n[2] * inverse};
  core.point_a = {p.y[0], p.y[1], p.y[2]};
  core.point_b = {p.x[0], p.x[1], p.x[2]};
  const std::int32_t count_a = write_side(p.s, p.h, core.features.vertex_a);
  const std::int32_t count_b = write_side(p.x, p.g, core.features.vertex_b);
  core.features.count = std::max(count_a, count_b);
  return true;
}

// The least overlap so far, and along which axis: of edge i of a and edge j of b, a face if the other is -1.
struct LeastOverlap {
  double overlap = std::numeric_limits<double>::infinity();
  double normal[3] = {1.0, 0.0, 0.0};  // unit, from a to b
  int i = -1, j = -1;
};

// Takes the axis if its overlap, `reach` less `middle` for an axis of the squared length given, is the least.
// No root unless it is.
inline void look_along(const double* axis, double reach, double middle, double squared, int i, int j,
                       LeastOverlap& least) {
  const double overlap = reach - std::abs(middle);
  // Overlaps are positive so far, or the end is near: see box_pair_depth.
  if (overlap > 0.0 && !(overlap * overlap < least.overlap * least.overlap * squared)) return;
  if (!(squared > 1e-300)) return;  // parallel edges span no face
  const double inverse = 1.0 / std::sqrt(squared);
  if (!(overlap * inverse < least.overlap)) return;
  least.overlap = overlap * inverse;
  const double scale = middle > 0.0 ? -inverse : inverse;  // a is at t
  for (int k = 0; k < 3; ++k) least.normal[k] = scale * axis[k];
  least.i = i;
  least.j = j;
}

// With the normals n_k = c_(k+1) x c_(k+2) of a's faces: c_i . n_k is 0 unless i = k, and so is c_i . (c_i x
// e_j). A short product of edges that are nearly parallel keeps all its digits: every term of its reach is
// one of its coordinates times something.
void look_along_all(const BoxPair& p, LeastOverlap& least) {
  double n[3][3];
  for (int k = 0; k < 3; ++k) {
    const double *v = p.c[(k + 1) % 3], *w = p.c[(k + 2) % 3];
    for (int l = 0; l < 3; ++l) n[k][l] = v[(l + 1) % 3] * w[(l + 2) % 3] - v[(l + 2) % 3] * w[(l + 1) % 3];
  }
  const double volume = p.dot_column(0, n[0]);  // c_k . n_k, whichever k
  for (int k = 0; k < 3; ++k) {
    const double axis[3] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    const double reach =
        p.g[k] + (p.h[0] * std::abs(p.c[0][k]) + p.h[1] * std::abs(p.c[1][k]) + p.h[2] * std::abs(p.c[2][k]));
    look_along(axis, reach, p.t[k], 1.0, -1, k, least);
  }
  for (int k = 0; k < 3; ++k) {
    const double* face = n[k];
    const double reach =
        p.h[k] * std::abs(volume) +
        (p.g[0] * std::abs(face[0]) + p.g[1] * std::abs(face[1]) + p.g[2] * std::abs(face[2]));
    const double middle = face[0] * p.t[0] + face[1] * p.t[1] + face[2] * p.t[2];
    const double squared = face[0] * face[0] + face[1] * face[1] + face[2] * face[2];
    look_along(face, reach, middle, squared, k, -1, least);
  }
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      double axis[3];
      edge_normal(p, i, j, axis);
      const double along_1 = axis[j1] * p.c[i1][j1] + axis[j2] * p.c[i1][j2];
      const double along_2 = axis[j1] * p.c[i2][j1] + axis[j2] * p.c[i2][j2];
      const double reach = (p.h[i1] * std::abs(along_1) + p.h[i2] * std::abs(along_2)) +
                           (p.g[j1] * std::abs(axis[j1]) + p.g[j2] * std::abs(axis[j2]));
      const double middle = axis[j1] * p.t[j1] + axis[j2] * p.t[j2];
      const double squared = axis[j1] * axis[j1] + axis[j2] * axis[j2];
      look_along(axis, reach, middle, squared, i, j, least);
    }
  }
}

// Points of both whose difference is the overlap times the normal.
void write_deepest(BoxPair& p, const LeastOverlap& least, CoreDepth& depth) {
  const double* n = least.normal;
  // The corner of a farthest along the normal, of b against it; the middle where the box does not care.
  for (int k = 0; k < 3; ++k) {
    const double along = p.dot_column(k, n);
    p.s[k] = std::abs(along) > 1e-12 ? std::copysign(p.h[k], along) : 0.0;
    p.x[k] = std::abs(n[k]) > 1e-12 ? std::copysign(p.g[k], -n[k]) : 0.0;
  }
  const double d = least.overlap;
  if (least.i >= 0 && least.j >= 0) {
    p.s[least.i] = p.x[least.j] = 0.0;
    p.place_y();
    // b's edge brought to a's, where they cross.
    const double* u = p.c[least.i];
    const double between[3] = {p.y[0] - p.x[0] - d * n[0], p.y[1] - p.x[1] - d * n[1],
                               p.y[2] - p.x[2] - d * n[2]};
    const double determinant = p.dot_column(least.i, u) - u[least.j] * u[least.j];
    const double l = determinant > 0.0
                         ? (u[least.j] * between[least.j] - p.dot_column(least.i, between)) / determinant
                         : 0.0;
    p.s[least.i] = clamp_to(l, p.h[least.i]);
    p.x[least.j] = clamp_to(between[least.j] + l * u[least.j], p.g[least.j]);
    p.place_y();
  } else if (least.j >= 0) {  // a face of b: a's corner and the point of the face above it
    p.place_y();
    for (int k = 0; k < 3; ++k) p.x[k] = clamp_to(p.y[k] - d * n[k], p.g[k]);
    for (int k = 0; k < 3; ++k) p.y[k] = p.x[k] + d * n[k];
  } else {
    for (int k = 0; k < 3; ++k) p.x[k] += d * n[k];
    p.clamp_s();
    p.place_y();
    for (int k = 0; k < 3; ++k) p.x[k] = clamp_to(p.y[k] - d * n[k], p.g[k]);
  }
  depth.of_a = {p.y[0], p.y[1], p.y[2]};
  depth.of_b = {p.x[0], p.x[1], p.x[2]};
}

}  // namespace

bool box_pair_distance(const Difference& difference, ConvexDistance& core) {
  BoxPair p(difference);
  core.iterations = 1;
  if (start_at_face(p)) {
    for (int round = 0; round < most_rounds; ++round) {
      const double before[3] = {p.s[0], p.s[1], p.s[2]};
      p.clamp_s();
      if (p.s[0] == before[0] && p.s[1] == before[1] && p.s[2] == before[2])
        break;  // clamping leads no farther
      p.place_y();
      p.clamp_x();
      ++core.iterations;
      const int edge_a = edge_axis(ends_of(p.s, p.h)), edge_b = edge_axis(ends_of(p.x, p.g));
      if (edge_a >= 0 && edge_b >= 0 && meet_edges(p, edge_a, edge_b)) break;
    }
    if (is_proven(p, core)) return true;
  }
  // Apart, but not along a face, or not seen from there: edges and corners.
  return start_at_edges(p) && is_proven(p, core);
}

bool box_pair_depth(const Difference& difference, CoreDepth& depth) {
  BoxPair p(difference);
  LeastOverlap least;
  look_along_all(p, least);
  if (!(least.overlap > 2.0 * difference.height_error)) return false;
  depth.lower = least.overlap - difference.height_error;
  depth.upper = least.overlap + difference.height_error;
  depth.normal = {least.normal[0], least.normal[1], least.normal[2]};
  depth.iterations = 15;
  write_deepest(p, least, depth);
  return true;
}

}  // namespace toccata::convex
