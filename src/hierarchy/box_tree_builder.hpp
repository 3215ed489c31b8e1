#pragma once
// Builds the tree of boxes over the triangles of a mesh: cut from the top where boxes become small
// (split_choice.hpp), fitted from the bottom. The same nodes in the same order on any number of threads and
// any instruction set.
#include <tbb/enumerable_thread_specific.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hierarchy/box_tree.hpp"
#include "hierarchy/fitted_box.hpp"
#include "hierarchy/split_choice.hpp"
#include "hierarchy/tree_surface.hpp"

namespace toccata::hierarchy {

class BoxTreeBuilder {
 public:
  BoxTreeBuilder(const TriangleMesh& mesh, const Vector3& center);

  std::vector<BoxNode> build();

 private:
  // A set of items in a row, cells or triangles.
  struct Part {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t triangles = 0;
    float extent = 0.0F;  // the longest side of the places' box

    std::size_t items() const { return end - begin; }
  };
  struct Parts {
    std::array<Part, box_width> part;
    std::array<SplitMoments, box_width> moments;
    std::size_t count = 1;
  };
  // Items that are sorted, and their moments by number, about one point.
  struct Sorting {
    std::vector<SplitItem> items;
    std::vector<SplitItem> spare;
    const SplitMoments* moments = nullptr;
    bool of_cells = false;
  };
  // What one thread works with. Nothing in it outlives a call that uses it, so a thread that waits for others
  // may take another part meanwhile.
  struct Desk {
    SplitChoice choice;
    std::vector<std::uint32_t> seen;  // by vertex: the last visit
    std::uint32_t visit = 0;
    Sorting triangles;                  // of the part that is built here
    std::vector<std::uint32_t> number;  // of those, in the surface
    std::vector<SplitMoments> moments;
  };
  // Nodes built in a row, and a stack of lists of vertices: each part that is done leaves its own on top.
  struct Work {
    std::vector<BoxNode> nodes;
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

  void measure(const Sorting& sorting, Part& part) const;
  static SplitMoments sum_of(const Sorting& sorting, const Part& part);
  void split(Sorting& sorting, const SplitMoments& moments, SplitChoice& choice, Parts& parts) const;
  static std::size_t next_of(const Sorting& sorting, const Parts& parts);
  void dissolve(const Sorting& sorting, std::size_t which, Parts& parts) const;
  void cut(Sorting& sorting, const SplitPlane& plane, std::size_t which, Parts& parts) const;

  Bounds fill(Work& work, std::size_t index, const Part& part, const SplitMoments& moments);
  Bounds fill_from_cells(Work& work, std::size_t index, const Part& part, const SplitMoments& moments);
  void take_triangles(const Part& part, Desk& desk) const;
  Bounds fill_from_triangles(Work& work, std::size_t index, const Part& part, const SplitMoments& moments,
                             Desk& desk);
  Children links_of(const Sorting& sorting, const Parts& parts, Work& work) const;
  std::array<Apart, box_width> build_apart(const Parts& parts);

  Bounds finish_node(Work& work, std::size_t index, const Parts& parts, Children& children);
  void fit_children(const Work& work, const Parts& parts, const Children& children, BoxNode& node) const;
  FittedBox fit_child(const Work& work, const SplitMoments& moments, const Child& child,
                      const Vector3& origin) const;
  void keep_once(std::vector<std::int32_t>& list, std::size_t begin);

  TreeSurface surface_;
  Sorting cells_;
  double padding_;
  tbb::enumerable_thread_specific<Desk> desks_;
};

}  // namespace toccata::hierarchy
