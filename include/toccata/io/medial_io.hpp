#pragma once
// Medial meshes as files: .ma, as the published data of Q-MAT and MATFP has them, and what planners read.
#include <cstddef>
#include <string>
#include <string_view>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/medial_mesh.hpp"

namespace toccata {

enum class MedialFormat {
  Ma,    // "balls cones slabs", then lines "v x y z r", "e i j", "f i j k", counted from 0
  Json,  // {"format": "toccata-medial", "version": 1, "centers", "radii", "cones", "slabs"}
  Urdf,  // balls only: a robot of one link with a sphere each as collision geometry
  Yaml,  // balls only: "collision_spheres: {base: [{center: [x, y, z], radius: r}, ...]}"
};

// By the extension: .ma, .json, .urdf or .xml, .yaml or .yml. Error: another one.
Expected<MedialFormat> medial_format_of(std::string_view path);

// .ma and JSON. The error names the line or the field; what is read is checked (failure_of).
Expected<MedialMesh> load_medial_mesh(const std::string& path);
Expected<MedialMesh> medial_mesh_from_ma(std::string_view text, std::string_view name = "medial mesh");
Expected<MedialMesh> medial_mesh_from_json(std::string_view text, std::string_view name = "medial mesh");

// Numbers read back to the same doubles. Error: cones or slabs in a format of balls only.
Expected<std::string> format_medial_mesh(const MedialMesh& mesh, MedialFormat format);
// The bytes written. Without `force` an existing file is an error and stays as it is.
Expected<std::size_t> save_medial_mesh(const std::string& path, const MedialMesh& mesh, bool force = false);

}  // namespace toccata
