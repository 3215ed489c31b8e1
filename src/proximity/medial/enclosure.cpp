// Roundings. A corner that was cut out is a sum of corners with weights that are powers of two; each cut
// rounds every coordinate once, u of the largest. After ten cuts it is at most 10 sqrt(3) u of them away from
// its true place: 32 u of the mesh's largest coordinate is the slack that every witness gets.
#include "toccata/proximity/enclosure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "proximity/medial/ball_hull_of.hpp"
#include "proximity/medial/hull_sieve.hpp"
#include "proximity/medial/open_points.hpp"
#include "proximity/point_distance/curve_order.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata {

using medial::ball_hull_of;
using medial::box_of;
using medial::HullSieve;

namespace {

constexpr int most_cuts = 10;
constexpr std::size_t block = 64;
constexpr double infinite = std::numeric_limits<double>::infinity();

using Corners = std::array<Vector3, 3>;

// One moment, or both ends of a step.
struct Moment {
  const TriangleMesh* mesh;
  std::vector<BallHull> hulls;
  std::vector<HullSieve> sieves;  // of the hulls
  std::vector<Aabb> boxes;
  double slack = 0.0;
};

// A piece that no primitive takes.
struct Open {
  std::int32_t triangle = -1;
  std::int32_t primitive = -1;  // the one that comes nearest to taking it
  double missing = 0.0;         // its radii by this much larger would
  Vector3 point = Vector3::Zero();
};

class Proof {
 public:
  Proof(std::span<const TriangleMesh* const> meshes, std::span<const MedialMesh* const> medials,
        const EnclosureOptions& options)
      : primitives_(medial_primitives(*medials[0])), threads_(options.threads) {
    double size = 0.0;
    for (std::size_t end = 0; end < meshes.size(); ++end) {
      Moment& moment = moments_.emplace_back();
      moment.mesh = meshes[end];
      double largest = 0.0;
      Vector3 lower = Vector3::Constant(infinite), upper = -lower;
      for (const Vector3& v : moment.mesh->vertices) {
        largest = std::max(largest, v.cwiseAbs().maxCoeff());
        lower = lower.cwiseMin(v);
        upper = upper.cwiseMax(v);
      }
      if (!moment.mesh->vertices.empty()) size = std::max(size, (upper - lower).maxCoeff());
      moment.slack = 32.0 * unit_roundoff * largest;
      set_hulls(*medials[end], moment);
    }
    finest_ = options.finest > 0.0 ? options.finest : 1e-3 * size;
    std::vector<Vector3> middles;
    for (std::size_t f = 0; f < moments_[0].mesh->faces.size(); ++f) {
      const Corners c = corners(0, static_cast<std::int32_t>(f));
      middles.push_back((c[0] + c[1] + c[2]) / 3.0);
    }
    order_ = point_distance::order_along_curve(middles);
  }

  // Of the triangles in `order`, those that are not taken: pieces of each, in order.
  std::vector<Open> open_pieces(std::span<const std::uint32_t> order, std::int64_t& pieces) const {
    const std::size_t blocks = (order.size() + block - 1) / block;
    std::vector<std::vector<Open>> open(blocks);
    std::vector<std::int64_t> counts(blocks, 0);
    parallel_blocks(order.size(), block, threads_, [&](std::size_t begin, std::size_t end) {
      Look look(*this, order.subspan(begin, end - begin));
      open[begin / block] = look.run();
      counts[begin / block] = look.pieces();
    });
    std::vector<Open> all;
    for (std::size_t i = 0; i < blocks; ++i) {
      all.insert(all.end(), open[i].begin(), open[i].end());
      pieces += counts[i];
    }
    return all;
  }

  std::span<const std::uint32_t> order() const { return order_; }
  const MedialPrimitive& primitive(std::int32_t i) const { return primitives_[static_cast<std::size_t>(i)]; }

  void set_radii(std::span<const MedialMesh* const> medials) {
    for (std::size_t end = 0; end < moments_.size(); ++end) set_hulls(*medials[end], moments_[end]);
  }

