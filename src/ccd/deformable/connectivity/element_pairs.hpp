#pragma once
// Two sub-trees against each other: bounds down to pairs of elements, then low-level culling (Tang et al.,
// ICCD, V): representative triangles among non-adjacent elements; adjacent ones are left to the orphans.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ccd/deformable/connectivity/region_culling.hpp"
#include "ccd/deformable/connectivity/region_forest.hpp"
#include "ccd/deformable/narrow_phase.hpp"

namespace toccata::deformable::connectivity {

enum ConnectivityStage : int {
  ObjectTests,
  ObjectPairs,
  ConeTests,
  ConesPassed,
  ContourTests,
  ContoursPassed,
  ContourFailuresInherited,
  ProjectedVertices,
  ReusedProjections,
  PlanarEdgeTests,
  ClearedRegions,
  ClearedElements,
  NodeTests,
  ElementPairCount,
  AdjacentElementPairs,
  RelativeMotionPairs,
  FeaturePairs,
  Orphans,
  OrphansTested,
  ElementaryTests,
};

inline constexpr std::array<std::string_view, ElementaryTests + 1> connectivity_stage_names = {
    "object_bound_tests",          // tests in the tree over components
    "object_pairs",                // components whose bounds meet
    "cone_tests",                  // regions whose normal cone was looked at
    "cones_passed",                // ... with all normals in one half-space
    "contour_tests",               // projected contours tested
    "contours_passed",             // ... and proven simple
    "contour_failures_inherited",  // contours not tested: the parent's failing edges are theirs
    "projected_vertices",
    "reused_projections",
    "planar_edge_tests",  // pairs of contour edges beyond their boxes
    "cleared_regions",
    "cleared_elements",
    "node_bound_tests",        // tests between regions
    "element_pairs",           // non-adjacent elements whose bounds meet
    "adjacent_element_pairs",  // adjacent elements met on the way
    "relative_motion_pairs",   // non-adjacent elements that no axis keeps apart at both ends
    "feature_pairs",           // tests that the pairs stand for: 15 for two triangles
    "orphans",
    "orphans_tested",
    "elementary_tests",  // done, repeated ones included
};

class ElementPairs {
 public:
  // spare: takes the tests that a stage that is switched off would have spared.
  ElementPairs(const RegionForest& forest, const RegionBounds& bounds, const ElementMesh& mesh,
               const Topology& topology, const Step& step, const PipelineQuery& query, NarrowPhase& narrow,
               CandidateSink& sink, CandidateSink& spare)
      : forest_(forest),
        bounds_(bounds),
        mesh_(mesh),
        topology_(topology),
        step_(step),
        narrow_(narrow),
        distance_(query.distance),
        relative_motion_(query.options.stages.relative_motion && query.distance == 0.0),
        representatives_(query.options.stages.representative_triangles),
        orphans_(query.options.stages.orphan_sets),
        sink_(sink),
        spare_(spare) {}
  ~ElementPairs();
  ElementPairs(const ElementPairs&) = delete;
  ElementPairs& operator=(const ElementPairs&) = delete;

  void run(const NodePair& pair);

 private:
  void elements(std::int32_t t1, std::int32_t t2);
  bool stay_apart(const Face& x, const Face& y, double t_end) const;
  bool stay_apart_but_for_hub(const Face& x, const Face& y, double t_end) const;
  static bool apart_along_normal(const MovingVertex* const of[3], const MovingVertex* const corner[2][3],
                                 double t_end);
  struct Overlap {
    bool sharing, adjacent;
  };
  void vertices_with_face(std::int32_t t1, std::int32_t t2, Overlap how);
  void edges_with_edges(std::int32_t t1, std::int32_t t2, Overlap how);
  void codimensional(std::int32_t t1, std::int32_t t2);

  const RegionForest& forest_;
  const RegionBounds& bounds_;
  const ElementMesh& mesh_;
  const Topology& topology_;
  const Step& step_;
  NarrowPhase& narrow_;
  double distance_;
  bool relative_motion_;
  bool representatives_;
  bool orphans_;
  CandidateSink& sink_;
  CandidateSink& spare_;
  std::vector<NodePair> stack_;
  std::int64_t node_tests_ = 0, pairs_ = 0, adjacent_pairs_ = 0, moving_pairs_ = 0, feature_pairs_ = 0,
               tests_ = 0;
};

}  // namespace toccata::deformable::connectivity
