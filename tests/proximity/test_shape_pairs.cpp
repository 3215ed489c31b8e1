// Meshes, half spaces, height fields and compounds against each other and against convex kinds, at gaps of
// both signs: the answers are held against long-double truth about every pair of their pieces. Counts are
// printed, for long runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "effort.hpp"
#include "oracle/any_solid.hpp"
#include "oracle/solid_oracle.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata {
namespace {

using oracle::any_gap;
using oracle::any_rotation;
using oracle::any_solid;
using oracle::LongMatrix;
using oracle::LongSolid;
using oracle::LongVector;

TriangleMesh any_mesh(Random& random) {
  TriangleMesh mesh;
  const int corners = random.integer(3, 6), faces = random.integer(1, 5);
  for (int i = 0; i < corners; ++i) mesh.vertices.push_back(random.in_box(1.0));
  for (int i = 0; i < faces; ++i) {
    const int first = random.integer(0, corners - 1), second = (first + 1) % corners;
    mesh.faces.push_back({first, second, (second + random.integer(1, corners - 2)) % corners});
  }
  return mesh;
}

HeightField any_field(Random& random) {
  HeightField field;
  field.columns = random.integer(2, 3);
  field.rows = random.integer(2, 3);
  field.spacing = {random.uniform(0.3, 1.0), random.uniform(0.3, 1.0)};
  for (int i = 0; i < field.columns * field.rows; ++i) field.heights.push_back(random.uniform(-0.4, 0.4));
  if (random.integer(0, 2) == 0) field.floor = -0.5;
  return field;
}

Geometry any_shape(Random& random, int depth = 0) {
  switch (random.integer(0, 4)) {
    case 0:
      return any_mesh(random);
    case 1:
      if (depth == 0) {
        const Vector3 normal = random.integer(0, 2) == 0 ? Vector3(Vector3::UnitZ()) : random.on_sphere();
        return HalfSpace{normal, random.uniform(-1.0, 1.0)};
      }
      return any_solid(random);
    case 2:
      return any_field(random);
    case 3: {
      Compound compound;
      const int parts = random.integer(1, 3);
      for (int i = 0; i < parts; ++i) {
        compound.parts.push_back({any_solid(random), {any_rotation(random), random.in_box(1.0)}});
        if (depth == 0 && random.integer(0, 3) == 0)
          compound.parts.push_back({any_shape(random, 1), {any_rotation(random), random.in_box(1.0)}});
      }
      return compound;
    }
    default:
      return any_solid(random);
  }
}

Geometry hull_of(std::vector<Vector3> corners) {
  ConvexHull hull;
  hull.first_neighbour.assign(corners.size() + 1, 0);
  hull.vertices = std::move(corners);
  return hull;
}

// A shape as convex solids, or one plane.
struct LongShape {
  std::vector<LongSolid> pieces;
  bool is_plane = false;
  LongVector normal = LongVector::Zero();
  long double offset = 0.0L;
  long double reach = 0.0L;  // of all of it, from the origin of the world
  bool has_curved = false;

  LongShape(const Geometry& geometry, const Pose& pose) {
    add(geometry, pose.rotation.cast<long double>(), pose.translation.cast<long double>());
    for (const LongSolid& s : pieces) reach = std::max(reach, s.reach() + s.translation().norm());
  }

