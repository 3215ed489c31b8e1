#include "toccata/geometry/display_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numbers>

namespace toccata {
namespace {

// Round parts have this many corners around: a chord of 1/32 of a turn is off by 1 - cos(pi / 32) = 0.5 %.
constexpr int around = 32;
// Where there are many primitives, each is a small part of the shape.
constexpr int around_of_many = 12;
constexpr std::size_t many = 32;

void append(TriangleMesh mesh, const Pose& pose, TriangleMesh& all) {
  const auto first = static_cast<std::int32_t>(all.vertices.size());
  for (const Vector3& v : mesh.vertices) all.vertices.push_back(pose.apply(v));
  for (const Face& f : mesh.faces) all.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
}

// Two rows of `around` corners each, the second above the first.
void add_band(std::int32_t lower, std::int32_t upper, TriangleMesh& mesh, int corners = around) {
  for (int j = 0; j < corners; ++j) {
    const int next = (j + 1) % corners;
    mesh.faces.push_back({lower + j, lower + next, upper + j});
    mesh.faces.push_back({lower + next, upper + next, upper + j});
  }
}

// What a convex set shows in every direction: its farthest points along the directions of a globe. Latitudes
// and longitudes lie halfway between those of the axes, so that a box gets each of its corners.
TriangleMesh globe(const std::function<Vector3(const Vector3&)>& farthest, int corners = around) {
  const int rings = corners / 2;
  TriangleMesh mesh;
  for (int i = 0; i < rings; ++i) {
    const double latitude = std::numbers::pi * ((i + 0.5) / rings - 0.5);
    for (int j = 0; j < corners; ++j) {
      const double longitude = 2.0 * std::numbers::pi * (j + 0.5) / corners;
      mesh.vertices.push_back(farthest({std::cos(latitude) * std::cos(longitude),
                                        std::cos(latitude) * std::sin(longitude), std::sin(latitude)}));
    }
  }
  for (int i = 0; i + 1 < rings; ++i) add_band(i * corners, (i + 1) * corners, mesh, corners);
  const auto south = static_cast<std::int32_t>(mesh.vertices.size()), north = south + 1;
  mesh.vertices.push_back(farthest(-Vector3::UnitZ()));
  mesh.vertices.push_back(farthest(Vector3::UnitZ()));
  for (int j = 0; j < corners; ++j) {
    const int next = (j + 1) % corners, last = (rings - 1) * corners;
    mesh.faces.push_back({south, next, j});
    mesh.faces.push_back({north, last + j, last + next});
  }
  return mesh;
}

Vector3 box_corner(const Vector3& half, const Vector3& direction) {
  Vector3 corner;
  for (int i = 0; i < 3; ++i) corner[i] = direction[i] < 0.0 ? -half[i] : half[i];
  return corner;
}

TriangleMesh sharp_box(const Vector3& half) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(box_corner(half, {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0}));
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// A disc below and one above, or a tip where the upper radius is zero.
TriangleMesh turned(double lower_radius, double upper_radius, double height) {
  TriangleMesh mesh;
  for (const double side : {-1.0, 1.0}) {
    const double radius = side < 0.0 ? lower_radius : upper_radius;
    for (int j = 0; j < around; ++j) {
      const double angle = 2.0 * std::numbers::pi * j / around;
      mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.5 * side * height});
    }
  }
  add_band(0, around, mesh);
  mesh.vertices.push_back({0.0, 0.0, -0.5 * height});
  mesh.vertices.push_back({0.0, 0.0, 0.5 * height});
  for (int j = 0; j < around; ++j) {
    const int next = (j + 1) % around;
    mesh.faces.push_back({2 * around, next, j});
    mesh.faces.push_back({2 * around + 1, around + j, around + next});
  }
  return mesh;
}

struct Displayed {
  double half_space_side;

  TriangleMesh operator()(const TriangleMesh& mesh) const { return mesh; }
  TriangleMesh operator()(const Ball& ball) const {
    return globe([&](const Vector3& d) { return Vector3(ball.radius * d); });
  }
  TriangleMesh operator()(const Capsule& c) const {
    return globe([&](const Vector3& d) {
      return Vector3(c.radius * d + Vector3(0.0, 0.0, d.z() < 0.0 ? -0.5 * c.height : 0.5 * c.height));
    });
  }
  TriangleMesh operator()(const Box& box) const {
    if (box.radius == 0.0) return sharp_box(0.5 * box.size);
    return globe([&](const Vector3& d) { return Vector3(box_corner(0.5 * box.size, d) + box.radius * d); });
  }
  TriangleMesh operator()(const Cylinder& c) const { return turned(c.radius, c.radius, c.height); }
  TriangleMesh operator()(const Cone& c) const { return turned(c.radius, 0.0, c.height); }
  TriangleMesh operator()(const Ellipsoid& e) const {
    return globe([&](const Vector3& d) { return Vector3(e.radii.cwiseProduct(d)); });
  }
  TriangleMesh operator()(const ConvexHull& hull) const {
    if (hull.radius == 0.0 && !hull.faces.empty()) return {hull.vertices, hull.faces};
    if (hull.radius == 0.0)
      return {hull.vertices, {{0, 0, static_cast<std::int32_t>(hull.vertices.size()) - 1}}};
    return globe([&](const Vector3& d) {
      Vector3 farthest = hull.vertices[0];
      for (const Vector3& v : hull.vertices) {
        if (d.dot(v) > d.dot(farthest)) farthest = v;
      }
      return Vector3(farthest + hull.radius * d);
    });
  }
  TriangleMesh operator()(const HalfSpace& half) const {
    const double length = half.normal.stableNorm();
    const Vector3 n = half.normal / length, x = n.unitOrthogonal(), y = n.cross(x);
    const Vector3 middle = half.offset / length * n;
    const double side = 0.5 * half_space_side;
    return {{middle - side * x - side * y, middle + side * x - side * y, middle + side * x + side * y,
             middle - side * x + side * y},
            {{0, 1, 2}, {0, 2, 3}}};
  }
  TriangleMesh operator()(const HeightField& field) const;
  TriangleMesh operator()(const MedialMesh& medial) const;
  TriangleMesh operator()(const Compound& compound) const {
    TriangleMesh all;
    for (const CompoundPart& part : compound.parts) append(std::visit(*this, part.geometry), part.pose, all);
    return all;
  }
};

