#include "toccata/proximity/ray_cast.hpp"
#include "toccata/base/rounding.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "hierarchy/box_kernel.hpp"
#include "hierarchy/height_tree.hpp"
#include "hierarchy/ray_tree.hpp"
#include "proximity/convex/xyz.hpp"
#include "proximity/ray_piece.hpp"
#include "proximity/world_triangle.hpp"

namespace toccata {

using namespace proximity;

namespace {

using namespace hierarchy;

struct Entry {
  float parameter;
  std::int32_t child;
};

// Visits every piece whose box the ray may enter before `limit`, near boxes first. visit(piece) returns
// the new limit.
template <typename Visit>
void traverse(const PlacedShape& placed, const Ray& ray, double limit, QueryStats& stats, Visit&& visit) {
  const ShapeData& data = placed.shape.data();
  if (data.tree.empty()) return;
  const Matrix3 back = placed.pose.rotation.transpose();
  QueryRay query;
  query.origin = back * (ray.origin - placed.pose.apply(data.center));
  // Unit length, so that the box tests stay in range; parameters are scaled back.
  const double length = ray.direction.norm();
  query.direction = back * (ray.direction / length);
  const float padding =
      static_cast<float>((placement_error(placed, placed) + 64.0 * unit_roundoff * ray.origin.norm()) * 1.01);
  std::vector<Entry> stack = {{0.0f, 0}};
  while (!stack.empty()) {
    const Entry entry = stack.back();
    stack.pop_back();
    if (static_cast<double>(entry.parameter) > limit * length) continue;
    if (entry.child < 0) {
      ++stats.piece_pairs;
      limit = std::min(limit, visit(~entry.child));
      continue;
    }
    const BoxNode& node = data.tree.node(static_cast<std::size_t>(entry.child));
    query.limit = limit * length;
    float parameter[box_width];
    ray_box_entries(query, node, padding, parameter);
    stats.node_pairs += node.count;
    const auto begin = static_cast<std::ptrdiff_t>(stack.size());
    for (int slot = 0; slot < node.count; ++slot) {
      if (parameter[slot] < INFINITY) stack.push_back({parameter[slot], node.child[slot]});
    }
    std::sort(stack.begin() + begin, stack.end(),
              [](const Entry& x, const Entry& y) { return x.parameter > y.parameter; });
  }
}

// The nearest triangle that is met by exact signs, the lowest number among equals.
struct NearestHit {
  const PlacedShape& shape;
  const Ray& ray;
  double limit;
  double scale;  // of parameters, for who walks
  RayCastResult& result;

  void take(std::int32_t piece, double parameter, const Vector3& normal) {
    if (parameter > limit) return;
    if (result.hit &&
        (parameter > result.parameter || (parameter == result.parameter && piece > result.triangle)))
      return;
    result.hit = true;
    result.parameter = limit = parameter;
    result.triangle = piece;
    result.normal = normal;
  }
  void take_triangle(std::int32_t piece, std::int32_t triangle) {
    const Triangle t = world_triangle(shape, triangle);
    const RayTriangleResult r = ray_triangle(ray, t);
    if (r.hit != RayHit::Miss) take(piece, r.parameter, (t[1] - t[0]).cross(t[2] - t[0]));
  }
};

double visit_triangle(void* context, std::int32_t triangle) {
  auto& nearest = *static_cast<NearestHit*>(context);
  ++nearest.result.stats.piece_pairs;
  nearest.take_triangle(triangle, triangle);
  return nearest.limit * nearest.scale;
}

double sum_of_sizes(const Vector3& x) {
  return std::abs(x.x()) + std::abs(x.y()) + std::abs(x.z());
}

// The power of two that is not above x > 0, of which the square is an ordinary number, and its inverse.
struct Power {
  double value, inverse;

