#pragma once
// Options of DeformableScene and of its questions.
#include <cstdint>
#include <functional>

#include "toccata/report/deformable_contact.hpp"

namespace toccata {

// How the pairs of features that may meet are found. The answer is the same.
enum class DeformableMethod : std::uint8_t {
  Clusters,      // clusters of faces in a wide tree, relative-motion axes at every level: the fastest
  Connectivity,  // the ICCD paper: normal cones, contour tests, representative triangles, orphan sets
  BruteForce,    // every pair of features: for small meshes and as the reference
};

struct DeformableSceneOptions {
  DeformableMethod method = DeformableMethod::Clusters;
  int threads = 0;  // for build, update and update_topology: 0 = all cores
};

// Which pairs are asked for. A component is a maximal set of vertices connected by edges; an object is one of
// the meshes that the scene was built from.
enum class PairScope : std::uint8_t { All, WithinComponent, BetweenComponents, WithinObject, BetweenObjects };

// What to do with features that already touch at t = 0.
enum class ContactAtStart : std::uint8_t {
  Report,  // listed with status OverlapAtStart; first_contact says OverlapAtStart, safe_step says 0
  Ignore,  // dropped: such a pair is no contact of this step, whatever it does later
};

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

struct DeformableOptions {
  PairScope scope = PairScope::All;
  // Pairs of objects to look at, by index; empty = all. Called once per pair of objects, from one thread.
  std::function<bool(std::int32_t object_a, std::int32_t object_b)> object_filter = {};
  // Pairs of features to look at; empty = all. Called from any thread, for few pairs (late in the pipeline).
  std::function<bool(const FeaturePair&)> pair_filter = {};
  // > 0: contact means coming within this distance; see LinearImpactOptions for the guarantee.
  double minimum_distance = 0.0;
  double relative_distance_tolerance = 1e-6;
  ContactAtStart at_start = ContactAtStart::Report;
  bool boolean_only = false;  // all_contacts: which pairs collide, without times, weights, points, normals
  int threads = 0;            // 0 = all cores; the answer does not depend on it
  DeformableStages stages = {};
};

}  // namespace toccata
