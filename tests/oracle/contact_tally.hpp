#pragma once
// Counts what is wrong with answers to first contact, by sampling the motion.
#include <gtest/gtest.h>

#include <cstdio>

#include "oracle/rigid_oracle.hpp"
#include "toccata/motion/motion.hpp"
#include "toccata/report/first_contact_result.hpp"

namespace toccata::oracle {

struct Tally {
  long long queries = 0, contacts = 0, overlaps = 0, missed = 0, late = 0, far = 0;

  void print() const {
    std::printf(
        "%lld queries, %lld contacts (%lld at the start), %lld missed, %lld late, %lld beyond tolerance\n",
        queries, contacts, overlaps, missed, late, far);
    std::fflush(stdout);
  }
};

// Checks one answer against sampling; `scale` is the bodies' size. A long run prints how far it is.
inline void judge(const TriangleMesh& a, const Motion& motion_a, const TriangleMesh& b,
                  const Motion& motion_b, const FirstContactResult& r, double tolerance, double scale,
                  int samples, Tally& tally) {
  if (++tally.queries % 20000 == 0) tally.print();
  const auto pose_a = [&](double t) { return motion_a.pose(t); };
  const auto pose_b = [&](double t) { return motion_b.pose(t); };
  const double upper = first_contact_upper(a, pose_a, b, pose_b, samples);
  const bool hit = r.status == Status::Contact || r.status == Status::OverlapAtStart;
  const bool missed = upper <= 1.0 && !hit;
  const bool late = upper <= 1.0 && hit && r.time > upper;
  const bool far = hit && mesh_distance(a, pose_a(r.time), b, pose_b(r.time)) > tolerance + 1e-12 * scale;
  tally.contacts += hit;
  tally.overlaps += r.status == Status::OverlapAtStart;
  tally.missed += missed;
  tally.late += late;
  tally.far += far;
  if (missed || late || far) {
    std::printf("query %lld is %s\n", tally.queries - 1,
                missed ? "missed"
                : late ? "late"
                       : "beyond tolerance");
  }
}

inline void expect_clean(const Tally& tally) {
  EXPECT_EQ(tally.missed, 0);
  EXPECT_EQ(tally.late, 0);
  EXPECT_EQ(tally.far, 0);
  tally.print();
}

}  // namespace toccata::oracle
