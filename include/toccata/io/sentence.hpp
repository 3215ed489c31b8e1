#pragma once
// Answers in words: the one place that writes the sentence of an answer, for the program, the page, Python
// and C++ alike.
//
// Numbers have the digits that their proven bracket allows. Times are rounded down, so that a sentence names
// no time later than the true first contact; bounds are rounded outward.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/io/report.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/report/closest_approach_result.hpp"
#include "toccata/report/contact_intervals_result.hpp"
#include "toccata/report/first_contact_result.hpp"
#include "toccata/report/path_clearance_result.hpp"
#include "toccata/report/path_contact_result.hpp"
#include "toccata/report/path_intervals_result.hpp"
#include "toccata/report/penetration_result.hpp"
#include "toccata/report/world_events.hpp"

namespace toccata {

std::string with_thousands(std::uint64_t number);                // 12,345,678
std::string plural(std::uint64_t count, std::string_view noun);  // "1 query", "12,345 queries", "0 contacts"

struct BodyNames {
  std::string a = "A";
  std::string b = "B";
};

// "They first touch at t = 0.474013.", "A is inside B at the start.", what was wrong with the question, ...
std::string sentence(const FirstContactResult& answer, const BodyNames& names = {});
// The same, with the clearance of bodies that stay apart.
std::string sentence(const FirstContactResult& answer, const ClosestApproachResult& closest,
                     const BodyNames& names = {});
std::string sentence(const ClosestApproachResult& answer, const BodyNames& names = {});
std::string sentence(const ContactIntervalsResult& answer);
std::string interval_text(const ContactInterval& interval);  // "from t = 0.25 to t = 0.75", rounded outward

// Bodies at rest. Of `intersects`, the containments of two meshes that do not meet.
std::string sentence(const DistanceResult& answer);
std::string sentence(const WithinResult& answer, double limit);
std::string sentence(const IntersectsResult& answer, Containment a_in_b, Containment b_in_a,
                     const BodyNames& names = {});
// The same where not both are meshes: pieces that meet are no triangles for a person.
std::string solid_sentence(const IntersectsResult& answer, Containment a_in_b, Containment b_in_a,
                           const BodyNames& names = {});

// What is known beside `penetration` of shapes that do not overlap. Meshes are surfaces there: one may be
// inside the other.
struct ApartAnswer {
  DistanceResult distance = {};
  Containment a_in_b = Containment::Outside;
  Containment b_in_a = Containment::Outside;
};
// "They overlap by 0.1; moving B by 0.1 along (1, 0, 0) parts them."
std::string sentence(const PenetrationResult& answer, const ApartAnswer& apart, const BodyNames& names = {});
// Of solids: how deep the surface of one gets in the other.
std::string deepest_sentence(const DeepestPoint& deepest, std::string_view inner, std::string_view outer);

// Many bodies: the whole list, and one event of it.
std::string sentence(const WorldEventsResult& answer);
std::string sentence(const WorldEvent& event, const BodyNames& names);

// Of a batch: how the trials ended.
struct TrialCounts {
  std::size_t asked = 0;
  std::size_t answered = 0;
  std::size_t touching = 0;   // in contact, or overlapping at the start
  std::size_t undecided = 0;  // out of budget
  std::size_t failed = 0;

  void add(const FirstContactResult& answer);
};
std::string sentence(const TrialCounts& counts);
// Trials count from 0: "trial 0" is the first one.
std::string trial_label(std::size_t index);

// Robots: "panda_hand first touches shelf at t = 0.474013.", "The whole path is free, proven."
std::string sentence(const PathContactResult& answer);
std::string sentence(const PathClearanceResult& answer);
std::string sentence(const PathIntervalsResult& answer);

// Deforming scenes: one step, and all of them.
std::string sentence(const StepRecord& step);
std::string sentence(std::span<const StepRecord> steps);

// "vertex 12", "edge 3-17", "face 45", with the mesh's own numbers; only the kind where the mesh is not known
// or the feature belongs to none of its triangles.
std::string feature_text(const Feature& feature, const TriangleMesh* mesh = nullptr);

// The line below the sentence: where they touch, or where they are closest.
std::string contact_text(const ContactRecord& contact, const BodyNames& names = {});

}  // namespace toccata