  // What a radius must grow by beyond what is missing, so that the proof sees it.
  double rounding() const {
    double lengths = 0.0;
    for (const Moment& moment : moments_) {
      lengths = std::max(lengths, moment.slack / (32.0 * unit_roundoff));
      for (const BallHull& hull : moment.hulls) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(hull.count); ++i)
          lengths = std::max(lengths, hull.center[i].norm() + hull.radius[i]);
      }
    }
    return 256.0 * unit_roundoff * lengths;
  }

 private:
  void set_hulls(const MedialMesh& mesh, Moment& moment) const {
    moment.hulls.clear();
    moment.sieves.clear();
    moment.boxes.clear();
    for (const MedialPrimitive& primitive : primitives_) {
      moment.hulls.push_back(ball_hull_of(mesh, primitive));
      moment.sieves.emplace_back(moment.hulls.back(), 0.0);
      moment.boxes.push_back(box_of(moment.hulls.back()));
    }
  }

  Corners corners(std::size_t end, std::int32_t triangle) const {
    const TriangleMesh& mesh = *moments_[end].mesh;
    const Face& f = mesh.faces[static_cast<std::size_t>(triangle)];
    return {mesh.vertices[static_cast<std::size_t>(f[0])], mesh.vertices[static_cast<std::size_t>(f[1])],
            mesh.vertices[static_cast<std::size_t>(f[2])]};
  }

  // A few triangles next to each other, and the primitives near them.
  class Look {
   public:
    Look(const Proof& proof, std::span<const std::uint32_t> triangles)
        : proof_(proof), triangles_(triangles) {
      Aabb around = {Vector3::Constant(infinite), Vector3::Constant(-infinite)};
      double longest = 0.0;
      for (const std::uint32_t triangle : triangles) {
        const Corners c = proof.corners(0, static_cast<std::int32_t>(triangle));
        add_to(around, c);
        longest = std::max(longest, side_of(c));
      }
      grow(around, longest);
      for (std::size_t i = 0; i < proof.primitives_.size(); ++i) {
        if (overlap(proof.moments_[0].boxes[i], around)) near_.push_back(static_cast<std::int32_t>(i));
      }
    }

    std::vector<Open> run() {
      for (const std::uint32_t triangle : triangles_) {
        triangle_ = static_cast<std::int32_t>(triangle);
        Piece piece;
        for (std::size_t end = 0; end < proof_.moments_.size(); ++end)
          piece[end] = proof_.corners(end, triangle_);
        look_at_triangle(piece);
      }
      return std::move(open_);
    }
    std::int64_t pieces() const { return pieces_; }

   private:
    using Piece = std::array<Corners, 2>;
    // How much larger the radii of a primitive must be for each corner of a piece; not above zero: it is
    // proven to hold the corner.
    struct Missing {
      std::int32_t primitive;
      std::array<double, 3> of;
      double most() const { return std::max({of[0], of[1], of[2]}); }
    };

    static bool overlap(const Aabb& a, const Aabb& b) {
      return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
    }
    static bool holds(const Aabb& box, const Vector3& point) {
      return (box.lower.array() <= point.array()).all() && (point.array() <= box.upper.array()).all();
    }
    static void add_to(Aabb& box, const Corners& corners) {
      for (const Vector3& c : corners) {
        box.lower = box.lower.cwiseMin(c);
        box.upper = box.upper.cwiseMax(c);
      }
    }
    static void grow(Aabb& box, double by) {
      box.lower.array() -= by;
      box.upper.array() += by;
    }
    static double side_of(const Corners& c) {
      return std::sqrt(
          std::max({(c[0] - c[1]).squaredNorm(), (c[1] - c[2]).squaredNorm(), (c[2] - c[0]).squaredNorm()}));
    }

    // For a point at both ends.
    double missing(std::size_t primitive, const Vector3& at_0, const Vector3& at_1) const {
      constexpr double not_proven = std::numeric_limits<double>::denorm_min();
      const Moment& first = proof_.moments_.front();
      const PointBallHull at = first.sieves[primitive].nearest(at_0);
      if (proof_.moments_.size() == 1) {
        if (at.distance <= 0.0 && is_proven_inside(at_0, first.hulls[primitive], at.weight, first.slack))
          return at.distance;
        return std::max(at.distance, not_proven);
      }
      const Moment& last = proof_.moments_[1];
      const auto both = [&](const BallWeights& w) {
        return is_proven_inside(at_0, first.hulls[primitive], w, first.slack) &&
               is_proven_inside(at_1, last.hulls[primitive], w, last.slack);
      };
      const BallWeights& weight = at.weight;
      if (both(weight)) return 0.0;
      const BallWeights other = last.sieves[primitive].nearest(at_1).weight;
      if (both(other)) return 0.0;
      if (both({0.5 * (weight[0] + other[0]), 0.5 * (weight[1] + other[1]), 0.5 * (weight[2] + other[2])}))
        return 0.0;
      // The weights of the start serve at both ends.
      const WeightedBall ball = ball_at(last.hulls[primitive], weight);
      return std::max({at.distance, (at_1 - ball.center).norm() - ball.radius, not_proven});
    }

    bool takes(std::int32_t primitive, const Piece& piece) const {
      const auto i = static_cast<std::size_t>(primitive);
      for (std::size_t end = 0; end < proof_.moments_.size(); ++end) {
        for (const Vector3& c : piece[end]) {
          if (!holds(proof_.moments_[end].boxes[i], c)) return false;
        }
      }
      for (std::size_t k = 0; k < 3; ++k) {
        if (missing(i, piece[0][k], piece[1][k]) > 0.0) return false;
      }
      return true;
    }

    void look_at_triangle(const Piece& piece) {
      if (last_ >= 0 && takes(last_, piece)) {
        ++pieces_;
        return;
      }
      for (const std::int32_t primitive : near_) {
        if (primitive == last_ || !takes(primitive, piece)) continue;
        last_ = primitive;
        ++pieces_;
        return;
      }
      Aabb around = {Vector3::Constant(infinite), Vector3::Constant(-infinite)};
      add_to(around, piece[0]);
      grow(around, side_of(piece[0]));
      std::vector<Missing> of;
      const auto add = [&](std::int32_t primitive) {
        const auto i = static_cast<std::size_t>(primitive);
        Missing& added = of.emplace_back(Missing{primitive, {}});
        for (std::size_t k = 0; k < 3; ++k) added.of[k] = missing(i, piece[0][k], piece[1][k]);
      };
      for (const std::int32_t primitive : near_) {
        if (overlap(proof_.moments_[0].boxes[static_cast<std::size_t>(primitive)], around)) add(primitive);
      }
      if (of.empty()) {
        for (std::size_t i = 0; i < proof_.primitives_.size(); ++i) add(static_cast<std::int32_t>(i));
      }
      look_at(piece, of, 0);
    }

    // `all`: of the primitives that may hold a part of the piece, or come nearest to it.
    void look_at(const Piece& piece, const std::vector<Missing>& all, int cuts) {
      ++pieces_;
      const Missing* best = &all.front();
      for (const Missing& m : all) {
        if (m.most() < best->most()) best = &m;
      }
      if (!(best->most() > 0.0)) return;
      double side = 0.0;
      for (std::size_t end = 0; end < proof_.moments_.size(); ++end)
        side = std::max(side, side_of(piece[end]));
      if (cuts == most_cuts || side <= proof_.finest_) return add_open(piece, *best);
      Piece middle;
      for (std::size_t end = 0; end < proof_.moments_.size(); ++end) {
        const Corners& c = piece[end];
        middle[end] = {0.5 * (c[0] + c[1]), 0.5 * (c[1] + c[2]), 0.5 * (c[2] + c[0])};
      }
      // What a part misses of the best is no more than what the whole does; of another it is less than that
      // by no more than a side. At both ends of a step weights differ, and nothing is left out.
      const double most = proof_.moments_.size() == 1 ? best->most() + side * (1.0 + 1e-9) : infinite;
      std::array<std::vector<Missing>, 4> of;
      for (const Missing& m : all) {
        if (m.most() > most) continue;
        std::array<double, 3> at;
        for (std::size_t k = 0; k < 3; ++k)
          at[k] = missing(static_cast<std::size_t>(m.primitive), middle[0][k], middle[1][k]);
        of[0].push_back({m.primitive, {m.of[0], at[0], at[2]}});
        of[1].push_back({m.primitive, {at[0], m.of[1], at[1]}});
        of[2].push_back({m.primitive, {at[2], at[1], m.of[2]}});
        of[3].push_back({m.primitive, at});
      }
      std::array<Piece, 4> parts;
      for (std::size_t end = 0; end < proof_.moments_.size(); ++end) {
        const Corners &c = piece[end], &m = middle[end];
        parts[0][end] = {c[0], m[0], m[2]};
        parts[1][end] = {m[0], c[1], m[1]};
        parts[2][end] = {m[2], m[1], c[2]};
        parts[3][end] = m;
      }
      for (std::size_t i = 0; i < 4; ++i) look_at(parts[i], of[i], cuts + 1);
    }

    void add_open(const Piece& piece, const Missing& best) {
      const auto k =
          static_cast<std::size_t>(std::max_element(best.of.begin(), best.of.end()) - best.of.begin());
      open_.push_back({triangle_, best.primitive, best.of[k], piece[0][k]});
    }

    const Proof& proof_;
    std::span<const std::uint32_t> triangles_;
    std::vector<std::int32_t> near_;
    std::int32_t last_ = -1;
    std::int32_t triangle_ = 0;
    std::int64_t pieces_ = 0;
    std::vector<Open> open_;
  };

  std::vector<MedialPrimitive> primitives_;
  std::vector<Moment> moments_;
  std::vector<std::uint32_t> order_;
  double finest_ = 0.0;
  int threads_;
};

