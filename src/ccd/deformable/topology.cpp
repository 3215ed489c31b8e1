#include "ccd/deformable/topology.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "ccd/deformable/topology_parts.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable {
namespace {

std::string in_object(std::size_t object) {
  return " of object " + std::to_string(object);
}

template <std::size_t N>
bool in_range(const std::array<std::int32_t, N>& indices, std::int32_t count) {
  return std::all_of(indices.begin(), indices.end(), [&](std::int32_t i) { return i >= 0 && i < count; });
}

// Unique edges by a counting sort of sides over the larger vertex, then a small sort inside each bucket. A
// side brings its number along, so that it is told its edge without looking for it.
class EdgeTable {
 public:
  explicit EdgeTable(std::int32_t vertex_count) : start_(static_cast<std::size_t>(vertex_count) + 1, 0) {}

  void count(const Edge& e) { ++start_[static_cast<std::size_t>(e[1]) + 1]; }
  void prepare() {
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    sides_.resize(static_cast<std::size_t>(start_.back()));
    cursor_.assign(start_.begin(), start_.end() - 1);
  }
  void insert(const Edge& e, std::int32_t side) {
    sides_[static_cast<std::size_t>(cursor_[static_cast<std::size_t>(e[1])]++)] =
        static_cast<std::uint64_t>(e[0]) << 32 | static_cast<std::uint32_t>(side);
  }

  // edge_of[side]: the edge of each side, but for those that are not below side_count.
  std::vector<Edge> unique(int threads, std::int32_t* edge_of, std::int32_t side_count) {
    const std::size_t buckets = start_.size() - 1;
    first_.assign(start_.size(), 0);
    parallel_blocks(buckets, block, threads, [&](std::size_t from, std::size_t to) {
      for (std::size_t j = from; j < to; ++j) {
        const auto begin = sides_.begin() + start_[j], end = sides_.begin() + start_[j + 1];
        std::sort(begin, end);
        std::int32_t different = 0;
        for (auto side = begin; side != end; ++side) {
          different += side == begin || lower_of(*side) != lower_of(side[-1]);
        }
        first_[j + 1] = different;
      }
    });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<Edge> edges(static_cast<std::size_t>(first_.back()));
    parallel_blocks(buckets, block, threads, [&](std::size_t from, std::size_t to) {
      for (std::size_t j = from; j < to; ++j) {
        std::int32_t e = first_[j] - 1;
        for (std::int32_t i = start_[j]; i < start_[j + 1]; ++i) {
          const std::int32_t lower = lower_of(sides_[i]);
          e += i == start_[j] || lower != lower_of(sides_[i - 1]);
          edges[static_cast<std::size_t>(e)] = {lower, static_cast<std::int32_t>(j)};
          const auto side = static_cast<std::int32_t>(static_cast<std::uint32_t>(sides_[i]));
          if (side < side_count) edge_of[side] = e;
        }
      }
    });
    return edges;
  }

  static constexpr std::size_t block = 4096;

 private:
  static std::int32_t lower_of(std::uint64_t side) { return static_cast<std::int32_t>(side >> 32); }

  std::vector<std::int32_t> start_, cursor_, first_;
  std::vector<std::uint64_t> sides_;  // by bucket: the lesser vertex and the number
};

void find_edges(Topology& topology, const std::vector<Edge>& wires, int threads) {
  EdgeTable table(topology.vertex_count);
  const auto each_side = [&](auto&& visit) {
    std::int32_t side = 0;
    for (const Face& f : topology.faces) {
      for (int k = 0; k < 3; ++k, ++side) {
        if (f[k] != f[(k + 1) % 3]) visit(ordered(f[k], f[(k + 1) % 3]), side);
      }
    }
    for (const Edge& w : wires) visit(w, side);
  };
  each_side([&](const Edge& e, std::int32_t) { table.count(e); });
  table.prepare();
  each_side([&](const Edge& e, std::int32_t side) { table.insert(e, side); });
  topology.face_edges.assign(topology.faces.size(), {-1, -1, -1});
  topology.edges = table.unique(threads, topology.face_edges.data()->data(),
                                static_cast<std::int32_t>(3 * topology.faces.size()));
  if (wires.empty()) return;
  std::vector<std::uint8_t> in_face(topology.edges.size(), 0);
  for (const auto& edges : topology.face_edges) {
    for (const std::int32_t e : edges) {
      if (e >= 0) in_face[static_cast<std::size_t>(e)] = 1;
    }
  }
  for (std::size_t e = 0; e < in_face.size(); ++e) {
    if (!in_face[e]) topology.wires.push_back(static_cast<std::int32_t>(e));
  }
}

}  // namespace

