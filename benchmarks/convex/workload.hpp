#pragma once
// The questions, with their true answers: the same for every contestant and on every machine.
#include <string>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/geometry/geometry.hpp"

namespace toccata::bench {

enum class Question {
  Distance,  // 0 where the shapes overlap
  Depth,     // as a negative distance; of shapes that are apart their distance
  Apart,     // whether they are, as a number above 0; nothing is known beforehand but an axis
  Cast,      // the time of first contact in [0, 1]; 2 if there is none
};

struct PairCase {
  std::size_t a = 0, b = 0;  // numbers of shapes
  Pose pose_a, pose_b;
  // Of casts: a's pose at t is (exp(t spin) R, translation + t velocity); b stands.
  Vector3 spin = Vector3::Zero(), velocity = Vector3::Zero();
};

struct Row {
  Question question = Question::Distance;
  std::string kind, name;  // "box", "near"
  std::vector<Geometry> shapes;
  std::vector<PairCase> cases;
  std::vector<double> truth;  // of each case
  // So many cases in turn are frames of one pair: a contestant may remember what it likes from one to the
  // next. 1: every case is new.
  std::size_t frames = 1;
  // An answer is wrong if it is off by more than this; of casts: if it is later.
  double tolerance = 1e-6;

  bool is_convex() const { return name != "mesh 34560" && name != "field 1024"; }
  bool is_field() const { return name == "field 1024"; }
};

// Two shapes of one kind (box, capsule, hull50, hull500, hull5000) at a gap of one class: apart, near, micro,
// touch, log; pen3, pen1, penlog; warm. count 0: as many as a timed row has.
Row pair_row(const std::string& kind, const std::string& name, std::size_t count = 0);

// Boxes near each other, 1e-3 apart, whose axis is remembered from a moment before.
Row apart_row();

// 600 casts: translate, turn40 (10 to 40 degrees), turn170 (30 to 170), full (one turn) of box or hull50;
// rod40, rod170 of a rod that sweeps a plate.
Row cast_row(const std::string& kind, const std::string& name);

// SWIFT's experiment: an ellipsoid hull of 2000 triangles on its way around another, 720 distances a row.
// body: fat, plate or long; radius 2.02 or 3; step: degrees from one to the next.
Row orbit_row(const std::string& body, double radius, double step);

// 50 casts of a box or hull50 that turns by 30 to 170 degrees on its way into a torus knot of 34,560
// triangles; the last shape is the mesh.
Row mesh_row(const std::string& kind);

// 200 casts of a box that tumbles onto a height field of 1024 x 1024 samples; the last shape is the field.
Row field_row();

}  // namespace toccata::bench