std::string failure_of_inputs(std::span<const TriangleMesh* const> meshes,
                              std::span<const MedialMesh* const> medials) {
  for (const TriangleMesh* mesh : meshes) {
    const auto summary = validate(*mesh);
    if (!summary) return summary.error().message;
  }
  for (const MedialMesh* medial : medials) {
    if (const auto failure = failure_of(*medial)) return *failure;
  }
  if (meshes.size() == 1) return {};
  if (meshes[0]->faces != meshes[1]->faces || meshes[0]->vertices.size() != meshes[1]->vertices.size())
    return "the meshes at both ends of a step must have the same faces and as many vertices";
  if (medials[0]->slabs != medials[1]->slabs || medials[0]->cones != medials[1]->cones ||
      medials[0]->centers.size() != medials[1]->centers.size())
    return "the medial meshes at both ends of a step must have the same primitives and as many balls";
  return {};
}

EnclosureResult proven(std::span<const TriangleMesh* const> meshes,
                       std::span<const MedialMesh* const> medials, const EnclosureOptions& options) {
  EnclosureResult result;
  result.failure = failure_of_inputs(meshes, medials);
  if (!result.failure.empty()) return result;
  const Proof proof(meshes, medials, options);
  const std::vector<Open> open = proof.open_pieces(proof.order(), result.pieces);
  result.holds = open.empty();
  for (const Open& piece : open) {
    if (result.triangle >= 0 && (piece.triangle > result.triangle ||
                                 (piece.triangle == result.triangle && piece.missing <= result.missing)))
      continue;
    result.triangle = piece.triangle;
    result.missing = piece.missing;
    result.point = piece.point;
  }
  return result;
}

