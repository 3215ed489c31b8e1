#include "hierarchy/prepared_shape.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "elementary/hull_index.hpp"
#include "hierarchy/given_tree.hpp"
#include "hierarchy/height_tree.hpp"
#include "hierarchy/piece_tree.hpp"

#include "toccata/base/rounding.hpp"

namespace toccata {
namespace {

// Fewer vertices are as soon looked at one by one.
constexpr std::size_t least_indexed = 9;

// Only vertices that a face uses count.
void measure_mesh(ShapeData& data) {
  const MeshView& mesh = data.mesh;
  std::vector<char> is_used(mesh.vertices.size(), 0);
  for (const Face& face : mesh.faces) {
    for (const std::int32_t index : face) is_used[static_cast<std::size_t>(index)] = 1;
  }
  bool first = true;
  Vector3 lower = Vector3::Zero();
  Vector3 upper = Vector3::Zero();
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (is_used[v] == 0) continue;
    const Vector3& p = mesh.vertices[v];
    lower = first ? p : lower.cwiseMin(p).eval();
    upper = first ? p : upper.cwiseMax(p).eval();
    first = false;
  }
  data.center = lower + 0.5 * (upper - lower);
  double squared_radius = 0.0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (is_used[v] != 0)
      squared_radius = std::max(squared_radius, (mesh.vertices[v] - data.center).squaredNorm());
  }
  // 1e-15 is above the five roundings of the norm; the coordinates' own add the second term.
  data.radius = std::sqrt(squared_radius) * (1.0 + 1e-15) +
                4e-16 * (lower.cwiseAbs().maxCoeff() + upper.cwiseAbs().maxCoeff());
}

void prepare_mesh(ShapeData& data) {
  data.is_mesh = true;
  data.mesh = std::get<TriangleMesh>(data.geometry);
  std::optional<GivenParts> given = GivenTree::take();
  if (given && given->mesh_keeper != nullptr) {
    data.mesh = given->mesh;
    data.mesh_keeper = std::move(given->mesh_keeper);
  }
  measure_mesh(data);
  if (given) {
    data.tree.nodes = std::move(given->nodes);
  } else {
    data.tree = build_box_tree(std::get<TriangleMesh>(data.geometry), data.center);
  }
}

void prepare_half_space(const HalfSpace& half, ShapeData& data) {
  const double length = half.normal.stableNorm();
  data.tree.plane = {half.normal / length, half.offset / length};
  data.other_pieces = 1;
  std::vector<BoxNode> nodes(1);
  nodes[0].count = 1;
  std::fill(std::begin(nodes[0].child), std::end(nodes[0].child), -1);
  data.tree.nodes = std::move(nodes);
}

void prepare_height_field(const HeightField& field, ShapeData& data) {
  static std::atomic<std::uint64_t> serial = 0;
  const double floor = floor_of(field);
  double highest = floor;
  for (const double height : field.heights) highest = height > highest ? height : highest;
  const Vector3 upper((field.columns - 1) * field.spacing.x(), (field.rows - 1) * field.spacing.y(), highest);
  const Vector3 lower(0.0, 0.0, floor);
  data.center = 0.5 * lower + 0.5 * upper;
  data.radius = 0.5 * (upper - lower).norm() * (1.0 + 1e-15) + 4e-16 * (lower.norm() + upper.norm());
  data.other_pieces = 2 * (field.columns - 1) * (field.rows - 1);
  auto tree = std::make_shared<const HeightTree>(field, floor, data.center);
  if (tree->empty()) {  // holes everywhere
    data.other_pieces = 0;
    return;
  }
  data.tree.heights = std::move(tree);
  data.tree.serial = ++serial;
  data.skin = data.tree;
  data.skin.serial = ++serial;
  data.skin.is_skin = true;
}

// The pieces of one part after the other, in the coordinates of the whole; `finish` moves them to its centre.
class PieceList {
 public:
  PieceList(ShapeData& data, std::vector<CompoundPart> parts) : data_(data), parts_(std::move(parts)) {
    std::size_t points = 0;
    for (const CompoundPart& part : parts_) points += points_of(part.geometry);
    data_.points.reserve(points);  // spans of it must stay where they are
  }

  void prepare() {
    for (const CompoundPart& part : parts_) {
      place_ = part.pose;
      data_.first_pieces.push_back(static_cast<std::int32_t>(data_.pieces.size()));
      std::visit([&](const auto& kind) { add(kind); }, part.geometry);
    }
    data_.first_pieces.push_back(static_cast<std::int32_t>(data_.pieces.size()));
    data_.other_pieces = static_cast<std::int32_t>(data_.pieces.size());
    data_.mesh = data_.placed_mesh;
    move_to_centre();
    index_hulls();
    build_tree();
  }

