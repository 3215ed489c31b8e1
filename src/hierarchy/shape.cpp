#include "toccata/hierarchy/shape.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "geometry/vertex_welder.hpp"
#include "hierarchy/prepared_shape.hpp"
#include "hierarchy/shape_data.hpp"

#include "toccata/geometry/display_mesh.hpp"

namespace toccata {
namespace {

using DirectedEdge = std::array<std::int32_t, 2>;

// For every vertex the first one at the same place: many files repeat the vertices along a seam.
std::vector<std::int32_t> first_at_place(const TriangleMesh& mesh) {
  std::vector<Vector3> places;
  std::vector<std::int32_t> first, of_place;
  VertexWelder welder(places, true);
  for (const Vector3& vertex : mesh.vertices) {
    const std::int32_t place = welder.index(vertex);
    if (static_cast<std::size_t>(place) == of_place.size())
      of_place.push_back(static_cast<std::int32_t>(first.size()));
    first.push_back(of_place[static_cast<std::size_t>(place)]);
  }
  return first;
}

// Every directed edge comes once, and its opposite, too. No is not a proof: where many edges meet in one
// vertex it does not look. Edges are told apart by buckets of their first vertex, which takes a fifth of the
// time of sorting them.
bool is_seen_to_match(const std::vector<DirectedEdge>& edges, std::size_t vertex_count) {
  constexpr std::int32_t most_at_vertex = 64;
  std::vector<std::int32_t> begin(vertex_count + 2, 0);
  for (const DirectedEdge& e : edges) ++begin[static_cast<std::size_t>(e[0]) + 2];
  if (*std::max_element(begin.begin(), begin.end()) > most_at_vertex) return false;
  for (std::size_t v = 2; v < begin.size(); ++v) begin[v] += begin[v - 1];
  std::vector<std::int32_t> ends(edges.size());
  for (const DirectedEdge& e : edges)
    ends[static_cast<std::size_t>(begin[static_cast<std::size_t>(e[0]) + 1]++)] = e[1];
  // Now begin[v] is where the bucket of v starts, and begin[v + 1] where it ends. Each edge
  // comes once, so that its opposite, if it is there, does as well.
  for (std::size_t v = 0; v < vertex_count; ++v) {
    for (std::int32_t i = begin[v]; i < begin[v + 1]; ++i) {
      const std::int32_t other = ends[static_cast<std::size_t>(i)];
      for (std::int32_t k = begin[v]; k < i; ++k) {
        if (ends[static_cast<std::size_t>(k)] == other) return false;
      }
      std::int32_t k = begin[static_cast<std::size_t>(other)];
      const std::int32_t end = begin[static_cast<std::size_t>(other) + 1];
      while (k < end && ends[static_cast<std::size_t>(k)] != static_cast<std::int32_t>(v)) ++k;
      if (k == end) return false;
    }
  }
  return true;
}

// Directed edges that do not have exactly one opposite, each once, in the order of their vertices. Triangles
// with two corners at one place bound nothing and are left out.
std::vector<DirectedEdge> unmatched_edges(const TriangleMesh& mesh) {
  std::vector<DirectedEdge> edges, opposite, unmatched;
  edges.reserve(3 * mesh.faces.size());
  const std::vector<std::int32_t> vertex = first_at_place(mesh);
  for (const Face& f : mesh.faces) {
    const std::int32_t v[3] = {vertex[f[0]], vertex[f[1]], vertex[f[2]]};
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    for (int k = 0; k < 3; ++k) edges.push_back({v[k], v[(k + 1) % 3]});
  }
  if (is_seen_to_match(edges, mesh.vertices.size())) return {};
  opposite = edges;
  for (DirectedEdge& e : opposite) std::swap(e[0], e[1]);
  std::sort(edges.begin(), edges.end());
  std::sort(opposite.begin(), opposite.end());
  std::set_symmetric_difference(edges.begin(), edges.end(), opposite.begin(), opposite.end(),
                                std::back_inserter(unmatched));
  // An edge of more than two triangles has its opposites, but encloses nothing.
  for (auto at = std::adjacent_find(edges.begin(), edges.end()); at != edges.end();
       at = std::adjacent_find(at + 1, edges.end()))
    unmatched.push_back(*at);
  for (DirectedEdge& e : unmatched) std::sort(e.begin(), e.end());
  std::sort(unmatched.begin(), unmatched.end());
  unmatched.erase(std::unique(unmatched.begin(), unmatched.end()), unmatched.end());
  return unmatched;
}

// For a person; empty if the mesh is closed.
std::string open_edges_of(const TriangleMesh& mesh) {
  if (mesh.faces.empty()) return "it has no triangles";
  const std::vector<DirectedEdge> edges = unmatched_edges(mesh);
  if (edges.empty()) return {};
  constexpr std::size_t most_named = 3;
  std::string text = std::to_string(edges.size()) + (edges.size() == 1 ? " edge is" : " edges are") +
                     " not shared by exactly two triangles that run along it in opposite directions:";
  for (std::size_t i = 0; i < std::min(edges.size(), most_named); ++i) {
    text += (i == 0 ? " " : ", ") + std::string("from vertex ") + std::to_string(edges[i][0]) +
            " to vertex " + std::to_string(edges[i][1]);
  }
  if (edges.size() > most_named) text += ", ...";
  return text;
}

// Of a compound each mesh on its own: parts may overlap.
std::string open_edges_of(const Geometry& geometry) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&geometry)) return open_edges_of(*mesh);
  const auto* compound = std::get_if<Compound>(&geometry);
  if (compound == nullptr) return {};
  for (std::size_t i = 0; i < compound->parts.size(); ++i) {
    const std::string text = open_edges_of(compound->parts[i].geometry);
    if (!text.empty()) return "part " + std::to_string(i) + ": " + text;
  }
  return {};
}