Expected<DilatedMedialMesh> dilated(std::span<const TriangleMesh* const> meshes,
                                    std::span<const MedialMesh* const> medials,
                                    const EnclosureOptions& options) {
  constexpr int most_rounds = 100;
  if (std::string failure = failure_of_inputs(meshes, medials); !failure.empty()) return Error{failure};
  std::vector<MedialMesh> grown;
  for (const MedialMesh* medial : medials) grown.push_back(*medial);
  std::vector<const MedialMesh*> now;
  for (const MedialMesh& medial : grown) now.push_back(&medial);
  Proof proof(meshes, now, options);
  DilatedMedialMesh result;
  result.dilations.assign(grown[0].radii.size(), 0.0);
  // Larger radii take what smaller ones took: only what was open is looked at again.
  std::vector<std::uint32_t> left(proof.order().begin(), proof.order().end());
  for (int round = 0; !left.empty(); ++round) {
    if (round == most_rounds) return Error{"the radii do not get large enough to enclose the mesh"};
    const std::vector<Open> open = proof.open_pieces(left, result.pieces);
    left.clear();
    const double more = proof.rounding() * (1 << std::min(round, 20));
    std::vector<double> growth(result.dilations.size(), 0.0);
    for (const Open& piece : open) {
      const auto triangle = static_cast<std::uint32_t>(piece.triangle);
      if (left.empty() || left.back() != triangle) left.push_back(triangle);
      for (const std::int32_t ball : proof.primitive(piece.primitive)) {
        if (ball < 0) continue;
        double& grows = growth[static_cast<std::size_t>(ball)];
        grows = std::max(grows, std::max(piece.missing, 0.0) + more);
      }
    }
    for (std::size_t i = 0; i < growth.size(); ++i) {
      if (growth[i] == 0.0) continue;
      for (MedialMesh& medial : grown) medial.radii[i] += growth[i];
      result.dilations[i] += growth[i];
    }
    if (!left.empty()) proof.set_radii(now);
  }
  for (const double dilation : result.dilations) {
    result.largest = std::max(result.largest, dilation);
    result.mean += dilation / static_cast<double>(result.dilations.size());
  }
  result.mesh = std::move(grown[0]);
  return result;
}

}  // namespace