 private:
  void add(const Geometry& g, const LongMatrix& rotation, const LongVector& translation) {
    const auto add_hull = [&](std::vector<Vector3> corners) {
      pieces.emplace_back(hull_of(std::move(corners)), rotation, translation);
    };
    if (const auto* mesh = std::get_if<TriangleMesh>(&g)) {
      for (const Face& f : mesh->faces)
        add_hull({mesh->vertices[static_cast<std::size_t>(f[0])],
                  mesh->vertices[static_cast<std::size_t>(f[1])],
                  mesh->vertices[static_cast<std::size_t>(f[2])]});
    } else if (const auto* plane = std::get_if<HalfSpace>(&g)) {
      is_plane = true;
      normal = rotation * plane->normal.cast<long double>().normalized();
      offset = plane->offset + normal.dot(translation);
      reach = std::abs(offset) + translation.norm();
    } else if (const auto* field = std::get_if<HeightField>(&g)) {
      const auto corner = [&](int c, int r) {
        return Vector3(c * field->spacing.x(), r * field->spacing.y(),
                       field->heights[static_cast<std::size_t>(r * field->columns + c)]);
      };
      for (int r = 0; r + 1 < field->rows; ++r) {
        for (int c = 0; c + 1 < field->columns; ++c) {
          for (const Vector3& third : {corner(c + 1, r), corner(c, r + 1)}) {
            std::vector<Vector3> corners = {corner(c, r), corner(c + 1, r + 1), third};
            for (int k = 0; k < 3; ++k) {
              const Vector3 top = corners[static_cast<std::size_t>(k)];
              corners.push_back({top.x(), top.y(), floor_of(*field)});
            }
            add_hull(std::move(corners));
          }
        }
      }
    } else if (const auto* compound = std::get_if<Compound>(&g)) {
      for (const CompoundPart& part : compound->parts) {
        const LongVector place = part.pose.translation.cast<long double>();
        add(part.geometry, rotation * part.pose.rotation.cast<long double>(), rotation * place + translation);
      }
    } else {
      has_curved = has_curved || std::holds_alternative<Cylinder>(g) || std::holds_alternative<Cone>(g) ||
                   std::holds_alternative<Ellipsoid>(g);
      pieces.emplace_back(g, rotation, translation);
    }
  }
};

struct LongGap {
  long double lower = std::numeric_limits<long double>::infinity();
  long double upper = std::numeric_limits<long double>::infinity();
  bool overlaps = false;  // cores of two pieces share a point
  LongVector normal = LongVector::Zero();
};

// Of the solid above the plane.
long double height_over(const LongShape& plane, const LongSolid& solid) {
  return plane.normal.dot(solid.support(-plane.normal)) - solid.radius() - plane.offset;
}

LongGap gap_of(const LongShape& a, const LongShape& b) {
  LongGap least;
  if (a.is_plane || b.is_plane) {
    const LongShape &plane = a.is_plane ? a : b, &other = a.is_plane ? b : a;
    for (const LongSolid& s : other.pieces) least.lower = std::min(least.lower, height_over(plane, s));
    least.upper = least.lower;
    least.normal = a.is_plane ? plane.normal : LongVector(-plane.normal);
    return least;
  }
  for (const LongSolid& p : a.pieces) {
    for (const LongSolid& q : b.pieces) {
      const oracle::SolidGap gap = oracle::solid_gap(p, q);
      if (gap.lower < least.lower) {
        least.lower = gap.lower;
        least.normal = gap.normal;
      }
      least.upper = std::min(least.upper, gap.upper);
      least.overlaps = least.overlaps || gap.cores_meet;
    }
  }
  return least;
}

struct PlacedPair {
  Geometry a, b;
  Pose pose_a, pose_b;
};

PlacedPair any_pair(Random& random) {
  PlacedPair p{any_shape(random), any_shape(random), {}, {}};
  if (std::holds_alternative<HalfSpace>(p.a) && std::holds_alternative<HalfSpace>(p.b))
    p.b = any_solid(random);
  p.pose_a = {any_rotation(random), random.in_box(1.0)};
  p.pose_b = {any_rotation(random), random.in_box(1.0)};
  if (random.integer(0, 14) == 0) return p;
  const LongShape a(p.a, p.pose_a), b(p.b, p.pose_b);
  if (!a.is_plane && !b.is_plane)
    p.pose_b.translation += 2.0 * static_cast<double>(a.reach + b.reach) * random.on_sphere();
  const LongGap gap = gap_of(a, LongShape(p.b, p.pose_b));
  p.pose_b.translation -= ((gap.lower - any_gap(random)) * gap.normal).cast<double>();
  return p;
}

struct Counts {
  long pairs = 0, overlaps = 0, apart = 0, below_rounding = 0;
  long failures = 0;
};

class PairCheck {
 public:
  PairCheck(const PlacedPair& pair, int seed, Counts& counts)
      : pair_(pair), a_(pair.a, pair.pose_a), b_(pair.b, pair.pose_b), seed_(seed), counts_(counts) {
    // Rotations are orthonormal to rounding only, parts of compounds are placed in rounded numbers.
    slack_ = 512.0L * 0x1p-53L * (a_.reach + b_.reach);
  }

