#pragma once
// A sheet that falls and ripples onto a rising ball: one step of deforming meshes, every vertex on a straight
// line.
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::scenes {

// A mesh at t = 0, and where its vertices are at t = 1.
struct DeformingMesh {
  TriangleMesh mesh;
  std::vector<Vector3> vertices_t1;
};

struct SheetAndBallOptions {
  int sheet_cells = 40;  // along a side; two triangles each
  int ball_rings = 20;   // from pole to pole; twice as many segments around
  double sheet_width = 2.0;
  double sheet_height = 0.8;  // above the centre of the ball at t = 0
  double fall = 0.7;
  double ripple = 0.06;  // height of the waves at t = 1
  double ball_radius = 0.5;
  double rise = 0.1;
};

struct SheetAndBall {
  DeformingMesh sheet;
  DeformingMesh ball;
};

SheetAndBall sheet_and_ball(const SheetAndBallOptions& options = {});

}  // namespace toccata::scenes