 private:
  static std::size_t points_of(const Geometry& geometry) {
    if (const auto* medial = std::get_if<MedialMesh>(&geometry))
      return 3 * medial->slabs.size() + 2 * medial->cones.size() + medial->centers.size();
    if (const auto* hull = std::get_if<ConvexHull>(&geometry)) return hull->vertices.size();
    if (std::holds_alternative<Ball>(geometry)) return 1;
    if (std::holds_alternative<Capsule>(geometry)) return 2;
    if (const auto* field = std::get_if<HeightField>(&geometry))
      return 12 * static_cast<std::size_t>(field->columns - 1) * static_cast<std::size_t>(field->rows - 1);
    return 0;
  }

  void add_set(ConvexSet set) {
    set.place = place_;
    set.is_placed = !(place_.rotation.isIdentity(0.0) && place_.translation.isZero(0.0));
    data_.sets.push_back({set});
    data_.pieces.push_back(~static_cast<std::int32_t>(data_.sets.size() - 1));
  }

  void add_points(std::span<const Vector3> points, double radius) {
    const std::size_t begin = data_.points.size();
    data_.points.insert(data_.points.end(), points.begin(), points.end());
    add_set(set_of_points({data_.points.data() + begin, points.size()}, radius));
  }

  void add_core(Core core, const Vector3& half, double radius = 0.0) {
    add_set(set_of_core(core, half, radius));
  }

  void add(const TriangleMesh& mesh) {
    const auto first_vertex = static_cast<std::int32_t>(data_.placed_mesh.vertices.size());
    for (const Vector3& v : mesh.vertices) data_.placed_mesh.vertices.push_back(place_.apply(v));
    for (const Face& f : mesh.faces) {
      data_.pieces.push_back(static_cast<std::int32_t>(data_.placed_mesh.faces.size()));
      data_.placed_mesh.faces.push_back({f[0] + first_vertex, f[1] + first_vertex, f[2] + first_vertex});
    }
  }
  void add(const Ball& ball) {
    const Vector3 point = Vector3::Zero();
    add_points({&point, 1}, ball.radius);
  }
  void add(const Capsule& capsule) {
    const Vector3 ends[2] = {{0.0, 0.0, -0.5 * capsule.height}, {0.0, 0.0, 0.5 * capsule.height}};
    add_points(ends, capsule.radius);
  }
  void add(const Box& box) { add_core(Core::Box, 0.5 * box.size, box.radius); }
  void add(const Cylinder& c) { add_core(Core::Cylinder, {c.radius, c.radius, 0.5 * c.height}); }
  void add(const Cone& c) { add_core(Core::Cone, {c.radius, c.radius, 0.5 * c.height}); }
  void add(const Ellipsoid& e) { add_core(Core::Ellipsoid, e.radii); }
  void add(const ConvexHull& hull) {
    add_points(hull.vertices, hull.radius);
    hulls_.push_back({data_.sets.size() - 1, &hull});
  }
  void add(const MedialMesh& medial) {
    for (const MedialPrimitive& primitive : medial_primitives(medial)) add_balls(medial, primitive);
  }
  void add(const HalfSpace&) {}  // alone only: see prepare_half_space
  void add(const Compound&) {}   // taken apart before

  void add_balls(const MedialMesh& medial, const MedialPrimitive& primitive);

  // A prism below every triangle.
  void add(const HeightField& field) {
    for (std::int32_t row = 0; row + 1 < field.rows; ++row) {
      for (std::int32_t column = 0; column + 1 < field.columns; ++column) {
        for (int half = 0; half < 2; ++half) {
          const std::array<Vector3, 6> corners = prism_of(field, column, row, half);
          const bool is_hole =
              std::any_of(corners.begin(), corners.end(), [](const Vector3& p) { return !p.allFinite(); });
          if (is_hole) {
            data_.pieces.push_back(no_piece);
          } else {
            add_points(corners, 0.0);
          }
        }
      }
    }
  }

  static std::array<Vector3, 6> prism_of(const HeightField& field, std::int32_t column, std::int32_t row,
                                         int half);

  void move_to_centre();
  void shift(ConvexSet& set);
  void index_hulls();
  void build_tree();

  struct HullSet {
    std::size_t set;
    const ConvexHull* hull;
  };

