#pragma once
// What a report has to show beside bodies and contacts: a slice of a field, the cells of a diagram, arrows of
// depth, strands, balls, parts. Plain data in the world's coordinates; docs/report.md is its twin.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "toccata/base/vector.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

enum class LayerKind : std::uint8_t {
  Slice,    // a grid of values in a plane
  Surface,  // triangles
  Balls,    // balls, cones between two of them, slabs among three
  Arrows,
  Lines,  // polylines
};
const char* to_string(LayerKind kind);

enum class LayerColours : std::uint8_t {
  Plain,   // one colour, values are not shown
  Signed,  // from the least value below zero to the largest above
  Scale,   // from the least value to the largest
  Cells,   // a colour of its own for every number; below zero: none
};
const char* to_string(LayerColours colours);

struct LayerRecord {
  LayerKind kind = LayerKind::Surface;
  LayerColours colours = LayerColours::Plain;
  std::string name = {};  // "distance", "certified error", ...
  // Of a slice three corners: where it starts, the end of its first row, the end of its first column. Of the
  // others their points: corners of triangles, middles of balls, where arrows start, points of lines.
  std::vector<Vector3> points = {};
  std::vector<Vector3> vectors = {};  // of arrows: from their points to their tips
  std::vector<double> radii = {};     // of balls, one each
  std::vector<Face> faces = {};  // triangles; of balls the primitives: {a, b, b} is a cone, {a, a, a} a ball
  std::vector<std::int32_t> first = {};   // of lines: the first point of each
  std::array<std::int32_t, 2> size = {};  // of a slice: cells of a row, rows
  // One per cell (row by row), triangle, primitive, arrow, line; empty: none.
  std::vector<float> values = {};
};

}  // namespace toccata