  void run() {
    ++counts_.pairs;
    const auto shape_a = Shape::build(pair_.a), shape_b = Shape::build(pair_.b);
    if (!shape_a || !shape_b) return note("refused");
    const PlacedShape a{*shape_a, pair_.pose_a}, b{*shape_b, pair_.pose_b};
    const LongGap truth = gap_of(a_, b_);
    const DistanceResult found = distance(a, b);
    const bool meets = intersects(a, b).intersects;
    const PenetrationResult depth = penetration(a, b);
    if (!std::isfinite(found.distance) || !std::isfinite(depth.upper_depth)) return note("no number");
    if (meets != (found.distance == 0.0) || meets != (depth.status == Status::OverlapAtStart))
      note("not of one mind");
    check_distance(truth, found);
    if (depth.status == Status::OverlapAtStart) check_depth(depth);
  }

 private:
  void check_distance(const LongGap& truth, const DistanceResult& found) {
    const bool is_apart = truth.lower > slack_, is_in = truth.upper < -slack_ || truth.overlaps;
    ++(is_apart ? counts_.apart : is_in ? counts_.overlaps : counts_.below_rounding);
    if (is_apart && found.distance == 0.0) note("apart, but said to meet");
    if (is_in && found.lower_distance > slack_) note("overlap said to be apart");
    const long double lower = std::max(truth.lower, 0.0L), upper = std::max(truth.upper, 0.0L);
    if (found.lower_distance > upper + slack_ || found.distance < lower - slack_ ||
        found.distance > upper + slack_)
      note("distance " + std::to_string(found.distance) + ", not " + std::to_string(double(lower)));
  }

  void check_depth(const PenetrationResult& depth) {
    if (depth.lower_depth > depth.upper_depth) note("depths the wrong way round");
    const LongVector normal = depth.contact.normal.cast<long double>();
    if (std::abs(normal.norm() - 1.0L) > 1e-12L) return note("no normal");
    if (way_along(normal) > depth.upper_depth + slack_) note("normal does not part");
    if (a_.is_plane || b_.is_plane) return;
    Random random(static_cast<std::uint64_t>(seed_));
    for (int i = 0; i < 8; ++i) {
      if (depth.lower_depth > way_along(random.on_sphere().cast<long double>().normalized()) + slack_)
        note("a direction needs less");
    }
  }

  // How far b has to go along n until no piece of it overlaps one of a.
  long double way_along(const LongVector& n) const {
    long double way = -std::numeric_limits<long double>::infinity();
    if (a_.is_plane || b_.is_plane) {
      const LongShape &plane = a_.is_plane ? a_ : b_, &other = a_.is_plane ? b_ : a_;
      for (const LongSolid& s : other.pieces) way = std::max(way, -height_over(plane, s));
      return way;
    }
    for (const LongSolid& p : a_.pieces) {
      for (const LongSolid& q : b_.pieces) way = std::max(way, -oracle::gap_along(p, q, n));
    }
    return way;
  }

  void note(const std::string& what) {
    if (++counts_.failures <= 20)
      ADD_FAILURE() << kind_of(pair_.a) << " and " << kind_of(pair_.b) << ", seed " << seed_ << ": " << what;
  }

  const PlacedPair& pair_;
  LongShape a_, b_;
  int seed_;
  Counts& counts_;
  long double slack_ = 0.0L;
};

TEST(ShapePairs, every_kind_at_every_gap) {
  Counts counts;
  const int pairs = with_effort(600);
  const std::uint64_t first = seed_or(0x5ba9e);
  for (int seed = 0; seed < pairs; ++seed) {
    Random random(first + static_cast<std::uint64_t>(seed));
    const PlacedPair pair = any_pair(random);
    PairCheck(pair, seed, counts).run();
    if ((seed + 1) % 100000 != 0 && seed + 1 != pairs) continue;
    std::printf("%ld pairs: %ld apart, %ld overlapping, %ld below rounding; %ld failures\n", counts.pairs,
                counts.apart, counts.overlaps, counts.below_rounding, counts.failures);
    std::fflush(stdout);
  }
  EXPECT_EQ(counts.failures, 0);
}

}  // namespace
}  // namespace toccata
