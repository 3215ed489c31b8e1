#pragma once
// Distance fields as level sets of OpenVDB: the component Toccata::openvdb, where that library is installed.
//
//   const DistanceField field = build_distance_field(mesh, {.error = 1e-3}).value();
//   const std::size_t voxels = save_openvdb("part.vdb", field, {.voxel = 0.01}).value();
#include <cstddef>
#include <string>

#include "toccata/base/expected.hpp"
#include "toccata/field/distance_field.hpp"

namespace toccata {

struct OpenVdbOptions {
  double voxel = 0.0;       // the side of one; 0: the mesh's size over 64
  double half_width = 3.0;  // voxels on both sides of the surface that hold distances; at least 1.5
  int threads = 0;          // 0 = all cores; the file does not depend on it
  bool force = true;        // an existing file is written over
};

// One grid "distance", of floats, voxel (0, 0, 0) at the world's origin. Voxels hold the middles of the
// field's intervals, each within the field's error of the true distance (also in the file, as
// "toccata_error"), with exact signs; beyond the band the background, negative inside. Returns how many
// voxels hold distances. Error: a mesh that is not closed, options that cannot be, or a file that cannot be
// written.
Expected<std::size_t> save_openvdb(const std::string& path, const DistanceField& field,
                                   const OpenVdbOptions& options = {});

}  // namespace toccata
