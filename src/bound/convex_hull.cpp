#include "bound/convex_hull.hpp"

#include <algorithm>

#include "toccata/elementary/orientation.hpp"

namespace toccata::bound {
namespace {

using HullFace = std::array<int, 3>;

bool sees(std::span<const Vector3> points, const HullFace& f, int p) {
  return orientation_3d(points[f[0]], points[f[1]], points[f[2]], points[p]) > 0;
}

bool collinear(const Vector3& a, const Vector3& b, const Vector3& c) {
  for (int k = 0; k < 3; ++k) {
    const auto drop = [k](const Vector3& p) { return Vector2(p[(k + 1) % 3], p[(k + 2) % 3]); };
    if (orientation_2d(drop(a), drop(b), drop(c)) != 0) return false;
  }
  return true;
}

// Four points that span space, the first ones found; false if there are none.
bool first_simplex(std::span<const Vector3> points, std::array<int, 4>& corner) {
  const int n = static_cast<int>(points.size());
  corner[0] = 0;
  int i = 1;
  while (i < n && points[i] == points[0]) ++i;
  if (i == n) return false;
  corner[1] = i;
  while (i < n && collinear(points[0], points[corner[1]], points[i])) ++i;
  if (i == n) return false;
  corner[2] = i;
  while (i < n && orientation_3d(points[0], points[corner[1]], points[corner[2]], points[i]) == 0) ++i;
  if (i == n) return false;
  corner[3] = i;
  return true;
}

void add_point(std::span<const Vector3> points, std::vector<HullFace>& faces, int p) {
  std::vector<std::array<int, 2>> rim;  // directed edges of the faces that see p
  const auto visible = std::stable_partition(faces.begin(), faces.end(),
                                             [&](const HullFace& f) { return !sees(points, f, p); });
  for (auto f = visible; f != faces.end(); ++f) {
    for (int k = 0; k < 3; ++k) rim.push_back({(*f)[k], (*f)[(k + 1) % 3]});
  }
  faces.erase(visible, faces.end());
  for (const auto& edge : rim) {
    const std::array<int, 2> twin = {edge[1], edge[0]};
    if (std::find(rim.begin(), rim.end(), twin) == rim.end()) faces.push_back({edge[0], edge[1], p});
  }
}

}  // namespace

std::vector<HullFace> convex_hull(std::span<const Vector3> points) {
  std::array<int, 4> c{};
  std::vector<HullFace> faces;
  if (!first_simplex(points, c)) return faces;
  if (orientation_3d(points[c[0]], points[c[1]], points[c[2]], points[c[3]]) > 0) std::swap(c[1], c[2]);
  faces = {{c[0], c[1], c[2]}, {c[0], c[3], c[1]}, {c[1], c[3], c[2]}, {c[2], c[3], c[0]}};
  // A point that was there before sees nothing, but asks the exact signs of every face at it.
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto first = points.begin(), here = first + static_cast<std::ptrdiff_t>(p);
    const bool corner = std::find(c.begin(), c.end(), static_cast<int>(p)) != c.end();
    if (!corner && std::find(first, here, points[p]) == here) add_point(points, faces, static_cast<int>(p));
  }
  return faces;
}

}  // namespace toccata::bound