std::vector<Vector3> medial::open_points(const TriangleMesh& mesh, const MedialMesh& medial,
                                         const EnclosureOptions& options, double least) {
  const TriangleMesh* const meshes[] = {&mesh};
  const MedialMesh* const medials[] = {&medial};
  const Proof proof(meshes, medials, options);
  std::int64_t pieces = 0;
  std::vector<Vector3> points;
  for (const Open& piece : proof.open_pieces(proof.order(), pieces)) {
    if (piece.missing >= least) points.push_back(piece.point);
  }
  return points;
}

EnclosureResult encloses(const TriangleMesh& mesh, const MedialMesh& medial,
                         const EnclosureOptions& options) {
  const TriangleMesh* const meshes[] = {&mesh};
  const MedialMesh* const medials[] = {&medial};
  return proven(meshes, medials, options);
}

EnclosureResult encloses_step(const TriangleMesh& mesh_t0, const TriangleMesh& mesh_t1,
                              const MedialMesh& medial_t0, const MedialMesh& medial_t1,
                              const EnclosureOptions& options) {
  const TriangleMesh* const meshes[] = {&mesh_t0, &mesh_t1};
  const MedialMesh* const medials[] = {&medial_t0, &medial_t1};
  return proven(meshes, medials, options);
}

Expected<DilatedMedialMesh> dilated_to_enclose(const TriangleMesh& mesh, const MedialMesh& medial,
                                               const EnclosureOptions& options) {
  const TriangleMesh* const meshes[] = {&mesh};
  const MedialMesh* const medials[] = {&medial};
  return dilated(meshes, medials, options);
}

Expected<DilatedMedialMesh> dilated_to_enclose_step(const TriangleMesh& mesh_t0, const TriangleMesh& mesh_t1,
                                                    const MedialMesh& medial_t0, const MedialMesh& medial_t1,
                                                    const EnclosureOptions& options) {
  const TriangleMesh* const meshes[] = {&mesh_t0, &mesh_t1};
  const MedialMesh* const medials[] = {&medial_t0, &medial_t1};
  return dilated(meshes, medials, options);
}

}  // namespace toccata
