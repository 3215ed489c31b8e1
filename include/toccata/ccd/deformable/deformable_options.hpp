#pragma once
// Options of DeformableScene and of its questions.
#include <cstdint>
#include <functional>
#include <string_view>

#include "toccata/base/at_start.hpp"
#include "toccata/base/stop.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/report/feature_pair.hpp"

namespace toccata {

// How the pairs of features that may meet are found. The answer is the same.
enum class DeformableMethod : std::uint8_t {
  Clusters,      // clusters of faces in a wide tree, relative-motion axes at every level: the fastest
  Connectivity,  // the ICCD paper: normal cones, contour tests, representative triangles, orphan sets
  BruteForce,    // every pair of features: for small meshes and as the reference
};
inline constexpr int deformable_method_count = 3;

constexpr std::string_view to_string(DeformableMethod method) {
  constexpr std::string_view names[deformable_method_count] = {"clusters", "connectivity", "brute_force"};
  return names[static_cast<int>(method)];
}

struct DeformableSceneOptions {
  DeformableMethod method = DeformableMethod::Clusters;
  int threads = 0;  // for build, update and update_topology: 0 = all cores
};

// Which pairs are asked for. A component is a maximal set of vertices connected by edges; an object is one of
// the meshes that the scene was built from.
enum class PairScope : std::uint8_t { All, WithinComponent, BetweenComponents, WithinObject, BetweenObjects };
inline constexpr int pair_scope_count = 5;

constexpr std::string_view to_string(PairScope scope) {
  constexpr std::string_view names[pair_scope_count] = {"all", "within_component", "between_components",
                                                        "within_object", "between_objects"};
  return names[static_cast<int>(scope)];
}

// Every culling stage can be switched off for comparison: the answer stays the same, the work grows.
struct DeformableStages {
  // Clusters
  bool tree = true;             // hierarchy over the clusters (off: all pairs of clusters)
  bool relative_motion = true;  // gaps at t0 and t1 per axis (off: boxes swept over the whole step)
  bool spread_axes = true;      // eight more axes for pairs of clusters that the cardinal ones leave
  bool feature_clip = true;     // features of a cluster clipped against the other cluster's box
  bool row_axes = true;         // one feature against sixteen on the cardinal axes
  bool pair_axes = true;        // pairs of features on the spread axes
  bool coplanarity = true;      // pairs whose coplanarity equation rules contact out in single precision
  // Connectivity
  bool normal_cones = true;  // continuous normal cones clear smooth regions; Clusters: smooth components
  bool contour_test = true;  // ... and their continuous contour test (off: cones are not used)
  bool representative_triangles = true;  // each elementary test once among non-adjacent triangles
  bool orphan_sets = true;               // only orphans are tested among adjacent triangles
  bool restructuring = true;             // selective restructuring of decayed sub-trees
};

// A share of the pairs of a step, so that several processes can divide it. The shares of all indices are
// disjoint and together whole. Which share a pair belongs to depends on the step and on `count` alone: not on
// the method, the threads, or what the scene was asked before.
struct StepPart {
  int index = 0;  // 0 .. count - 1
  int count = 1;  // 1: everything
};

struct DeformableOptions {
  // Where a question is asked of a part, it is answered of that part: the first contact of the step is the
  // earliest of those of its parts, and only all together prove the step free.
  StepPart part = {};
  PairScope scope = PairScope::All;
  // Pairs of objects to look at, by index; empty = all. Called once per pair of objects, from one thread.
  std::function<bool(std::int32_t object_a, std::int32_t object_b)> object_filter = {};
  // Pairs of features to look at; empty = all. Called from any thread, for few pairs (late in the pipeline).
  std::function<bool(const FeaturePair&)> pair_filter = {};
  // > 0: contact means coming within this distance; see LinearImpactOptions for the guarantee.
  double minimum_distance = 0.0;
  double relative_distance_tolerance = tolerances::relative_distance;
  // Report: features that touch at t = 0 are listed with status OverlapAtStart; first_contact says so, and
  // safe_step says 0. Skip: such a pair is no contact of this step, whatever it does later.
  AtStart at_start = AtStart::Report;
  // all_contacts: which pairs touch, and which of them at the start already, without weights, points and
  // normals; the bracket of all other times is [0, 1].
  bool boolean_only = false;
  int threads = 0;  // 0 = all cores; the answer does not depend on it
  // Most steps of exact arithmetic, of some microseconds each, for pairs that doubles cannot decide. Where a
  // whole sheet runs into one point, all its pairs take dozens of them. 0 = 100,000 and 32 more for each
  // vertex, edge and face; ten times as many for all_contacts. Beyond it all_contacts lists what was found by
  // then; of a first contact it is proven that there is none before its time, if not when there is one. Both
  // are OutOfBudget. Which pairs were decided by then may depend on the threads.
  std::int64_t budget = 0;
  // all_contacts then lists what was found by then; of a first contact nothing is known but what the whole
  // step tells, so that it is OutOfBudget at time 0. Of a list of frames: all steps together.
  Stop stop = {};
  DeformableStages stages = {};
};

}  // namespace toccata