void find_components(Topology& topology) {
  std::vector<std::int32_t> parent(static_cast<std::size_t>(topology.vertex_count));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::int32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Edge& e : topology.edges) {
    const std::int32_t a = root(e[0]);
    const std::int32_t b = root(e[1]);
    parent[std::max(a, b)] = std::min(a, b);
  }
  topology.vertex_component.resize(parent.size());
  topology.component_count = 0;
  for (std::int32_t v = 0; v < topology.vertex_count; ++v) {
    const std::int32_t r = root(v);
    topology.vertex_component[v] = r == v ? topology.component_count++ : topology.vertex_component[r];
  }
}

namespace {

void find_points(Topology& topology) {
  std::vector<std::uint8_t> in_edge(static_cast<std::size_t>(topology.vertex_count), 0);
  for (const Edge& e : topology.edges) in_edge[e[0]] = in_edge[e[1]] = 1;
  for (std::int32_t v = 0; v < topology.vertex_count; ++v) {
    if (!in_edge[v]) topology.points.push_back(v);
  }
}

}  // namespace

std::size_t Topology::memory_bytes() const {
  return faces.capacity() * sizeof(Face) + edges.capacity() * sizeof(Edge) +
         face_edges.capacity() * sizeof(face_edges[0]) +
         (wires.capacity() + points.capacity() + vertex_object.capacity() + vertex_component.capacity() +
          object_vertices.capacity() + object_faces.capacity()) *
             sizeof(std::int32_t);
}

Expected<std::vector<Edge>> lay_out_objects(const std::vector<DeformableObject>& objects,
                                            Topology& topology) {
  std::vector<Edge> wires;
  std::size_t face_count = 0;
  for (const DeformableObject& object : objects) face_count += object.faces.size();
  topology.faces.reserve(face_count);
  for (std::size_t o = 0; o < objects.size(); ++o) {
    const DeformableObject& object = objects[o];
    if (object.vertex_count < 0) return Error{"negative vertex count" + in_object(o)};
    const std::int32_t offset = topology.vertex_count;
    topology.object_vertices.push_back(offset);
    topology.object_faces.push_back(static_cast<std::int32_t>(topology.faces.size()));
    for (std::size_t i = 0; i < object.faces.size(); ++i) {
      const Face& f = object.faces[i];
      if (!in_range(f, object.vertex_count)) {
        return Error{"face " + std::to_string(i) + in_object(o) + " has a vertex index out of range (" +
                     std::to_string(f[0]) + ", " + std::to_string(f[1]) + ", " + std::to_string(f[2]) +
                     "; vertices: " + std::to_string(object.vertex_count) + ")"};
      }
      topology.faces.push_back({f[0] + offset, f[1] + offset, f[2] + offset});
    }
    for (std::size_t i = 0; i < object.wires.size(); ++i) {
      const Edge& w = object.wires[i];
      if (!in_range(w, object.vertex_count)) {
        return Error{"wire " + std::to_string(i) + in_object(o) + " has a vertex index out of range (" +
                     std::to_string(w[0]) + ", " + std::to_string(w[1]) +
                     "; vertices: " + std::to_string(object.vertex_count) + ")"};
      }
      if (w[0] != w[1]) wires.push_back(ordered(w[0] + offset, w[1] + offset));
    }
    topology.vertex_count += object.vertex_count;
    topology.vertex_object.resize(static_cast<std::size_t>(topology.vertex_count),
                                  static_cast<std::int32_t>(o));
  }
  topology.object_vertices.push_back(topology.vertex_count);
  topology.object_faces.push_back(static_cast<std::int32_t>(topology.faces.size()));
  topology.object_count = static_cast<std::int32_t>(objects.size());
  return wires;
}

Expected<Topology> make_topology(const std::vector<DeformableObject>& objects, int threads) {
  Topology topology;
  const auto wires = lay_out_objects(objects, topology);
  if (!wires) return wires.error();
  find_edges(topology, *wires, threads);
  // Both follow from the edges.
  parallel_blocks(2, 1, topology.edges.size() < EdgeTable::block ? 1 : threads,
                  [&](std::size_t part, std::size_t) {
                    if (part == 0) {
                      find_components(topology);
                    } else {
                      find_points(topology);
                    }
                  });
  return topology;
}

}  // namespace toccata::deformable
