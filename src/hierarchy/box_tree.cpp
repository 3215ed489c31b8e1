#include "hierarchy/box_tree.hpp"

#include <vector>

#include "hierarchy/box_tree_builder.hpp"
#include "hierarchy/height_tree.hpp"

namespace toccata {

namespace {

// The nodes of height fields that this thread has asked for last: sets of a few places each, of which the one
// not used for the longest time is given away.
class NodeCache {
 public:
  const BoxNode& find(const HeightTree& tree, const BoxTree& asked, std::uint32_t index) {
    if (places_.empty()) places_.resize(sets * ways);
    Place* const set = places_.data() + ways * (index % sets);
    Place* oldest = set;
    for (Place* place = set; place < set + ways; ++place) {
      if (place->serial == asked.serial && place->index == index) {
        place->used = ++time_;
        return place->node;
      }
      if (place->used < oldest->used) oldest = place;
    }
    oldest->serial = asked.serial;
    oldest->used = ++time_;
    oldest->index = index;
    tree.make_node(index, oldest->node, asked.is_skin);
    return oldest->node;
  }

 private:
  static constexpr std::uint32_t sets = 64, ways = 4;
  struct Place {
    std::uint64_t serial = 0;
    std::uint64_t used = 0;
    std::uint32_t index = 0;
    BoxNode node = {};
  };
  std::vector<Place> places_;
  std::uint64_t time_ = 0;
};

}  // namespace

BoxNodes::BoxNodes(std::vector<BoxNode> nodes)
    : size_(nodes.size()), bytes_(nodes.capacity() * sizeof(BoxNode)) {
  if (nodes.empty()) return;
  auto kept = std::make_shared<const std::vector<BoxNode>>(std::move(nodes));
  first_ = kept->data();
  keeper_ = std::move(kept);
}

const BoxNode& BoxTree::height_node(std::uint32_t index) const {
  thread_local NodeCache cache;
  return cache.find(*heights, *this, index);
}

std::size_t BoxTree::memory_bytes() const {
  return nodes.memory_bytes() + (heights != nullptr ? heights->memory_bytes() : 0);
}

BoxTree build_box_tree(const TriangleMesh& mesh, const Vector3& center) {
  BoxTree tree;
  tree.nodes = hierarchy::BoxTreeBuilder(mesh, center).build();
  return tree;
}

}  // namespace toccata
