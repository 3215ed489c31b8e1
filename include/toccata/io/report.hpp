#pragma once
// The record of a query, as it is kept in a file: which shapes, how they moved, what was asked, what the
// answer was, what the work was. Plain data, one vocabulary for every query; docs/report.md is its twin.
// Times are in [0, 1] of the motion (for sequences: of the step); lengths in the unit of the input.
//
// toccata/io/query_report.hpp makes one from an answer, toccata/io/report_json.hpp writes and reads it.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/base/status.hpp"
#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/io/report_layer.hpp"
#include "toccata/motion/motion_record.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/contact_intervals_result.hpp"
#include "toccata/report/deformable_contact.hpp"
#include "toccata/report/first_contact_result.hpp"

namespace toccata {

// ---------------------------------------------------------------- shapes and bodies

// Embedded when `mesh` is set, otherwise by reference: `source` is then a mesh file, relative to the report.
struct ShapeRecord {
  std::string name;
  std::string source;
  std::size_t vertex_count = 0;  // of the shape as queried; set by the writer when `mesh` is there
  std::size_t triangle_count = 0;
  std::optional<TriangleMesh> mesh;
  // Of what is no mesh: kind_of its geometry ("box", "half space"...), and the numbers that make it, as
  // docs/report.md lists them, so that it can be drawn as it is. None where the mesh says it all.
  std::string kind = {};
  std::vector<double> sizes = {};
  std::vector<Vector3> positions_t1 = {};  // of a mesh that deforms: its corners at t = 1, `mesh` is at t = 0
};

struct BodyRecord {
  std::string name;
  int shape = 0;
  MotionRecord motion = FixedMotionRecord{};
  bool solid = false;  // one body inside it counts as an overlap
};

// One bounding-volume tree of a body, level by level, for looking at. Boxes are in the body's frame.
struct HierarchyRecord {
  struct Box {
    Vector3 center = Vector3::Zero();
    Matrix3 axes = Matrix3::Identity();  // unit columns
    Vector3 half = Vector3::Zero();
  };
  int body = 0;
  std::string volume;                    // "aabb", "obb", ...
  std::vector<std::vector<Box>> levels;  // root first
};

// ---------------------------------------------------------------- answers for pairs of bodies

// A contact, with what a reader can show without the mesh.
struct ContactRecord {
  Contact contact;
  std::string text_a;  // the feature as feature_text says it: "edge 3-17"
  std::string text_b;
  std::vector<Vector3> corners_a;  // of the triangle, in the body's frame; empty where the mesh is not known
  std::vector<Vector3> corners_b;
};

struct ClosestApproachRecord {
  double time = 0.0;
  double distance = 0.0;
  double lower_distance = 0.0;  // proven
  ContactRecord contact;
};

// Distance between the bodies at sampled times: for the eye, not a proof.
struct ClearanceRecord {
  std::vector<double> times;
  std::vector<double> distances;
};

// Proven bounds of the depth of bodies that overlap.
struct DepthRecord {
  double lower = 0.0;
  double upper = 0.0;
};

struct ResultRecord {
  std::string label;     // "trial 17"; may be empty
  std::string sentence;  // this answer for a person
  int body_a = 0;
  int body_b = 1;
  // Set when this result has motions of its own, as in a batch of trials; otherwise those of the bodies.
  std::optional<MotionRecord> motion_a;
  std::optional<MotionRecord> motion_b;
  Status status = Status::Separated;
  Inside inside = Inside::None;  // of solids that overlap without touching
  std::string failure;           // of a question that could not be asked: what was wrong
  double time = 1.0;             // never later than the true first contact; proven free before it
  double lower = 1.0;
  double upper = 1.0;
  std::optional<double> distance;       // at `time`
  std::vector<ContactRecord> contacts;  // at `time`; of bodies at rest that are apart, the closest pair
  std::optional<ClosestApproachRecord> closest_approach;
  std::vector<ContactInterval> intervals;
  ClearanceRecord clearance;
  std::optional<double> microseconds;
  std::optional<DepthRecord> depth;  // along the normal of the one contact
};

// ---------------------------------------------------------------- sequences of deforming frames

struct FrameContactRecord {
  FeaturePairKind kind = FeaturePairKind::VertexFace;
  std::int32_t first = -1;  // ids of the features, as the query numbers them
  std::int32_t second = -1;
  double time = 0.0;                // in the step
  Vector3 point = Vector3::Zero();  // world frame
  Vector3 normal = Vector3::Zero();
};

// One stage of the culling: what it left for the next one.
struct StageRecord {
  std::string name;
  std::uint64_t left = 0;
  std::optional<double> milliseconds;
};

struct StepRecord {
  int from = 0;  // frame indices
  int to = 1;
  std::optional<double> first_time;  // none: no contact in the step, or none found by the end of the budget
  // There: the search ended by its budget or its time. No contact before it is proven, and no more: contacts
  // that are counted were found by then.
  std::optional<double> proven_until = {};
  bool counted = true;  // false: only the first contact was asked for, and the counts are of it
  std::uint64_t vertex_face = 0;
  std::uint64_t edge_edge = 0;
  std::uint64_t vertex_edge = 0;                             // a free point and a wire
  std::uint64_t vertex_vertex = 0;                           // two free points
  std::vector<std::pair<std::string, double>> milliseconds;  // "build", "update", "cull", "test", "total"
  std::vector<StageRecord> stages;
  std::vector<FrameContactRecord> contacts;  // all, or the first ones (counts above are of all)
};

// Positions are stored as offset + scale * k, k from 0 to 65535: a frame read from a file keeps its grid, so
// that it is written again as it was.
struct FrameGrid {
  Vector3 offset = Vector3::Zero();
  Vector3 scale = Vector3::Zero();
};

struct FrameRecord {
  std::string label;
  std::vector<Vector3> positions;
  std::vector<Face> faces;  // empty: those of the frame before
  std::optional<FrameGrid> grid = {};
};

struct SequenceRecord {
  std::vector<FrameRecord> frames;
  // First vertex of each object in the frames, ascending from 0; empty: one object.
  std::vector<std::int64_t> objects;
  std::vector<StepRecord> steps;
};

// ---------------------------------------------------------------- the whole

struct Report {
  std::string query;    // "first_contact", "distance", "sequence", "elementary", ...
  std::string title;    // short, for a heading
  std::string answer;   // one sentence for a person
  std::string command;  // what was typed; may be empty
  std::string method;
  char up = 0;  // 'x', 'y' or 'z': how to stand the scene up for the eye; 0: the reader chooses
  std::vector<std::pair<std::string, std::string>> options;  // as shown to a person, name and value
  std::vector<ShapeRecord> shapes;
  std::vector<BodyRecord> bodies;
  std::vector<ResultRecord> results;
  std::optional<SequenceRecord> sequence;
  std::vector<HierarchyRecord> hierarchies;
  std::vector<LayerRecord> layers;
  std::vector<StageRecord> stages;                            // of the whole query
  std::vector<std::pair<std::string, double>> timings;        // milliseconds, by name
  std::vector<std::pair<std::string, std::uint64_t>> counts;  // work done, by name
};

}  // namespace toccata
