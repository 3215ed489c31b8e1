#pragma once
// From answers that are no contacts to what a report shows of them (docs/report.md, "Layers").
#include <span>
#include <string>
#include <vector>

#include "toccata/field/distance_field.hpp"
#include "toccata/field/voronoi_grid.hpp"
#include "toccata/geometry/medial_mesh.hpp"
#include "toccata/hierarchy/shape.hpp"
#include "toccata/io/report.hpp"
#include "toccata/proximity/convex_parts.hpp"
#include "toccata/report/penetration_result.hpp"

namespace toccata {

// A report of one shape at rest, or of none, with what is to be seen of it. `answer`: a sentence.
Report layers_report(const std::string& query, const std::string& answer, std::vector<LayerRecord> layers);
void add_body(const Shape& shape, const std::string& name, Report& report);

// The field in the plane across axis 0, 1 or 2 at that height, over the mesh's box and some room
// around it: middles of the proven intervals at the middles of cells, `cells` of them along the longer side.
LayerRecord field_slice(const DistanceField& field, int axis, double at, int cells = 160);
// Across each axis, through the middle.
std::vector<LayerRecord> field_slices(const DistanceField& field, int cells = 160);

// Which site the cells of a layer of the grid have; `index`: which layer across the axis.
LayerRecord voronoi_slice(const VoronoiGrid& grid, int axis, std::int32_t index);
// Of a flat grid the whole of it, else across each axis through the middle.
std::vector<LayerRecord> voronoi_slices(const VoronoiGrid& grid);

// Balls, cones and slabs, coloured by the proven error of each; errors: as many as medial_primitives, or
// none.
LayerRecord medial_layer(const MedialMesh& mesh, std::span<const double> errors = {});
// Each hull in a colour of its own.
LayerRecord parts_layer(const ConvexParts& parts);
// From the deepest point of each body inside the other to the nearest one outside; empty if there is none.
std::vector<LayerRecord> depth_layers(const PenetrationResult& result);

}  // namespace toccata
