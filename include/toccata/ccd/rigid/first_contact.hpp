#pragma once
// When do two moving rigid bodies (polygon soups) first touch, where, and how close do they come?
//
// Guarantee, for the motion in real arithmetic on the doubles as given: a contact is never missed; the
// reported time is never later than the true first contact; the surfaces do not touch before it; and at it
// they are within minimum distance + tolerance. Bodies are surfaces: one strictly inside the other is apart.
// The answer does not depend on which body is named first, nor on the number of threads.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "toccata/ccd/rigid/rigid_shape.hpp"
#include "toccata/motion/motion.hpp"
#include "toccata/report/contact.hpp"

namespace toccata {

// All methods give the same answer within the tolerance.
enum class RigidMethod {
  Advancement,  // best-first in time over pairs of boxes, second-order steps: the fast one
  Controlled,   // C2A: conservative advancement with a controlled front (Tang, Kim, Manocha 2009)
  Interval,     // interval arithmetic on elementary equations and on continuous box tests (Redon et al. 2002)
  Screw,        // closed-form contact equations under screw motions (Kim, Rossignac 2003)
};

// What to do with bodies that touch at t = 0.
enum class InitialContact {
  Report,  // status OverlapAtStart, time 0
  Skip,    // look for the first contact after they have come apart (seen to 1e-6 of the time); if they never
           // do: as Report
};

struct RigidContactOptions {
  // A distance: how close counts as touching. Negative: |tolerance| times the size of the smaller body (or a
  // thousandth of the larger one's, if that is more).
  double tolerance = -1e-6;
  double minimum_distance = 0.0;  // > 0: the first time the bodies come this close
  bool all_contacts = false;      // every pair of triangles within the tolerance at that time
  // Most node and triangle pairs to test, a pair of triangles once more at every step of it; 0 = no limit.
  std::int64_t budget = 0;
  RigidMethod method = RigidMethod::Advancement;
  InitialContact initial_contact = InitialContact::Report;
};

// Builds now what the method needs of the shape beyond its own hierarchy, which Advancement uses: a second
// tree, built at the first query otherwise, once for all copies of the shape and all threads (others wait).
// Interval and Screw share one. About 5 microseconds a triangle; nothing to do for Advancement.
void prepare(const RigidShape& shape, RigidMethod method);

// `tolerance` as a distance for this pair of bodies.
double resolved_tolerance(const RigidShape& shape_a, const RigidShape& shape_b, double tolerance);

FirstContactResult first_contact(const RigidShape& shape_a, const Motion& motion_a, const RigidShape& shape_b,
                                 const Motion& motion_b, const RigidContactOptions& options = {});

// One query of a batch; the motions must outlive the call.
struct MotionPair {
  const Motion* motion_a = nullptr;
  const Motion* motion_b = nullptr;
};

// The same answers as one by one, in the same order. threads: 0 = all cores.
std::vector<FirstContactResult> first_contacts(const RigidShape& shape_a, const RigidShape& shape_b,
                                               std::span<const MotionPair> motions,
                                               const RigidContactOptions& options = {}, int threads = 0);

struct ClosestApproachOptions {
  double tolerance = -1e-6;  // of the distance, not finer than rounding; negative: relative as above
  std::int64_t budget = 0;
};

// The smallest distance over the whole motion, when and where.
ClosestApproachResult closest_approach(const RigidShape& shape_a, const Motion& motion_a,
                                       const RigidShape& shape_b, const Motion& motion_b,
                                       const ClosestApproachOptions& options = {});

// For many queries on one pair of shapes, one solver a thread: keeps the memory of the search, and what one
// answer tells about the next.
//
// first_contact: how far apart the bodies were when last looked at. A motion that cannot use that up is
// answered without a search. The answers are those of the function of the same name in every field but
// `stats`, and with a budget, where less work may mean an answer instead of OutOfBudget.
// closest_approach: which triangles came closest, and when. The answers are those of the function of the same
// name within the tolerance.
class RigidContactSolver {
 public:
  RigidContactSolver(RigidShape shape_a, RigidShape shape_b, const RigidContactOptions& options = {});
  ~RigidContactSolver();
  RigidContactSolver(RigidContactSolver&&) noexcept;
  RigidContactSolver& operator=(RigidContactSolver&&) noexcept;

  FirstContactResult first_contact(const Motion& motion_a, const Motion& motion_b);
  ClosestApproachResult closest_approach(const Motion& motion_a, const Motion& motion_b,
                                         const ClosestApproachOptions& options = {});

 private:
  struct Memory;
  RigidShape shape_a_;
  RigidShape shape_b_;
  RigidContactOptions options_;
  std::unique_ptr<Memory> memory_;
};

struct ContactIntervalsOptions {
  double tolerance = -1e-6;       // distance that counts as touching; negative: relative as above
  double time_resolution = 1e-6;  // gaps and contacts shorter than this may be merged with their neighbours
  std::int64_t budget = 0;
};

// Every interval of [0, 1] in which the bodies touch.
ContactIntervalsResult contact_intervals(const RigidShape& shape_a, const Motion& motion_a,
                                         const RigidShape& shape_b, const Motion& motion_b,
                                         const ContactIntervalsOptions& options = {});

}  // namespace toccata
