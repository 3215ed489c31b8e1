#include "ccd/articulated/node_clearances.hpp"

#include <cmath>
#include <string_view>
#include <unordered_map>

#include "ccd/articulated/search_pool.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::articulated {
namespace {

// A node costs about as much as two edges.
constexpr std::int32_t edges_of_node = 6;
constexpr std::size_t most_clearances = std::size_t{1} << 26;
// Of the joint values, in all: a longer edge leaves what is known of its ends behind too soon.
constexpr double longest_edge = 0.75;
// Searches answer edges of fewer bodies and obstacles as quickly.
constexpr std::size_t least_pairs = 16;

// Equal bits are what counts.
std::string_view bytes_of(const std::vector<double>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

bool is_state(const std::vector<double>& values, std::size_t variables) {
  if (values.size() != variables) return false;
  for (const double value : values) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

bool is_short(const JointEdge& edge, std::size_t variables) {
  if (!is_state(edge.start, variables) || !is_state(edge.end, variables)) return false;
  double squared = 0.0;
  for (std::size_t i = 0; i < variables; ++i)
    squared += (edge.end[i] - edge.start[i]) * (edge.end[i] - edge.start[i]);
  return squared <= longest_edge * longest_edge;
}

}  // namespace

NodeClearances::NodeClearances(const PreparedRobot& robot, std::span<const JointEdge> edges, int threads,
                               const StopWatch* stop) {
  pairs_ = robot.bodies.size() * robot.obstacles.size() + robot.self_pairs.size();
  if (edges.size() < static_cast<std::size_t>(edges_of_node) || pairs_ < least_pairs) return;
  const std::size_t variables = robot.kinematics.variables().size();
  struct Uses {
    std::int32_t count = 0;
    std::int32_t node = -1;
  };
  std::unordered_map<std::string_view, Uses> states;
  std::size_t short_edges = 0;
  for (const JointEdge& edge : edges) {
    if (!is_short(edge, variables)) continue;
    ++short_edges;
    for (const std::vector<double>* end : {&edge.start, &edge.end}) ++states[bytes_of(*end)].count;
  }
  if (states.size() * 2 > short_edges) return;  // no roadmap: hardly any state is met again
  std::vector<const std::vector<double>*> nodes;
  ends_.assign(2 * edges.size(), -1);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!is_short(edges[i], variables)) continue;
    const std::vector<double>* ends[2] = {&edges[i].start, &edges[i].end};
    for (std::size_t side = 0; side < 2; ++side) {
      const auto found = states.find(bytes_of(*ends[side]));
      if (found == states.end() || found->second.count < edges_of_node) continue;
      if (found->second.node < 0) {
        if ((nodes.size() + 1) * pairs_ > most_clearances) continue;
        found->second.node = static_cast<std::int32_t>(nodes.size());
        nodes.push_back(ends[side]);
      }
      ends_[2 * i + side] = found->second.node;
    }
  }
  // Zeros say nothing: where the time is up they stay.
  clearances_.assign(nodes.size() * pairs_, 0.0F);
  parallel_blocks(nodes.size(), 64, threads, [&](std::size_t begin, std::size_t end) {
    const SearchPool::Borrowed search = robot.searches->borrow(robot);
    for (std::size_t i = begin; i < end && (stop == nullptr || !stop->is_over()); ++i) {
      search->set_edge(*nodes[i], *nodes[i]);
      search->put_clearances({clearances_.data() + i * pairs_, pairs_});
    }
  });
}

}  // namespace toccata::articulated