  ShapeData& data_;
  std::vector<CompoundPart> parts_;
  Pose place_;
  std::vector<HullSet> hulls_;
};

std::array<Vector3, 6> PieceList::prism_of(const HeightField& field, std::int32_t column, std::int32_t row,
                                           int half) {
  const auto corner = [&](std::int32_t c, std::int32_t r) {
    const auto at =
        static_cast<std::size_t>(r) * static_cast<std::size_t>(field.columns) + static_cast<std::size_t>(c);
    return Vector3(c * field.spacing.x(), r * field.spacing.y(), field.heights[at]);
  };
  std::array<Vector3, 6> corners;
  corners[0] = corner(column, row);
  corners[1] = half == 0 ? corner(column + 1, row) : corner(column + 1, row + 1);
  corners[2] = half == 0 ? corner(column + 1, row + 1) : corner(column, row + 1);
  const double floor = floor_of(field);
  for (std::size_t k = 0; k < 3; ++k) corners[k + 3] = {corners[k].x(), corners[k].y(), floor};
  return corners;
}

// Equal radii are one radius about points, which have quicker ways. What different ones share is taken as
// that, too, and what is left of each is rounded up.
void PieceList::add_balls(const MedialMesh& medial, const MedialPrimitive& primitive) {
  const std::size_t begin = data_.points.size();
  Vector3 radii = Vector3::Zero();
  Eigen::Index count = 0;
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const std::int32_t ball : primitive) {
    if (ball < 0) continue;
    const double radius = medial.radii[static_cast<std::size_t>(ball)];
    data_.points.push_back(medial.centers[static_cast<std::size_t>(ball)]);
    radii[count++] = radius;
    least = std::min(least, radius);
    most = std::max(most, radius);
  }
  const std::span<const Vector3> centers(data_.points.data() + begin, static_cast<std::size_t>(count));
  if (least == most) return add_set(set_of_points(centers, least));
  for (Eigen::Index i = 0; i < count; ++i) {
    const double rest = radii[i] - least;
    radii[i] = rest > 0.0 ? next_up(rest) : 0.0;
  }
  add_set(set_of_balls(centers, radii, least));
}

// Positions are taken relative to the middle of the bounding box, unless the origin is inside it: then
// nothing needs to be rounded.
void PieceList::move_to_centre() {
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  for (const ConvexPiece& piece : data_.sets) {
    const AxisBounds bounds = axis_bounds(piece.set);
    lower = lower.cwiseMin(bounds.lower);
    upper = upper.cwiseMax(bounds.upper);
  }
  for (const Face& face : data_.placed_mesh.faces) {
    for (const std::int32_t v : face) {
      lower = lower.cwiseMin(data_.placed_mesh.vertices[static_cast<std::size_t>(v)]);
      upper = upper.cwiseMax(data_.placed_mesh.vertices[static_cast<std::size_t>(v)]);
    }
  }
  if (!lower.allFinite()) return;  // nothing at all
  const bool holds_origin = (lower.array() <= 0.0).all() && (upper.array() >= 0.0).all();
  if (!holds_origin) data_.center = 0.5 * lower + 0.5 * upper;
  double radius = 0.0;
  for (ConvexPiece& piece : data_.sets) {
    if (!holds_origin) shift(piece.set);
    const AxisBounds bounds = axis_bounds(piece.set);
    piece.middle = 0.5 * bounds.lower + 0.5 * bounds.upper;
    piece.reach = std::min(reach_from(piece.set, piece.middle),
                           0.5 * (bounds.upper - bounds.lower).norm() * (1.0 + 16.0 * unit_roundoff));
    radius = std::max(radius, std::min(reach_from(piece.set, Vector3::Zero()),
                                       (piece.middle.norm() + piece.reach) * (1.0 + 16.0 * unit_roundoff)));
  }
  for (const Face& face : data_.placed_mesh.faces) {
    for (const std::int32_t v : face) {
      const Vector3 corner = data_.placed_mesh.vertices[static_cast<std::size_t>(v)] - data_.center;
      radius = std::max(radius, corner.norm() * (1.0 + 1e-15));
    }
  }
  data_.radius = radius + 4e-16 * (lower.cwiseAbs().maxCoeff() + upper.cwiseAbs().maxCoeff());
}

