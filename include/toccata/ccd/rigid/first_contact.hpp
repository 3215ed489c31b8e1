#pragma once
// When do two moving rigid bodies first touch, and where?
//
//   const FirstContactResult found = first_contact({blade, turn}, {post});
//   if (found.status == Status::Contact) std::printf("at t = %g\n", found.time);
//
// Guarantee, for the motions in real arithmetic on the doubles as given: a contact is never missed; the
// reported time is never later than the true first contact; the bodies do not touch before it; and at it
// they are within minimum distance + tolerance. The answer does not depend on which body is named first, nor
// on the number of threads.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "toccata/base/at_start.hpp"
#include "toccata/base/stop.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/ccd/body.hpp"
#include "toccata/report/first_contact_result.hpp"

namespace toccata {

// All methods give the same answer within the tolerance.
enum class RigidMethod {
  Advancement,  // best-first in time over pairs of boxes, second-order steps: the fast one
  Controlled,   // C2A: conservative advancement with a controlled front (Tang, Kim, Manocha 2009)
  Interval,     // interval arithmetic on elementary equations and on continuous box tests (Redon et al. 2002)
  Screw,        // closed-form contact equations under screw motions (Kim, Rossignac 2003)
};

constexpr std::string_view to_string(RigidMethod method) {
  switch (method) {
    case RigidMethod::Advancement:
      return "advancement";
    case RigidMethod::Controlled:
      return "controlled";
    case RigidMethod::Interval:
      return "interval";
    case RigidMethod::Screw:
      return "screw";
  }
  return "unknown";
}

struct FirstContactOptions {
  // How close counts as touching: a distance, or, where none is given, a share of the size of the smaller
  // body (or of a thousandth of the larger one's, if that is more).
  std::optional<double> tolerance = {};
  double relative_tolerance = tolerances::relative_contact;
  double minimum_distance = 0.0;  // > 0: the first time the bodies come this close
  bool all_contacts = false;      // every pair of pieces within the tolerance at that time
  // Most node and piece pairs to test, a pair of pieces once more at every step of it; 0 = no limit.
  std::int64_t budget = 0;
  Stop stop = {};  // of a batch: pairs that are not answered by then end OutOfBudget with time 0
  RigidMethod method = RigidMethod::Advancement;
  AtStart at_start = AtStart::Report;
  int threads = 0;  // of a batch: 0 = all cores
};

FirstContactResult first_contact(const Body& a, const Body& b, const FirstContactOptions& options = {});

// The same answers as one by one, in the same order. Copies of a shape share its preparation, so a batch on
// one pair of shapes prepares each once.
std::vector<FirstContactResult> first_contacts(std::span<const BodyPair> pairs,
                                               const FirstContactOptions& options = {});

// Builds now what the method needs of the shape beyond its own tree, which Advancement uses: a second tree,
// built at the first query otherwise, once for all copies of the shape and all threads (others wait).
// Interval and Screw share one. About 5 microseconds per triangle; nothing to do for Advancement.
void prepare(const Shape& shape, RigidMethod method);

// How close counts as touching for these two, as a distance.
double resolved_tolerance(const Shape& a, const Shape& b, std::optional<double> tolerance = {},
                          double relative_tolerance = tolerances::relative_contact);

}  // namespace toccata
