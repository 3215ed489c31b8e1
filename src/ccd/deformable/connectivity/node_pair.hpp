#pragma once
// Two nodes of trees that are walked down side by side. Trees lie in one array, parents first: the left child
// of a node is the next one.
#include <cstdint>
#include <vector>

namespace toccata::deformable::connectivity {

struct NodePair {
  std::int32_t a = 0;
  std::int32_t b = 0;
};

// The pair with either child of its larger node: bounds shrink fastest there. size(i), right(i): of node i.
// Precondition: the larger one is no leaf.
template <typename Size, typename Right>
void open_larger(const NodePair& pair, const Size& size, const Right& right, std::vector<NodePair>& stack) {
  if (size(pair.a) >= size(pair.b)) {
    stack.push_back({pair.a + 1, pair.b});
    stack.push_back({right(pair.a), pair.b});
  } else {
    stack.push_back({pair.a, pair.b + 1});
    stack.push_back({pair.a, right(pair.b)});
  }
}

}  // namespace toccata::deformable::connectivity
