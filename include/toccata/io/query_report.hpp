#pragma once
// The report of an answer: bodies, results, sentences, clearance, work. One call per question.
//
//   #include <toccata/io/report_json.hpp>
//   const FirstContactResult found = first_contact({blade, turn}, {post});
//   const Report report = first_contact_report({"blade", blade, turn}, {"post", post}, found);
//   write_report("report.json", report);  // Toccata::json
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "toccata/hierarchy/shape.hpp"
#include "toccata/io/report.hpp"
#include "toccata/io/report_record.hpp"
#include "toccata/io/sentence.hpp"
#include "toccata/motion/owned_motion.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/report/world_events.hpp"

namespace toccata {

// A body of the question, with what a reader wants to know of it. At rest: `motion` is its pose.
struct ReportBody {
  std::string name;
  Shape shape;
  OwnedMotion motion = {};
  bool solid = false;
  std::string source = {};  // the mesh file it came from, or empty
  // Of a mesh that deforms (in a world): its corners at t = 1. `shape` is its mesh at t = 0, at rest.
  std::vector<Vector3> positions_t1 = {};
};

// Those of the two bodies that are meshes, for the text of features.
MeshPair meshes_of(const ReportBody& a, const ReportBody& b);

struct QueryReportOptions {
  // The distance of moving bodies is sampled at this many times and one more, and at the contact; 0: not.
  int clearance_samples = 64;
  int hierarchy_levels = 0;  // of the bodies' boxes, for looking at
};

// What else was asked about the same two bodies.
struct FirstContactExtras {
  std::optional<ClosestApproachResult> closest = {};
  std::vector<ContactInterval> intervals = {};
};

// `method`, `options`, `timings` and `command` are the caller's to add.
Report first_contact_report(const ReportBody& a, const ReportBody& b, const FirstContactResult& answer,
                            const FirstContactExtras& extras = {}, const QueryReportOptions& options = {});
Report closest_approach_report(const ReportBody& a, const ReportBody& b, const ClosestApproachResult& answer,
                               const QueryReportOptions& options = {});
Report contact_intervals_report(const ReportBody& a, const ReportBody& b,
                                const ContactIntervalsResult& answer, const QueryReportOptions& options = {});

// One trial of a batch, with its own motions.
struct TrialAnswer {
  std::size_t index = 0;  // in the batch, from 0
  FirstContactResult answer;
  OwnedMotion motion_a = {};
  OwnedMotion motion_b = {};
  std::optional<ClosestApproachResult> closest = {};
  std::optional<double> microseconds = {};
};

// `counts` are of the whole batch, of which `shown` may be a part.
Report trials_report(const ReportBody& a, const ReportBody& b, std::span<const TrialAnswer> shown,
                     const TrialCounts& counts);

// The boxes of every body whose mesh is in the report, level by level from the root, for looking at. Reports
// that have some already, and levels of 0, are left as they are.
void add_hierarchies(Report& report, int levels);

// Bodies at rest.
Report distance_report(const ReportBody& a, const ReportBody& b, const DistanceResult& answer);
Report within_report(const ReportBody& a, const ReportBody& b, const WithinResult& answer, double limit);
// A point of a pair of triangles that meet, and the features that hold it.
ContactRecord meeting_point(const ReportBody& a, const ReportBody& b, const TrianglePair& pair);
// The answer should be of all pairs, which are the curve along which the surfaces meet.
Report intersects_report(const ReportBody& a, const ReportBody& b, const IntersectsResult& answer,
                         Containment a_in_b, Containment b_in_a);
// Bodies that do not overlap with how far apart they are, and whether one is inside the other.
Report penetration_report(const ReportBody& a, const ReportBody& b, const PenetrationResult& answer,
                          const ApartAnswer& apart = {});

// Many bodies, by their ids: every event is a result, in the order of the list.
Report world_report(std::span<const ReportBody> bodies, const WorldEventsResult& answer);

// One step of a deforming mesh: where its vertices start and end, and what meets between.
struct DeformingStep {
  std::span<const Vector3> positions_t0;
  std::span<const Vector3> positions_t1;
  std::span<const Face> faces;
  bool complete = true;  // false: the search ended by its budget, there may be more contacts
};
Report step_report(const DeformingStep& step, std::span<const DeformableContact> contacts);

}  // namespace toccata