// By the centre.
void PieceList::shift(ConvexSet& set) {
  if ((set.core == Core::Points || set.core == Core::Balls) && !set.is_placed) {
    const auto begin = static_cast<std::size_t>(set.points.data() - data_.points.data());
    for (std::size_t i = begin; i < begin + set.points.size(); ++i) data_.points[i] -= data_.center;
    set.reach = found_reach(set);
    return;
  }
  set.place.translation -= data_.center;
  set.is_placed = true;
}

// Of where the vertices are now.
void PieceList::index_hulls() {
  for (const auto& [number, hull] : hulls_) {
    ConvexSet& set = data_.sets[number].set;
    if (set.points.size() < least_indexed) continue;
    auto index = std::make_shared<HullIndex>(set.points, hull->neighbours, hull->first_neighbour);
    if (index->is_scanned()) index->faces = HullFaces(hull->vertices, hull->faces, set.points);
    set.index = index.get();
    data_.indices.push_back(std::move(index));
  }
}

void PieceList::build_tree() {
  if (std::optional<GivenParts> given = GivenTree::take()) {
    data_.tree.nodes = std::move(given->nodes);
    return;
  }
  std::vector<TreePart> parts;
  for (std::size_t p = 0; p + 1 < data_.first_pieces.size(); ++p) {
    const std::int32_t begin = data_.first_pieces[p], end = data_.first_pieces[p + 1];
    if (std::holds_alternative<TriangleMesh>(parts_[p].geometry)) {
      if (begin == end) continue;
      TriangleMesh mesh = std::get<TriangleMesh>(parts_[p].geometry);
      for (Vector3& v : mesh.vertices) v = parts_[p].pose.apply(v);
      parts.push_back({nullptr, build_box_tree(mesh, data_.center), begin});
      continue;
    }
    for (std::int32_t piece = begin; piece < end; ++piece) {
      const std::int32_t entry = data_.pieces[static_cast<std::size_t>(piece)];
      if (entry != no_piece) parts.push_back({&data_.sets[static_cast<std::size_t>(~entry)].set, {}, piece});
    }
  }
  data_.tree = build_piece_tree(parts, data_.radius + data_.center.cwiseAbs().maxCoeff());
}

// None of shapes of other kinds, or out of place: a set of its own middle is never moved to it.
ClosedCore closed_core(const ShapeData& shape) {
  ClosedCore closed;
  if (shape.other_pieces != 1 || shape.sets.size() != 1) return closed;
  const ConvexSet& set = shape.sets.front().set;
  if (set.is_placed) return closed;
  closed.radius = set.radius;
  if (set.core == Core::Box) {
    closed.form = ClosedForm::Boxes;
    for (int k = 0; k < 3; ++k) closed.size[k] = set.half[k];
  } else if (set.core == Core::Points && !set.points.empty() && set.points.size() <= 2 &&
             shape.center.isZero(0.0)) {
    const Vector3 &from = set.points.front(), &to = set.points.back();
    if (from.x() != 0.0 || from.y() != 0.0 || to.x() != 0.0 || to.y() != 0.0) return closed;
    closed.form = ClosedForm::Segments;
    closed.size[0] = from.z();
    closed.size[1] = to.z();
  }
  return closed;
}

}  // namespace

const Geometry& ShapeData::given_geometry() const {
  if (mesh_keeper == nullptr) return geometry;
  return whole_geometry.get<Geometry>([&] {
    return Geometry(
        TriangleMesh{{mesh.vertices.begin(), mesh.vertices.end()}, {mesh.faces.begin(), mesh.faces.end()}});
  });
}

const TriangleMesh& ShapeData::own_mesh() const {
  return is_mesh ? std::get<TriangleMesh>(given_geometry()) : placed_mesh;
}

std::shared_ptr<const ShapeData> prepared_shape(Geometry geometry) {
  auto data = std::make_shared<ShapeData>();
  data->geometry = std::move(geometry);
  if (std::holds_alternative<TriangleMesh>(data->geometry)) {
    prepare_mesh(*data);
  } else if (const auto* half = std::get_if<HalfSpace>(&data->geometry)) {
    prepare_half_space(*half, *data);
  } else if (const auto* field = std::get_if<HeightField>(&data->geometry)) {
    prepare_height_field(*field, *data);
  } else if (const auto* compound = std::get_if<Compound>(&data->geometry)) {
    PieceList(*data, flattened(*compound)).prepare();
  } else {
    PieceList(*data, {{data->geometry, Pose()}}).prepare();
  }
  data->closed = closed_core(*data);
  if (data->other_pieces == 1 && data->sets.size() == 1) data->only_set = &data->sets.front().set;
  return data;
}

}  // namespace toccata
