#pragma once
// First contact by subdividing time and bodies together: the frame of the interval method.
//
// What is pending is a pair of tree nodes with an interval of time, earliest first. A method proves pairs of
// nodes apart over the whole interval, and pairs of triangles up to some time. A pair of triangles that is
// within the tolerance when its turn comes is the answer: nothing that is pending begins earlier.
#include <cstdint>
#include <functional>
#include <vector>

#include "ccd/search/triangle_advance.hpp"
#include "toccata/hierarchy/topology.hpp"

namespace toccata::interval {

using namespace search;

struct TimeSpan {
  double begin;
  double end;
};

class SubdivisionMethod {
 public:
  virtual ~SubdivisionMethod() = default;

  // Are the contents of the nodes proven farther apart than question.distance over the whole span?
  virtual bool nodes_apart(std::int32_t node_a, std::int32_t node_b, const TimeSpan& span) = 0;
  // A time up to which the triangles, apart at span.begin, are proven to stay so; at least span.begin.
  virtual double triangles_apart_until(std::int32_t triangle_a, std::int32_t triangle_b,
                                       const TimeSpan& span) = 0;
  // How far the contents of the nodes move over the span at most, against their size: a large share asks to
  // split time first.
  virtual double motion_of_nodes(std::int32_t node_a, std::int32_t node_b, const TimeSpan& span) = 0;
  virtual double radius_a(std::int32_t node) const = 0;
  virtual double radius_b(std::int32_t node) const = 0;
};

// The shapes of the two trees, one triangle per leaf.
struct Topologies {
  const Topology& a;
  const Topology& b;
};

SearchAnswer subdivide_to_contact(const SearchQuestion& question, const Topologies& trees,
                                  SubdivisionMethod& method);

}  // namespace toccata::interval
