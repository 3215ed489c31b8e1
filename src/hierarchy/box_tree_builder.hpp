#pragma once
// Builds the tree of boxes over the triangles of a mesh: cut from the top where boxes become small
// (split_kernels.hpp), fitted from the bottom (box_fit_kernels.hpp). The same nodes in the same order on any
// number of threads and any instruction set.
#include <tbb/enumerable_thread_specific.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "hierarchy/box_fit_kernels.hpp"
#include "hierarchy/box_tree.hpp"
#include "hierarchy/fitted_box.hpp"
#include "hierarchy/split_kernels.hpp"
#include "hierarchy/tree_surface.hpp"

namespace toccata::hierarchy {

class BoxTreeBuilder {
 public:
  BoxTreeBuilder(const TriangleMesh& mesh, const Vector3& center);

  BoxNodes build();

 private:
  // Room for nodes is not cleared: each is written whole when its children are known.
  struct RoomForNodes : std::allocator<BoxNode> {
    template <typename T>
    struct rebind {
      using other = RoomForNodes;
    };
    void construct(BoxNode* node) { ::new (static_cast<void*>(node)) BoxNode; }
    void construct(BoxNode* node, const BoxNode& other) { ::new (static_cast<void*>(node)) BoxNode(other); }
  };
  using NodeList = std::vector<BoxNode, RoomForNodes>;

  // A set of items in a row, cells or triangles.
  struct Part {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t triangles = 0;
    float extent = 0.0F;  // the longest side of the places' box
    SplitMoments moments = {};

    std::size_t items() const { return end - begin; }
  };
  // The parts of a node, with the axes of those of more than one triangle.
  struct Parts {
    std::array<Part, box_width> part;
    BoxAxes axes;
    std::size_t count = 1;
  };
  // What is cut: cells, or the triangles on a desk.
  struct Sorting {
    std::vector<SplitItem> items;
    std::vector<SplitItem> spare;
    const SplitRow* rows = nullptr;
    bool of_cells = false;

    SplitSamples samples_of(const Part& part) const;
  };
  // What one thread works with. Nothing in it outlives a call that uses it, so a thread that waits for others
  // may take another part meanwhile.
  struct Desk {
    std::vector<std::uint32_t> seen;  // by vertex: the last visit
    std::uint32_t visit = 0;
    Sorting triangles;                   // of the part that is built here
    std::vector<std::uint32_t> numbers;  // of those, in the surface
    std::vector<SplitRow> rows;
  };
  // Nodes built in a row, and a stack of lists of vertices: each part that is done leaves its own on top.
  struct Work {
    NodeList nodes;
    std::vector<std::int32_t> vertices;
  };
  // What a node knows of a child.
  struct Child {
    std::int32_t link = -1;      // >= 0: a node; else ~triangle of the surface
    std::size_t list_begin = 0;  // of a node: its vertices
    std::size_t list_end = 0;
    Bounds bounds = {};  // of a node
  };
  using Children = std::array<Child, box_width>;
  // A part built apart from the others: its own node first, children by their place in this list.
  struct Apart {
    Work work;
    Bounds bounds;
  };
  class SideBySide;

  static std::size_t next_of(const Sorting& sorting, const Parts& parts);
  static void dissolve(std::size_t which, Parts& parts);
  static SplitCut cut_of(const Sorting& sorting, const Part& part, const Part& whole, const SplitAxes& axes);
  void cut(Sorting& sorting, const SplitCut& cut, std::size_t which, Parts& parts) const;
  static void find_axes_of(Parts& parts);
  void split(Sorting& sorting, const SplitAxes& axes, Parts& parts) const;

  Bounds fill(Work& work, std::size_t index, const Part& part, const SplitAxes& axes);
  Bounds fill_from_cells(Work& work, std::size_t index, const Part& part, const SplitAxes& axes);
  void take_triangles(const Part& part, Desk& desk) const;
  Bounds fill_from_triangles(Work& work, std::size_t index, const Part& part, const SplitAxes& axes,
                             Desk& desk);
  Bounds fill_with_triangles(Work& work, std::size_t index, const Part& part, Desk& desk);
  Children links_of(const Sorting& sorting, const Parts& parts, Work& work) const;
  Apart built_apart(const Part& part, const SplitAxes& axes);

  Bounds finish_node(Work& work, std::size_t index, const Parts& parts, const Children& children);
  static void append_nodes(const NodeList& apart, std::size_t index, std::size_t first, NodeList& nodes);
  static Vector3 start_node(const Bounds& bounds, std::size_t count, BoxNode& node);
  void fit_children(const Work& work, const Parts& parts, const Children& children, const Bounds& all,
                    BoxNode& node) const;
  void keep_once(std::vector<std::int32_t>& list, std::size_t begin, Desk& desk) const;

  TreeSurface surface_;
  Sorting cells_;
  double padding_;
  tbb::enumerable_thread_specific<Desk> desks_;
};

}  // namespace toccata::hierarchy