std::size_t bytes_of(const TriangleMesh& mesh) {
  return mesh.vertices.capacity() * sizeof(Vector3) + mesh.faces.capacity() * sizeof(Face);
}

std::size_t bytes_of(const Geometry& geometry) {
  if (const auto* mesh = std::get_if<TriangleMesh>(&geometry)) return bytes_of(*mesh);
  if (const auto* field = std::get_if<HeightField>(&geometry))
    return field->heights.capacity() * sizeof(double);
  if (const auto* hull = std::get_if<ConvexHull>(&geometry))
    return hull->vertices.capacity() * sizeof(Vector3) + hull->faces.capacity() * sizeof(Face) +
           (hull->sources.capacity() + hull->planes.capacity() + hull->neighbours.capacity() +
            hull->first_neighbour.capacity()) *
               sizeof(std::int32_t);
  if (const auto* medial = std::get_if<MedialMesh>(&geometry))
    return medial->centers.capacity() * sizeof(Vector3) + medial->radii.capacity() * sizeof(double) +
           medial->cones.capacity() * sizeof(Edge) + medial->slabs.capacity() * sizeof(Face);
  std::size_t sum = 0;
  if (const auto* compound = std::get_if<Compound>(&geometry)) {
    for (const CompoundPart& part : compound->parts) sum += sizeof(CompoundPart) + bytes_of(part.geometry);
  }
  return sum;
}

}  // namespace

Shape::Shape(TriangleMesh mesh) : Shape(Geometry(std::move(mesh)), Checked()) {}

Shape::Shape(Geometry geometry, Checked) {
  if (const std::optional<std::string> failure = failure_of(geometry)) throw std::invalid_argument(*failure);
  data_ = prepared_shape(std::move(geometry));
}

Expected<Shape> Shape::build(Geometry geometry) {
  if (std::optional<std::string> failure = failure_of(geometry)) return Error{std::move(*failure)};
  return Shape(prepared_shape(std::move(geometry)));
}

const Geometry& Shape::geometry() const {
  return data_->given_geometry();
}

bool Shape::is_mesh() const {
  return data_->is_mesh;
}

const TriangleMesh& Shape::mesh() const {
  if (data_->is_mesh) return data_->own_mesh();
  throw std::logic_error("a mesh was asked of a shape that is a " + std::string(kind_of(data_->geometry)) +
                         ": ask for its geometry(), or for its display_mesh()");
}

const TriangleMesh& Shape::display_mesh() const {
  if (is_mesh()) return mesh();
  return data_->display_mesh.get<TriangleMesh>([&] { return toccata::display_mesh(data_->geometry); });
}

double Shape::size() const {
  return data_->is_half_space() ? std::numeric_limits<double>::infinity() : data_->radius;
}

bool Shape::is_solid() const {
  return data_->mesh.faces.empty() && data_->piece_count() > 0;
}

bool Shape::is_closed() const {
  return !open_edges();
}

std::optional<std::string> Shape::open_edges() const {
  const auto& text =
      data_->open_edges.get<std::string>([&] { return open_edges_of(data_->given_geometry()); });
  return text.empty() ? std::nullopt : std::optional(text);
}

std::int32_t Shape::piece_count() const {
  return data_->piece_count();
}

PartPiece Shape::part_of(std::int32_t piece) const {
  const std::vector<std::int32_t>& first = data_->first_pieces;
  if (first.size() <= 2) return {0, piece};
  const auto next = std::upper_bound(first.begin(), first.end() - 1, piece);
  const auto part = static_cast<std::int32_t>(next - first.begin()) - 1;
  return {part, piece - first[static_cast<std::size_t>(part)]};
}

std::size_t Shape::memory_bytes() const {
  const ShapeData& d = *data_;
  const std::size_t elsewhere =
      d.mesh_keeper == nullptr ? 0 : d.mesh.vertices.size_bytes() + d.mesh.faces.size_bytes();
  return sizeof(ShapeData) + bytes_of(d.geometry) + elsewhere + bytes_of(d.placed_mesh) +
         d.tree.memory_bytes() + d.pieces.capacity() * sizeof(std::int32_t) +
         d.sets.capacity() * sizeof(ConvexPiece) + d.points.capacity() * sizeof(Vector3) +
         d.first_pieces.capacity() * sizeof(std::int32_t);
}

}  // namespace toccata
