#pragma once
// The answers of the queries on two moving rigid bodies.
#include <cstdint>
#include <string_view>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/base/status.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

// GCC's -Wshadow takes a scoped enumerator for a clash with a type of its name (toccata::Edge).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
enum class FeatureKind : std::uint8_t { Vertex, Edge, Interior };  // Interior: of the face
#pragma GCC diagnostic pop

constexpr std::string_view to_string(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::Vertex:
      return "vertex";
    case FeatureKind::Edge:
      return "edge";
    case FeatureKind::Interior:
      return "face";
  }
  return "unknown";
}

// A feature of one triangle: corner 0..2, edge i from corner i to corner i+1 mod 3, or the face (index 0).
struct TriangleFeature {
  FeatureKind kind = FeatureKind::Interior;
  std::int8_t index = 0;
};

// Where two triangles meet or come closest.
struct Contact {
  Vector3 point_a = Vector3::Zero();  // world
  Vector3 point_b = Vector3::Zero();
  Vector3 normal = Vector3::Zero();  // unit, from a to b; zero only if the geometry leaves it undefined
  double distance = 0.0;             // |point_b - point_a|
  std::int32_t triangle_a = -1;
  std::int32_t triangle_b = -1;
  TriangleFeature feature_a;
  TriangleFeature feature_b;
};

// The work done.
struct QueryStats {
  std::int64_t node_pairs = 0;      // pairs of bounding volumes tested
  std::int64_t triangle_pairs = 0;  // pairs of triangles tested
  std::int64_t steps = 0;           // advancements in time (of pairs or of the whole, as the method does)
  // The screw method only: pairs of features (corner and triangle, edge and edge) that came up, and how many
  // of them the annulus, height and angle tests rejected before their equation was looked at.
  std::int64_t feature_pairs = 0;
  std::int64_t rejected_feature_pairs = 0;
};

// Fields that hold, by status:
//   Separated       stats; time = lower = upper = 1; poses at 1
//   Contact         everything; contacts: the one, or all at that time when asked for
//   OverlapAtStart  everything, with time = lower = upper = 0
//   OutOfBudget     lower = time: the motion is proven free on [0, lower]; poses at that time; stats. With
//                   InitialContact::Skip: free from the end of the initial contact on, or still in it.
//                   Of a motion that is not finite nothing is proven: lower = 0, poses at the identity
struct FirstContactResult {
  Status status = Status::Separated;
  double time = 1.0;      // = lower: never later than the true first contact
  double lower = 1.0;     // the bodies are proven apart on [0, lower)
  double upper = 1.0;     // if they ever touch, they first do so by then; 1 where this could not be narrowed
  double distance = 0.0;  // of the bodies at `time`: at most minimum distance + tolerance
  Contact contact;        // the closest pair found at `time`; the lowest triangle ids among equals
  std::vector<Contact> contacts;  // sorted by triangle_a, triangle_b
  Pose pose_a;                    // at `time`
  Pose pose_b;
  QueryStats stats;
};

// Fields that hold, by status: Separated (the bodies stay apart) everything; Contact (they come within the
// tolerance on the way): where they touch, distance is exactly 0, both points are one, and time is that of
// the first contact, never late; where they only pass within the tolerance, distance is what they pass at;
// lower_distance 0; OverlapAtStart the same with time 0; OutOfBudget: time and contact are the best found so
// far, if any.
struct ClosestApproachResult {
  Status status = Status::Separated;
  double time = 0.0;            // where `distance` is reached
  double distance = 0.0;        // of the bodies at `time`: an upper bound on the smallest distance
  double lower_distance = 0.0;  // a proven lower bound; distance - lower_distance <= tolerance
  Contact contact;
  Pose pose_a;
  Pose pose_b;
  QueryStats stats;
};

// The bodies touch somewhere in [begin_upper, end_lower] throughout, as far as the resolution goes, and are
// proven apart between one interval's end_upper and the next one's begin_lower.
struct ContactInterval {
  double begin_lower = 0.0;
  double begin_upper = 0.0;
  double end_lower = 1.0;
  double end_upper = 1.0;
};

// Status: Separated (no interval), Contact, OverlapAtStart (the first interval begins at 0), OutOfBudget
// (intervals up to `proven_until`; one that is still going on then has end_lower there and end_upper 1).
struct ContactIntervalsResult {
  Status status = Status::Separated;
  std::vector<ContactInterval> intervals;  // disjoint, increasing
  double proven_until = 1.0;
  QueryStats stats;
};

}  // namespace toccata