  explicit Power(double x) {
    constexpr std::uint64_t exponent = 0x7ff0000000000000U, of_one = 0x3ff0000000000000U;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) & exponent;
    value = std::bit_cast<double>(bits);
    inverse = std::bit_cast<double>(2 * of_one - bits);
  }
};

// For meshes of which rays have been asked often enough.
void walk(const RayTree& tree, NearestHit& nearest) {
  const ShapeData& data = nearest.shape.shape.data();
  const Pose& pose = nearest.shape.pose;
  // In plain numbers: with expressions of Eigen a cast takes a tenth more time.
  using convex::plain, convex::Xyz;
  const Xyz direction = plain(nearest.ray.direction);
  const Xyz from = plain(nearest.ray.origin) - convex::applied(pose, plain(data.center));
  // Without a root or a quotient, which all the rest would wait for.
  const Power power(std::max({std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)}));
  const Xyz along = power.inverse * direction;
  nearest.scale = power.value;
  TreeRay ray;
  for (int k = 0; k < 3; ++k) {
    const Xyz column = plain(pose.rotation.col(k));
    ray.origin[k] = convex::dot(column, from);
    ray.direction[k] = convex::dot(column, along);
  }
  ray.limit = nearest.limit * nearest.scale;
  // As placement_error, with sums of coordinates for lengths, and for where the ray is next to a leaf.
  ray.padding =
      (128.0 * unit_roundoff + 8e-14) * (data.radius + sum_of_sizes(data.center) +
                                         sum_of_sizes(pose.translation) + sum_of_sizes(nearest.ray.origin));
  nearest.result.stats.node_pairs += walk_ray(tree, ray, {&nearest, visit_triangle});
}

// For shapes of any kind.
void cast_at_pieces(NearestHit& nearest) {
  const PlacedShape& shape = nearest.shape;
  const Ray& ray = nearest.ray;
  const ShapeData& data = shape.shape.data();
  const double length = nearest.ray.direction.norm();
  // In the coordinates of the shape, with a direction of unit length.
  const Vector3 origin = shape.pose.rotation.transpose() * (ray.origin - shape.pose.apply(data.center));
  const Vector3 direction = (shape.pose.rotation.transpose() * (ray.direction / length)).normalized();
  const auto look_at = [&](std::int32_t number) {
    if (data.has_only_triangles()) {
      nearest.take_triangle(number, number);
      return nearest.limit;
    }
    const Piece piece(data, number);
    if (piece.triangle() >= 0) {
      nearest.take_triangle(number, piece.triangle());
      return nearest.limit;
    }
    const RayEntry entry = ray_piece(origin, direction, nearest.limit * length, piece);
    if (entry.hit) nearest.take(number, entry.parameter / length, shape.pose.rotation * entry.normal);
    return nearest.limit;
  };
  if (data.is_half_space()) {
    look_at(0);
  } else if (data.tree.heights != nullptr) {
    const HeightRayHit entry = data.tree.heights->first_entry(
        shape.pose.rotation.transpose() * (ray.origin - shape.pose.translation), direction,
        nearest.limit * length);
    if (entry.hit) nearest.take(entry.piece, entry.parameter / length, shape.pose.rotation * entry.normal);
  } else {
    traverse(shape, ray, nearest.limit, nearest.result.stats, look_at);
  }
}

bool is_usable(const Ray& ray) {
  const double squared = ray.direction.squaredNorm();
  return squared > 0.0 && squared < INFINITY && ray.origin.allFinite();
}

}  // namespace

RayCastResult ray_cast(const PlacedShape& shape, const Ray& ray, const RayCastOptions& options) {
  RayCastResult result;
  if (!is_usable(ray)) return result;
  const ShapeData& data = shape.shape.data();
  NearestHit nearest = {shape, ray, options.limit, 1.0, result};
  const bool only_triangles = data.has_only_triangles() && !data.tree.empty();
  if (const RayTree* tree = only_triangles ? ray_tree_of(data) : nullptr) {
    walk(*tree, nearest);
  } else {
    cast_at_pieces(nearest);
  }
  if (!result.hit) return result;
  result.point = ray.origin + result.parameter * ray.direction;
  const double size = result.normal.norm();
  if (size > 0.0) result.normal /= size;
  return result;
}

std::vector<RayCrossing> ray_crossings(const PlacedShape& shape, const Ray& ray) {
  std::vector<RayCrossing> crossings;
  if (!is_usable(ray)) return crossings;
  QueryStats stats;
  const ShapeData& data = shape.shape.data();
  if (data.mesh.faces.empty()) return crossings;
  traverse(shape, ray, INFINITY, stats, [&](std::int32_t number) {
    const std::int32_t triangle = data.has_only_triangles() ? number : Piece(data, number).triangle();
    if (triangle < 0) return static_cast<double>(INFINITY);
    const RayTriangleResult r = ray_triangle(ray, world_triangle(shape, triangle));
    if (r.hit != RayHit::Miss) crossings.push_back({number, r});
    return static_cast<double>(INFINITY);
  });
  std::sort(crossings.begin(), crossings.end(), [](const RayCrossing& x, const RayCrossing& y) {
    if (x.crossing.parameter != y.crossing.parameter) return x.crossing.parameter < y.crossing.parameter;
    return x.triangle < y.triangle;
  });
  return crossings;
}

}  // namespace toccata