// One closed surface per primitive.
TriangleMesh Displayed::operator()(const MedialMesh& medial) const {
  const std::vector<MedialPrimitive> primitives = medial_primitives(medial);
  TriangleMesh all;
  for (const MedialPrimitive& primitive : primitives) {
    const auto farthest = [&](const Vector3& d) {
      Vector3 point = Vector3::Zero();
      double best = -std::numeric_limits<double>::infinity();
      for (const std::int32_t ball : primitive) {
        if (ball < 0) continue;
        const Vector3& center = medial.centers[static_cast<std::size_t>(ball)];
        const double radius = medial.radii[static_cast<std::size_t>(ball)];
        const double height = d.dot(center) + radius;
        if (height > best) point = center + radius * d;
        best = std::max(best, height);
      }
      return point;
    };
    append(globe(farthest, primitives.size() > many ? around_of_many : around), Pose(), all);
  }
  return all;
}

// The surface, the floor below it, and walls where a triangle has no neighbour.
TriangleMesh Displayed::operator()(const HeightField& field) const {
  TriangleMesh mesh;
  const auto index = [&](std::int32_t column, std::int32_t row) { return row * field.columns + column; };
  const double floor = floor_of(field);
  for (const bool is_floor : {false, true}) {
    for (std::int32_t row = 0; row < field.rows; ++row) {
      for (std::int32_t column = 0; column < field.columns; ++column) {
        const double height = field.heights[static_cast<std::size_t>(index(column, row))];
        mesh.vertices.push_back({column * field.spacing.x(), row * field.spacing.y(),
                                 is_floor || std::isnan(height) ? floor : height});
      }
    }
  }
  const auto below = static_cast<std::int32_t>(field.heights.size());
  const auto is_hole = [&](const Face& f) {
    return std::any_of(f.begin(), f.end(), [&](std::int32_t v) {
      return std::isnan(field.heights[static_cast<std::size_t>(v)]);
    });
  };
  const auto triangle = [&](std::int32_t column, std::int32_t row, int half) -> Face {
    const std::int32_t corner = index(column, row), across = index(column + 1, row + 1);
    return half == 0 ? Face{corner, index(column + 1, row), across}
                     : Face{corner, across, index(column, row + 1)};
  };
  const auto is_there = [&](std::int32_t column, std::int32_t row, int half) {
    return column >= 0 && row >= 0 && column + 1 < field.columns && row + 1 < field.rows &&
           !is_hole(triangle(column, row, half));
  };
  for (std::int32_t row = 0; row + 1 < field.rows; ++row) {
    for (std::int32_t column = 0; column + 1 < field.columns; ++column) {
      for (int half = 0; half < 2; ++half) {
        if (!is_there(column, row, half)) continue;
        const Face f = triangle(column, row, half);
        mesh.faces.push_back(f);
        mesh.faces.push_back({f[0] + below, f[2] + below, f[1] + below});
        // Neighbours across the edges from corners 0, 1 and 2 to the next.
        const bool has_neighbour[3] = {
            half == 0 ? is_there(column, row - 1, 1) : is_there(column, row, 0),
            half == 0 ? is_there(column + 1, row, 1) : is_there(column, row + 1, 0),
            half == 0 ? is_there(column, row, 1) : is_there(column - 1, row, 0)};
        for (std::size_t k = 0; k < 3; ++k) {
          if (has_neighbour[k]) continue;
          const std::int32_t from = f[k], to = f[(k + 1) % 3];
          mesh.faces.push_back({from, from + below, to});
          mesh.faces.push_back({to, from + below, to + below});
        }
      }
    }
  }
  return mesh;
}

}  // namespace

TriangleMesh display_mesh(const Geometry& geometry, double half_space_side) {
  return std::visit(Displayed{half_space_side}, geometry);
}

}  // namespace toccata
